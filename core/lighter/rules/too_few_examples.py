"""A training file has fewer rows than its trainer wants.

## What
OpenAI and Azure want at least ten rows. A file that is a part of one may well have fewer: this is information only.

## Why it is refused
A job with fewer rows is refused before it begins.

## Example
Bad: a file with this one row.
```
{"messages": [{"role": "user", "content": "How high is the tide?"}, {"role": "assistant", "content": "2.1 m"}]}
```
Good: a file with ten or more.

## Fix
Add examples; improvements are usually seen from fifty on.
"""

from collections.abc import Iterator

from lighter.rule import Example, Finding, Refusal, Rule
from lighter.rules import FileFacts
from lighter.rules._rows import OPENAI
from lighter.vendors import MIN_EXAMPLES

RULE = Rule(
    code="T105",
    name="too-few-examples",
    summary="a training file has fewer rows than its trainer wants",
    severity=dict.fromkeys(OPENAI, "info"),
    modes=("finetune",),
    refusals=(
        Refusal(
            ("openai-finetune",),
            "Training file has 7 example(s), but must have at least 10 examples",
            "openai-php/client RetrieveJobResponseError (invalid_n_examples)",
        ),
    ),
    source="https://platform.openai.com/docs/guides/supervised-fine-tuning",
)


def check_file(file: FileFacts) -> Iterator[Finding]:
    """Compare the number of rows with the least that is taken."""
    fewest = MIN_EXAMPLES.get(file.target, 0)
    if file.first is not None and 0 < file.rows < fewest:
        count = f"{file.rows} row" + "s" * (file.rows > 1)
        yield Finding(file.first, "", f"the file has {count}, and {fewest} are wanted", "add examples")


_ROW = '{"messages": [{"role": "user", "content": "Tide?"}, {"role": "assistant", "content": "2.1 m"}]}\n'

VALID = (
    Example(_ROW * 10, target="openai-finetune"),
    # Others set no limit.
    Example(_ROW, target="together-finetune"),
)

INVALID = (
    Example(_ROW * 9, ("",), target="openai-finetune"),
    Example(_ROW, ("",), target="azure-finetune"),
)
