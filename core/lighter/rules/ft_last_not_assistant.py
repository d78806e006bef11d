"""A training row does not end with the assistant.

## What
The last message of the row is the user's, a tool's or the system's. An assistant's message with tool calls may well be the last:
the calls are what is learnt.

## Why it is refused
What follows the last answer teaches nothing, and validation refuses the row.

## Example
Bad:
```
{"messages": [{"role": "user", "content": "Tide?"}, {"role": "assistant", "content": "2.1 m"}, {"role": "user", "content": "Thanks"}]}
```
Good:
```
{"messages": [{"role": "user", "content": "Tide?"}, {"role": "assistant", "content": "2.1 m"}]}
```

## Fix
Cut off what follows the last answer.
"""

from collections.abc import Iterator
from typing import Any

from lighter.diagnostics import Fix
from lighter.edits import Drop, repair
from lighter.records import Record
from lighter.rule import Example, Finding, Rule
from lighter.rules._rows import OPENAI, is_supervised, may_answer, messages_in, role_in
from lighter.rules._telling import shown

RULE = Rule(
    code="T103",
    name="ft-last-not-assistant",
    summary="a training row does not end with the assistant",
    severity=dict.fromkeys(OPENAI, "error"),
    modes=("finetune",),
    source="https://platform.openai.com/docs/guides/supervised-fine-tuning; kohhnagata/clone-factory-v1#3",
    fix=Fix("unsafe", "cut off what follows the last answer"),
)


def check_row(record: Record, row: Any) -> Iterator[Finding]:
    """Find a last message that is not the assistant's, in rows that have one."""
    messages = messages_in(row)
    if not messages or not is_supervised(row) or role_in(messages[-1]) is None or may_answer(messages[-1]):
        return
    if any(role_in(message) == "assistant" for message in messages):
        said = f"the row ends with a message of role {shown(role_in(messages[-1]))}"
        last = max(n for n, message in enumerate(messages) if role_in(message) == "assistant")
        made = repair(*(Drop(record, f"/messages/{n}") for n in range(last + 1, len(messages))))
        path = f"/messages/{len(messages) - 1}"
        yield Finding(record, path, said, "cut off what follows the last answer", repair=made)


VALID = (
    Example(
        '{"messages": [{"role": "user", "content": "Tide?"}, {"role": "assistant", "content": "2.1 m"}]}\n',
        target="openai-finetune",
    ),
    Example(
        '{"messages": [{"role": "user", "content": "Tide?"}, {"role": "assistant", "tool_calls": [{"id": "call_1", "type":'
        ' "function", "function": {"name": "read_tide", "arguments": "{}"}}]}], "tools": [{"type": "function", "function": {"name":'
        ' "read_tide"}}]}\n',
        target="openai-finetune",
    ),
)

INVALID = (
    Example(
        '{"messages": [{"role": "user", "content": "Tide?"}, {"role": "assistant", "content": "2.1 m"}, {"role": "user", "content":'
        ' "Thanks"}]}',
        ("/messages/2",),
        target="openai-finetune",
    ),
    Example(
        '{"messages": [{"role": "user", "content": "Tide?"}, {"role": "assistant", "content": null, "tool_calls": [{"id": "call_1",'
        ' "type": "function", "function": {"name": "read_tide", "arguments": "{}"}}]}, {"role": "tool", "tool_call_id": "call_1",'
        ' "content": "2.1 m"}], "tools": [{"type": "function", "function": {"name": "read_tide"}}]}',
        ("/messages/2",),
        target="azure-finetune",
    ),
)
