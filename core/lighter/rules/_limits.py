"""Whether a target takes an id or a name: no longer than its limit, and of its characters alone."""

import re

from msgspec import Struct


class Breach(Struct, frozen=True):
    """A limit that a text breaks: what to say after the text, and whether it is the one on its length."""

    words: str
    is_length: bool


def breach_of(text: str, longest: int | None, pattern: str | None, taker: str) -> Breach | None:
    """Tell the first limit that a text breaks; None as a limit stands for one that is not known."""
    if longest is not None and len(text) > longest:
        return Breach(f"has {len(text)} characters, {taker} takes {longest}", is_length=True)
    if pattern is not None and not re.fullmatch(pattern, text):
        return Breach(f"holds characters that {taker} does not take", is_length=False)
    return None
