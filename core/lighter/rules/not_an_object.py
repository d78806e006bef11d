"""A record is a bare string, number, true, false or null.

## What
Every record of a log is an object: a message, a request, a conversation. Lists of messages are read too. This one is a single value
that says nothing about who spoke.

## Why it is refused
No reader of transcripts knows what to do with it, and many fail on it: they look a key up before they look at the type.

## Example
Bad: the second line.
```json
{"role": "user", "content": "hi"}
"just a string"
```
Good:
```json
{"role": "user", "content": "just a string"}
```

## Fix
Delete the line, or write it as a message.
"""

from collections.abc import Iterator
from typing import Any

from lighter.providers import TARGETS
from lighter.records import Record
from lighter.rule import Example, Finding, Refusal, Rule
from lighter.wire import type_name

RULE = Rule(
    code="F114",
    name="not-an-object",
    summary="a record is no object",
    severity=dict.fromkeys(TARGETS, "error"),
    refusals=(
        Refusal(
            ("openai-finetune",),
            "Expected file to have JSONL format, where every line is a JSON dictionary. Line 1 is not a dictionary (HINT: line starts with: …).",
            "https://github.com/openai/openai-python/issues/426",
        ),
    ),
    source="https://github.com/link-assistant/hive-mind/pull/1969",
)


def check_record(record: Record, value: Any) -> Iterator[Finding]:
    """Find records that are neither an object nor a list."""
    if not isinstance(value, dict | list):
        yield Finding(record, "", f"this record is {type_name(value)}, not an object", "delete it, or write a message")


VALID = (
    Example('{"role": "user", "content": "just a string"}\n'),
    Example('[{"role": "user", "content": "hi"}]\n[{"role": "user", "content": "hello"}]\n'),
)

INVALID = (
    Example('{"role": "user", "content": "hi"}\n"just a string"\n', ("/1",)),
    Example('{"role": "user", "content": "hi"}\nnull\n17\n{"role": "assistant", "content": "hello"}\n', ("/1", "/2")),
)
