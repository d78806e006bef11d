r"""Two records stand on one line: both whole, or the first cut where the second starts.

## What
A writer lost its line end, or it was stopped in the middle of a record and another one went on where it had stopped. The column tells
where the second record starts. The whole records on the line are read, also where a comma parts them as in an array; the head of a
cut one is not.

## Why it is refused
A line that holds more than one JSON text is no JSON. Agents refuse to resume such a session.

## Example
Bad: a cut record, and a whole one on the same line.
```json
{"role":"assistant","content":"hel{"role": "assistant", "content": "hello"}
```
Good: a record that quotes another.
```json
{"role": "user", "content": "{\"role\": \"user\"}{\"role\": \"user\"}"}
```

## Fix
Two whole records: put a line end between them, which loses nothing. A cut head is best deleted: the writer usually wrote the record
again, whole, behind it.
"""

from lighter.diagnostics import Fix
from lighter.providers import TARGETS
from lighter.rule import Example, Rule

RULE = Rule(
    code="F103",
    name="glued-records",
    summary="two records stand on one line",
    severity=dict.fromkeys(TARGETS, "error"),
    source="https://github.com/anthropics/claude-code/issues/52387, https://github.com/github/copilot-cli/issues/4098",
    fix=Fix("safe", "put each whole record on a line of its own"),
)

VALID = (
    Example('{"role": "user", "content": "{\\"role\\": \\"user\\"}{\\"role\\": \\"user\\"}"}\n'),
    Example('{"messages": [{"role": "user", "content": "hi"}, {"role": "assistant", "content": "}{"}]}\n'),
    Example('{\n  "role": "user",\n  "content": "hi"\n}{\n  "role": "assistant",\n  "content": "hello"\n}\n'),
)

INVALID = (
    Example(
        '{"role": "user", "content": "hi"}\n{"role":"assistant","content":"hel{"role": "assistant", "content": "hello"}\n{"role": "user", "content": "hi"}\n',
        ("/1",),
    ),
    Example('{"role": "user", "content": "hi"}{"role": "assistant", "content": "hello"}\n', ("/0",)),
    Example('{"role": "user", "content": "hi"}, {"role": "assistant", "content": "hello"}\n', ("/0",)),
    Example(
        '{"role": "user", "content": "hi"} {"role": "assistant", "content": "hello"} {"role": "us\n{"role": "user", "content": "hi"}\n',
        ("/0",),
    ),
)
