"""The exceptions of lighter.

LighterError
├── UnknownFormat      no such format; `suggestions` holds near names
├── UnknownRule        no such rule, target or mode
├── UnreadableInput    a file is missing, is a directory, cannot be decompressed …
├── NotRecognised      values were read, but none is shaped like a conversation
└── CannotHold         the layout or the target cannot hold a conversation at all
"""

from collections.abc import Iterable
from difflib import get_close_matches


class LighterError(Exception):
    """Whatever keeps lighter from doing its job; the text is one line for the user."""


class UnknownName(LighterError):
    """A name that lighter does not know; `name` as given, `suggestions` the nearest that it knows."""

    def __init__(self, what: str, name: str, known: Iterable[str]) -> None:
        self.name = name
        self.known = tuple(known)
        self.suggestions = tuple(get_close_matches(name, self.known, n=3, cutoff=0.5))
        hint = f"; did you mean {' or '.join(map(repr, self.suggestions))}?" if self.suggestions else ""
        super().__init__(f"unknown {what} {name!r}{hint}")


class UnknownFormat(UnknownName):
    """No such format."""


class UnknownRule(UnknownName):
    """No such rule, target or mode."""


class UnreadableInput(LighterError):
    """An input that cannot be opened or decompressed; `filename` says which."""

    def __init__(self, filename: str, reason: str) -> None:
        self.filename = filename
        super().__init__(f"{filename}: {reason}")


class NotRecognised(LighterError):
    """Values were read, but none is shaped like a conversation."""


class CannotHold(LighterError):
    """A layout or a target cannot hold a conversation at all."""
