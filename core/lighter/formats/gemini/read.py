"""Reading contents as core messages: a function response becomes a message of its own, what stands beside it another one."""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from msgspec.structs import replace

from lighter.conversation import BlockOrigin, Origin, WireMessage
from lighter.formats._entries import filled
from lighter.formats._reading import Placed, extras, name_results, unread
from lighter.formats.gemini.parts import numbered, read_part, read_parts
from lighter.formats.gemini.results import Calls, Response, read_result
from lighter.formats.gemini.shapes import (
    AS_PART,
    AS_TEXT,
    NAME,
    SPELLING,
    TURN,
    TURN_SPELLING,
    WRAP,
    held,
    is_content,
    is_part,
    keyed,
)
from lighter.jsontext import encode_text
from lighter.messages import (
    ABSENT,
    AssistantMessage,
    Extra,
    Message,
    OtherMessage,
    SystemMessage,
    TextBlock,
    ToolMessage,
    UserMessage,
    with_blocks,
)
from lighter.passage import Entry

_ASKING = ("user", "function", "tool")
"""Roles of contents that hold what the user said and what functions gave; all but the first were so in older versions."""


def read_messages(messages: Sequence[WireMessage]) -> Iterator[Entry]:
    """Read contents, in order; any JSON value gives at least one message."""
    return name_results(_entries(messages), is_paired=True)


def _entries(messages: Sequence[WireMessage]) -> Iterator[Entry]:
    calls = Calls(_prefix(messages))
    for index, wire in enumerate(messages):
        for message, origin in _read(wire, calls):
            if isinstance(message, AssistantMessage):
                calls.made(message.tool_calls, _responses(messages, index + 1, calls) if message.tool_calls else ())
            yield Entry(message, origin, wire)


def _prefix(messages: Sequence[WireMessage]) -> str:
    """Give the beginning of ids for calls that have none, such that no id of the history is like them."""
    ids = {told for wire in messages for key in ("functionCall", "functionResponse") for _, told, _ in _held(wire, key)}
    prefix = "call"
    while any(re.fullmatch(rf"{prefix}_\d+(_\d+)?", told) for told in ids):
        prefix += "_"
    return prefix


def _responses(messages: Sequence[WireMessage], start: int, calls: Calls) -> list[Response]:
    """List the function responses from an index on, before the next content of the model."""
    found: list[Response] = []
    for index in range(start, len(messages)):
        wire = messages[index]
        if isinstance(wire.raw, dict) and wire.raw.get("role") == "model":
            break
        made_id = calls.made_id(wire)
        found += (Response(numbered(made_id, n), told, name) for n, told, name in _held(wire, "functionResponse"))
    return found


def _held(wire: WireMessage, key: str) -> Iterator[tuple[int, str, str]]:
    """Give the index, the id and the name of each function call or response in a content; empty where they are not told."""
    parts = wire.raw.get("parts") if isinstance(wire.raw, dict) else None
    for index, part in enumerate(parts if isinstance(parts, list) else ()):
        value = held(part, key) if isinstance(part, dict) else None
        if isinstance(value, dict):
            told, name = value.get("id"), value.get("name")
            yield index, told if isinstance(told, str) else "", name if isinstance(name, str) else ""


def is_order_telling(entries: Sequence[Entry]) -> bool:
    """Say whether contents stand in an order of their own: two of one role in a row, or results not in the order of their calls."""
    called: list[str] = []
    last, place = entries[0] if entries else None, 0
    for entry in entries[1:]:
        message = entry.message
        if last is not None and entry.wire is not last.wire and _side(message) == _side(last.message):
            return True
        if isinstance(message, AssistantMessage):
            called, place = [call.call_id for call in message.tool_calls], 0
        elif isinstance(message, ToolMessage):
            now = called.index(message.call_id) if message.call_id in called else len(called)
            if now < place or (last is not None and last.wire is entry.wire and isinstance(last.message, UserMessage)):
                return True
            place = now
        last = entry
    return False


def _side(message: Message) -> str:
    return (
        "system" if isinstance(message, SystemMessage) else "model" if isinstance(message, AssistantMessage) else "user"
    )


