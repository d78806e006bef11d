"""Reading events as core messages: what the agent says and calls between two others becomes one message."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from msgspec.structs import replace

from lighter.conversation import BlockOrigin, Origin, WireMessage
from lighter.formats._entries import filled
from lighter.formats._reading import ENVELOPE, Placed, extras, name_results, unread
from lighter.formats.anthropic.blocks import content_blocks
from lighter.formats.claude_managed_agents.shapes import NAME, TOLD_AFTER
from lighter.jsontext import encode_text, step
from lighter.messages import (
    AssistantMessage,
    Extra,
    Message,
    OpaqueBlock,
    SystemMessage,
    ToolCall,
    ToolMessage,
    UserMessage,
)
from lighter.passage import Entry
from lighter.session_events import CALLS, CONFIRMATION, RESULTS, call_of

_CALL_FIELDS = {"call_id": "/id", "tool_name": "/name", "arguments": "/input"}
_REFUSED = "deny"


def read_messages(messages: Sequence[WireMessage]) -> Iterator[Entry]:
    """Read events, in order; any JSON value gives a message, a block of one, or tells of one."""
    return iter(read_log(messages)[0])


def read_log(messages: Sequence[WireMessage]) -> tuple[list[Entry], tuple[Extra, ...]]:
    """Read events as messages, and give what tells of none of them, at its place in the record."""
    reader = _Reader()
    for wire in messages:
        reader.take(wire)
    reader.end_turn()
    return list(name_results(reader.entries)), tuple(reader.spare)


def ended_calls(messages: Sequence[WireMessage]) -> frozenset[str]:
    """Give the places of the calls that have no result and need none: an interrupt ended them, or they were refused before they ran."""
    answered = {call_of(wire.raw) for wire in messages if isinstance(wire.raw, dict)}
    waiting: set[str] = set()
    ended: set[str] = set()
    for wire in messages:
        match wire.raw:
            case {"type": str(kind), "id": str(call_id)} if kind in CALLS and call_id not in answered:
                (ended if wire.raw.get("evaluated_permission") == _REFUSED else waiting).add(wire.path)
            case {"type": "user.interrupt"}:
                ended |= waiting
                waiting = set()
    return frozenset(ended)


class _Reader:
    """Reads events one by one; `turn` holds the blocks of the agent's turn so far, `spare` what tells of no message."""

    def __init__(self) -> None:
        self.entries: list[Entry] = []
        self.spare: list[Extra] = []
        self.first: WireMessage | None = None
        self.turn: Placed = []
        self.ext: list[Extra] = []

    def take(self, wire: WireMessage) -> None:
        """Take the next event."""
        kind = wire.raw["type"] if isinstance(wire.raw, dict) and isinstance(wire.raw.get("type"), str) else ""
        if (said := _spoken(wire)) is not None:
            self.first = self.first or wire
            self.turn += said
            self.ext += _around(wire) if kind == "agent.message" else ()
            return
        self.end_turn()
        if kind in TOLD_AFTER and TOLD_AFTER[kind][1] in wire.raw:
            self.tell(wire, *TOLD_AFTER[kind])
        elif kind == "user.interrupt":
            self.spare.append(Extra(ENVELOPE, wire.path, encode_text(wire.raw)))
        else:
            message, origin = _heard(wire)
            self.entries.append(Entry(message, origin, wire))

    def end_turn(self) -> None:
        """Make a message of what the agent said."""
        if self.first is not None:
            message = AssistantMessage("", ext=tuple(self.ext))
            whole, origin = filled(message, self.turn, self.first.record.row, self.first.path, {})
            self.entries.append(Entry(whole, origin, self.first))
        self.first, self.turn, self.ext = None, [], []

    def tell(self, wire: WireMessage, field: str, key: str) -> None:
        """Give the agent's last message what an event tells of it; what it tells of none is kept apart."""
        value, path, rest = wire.raw[key], wire.path + step(key), _but(wire, {"type", key})
        if field == "stop" and isinstance(value, dict) and isinstance(value.get("type"), str):
            rest += extras(ENVELOPE, value, {"type"}, path)
            value, path = value["type"], f"{path}/type"
        at = next((n for n in reversed(range(len(self.entries))) if _is_told_of(self.entries[n].message)), None)
        message: Any = None if at is None else self.entries[at].message
        if at is None or getattr(message, field) is not None or not isinstance(value, str if field == "stop" else dict):
            self.spare += _but(wire, {"type"})
            return
        told = {field: value if field == "stop" else encode_text(value)}
        entry = self.entries[at]
        origin = replace(entry.origin, fields={**entry.origin.fields, field: path})
        self.entries[at] = Entry(replace(message, ext=(*message.ext, *rest), **told), origin, entry.wire)


