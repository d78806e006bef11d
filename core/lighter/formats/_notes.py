"""The notes that a writer takes: what becomes of each part of a message, and where the written values came from."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from lighter.conversation import BlockOrigin, Conversation, Origin
from lighter.formats import SPELLING, Place, trait
from lighter.formats._reading import ENVELOPE, JSON_VALUE
from lighter.jsontext import keys_of
from lighter.losses import Action, Loss
from lighter.messages import ABSENT, CacheMark, Extra, Message, ToolCall, ToolMessage

OF_TURN = "-turn"
"""How the names of formats end whose extras stand on the turn that holds a result, while their owner is the result."""

WRAPPING = "-wrapping"
"""How the names of formats end whose extras tell under which key a value stood that arrives without it."""

INSIDE = "-inside"
"""How the names of formats end whose extras tell that a block stood inside another one on the wire."""

DIALECT = "-dialect"
"""How the names of formats end whose extras tell that a schema was written in a dialect of the format's own."""

UNREAD = "-unread"
"""How the names of formats end whose extras are values that the provider itself does not read."""

GUARDED = "-guarded"
"""How the names of formats end whose extras tell that a text is one that a guardrail is to look at."""

CITED = "-cited"
"""How the names of formats end whose extras tell that a text was one with citations, whether it cites anything or not."""

OLDER = "-older-word"
"""How the names of formats end whose extras hold an older word for what is said with the usual one elsewhere."""

_KINDS: dict[str, tuple[str, Action, str, bool]] = {
    INSIDE: ("nested", "moved", "it stands by itself now, outside of what held it", True),
    DIALECT: ("schema-dialect", "rewritten", "the schema became JSON Schema", True),
    UNREAD: ("unread", "rewritten", "it said nothing there, and is left out", True),
    CITED: ("citations", "rewritten", "text with citations became ordinary text", False),
    OLDER: ("older-word", "rewritten", "the usual word for the same stands there now", False),
    GUARDED: ("guard-content", "rewritten", "what a guardrail was to look at became ordinary text", False),
}
"""What to call such extras in a loss, what becomes of them in other formats, why, and whether the way back restores them."""

HISTORY = ("/previous_response_id", "/conversation")
"""Keys of a request by which the provider looks up what was said before (OpenAI Responses)."""

_UNHELD = {
    "id": ("message-id", "messages have no id there"),
    "name": ("name", "participants have no names there"),
    **{field: (field, "a request does not tell it") for field in ("model", "stop", "usage")},
}
"""What to call a field of a message in a loss, and why it is lost."""

_EMPTY = ('""', "null", "[]", "{}")


