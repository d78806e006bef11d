"""Taking values out of lists: of the bytes of a JSON text, whose other bytes stay, and of Python objects."""

import json
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any

from lighter import jsontext
from lighter.jsontext import keys_of
from lighter.locate import children, end_of_value
from lighter.objects import plain
from lighter.scan import skip_space

_Paths = list[list[str]]


def cut(data: bytes, paths: Iterable[str]) -> bytes:
    """Take the items of lists at some JSON Pointers out of a JSON text; all else stays byte for byte.

    A pointer may go on into JSON held in a string, which is then written anew with the escapes that it had. A pointer that
    names no item of a list takes nothing away.
    """
    found = [keys for path in paths if (keys := keys_of(path))]
    return _cut(data, skip_space(data, 0), found) if found else data


def without(value: Any, paths: Iterable[str]) -> Any:
    """Give a value of lists and dicts without the items of lists at some pointers; what is not touched is the same object."""
    return _without(value, [keys for path in paths if (keys := keys_of(path))])


def _by_first(paths: _Paths) -> tuple[set[str], dict[str, _Paths]]:
    """Tell which children are named themselves, and what is named inside others."""
    named = {keys[0] for keys in paths if len(keys) == 1}
    inner: dict[str, _Paths] = {}
    for keys in paths:
        if len(keys) > 1 and keys[0] not in named:
            inner.setdefault(keys[0], []).append(keys[1:])
    return named, inner


def _cut(data: bytes, at: int, paths: _Paths) -> bytes:
    """Give a text without what the paths name in the value at an offset."""
    if data[at : at + 1] == b'"':
        return _cut_in_string(data, at, paths)
    named, inner = _by_first(paths)
    found = children(data, at)
    spans = [(key, start, end_of_value(data, start)) for key, start in found.items()]
    is_list = data[at : at + 1] == b"["
    pieces, done = [], 0
    if is_list and named & found.keys():
        pieces.append(data[: spans[0][1]])
        is_first = True
        for index, (key, start, end) in enumerate(spans):
            if key in named:
                continue
            if not is_first:
                pieces.append(data[spans[index - 1][2] : start])
            pieces.append(_item(data, start, end, inner.get(key)))
            is_first = False
        done = spans[-1][2]
    else:
        for key, start, end in sorted(spans, key=lambda span: span[1]):
            if key in inner:
                pieces += data[done:start], _item(data, start, end, inner[key])
                done = end
    return b"".join((*pieces, data[done:]))


def _item(data: bytes, start: int, end: int, paths: _Paths | None) -> bytes:
    text = data[start:end]
    return _cut(text, 0, paths) if paths else text


def _cut_in_string(data: bytes, at: int, paths: _Paths) -> bytes:
    """Give a text without what the paths name in the JSON that the string at an offset holds."""
    quoted = data[at : end_of_value(data, at)]
    text: str = json.loads(quoted)
    inner = text.encode("utf-8", "surrogatepass")
    changed = _cut(inner, skip_space(inner, 0), paths).decode("utf-8", "surrogatepass")
    is_ascii = json.dumps(text).encode() == quoted
    return (
        data[:at]
        + json.dumps(changed, ensure_ascii=is_ascii).encode("utf-8", "surrogatepass")
        + data[at + len(quoted) :]
    )


def _without(value: Any, paths: _Paths) -> Any:
    if not paths:
        return value
    named, inner = _by_first(paths)
    match value:
        case str():
            return jsontext.encode_text(_without(jsontext.decode(value), paths))
        case Mapping():
            return {key: _without(item, inner.get(str(key), [])) for key, item in value.items()}
        case Sequence() if not isinstance(value, bytes | bytearray):
            return _listed(value, named, inner)
        case _:
            return _without(plain(value), paths)


def _listed(items: Sequence[Any], named: Collection[str], inner: Mapping[str, _Paths]) -> Any:
    kept = [_without(item, inner.get(str(n), [])) for n, item in enumerate(items) if str(n) not in named]
    return tuple(kept) if isinstance(items, tuple) else kept
