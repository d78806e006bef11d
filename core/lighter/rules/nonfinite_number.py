"""A value is NaN, Infinity or -Infinity.

## What
JSON has no such numbers. Python's `json` writes them unless told not to, for a missing score or a division by zero.

## Why it is refused
RFC 8259, section 6, does not permit them. `JSON.parse`, orjson, Go, Rust and the providers refuse the whole record.

## Example
Bad:
```json
{"role": "assistant", "content": "x", "usage": {"score": NaN}}
```
Good: null, or text.
```json
{"role": "assistant", "content": "NaN", "usage": {"score": null}}
```

## Fix
Write null, or leave the key out.
"""

import re

from lighter.diagnostics import Fix
from lighter.providers import TARGETS
from lighter.rule import Example, Rule
from lighter.scan import STRING_PATTERN

RULE = Rule(
    code="F110",
    name="nonfinite-number",
    summary="NaN or Infinity stands where JSON has no number",
    severity=dict.fromkeys(TARGETS, "error"),
    source="https://www.rfc-editor.org/rfc/rfc8259#section-6",
    fix=Fix("unsafe", "write null"),
)

_TOKEN = re.compile(rb"(" + STRING_PATTERN + rb")|NaN|-?Infinity", re.DOTALL)


def mended(data: bytes) -> bytes:
    """Write null for what is no number, in a record's text."""
    return _TOKEN.sub(lambda found: found[1] or b"null", data)


VALID = (
    Example('{"role": "assistant", "content": "NaN", "usage": {"score": null}}\n'),
    Example('{"role": "assistant", "content": "x", "usage": {"score": 1e-400, "NaN": 0}}\n'),
)

INVALID = (
    Example('{"role":"assistant","content":"x","usage":{"score":NaN}}\n', ("/0/usage/score",)),
    Example(
        '{"role": "user", "content": "hi"}\n{"role": "assistant", "content": "x", "scores": [0.5, -Infinity, Infinity]}\n',
        ("/1/scores/1", "/1/scores/2"),
    ),
)
