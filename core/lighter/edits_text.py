"""Editing the text of one JSON value: what no edit touches keeps its bytes, white space and escapes included."""

import json
import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Any

import msgspec
from msgspec import Struct, field

from lighter import jsontext
from lighter.edits import Copied
from lighter.jsontext import keys_of
from lighter.locate import end_of_value, quoted_key
from lighter.scan import STRING_PATTERN, skip_space

_STRING = re.compile(STRING_PATTERN, re.DOTALL)
_CONTAINERS = (b"{", b"[")


class Change(Struct, frozen=True):
    """An edit of one value inside a text: `what` happens at `path`, with `value` for all but a removal."""

    what: str
    path: str
    value: Any = None


class _Node(Struct):
    """What is to happen at a value, and below it."""

    change: Change | None = None
    before: list[Any] = field(default_factory=list)
    after: list[Any] = field(default_factory=list)
    children: dict[str, "_Node"] = field(default_factory=dict)


class _Member(Struct, frozen=True):
    """A member of a container: its key, where it and its value start, where the value ends, and the white space around it."""

    key: str
    start: int
    at: int
    end: int
    lead: bytes
    trail: bytes


class _Style(Struct, frozen=True):
    """How a text is written: whether a space follows colons and commas, and whether all but ASCII is escaped."""

    is_spaced: bool
    is_escaped: bool


def edited(data: bytes, changes: Sequence[Change]) -> bytes:
    """Apply changes to a JSON text; their paths are those of the text as it is. Raises LookupError where one leads nowhere."""
    root = _Node()
    for change in changes:
        node = root
        for key in keys_of(change.path):
            node = node.children.setdefault(key, _Node())
        match change.what:
            case "before":
                node.before.append(change.value)
            case "after":
                node.after.append(change.value)
            case _:
                node.change = change
    start = skip_space(data, 0)
    end = end_of_value(data, start)
    return data[:start] + _written(data, start, end, root, _style_of(data)) + data[end:]


def text_of_value(data: bytes, path: str) -> bytes:
    """Give the bytes of the value that a pointer names; raises LookupError where it leads nowhere."""
    at = skip_space(data, 0)
    end = end_of_value(data, at)
    for key in keys_of(path):
        if data[at : at + 1] == b'"':
            data = _inner(data[at:end])
            at = skip_space(data, 0)
        found = [member for member in _members(data, at)[0] if member.key == key]
        if not found:
            raise LookupError(path)
        at, end = found[-1].at, found[-1].end
    return data[at:end]


def resolved(value: Any) -> Any:
    """Replace what is to be copied by its bytes; raises LookupError."""
    match value:
        case Copied(record, path):
            return msgspec.Raw(text_of_value(record.data, path))
        case dict():
            return {key: resolved(item) for key, item in value.items()}
        case list() | tuple():
            return [resolved(item) for item in value]
        case _:
            return value


def rendered(value: Any, like: bytes) -> bytes:
    """Write a value in the style of a text."""
    return _rendered(value, _style_of(like))


