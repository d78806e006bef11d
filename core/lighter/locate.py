"""From a JSON Pointer to the row and column at which the value stands in its file."""

import json
import re
from collections.abc import Iterator
from functools import lru_cache

from msgspec import Struct

from lighter.diagnostics import Location
from lighter.jsontext import keys_of
from lighter.records import Record
from lighter.scan import STRING_PATTERN, length_of, skip_space

_STRING = re.compile(STRING_PATTERN, re.DOTALL)
_TO_BRACKET = re.compile(rb'[^"{}\[\]]*+(?:' + STRING_PATTERN + rb'[^"{}\[\]]*+)*+', re.DOTALL)
_SCALAR = re.compile(rb"[^\s,\]}\[{:\"]++")
_BETWEEN = re.compile(rb"[\s,:]*+")
_ESCAPE = re.compile(rb"\\(?:u([0-9a-fA-F]{4})|.)", re.DOTALL)


def locate(record: Record, path: str) -> Location:
    """Tell where the value that a pointer names starts; where there is no such value, where its nearest parent does.

    The pointer may go on into JSON held in a string. Of keys that occur twice the last counts, as it does for parsers.
    """
    at = _offset(record.data, keys_of(path))
    row, column = _place(record.data, at)
    return Location(record.row + row, (column + 1 if row else record.column + column))


def _place(data: bytes, at: int) -> tuple[int, int]:
    """Tell how many line ends stand before an offset and how many characters before it in its line, going on from the last."""
    text = _text_of(data)
    start, row, column = text.last if text.last[0] <= at else (0, 0, 0)
    passed = data[start:at]
    rows = passed.count(b"\n")
    column = length_of(passed[passed.rindex(b"\n") + 1 :]) if rows else column + length_of(passed)
    text.last = at, row + rows, column
    return row + rows, column


def _offset(data: bytes, keys: list[str]) -> int:
    at = skip_space(data, 0)
    for depth, key in enumerate(keys):
        if data[at : at + 1] == b'"':
            return at + _offset_in_string(data, at, keys[depth:])
        child = _children(data, at).get(key)
        if child is None:
            return at
        at = child
    return min(at, len(data))


def _offset_in_string(data: bytes, at: int, keys: list[str]) -> int:
    """Find a value inside the JSON that a string holds; 0, the string itself, when there is none."""
    string = _STRING.match(data, at)
    if string is None:
        return 0
    try:
        text: str = json.loads(string[0].decode("utf-8", "surrogateescape"), strict=False)
        inner = text.encode("utf-8", "surrogatepass")
    except (ValueError, RecursionError):
        return 0
    start = skip_space(inner, 0)
    if inner[start : start + 1] not in (b"{", b"["):
        return 0
    found = _offset(inner, keys)
    return 0 if found == start else _unescaped_offset(string[0], len(inner[:found].decode("utf-8", "surrogatepass")))


def _unescaped_offset(string: bytes, count: int) -> int:
    """Find where the character with an index stands in a quoted string, counting each escape as what it stands for."""
    at = 1
    previous = 0
    for escape in _ESCAPE.finditer(string):
        plain = string[at : escape.start()].decode("utf-8", "surrogateescape")
        if len(plain) >= count:
            break
        count -= len(plain)
        unit = int(escape[1], 16) if escape[1] else 0
        is_second_half = 0xDC00 <= unit < 0xE000 and 0xD800 <= previous < 0xDC00 and not plain
        count -= not is_second_half
        previous = unit
        at = escape.end()
    plain = string[at:].decode("utf-8", "surrogateescape")[:count]
    return at + len(plain.encode("utf-8", "surrogateescape"))


class _Text(Struct):
    """What is known of one text: the children of its containers, as far as they were asked for, and the place told last.

    The children are kept by their container's offset. A place is an offset, the line ends before it, and the characters before
    it in its line.
    """

    data: bytes
    known: dict[int, dict[str, int]]
    last: tuple[int, int, int] = (0, 0, 0)


@lru_cache(maxsize=2)
def _text_of(data: bytes) -> _Text:
    return _Text(data, {})


def _children(data: bytes, at: int) -> dict[str, int]:
    known = _text_of(data).known
    if at not in known:
        known[at] = dict(_walk(data, at))
    return known[at]


def _walk(data: bytes, at: int) -> Iterator[tuple[str, int]]:
    """Give the key and the offset of each value in the object or array at an offset, as far as it is well formed."""
    opener = data[at : at + 1]
    if opener not in (b"{", b"["):
        return
    at, index = at + 1, 0
    while True:
        at = _end(_BETWEEN, data, at)
        key = str(index)
        if opener == b"{":
            name = _STRING.match(data, at)
            if name is None:
                return
            key = quoted_key(name[0])
            at = _end(_BETWEEN, data, name.end())
        if data[at : at + 1] in (b"", b"}", b"]"):
            return
        yield key, at
        index += 1
        after = end_of_value(data, at)
        if after == at:
            return
        at = after


def quoted_key(quoted: bytes) -> str:
    """Give the key that a string in its quotes spells."""
    try:
        return str(json.loads(quoted.decode("utf-8", "surrogateescape"), strict=False))
    except ValueError:
        return quoted[1:-1].decode("utf-8", "surrogateescape")


def end_of_value(data: bytes, at: int) -> int:
    """Tell where the value that starts at an offset ends."""
    first = data[at : at + 1]
    if first == b'"':
        return _end(_STRING, data, at)
    if first not in (b"{", b"["):
        return _end(_SCALAR, data, at)
    depth = 0
    while True:
        depth += 1 if data[at : at + 1] in (b"{", b"[") else -1
        at += 1
        if depth == 0:
            return at
        at = _end(_TO_BRACKET, data, at)
        if at >= len(data) or data[at : at + 1] == b'"':
            return len(data)


def _end(pattern: re.Pattern[bytes], data: bytes, at: int) -> int:
    found = pattern.match(data, at)
    return found.end() if found else at