def _read(wire: WireMessage, calls: Calls) -> list[tuple[Message, Origin]]:
    """Read one content as the messages that it holds."""
    raw, row, path = wire.raw, wire.record.row, wire.path
    if isinstance(raw, str):
        said = with_blocks(UserMessage("", ext=(Extra(WRAP, "", AS_TEXT),)), [TextBlock(raw)] if raw else [])
        return [(said, Origin(row, path, {"content": path}, (BlockOrigin(path),) if raw else ()))]
    if is_part(raw) and not is_content(raw):
        placed = [read_part(raw, path, calls.made_id(wire), is_model=False)]
        return [filled(UserMessage("", ext=(Extra(WRAP, "", AS_PART),)), placed, row, path, {})]
    if not isinstance(raw, dict):
        return [(unread(NAME, raw), Origin(row, path))]
    role = raw.get("role")
    is_answer = role is None and wire.is_response  # one that was blocked comes without its role
    if not is_answer and (role is None or role in _ASKING):
        return _asked(wire, calls)
    placed = read_parts(raw.get("parts"), f"{path}/parts", calls.made_id(wire), is_model=is_answer or role == "model")
    ext, fields = _content_extras(raw), {"role": f"{path}/role"} if "role" in raw else {}
    match role:
        case None:
            message: Message = AssistantMessage("", ext=(*ext, _spelled_role(raw)))
        case "model":
            message = AssistantMessage("", ext=ext)
        case "system":
            message = SystemMessage("", ext=(Extra(NAME, "/role", '"system"'), *ext))
        case str():
            message = OtherMessage(role, "", ext=(Extra(SPELLING, "/role", encode_text(role)), *ext))
        case _:
            message = OtherMessage("", "", ext=(Extra(NAME, "/role", encode_text(role)), *ext))
    return [filled(message, placed, row, path, fields)]


def _content_extras(raw: Mapping[str, Any]) -> tuple[Extra, ...]:
    """Keep unknown keys of a content, and parts that are none."""
    kept = extras(NAME, raw, {"role", "parts"})
    if not raw.get("parts"):
        return (*kept, Extra(SPELLING, "/parts", encode_text(raw["parts"]) if "parts" in raw else ABSENT))
    return kept


def _spelled_role(raw: Mapping[str, Any]) -> Extra:
    return Extra(SPELLING, "/role", encode_text(raw["role"]) if "role" in raw else ABSENT)


def _asked(wire: WireMessage, calls: Calls) -> list[tuple[Message, Origin]]:
    """Read what is not the model's: one message for each result, one for each run of other parts, all of one group."""
    raw, row, path = wire.raw, wire.record.row, wire.path
    fields = {"role": f"{path}/role"} if "role" in raw else {}
    messages: list[tuple[Message, Origin]] = []
    run: Placed = []

    def flush() -> None:
        if run:
            messages.append(filled(UserMessage(""), run, row, path, fields))
            run.clear()

    parts = raw.get("parts")
    for index, item in enumerate(parts if isinstance(parts, list) else ()):
        place, made_id = f"{path}/parts/{index}", numbered(calls.made_id(wire), index)
        part = keyed(item, ("functionResponse",)) if isinstance(item, dict) else None
        if part is not None and isinstance(part.values.get("functionResponse"), dict):
            found = read_result(part, place, row, made_id, calls) if not _is_mixed(item) else None
            if found is not None:
                flush()
                messages.append(found)
                continue
        run.append(read_part(item, place, made_id, is_model=False))
    if not isinstance(parts, list):
        run += read_parts(parts, f"{path}/parts", calls.made_id(wire), is_model=False)
    flush()
    if not messages:
        messages.append((UserMessage(""), Origin(row, path, fields)))
    if len(messages) > 1:
        messages = [(replace(message, group=wire.index), origin) for message, origin in messages]
    first, origin = messages[0]
    messages[0] = replace(first, ext=(*first.ext, *_of_turn(raw, is_result=isinstance(first, ToolMessage)))), origin
    return messages


def _is_mixed(part: Mapping[str, Any]) -> bool:
    """Say whether a part holds something else besides a function response."""
    return is_part({key: value for key, value in part.items() if value is not None and "esponse" not in key})


def _of_turn(raw: Mapping[str, Any], *, is_result: bool) -> tuple[Extra, ...]:
    """Keep what stands on the content itself; a result's own extras are relative to its part."""
    ext = _content_extras(raw)
    if raw.get("role") != "user":
        ext = (*ext, _spelled_role(raw))
    if not is_result:
        return ext
    return tuple(Extra(TURN if extra.format == NAME else TURN_SPELLING, extra.path, extra.json) for extra in ext)