@lru_cache(maxsize=1)  # asked for each of the repairs of a record, which may be large
def _style_of(data: bytes) -> _Style:
    head = data[:4096]
    return _Style(head.count(b'": ') > head.count(b'":') // 2, data.isascii() and b"\\u" in data)


def _rendered(value: Any, style: _Style) -> bytes:
    comma, colon = (b", ", b": ") if style.is_spaced else (b",", b":")
    match value:
        case msgspec.Raw():
            return bytes(value)
        case dict():
            pairs = (_rendered(key, style) + colon + _rendered(item, style) for key, item in value.items())
            return b"{" + comma.join(pairs) + b"}"
        case list() | tuple():
            return b"[" + comma.join(_rendered(item, style) for item in value) + b"]"
        case str() if style.is_escaped:
            return json.dumps(value).encode()
        case _:
            return jsontext.encode(value)


def _written(data: bytes, at: int, end: int, node: _Node, style: _Style) -> bytes:
    """Write the value at an offset with what is to happen at it and below it."""
    if node.change is not None:
        return _rendered(node.change.value, style)
    if not node.children:
        return data[at:end]
    if data[at : at + 1] == b'"':
        return _written_string(data[at:end], node)
    if data[at : at + 1] not in _CONTAINERS:
        raise LookupError(next(iter(node.children)))
    return _written_container(data, at, end, node, style)


def _inner(quoted: bytes) -> bytes:
    """Give the text that a string holds."""
    text: str = json.loads(quoted.decode("utf-8", "surrogateescape"), strict=False)
    return text.encode("utf-8", "surrogatepass")


def _written_string(quoted: bytes, node: _Node) -> bytes:
    """Write JSON text that stands in a string."""
    inner = _inner(quoted)
    start = skip_space(inner, 0)
    if inner[start : start + 1] not in _CONTAINERS:
        raise LookupError(next(iter(node.children)))
    end = end_of_value(inner, start)
    text = inner[:start] + _written(inner, start, end, node, _style_of(inner)) + inner[end:]
    return json.dumps(text.decode("utf-8", "surrogatepass"), ensure_ascii=quoted.isascii()).encode(
        "utf-8", "surrogatepass"
    )


def _written_container(data: bytes, at: int, end: int, node: _Node, style: _Style) -> bytes:
    members, space = _members(data, at)
    is_object = data[at : at + 1] == b"{"
    last_of = {member.key: index for index, member in enumerate(members)}
    usual = _usual_lead(members, style)
    pieces: list[bytes] = []

    def add(body: bytes, lead: bytes, trail: bytes = b"") -> None:
        pieces.append((lead if pieces else members[0].lead if members else b"") + body + trail)

    for index, member in enumerate(members):
        is_last = index == len(members) - 1
        child = node.children.get(member.key)
        lead = member.lead if index else usual
        trail = b"" if is_last else member.trail
        for value in child.before if child else ():
            add(_rendered(value, style), lead)
        is_dropped = child is not None and child.change is not None and child.change.what == "drop"
        if not is_dropped:
            is_meant = child is not None and last_of[member.key] == index
            text = (
                _written(data, member.at, member.end, child, style)
                if child and is_meant
                else data[member.at : member.end]
            )
            add(data[member.start : member.at] + text, lead, trail)
        for value in child.after if child else ():
            add(_rendered(value, style), usual)
    for key, child in node.children.items():
        if key not in last_of:
            added = _added(key, child, is_object=is_object, style=style)
            add(added, usual)
    tail = (members[-1].trail if members else space) if pieces else b""
    return data[at : at + 1] + b",".join(pieces) + tail + data[end - 1 : end]


def _added(key: str, child: _Node, *, is_object: bool, style: _Style) -> bytes:
    """Write a key that the object does not have yet; raises LookupError where there is nothing to add."""
    if not is_object or child.change is None or child.change.what != "put":
        raise LookupError(key)
    return _rendered(key, style) + (b": " if style.is_spaced else b":") + _rendered(child.change.value, style)


def _usual_lead(members: Sequence[_Member], style: _Style) -> bytes:
    """Tell the white space before a member that is not the first."""
    if len(members) > 1:
        return members[1].lead
    if members and b"\n" in members[0].lead:
        return members[0].lead
    return b" " if style.is_spaced else b""


def _members(data: bytes, at: int) -> tuple[list[_Member], bytes]:
    """Give the members of the container at an offset, and the white space in it when it is empty."""
    members = list(_walk(data, at))
    after = skip_space(data, at + 1)
    return members, data[at + 1 : after] if not members else b""


def _walk(data: bytes, at: int) -> Iterator[_Member]:
    opener = data[at : at + 1]
    if opener not in _CONTAINERS:
        raise LookupError("no container")
    at, index = at + 1, 0
    while True:
        start = skip_space(data, at)
        if data[start : start + 1] in (b"", b"}", b"]"):
            return
        key, value = str(index), start
        if opener == b"{":
            name = _STRING.match(data, start)
            if name is None:
                raise LookupError("no key")
            key = quoted_key(name[0])
            value = skip_space(data, skip_space(data, name.end()) + 1)
        end = end_of_value(data, value)
        if end == value:
            raise LookupError("no value")
        after = skip_space(data, end)
        yield _Member(key, start, value, end, data[at:start], data[end:after])
        at, index = after + 1, index + 1
        if data[after : after + 1] != b",":
            return
