"""A training row has no messages.

## What
Each row of a training file for chat models is an object with a list `messages` (or, for preferences, `input` with
`preferred_output` and `non_preferred_output`). Here it is something else: `prompt` and `completion`, a bare message, or a row
for preferences that lacks one of its three lists.

## Why it is refused
The file is validated before training begins, and one bad row is enough to refuse it.

## Example
Bad:
```
{"prompt": "How high is the tide?", "completion": "2.1 m"}
```
Good:
```
{"messages": [{"role": "user", "content": "How high is the tide?"}, {"role": "assistant", "content": "2.1 m"}]}
```

## Fix
Write each conversation as one row with its `messages`.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from lighter.jsontext import step
from lighter.records import Record
from lighter.rule import Example, Finding, Refusal, Rule
from lighter.rules._rows import ANSWERS, OPENAI, is_preference

_LISTS = (("input", "messages"), *((key,) for key in ANSWERS))

RULE = Rule(
    code="T101",
    name="ft-missing-messages",
    summary="a training row has no messages",
    severity=dict.fromkeys(OPENAI, "error"),
    modes=("finetune",),
    refusals=(
        Refusal(
            ("azure-finetune",),
            "contains invalid schema",
            "https://github.com/microsoft-foundry/fine-tuning/issues/23",
        ),
    ),
    source="https://cookbook.openai.com/examples/chat_finetuning_data_prep (missing_messages_list);"
    " https://developers.openai.com/api/docs/guides/direct-preference-optimization",
)


def check_row(record: Record, row: Any) -> Iterator[Finding]:
    """Find a row without a list of messages."""
    if not isinstance(row, dict) or "messages" in row:
        return  # what is no object, or no list, is told by other rules
    if is_preference(row):
        yield from (_lacking(record, row, keys) for keys in _LISTS if not _has_messages(row, keys))
        return
    help_ = "write the conversation as `messages`"
    keys = " with `prompt` and `completion`" if "prompt" in row else ""
    said = "a message" if "role" in row else f"a row{keys}"
    yield Finding(record, "", f"this is {said}, not a conversation with `messages`", help_)


def _has_messages(row: Any, keys: Sequence[str]) -> bool:
    value = row
    for key in keys:
        value = value.get(key) if isinstance(value, dict) else None
    return isinstance(value, list) and bool(value)


def _lacking(record: Record, row: Mapping[str, Any], keys: Sequence[str]) -> Finding:
    """Point at what stands in the place of a row's list, or at what lacks it."""
    value: Any = row
    path = ""
    for key in keys:
        if not isinstance(value, dict) or key not in value:
            break
        value, path = value[key], path + step(key)
    name = ".".join(keys)
    return Finding(
        record, path, f"this row for preferences has no messages in `{name}`", f"write a list of messages as `{name}`"
    )


VALID = (
    Example(
        '{"messages": [{"role": "user", "content": "Tide?"}, {"role": "assistant", "content": "2.1 m"}]}\n',
        target="openai-finetune",
    ),
    Example(
        '{"input": {"messages": [{"role": "user", "content": "Tide?"}]}, "preferred_output": [{"role": "assistant", "content":'
        ' "2.1 m"}], "non_preferred_output": [{"role": "assistant", "content": "Wet."}]}\n',
        target="openai-finetune",
    ),
)

INVALID = (
    Example('{"prompt": "Tide?", "completion": "2.1 m"}', ("",), target="openai-finetune"),
    Example(
        '{"messages": [{"role": "user", "content": "Tide?"}, {"role": "assistant", "content": "2.1 m"}]}\n'
        '{"messagess": [{"role": "user", "content": "Tide?"}, {"role": "assistant", "content": "2.1 m"}]}\n',
        ("/1",),
        target="azure-finetune",
    ),
    Example(
        '{"input": [{"role": "user", "content": "Tide?"}], "preferred_output": [{"role": "assistant", "content": "2.1 m"}]}',
        ("", "/input"),
        target="openai-finetune",
    ),
)
