"""An integer is too big for readers that hold numbers as doubles.

## What
JSON sets no limit, but JavaScript and everything like it holds integers exactly only between -2^53 and 2^53. This one is changed
by rounding there, or does not fit 64 bits at all. Integers inside a string, such as the arguments of a call, are not meant.

## Why it is refused
RFC 8259, section 6: integers beyond that range do not arrive unchanged everywhere. An id that was rounded names another thing.

## Example
Bad: JavaScript reads 9007199254740992.
```json
{"role": "user", "content": "hi", "ticket": 9007199254740993}
```
Good: as text.
```json
{"role": "user", "content": "hi", "ticket": "9007199254740993"}
```

## Fix
Write ids as strings. lighter itself keeps the digits.
"""

import json
import re
from collections.abc import Iterator
from typing import Any

from lighter.broken import MOST_TOLD, and_more, leaves
from lighter.providers import TARGETS
from lighter.records import Record
from lighter.rule import Example, Finding, Rule

RULE = Rule(
    code="F112",
    name="big-integer",
    summary="an integer is rounded by readers that hold numbers as doubles",
    severity=dict.fromkeys(TARGETS, "warning"),
    source="https://www.rfc-editor.org/rfc/rfc8259#section-6",
)

_SIXTEEN_DIGITS = re.compile(rb"[0-9]{16}")
_SHOWN = 40
_LONGEST = 300  # digits; a double ends at 309


class _BigInteger(str):
    """The digits of an integer that does not arrive everywhere."""

    __slots__ = ()


def check_record(record: Record, value: Any) -> Iterator[Finding]:  # noqa: ARG001 - the parsed value may be rounded already
    """Find integers outside strings that a double or 64 bits cannot hold."""
    if not _SIXTEEN_DIGITS.search(record.data):
        return
    try:
        exact = json.loads(record.data, parse_int=_integer)
    except (ValueError, RecursionError):
        return
    found = [(path, leaf) for path, leaf in leaves(exact) if isinstance(leaf, _BigInteger)]
    for number, (path, leaf) in enumerate(found[: MOST_TOLD + 1]):
        digits = leaf if len(leaf) <= _SHOWN else f"{leaf[:_SHOWN]}…"
        said = f"{digits} is no integer that all readers hold exactly"
        more = and_more(len(found) - MOST_TOLD) if number == MOST_TOLD else ""
        yield Finding(record, path, said + more, help="write it as a string")


def _integer(digits: str) -> int | _BigInteger:
    if len(digits) > _LONGEST:
        return _BigInteger(digits)
    number = int(digits)
    is_exact = abs(number) <= 2**53 or (int(float(number)) == number and -(2**63) <= number < 2**64)
    return number if is_exact else _BigInteger(digits)


VALID = (
    Example('{"role": "user", "content": "hi", "ticket": "9007199254740993", "made": 9007199254740992}\n'),
    Example(
        '{"role": "assistant", "content": null, "tool_calls": [{"id": "call_1", "type": "function", "function": {"name": "look_up",'
        ' "arguments": "{\\"ticket\\": 12345678901234567890}"}}]}\n'
        '{"role": "tool", "tool_call_id": "call_1", "content": "{\\"ticket\\": 12345678901234567890}"}\n'
    ),
    Example('{"role": "user", "content": "hi", "made_ns": 1700000000000000000, "score": 0.12345678901234567890}\n'),
)

INVALID = (
    Example('{"role": "user", "content": "hi", "ticket": 9007199254740993}\n', ("/0/ticket",)),
    Example(
        '{"role": "user", "content": "hi", "ids": [1, -12345678901234567891, 18446744073709551616]}\n',
        ("/0/ids/1", "/0/ids/2"),
    ),
)
