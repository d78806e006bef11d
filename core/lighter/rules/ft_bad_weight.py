"""The weight of a training message is not 0 or 1, or stands on a message that is not the assistant's.

## What
`weight` says whether an answer is learnt (1) or only read (0). It is a whole number, and at OpenAI only the assistant's messages
have one.

## Why it is refused
Validation knows no weights in between, and nothing is learnt from what others say.

## Example
Bad:
```
{"messages": [{"role": "user", "content": "Tide?"}, {"role": "assistant", "content": "2.1 m", "weight": 0.5}]}
```
Good:
```
{"messages": [{"role": "user", "content": "Tide?"}, {"role": "assistant", "content": "2.1 m", "weight": 1}]}
```

## Fix
Write 0 or 1, and take the weight off other messages.
"""

from collections.abc import Iterator

from lighter.passage import Passage
from lighter.rule import Aim, Example, Finding, Refusal, Rule
from lighter.rules._rows import OPENAI
from lighter.rules._telling import shown
from lighter.wire import fields_of, role_of

RULE = Rule(
    code="T104",
    name="ft-bad-weight",
    summary="the weight of a training message is not 0 or 1, or stands on a message that is not the assistant's",
    severity=dict.fromkeys((*OPENAI, "together-finetune", "mistral"), "error"),
    modes=("finetune",),
    formats=("openai-chat", "mistral"),
    refusals=(
        Refusal(("mistral",), "weight must be either 0 or 1", "mistral_common 1.13.1 MistralRequestValidator"),
        Refusal(
            ("together-finetune",),
            "Weight must be either 0 or 1",
            "togethercomputer/together-python src/together/utils/files.py at 05b6739d",
        ),
    ),
    source="https://github.com/openai/openai-cookbook/issues/1270",
)


def check(passage: Passage, aim: Aim) -> Iterator[Finding]:
    """Find weights of other values, and those of other messages."""
    for message in passage.messages:
        weight = fields_of(message).get("weight")
        if weight is None:
            continue
        path, role = f"{message.path}/weight", role_of(message)
        if role not in ("assistant", None) and aim.target in OPENAI:
            said = f"a message of role {shown(role)} has a weight"
            yield Finding(message.record, path, said, "take it off: only answers have one", refusals=())
        elif not isinstance(weight, int) or weight not in (0, 1) or (isinstance(weight, bool) and aim.target in OPENAI):
            yield Finding(message.record, path, f"the weight is {shown(weight)}, not 0 or 1", "write 0 or 1")


def _row(user: str, weight: str) -> str:
    return (
        f'{{"messages": [{{"role": "user", "content": "Tide?"{user}}}, {{"role": "assistant", "content": "2.1 m", "weight": {weight}}},'
        ' {"role": "user", "content": "And now?"}, {"role": "assistant", "content": "2.0 m"}]}'
    )


VALID = (
    Example(_row("", "0"), target="openai-finetune"),
    Example(_row("", "1"), target="azure-finetune"),
    Example(_row("", "null"), target="openai-finetune"),
)

INVALID = (
    Example(_row("", "0.5"), ("/messages/1/weight",), target="openai-finetune"),
    Example(_row("", "true"), ("/messages/1/weight",), target="openai-finetune"),
    Example(_row("", "2"), ("/messages/1/weight",), target="together-finetune"),
    Example(_row(', "weight": 1', "1"), ("/messages/0/weight",), target="azure-finetune"),
)
