r"""The file holds bytes that are no UTF-8, or is UTF-16 as a whole.

## What
JSON is exchanged as UTF-8. Here bytes of another encoding stand in it, Latin-1 or Windows-1252 as a rule, or the tail of a character
that was cut. The line is read with U+FFFD in their place. A file in UTF-16 is read as such and reported once.

## Why it is refused
RFC 8259, section 8.1: text exchanged between systems must be UTF-8. Readers fail, or show other characters than were written.

## Example
Bad: `é` as the one byte E9 of Latin-1.
```text
{"role": "user", "content": "caf\xe9"}
```
Good: the same in UTF-8, or as an escape.
```json
{"role": "user", "content": "caf\u00e9"}
```

## Fix
Recode the file to UTF-8 from the encoding that it was written in. For UTF-16 and UTF-32 that is safe. With
`--unsafe-fixes` each byte that is no UTF-8 becomes U+FFFD.
"""

from lighter.broken import encoding_of
from lighter.diagnostics import Fix
from lighter.providers import TARGETS
from lighter.records import LineFault
from lighter.rule import Example, Rule

RULE = Rule(
    code="F108",
    name="invalid-utf8",
    summary="the file is not UTF-8",
    severity=dict.fromkeys(TARGETS, "error"),
    source="https://www.rfc-editor.org/rfc/rfc8259#section-8.1",
    fix=Fix("unsafe", "put U+FFFD in the place of each such byte"),
)


def fix_of(fault: LineFault) -> Fix | None:
    """Recode a file that is in another encoding as a whole, which loses nothing."""
    return Fix("safe", "write the file as UTF-8") if encoding_of(fault.data) else RULE.fix


VALID = (
    Example('{"role": "user", "content": "café, \\u00e9, \U0001f3a8"}\n'),
    Example('{"role": "user", "content": "a replaced one: \ufffd"}\n'),
)

INVALID = (
    Example('{"role": "user", "content": "caf\udce9"}\n', ("/0",)),
    Example(
        '{"role": "user", "content": "hi"}\n{"role": "assistant", "content": "\udced\udca0\udcbd \udcff"}\n', ("/1",)
    ),
)
