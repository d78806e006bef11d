"""What is known of the terminal, decided once: whether it is one, its width, colour; and lines for the error stream."""

import os
import shutil
import sys
import time
from collections.abc import Mapping
from typing import Literal, TextIO

from msgspec import Struct

from lighter.excerpt import harmless

Color = Literal["auto", "always", "never"]

DEFAULT_WIDTH = 80
NARROWEST = 40
PROGRESS_AFTER = 0.5
"""Seconds before the first line of progress."""
PROGRESS_EVERY = 0.1
"""Seconds between two of them."""
_ERASE_LINE = "\r\x1b[2K"

_SGR = {
    "bold": "1", "dim": "2", "red": "31", "green": "32", "yellow": "33", "blue": "34", "cyan": "36",
    "error": "1;31", "warning": "1;33", "info": "1;36",
}  # fmt: skip


class Screen(Struct, frozen=True):
    """An output stream: whether it is a terminal, whether it takes colour, and its width in cells."""

    is_terminal: bool = False
    is_coloured: bool = False
    width: int = DEFAULT_WIDTH

    def paint(self, text: str, style: str) -> str:
        """Colour text (`bold`, `dim`, `red` …, or a severity) where the screen takes colour."""
        return f"\x1b[{_SGR[style]}m{text}\x1b[0m" if self.is_coloured and text else text


def is_terminal(stream: TextIO | None) -> bool:
    """Say whether a stream is connected to a terminal; a closed or missing one is not."""
    try:
        return stream is not None and stream.isatty()
    except ValueError:
        return False


def takes_colour(stream: TextIO | None, color: Color, environment: Mapping[str, str]) -> bool:
    """Decide on colour: the flag, then NO_COLOR, then FORCE_COLOR and CLICOLOR_FORCE, then whether it is a terminal."""
    if color != "auto":
        return color == "always"
    if environment.get("NO_COLOR"):
        return False
    for name in ("FORCE_COLOR", "CLICOLOR_FORCE"):
        value = environment.get(name)
        if value:
            return value != "0"
    return is_terminal(stream) and environment.get("TERM") != "dumb"


def screen_of(stream: TextIO | None, color: Color = "auto", width: int | None = None) -> Screen:
    """Describe the screen behind a stream; COLUMNS, then the terminal's own size, then 80 cells."""
    columns = os.environ.get("COLUMNS", "")
    if width:
        cells = width
    elif columns.isdecimal() and int(columns):
        cells = int(columns)
    else:
        cells = shutil.get_terminal_size((DEFAULT_WIDTH, 0)).columns if is_terminal(stream) else DEFAULT_WIDTH
    return Screen(is_terminal(stream), takes_colour(stream, color, os.environ), max(cells, NARROWEST))


def complain(text: str, *, is_multiline: bool = False) -> None:
    """Say on the error stream what went wrong, harmlessly and, where it is not said otherwise, in one line."""
    _tell("error", text, is_multiline=is_multiline)


def note(text: str) -> None:
    """Say something by the way on the error stream."""
    _tell("note", text)


def report_crash(error: Exception, name: str = "") -> None:
    """Say in one line that lighter itself failed, and how to report it; with LIGHTER_TRACEBACK=1 show the traceback."""
    if os.environ.get("LIGHTER_TRACEBACK"):
        import traceback  # noqa: PLC0415 - never needed on a good day

        complain("".join(traceback.format_exception(error)).rstrip("\n"), is_multiline=True)
        return
    place = f"{name}: " if name else ""
    kind = type(error).__name__
    complain(f"{place}lighter itself failed ({kind}: {error}); please report it with what LIGHTER_TRACEBACK=1 shows")


def _tell(kind: str, text: str, *, is_multiline: bool = False) -> None:
    screen = screen_of(sys.stderr)
    told = screen.paint(f"{kind}:", "error" if kind == "error" else "info")
    sys.stderr.write(f"{told} {harmless(text, is_multiline=is_multiline)}\n")


class Progress:
    """A line on the error stream that tells how far a long job is; only on a terminal, only after half a second."""

    def __init__(self, *, is_wanted: bool = True) -> None:
        self._is_wanted = is_wanted and is_terminal(sys.stderr) and os.environ.get("TERM") != "dumb"
        self._next = time.monotonic() + PROGRESS_AFTER
        self._is_drawn = False

    @property
    def is_due(self) -> bool:
        """Whether it is time to tell how far the job is."""
        return self._is_wanted and time.monotonic() >= self._next

    def tell(self, name: str, done: int, total: int | None = None) -> None:
        """Say how many bytes of a file are done; cheap to call often."""
        if not self.is_due:
            return
        self._next = time.monotonic() + PROGRESS_EVERY
        share = f" of {_megabytes(total)} ({100 * done // total} %)" if total else ""
        line = f"{harmless(name)}: {_megabytes(done)}{share}"
        sys.stderr.write(_ERASE_LINE + line[: screen_of(sys.stderr).width - 1])
        sys.stderr.flush()
        self._is_drawn = True

    def erase(self) -> None:
        """Take the line away, before anything else is printed."""
        if self._is_drawn:
            sys.stderr.write(_ERASE_LINE)
            sys.stderr.flush()
            self._is_drawn = False


def _megabytes(count: int) -> str:
    return f"{count / 1_000_000:.1f} MB"
