"""Joining streamed answers: which pieces belong together, and the record that they add up to."""

import io
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from typing import Any, Protocol, cast

from msgspec.structs import replace

from lighter import jsontext
from lighter.envelope import Opened, open_value, shifted
from lighter.errors import LighterError
from lighter.formats import names
from lighter.formats._streaming import Assembled
from lighter.jsontext import step
from lighter.losses import Loss
from lighter.messages import AssistantMessage, Message, ToolCall
from lighter.passage import Passage
from lighter.records import LineFault, Record
from lighter.rule import Finding, Mention
from lighter.streams import HOLDERS, Streamed, are_pieces, is_between, is_event_text, looks_like_piece, unwrapped

_ANSWER_KEYS = frozenset({"response", "response_obj", "result", "output", "modelOutput"})
"""Keys of a record under which an answer is looked for; see `lighter.envelope`."""

_INNER_KEYS = frozenset({"body", "message", "response", "outputBodyJson"})
"""The same for keys inside of what stands there."""


_MOST_WAITING = 16
"""How many events without a piece may stand before the first piece."""

_EVENT_KEYS = ("event", "id", "retry")
"""Fields of server-sent events, which loggers keep beside the data."""

_CUT = "the stream breaks off, and what came of the answer stands as if it were all of it"


class Joiner(Protocol):
    """What the module `stream` of a format offers.

    Some members are optional: `goes_on(value)` says what a stream of this format takes once it has begun, where that is more
    than `is_chunk` claims; `opened(value)` finds the message of an answer that was cut off, where that is shaped like no whole
    one. `MAY_BE_WHOLE` in formats that stream whole answers: a piece that stands alone is not taken for a stream.
    `ARGUMENTS_ARE_VALUES` in formats that stream the text of arguments and hold their value: what is cut off stays text.
    """

    def is_chunk(self, value: Any) -> bool:
        """Say whether a value is a piece of this format's streams."""
        ...

    def begins(self, chunk: Any, before: Sequence[Any]) -> bool:
        """Say whether a piece is of another answer than those before it, of which there is at least one."""
        ...

    def assemble(self, chunks: Sequence[Any]) -> Assembled:
        """Join pieces, and events between them, to one answer; nothing raises."""
        ...


@cache
def _joiners() -> dict[str, Joiner]:
    """Give what joins the pieces of each format that has a module for it."""
    modules = {name: f"lighter.formats.{name.replace('-', '_')}" for name in names()}
    packages = {name: module for name, module in modules.items() if hasattr(import_module(module), "__path__")}
    return {
        name: cast("Joiner", import_module(f"{module}.stream"))
        for name, module in packages.items()
        if find_spec(f"{module}.stream")
    }


def holds_values(provider: str) -> bool:
    """Say whether a format streams the text of arguments, and holds their value."""
    return bool(getattr(_joiners().get(provider), "ARGUMENTS_ARE_VALUES", False))


def _provider_of(value: Any) -> str | None:
    """Name the format that a value is a piece of."""
    if not looks_like_piece(value):
        return None
    return next((name for name, joiner in _joiners().items() if joiner.is_chunk(value)), None)


class _Stream:
    """The pieces of one answer as they come."""

    def __init__(self, provider: str, *, has_gap: bool) -> None:
        self.provider = provider
        self.joiner = _joiners()[provider]
        self.pieces: list[Record] = []
        self.values: list[Any] = []
        self.paths: list[str] = []
        self.has_gap = has_gap

    def takes(self, value: Any) -> bool:
        """Say whether a value is the next piece of this answer."""
        goes_on = getattr(self.joiner, "goes_on", self.joiner.is_chunk)
        if goes_on(value):
            return not self.joiner.begins(value, self.values)
        return is_between(value)

    def add(self, piece: Record) -> None:
        """Take the next piece."""
        value, path = unwrapped(piece.value)
        self.pieces.append(piece)
        self.values.append(value)
        self.paths.append(path)

    def losses(self, found: Assembled) -> Iterator[Loss]:
        """Name what the joined answer does not hold, and what stands around its first piece."""
        first, path = self.pieces[0], self.paths[0]
        around = first.value if path else {}
        for key in around:
            if step(key) != path and key not in _EVENT_KEYS:
                yield Loss(first.row, step(key), "stream-wrapper", "dropped", "it stands around a piece of the answer")
        for lost in found.lost:
            where = self.paths[lost.index] + lost.path
            yield Loss(self.pieces[lost.index].row, where, lost.feature, "dropped", lost.detail)
        if not found.is_complete:
            yield Loss(first.row, path, "truncated-stream", "rewritten", _CUT)

    def joined(self) -> Record:
        """Give the record of the whole answer."""
        first, path = self.pieces[0], self.paths[0]
        if len(self.pieces) == 1 and not path and getattr(self.joiner, "MAY_BE_WHOLE", False):
            opened = open_value(first.value)
            if opened.kind == "conversation":
                return first
        found = self.joiner.assemble(self.values)
        open_answer: Callable[[Any], Opened] = getattr(self.joiner, "opened", open_value)
        return Streamed(
            first.row,
            _encoded(found.value),
            found.value,
            first.column,
            first.filename,
            pieces=tuple(self.pieces),
            provider=self.provider,
            cuts=() if found.is_complete else (path,),
            has_gap=self.has_gap,
            folds=(("", path),),
            losses=tuple(self.losses(found)),
            opened=_of(self.provider, open_answer(found.value)),
        )


