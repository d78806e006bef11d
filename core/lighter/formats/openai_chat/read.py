"""Reading OpenAI Chat: wire messages of any dialect, and request bodies, as core messages."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from lighter.conversation import BlockOrigin, Conversation, Origin, Pointers, WireMessage
from lighter.envelope import Body
from lighter.formats._calls import call_id_of, identity, read_call
from lighter.formats._chat import content_extra, params_of, read_answers
from lighter.formats._entries import filled
from lighter.formats._functions import read_function, read_tools
from lighter.formats._reading import Placed, conversation_of, extras, listed, name_results, unread
from lighter.formats.openai_chat.ordinary import MESSAGE_FIELDS, places_of, read_ordinary
from lighter.formats.openai_chat.parts import content_blocks, is_in_content
from lighter.formats.openai_chat.reasoning import copies_of, reasoning_blocks
from lighter.formats.openai_chat.shapes import CALL, NAME, PARAMS, SPELLING
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
)
from lighter.passage import Entry

_CUSTOM_FIELDS = {"call_id": "/id", "tool_name": "/custom/name", "arguments": "/custom/input"}
_LEGACY_FIELDS = {"tool_name": "/name", "arguments": "/arguments"}


def read_messages(messages: Sequence[WireMessage]) -> Iterator[Entry]:
    """Read wire messages, in order; any JSON value gives a message."""
    return name_results(Entry(*read_message(wire), wire) for wire in messages)


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
    empty = () if any(map(is_in_content, blocks)) else content_extra(NAME, raw, _usual(role, blocks))
    kept = (*extras(NAME, raw, known), *copies, *empty)
    if role == "tool" and "tool_call_id" not in raw:
        kept = (*kept, Extra(NAME, "/tool_call_id", ABSENT))
    return filled(_bare(raw, role, wire, kept), placed, wire.record.row, path, Pointers(path, MESSAGE_FIELDS))


def _usual(role: Any, blocks: Sequence[Block]) -> str | None:
    """Tell how content is spelled that is none; where nothing else is said, some write null and others an empty text."""
    if role != "assistant":
        return '""'
    return "null" if blocks else None


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
            call_id, is_synthetic = call_id_of(raw.get("tool_call_id"), f"call_{wire.index}")
            is_error = raw["is_error"] if isinstance(raw.get("is_error"), bool) else None
            return ToolMessage(call_id, "", "", is_error, is_id_synthetic=is_synthetic, name=name, ext=kept)
        case "function":
            return ToolMessage(
                f"call_{wire.index}", name or "", "", None, kind="legacy", is_id_synthetic=True, ext=kept
            )
        case _:
            return OtherMessage(role if isinstance(role, str) else "", "", name=name, ext=kept)


def _placed(raw: Mapping[str, Any], role: Any, wire: WireMessage) -> tuple[Placed, set[str]]:
    """Read everything that becomes a block; also tell which keys were read."""
    path = wire.path
    content = content_blocks(raw.get("content"), f"{path}/content")
    read = {"role"} if isinstance(role, str) and role else set()
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
            placed.append((call, BlockOrigin(f"{path}/function_call", _LEGACY_FIELDS)))
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
            call_id, made, kept = identity(CALL, raw, synthetic, {"type", "custom"})
            kept += extras(NAME, custom, {"name", "input"}, "/custom")
            return ToolCall(call_id, name, text, "custom", made, ext=kept), BlockOrigin(path, _CUSTOM_FIELDS)
        case _:
            return read_call(CALL, raw, path, synthetic)


def read_body(body: Body, messages: Sequence[WireMessage]) -> Conversation:
    """Read a request, an answer or both as one conversation."""
    entries = read_answers(read_messages(messages), body)
    fields, path = body.fields, body.path
    tools = read_tools(NAME, fields, path)
    functions = listed(fields, "functions", path, lambda raw, place: read_function(NAME, raw, place))
    params = params_of(fields, path, {key: key for key in PARAMS})
    known = {*PARAMS, *(("tools",) if tools else ()), *(("functions",) if functions else ())}
    ext = extras(NAME, fields, known)
    if tools and isinstance(fields["tools"], str):  # rows of training data
        ext = (*ext, Extra(SPELLING, "/tools", encode_text(fields["tools"])))
    return conversation_of(NAME, body, entries, params=params, tools=(*tools, *functions), ext=ext)
