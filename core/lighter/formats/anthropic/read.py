"""Reading Anthropic Messages: wire messages and request bodies as core messages; grouped results become one message each."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from msgspec.structs import replace

from lighter.conversation import Conversation, Origin, Param, Tool, WireMessage
from lighter.envelope import Body
from lighter.formats._entries import filled
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
from lighter.formats.anthropic.blocks import cache_of, content_blocks
from lighter.formats.anthropic.shapes import NAME, SPELLING, TURN
from lighter.jsontext import encode_text, step
from lighter.messages import (
    ABSENT,
    AssistantMessage,
    Extra,
    Message,
    OtherMessage,
    SystemMessage,
    ToolCall,
    ToolMessage,
    UserMessage,
)
from lighter.passage import Entry
from lighter.strays import id_text

PARAMS = {"model": "model", "max_tokens": "max_tokens", "temperature": "temperature", "top_p": "top_p", "top_k": "top_k",
          "stop_sequences": "stop", "stream": "stream"}  # fmt: skip
_ANSWER_FIELDS = (("model", "model"), ("stop_reason", "stop"), ("usage", "usage"))
_CHOICES = {"auto": "auto", "none": "none", "any": "required"}


def read_messages(messages: Sequence[WireMessage]) -> Iterator[Entry]:
    """Read wire messages, in order; any JSON value gives at least one message."""
    return name_results(entry for wire in messages for entry in _entries(wire))


def _entries(wire: WireMessage) -> Iterator[Entry]:
    for message, origin in read_message(wire):
        yield Entry(message, origin, wire)


def read_message(wire: WireMessage) -> list[tuple[Message, Origin]]:
    """Read one wire message as the core messages that it holds."""
    raw, row, path = wire.raw, wire.record.row, wire.path
    if not isinstance(raw, dict):
        return [(unread(NAME, raw), Origin(row, path))]
    fields = {"role": f"{path}/role", "content": f"{path}/content"}
    match raw.get("role"):
        case "user":
            return _user_turn(wire)
        case "assistant":
            placed = _with_ids(content_blocks(raw.get("content"), f"{path}/content"), wire)
            message: Any = AssistantMessage("", ext=(*_kept(raw, placed), *_absent(raw, placed)))
            if wire.is_response:
                message, told = _answered(message, raw, path)
                fields |= told
        case "system":
            placed = content_blocks(raw.get("content"), f"{path}/content")
            # Newer models take the role in mid-conversation; others get user text.
            own = Extra(NAME, "/role", '"system"')
            message = SystemMessage("", ext=(own, *_kept(raw, placed), *_absent(raw, placed)))
        case role:
            placed = content_blocks(raw.get("content"), f"{path}/content")
            known = {"content", *(("role",) if isinstance(role, str) else ())}
            message = OtherMessage(role if isinstance(role, str) else "", "", ext=extras(NAME, raw, known))
    return [filled(message, placed, row, path, fields)]


def _with_ids(placed: Placed, wire: WireMessage) -> Placed:
    """Give calls whose id is empty one that tells them apart."""
    return [
        (_with_id(block, f"call_{wire.index}_{index}"), origin)
        if isinstance(block, ToolCall) and not block.call_id and block.kind != "server"
        else (block, origin)
        for index, (block, origin) in enumerate(placed)
    ]


def _with_id(call: ToolCall, made_id: str) -> ToolCall:
    return replace(call, call_id=made_id, is_id_synthetic=True, ext=(*call.ext, Extra(SPELLING, "/id", '""')))


def _kept(raw: Mapping[str, Any], placed: Placed) -> tuple[Extra, ...]:
    """Keep unknown keys, and content that gave no block but is not the empty text."""
    empty = not placed and "content" in raw and raw["content"] != ""
    return extras(NAME, raw, {"role"} if empty else {"role", "content"})


def _absent(raw: Mapping[str, Any], placed: Placed) -> tuple[Extra, ...]:
    return (Extra(NAME, "/content", ABSENT),) if not placed and "content" not in raw else ()


def _answered(message: AssistantMessage, raw: Mapping[str, Any], path: str) -> tuple[AssistantMessage, dict[str, str]]:
    """Take model, stop reason and usage from an answer, which is its own envelope here."""
    told: dict[str, str] = {}
    fields: dict[str, str] = {}
    for key, field in _ANSWER_FIELDS:
        value = raw.get(key)
        if isinstance(value, str) or (field == "usage" and value is not None):
            told[field] = value if isinstance(value, str) and field != "usage" else encode_text(value)
            fields[field] = f"{path}/{key}"
    taken = {f"/{key}" for key, field in _ANSWER_FIELDS if field in told}
    kept = tuple(extra for extra in message.ext if extra.path not in taken)
    return replace(message, ext=kept, **told), fields


def _user_turn(wire: WireMessage) -> list[tuple[Message, Origin]]:
    """Read a user message: one core message for each result, one for each run of other blocks, all of one group."""
    raw, row, path = wire.raw, wire.record.row, wire.path
    placed = content_blocks(raw.get("content"), f"{path}/content")
    content = raw["content"] if isinstance(raw.get("content"), list) else []
    messages: list[tuple[Message, Origin]] = []
    run: Placed = []
    fields = {"role": f"{path}/role", "content": f"{path}/content"}

    def flush() -> None:
        if run or not (messages or content):
            messages.append(filled(UserMessage(""), run, row, path, fields))
            run.clear()

    for index, (block, place) in enumerate(placed):
        value = content[index] if content else None
        if isinstance(value, dict) and value.get("type") == "tool_result":
            flush()
            messages.append(_result(value, f"{path}/content{step(index)}", wire, index))
        else:
            run.append((block, place))
    flush()
    if not messages:
        messages.append((UserMessage(""), Origin(row, path, fields)))
    if len(messages) > 1:
        messages = [(replace(message, group=wire.index), origin) for message, origin in messages]
    if kept := (*_kept(raw, placed), *_absent(raw, placed)):
        first, origin = messages[0]
        if isinstance(first, ToolMessage):  # its own extras are relative to its block, not to the message
            kept = tuple(Extra(TURN, extra.path, extra.json) for extra in kept)
        messages[0] = replace(first, ext=(*first.ext, *kept)), origin
    return messages


def _result(block: Mapping[str, Any], path: str, wire: WireMessage, index: int) -> tuple[Message, Origin]:
    cache, known = cache_of(block)
    given = block.get("tool_use_id")
    call_id = id_text(given)
    is_error = block.get("is_error")
    placed = content_blocks(block.get("content"), f"{path}/content")
    known |= {"content"} if placed or block.get("content", "") == "" else set()
    known |= {"tool_use_id"} if isinstance(given, str) else set()
    known |= {"is_error"} if isinstance(is_error, bool) else set()
    kept = extras(NAME, block, known)
    if not placed and block.get("content") == "":
        kept = (*kept, Extra(NAME, "/content", '""'))
    if given == "":
        kept = (*kept, Extra(SPELLING, "/tool_use_id", '""'))
    if cache is not None:
        kept = (*kept, Extra(NAME, "/cache_control", encode_text(block["cache_control"])))
    message = ToolMessage(
        call_id or f"call_{wire.index}_{index}",
        "",
        "",
        is_error if isinstance(is_error, bool) else None,
        is_id_synthetic=not call_id,
        ext=kept,
    )
    fields = {name: path + relative for name, relative in (("call_id", "/tool_use_id"), ("content", "/content"))}
    if isinstance(is_error, bool):
        fields["is_error"] = f"{path}/is_error"
    return filled(message, placed, wire.record.row, path, fields)


def read_body(body: Body, messages: Sequence[WireMessage]) -> Conversation:
    """Read a request, an answer or both as one conversation; the system prompt becomes the first message."""
    fields, path = body.fields, body.path
    entries = list(read_messages(messages))
    known = {key for key in PARAMS if key in fields}
    if isinstance(system := fields.get("system"), str | list) and system and messages:
        place, record = f"{path}/system", messages[0].record
        message, origin = filled(SystemMessage(""), content_blocks(system, place), record.row, place, {})
        entries.insert(0, Entry(message, origin, WireMessage(record, place, system, -1)))
        known.add("system")
    params = [Param(PARAMS[key], encode_text(fields[key]), path + step(key)) for key in PARAMS if key in fields]
    more, taken = _choice(fields, path)
    params += more
    known |= taken
    tools = listed(fields, "tools", path, _tool)
    known |= {"tools"} if tools else set()
    kept = extras(NAME, fields, known)
    kept += extras(NAME, fields["metadata"], {"user_id"}, "/metadata") if "metadata" in taken else ()
    return conversation_of(NAME, body, entries, params=tuple(params), tools=tools, ext=kept)


def _choice(fields: Mapping[str, Any], path: str) -> tuple[list[Param], set[str]]:
    """Read `tool_choice` and `metadata.user_id` in the common spelling; what has none is left for the extras."""
    params: list[Param] = []
    taken: set[str] = set()
    match fields.get("tool_choice"):
        case {"type": ("auto" | "none" | "any") as kind, **rest} if rest.keys() <= {"disable_parallel_tool_use"}:
            params.append(Param("tool_choice", encode_text(_CHOICES[kind]), f"{path}/tool_choice"))
            params += _parallel(rest, path)
            taken.add("tool_choice")
        case {"type": "tool", "name": str(name), **rest} if rest.keys() <= {"disable_parallel_tool_use"}:
            chosen = {"type": "function", "function": {"name": name}}
            params.append(Param("tool_choice", encode_text(chosen), f"{path}/tool_choice"))
            params += _parallel(rest, path)
            taken.add("tool_choice")
    match fields.get("metadata"):
        case {"user_id": str(user)}:
            params.append(Param("user", encode_text(user), f"{path}/metadata/user_id"))
            taken.add("metadata")
    return params, taken


def _parallel(rest: Mapping[Any, Any], path: str) -> Iterator[Param]:
    match rest:
        case {"disable_parallel_tool_use": bool(disabled)}:
            yield Param(
                "parallel_tool_calls", encode_text(not disabled), f"{path}/tool_choice/disable_parallel_tool_use"
            )


def _tool(raw: Any, path: str) -> Tool:
    match raw:
        case {"name": str(name), "input_schema": dict()} if raw.get("type", "custom") in ("custom", None):
            cache, known = cache_of(raw)
            told, read = told_of(raw, "description", "strict", "input_schema")
            kept = extras(NAME, raw, (known - {"type"}) | {"name"} | read)
            return Tool(name=name, cache=cache, ext=kept, path=path, **told)
        case _:
            return unknown_tool(NAME, raw, path)