def _of(provider: str, opened: Opened) -> Opened:
    """Say of an answer's messages whose they are."""
    return Opened("conversation", tuple(replace(body, format=provider) for body in opened.bodies))


def _encoded(value: Any) -> bytes:
    try:
        return jsontext.encode(value)
    except (RecursionError, ValueError):
        return b""


def assembled(
    items: Iterable[Record | LineFault], refine: Callable[[Record], Record] = lambda record: record
) -> Iterator[Record | LineFault]:
    """Join the pieces among records, stream by stream; whatever else there is passes as it is.

    Held are the pieces of the answer at hand.
    """
    stream: _Stream | None = None
    waiting: list[Record] = []
    has_gap = False
    for item in items:
        if isinstance(item, LineFault):
            if stream is None:
                has_gap |= item.is_unreadable
            else:
                stream.has_gap |= item.is_unreadable
            yield item
            continue
        value, _ = unwrapped(item.value)
        if stream is not None:
            if stream.takes(value):
                stream.add(refine(item))
                continue
            yield stream.joined()
            stream = None
        if (provider := _provider_of(value)) is not None:
            stream = _Stream(provider, has_gap=has_gap)
            for piece in (*waiting, refine(item)):
                stream.add(piece)
            waiting, has_gap = [], False
        elif is_between(value) and len(waiting) < _MOST_WAITING:
            waiting.append(refine(item))
        else:
            yield from (*waiting, item)
            waiting = []
    yield from waiting if stream is None else (stream.joined(),)


def joined_within(record: Record) -> Record:
    """Join the answers whose pieces one record holds: a list of pieces, or a request with them, as objects or as text."""
    if isinstance(record.value, list):
        return _joined_list(record)
    found = _found(record.value, "", _ANSWER_KEYS)
    if found is None:
        return record
    value, place, first, answers = found
    kept = answers[-1]
    losses = [replace(loss, row=record.row, path=first) for loss in kept.losses]
    if len(answers) > 1:
        detail = f"one of {len(answers)} streamed answers; the last one stays"
        losses.insert(0, Loss(record.row, first, "stream-answer", "dropped", detail))
    return Streamed(
        record.row,
        record.data,
        value,
        record.column,
        record.filename,
        pieces=(record,),
        provider=kept.provider,
        cuts=(first,) if kept.cuts else (),
        is_within=True,
        folds=((place, first),),
        losses=tuple(losses),
    )


def _joined_list(record: Record) -> Record:
    """Join a list that holds pieces alone: to one answer, or to a list of several."""
    answers = _answers(record.value)
    if not answers:
        return record
    homes = [step(answer.row) for answer in answers]
    losses = [
        replace(loss, row=record.row, path=step(loss.row) + loss.path) for answer in answers for loss in answer.losses
    ]
    is_one = len(answers) == 1
    value = answers[0].value if is_one else [answer.value for answer in answers]
    places = [""] if is_one else list(map(step, range(len(answers))))
    bodies = tuple(
        shifted(body, place)
        for place, answer in zip(places, answers, strict=True)
        for body in (answer.opened.bodies if answer.opened else ())
    )
    return Streamed(
        record.row,
        _encoded(value),
        value,
        record.column,
        record.filename,
        pieces=(record,),
        provider=answers[0].provider,
        cuts=tuple(home for home, answer in zip(homes, answers, strict=True) if answer.cuts),
        folds=tuple(zip(places, homes, strict=True)),
        losses=tuple(losses),
        opened=Opened("conversation", bodies),
    )


