"""Keys that occur more than once in one object: all values but the last are lost to every parser."""

import json
import re
from collections import Counter
from collections.abc import Iterator
from typing import Any

from lighter.jsontext import step

_UNPRINTABLE = re.compile("[\ud800-\udfff]")


class _Repeated(dict[str, Any]):
    """An object some of whose keys occurred more than once."""

    counts: Counter[str]


def repeated_keys(data: bytes, value: Any) -> list[str]:
    """Give the pointers of keys that a JSON text has more than once in one object; `value` is what was parsed from it."""
    if not may_repeat_keys(data, key_count(value)):
        return []
    return [path + step_of(key) for path, key, _ in repetitions(data)]


def repetitions(data: bytes) -> Iterator[tuple[str, str, int]]:
    """Give the pointer of the object, the key, and how often it occurs."""
    try:
        exact = json.loads(data, object_pairs_hook=_object)
    except (ValueError, RecursionError):
        return
    for path, item in _objects(exact):
        yield from ((path, key, count) for key, count in item.counts.items() if count > 1)


def may_repeat_keys(data: bytes, count: int) -> bool:
    r"""Say quickly whether a record may have a key twice; `count` counts the keys of its parsed value.

    Never false when it has. A key ends with `":`, and so does nothing else but a string that starts with a colon; inside strings
    the quote is escaped, and `\":` is counted twice and taken off. Two kinds of keys would be counted wrongly, and are doubted
    at once: one that ends with a backslash, and one with white space before its colon.
    """
    if data.count(b'":') - data.count(b'\\":') != count:
        return True
    end = len(data.rstrip())
    return (
        b'\\\\":' in data or b" :" in data or data.find(b"\t", 0, end) != -1 or data.find(b"\n", 0, end) != -1
        or data.find(b"\r", 0, end) != -1
    )  # fmt: skip


def key_count(value: Any) -> int:
    """Count the keys of all objects in a value."""
    count, stack = 0, [value]
    while stack:
        item = stack.pop()
        if isinstance(item, dict):
            count += len(item)
            stack.extend(item.values())
        elif isinstance(item, list):
            stack.extend(item)
    return count


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    counts = Counter(key for key, _ in pairs)
    if len(counts) == len(pairs):
        return dict(pairs)
    repeated = _Repeated(pairs)
    repeated.counts = counts
    return repeated


def _objects(value: Any) -> Iterator[tuple[str, _Repeated]]:
    stack = [("", value)]
    while stack:
        path, item = stack.pop()
        if isinstance(item, _Repeated):
            yield path, item
        match item:
            case dict():
                stack.extend((path + step_of(key), child) for key, child in reversed(item.items()))
            case list():
                stack.extend((path + step(index), item[index]) for index in range(len(item) - 1, -1, -1))
            case _:
                pass


def step_of(key: str) -> str:
    """Give the step of a pointer for a key, which may hold half a character."""
    return step(_UNPRINTABLE.sub("\ufffd", key))
