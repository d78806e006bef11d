"""Reading OpenAI Chat: wire messages of any dialect, and request bodies, as core messages."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from msgspec.structs import replace

from lighter.conversation import BlockOrigin, Conversation, Origin, Param, Pointers, Tool, WireMessage
from lighter.envelope import Body
from lighter.formats._reading import Placed, answered, conversation_of, extras, listed, name_results, unread
from lighter.formats.openai_chat.ordinary import CALL_FIELDS, MESSAGE_FIELDS, places_of, read_ordinary
from lighter.formats.openai_chat.parts import content_blocks, is_in_content
from lighter.formats.openai_chat.reasoning import copies_of, reasoning_blocks
from lighter.formats.openai_chat.shapes import NAME, PARAMS
from lighter.jsontext import encode_text, step
from lighter.messages import (
    ABSENT,
    AssistantMessage,
    Block,
    Extra,
    Message,
    OpaqueBlock,
    OtherMessage,
    RefusalBlock,
    SystemMessage,
    ToolCall,
    ToolMessage,
    UserMessage,
    with_blocks,
)
from lighter.passage import Entry
from lighter.strays import id_text

CUSTOM_FIELDS = {"call_id": "/id", "tool_name": "/custom/name", "arguments": "/custom/input"}
LEGACY_FIELDS = {"tool_name": "/name", "arguments": "/arguments"}


def read_messages(messages: Sequence[WireMessage]) -> Iterator[Entry]:
    """Read wire messages, in order; any JSON value gives a message."""
    return name_results(_paired_by_order(messages))


def _paired_by_order(messages: Sequence[WireMessage]) -> Iterator[Entry]:
    """Give results that carry no id (legacy function results, training rows) the id made for the call that they answer."""
    unanswered: list[ToolCall] = []
    for wire in messages:
        message, origin = read_message(wire)
        match message:
            case AssistantMessage():
                unanswered += [call for call in message.tool_calls if call.is_id_synthetic]
            case ToolMessage(is_id_synthetic=True) if unanswered:
                named = (call for call in unanswered if call.tool_name == (message.tool_name or message.name))
                call = next(named, unanswered[0])
                unanswered.remove(call)
                message = replace(message, call_id=call.call_id)
            case _:
                pass
        yield Entry(message, origin, wire)


def read_message(wire: WireMessage) -> tuple[Message, Origin]:
    """Read one wire message."""
    raw, path = wire.raw, wire.path
    if not isinstance(raw, dict):
        return unread(NAME, raw), Origin(wire.record.row, path)
    role = raw.get("role")
    if (message := read_ordinary(raw, role)) is not None:
        return message, Origin(wire.record.row, path, Pointers(path, MESSAGE_FIELDS), places_of(message, path))
    placed, read = _placed(raw, role, wire)
    blocks = [block for block, _ in placed]
    copies = copies_of(raw, read, placed) if role == "assistant" else ()
    known = {"content", *read, *(extra.path[1:] for extra in copies)}
    kept = (*extras(NAME, raw, known), *copies, *_content_extra(raw, blocks, role))
    if role == "tool" and "tool_call_id" not in raw:
        kept = (*kept, Extra(NAME, "/tool_call_id", ABSENT))
    message = with_blocks(_bare(raw, role, wire, kept), blocks)
    fields = Pointers(path, MESSAGE_FIELDS)
    return message, Origin(wire.record.row, path, fields, tuple(origin for _, origin in placed))


def _bare(raw: Mapping[str, Any], role: Any, wire: WireMessage, kept: tuple[Extra, ...]) -> Any:
    """Make the message of a role, without its content."""
    name = raw["name"] if isinstance(raw.get("name"), str) else None
    match role:
        case "system" | "developer":
            return SystemMessage("", is_developer=role == "developer", name=name, ext=kept)
        case "user":
            return UserMessage("", name=name, ext=kept)
        case "assistant":
            return AssistantMessage("", name=name, ext=kept)
        case "tool":
            call_id, is_synthetic = _call_id(raw.get("tool_call_id"), f"call_{wire.index}")
            is_error = raw["is_error"] if isinstance(raw.get("is_error"), bool) else None
            return ToolMessage(call_id, "", "", is_error, is_id_synthetic=is_synthetic, name=name, ext=kept)
        case "function":
            return ToolMessage(
                f"call_{wire.index}", name or "", "", None, kind="legacy", is_id_synthetic=True, ext=kept
            )
        case _:
            return OtherMessage(role if isinstance(role, str) else "", "", name=name, ext=kept)


def _call_id(value: Any, synthetic: str) -> tuple[str, bool]:
    """Give an id as text, and whether it was made up for want of one."""
    text = id_text(value)
    return text or synthetic, not text


def _content_extra(raw: Mapping[str, Any], blocks: list[Block], role: Any) -> tuple[Extra, ...]:
    """Remember how empty content was spelled where a writer would spell it otherwise."""
    if any(is_in_content(block) for block in blocks):
        return ()
    if "content" not in raw:
        return (Extra(NAME, "/content", ABSENT),)
    usual = None if role == "assistant" else ""
    return () if raw["content"] == usual else (Extra(NAME, "/content", encode_text(raw["content"])),)


def _placed(raw: Mapping[str, Any], role: Any, wire: WireMessage) -> tuple[Placed, set[str]]:
    """Read everything that becomes a block; also tell which keys were read."""
    path = wire.path
    content = content_blocks(raw.get("content"), f"{path}/content")
    read = {"role"} if isinstance(role, str) else set()
    if isinstance(raw.get("name"), str):
        read.add("name")
    if role == "tool" and isinstance(raw.get("tool_call_id"), str) and raw["tool_call_id"]:
        read.add("tool_call_id")
    if role != "assistant":
        return content, read
    placed, reasoned = reasoning_blocks(raw, path)
    placed += content
    read |= reasoned
    match raw.get("refusal"):
        case str(text) if text:
            placed.append((RefusalBlock(text, "refusal"), BlockOrigin(f"{path}/refusal")))
            read.add("refusal")
    match raw.get("audio"):
        case dict(audio):
            placed.append((OpaqueBlock(NAME, "audio", encode_text(audio)), BlockOrigin(f"{path}/audio")))
            read.add("audio")
    match raw.get("function_call"):
        case {"name": str(name), "arguments": str(arguments), **rest} if not rest:
            call = ToolCall(f"call_{wire.index}_f", name, arguments, "legacy", is_id_synthetic=True)
            placed.append((call, BlockOrigin(f"{path}/function_call", LEGACY_FIELDS)))
            read.add("function_call")
    match raw.get("tool_calls"):
        case [*calls] if calls:
            placed += [
                _call(call, f"{path}/tool_calls{step(n)}", f"call_{wire.index}_{n}") for n, call in enumerate(calls)
            ]
            read.add("tool_calls")
    return placed, read


def _call(raw: Any, path: str, synthetic: str) -> tuple[Block, BlockOrigin]:
    """Read one entry of `tool_calls`; one that is no call is kept whole."""
    match raw:
        case {"type": "custom", "custom": {"name": str(name), "input": str(text)} as custom}:
            call_id, made, kept = _identity(raw, synthetic, {"type", "custom"})
            kept += extras(NAME, custom, {"name", "input"}, "/custom")
            return ToolCall(call_id, name, text, "custom", made, ext=kept), BlockOrigin(path, CUSTOM_FIELDS)
        case {"function": {"name": str(name)} as function}:
            call_id, made, kept = _identity(raw, synthetic, {"function"})
            kept += extras(NAME, function, {"name", "arguments"}, "/function")
            match function.get("arguments", ABSENT):
                case str(arguments) if "arguments" in function:
                    pass
                case dict(value):
                    arguments = encode_text(value)
                case value:
                    kept += (
                        Extra(NAME, "/function/arguments", encode_text(value) if "arguments" in function else ABSENT),
                    )
                    arguments = ""
            match raw.get("type"):
                case "function":
                    kept = tuple(extra for extra in kept if extra.path != "/type")
                case None if "type" not in raw:
                    kept += (Extra(NAME, "/type", ABSENT),)
            return ToolCall(call_id, name, arguments, is_id_synthetic=made, ext=kept), BlockOrigin(path, CALL_FIELDS)
        case _:
            return OpaqueBlock(NAME, "tool_call", encode_text(raw)), BlockOrigin(path)


def _identity(raw: Mapping[str, Any], synthetic: str, known: set[str]) -> tuple[str, bool, tuple[Extra, ...]]:
    call_id, made = _call_id(raw.get("id"), synthetic)
    kept = extras(NAME, raw, known | {"id"} if isinstance(raw.get("id"), str) and not made else known)
    return call_id, made, kept if "id" in raw else (*kept, Extra(NAME, "/id", ABSENT))


def read_body(body: Body, messages: Sequence[WireMessage]) -> Conversation:
    """Read a request, an answer or both as one conversation."""
    entries = []
    for entry in read_messages(messages):
        if entry.wire.is_response:
            message, origin = answered(entry.message, entry.origin, body)
            entries.append(Entry(message, origin, entry.wire))
        else:
            entries.append(entry)
    fields, path = body.fields, body.path
    tools, functions = listed(fields, "tools", path, _tool), listed(fields, "functions", path, _function)
    params = tuple(Param(key, encode_text(fields[key]), path + step(key)) for key in PARAMS if key in fields)
    known = {*PARAMS, *(("tools",) if tools else ()), *(("functions",) if functions else ())}
    ext = extras(NAME, fields, known)
    return conversation_of(NAME, body, entries, params=params, tools=(*tools, *functions), ext=ext)


def _tool(raw: Any, path: str) -> Tool:
    match raw:
        case {"type": "function", "function": {"name": str()} as function}:
            tool = _function(function, path, "/function")
            return replace(tool, is_legacy=False, ext=(*extras(NAME, raw, {"type", "function"}), *tool.ext))
        case _:
            return Tool(name="", native=Extra(NAME, "", encode_text(raw)), path=path)


def _function(raw: Any, path: str, prefix: str = "") -> Tool:
    """Read a function's definition, as it stands in the `functions` of old chats and inside a tool."""
    if not isinstance(raw, dict) or not isinstance(raw.get("name"), str):
        return Tool(name="", native=Extra(NAME, "", encode_text(raw)), is_legacy=True, path=path)
    description, strict, parameters = raw.get("description"), raw.get("strict"), raw.get("parameters")
    told: dict[str, Any] = {
        "description": description if isinstance(description, str) else None,
        "strict": strict if isinstance(strict, bool) else None,
        "parameters": encode_text(parameters) if isinstance(parameters, dict) else None,
    }
    known = {"name", *(key for key, value in told.items() if value is not None)}
    return Tool(
        name=raw["name"],
        description=told["description"],
        parameters=told["parameters"],
        is_strict=told["strict"],
        is_legacy=True,
        ext=extras(NAME, raw, known, prefix),
        path=path,
    )