class Notes:
    """Takes down what becomes of the parts of one message: its losses, and where the written values came from."""

    def __init__(self, row: int, target: str, losses: list[Loss], places: list[Place]) -> None:
        self.row = row
        self.target = target
        self.losses = losses
        self.places = places

    @classmethod
    def of(cls, conversation: Conversation, target: str) -> "Notes":
        """Open the notes of a conversation that is written in the format `target`."""
        return cls(conversation.row, target, [], [])

    def at_row(self, row: int) -> "Notes":
        """Give notes for another message of the same conversation."""
        return Notes(row, self.target, self.losses, self.places)

    def dropped(self, path: str, feature: str, detail: str) -> None:
        """Note what does not arrive."""
        self.losses.append(Loss(self.row, path, feature, "dropped", detail))

    def emptied(self, message: Message, origin: Origin) -> None:
        """Note a message of which nothing is left, and what it tells besides; only that where it shares its place.

        One that was kept whole, since it is of no kind that its format has, is that message and nothing else.
        """
        if any(extra.path == "" and not extra.format.endswith(SPELLING) for extra in message.ext):
            self.dropped(origin.path, "unknown-message", "it is of no kind that is known, and was not read")
            return
        self.unheld(message, origin, *_UNHELD)
        self.extras(filter(_says_something, message.ext), origin.path)
        if message.group is None:
            self.dropped(origin.path, "empty-message", "nothing of the message is left")

    def moved(self, path: str, feature: str, detail: str) -> None:
        """Note what arrives elsewhere."""
        self.losses.append(Loss(self.row, path, feature, "moved", detail))

    def rewritten(self, path: str, feature: str, detail: str, *, is_reversible: bool = False) -> None:
        """Note what arrives in another form."""
        self.losses.append(Loss(self.row, path, feature, "rewritten", detail, is_reversible))

    def synthesised(self, path: str, feature: str, detail: str) -> None:
        """Note what is added, at the place where the need arose."""
        self.losses.append(Loss(self.row, path, feature, "synthesised", detail))

    def extras(self, owner: Iterable[Extra], base: str, *, held: Sequence[str] = ()) -> None:
        """Note the extras that the target's writer does not put back; `held`: pointers that it carries in another way."""
        for extra in owner:
            if extra.format == JSON_VALUE and not trait(self.target, "HOLDS_JSON_RESULTS", otherwise=False):
                self.rewritten(base, "json-result", "a JSON value became its text", is_reversible=True)
            if extra.format == self.target or extra.format.endswith(SPELLING):
                continue
            path = _place_of(extra, base)
            if (kind := next((kind for kind in _KINDS if extra.format.endswith(kind)), None)) is not None:
                self._kept(extra, kind, path)
                continue
            if extra.path in held:
                continue
            named = (key for key in reversed(keys_of(extra.path)) if not key.isdecimal())
            feature = next(named, "not-a-conversation" if extra.format == ENVELOPE else "value").replace("_", "-")
            if extra.json in _EMPTY:
                feature = f"empty-{feature}"
            if extra.format.endswith(WRAPPING):
                self.rewritten(path, "wrapping", f"arrives without the key {extra.json} that it stood under")
            elif extra.path in HISTORY:
                self.dropped(path, feature, "the history that it names is not in the file")
            elif extra.json == ABSENT:
                self.synthesised(
                    path.rpartition("/")[0], f"absent-{feature}", f"{feature} was absent and will be there"
                )
            else:
                self.dropped(path, feature, f"{self.target} has no place for it")

    def _kept(self, extra: Extra, kind: str, path: str) -> None:
        """Note an extra of a kind that has its own name for what becomes of it elsewhere."""
        if extra.format != self.target + kind:
            feature, action, detail, is_reversible = _KINDS[kind]
            self.losses.append(Loss(self.row, path, feature, action, detail, is_reversible))

    def call_id(
        self, owner: ToolCall | ToolMessage, origin: Origin | BlockOrigin, new: str, *, is_restored: bool = False
    ) -> None:
        """Note what became of the id of a call or a result; `is_restored`: that there was none, or what there was, is put back."""
        if owner.is_id_synthetic:
            if not is_restored:
                kind = "call" if isinstance(owner, ToolCall) else "result"
                self.synthesised(origin.path, "call-id", f"a {kind} without an id got {new!r}")
        elif new != owner.call_id:
            detail = f"{owner.call_id!r} is now {new!r}"
            self.rewritten(origin.at("call_id"), "call-id", detail, is_reversible=True)

    def error_flag(self, message: ToolMessage, origin: Origin) -> None:
        """Note an error flag that the target cannot hold; that a result is no error goes without saying there."""
        if message.is_error:
            is_told_by_content = origin.fields.get("is_error", "") == origin.fields.get("content")
            note = self.rewritten if is_told_by_content else self.dropped  # what it says does arrive
            note(origin.at("is_error"), "is-error", f"{self.target} has no error flag on results")
        elif message.is_error is False and "is_error" in origin.fields:
            detail = "without a flag a result is no error"
            self.rewritten(origin.at("is_error"), "is-error", detail, is_reversible=True)

    def tool_name(self, message: Message, origin: Origin, called: Mapping[str, str]) -> None:
        """Note a result's tool name that is not its call's, for forms in which results take it from there; `called`: by id."""
        if isinstance(message, ToolMessage) and called.get(message.call_id, message.name or "") != message.tool_name:
            self.dropped(origin.at("tool_name"), "tool-name", "results take the name of their call")

    def unheld(self, message: Message, origin: Origin, *fields: str) -> None:
        """Note those of these fields that a message has and its written form does not: `id`, `name`, `model`, `stop`, `usage`."""
        for field in fields:
            if getattr(message, field, None) is not None:
                feature, detail = _UNHELD[field]
                self.dropped(origin.at(field), feature, detail)

    def cache_mark(self, cache: CacheMark | None, origin: BlockOrigin, holders: str) -> None:
        """Note a cache mark where the target has none: on `holders` (`parts`, `calls`)."""
        if cache is not None:
            self.dropped(origin.at("cache"), "cache-mark", f"{holders} carry no cache mark here")

    def cache_ttl(self, cache: CacheMark | None, origin: BlockOrigin, known: Sequence[str]) -> None:
        """Note a cache lifetime that the target does not know."""
        if cache is not None and cache.ttl is not None and cache.ttl not in known:
            self.dropped(f"{origin.at('cache')}/ttl", "cache-ttl", "cache lifetimes differ between providers")

    def conversation(self, conversation: Conversation) -> None:
        """Note what a request body does not tell of a conversation in lighter's own form."""
        if conversation.format == "lighter" and conversation.id is not None:
            self.dropped(f"{conversation.path}/id", "conversation-id", "a request does not tell it")
        if conversation.source_format is not None:
            self.dropped(f"{conversation.path}/source/format", "source", "a request does not tell it")

    def placed(self, value: Any, origin: Origin | BlockOrigin) -> Any:
        """Remember where a written message or block came from; gives the value back."""
        self.places.append(Place(value, origin, self.row))
        return value


def _says_something(extra: Extra) -> bool:
    return extra.json not in (ABSENT, *_EMPTY) and not extra.format.endswith((SPELLING, WRAPPING))


def _place_of(extra: Extra, base: str) -> str:
    """Point at an extra: from its owner on, from the turn that holds a result on, or from the record on."""
    if extra.format == ENVELOPE:
        return extra.path
    if extra.format.endswith(OF_TURN):
        inside = max((base.rpartition(mark)[0] for mark in ("/content/", "/parts/")), key=len)
        base = inside or base.rsplit("/", 2)[0]  # pairs of role and content, and lists of blocks, have other keys
        base = base.removesuffix("/kwargs").removesuffix(
            "/data"
        )  # wrappings of LangChain, which the pointers begin with
    return base + extra.path
