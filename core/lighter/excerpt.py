"""Short harmless views of a transcript's text: one line for a message, and escapes for whatever could trick a terminal."""

import json
import re
from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Any

from lighter.conversation import WireMessage
from lighter.jsontext import encode_text
from lighter.messages import (
    Block,
    MediaBlock,
    Message,
    OpaqueBlock,
    OtherMessage,
    ReasoningBlock,
    RefusalBlock,
    TextBlock,
    ToolCall,
    ToolMessage,
    ToolResultBlock,
    blocks_of,
)
from lighter.passage import Entry

ROLE_WIDTH = 11
"""Cells of the role column: the longest common role and two spaces."""

TEXT_LIMIT = 90
CROWDED_LIMIT = 45
"""Characters of a text that shares the line with others."""

ID_LIMIT = 120
VALUE_LIMIT = 40
PARSE_LIMIT = 4000
CALLS_LIMIT = 8

# What str.isprintable() lets pass though nobody sees it: fillers, selectors that carry hidden text, the combining joiner.
_UNSEEN = re.compile(
    r"[\u034f\u115f\u1160\u17b4\u17b5\u3164\uffa0\U000e0100-\U000e01ef]|(?<=[\ufe00-\ufe0f])[\ufe00-\ufe0f]"
)
# Joiners belong to scripts and emoji (Persian, Hindi, families); between other characters they only hide.
_JOINERS = "\u200c\u200d"
_LETTERS = {"\n": "\\n", "\r": "\\r", "\t": "\\t"}


def harmless(text: str, *, is_multiline: bool = False) -> str:
    r"""Show every character that a terminal acts upon or hides as a visible escape, such as `\x1b`, `\u202e` or `\n`.

    That is control characters, ANSI escapes, overrides of the writing direction, zero-width characters and lone surrogates.
    With `is_multiline` line breaks (`\r\n` as one) and tabs stay.
    """
    if is_multiline:
        lines = text.replace("\r\n", "\n").split("\n")
        return "\n".join("\t".join(map(harmless, line.split("\t"))) for line in lines)
    if text.isascii():
        return text if text.isprintable() else "".join(map(_escape, text))
    if not text.isprintable():
        around = zip(" " + text, text, text[1:] + " ", strict=False)
        text = "".join(char if _is_visible(before, char, after) else _escape(char) for before, char, after in around)
    return _UNSEEN.sub(lambda match: _escape_any(match[0]), text)


def _is_visible(before: str, char: str, after: str) -> bool:
    if char.isprintable() or char in "\u00a0\u202f\u3000":
        return True
    if char in _JOINERS:
        return before > "\u024f" and after > "\u024f" and before not in _JOINERS
    return "\U0001f000" <= char <= "\U0001faff"  # emoji newer than Python's character table


def _escape(char: str) -> str:
    return char if char.isascii() and char.isprintable() else _escape_any(char)


def _escape_any(char: str) -> str:
    code = ord(char)
    if char in _LETTERS:
        return _LETTERS[char]
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"


def short(text: str, limit: int = TEXT_LIMIT) -> str:
    """Make text harmless and, where it is longer than `limit` characters, leave out its middle: both ends tell most."""
    if len(text) <= limit:
        return harmless(text)
    tail = limit // 3
    return f"{harmless(text[: limit - tail - 1])}…{harmless(text[-tail:])}"


def _cut(text: str, limit: int) -> str:
    return text if len(text) <= limit else text[: limit - 1] + "…"


def line_of(message: WireMessage, entries: Sequence[Entry]) -> str:
    """Tell a message in one harmless line: its role, what it says, calls and answers; also when it is no message at all.

    `entries` are the core messages that were read from it; without any the raw value is shown.
    """
    many = len(entries) > 1 or any(len(blocks_of(entry.message)) > 1 for entry in entries)
    limit = CROWDED_LIMIT if many else TEXT_LIMIT
    if not isinstance(message.raw, dict):
        return _column("?") + short(_text_of(message.raw))
    if entries:
        parts = (part for entry in entries for part in _parts_of(entry.message, limit))
        shown = list(islice(parts, CALLS_LIMIT))  # the others are not made: there may be thousands of calls
        count = sum(1 if isinstance(entry.message, ToolMessage) else len(blocks_of(entry.message)) for entry in entries)
        if count > len(shown):
            shown.append(f"… {count - len(shown)} more")
    else:
        shown = [short(_text_of({key: value for key, value in message.raw.items() if key != "role"}))]
    return _column(_role_of(message.raw, entries)) + ("   ".join(shown) or _nothing(message.raw))


