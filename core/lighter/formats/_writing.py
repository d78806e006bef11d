"""What writers of several formats share: the ledger of losses, the order of calls and results, and ids that a target takes."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

from msgspec import Struct

from lighter.conversation import BlockOrigin, Conversation, Origin, Param
from lighter.formats._reading import ENVELOPE, SPELLING
from lighter.jsontext import decode, keys_of, step
from lighter.losses import Loss
from lighter.messages import ABSENT, AssistantMessage, Block, Extra, Message, ToolCall, ToolMessage, blocks_of

PlacedBlock = tuple[Block, BlockOrigin]


HISTORY = ("/previous_response_id", "/conversation")
"""Keys of a request by which the provider looks up what was said before (OpenAI Responses)."""

_EMPTY = ('""', "null", "[]", "{}")


class Place(Struct, frozen=True, eq=False):
    """A value that a writer made, and the message or block that it was made from."""

    value: Any
    origin: Origin | BlockOrigin
    row: int


class Notes:
    """Takes down what becomes of the parts of one message: its losses, and where the written values came from."""

    def __init__(self, row: int, target: str, losses: list[Loss], places: list[Place]) -> None:
        self.row = row
        self.target = target
        self.losses = losses
        self.places = places

    def at_row(self, row: int) -> "Notes":
        """Give notes for another message of the same conversation."""
        return Notes(row, self.target, self.losses, self.places)

    def dropped(self, path: str, feature: str, detail: str) -> None:
        """Note what does not arrive."""
        self.losses.append(Loss(self.row, path, feature, "dropped", detail))

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
            if extra.format == self.target or extra.format.endswith(SPELLING) or extra.path in held:
                continue
            path = base + extra.path if extra.format != ENVELOPE else extra.path
            named = (key for key in reversed(keys_of(extra.path)) if not key.isdecimal())
            feature = next(named, "value").replace("_", "-")
            if extra.json in _EMPTY:
                feature = f"empty-{feature}"
            if extra.path in HISTORY:
                self.dropped(path, feature, "the history that it names is not in the file")
            elif extra.json == ABSENT:
                self.rewritten(path, f"absent-{feature}", f"{feature} was absent and will be there", is_reversible=True)
            else:
                self.dropped(path, feature, f"{self.target} has no place for it")

    def identity(self, message: Message, origin: Origin, called: Mapping[str, str]) -> None:
        """Note the id of a message, and a result's tool name that is not its call's; `called`: names by call id."""
        if message.id is not None:
            self.dropped(origin.at("id"), "message-id", f"messages have no id in {self.target}")
        if isinstance(message, ToolMessage) and called.get(message.call_id, message.tool_name) != message.tool_name:
            self.dropped(origin.at("tool_name"), "tool-name", "results take the name of their call")

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


class Item:
    """A message with its origin and its blocks with theirs, made up where the conversation was built by hand."""

    __slots__ = ("_blocks", "message", "notes", "origin")

    def __init__(self, message: Message, origin: Origin, notes: Notes) -> None:
        self.message = message
        self.origin = origin
        self.notes = notes
        self._blocks: tuple[PlacedBlock, ...] | None = None

    @property
    def blocks(self) -> tuple[PlacedBlock, ...]:
        """The blocks of the message, each with its place; made when they are asked for, since plain messages need none."""
        if self._blocks is None:
            self._blocks = tuple(zip(blocks_of(self.message), self.origin.blocks, strict=False))
        return self._blocks


def items_of(conversation: Conversation, notes: Notes) -> list[Item]:
    """List a conversation's messages with origins."""
    items = []
    for index, message in enumerate(conversation.messages):
        if index < len(conversation.origins):
            origin = conversation.origins[index]
        else:
            path = f"/messages{step(index)}"
            places = tuple(BlockOrigin(f"{path}/blocks{step(n)}") for n in range(len(blocks_of(message))))
            origin = Origin(1, path, {name: f"{path}/{name}" for name in message.__struct_fields__}, places)
        if origin.row != notes.row:
            notes = notes.at_row(origin.row)
        items.append(Item(message, origin, notes))
    return items


def results_after_calls(items: Sequence[Item]) -> list[Item]:
    """Put results directly after the turn that made their calls; what stood between moves behind them, and is noted."""
    ordered: list[Item] = []
    waiting = list(items)
    if _are_in_order(waiting):
        return waiting
    moved: set[int] = set()
    while waiting:
        item = waiting.pop(0)
        ordered.append(item)
        open_ids = [call.call_id for call in calls_of(item)]
        position = 0
        while open_ids and position < len(waiting):
            message = waiting[position].message
            if isinstance(message, ToolMessage) and message.call_id in open_ids:
                open_ids.remove(message.call_id)
                _note_order(waiting[: position + 1], moved)
                ordered.append(waiting.pop(position))
            elif any(call.call_id in open_ids for call in calls_of(waiting[position])):
                break
            else:
                position += 1
    return ordered


def _are_in_order(items: Sequence[Item]) -> bool:
    """Say whether the results of all calls follow them directly, so that none need look for its place."""
    open_ids: list[str] = []
    for item in items:
        message = item.message
        if open_ids:
            if not isinstance(message, ToolMessage) or message.call_id not in open_ids:
                return False
            open_ids.remove(message.call_id)
        elif isinstance(message, AssistantMessage) and message.tool_calls:
            open_ids = [call.call_id for call in calls_of(item)]
    return True


