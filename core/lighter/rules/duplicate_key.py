"""An object has the same key twice.

## What
JSON allows it, and says nothing of what it means. Both values stand in the file, and nearly every parser keeps the last in silence. The
finding points at the key; its row and column are those of the last value.

## Why it is refused
RFC 8259, section 4: names should be unique, and what readers do otherwise is unpredictable. One value is lost to every tool that
reads the file; which one differs between tools.

## Example
Refused:
```json
{"role": "user", "content": "What is the tide?", "content": "And tomorrow?"}
```
Accepted: the same key in different objects.
```json
{"role": "user", "content": [{"type": "text", "text": "a"}, {"type": "text", "text": "b"}]}
```

## Fix
Keep the value that was meant, under one key.
"""

import json
import re
from collections import Counter
from collections.abc import Iterator
from typing import Any

from lighter.excerpt import short
from lighter.jsontext import step
from lighter.providers import TARGETS
from lighter.records import Record
from lighter.rule import Example, Finding, Rule

RULE = Rule(
    code="F111",
    name="duplicate-key",
    summary="An object has the same key twice",
    severity=dict.fromkeys(TARGETS, "warning"),
    source="https://www.rfc-editor.org/rfc/rfc8259#section-4",
)

_KEY_LIMIT = 60
_UNPRINTABLE = re.compile("[\ud800-\udfff]")


class _Doubled(dict[str, Any]):
    """An object some of whose keys occurred more than once."""

    counts: Counter[str]


def check_record(record: Record, value: Any) -> Iterator[Finding]:
    """Find keys that occur more than once in one object."""
    if not may_have_duplicate_keys(record.data, _key_count(value)):
        return
    try:
        exact = json.loads(record.data, object_pairs_hook=_object)
    except (ValueError, RecursionError):
        return
    for path, item in _objects(exact):
        for key, count in item.counts.items():
            if count > 1:
                times = "twice" if count == 2 else f"{count} times"
                message = f"the key `{short(key, _KEY_LIMIT)}` occurs {times}, and all values but one are lost"
                yield Finding(record, path + _step(key), message, help="keep one of them")


def may_have_duplicate_keys(data: bytes, key_count: int) -> bool:
    r"""Say quickly whether a record may have a key twice; `key_count` counts the keys of its parsed value.

    Never false when it has. A key ends with `":`, and so does nothing else but a string that starts with a colon; inside strings
    the quote is escaped, and `\":` is counted twice and taken off. Two kinds of keys would be counted wrongly, and are doubted
    at once: one that ends with a backslash, and one with white space before its colon.
    """
    if data.count(b'":') - data.count(b'\\":') != key_count:
        return True
    end = len(data.rstrip())
    return (
        b'\\\\":' in data or b" :" in data or data.find(b"\t", 0, end) != -1 or data.find(b"\n", 0, end) != -1
        or data.find(b"\r", 0, end) != -1
    )  # fmt: skip


def _key_count(value: Any) -> int:
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
    doubled = _Doubled(pairs)
    doubled.counts = counts
    return doubled


def _objects(value: Any) -> Iterator[tuple[str, _Doubled]]:
    stack = [("", value)]
    while stack:
        path, item = stack.pop()
        if isinstance(item, _Doubled):
            yield path, item
        match item:
            case dict():
                stack.extend((path + _step(key), child) for key, child in reversed(item.items()))
            case list():
                stack.extend((path + step(index), item[index]) for index in range(len(item) - 1, -1, -1))
            case _:
                pass


def _step(key: str) -> str:
    return step(_UNPRINTABLE.sub("\ufffd", key))


VALID = (
    Example('{"role": "user", "content": [{"type": "text", "text": "a"}, {"type": "text", "text": "b"}]}\n'),
    Example('{"role": "user", "content": "{\\"a\\": 1, \\"a\\": 2}, \\"role\\":\\"user\\""}\n'),
    Example('{"role" : "user", "content" : "hi", "Role": "x"}\n'),
)

INVALID = (
    Example('{"role": "user", "content": "What is the tide?", "content": "And tomorrow?"}\n', ("/0/content",)),
    Example(
        '{"messages": [{"role": "user", "content": "hi", "role" : "assistant"}, {"role": "user", "content": "hi"}]}\n',
        ("/0/messages/0/role",),
    ),
    Example('{"role": "user", "content": "hi", "con\\u0074ent": "ho"}\n', ("/0/content",)),
)