def _is_told_of(message: Message) -> bool:
    return isinstance(message, AssistantMessage)


def _but(wire: WireMessage, known: set[str]) -> tuple[Extra, ...]:
    """Keep what an event holds besides, at its place in the record."""
    return extras(ENVELOPE, wire.raw, known, wire.path)


def _around(wire: WireMessage) -> tuple[Extra, ...]:
    return _but(wire, {"type", "content"})


def _spoken(wire: WireMessage) -> Placed | None:
    """Read an event of the agent as blocks; None for those of others."""
    match wire.raw:
        case {"type": "agent.message", "content": content}:
            return _content(content, f"{wire.path}/content")
        case {"type": str(kind), "id": str(call_id), "name": str(name), "input": dict(given)} if kind in CALLS:
            ext = extras(NAME, wire.raw, {"type", "id", "name", "input"})
            return [(ToolCall(call_id, name, encode_text(given), ext=ext), BlockOrigin(wire.path, _CALL_FIELDS))]
        case {"type": str(kind)} if kind.startswith("agent.") and kind not in (
            *RESULTS,
            "agent.thread_message_received",
        ):
            return [(OpaqueBlock(NAME, kind, encode_text(wire.raw)), BlockOrigin(wire.path))]
        case _:
            return None


def _content(content: Any, path: str) -> Placed:
    """Read content; its blocks are those of Anthropic's messages, but for what was withheld."""
    return [
        (replace(block, format=NAME), origin)
        if isinstance(block, OpaqueBlock) and block.native_type == "redacted"
        else (block, origin)
        for block, origin in content_blocks(content, path)
    ]


def _heard(wire: WireMessage) -> tuple[Message, Origin]:
    """Read an event that is not the agent's."""
    match wire.raw:
        case {"type": str(kind)} if kind in RESULTS and isinstance(wire.raw.get(RESULTS[kind]), str):
            return _result(wire, RESULTS[kind], "content", wire.raw.get("is_error"))
        case {"type": "user.tool_confirmation", "tool_use_id": str()}:
            return _result(wire, "tool_use_id", "deny_message", is_error=True)
        case {"type": "user.message" | "agent.thread_message_received", "content": _}:
            return _message(UserMessage(""), wire, "content")
        case {"type": "user.define_outcome", "description": str()}:
            return _message(UserMessage(""), wire, "description")
        case {"type": "system.message", "content": _}:
            return _message(SystemMessage(""), wire, "content")
        case raw:
            return unread(NAME, raw), Origin(wire.record.row, wire.path)


def _message(message: Any, wire: WireMessage, key: str) -> tuple[Message, Origin]:
    """Read what is said under a key."""
    raw, path = wire.raw, wire.path
    name = _id_of(raw)
    kept = extras(NAME, raw, {"type", key} | ({"id"} if name is not None else set()))
    message = replace(message, id=name, ext=kept)
    fields = {"role": f"{path}/type", "content": path + step(key), "id": f"{path}/id"}
    return filled(message, _content(raw[key], path + step(key)), wire.record.row, path, fields)


def _result(wire: WireMessage, key: str, said: str, is_error: Any) -> tuple[Message, Origin]:
    """Read a result, or a denial, which is the result of a call that has no other."""
    raw, path = wire.raw, wire.path
    flag = "result" if raw["type"] == CONFIRMATION else "is_error"
    name = _id_of(raw)
    known = {"type", key, said} | ({"id"} if name is not None else set())
    known |= {flag} if isinstance(is_error, bool) or is_error is None else set()
    told = is_error if isinstance(is_error, bool) else None
    message = ToolMessage(raw[key], "", "", told, id=name, ext=extras(NAME, raw, known))
    fields = {"call_id": path + step(key), "content": path + step(said), "id": f"{path}/id"}
    fields |= {"is_error": path + step(flag)} if told is not None else {}
    return filled(message, _content(raw.get(said), path + step(said)), wire.record.row, path, fields)


def _id_of(raw: Mapping[str, Any]) -> str | None:
    found = raw.get("id")
    return found if isinstance(found, str) else None
