"""What writers of several formats share: messages with their places, results after their calls, kept extras put back."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from lighter.conversation import BlockOrigin, Conversation, Origin, Param, Tool, origins_of
from lighter.formats._notes import Notes
from lighter.jsontext import decode, keys_of, value_at
from lighter.messages import (
    ABSENT,
    AssistantMessage,
    Block,
    Extra,
    MediaBlock,
    Message,
    OpaqueBlock,
    ToolCall,
    ToolMessage,
    blocks_of,
)

PlacedBlock = tuple[Block, BlockOrigin]

_OWN_KEYS = {"strict": "isStrict"}
"""How lighter's own form calls keys of a tool that others call otherwise."""


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
    for message, origin in zip(conversation.messages, origins_of(conversation), strict=True):
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


def results_in_call_order(items: Sequence[Item]) -> list[Item]:
    """Put the results of each turn in the order of its calls, for forms that pair by position; takes what `results_after_calls` gives.

    A result that leaves its place is noted as moved.
    """
    ordered: list[Item] = []
    called: list[str] = []
    run: list[Item] = []

    def close() -> None:
        sorted_run = sorted(run, key=lambda item: _place_among(called, item.message))
        for before, after in zip(run, sorted_run, strict=True):
            if before is not after:
                after.notes.moved(after.origin.path, "result-order", "results now stand in the order of their calls")
        ordered.extend(sorted_run)
        run.clear()

    for item in items:
        if isinstance(item.message, ToolMessage):
            run.append(item)
            continue
        close()
        ordered.append(item)
        called = [call.call_id for call in calls_of(item)]
    close()
    return ordered


def _place_among(called: Sequence[str], message: Message) -> int:
    """Tell which of the calls a result answers; results that answer none of them stay behind the others."""
    is_known = isinstance(message, ToolMessage) and message.call_id in called
    return called.index(message.call_id) if is_known and isinstance(message, ToolMessage) else len(called)


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


def origin_format(conversation: Conversation) -> str:
    """Tell which format's own parameters and file ids a conversation holds."""
    return conversation.source_format or conversation.format


def calls_of(item: Item) -> list[ToolCall]:
    """List the calls of a message that want a result from outside."""
    if not isinstance(item.message, AssistantMessage):
        return []
    return [call for call in item.message.tool_calls if call.kind != "server"]


def feature_of(block: Block) -> str:
    """Name a block in a loss."""
    match block:
        case MediaBlock():
            return block.kind
        case OpaqueBlock():
            return block.native_type.replace("_", "-")
        case _:
            return type(block).__name__.removesuffix("Block").lower()


def shortened(parts: Sequence[Any], *, is_whole: bool) -> Any:
    """Give no part as empty text, and one plain text part as its text; `is_whole`: it was the only one in the source, too."""
    match parts:
        case []:
            return ""
        case [{"type": "text", "text": str(text), **rest}] if is_whole and not rest:
            return text
        case _:
            return list(parts)


def native_tool(tool: Tool, native: Extra, notes: Notes) -> Any:
    """Write the definition of a tool that only one format knows; None when the target is another one, which is noted."""
    if native.format == notes.target:
        return decode(native.json)
    notes.dropped(tool.path, "tool", f"only {native.format} knows this kind of tool")
    return None


def restore(value: Any, ext: Sequence[Extra], *names: str) -> Any:
    """Put a format's own extras back to where they were read: those of the first of its names, then those of the next."""
    for name in names:
        for extra in ext:
            if extra.format == name:
                value = _put_back(value, extra)
    return value


def _put_back(value: Any, extra: Extra) -> Any:
    keys = keys_of(extra.path)
    if not keys:
        return decode(extra.json)
    holder = value
    for key in keys[:-1]:
        if not isinstance(holder, dict):
            return value
        holder = holder.setdefault(key, {})
    if isinstance(holder, dict):
        if extra.json == ABSENT:
            holder.pop(keys[-1], None)
        else:
            holder[keys[-1]] = decode(extra.json)
    return value


def extra_at(ext: Iterable[Extra], name: str, path: str) -> str | None:
    """Give the JSON text of an extra; None when there is none of that format name at that pointer."""
    return next((extra.json for extra in ext if (extra.format, extra.path) == (name, path)), None)


def place_in(conversation: Conversation, tool: Tool, key: str) -> str:
    """Point at a key of a tool's definition, wherever the source's form has it."""
    for record in conversation.records[:1]:
        for place in (f"/function/{key}", f"/{key}", f"/toolSpec/{key}", f"/{_OWN_KEYS.get(key, key)}"):
            try:
                value_at(record.value, tool.path + place)
            except LookupError:
                continue
            return tool.path + place
    return tool.path


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
