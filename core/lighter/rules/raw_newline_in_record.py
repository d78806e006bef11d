r"""A record stands on several lines, because a newline in one of its strings is not escaped.

## What
Inside a JSON string a newline is written `\n`. Here it stands as itself, so that one record takes several lines. The lines are read
as one record if they make one. A pretty-printed record in a file that has one record a line is reported too, and once for all of them
a `.jsonl` or `.ndjson` file of pretty-printed records. A single value over many lines is none, nor are several in a file of another
name.

## Why it is refused
Readers of JSONL take each line for a record, and find an unterminated string in the first and nonsense in the next.

## Example
Bad:
```json
{"role": "user", "content": "line one
line two"}
```
Good:
```json
{"role": "user", "content": "line one\nline two"}
```

## Fix
Join the lines with `\n`. That is safe where it gives exactly one record, which is when lighter reads it. A string that never ends
gives none: `--unsafe-fixes` sets its lines aside in a file beside this one, whose name ends in `.rejected`.
"""

from lighter.diagnostics import Fix
from lighter.providers import TARGETS
from lighter.records import LineFault
from lighter.rule import Example, Rule

RULE = Rule(
    code="F104",
    name="raw-newline-in-record",
    summary="a record is spread over several lines by raw newlines",
    severity=dict.fromkeys(TARGETS, "error"),
    source="https://github.com/github/copilot-cli/issues/2649",
    fix=Fix("safe", "join the lines with an escaped newline"),
)


def fix_of(fault: LineFault) -> Fix | None:
    """Join the lines where that gives a record, and set them aside where it does not."""
    return Fix("unsafe", "set the lines aside in a file of their own") if fault.is_unreadable else RULE.fix


VALID = (
    Example('{"role": "user", "content": "line one\\nline two"}\n'),
    Example('{\n  "messages": [\n    {\n      "role": "user",\n      "content": "hi"\n    }\n  ]\n}\n'),
    Example('{"role": "user", "content": "a\u2028b\u0085c"}\n'),
)

INVALID = (
    Example('{"role":"user","content":"line one\nline two"}\n{"role": "user", "content": "hi"}\n', ("/0",)),
    Example('{"role": "user", "content": "hi"}\n{"role":"assistant","content":"one\n\n\\"two\\"\nthree"}\n', ("/1",)),
    Example(
        '{"role": "user", "content": "hi"}\n{\n  "role": "assistant",\n  "content": "hello"\n}\n{"role": "user", "content": "bye"}\n',
        ("/1",),
    ),
    Example(
        '{\n  "role": "user",\n  "content": "hi"\n}\n{\n  "role": "assistant",\n  "content": "hello"\n}\n', ("/0",)
    ),
)
