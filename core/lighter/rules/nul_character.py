r"""A string holds the character U+0000.

## What
The escape `\u0000` is legal in JSON, and stands for a character that ends strings in C. It comes from binary output of tools.

## Why it is refused
PostgreSQL stores it neither in `text` nor in `jsonb`, and whatever is written in C may cut the text there.

## Example
Bad:
```json
{"role": "user", "content": "a\u0000b"}
```
Good: text that spells the escape.
```json
{"role": "user", "content": "print \\u0000"}
```

## Fix
Delete the character, or replace it by U+FFFD, if it means nothing to you.
"""

from collections.abc import Iterator
from typing import Any

from lighter import jsontext
from lighter.broken import leaves
from lighter.diagnostics import Fix
from lighter.edits import Put, Repair, repair
from lighter.providers import TARGETS
from lighter.records import Record
from lighter.rule import Example, Finding, Refusal, Rule

RULE = Rule(
    code="F107",
    name="nul-character",
    summary="a string holds the character U+0000",
    severity=dict.fromkeys(TARGETS, "warning"),
    refusals=(
        Refusal(
            ("PostgreSQL",),
            "unsupported Unicode escape sequence DETAIL: \\u0000 cannot be converted to text.",
            "https://github.com/Pythagora-io/gpt-pilot/issues/753",
        ),
    ),
    source="https://github.com/getsentry/junior/issues/897",
    fix=Fix("unsafe", "replace it by U+FFFD"),
)

_HELP = "delete it, or replace it by U+FFFD: PostgreSQL stores no such text"


def check_record(record: Record, value: Any) -> Iterator[Finding]:
    """Find strings, keys included, that hold U+0000."""
    if b"\\u0000" not in record.data:
        return
    for path, leaf in leaves(value):
        if isinstance(leaf, str) and (count := leaf.count("\0")):
            times = "" if count == 1 else f" {count} times"
            yield Finding(record, path, f"this string holds U+0000{times}", _HELP, repair=_repair(record, path, leaf))


def _repair(record: Record, path: str, text: str) -> Repair | None:
    """Write U+FFFD in its place; not in a key, by which others may look for its value."""
    try:
        is_key = jsontext.value_at(record.value, path) != text
    except LookupError:
        return None
    return None if is_key else repair(Put(record, path, text.replace("\0", "\ufffd")))


VALID = (
    Example('{"role": "user", "content": "print \\\\u0000 and \\\\\\\\u0000"}\n'),
    Example('{"role": "user", "content": "\\u0001 \\u2400"}\n'),
)

INVALID = (
    Example('{"role":"user","content":"a\\u0000b"}\n', ("/0/content",)),
    Example(
        '{"role": "user", "content": [{"type": "text", "text": "\\\\u0000"}, {"type": "text", "text": "\\u0000\\u0000"}]}\n',
        ("/0/content/1/text",),
    ),
)
