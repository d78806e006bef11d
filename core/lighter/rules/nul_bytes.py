r"""The file holds bytes of value zero, as a crash leaves them behind.

## What
A run of NUL bytes stands on a line of its own, before a record or in it. The file was made longer, and the machine or the program
stopped before the text was written. What stands around the run is still read.

## Why it is refused
NUL is no character of JSON. Readers stop there, or take the file for binary.

## Example
Bad: a line of NUL bytes between two records.
```text
\0\0\0\0\0\0\0\0
```
Good: the escape, which is a matter of nul-character.
```json
{"role": "user", "content": "a\u0000b"}
```

## Fix
Remove the run; it holds nothing.
"""

from lighter.diagnostics import Fix
from lighter.providers import TARGETS
from lighter.rule import Example, Rule

RULE = Rule(
    code="F105",
    name="nul-bytes",
    summary="the file holds NUL bytes",
    severity=dict.fromkeys(TARGETS, "error"),
    source="https://github.com/anthropics/claude-code/issues/49876",
    fix=Fix("safe", "remove the NUL bytes"),
)

VALID = (
    Example('{"role": "user", "content": "a\\u0000b"}\n'),
    Example('{"role": "user", "content": "\\\\0 \\\\x00"}\n'),
)

INVALID = (
    Example(
        '{"role": "user", "content": "hi"}\n\0\0\0\0\0\0\0\0\n{"role": "assistant", "content": "hello"}\n', ("/1",)
    ),
    Example('\0\0\0\0{"role": "user", "content": "hi"}\n', ("/0",)),
    Example(
        '{"role": "user", "content": "hi"}\n{"role": "assistant", "cont\0\0\0\0{"role": "assistant", "content": "hello"}\n',
        ("/1",),
    ),
)
