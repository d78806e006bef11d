"""The file is empty, or holds nothing but blank lines.

## What
There is no JSON value in the file. A writer was stopped before its first record, or the path is that of another file.

## Why it is refused
There is no conversation in it. A job that goes on with an empty file reports success over nothing.

## Example
Bad: no byte at all.
```text
```
Good:
```json
{"role": "user", "content": "hi"}
```

## Fix
Delete the file, or find out what should have written it.
"""

from lighter.providers import TARGETS
from lighter.rule import Example, Rule

RULE = Rule(
    code="F115",
    name="empty-file",
    summary="the file is empty",
    severity=dict.fromkeys(TARGETS, "error"),
    source="https://www.rfc-editor.org/rfc/rfc8259#section-2",
)

VALID = (
    Example('\n\n{"role": "user", "content": "hi"}\n'),
    Example('{"role": "user", "content": "hi"}'),
)

INVALID = (
    Example("", ("/0",)),
    Example("\n  \n\n", ("/0",)),
)