def _nothing(raw: dict[str, Any]) -> str:
    content = raw.get("content", "")
    return "(content null)" if content is None else "(empty)" if "content" in raw else "(no content)"


def _column(role: str) -> str:
    return f"{role:<{ROLE_WIDTH - 2}}  "


def _role_of(raw: dict[str, Any], entries: Sequence[Entry]) -> str:
    role = raw.get("role")
    if isinstance(role, str) and role:
        return short(role, ROLE_WIDTH * 2)
    if role is not None:
        return short(_text_of(role), ROLE_WIDTH)
    return entries[0].message.role if entries and not isinstance(entries[0].message, OtherMessage) else "(no role)"


def _parts_of(message: Message, limit: int) -> Iterator[str]:
    if isinstance(message, ToolMessage):
        yield _result(message, limit)
        return
    for block in blocks_of(message):
        yield _part(block, limit)


def _result(message: ToolMessage, limit: int) -> str:
    if message.kind == "legacy":
        start = f"answers {short(message.tool_name, ID_LIMIT)}"
    else:
        has_id = bool(message.call_id) and not message.is_id_synthetic
        start = f"answers {short(message.call_id, ID_LIMIT)}" if has_id else "answers (no id)"
    parts = [_part(block, limit) for block in message.blocks[:CALLS_LIMIT]] or [_quoted(message.tool_output, limit)]
    return "   ".join([start + ("   failed" if message.is_error else ""), *parts])


def _part(block: Block, limit: int) -> str:
    match block:
        case TextBlock():
            return _quoted(block.text, limit)
        case ReasoningBlock():
            return f"thinks {_quoted(block.text, limit)}" if block.text else "thinks (hidden)"
        case ToolCall():
            return _call(block, limit)
        case MediaBlock():
            return f"[{_media(block)}]"
        case RefusalBlock():
            return f"refuses {_quoted(block.text, limit)}"
        case ToolResultBlock():
            return f"{short(block.native_type, VALUE_LIMIT)} answers {short(block.call_id, ID_LIMIT)}"
        case OpaqueBlock():
            return f"[{short(block.native_type, VALUE_LIMIT) or 'unknown'} {short(block.json, limit)}]"


def _quoted(text: str, limit: int) -> str:
    return f'"{short(text, limit)}"'


def _media(block: MediaBlock) -> str:
    name = short(block.name, VALUE_LIMIT) if block.name else ""
    kind = short(block.media_type, VALUE_LIMIT) if block.media_type else ""
    where = short(block.data, VALUE_LIMIT) if block.source in ("url", "file_id") else ""
    return " ".join(part for part in (block.kind, kind, name, where) if part)


def _call(call: ToolCall, limit: int) -> str:
    name = short(call.tool_name, ID_LIMIT) or "(no name)"
    told = f"calls   {name}({_arguments(call.arguments, limit)})"
    if call.is_id_synthetic:
        return told
    return f"{told}   id {short(call.call_id, ID_LIMIT) or '(none)'}"


def _arguments(text: str, limit: int) -> str:
    if len(text) > PARSE_LIMIT:
        return short(text, limit)
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return short(text, limit) if text else '""'
    if not isinstance(value, dict):
        return short(text, limit)
    told = ", ".join(f"{short(key, VALUE_LIMIT)}={short(_text_of(item), VALUE_LIMIT)}" for key, item in value.items())
    return _cut(told, 2 * limit)


def _text_of(value: Any) -> str:
    """Give a JSON value as text, cut early where it is long: only the ends will be shown."""
    match value:
        case str() if len(value) > PARSE_LIMIT:
            return f'"{value[:TEXT_LIMIT]}…{value[-TEXT_LIMIT:]}"'
        case dict() | list() if _is_deep(value):
            return "{…}" if isinstance(value, dict) else "[…]"
    try:
        return encode_text(value)
    except (TypeError, ValueError, RecursionError):
        return f"({type(value).__name__})"


def _is_deep(value: Any) -> bool:
    """Say whether a value holds more than a line could show, so that writing it out would be wasted."""
    budget = PARSE_LIMIT
    stack = [value]
    while stack:
        item = stack.pop()
        budget -= len(item) + 8 if isinstance(item, str | list | dict) else 8
        if budget < 0:
            return True
        match item:
            case dict():
                stack.extend(item.values())
            case list():
                stack.extend(item)
    return False
