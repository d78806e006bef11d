"""Reading lighter's own JSONL."""

from collections.abc import Iterator, Sequence
from typing import Any

from msgspec.structs import replace

from lighter.conversation import BlockOrigin, Conversation, Origin, Param, Pointers, Tool, WireMessage
from lighter.envelope import Body
from lighter.formats._reading import conversation_of, extras, name_results, unread
from lighter.formats.lighter.ordinary import CALL_FIELDS, fields_of, places_of, read_ordinary
from lighter.formats.lighter.wire import BLOCK_TYPES, NAME, camel, read_extra, read_struct, written
from lighter.jsontext import encode_text, step
from lighter.messages import (
    AssistantMessage,
    Block,
    Extra,
    Message,
    OpaqueBlock,
    OtherMessage,
    SystemMessage,
    ToolCall,
    ToolMessage,
    UserMessage,
    with_blocks,
)
from lighter.passage import Entry

_KINDS: dict[str, type[Any]] = {
    "system": SystemMessage,
    "user": UserMessage,
    "assistant": AssistantMessage,
    "tool": ToolMessage,
}
_SHORT = {"content", "reasoning", "toolCalls", "toolOutput"}
_BLOCK_FIELDS = {
    name: f"/{camel(name)}" for name in ("text", "data", "media_type", "name", "detail", "opaque", "cache")
}


def read_messages(messages: Sequence[WireMessage]) -> Iterator[Entry]:
    """Read wire messages, in order; any JSON value gives a message."""
    return name_results((Entry(*read_message(wire), wire) for wire in messages), is_paired=True)


def read_message(wire: WireMessage) -> tuple[Message, Origin]:
    """Read one wire message."""
    raw, path = wire.raw, wire.path
    if not isinstance(raw, dict):
        return unread(NAME, raw), Origin(wire.record.row, path)
    role = raw.get("role")
    if (ordinary := read_ordinary(raw, role)) is not None:
        return ordinary, Origin(wire.record.row, path, Pointers(path, fields_of(raw)), places_of(ordinary, path))
    kind: type[Any] = _KINDS.get(role, OtherMessage) if isinstance(role, str) else OtherMessage
    placed = _blocks(raw, path, kind)
    known = (
        {"role", "blocks", *_SHORT} if isinstance(raw.get("blocks"), list) else {"role", *(_readable_short(raw, kind))}
    )
    told = {key: value for key, value in raw.items() if key not in known}
    taken = {key for key, value in told.items() if read_struct(kind, {**_required(kind), key: value}) is not None}
    kept = extras(NAME, raw, known | taken)
    message: Any = read_struct(kind, {**_required(kind), **{key: told[key] for key in taken}})
    if kind is OtherMessage:
        message = replace(message, role=role if isinstance(role, str) else "")
    message = with_blocks(message, [block for block, _ in placed])
    if isinstance(message, ToolMessage) and not isinstance(raw.get("isError"), bool):
        message = replace(message, is_error=None)
    kept += _disagreeing(raw, message)
    message = replace(message, ext=(*message.ext, *kept))
    fields = {name: f"{path}/{camel(name)}" for name in message.__struct_fields__ if camel(name) in raw}
    return message, Origin(
        wire.record.row, path, fields | {"role": f"{path}/role"}, tuple(origin for _, origin in placed)
    )


def _required(kind: type[Any]) -> dict[str, Any]:
    """Give the members without which a message cannot be made; they are set from its blocks later."""
    match kind.__name__:
        case "ToolMessage":
            return {"callId": "", "toolName": "", "toolOutput": ""}
        case "OtherMessage":
            return {"role": "", "content": ""}
        case _:
            return {"content": ""}


def _readable_short(raw: dict[str, Any], kind: type[Any]) -> set[str]:
    """Tell which short fields are of their proper types, and so were read as blocks."""
    text = "toolOutput" if kind is ToolMessage else "content"
    found = {text} if isinstance(raw.get(text), str) else set()
    if kind is AssistantMessage:
        found |= {"reasoning"} if isinstance(raw.get("reasoning"), str) and raw["reasoning"] else set()
        found |= {"toolCalls"} if isinstance(raw.get("toolCalls"), list) else set()
    return found


