"""The exceptions of lighter.

LighterError
├── UnknownName          a name that lighter does not know; `suggestions` holds near ones
│   ├── UnknownFormat    no such format
│   ├── UnknownRule      no such rule
│   ├── UnknownTarget    no such target
│   └── UnknownMode      no such mode
├── UnreadableInput      a file is missing, is a directory, cannot be decompressed …
│   └── NotText          it is binary
├── InvalidConfig        a configuration file says what lighter does not understand; `filename` and `row` say where
├── NotRecognised        values were read, but none is shaped like a conversation; or what is to be explained is no error
├── NotFixed             repairs undo each other, or a file changed meanwhile; nothing was written
└── CannotHold           JSON, the layout or the target cannot hold a value or a conversation at all
"""

from collections.abc import Iterable, Sequence
from typing import Any

MOST_KNOWN = 24
"""As many known names are told where none of them is near."""


class LighterError(Exception):
    """Whatever keeps lighter from doing its job; the text is one line for the user."""

    def __reduce__(self) -> tuple[Any, ...]:
        return _made_again, (type(self), self.args, self.__dict__)


def _made_again(kind: type[LighterError], args: tuple[Any, ...], members: dict[str, Any]) -> LighterError:
    """Make an error that comes from another process, without the arguments from which its text was made."""
    error = kind.__new__(kind, *args)
    error.__dict__.update(members)
    return error


class UnknownName(LighterError):
    """A name that lighter does not know; `name` as given, `known` those that it knows, `suggestions` the nearest of them."""

    likeness = 0.5
    """How alike a name must be to be suggested, from 0 to 1."""

    def __init__(self, what: str, name: str, known: Iterable[str]) -> None:
        self.name = name
        self.known = tuple(known)
        self.suggestions = _near(str(name), self.known, self.likeness)
        hint = f"; did you mean {' or '.join(map(repr, self.suggestions))}?" if self.suggestions else ""
        if not hint and len(self.known) <= MOST_KNOWN:
            hint = f"; known are {', '.join(self.known)}"
        super().__init__(f"unknown {what} {name!r}{hint}")


def _near(name: str, known: Sequence[str], likeness: float) -> tuple[str, ...]:
    """Give the known names that are most like a name; where none is, those whose first word is (`opnai` of `openai-chat`)."""
    from difflib import get_close_matches  # noqa: PLC0415 - only a mistake needs it, and it costs start-up time

    if look_alikes := tuple(other for other in known if _drawn(other) == _drawn(name)):
        return look_alikes
    if whole := get_close_matches(name, known, n=3, cutoff=likeness):
        return tuple(whole)
    words = get_close_matches(name, {other.partition("-")[0] for other in known}, n=1, cutoff=likeness)
    return tuple(other for other in known if other.partition("-")[0] in words)[:3]


def _drawn(name: str) -> str:
    """Spell a name so that letters and digits that look alike are one."""
    return name.upper().translate(str.maketrans("OIL", "011"))


class UnknownFormat(UnknownName):
    """No such format."""


class UnknownRule(UnknownName):
    """No such rule."""


class UnknownTarget(UnknownName):
    """No such target; one that merely looks a little alike is another provider, and not suggested."""

    likeness = 0.7


class UnknownMode(UnknownName):
    """No such mode."""


class UnreadableInput(LighterError):
    """An input that cannot be opened or decompressed; `filename` says which."""

    def __init__(self, filename: str, reason: str) -> None:
        self.filename = filename
        super().__init__(f"{filename}: {reason}")


def needs_zstd(filename: str) -> UnreadableInput:
    """Make the error for a `.zst` file where the package for these is not installed."""
    return UnreadableInput(filename, "zstd files need an extra package: pip install 'lighter-cli[zstd]'")


class NotText(UnreadableInput):
    """An input that is binary."""


class InvalidConfig(LighterError):
    """A configuration file says what lighter does not understand; `filename` and `row` (1-based) say where."""

    def __init__(self, filename: str, row: int, problem: str) -> None:
        self.filename = filename
        self.row = row
        super().__init__(f"{filename}:{row}: {problem}")


class NotRecognised(LighterError):
    """Values were read, but none is shaped like a conversation; or what is to be explained is no error."""


class NotFixed(LighterError):
    """A file or a value that was not fixed, and is as it was."""


class CannotHold(LighterError):
    """JSON cannot hold a value, or a layout or a target a conversation at all."""
