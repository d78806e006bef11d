"""A line of the file is no JSON, and neither cut off at its end nor glued to another record.

## What
Every line of a JSONL file is one JSON text. This one is not: a Python literal with single quotes, a comma too many, an unescaped
control character, a record that was cut in the middle of the file, or plain text. The column tells where the JSON goes wrong. A
whole record that stands on such a line is still read, and so are all other lines.

## Why it is refused
Strict readers stop at the first bad line and lose the rest of the file; lenient ones drop the line in silence, and with it a call or
a result, which a provider then misses.

## Example
Bad: a key without quotes.
```json
{role: "user", "content": "hi"}
```
Good: a text that talks of broken JSON.
```json
{"role": "user", "content": "Why is {role: 1,} no JSON?"}
```

## Fix
Mend the line by hand, or delete it together with what answers it. `--unsafe-fixes` keeps the whole records that stand on the line,
and sets the rest aside in a file beside this one, whose name ends in `.rejected`.
"""

from lighter.diagnostics import Fix
from lighter.providers import TARGETS
from lighter.rule import Example, Rule

RULE = Rule(
    code="F101",
    name="invalid-json",
    summary="a line is no JSON",
    severity=dict.fromkeys(TARGETS, "error"),
    source="https://github.com/anthropics/claude-code/issues/50347",
    fix=Fix("unsafe", "keep the records that stand on the line, and set the rest of it aside in a file of its own"),
)

VALID = (
    Example('{"role": "user", "content": "Why is {role: 1,} no JSON?"}\n'),
    Example('{"role": "user", "content": "hi"}\r\n\n{"role": "assistant", "content": "hello"}\r\n\n'),
    Example('[\n  {"role": "user", "content": "hi"},\n\n  {"role": "assistant",\n   "content": "hello"}\n]\n'),
)

INVALID = (
    Example('{"role": "user", "content": "hi"}\n{role: user}\n{"role": "assistant", "content": "hello"}\n', ("/1",)),
    Example('{\'role\': \'user\', \'content\': None}\n{"role": "user", "content": "hi"}\n', ("/0",)),
    Example(
        '{"role": "user", "content": "hi"}\n{"role": "assistant", "cont\n{"role": "assistant", "content": "hello"}\n',
        ("/1",),
    ),
    Example('{"role": "user", "content": "hi"},\n{"role": "assistant", "content": "hello"}\n', ("/0",)),
)
