r"""A byte order mark (U+FEFF) stands before the text.

## What
The first three bytes of the file are EF BB BF. Editors and spreadsheets on Windows write them, and so does Python's `utf-8-sig`.

## Why it is refused
RFC 8259, section 8.1: a byte order mark must not be added to JSON. `json.loads` and `JSON.parse` refuse it, and lose the first record.
Azure OpenAI fine-tuning asks for it, and is not told of it.

## Example
Bad: the mark is invisible here.
```text
\ufeff{"role": "user", "content": "hi"}
```
Good:
```json
{"role": "user", "content": "hi"}
```

## Fix
Remove the three bytes.
"""

from lighter.diagnostics import Fix
from lighter.providers import TARGETS
from lighter.rule import Example, Rule

RULE = Rule(
    code="F109",
    name="utf8-bom",
    summary="the file starts with a byte order mark",
    severity={name: "warning" for name in TARGETS if name != "azure-finetune"},
    source="https://www.rfc-editor.org/rfc/rfc8259#section-8.1",
    # Azure's guide to fine-tuning wants the mark.
    spares=("azure-finetune",),
    fix=Fix("safe", "remove the mark"),
)

VALID = (
    Example('{"role": "user", "content": "hi"}\n'),
    Example('{"role": "user", "content": "\ufeffhi"}\n'),
)

INVALID = (
    Example('\ufeff{"role": "user", "content": "hi"}\n', ("/0",)),
    Example('\ufeff[\n  {"role": "user", "content": "hi"}\n]\n', ("",)),
)
