"""Reading Bedrock Converse: wire messages and request bodies as core messages; grouped results become one message each."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from msgspec.structs import replace

from lighter.conversation import Conversation, Origin, Param, Tool, WireMessage
from lighter.envelope import Body
from lighter.formats._entries import filled, told_beside
from lighter.formats._reading import (
    Placed,
    conversation_of,
    extras,
    listed,
    name_results,
    told_of,
    unknown_tool,
    unread,
)
from lighter.formats.bedrock.blocks import mark_last, of_another_model, read_block, read_blocks, read_result_blocks
from lighter.formats.bedrock.shapes import NAME, SPELLING, TURN, cache_point, is_foreign_to_claude
from lighter.jsontext import encode_text, step
from lighter.messages import (
    ABSENT,
    AssistantMessage,
    Extra,
    Message,
    OtherMessage,
    SystemMessage,
    ToolMessage,
    UserMessage,
    blocks_of,
    with_blocks,
)
from lighter.passage import Entry
from lighter.strays import id_text
from lighter.streams import Streamed

_INFERENCE = {"maxTokens": "max_tokens", "temperature": "temperature", "topP": "top_p", "stopSequences": "stop"}
_ERRORS = {"error": True, "success": False}


_TOLD = {"stopReason": "stop", "usage": "usage"}
"""What an answer tells of its message."""


def read_messages(messages: Sequence[WireMessage]) -> Iterator[Entry]:
    """Read wire messages, in order; any JSON value gives at least one message."""
    return name_results(Entry(message, origin, wire) for wire in messages for message, origin in read_message(wire))


def read_message(wire: WireMessage) -> list[tuple[Message, Origin]]:
    """Read one wire message as the core messages that it holds."""
    raw, row, path = wire.raw, wire.record.row, wire.path
    if not isinstance(raw, dict):
        return [(unread(NAME, raw), Origin(row, path))]
    role = raw.get("role")
    if role == "user":
        return _user_turn(wire)
    placed = read_blocks(raw.get("content"), f"{path}/content")
    kept = _kept(raw)
    message: Any
    match role:
        case "assistant":
            message = AssistantMessage("", ext=kept)
        case "system":
            # The role is new in `ConversationRole` (botocore 1.44.8); others get user text.
            message = SystemMessage("", ext=(Extra(NAME, "/role", '"system"'), *kept))
        case str():
            message = OtherMessage(role, "", ext=kept)
        case _:
            told = (Extra(NAME, "/role", encode_text(role) if "role" in raw else ABSENT),)
            message = OtherMessage("", "", ext=(*told, *kept))
    return [filled(message, placed, row, path, {"role": f"{path}/role", "content": f"{path}/content"})]


def _kept(raw: Mapping[str, Any]) -> tuple[Extra, ...]:
    """Keep unknown keys, content that gives no block, and what stands where a list of blocks belongs."""
    kept = extras(NAME, raw, {"role", "content"})
    match raw.get("content"):
        case [_, *_]:
            return kept
        case "" | None | []:
            return (*kept, Extra(NAME, "/content", encode_text(raw["content"]) if "content" in raw else ABSENT))
        case content:
            return (*kept, Extra(SPELLING, "/content", encode_text(content)))


class _Turn:
    """A user turn while it is read: one core message for each result, one for each run of other blocks."""

    def __init__(self, wire: WireMessage) -> None:
        self.wire = wire
        self.fields = {"role": f"{wire.path}/role", "content": f"{wire.path}/content"}
        self.messages: list[tuple[Message, Origin]] = []
        self.run: Placed = []

    def add(self, block: Any, index: int) -> None:
        place = f"{self.wire.path}/content{step(index)}"
        if isinstance(block, dict) and isinstance(block.get("toolResult"), dict):
            self.flush()
            self.messages.append(_result(block, place, self.wire, index))
        elif (point := cache_point(block)) is None or not self._mark(point[0], place):
            self.run.append(read_block(block, place))

    def _mark(self, ttl: str | None, place: str) -> bool:
        """Put a cache mark on what stands before it: a block, or the last block of a result."""
        if self.run:
            return mark_last(self.run, ttl, place)
        if not self.messages:
            return False
        message, origin = self.messages[-1]
        inner = list(zip(blocks_of(message), origin.blocks, strict=True))
        if not mark_last(inner, ttl, place):
            return False
        marked: Any = message
        marked = with_blocks(marked, [block for block, _ in inner])
        self.messages[-1] = marked, replace(origin, blocks=tuple(found for _, found in inner))
        return True

    def flush(self) -> None:
        if self.run:
            self._append(self.run)
            self.run = []

    def _append(self, placed: Placed) -> None:
        self.messages.append(filled(UserMessage(""), placed, self.wire.record.row, self.wire.path, self.fields))

    def closed(self) -> list[tuple[Message, Origin]]:
        """Give the messages; there is at least one."""
        self.flush()
        if not self.messages:
            self._append([])
        return self.messages


def _user_turn(wire: WireMessage) -> list[tuple[Message, Origin]]:
    raw = wire.raw
    turn = _Turn(wire)
    content = raw.get("content")
    if isinstance(content, list):
        for index, block in enumerate(content):
            turn.add(block, index)
    else:
        turn.run = read_blocks(content, f"{wire.path}/content")
    messages = turn.closed()
    if len(messages) > 1:
        messages = [(replace(message, group=wire.index), origin) for message, origin in messages]
    if kept := _kept(raw):
        first, origin = messages[0]
        if isinstance(first, ToolMessage):  # its own extras are relative to its block, not to the message
            kept = tuple(Extra(TURN, extra.path, extra.json) for extra in kept)
        messages[0] = replace(first, ext=(*first.ext, *kept)), origin
    return messages


def _result(block: Mapping[str, Any], path: str, wire: WireMessage, index: int) -> tuple[Message, Origin]:
    """Read a result; its own extras are relative to its block."""
    raw = block["toolResult"]
    given, status, content = raw.get("toolUseId"), raw.get("status"), raw.get("content")
    call_id = id_text(given)
    placed = read_result_blocks(content, f"{path}/toolResult/content")
    kept = extras(NAME, block, {"toolResult"})
    known = {"content"} if isinstance(content, list) and (placed or not content) else set[str]()
    known |= {"status"} if isinstance(status, str) and status in _ERRORS else set()
    known |= {"toolUseId"} if isinstance(given, str) and given else set()
    kept += extras(NAME, raw, known, "/toolResult")
    absent = [key for key in ("toolUseId", "content") if key not in raw]
    kept += tuple(Extra(NAME, f"/toolResult/{key}", ABSENT) for key in absent)
    is_error = _ERRORS[status] if "status" in known and isinstance(status, str) else None
    message = ToolMessage(
        call_id or f"call_{wire.index}_{index}", "", "", is_error, is_id_synthetic=not call_id, ext=kept
    )
    fields = {"call_id": f"{path}/toolResult/toolUseId", "content": f"{path}/toolResult/content"}
    if is_error is not None:
        fields["is_error"] = f"{path}/toolResult/status"
    return filled(message, placed, wire.record.row, path, fields)


def _told(body: Body, messages: Sequence[WireMessage]) -> Body:
    """Leave out the stop reason of an answer that was joined from events and broke off before it told one."""
    is_joined = any(isinstance(wire.record, Streamed) for wire in messages)
    if not is_joined or body.response is None or body.response.get("stopReason", "") is not None:
        return body
    return replace(body, response={key: value for key, value in body.response.items() if key != "stopReason"})


def read_body(body: Body, messages: Sequence[WireMessage]) -> Conversation:
    """Read a request, an answer or both as one conversation; the system prompt becomes the first message."""
    fields, path = body.fields, body.path
    entries, body = told_beside(list(read_messages(messages)), _told(body, messages), _TOLD)
    if is_foreign_to_claude(_model(body)):
        entries = [Entry(of_another_model(entry.message), entry.origin, entry.wire) for entry in entries]
    known = set[str]()
    if isinstance(system := fields.get("system"), list) and system and messages:
        record = messages[0].record
        placed = read_blocks(system, f"{path}/system")
        message, origin = filled(SystemMessage(""), placed, record.row, f"{path}/system", {})
        entries.insert(0, Entry(message, origin, WireMessage(record, f"{path}/system", system, -1)))
        known.add("system")
    params, kept = _params(fields, path)
    tools, more = _tools(fields, path)
    known |= {"inferenceConfig", "toolConfig", "additionalModelRequestFields"}
    known |= {"modelId"} if _is_model(fields) else set()
    kept = (*kept, *more, *extras(NAME, fields, known))
    return conversation_of(NAME, body, entries, params=params, tools=tools, ext=kept)


def _model(body: Body) -> str:
    """Tell the model that was asked, which an invocation log has beside the request; empty when it is not named."""
    told = body.fields.get("modelId", dict(body.rest).get("/modelId"))
    return told if isinstance(told, str) else ""


def _is_model(fields: Mapping[str, Any]) -> bool:
    return isinstance(fields.get("modelId"), str)


def _params(fields: Mapping[str, Any], path: str) -> tuple[tuple[Param, ...], tuple[Extra, ...]]:
    """Read parameters under their common names, and keep those that have none."""
    params: list[Param] = []
    kept: tuple[Extra, ...] = ()
    if _is_model(fields):
        params.append(Param("model", encode_text(fields["modelId"]), f"{path}/modelId"))
    for key, names in (("inferenceConfig", _INFERENCE), ("additionalModelRequestFields", {"top_k": "top_k"})):
        config = fields.get(key)
        if not isinstance(config, dict) or not config:
            kept += extras(NAME, {key: config}, ()) if key in fields else ()
            continue
        params += [
            Param(names[name], encode_text(value), f"{path}/{key}/{name}")
            for name, value in config.items()
            if name in names
        ]
        kept += extras(NAME, config, names, f"/{key}")
    return tuple(params) + tuple(_choice(fields, path)), kept


def _choice(fields: Mapping[str, Any], path: str) -> Iterator[Param]:
    place = f"{path}/toolConfig/toolChoice"
    match fields.get("toolConfig"):
        case {"toolChoice": {"auto": dict(empty), **rest}} if not (empty or rest):
            yield Param("tool_choice", '"auto"', place)
        case {"toolChoice": {"any": dict(empty), **rest}} if not (empty or rest):
            yield Param("tool_choice", '"required"', place)
        case {"toolChoice": {"tool": {"name": str(name), **more}, **rest}} if not (more or rest):
            yield Param("tool_choice", encode_text({"type": "function", "function": {"name": name}}), place)


def _tools(fields: Mapping[str, Any], path: str) -> tuple[tuple[Tool, ...], tuple[Extra, ...]]:
    """Read the tools, and keep what else their configuration holds."""
    config = fields.get("toolConfig")
    if not isinstance(config, dict) or not config:
        return (), extras(NAME, {"toolConfig": config}, ()) if "toolConfig" in fields else ()
    tools = listed(config, "tools", f"{path}/toolConfig", _tool)
    known = {"tools"} if tools else set[str]()
    known |= {"toolChoice"} if next(_choice(fields, path), None) is not None else set()
    return tools, extras(NAME, config, known, "/toolConfig")


def _tool(raw: Any, path: str) -> Tool:
    match raw:
        case {"toolSpec": {"name": str(name), "inputSchema": {"json": dict(schema)} as outer} as spec}:
            told, read = told_of(spec, "description", "strict")
            kept = (*extras(NAME, raw, {"toolSpec"}), *extras(NAME, spec, {"name", "inputSchema", *read}, "/toolSpec"))
            kept += extras(NAME, outer, {"json"}, "/toolSpec/inputSchema")
            return Tool(name=name, parameters=encode_text(schema), ext=kept, path=path, **told)
        case _:
            return unknown_tool(NAME, raw, path)
