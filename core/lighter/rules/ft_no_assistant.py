"""A training row has no answer to learn from.

## What
None of the row's messages is the assistant's. Rows for reinforcement, which a grader judges by keys of their own, need none.

## Why it is refused
A model is trained on the assistant's messages alone, and the file's validation wants at least one in each row.

## Example
Bad:
```
{"messages": [{"role": "system", "content": "You answer briefly."}, {"role": "user", "content": "How high is the tide?"}]}
```
Good:
```
{"messages": [{"role": "user", "content": "How high is the tide?"}, {"role": "assistant", "content": "2.1 m"}]}
```

## Fix
Add the answer, or drop the row.
"""

from collections.abc import Iterator
from typing import Any

from lighter.records import Record
from lighter.rule import Example, Finding, Refusal, Rule
from lighter.rules._rows import OPENAI, is_supervised, messages_in, role_in

RULE = Rule(
    code="T102",
    name="ft-no-assistant",
    summary="a training row has no answer to learn from",
    severity=dict.fromkeys(OPENAI, "error"),
    modes=("finetune",),
    refusals=(
        Refusal(
            ("openai-finetune",),
            "example_missing_assistant_message",
            "https://cookbook.openai.com/examples/chat_finetuning_data_prep",
        ),
    ),
    source="https://cookbook.openai.com/examples/chat_finetuning_data_prep",
)


def check_row(record: Record, row: Any) -> Iterator[Finding]:
    """Find a row without a message of the assistant."""
    messages = messages_in(row)
    if messages and is_supervised(row) and not any(role_in(message) == "assistant" for message in messages):
        yield Finding(
            record, "/messages", "no message of this row is the assistant's", "add the answer, or drop the row"
        )


VALID = (
    Example(
        '{"messages": [{"role": "user", "content": "Tide?"}, {"role": "assistant", "content": "2.1 m"}]}\n',
        target="openai-finetune",
    ),
    # A row for reinforcement: the grader has the answer.
    Example(
        '{"messages": [{"role": "user", "content": "Tide?"}], "reference_answer": "2.1 m"}\n', target="openai-finetune"
    ),
)

INVALID = (
    Example('{"messages": [{"role": "user", "content": "Tide?"}]}', ("/messages",), target="openai-finetune"),
    Example(
        '{"messages": [{"role": "user", "content": "Tide?"}, {"role": "assistant", "content": "2.1 m"}]}\n'
        '{"messages": [{"role": "system", "content": "You answer."}, {"role": "user", "content": "Tide?"}], "tools": []}\n',
        ("/1/messages",),
        target="azure-finetune",
    ),
)