def _answers(items: Sequence[Any]) -> list[Streamed]:
    """Join a list of pieces, which count as rows from 0; nothing when anything else, or a whole answer, is among them."""
    if not are_pieces(items):
        return []
    found = list(assembled(Record(index, b"", item) for index, item in enumerate(items)))
    answers = [item for item in found if isinstance(item, Streamed)]
    return answers if len(answers) == len(found) else []


def _found(
    value: dict[str, Any], path: str, kept_keys: frozenset[str]
) -> tuple[dict[str, Any], str, str, list[Streamed]] | None:
    """Find pieces under a key of an object, or deeper.

    Gives the object with the answer in their place, a pointer to it, one to the first piece, and all answers.
    """
    is_answered = not path and _is_answered(value)
    for key, item in value.items():
        if key not in HOLDERS or (is_answered and key not in kept_keys):
            continue
        listed, is_text = _pieces_of(item)
        answers = _answers(listed)
        if answers:
            name = key if key in kept_keys else "body" if path else "response"
            if name != key and name in value:
                continue
            answer = answers[-1].value
            changed = {(name if k == key else k): (answer if k == key else v) for k, v in value.items()}
            first = path + step(key) + ("" if is_text else step(answers[-1].row))
            return changed, path + step(name), first, answers
        if isinstance(item, dict) and path.count("/") < len(_INNER_KEYS):
            deeper = _found(item, path + step(key), _INNER_KEYS)
            if deeper is not None:
                inner, place, first, answers = deeper
                return {**value, key: inner}, place, first, answers
    return None


def _is_answered(value: dict[str, Any]) -> bool:
    """Say whether a record holds a whole answer already, of which further pieces would be a copy."""
    messages = value.get("messages")
    last = messages[-1] if isinstance(messages, list) and messages else None
    is_said = isinstance(last, dict) and last.get("role") == "assistant"
    return is_said or any(isinstance(value.get(key), dict) for key in _ANSWER_KEYS)


def _pieces_of(item: Any) -> tuple[Sequence[Any], bool]:
    """List what may be pieces: a list's items, or what lines and events in a text hold; and say whether it is such a text."""
    if isinstance(item, list):
        return item, False
    if not isinstance(item, str) or not is_event_text(item):
        return (), False
    from lighter.source import read_records  # noqa: PLC0415 - few logs hold text of events

    stream = io.BytesIO(item.encode("utf-8", "surrogatepass"))
    found: list[Any] = []
    with suppress(LighterError):
        found += [item.value for item in read_records(stream, decode=jsontext.decode) if isinstance(item, Record)]
    match found:
        case [list(listed)]:
            return listed, False
        case _:
            return found, True


def as_it_came(message: Message) -> Message:
    """Give a message of an answer that broke off with the arguments of its calls as far as they came.

    Forms that hold arguments as a value hold those that are none as a text, which is not what the model said.
    """
    if not isinstance(message, AssistantMessage):
        return message
    blocks = tuple(_call_as_it_came(block) if isinstance(block, ToolCall) else block for block in message.blocks)
    return replace(message, tool_calls=tuple(map(_call_as_it_came, message.tool_calls)), blocks=blocks)


def _call_as_it_came(call: ToolCall) -> ToolCall:
    text = jsontext.decode(call.arguments) if call.arguments.startswith('"') else None
    return replace(call, arguments=text) if isinstance(text, str) else call


_BY_CUT = frozenset({
    "arguments-empty", "arguments-invalid-json", "arguments-not-object", "arguments-not-string", "arguments-schema-mismatch",
    "empty-message", "empty-text-block", "missing-tool-id", "missing-tool-name", "null-content", "thinking-signature-missing",
})  # fmt: skip
"""Rules that find what is missing of an answer that breaks off."""


def brought_home(finding: Finding, record: Streamed, rule: str, passage: Passage | None) -> Finding | None:
    """Lead a finding about a joined answer back to the first piece of it; what was said is shown all the same.

    None when it tells once more that the stream broke off, or that a piece of it could not be read.
    """
    if (record.cuts or record.has_gap) and rule in _BY_CUT:
        return None
    messages = passage.messages if passage is not None else ()
    holders = (m for m in messages if finding.path == m.path or finding.path.startswith(m.path + "/"))
    shown = tuple(Mention(message) for message in holders)[:1]
    return replace(finding, record=record.pieces[0], path=record.home(finding.path), mentions=finding.mentions or shown)
