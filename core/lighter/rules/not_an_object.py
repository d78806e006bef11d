"""A record is a bare string, number, true, false or null, or a list of such.

## What
Every record of a log is an object: a message, a request, a conversation. Lists of messages are read too. This one is a single value
that says nothing about who spoke, or a list of nothing but such values.

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
    """Find records that are neither an object nor a list that may hold some."""
    # What begins a file may be all of it: data of another kind, which is nobody's transcript.
    is_bare_list = isinstance(value, list) and value and record.row > 1 and not _may_be_messages(value)
    if is_bare_list or not isinstance(value, dict | list):
        what = "a list without any object" if is_bare_list else type_name(value)
        yield Finding(record, "", f"this record is {what}, not an object", "delete it, or write a message")


def _may_be_messages(listed: list[Any]) -> bool:
    """Say whether a list may be LangChain's pair of a role and a text, or holds a message, a list, or the JSON text of either."""
    if len(listed) == 2 and all(isinstance(item, str) for item in listed):
        return True
    # What a node of a LangGraph writes into a stream is any value: `["custom", 0.5]`.
    return listed[0] == "custom" or any(
        isinstance(item, dict | list) or (isinstance(item, str) and item.lstrip()[:1] in ("{", "[")) for item in listed
    )


VALID = (
    Example('["human", "hi"]\n["ai", "hello"]\n'),
    Example('{"role": "user", "content": "just a string"}\n'),
    Example('[{"role": "user", "content": "hi"}]\n[{"role": "user", "content": "hello"}]\n'),
)

INVALID = (
    Example('{"role": "user", "content": "hi"}\n[1, "b"]\n', ("/1",)),
    Example('{"role": "user", "content": "hi"}\n"just a string"\n', ("/1",)),
    Example('{"role": "user", "content": "hi"}\nnull\n17\n{"role": "assistant", "content": "hello"}\n', ("/1", "/2")),
)
