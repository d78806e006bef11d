"""Errors that no rule can find in a history, found by listing this folder: one module each, which tells of it in BEYOND.

Most of them are about the account or the provider; `lighter explain` tells what they mean all the same.
"""

from functools import cache
from importlib import import_module
from pathlib import Path

from msgspec import Struct

from lighter.rule import Refusal


class Beyond(Struct, frozen=True):
    """Something that providers refuse and no rule finds: what it is in a few words, what they say, what it means, what to do.

    `is_about_history`: another history would have been taken.
    """

    title: str
    refusals: tuple[Refusal, ...]
    meaning: str
    remedy: str
    is_about_history: bool = True


@cache
def all_beyond() -> tuple[Beyond, ...]:
    """Give all of them, in the order of their modules."""
    names = sorted(file.stem for file in Path(__file__).parent.glob("[a-z]*.py"))
    return tuple(import_module(f"{__name__}.{name}").BEYOND for name in names)
