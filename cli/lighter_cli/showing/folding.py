"""Folding long text: as many rows as fit a budget, and how much is left out, counted."""

import re
from collections.abc import Iterator

from msgspec import Struct
from msgspec.structs import replace
from rich.cells import cell_len

from lighter.excerpt import harmless

SLACK = 2
"""Rows that are shown beyond the budget before anything is folded: hiding two rows behind one saves nobody's time."""


class Folded(Struct, frozen=True):
    """The part of a text that is shown, harmless.

    What is not shown: `before`, the lines above it; `lines` below it; `characters` of its last line.
    """

    text: str
    before: int = 0
    lines: int = 0
    characters: int = 0

    @property
    def note_before(self) -> str:
        """Say what is folded away above; empty when nothing is."""
        return f"… {_counted(self.before, 'line')} above" if self.before else ""

    @property
    def note(self) -> str:
        """Say what is folded away below and how to see it; empty when nothing is."""
        told = [_counted(self.characters, "more character"), _counted(self.lines, "more line")]
        return f"… {' and '.join(filter(None, told))}, --full shows them" if any(told) else ""


def _counted(count: int, what: str) -> str:
    return f"{count:,} {what}{'s' if count > 1 else ''}" if count else ""


def unfolded(text: str) -> Folded:
    """Take all of a text."""
    return Folded(harmless(text.strip("\n"), is_multiline=True))


def fold(text: str, rows: int, width: int, pattern: re.Pattern[str] | None = None) -> Folded:
    """Cut text to so many rows of a screen, starting at a match of `pattern` when it lies further down.

    Only what is shown is looked at closely, however long the rest is.
    """
    text = text.replace("\r\n", "\n").strip("\n")
    folded = _fold_from(text, 0, rows, width)
    found = pattern.search(text) if pattern is not None and folded.note else None
    if found is None or found.start() < len(folded.text):
        return folded
    start = text.rfind("\n", 0, max(found.start(), 0)) + 1
    return replace(_fold_from(text, start, rows, width), before=text.count("\n", 0, start))


def _fold_from(text: str, start: int, rows: int, width: int) -> Folded:
    kept: list[tuple[str, int]] = []
    used = 0
    for line, cost in _costs(text, start, (rows + SLACK) * width, width):
        used += cost
        if used > rows + SLACK:
            break
        kept.append((line, cost))
    else:
        return Folded("\n".join(line for line, _ in kept))
    is_long = cost > rows  # the line at which it broke off
    while kept and sum(cost for _, cost in kept) > rows:
        kept.pop()
        is_long = False
    free = rows - sum(cost for _, cost in kept)
    shown = "\n".join(line for line, _ in kept)
    if not kept or (is_long and free > 0):
        return _fold_line(text, _start_of_line(text, start, len(kept)), max(free, 1) * width, shown)
    return Folded(shown, lines=text.count("\n", start) + 1 - len(kept))


def _start_of_line(text: str, start: int, count: int) -> int:
    """Find where a line begins, so many lines after another."""
    for _ in range(count):
        start = text.index("\n", start) + 1
    return start


def _costs(text: str, start: int, limit: int, width: int) -> Iterator[tuple[str, int]]:
    """Give harmless lines with the rows that they take; of a line beyond the limit only so much as shows that it is."""
    while start <= len(text):
        end = text.find("\n", start)
        end = len(text) if end < 0 else end
        line = harmless(text[start : min(end, start + limit + 1)], is_multiline=True)
        yield line, max(1, -(-cell_len(line.expandtabs()) // width))
        start = end + 1


def _fold_line(text: str, start: int, cells: int, before: str = "") -> Folded:
    """Cut inside a line that alone is beyond the budget; `before` is what is shown of the lines above it."""
    end = text.find("\n", start)
    end = len(text) if end < 0 else end
    head = text[start : min(end, start + cells)]
    kept = head if head.isascii() else head[: max(1, cells // 2)]
    shown = "\n".join(filter(None, (before, harmless(kept, is_multiline=True))))
    return Folded(shown, lines=text.count("\n", end), characters=end - start - len(kept))
