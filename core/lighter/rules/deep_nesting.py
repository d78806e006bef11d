"""Objects and arrays are nested deeper than parsers go.

## What
More than 250 brackets are open at once. Conversations need about ten; what is deeper was built by a program that went astray, or to
make readers fail. Beyond a thousand levels the record is not read at all.

## Why it is refused
Parsers stop at a limit of their own so as not to run out of stack: .NET at 64 levels, Rust's serde at 128, Python and orjson at about
1,000, and orjson writes only 253.

## Example
Bad: 300 brackets, here shortened.
```text
{"role": "user", "content": "hi", "state": [[[[…]]]]}
```
Good: brackets in a string.
```json
{"role": "user", "content": "[[[[[[[["}
```

## Fix
Find out what wrote it. Nothing of it belongs into a transcript.
"""

import re
from collections.abc import Iterator
from typing import Any

from lighter.broken import MOST_LEVELS
from lighter.providers import TARGETS
from lighter.records import Record
from lighter.rule import Example, Finding, Rule

RULE = Rule(
    code="F113",
    name="deep-nesting",
    summary="objects and arrays are nested deeper than parsers go",
    severity=dict.fromkeys(TARGETS, "error"),
    source="https://www.rfc-editor.org/rfc/rfc8259#section-9",
)

_BRACKETS = re.compile(rb"[\[{]")


def check_record(record: Record, value: Any) -> Iterator[Finding]:
    """Find records with more levels than `MOST_LEVELS`."""
    if len(record.data) <= 2 * MOST_LEVELS or len(_BRACKETS.findall(record.data)) <= MOST_LEVELS:
        return
    levels = _depth(value)
    if levels > MOST_LEVELS:
        yield Finding(record, "", f"{levels} levels of nesting; parsers give up at fewer", help="find what wrote it")


def _depth(value: Any) -> int:
    depth, level = 0, [value]
    while level := [item for item in level if isinstance(item, dict | list)]:
        depth += 1
        level = [child for item in level for child in (item.values() if isinstance(item, dict) else item)]
    return depth


VALID = (
    Example('{"role": "user", "content": "' + "[" * 2000 + '"}\n'),
    Example('{"role": "user", "content": "hi", "state": ' + "[" * 100 + "]" * 100 + "}\n"),
)

INVALID = (
    Example('{"role": "user", "content": "hi", "state": ' + "[" * 300 + "]" * 300 + "}\n", ("/0",)),
    Example('{"role": "user", "content": "hi"}\n' + '{"a":' * 3000 + "1" + "}" * 3000 + "\n", ("/1",)),
)
