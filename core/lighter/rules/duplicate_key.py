"""An object has the same key twice.

## What
JSON allows it, and says nothing of what it means. Both values stand in the file, and nearly every parser keeps the last in silence. The
finding points at the key; its row and column are those of the last value.

## Why it is refused
RFC 8259, section 4: names should be unique, and what readers do otherwise is unpredictable. One value is lost to every tool that
reads the file; which one differs between tools.

## Example
Bad:
```json
{"role": "user", "content": "What is the tide?", "content": "And tomorrow?"}
```
Good: the same key in different objects.
```json
{"role": "user", "content": [{"type": "text", "text": "a"}, {"type": "text", "text": "b"}]}
```

## Fix
Keep the value that was meant, under one key.
"""

from collections.abc import Iterator
from typing import Any

from lighter.excerpt import short
from lighter.providers import TARGETS
from lighter.records import Record
from lighter.repeated import key_count, may_repeat_keys, repetitions, step_of
from lighter.rule import Example, Finding, Rule

RULE = Rule(
    code="F111",
    name="duplicate-key",
    summary="an object has the same key twice",
    severity=dict.fromkeys(TARGETS, "warning"),
    source="https://www.rfc-editor.org/rfc/rfc8259#section-4",
)

_KEY_LIMIT = 60


def check_record(record: Record, value: Any) -> Iterator[Finding]:
    """Find keys that occur more than once in one object."""
    if may_repeat_keys(record.data, key_count(value)):
        for path, key, count in repetitions(record.data):
            times = "twice" if count == 2 else f"{count} times"
            message = f"the key `{short(key, _KEY_LIMIT)}` occurs {times}, and all values but one are lost"
            yield Finding(record, path + step_of(key), message, help="keep one of them")


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
