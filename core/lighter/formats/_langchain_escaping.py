"""Values with a key `lc`, which LangChain wraps so that nobody takes them for its own objects.

langchain_core/load/_validation.py (1.8.3); @langchain/core/dist/load/validation.js (1.4.0) does the same.
"""

from collections.abc import Mapping
from typing import Any

ESCAPED = "__lc_escaped__"
"""The key of such a wrapping."""

DEEPEST = 32
"""Levels of nesting down to which it is looked for a wrapping before a value is copied."""


def is_plain(value: Any, depth: int = DEEPEST) -> bool:
    """Say whether nothing in the values of an object, or in a list, is wrapped or would be; no is said of deeper values, too.

    So it is with most, which need no copy.
    """
    if not depth:
        return False
    for item in value.values() if type(value) is dict else value:
        if type(item) is dict:
            if _needs_it(item) or not is_plain(item, depth - 1):
                return False
        elif type(item) is list and not is_plain(item, depth - 1):
            return False
    return True


def unescaped(value: Any) -> Any:
    """Give a value with the wrappings taken off; what was wrapped is left as it is."""
    match value:
        case dict():
            if value.keys() == {ESCAPED}:
                return value[ESCAPED]
            return {key: unescaped(item) for key, item in value.items()}
        case list():
            return [unescaped(item) for item in value]
        case _:
            return value


def escaped(value: Any, *, is_outermost: bool = True) -> Any:
    """Wrap objects that have a key `lc`, or look wrapped; the outermost object itself is that of a message."""
    match value:
        case dict():
            if not is_outermost and _needs_it(value):
                return {ESCAPED: value}
            return {key: escaped(item, is_outermost=False) for key, item in value.items()}
        case list():
            return [escaped(item, is_outermost=False) for item in value]
        case _:
            return value


def _needs_it(value: Mapping[str, Any]) -> bool:
    return "lc" in value or (ESCAPED in value and len(value) == 1)
