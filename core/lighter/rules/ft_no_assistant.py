"""A training row has no answer to learn from.

## What
None of the row's messages is the assistant's, or none in one of the two answers of a row for preferences. Rows for reinforcement, which a grader judges by keys of their own, need none.

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

from lighter.jsontext import step
from lighter.records import Record
from lighter.rule import Example, Finding, Refusal, Rule
from lighter.rules._rows import ANSWERS, OPENAI, is_supervised, may_answer, messages_in, role_in

RULE = Rule(
    code="T102",
    name="ft-no-assistant",
    summary="a training row has no answer to learn from",
    severity=dict.fromkeys((*OPENAI, "together-finetune"), "error"),
    modes=("finetune",),
    refusals=(
        Refusal(
            ("openai-finetune",),
            "example_missing_assistant_message",
            "https://cookbook.openai.com/examples/chat_finetuning_data_prep",
        ),
        Refusal(
            ("together-finetune",),
            "At least one message with the assistant role must be present on line 1.",
            "togethercomputer/together-python src/together/utils/files.py",
        ),
    ),
    source="https://cookbook.openai.com/examples/chat_finetuning_data_prep",
)


def check_row(record: Record, row: Any) -> Iterator[Finding]:
    """Find a row without a message of the assistant."""
    help_ = "add the answer, or drop the row"
    messages = messages_in(row)
    if messages:
        if is_supervised(row) and not any(map(may_answer, messages)):
            yield Finding(record, "/messages", "no message of this row is the assistant's", help_)
        return
    for key in ANSWERS:
        answer = row.get(key) if isinstance(row, dict) else None
        if isinstance(answer, list) and answer and not any(map(_IS_ANSWER[key], answer)):
            yield Finding(record, step(key), f"no message in `{key}` is the assistant's", help_)


def _is_answer(message: Any) -> bool:
    return role_in(message) == "assistant"


_IS_ANSWER = {"preferred_output": may_answer, "non_preferred_output": _is_answer}
"""How an answer is told; the roles in the one that is not preferred are no other rule's matter."""


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
    Example(
        '{"input": {"messages": [{"role": "user", "content": "Tide?"}]}, "preferred_output": [{"role": "assistant", "content":'
        ' "2.1 m"}], "non_preferred_output": [{"role": "user", "content": "Wet."}]}',
        ("/non_preferred_output",),
        target="openai-finetune",
    ),
    Example('{"messages": [{"role": "user", "content": "Tide?"}]}', ("/messages",), target="together-finetune"),
    # No other rule looks at the roles of the worse answer.
    Example(
        '{"input": {"messages": [{"role": "user", "content": "Tide?"}]}, "preferred_output": [{"role": "assistant", "content":'
        ' "2.1 m"}], "non_preferred_output": [{"role": "assistent", "content": "Wet."}]}',
        ("/non_preferred_output",),
        target="openai-finetune",
    ),
)
