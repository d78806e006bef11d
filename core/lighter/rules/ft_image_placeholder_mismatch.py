"""A training row has more or fewer marks for pictures than pictures.

## What
The texts of the row say by `<image>`, `<video>` or `<audio>` where the media of its columns `images`, `videos` and `audios` belong. Here
their numbers differ, or a column is text where it should be a list.

## Why it is refused
The trainer puts the first picture at the first mark, and stops when one is left over. Text for a list is only warned of: LLaMA-Factory
takes it for a list of one now (`_find_medias` in its `src/llamafactory/data/converter.py`), while older versions counted its letters.

## Example
Bad:
```
{"messages": [{"role": "user", "content": "<image>Which pier?"}, {"role": "assistant", "content": "Pier 3"}], "images": ["a.png", "b.png"]}
```
Good:
```
{"messages": [{"role": "user", "content": "<image><image>Which pier?"}, {"role": "assistant", "content": "Pier 3"}], "images": ["a.png", "b.png"]}
```

## Fix
Add or remove marks, or media, until their numbers agree; write a single picture as a list of one.
"""

from collections.abc import Iterator, Mapping
from typing import Any

from lighter.diagnostics import Fix
from lighter.edits import Put, repair
from lighter.records import Record
from lighter.rule import Example, Finding, Refusal, Rule

RULE = Rule(
    code="T107",
    name="ft-image-placeholder-mismatch",
    summary="a training row has more or fewer marks for pictures than pictures",
    severity={"generic": "error"},
    modes=("finetune",),
    spares=("openai-finetune", "azure-finetune", "together-finetune"),
    refusals=(
        Refusal(
            ("llamafactory",),
            "The number of images does not match the number of <image> tokens in […].",
            "hiyouga/LlamaFactory src/llamafactory/data/mm_plugin.py",
        ),
        Refusal(
            ("llamafactory",),
            "The number of images does not match the number of image tokens",
            "https://github.com/hiyouga/LlamaFactory/issues/5883",
        ),
    ),
    source="https://github.com/hiyouga/LlamaFactory/blob/main/data/README.md",
    fix=Fix("safe", "write text as a list of one"),
)

COLUMNS: Mapping[str, str] = {"images": "<image>", "videos": "<video>", "audios": "<audio>"}


def check_row(record: Record, row: Any) -> Iterator[Finding]:
    """Compare each column of media with the marks in the texts."""
    texts = list(_texts_of(row)) if isinstance(row, dict) else []
    # Who has no marks at all puts pictures where they belong in other ways.
    has_marks = any(mark in text for text in texts for mark in COLUMNS.values())
    for column, mark in COLUMNS.items():
        media = row.get(column) if texts else None
        if isinstance(media, str) and media:
            made = repair(Put(record, f"/{column}", [media]))
            said = f"`{column}` is text, not a list; older versions of LLaMA-Factory count its letters"
            help_ = f'write `["…"]` for one of {column}'
            yield Finding(record, f"/{column}", said, help_, repair=made, severity="warning")
            media = [media]
        if has_marks and isinstance(media, list):
            marks = sum(text.count(mark) for text in texts)
            if marks != len(media):
                said = f"`{column}` has {len(media)}, and the texts have {marks} `{mark}`"
                yield Finding(record, f"/{column}", said, "make the numbers agree")


def _texts_of(row: Mapping[str, Any]) -> Iterator[str]:
    """Walk the texts of a row's messages in either layout, of its answers in a ranking, and those of its instruction."""
    for key in ("messages", "conversations", "chosen", "rejected", "instruction", "input", "output"):
        held = row.get(key)
        if key == "rejected" and "chosen" in row:
            continue  # one of two answers to the same question
        for item in held if isinstance(held, list) else [held]:
            match item:
                case {"value": str(text)} | {"content": str(text)} | str(text):
                    yield text
                case _:
                    pass


def _row(text: str, images: str) -> str:
    return f'{{"messages": [{{"role": "user", "content": "{text}"}}, {{"role": "assistant", "content": "Pier 3"}}], "images": {images}}}'


VALID = (
    Example(_row("<image>Which pier?", '["a.png"]'), target="llamafactory"),
    Example(_row("Which pier?", '["a.png"]'), mode="finetune", format="openai-chat"),
    Example(_row("What does <image> mean in SVG?", "null"), target="llamafactory"),
)

INVALID = (
    Example(_row("<image>Which pier?", '["a.png", "b.png"]'), ("/images",), target="llamafactory"),
    Example(_row("<image>Which pier?", '"a.png"'), ("/images",), target="llamafactory"),
    Example(
        '{"conversations": [{"from": "human", "value": "Which pier?"}, {"from": "gpt", "value": "Pier 3"}], "images": "a.png"}',
        ("/images",),
        target="llamafactory",
    ),
    Example(_row("<image><image>Which pier?", '["a.png"]'), ("/images",), mode="finetune", format="openai-chat"),
)