def _note_order(items: Sequence[Item], moved: set[int]) -> None:
    """Note that a result, the last of these, passes the messages before it."""
    *intruders, result = items
    if intruders:
        result.notes.moved(result.origin.path, "interleaved-message", "now directly after its call")
    for item in intruders:
        if id(item) not in moved:
            moved.add(id(item))
            item.notes.moved(item.origin.path, "interleaved-message", "stood before results; now after them")


def note_number(call: ToolCall, origin: BlockOrigin, notes: Notes) -> tuple[str, ...]:
    """Note an id that was a number and becomes text; gives the pointers that are accounted for."""
    number = next((extra for extra in call.ext if extra.path == "/id" and extra.json == call.call_id), None)
    if number is None or number.format == notes.target:
        return ()
    notes.rewritten(origin.at("call_id"), "call-id", f"the number {call.call_id} became text")
    return ("/id",)


def called_names(conversation: Conversation) -> dict[str, str]:
    """Give the tool names of all calls by their ids."""
    return {
        call.call_id: call.tool_name
        for message in conversation.messages
        if isinstance(message, AssistantMessage)
        for call in message.tool_calls
    }


def origin_format(conversation: Conversation) -> str:
    """Tell which format's own parameters and file ids a conversation holds."""
    return conversation.source_format or conversation.format


def calls_of(item: Item) -> list[ToolCall]:
    """List the calls of a message that want a result from outside."""
    if not isinstance(item.message, AssistantMessage):
        return []
    return [call for call in item.message.tool_calls if call.kind != "server"]


def restore(value: Any, owner: Iterable[Extra], name: str) -> Any:
    """Put a format's own extras back to where they were read."""
    for extra in owner:
        if extra.format != name:
            continue
        keys = keys_of(extra.path)
        if not keys:
            return decode(extra.json)
        holder = value
        for key in keys[:-1]:
            if not isinstance(holder, dict):
                break
            holder = holder.setdefault(key, {})
        if isinstance(holder, dict):
            if extra.json == ABSENT:
                holder.pop(keys[-1], None)
            else:
                holder[keys[-1]] = decode(extra.json)
    return value


class CallIds:
    """Gives each call an id that the target takes, injectively, and its results the same one.

    An id is kept when it is legal and, where the target wants ids unique in the whole request, not used by an earlier call.
    Otherwise it becomes its legal characters and a hash of the id and of how often it was met, so that the same input
    always gives the same ids and different ids never meet.
    """

    def __init__(
        self, is_legal: Callable[[str], bool], conversation: Conversation, *, max_length: int, is_unique: bool
    ) -> None:
        self.is_legal = is_legal
        self.max_length = max_length
        self.is_unique = is_unique
        self.taken: set[str] = set()
        self.met: dict[str, int] = {}
        self.current: dict[str, str] = {}
        calls = (
            call
            for message in conversation.messages
            if isinstance(message, AssistantMessage)
            for call in message.tool_calls
        )
        self.source_ids = {call.call_id for call in calls}

    def open_turn(self) -> None:
        """Forget the calls of earlier turns: results answer the calls of their own turn."""
        self.current = {}

    def for_call(self, call_id: str, turn: set[str]) -> str:
        """Give the id of a call; `turn` holds the ids already given in its turn."""
        count = self.met[call_id] = self.met.get(call_id, 0) + 1
        used = self.taken if self.is_unique else turn
        new = call_id if self.is_legal(call_id) and call_id not in used else self._made(call_id, count, used)
        self.taken.add(new)
        if call_id not in self.current or (count > 1 and call_id not in turn):
            self.current[call_id] = new
        turn.add(new)
        return new

    def _made(self, call_id: str, count: int, used: set[str]) -> str:
        import hashlib  # noqa: PLC0415 - few conversations need it, and it costs start-up time

        stem = re.sub(r"[^a-zA-Z0-9_-]", "_", call_id)[: self.max_length - 13]
        for attempt in range(count, count + 1000):
            digest = hashlib.sha256(f"{attempt}\0{call_id}".encode("utf-8", "surrogatepass")).hexdigest()[:12]
            made = f"{stem}_{digest}" if stem else f"c{digest}"
            if made not in used and made not in self.source_ids:
                return made
        raise AssertionError("a hash that meets a thousand others")

    def for_result(self, call_id: str) -> str:
        """Give the id that the latest call of this id was given; an orphan's id is only made legal."""
        if call_id in self.current:
            return self.current[call_id]
        return call_id if self.is_legal(call_id) else self._made(call_id, 1, self.taken)


def arguments_object(call: ToolCall) -> tuple[Any, str | None]:
    """Give arguments as the object that object-form targets want, and what had to be done for that (None: nothing)."""
    if call.kind == "custom":
        return {"input": call.arguments}, "free text input became an object"
    if not call.arguments.strip():
        return {}, "empty arguments became {}"
    try:
        value = decode(call.arguments)
    except (ValueError, RecursionError):
        return {"_raw": call.arguments}, 'arguments that are not JSON became {"_raw": …}'
    if isinstance(value, dict):
        return value, None
    return {"value": value}, 'arguments that are no object became {"value": …}'


def param_values(params: Iterable[Param]) -> Iterator[tuple[Param, Any]]:
    """Pair parameters with their values."""
    for param in params:
        yield param, decode(param.json)
