"""A JSON document that is printed over many lines breaks off before its end.

## What
The file ends while brackets are still open. The place of the finding is where it breaks off. Of an array, or of the first array in a
request or conversation, the items that are whole are read.

## Why it is refused
No parser takes a text that is not closed: what looks like a nearly whole file is worth nothing to other tools.

## Example
Bad:
```json
{"messages": [
  {"role": "user", "content": "hi"},
  {"role": "assistant", "content": "hel
```
Good:
```json
{"messages": [
  {"role": "user", "content": "hi"}
]}
```

## Fix
Write the file again from its source, or close it after the last whole message.
"""

from lighter.diagnostics import Fix
from lighter.providers import TARGETS
from lighter.rule import Example, Rule

RULE = Rule(
    code="F118",
    name="truncated-document",
    summary="a JSON document over many lines breaks off",
    severity=dict.fromkeys(TARGETS, "error"),
    source="https://www.rfc-editor.org/rfc/rfc8259#section-2",
    fix=Fix("unsafe", "close it after the last whole item"),
)

VALID = (
    Example('{"messages": [\n  {"role": "user", "content": "hi"}\n]}\n'),
    Example('{\n  "role": "user",\n  "content": "hi"\n}\n\n{\n  "role": "assistant",\n  "content": "{"\n}'),
)

INVALID = (
    Example('{"messages": [\n  {"role": "user", "content": "hi"},\n  {"role": "assistant", "content": "hel', ("",)),
    Example('[\n  {\n    "role": "user",\n    "content": "hi"\n  },\n', ("",)),
)
