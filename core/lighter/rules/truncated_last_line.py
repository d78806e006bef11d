"""The last line of the file is a record that breaks off.

## What
The file ends in the middle of a JSON text. Whatever wrote it was stopped before it was done, or the file was copied while it grew.

## Why it is refused
No reader takes the line. The turn on it is lost, and a log that ends so is refused as a whole by readers that stop at the first fault.

## Example
Bad:
```json
{"role": "user", "cont
```
Good: no line end after the last record.
```json
{"role": "user", "content": "hi"}
```

## Fix
Drop the last line, or keep it elsewhere; nothing else of the file is lost.
"""

from lighter.diagnostics import Fix
from lighter.providers import TARGETS
from lighter.rule import Example, Rule

RULE = Rule(
    code="F102",
    name="truncated-last-line",
    summary="the last line breaks off",
    severity=dict.fromkeys(TARGETS, "error"),
    source="https://github.com/anthropics/claude-code/issues/53821",
    fix=Fix("safe", "drop the line"),
)

VALID = (
    Example('{"role": "user", "content": "hi"}\n{"role": "assistant", "content": "hello"}'),
    Example('{"role": "user", "content": "{\\"role\\": \\"user\\", \\"cont"}\n\n'),
)

INVALID = (
    Example(
        '{"role": "user", "content": "hi"}\n{"role": "assistant", "content": "hello"}\n{"role":"user","cont', ("/2",)
    ),
    Example('{"role": "user", "content": "hi"}\n{"role": "assistant", "content": [{"type": "text",\n', ("/1",)),
    Example('{"role": "user", "content": "hi"}\n{"role": "assistant", "content": nul', ("/1",)),
)
