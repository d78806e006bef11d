"""A file that is named as JSONL is one JSON array.

## What
The whole content of a `.jsonl` or `.ndjson` file is one array, compact or over many lines. It is read as the array that it is.

## Why it is refused
Readers of JSONL take each line for a record: they fail on a pretty-printed array, and take a compact one for a single record.

## Example
Bad: the only line of the file.
```json
[{"role": "user", "content": "hi"}, {"role": "assistant", "content": "hello"}]
```
Good: a message a line.
```json
{"role": "user", "content": "hi"}
{"role": "assistant", "content": "hello"}
```

## Fix
Name the file `.json`, or convert it to one message a line.
"""

from lighter.providers import TARGETS
from lighter.rule import Example, Rule

RULE = Rule(
    code="F116",
    name="json-array-file",
    summary="a .jsonl file is one JSON array",
    severity=dict.fromkeys(TARGETS, "info"),
    source="https://jsonlines.org/",
)

VALID = (
    Example('{"role": "user", "content": "hi"}\n{"role": "assistant", "content": "hello"}\n'),
    Example('[{"role": "user", "content": "hi"}]\n[{"role": "user", "content": "hello"}]\n'),
)

INVALID = (
    Example('[{"role": "user", "content": "hi"}, {"role": "assistant", "content": "hello"}]\n', ("",)),
    Example('[\n  {\n    "role": "user",\n    "content": "hi"\n  }\n]\n', ("",)),
)