def _blocks(raw: dict[str, Any], path: str, kind: type[Any]) -> list[tuple[Block, BlockOrigin]]:
    if isinstance(listed := raw.get("blocks"), list):
        return [_block(block, f"{path}/blocks{step(n)}") for n, block in enumerate(listed)]
    placed: list[tuple[Block, BlockOrigin]] = []
    if kind is AssistantMessage and isinstance(reasoning := raw.get("reasoning"), str) and reasoning:
        placed.append(_block({"type": "reasoning", "text": reasoning}, f"{path}/reasoning", is_leaf=True))
    text = "toolOutput" if kind is ToolMessage else "content"
    if isinstance(raw.get(text), str) and raw[text]:
        placed.append(_block({"type": "text", "text": raw[text]}, f"{path}/{text}", is_leaf=True))
    if kind is AssistantMessage and isinstance(calls := raw.get("toolCalls"), list):
        for index, call in enumerate(calls):
            value = {**call, "type": "toolCall"} if isinstance(call, dict) else call
            placed.append(_block(value, f"{path}/toolCalls{step(index)}"))
    return placed


def _block(raw: Any, path: str, *, is_leaf: bool = False) -> tuple[Block, BlockOrigin]:
    """Read one block; one that is not known is kept whole."""
    kind = BLOCK_TYPES.get(raw["type"]) if isinstance(raw, dict) and isinstance(raw.get("type"), str) else None
    block = read_struct(kind, raw, known=frozenset({"type"})) if kind is not None else None
    if block is None:
        native = raw.get("type") if isinstance(raw, dict) else None
        return OpaqueBlock(NAME, native if isinstance(native, str) else "block", encode_text(raw)), BlockOrigin(path)
    fields = {} if is_leaf else CALL_FIELDS if kind is ToolCall else _BLOCK_FIELDS
    return block, BlockOrigin(path, fields)


def _disagreeing(raw: dict[str, Any], message: Message) -> tuple[Extra, ...]:
    """Keep short fields that say other than the blocks, which win."""
    if not isinstance(raw.get("blocks"), list):
        return ()
    views: dict[str, Any] = {"content": message.content, "toolOutput": message.content}
    if isinstance(message, AssistantMessage):
        views |= {
            "reasoning": message.reasoning,
            "toolCalls": [_without_type(written(call)) for call in message.tool_calls],
        }
    return tuple(Extra(NAME, step(key), encode_text(raw[key])) for key in sorted(_SHORT & raw.keys())
                 if raw[key] != views.get(key) and (raw[key] or views.get(key)))  # fmt: skip


def _without_type(call: dict[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in call.items() if key != "type"}


def read_body(body: Body, messages: Sequence[WireMessage]) -> Conversation:
    """Read one conversation."""
    fields, path = body.fields, body.path
    params = fields.get("params")
    listed = fields.get("tools")
    ext = fields.get("ext")
    extra = [read_extra(item) for item in ext] if isinstance(ext, list) else [None]
    known = {
        key
        for key, good in (
            ("params", isinstance(params, dict)),
            ("tools", isinstance(listed, list)),
            ("ext", None not in extra),
        )
        if good
    }
    known |= {"source"} if _is_source(fields.get("source")) else set()
    known |= {"id"} if isinstance(fields.get("id"), str) else set()
    return conversation_of(
        NAME,
        body,
        list(read_messages(messages)),
        params=tuple(Param(key, encode_text(value), f"{path}/params{step(key)}") for key, value in params.items())
        if isinstance(params, dict)
        else (),
        tools=tuple(_tool(tool, f"{path}/tools{step(n)}") for n, tool in enumerate(listed))
        if isinstance(listed, list)
        else (),
        ext=(*(item for item in extra if item is not None), *extras(NAME, fields, known)),
        id=fields["id"] if isinstance(fields.get("id"), str) else None,
        source_format=fields["source"]["format"] if "source" in known else None,
    )


def _is_source(source: Any) -> bool:
    return isinstance(source, dict) and source.keys() == {"format"} and isinstance(source["format"], str)


def _tool(raw: Any, path: str) -> Tool:
    if isinstance(raw, dict):
        native = read_extra(raw["native"]) if "native" in raw else None
        tool = read_struct(Tool, {"name": "", **raw}, known=frozenset({"native", "path"}))
        if tool is not None and (native is not None) == ("native" in raw):
            return replace(tool, native=native, path=path)  # type: ignore[no-any-return]  # a struct stays one
    return Tool(name="", native=Extra(NAME, "", encode_text(raw)), path=path)
