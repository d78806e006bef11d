r"""A string holds half of a character: one `\ud83c` without the other half.

## What
Characters beyond U+FFFF are two escapes in JSON, a high and a low surrogate. Text that was cut by its length in UTF-16 units, as
JavaScript counts, ends between the two.

## Why it is refused
The half is no character and cannot be written as UTF-8. Some parsers take it and fail later, when the text is sent or stored; once it
is part of a history, every further request fails.

## Example
Bad:
```json
{"role": "assistant", "content": "Avatar \ud83c"}
```
Good: both halves, or the text that spells an escape.
```json
{"role": "assistant", "content": "Avatar \ud83c\udfa8, spelt \\ud83c\\udfa8"}
```

## Fix
Replace the half by U+FFFD, or delete it: what it was cannot be told.
"""

from lighter.diagnostics import Fix
from lighter.providers import TARGETS
from lighter.rule import Example, Refusal, Rule

RULE = Rule(
    code="F106",
    name="lone-surrogate",
    summary="a string holds half of a surrogate pair",
    severity=dict.fromkeys(TARGETS, "error"),
    refusals=(
        Refusal(
            ("anthropic",),
            "The request body is not valid JSON: no low surrogate in string",
            "https://github.com/anthropics/claude-code/issues/45982",
        ),
    ),
    source="https://github.com/anthropics/claude-code/issues/45982",
    fix=Fix("safe", "replace it by U+FFFD"),
)

VALID = (
    Example('{"role": "assistant", "content": "\\ud83c\\udfa8"}\n'),
    Example('{"role": "user", "content": "print \\\\u0000 and \\\\ud83c"}\n'),
    Example('{"role": "user", "content": "\U0001f3a8"}\n'),
)

INVALID = (
    Example('{"role": "user", "content": "hi"}\n{"role":"assistant","content":"Avatar \\ud83c\\n"}\n', ("/1/content",)),
    Example('{"role":"user","content":"\\udff7 tag"}\n', ("/0/content",)),
    Example(
        '{"role":"user","content":[{"type":"text","text":"\\ud83c\\ud83c\\udfa8"},{"type":"text","text":"\\ud83c x"}]}\n',
        (
            "/0/content/0/text",
            "/0/content/1/text",
        ),
    ),
)
