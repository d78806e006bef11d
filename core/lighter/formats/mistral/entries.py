"""Entries of Mistral's Conversations API as core messages: the assistant's entries between two others become one message.

https://docs.mistral.ai/api/endpoint/beta/conversations; shapes read off the mistralai SDK 3.7.0. They are read only: what is
written are messages of the chat API.
"""

from collections.abc import Mapping
from typing import Any

from lighter.conversation import BlockOrigin, Origin, WireMessage
from lighter.formats._chat_strays import strays_of as chat_strays_of
from lighter.formats._entries import Spoken, filled
from lighter.formats._reading import extras
from lighter.formats.mistral.chunks import content_blocks
from lighter.formats.mistral.shapes import ENTRY
from lighter.jsontext import encode_text
from lighter.messages import (
    Extra,
    Message,
    OpaqueBlock,
    OtherMessage,
    ToolCall,
    ToolMessage,
    UserMessage,
)
from lighter.passage import Entry
from lighter.strays import NONE, Strays

_ASSISTANT = frozenset({"message.output", "function.call", "tool.execution", "agent.handoff"})
"""The types of entries that are the assistant's part of a turn."""

TYPES = _ASSISTANT | {"message.input", "function.result"}

_CALL_FIELDS = {"call_id": "/tool_call_id", "tool_name": "/name", "arguments": "/arguments"}
_TELLING = frozenset({"type", "object"})
"""Keys that say of an entry what it is."""


def is_entry(value: Any) -> bool:
    """Say whether a value is an entry; `object` may be left out where the type is one that nobody else has."""
    match value:
        case {"type": str(kind), **rest}:
            return kind in TYPES and rest.get("object", "entry") == "entry"
        case _:
            return False


def spoken(wire: WireMessage) -> Spoken | None:
    """Read an entry of the assistant as blocks, with the extras of the message that they are a part of; None for any other."""
    raw, path = wire.raw, wire.path
    if not is_entry(raw):
        return None
    match raw:
        case {"type": "message.output", "content": content}:
            placed = content_blocks(content, f"{path}/content")
            return placed, _extras(raw, {"content", "role"}) if placed else _extras(raw, {"role"})
        case {"type": "message.input", "role": "assistant", "content": content}:
            return content_blocks(content, f"{path}/content"), _extras(raw, {"content", "role"})
        case {
            "type": "function.call",
            "tool_call_id": str(call_id),
            "name": str(name),
            "arguments": str() | dict() as told,
        }:
            text = told if isinstance(told, str) else encode_text(told)
            ext = _extras(raw, {"tool_call_id", "name", "arguments"})
            call = ToolCall(call_id or f"call_{wire.index}", name, text, is_id_synthetic=not call_id, ext=ext)
            return [(call, BlockOrigin(path, _CALL_FIELDS))], ()
        case {"type": str(kind)} if kind in _ASSISTANT:
            return [(OpaqueBlock(ENTRY, kind, encode_text(raw)), BlockOrigin(path))], ()
        case _:
            return None


def heard(wire: WireMessage) -> tuple[Message, Origin] | None:
    """Read an entry that is not the assistant's; None for what is no entry."""
    raw, path, row = wire.raw, wire.path, wire.record.row
    if not is_entry(raw):
        return None
    match raw:
        case {"type": "message.input", "content": content}:
            placed = content_blocks(content, f"{path}/content")
            ext = _extras(raw, {"content", "role"} if placed and raw.get("role") == "user" else {"content"})
            fields = {"content": f"{path}/content", "role": f"{path}/role"}
            return filled(UserMessage("", ext=ext), placed, row, path, fields)
        case {"type": "function.result", "tool_call_id": str(call_id), "result": result}:
            placed = content_blocks(result, f"{path}/result")
            ext = _extras(raw, {"tool_call_id", "result"} if placed else {"tool_call_id"})
            message = ToolMessage(call_id or f"call_{wire.index}", "", "", None, is_id_synthetic=not call_id, ext=ext)
            fields = {"content": f"{path}/result", "call_id": f"{path}/tool_call_id"}
            return filled(message, placed, row, path, fields)
        case _:
            role = raw.get("role")
            ext = (Extra(ENTRY, "", encode_text(raw)),)
            return OtherMessage(role if isinstance(role, str) else "", "", ext=ext), Origin(row, path)


def _extras(raw: Mapping[str, Any], known: set[str]) -> tuple[Extra, ...]:
    return extras(ENTRY, raw, known | _TELLING)


def strays_of(entry: Entry) -> Strays:
    """List the strays of a chat's message; an entry has none, whatever keys it has."""
    return NONE if is_entry(entry.wire.raw) else chat_strays_of(entry)
