"""What came of a stretch of broken lines: from which of its bytes the records on it were read, and what is left of it."""

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from lighter.records import LineFault, Placed, Record, Stretch
from lighter.recovery import Recovery

if TYPE_CHECKING:
    from lighter.lines import Line

NOTHING = b" \t\r\n\0,\xef\xbb\xbf"
"""Bytes that hold nothing where they stand between records."""
_CLOSERS = re.compile(rb"[\]}]+\Z")
_LINE_END = re.compile(rb"\r?\0*\n")
_NULS = re.compile(rb"\0+")
_REPLACED = "\ufffd".encode()
_FIRST_STEP = 64
_MOST_BYTES = 4
"""Bytes of a character at most."""

Items = list[Record | LineFault]


def recovered(recovery: Recovery, row: int, data: bytes) -> Iterator[Record | LineFault]:
    """Read a line that may be broken, as many of the following as belong to it, and those that were put back.

    What was read of lines that share nothing with others is one stretch, which each fault in it is given.
    """
    lines = recovery.lines
    line: Line | None = lines.begin(row, data)
    items: Items = []
    while line is not None:
        items += recovery.recover(line)
        following = lines.take_pending()
        if following is None or following.column == 1:
            last = following.row - 1 if following else lines.row
            taken = lines.let_go(last - row + 1)
            stretch = _stretch_of(row, taken, items, recovery) if lines.row else None  # else it begins anew, recoded
            recovery.hidden.clear()
            yield from items if stretch is None else _within(stretch, items, recovery)
            items, row = [], last + 1
        line = following


def _within(stretch: Stretch, items: Items, recovery: Recovery) -> Items:
    if len(stretch.lines) > 1:
        recovery.stretches |= {item.row: stretch for item in items if isinstance(item, Record)}
    return [replace(item, stretch=stretch) if isinstance(item, LineFault) else item for item in items]


class Cursor(Struct):
    """A place in some lines that only goes forward, so that finding many places takes no longer than reading the lines once."""

    text: bytes
    row: int
    column: int = 1
    offset: int = 0

    def move(self, row: int, column: int) -> int | None:
        """Go to a place, and give its offset; None where it lies behind."""
        while self.row < row and (end := self.text.find(b"\n", self.offset) + 1):
            self.row, self.column, self.offset = self.row + 1, 1, end
        count = column - self.column
        if self.row != row or count < 0:
            return None
        ahead = self.text[self.offset : self.offset + _MOST_BYTES * count]
        self.offset += len(ahead.decode("utf-8", "surrogateescape")[:count].encode("utf-8", "surrogateescape"))
        self.column = column
        return self.offset


def _stretch_of(row: int, lines: tuple[bytes, ...], items: Items, recovery: Recovery) -> Stretch | None:
    """Tell what came of some lines; None where they hold a record and nothing else, or nothing."""
    may_write = recovery.may_write
    records = [item for item in items if isinstance(item, Record)]
    if len(records) == len(items):
        if len(records) < 2 and (may_write or len(lines) == 1):
            return None
        may_write = False  # no fault tells of them, so that nobody looks for them
    text = lines[0] if len(lines) == 1 else b"".join(lines)
    cursor = Cursor(text, row)
    placed: list[Placed] = []
    for record in records:
        least = placed[-1].end if placed else 0
        found = _placed(record, cursor, least)
        may_write &= found is not None
        placed.append(found or Placed(record, least, least, False, False))
    return Stretch(row, lines, tuple(placed), tuple(_rest(text, placed)), tuple(recovery.hidden), may_write)


def _placed(record: Record, cursor: Cursor, least: int) -> Placed | None:
    """Find what a record was read from; None where that cannot be told."""
    text, data = cursor.text, record.data
    start = cursor.move(record.row, record.column)
    if start is not None and start >= least and text.startswith(data, start):
        end = start + len(data)
        is_begun = start == 0 or text.endswith(b"\n", 0, start)
        return Placed(record, start, end, True, is_begun and (end == len(text) or data.endswith(b"\n")))
    begins = re.compile(re.escape(data[:1]))
    for at in (max(start or 0, least), least):
        for found in begins.finditer(text, at):
            if (mended_end := _end_of(data, text, found.start())) is not None:
                return Placed(record, found.start(), mended_end, False, False)
    return None


def _end_of(data: bytes, text: bytes, start: int) -> int | None:
    """Tell where the text ends from which data were read, which may differ from it where they were mended."""
    at, place = 0, start
    while True:
        same = _same_start(data, at, text, place)
        at, place = at + same, place + same
        if at == len(data):
            return place
        step = _mended(data, at, text, place)
        if step is None:
            return place if at and _CLOSERS.match(data, at) else None
        at, place = at + step[0], place + step[1]


def _mended(data: bytes, at: int, text: bytes, place: int) -> tuple[int, int] | None:
    """Tell how many bytes of a text were written as how many others where the two part."""
    if nuls := _NULS.match(text, place):
        return 0, len(nuls[0])
    if data.startswith(_REPLACED, at) and place < len(text):
        return len(_REPLACED), 1
    if data.startswith(b"\\n", at) and (end := _LINE_END.match(text, place)):
        return 2, len(end[0])
    if place < len(text) and data.startswith(b"\\u%04x" % text[place], at):
        return 6, 1
    return None


def _same_start(one: bytes, at: int, other: bytes, place: int) -> int:
    """Count the bytes that two texts have in common from two places on."""
    count, step = 0, _FIRST_STEP
    while step:
        here = one[at + count : at + count + step]
        if here and here == other[place + count : place + count + len(here)]:
            count += len(here)
            step *= 2
        else:
            step = min(step, len(here)) // 2
    return count


def _rest(text: bytes, placed: list[Placed]) -> Iterator[bytes]:
    """Give what of a text no record was read from and holds anything, by lines."""
    at = 0
    for start, end in [*((one.start, one.end) for one in placed), (len(text), len(text))]:
        yield from (line.rstrip(b"\r") for line in text[at:start].split(b"\n") if line.strip(NOTHING))
        at = max(at, end)
