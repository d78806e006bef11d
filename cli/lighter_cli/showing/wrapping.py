"""Text that wraps in every script: between Chinese and Japanese characters too, where Rich waits for a space."""

import re
from collections.abc import Iterator
from itertools import pairwise

from rich.cells import cell_len
from rich.console import Console, ConsoleOptions, JustifyMethod, OverflowMethod
from rich.containers import Lines
from rich.segment import Segment
from rich.text import Text

_IDEOGRAPHS = "\u2e80-\u2fff\u3005-\u3007\u3040-\u9fff\uf900-\ufaff\uff66-\uff9f\U00020000-\U0003ffff"
_OPENING = "(\\[{（［｛《〈「『【〔〖“‘"
_CLOSING = ",.;:!?)\\]}，。、；：！？）］｝》〉」』】〕〗”’…—～·"
_UNIT = re.compile(
    rf"\s*(?:[{_OPENING}]*[{_IDEOGRAPHS}][{_CLOSING}]*|[^\s{_IDEOGRAPHS}]+?(?=[{_OPENING}]*[{_IDEOGRAPHS}]|\s|$)|\S)\s*"
)
"""What stays together: an ideograph with its punctuation (which no line may begin with, or end with when it opens), a word."""

TAB = 8
_JOINED = re.compile("[\u200d\U0001f1e6-\U0001f1ff]")


class Wrapped(Text):
    """Text that is wrapped by `breaks`; with `hangs` what follows a break is indented two cells more than its line."""

    hangs = False

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> Iterator[Segment]:
        """Render the text; where all of it has one style there is no need for Rich's slow way."""
        if self.spans or self.hangs:
            yield from super().__rich_console__(console, options)
            return
        style = console.get_style(self.style)
        for line in self.plain.split("\n"):
            shown = without_tabs(line)
            bounds = [0, *breaks(shown, options.max_width), len(shown)]
            for start, end in pairwise(bounds):
                yield Segment(shown[start:end].rstrip(), style)
                yield Segment.line()

    def wrap(  # noqa: PLR0913 - Rich's own signature
        self,
        console: Console,  # noqa: ARG002 - Rich's own signature
        width: int,
        *,
        justify: JustifyMethod | None = None,  # noqa: ARG002 - as above; text here starts at the left
        overflow: OverflowMethod | None = None,  # noqa: ARG002 - as above; nothing is ever cut
        tab_size: int = TAB,
        no_wrap: bool | None = None,  # noqa: ARG002 - as above
    ) -> Lines:
        """Break the text into lines of at most `width` cells."""
        lines = Lines()
        for line in self.split(allow_blank=True):
            if "\t" in line.plain:
                line.expand_tabs(tab_size)
                line = line[: len(line.plain.rstrip(" "))]  # noqa: PLW2901 - as `without_tabs` has it
            indent = self._indent(line.plain, width)
            for at, part in enumerate(line.divide(breaks(line.plain, width, indent))):
                part.rstrip()
                if at and indent:
                    part.pad_left(indent)
                lines.append(part)
        return lines

    def _indent(self, line: str, width: int) -> int:
        return min(len(line) - len(line.lstrip(" ")) + 2, width // 2) if self.hangs else 0


def hanging(text: Text) -> Text:
    """Give text whose lines, where they are broken, go on with their own indentation."""
    held = Wrapped()
    held.hangs = True
    return held.append_text(text)


def without_tabs(line: str) -> str:
    """Put blanks in the place of tabs, up to the next stop as the terminal counts: by cells."""
    if "\t" not in line:
        return line
    parts, used = [], 0
    for part in line.split("\t"):
        used += cell_len(part)
        gap = TAB - used % TAB
        parts.append(part + " " * gap)
        used += gap
    return "".join(parts).rstrip(" ")


def cells_of(text: str) -> int:
    """Count the cells of a text; of joined emoji and flags as many as a terminal takes that does not join them."""
    if not _JOINED.search(text):
        return cell_len(text)
    return sum(2 if _JOINED.match(char) else cell_len(char) for char in text)


def breaks(line: str, width: int, indent: int = 0) -> list[int]:
    """Tell at which characters a line is broken, so that no part takes more than `width` cells."""
    if cells_of(line) <= width:
        return []
    found: list[int] = []
    used = 0
    for start, unit in _units(line):
        needed = cells_of(unit.rstrip())
        if used and used + needed > width:
            found.append(start)
            used = indent
        if used + needed > width:
            for at in _inside(unit, width - used, width - indent):
                found.append(start + at)
                used = indent
            used += cells_of(unit[found[-1] - start :]) if found and found[-1] > start else cells_of(unit)
        else:
            used += cells_of(unit)
    return found


def _units(line: str) -> Iterator[tuple[int, str]]:
    return ((match.start(), match[0]) for match in _UNIT.finditer(line))


def _inside(unit: str, first: int, following: int) -> Iterator[int]:
    """Break a word that no line can hold, wherever a line is full."""
    room = first
    for at, char in enumerate(unit):
        cells = cells_of(char)
        if cells > room and at:
            yield at
            room = following
        room -= cells
