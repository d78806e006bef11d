"""A record: one JSON value of a file, its bytes and where it stands; and what is wrong with the lines that are none."""

from typing import Any

from msgspec import Struct


class Record(Struct):
    """One JSON value as found in a file; not frozen because one is made for every line, but nobody changes it.

    `row` (1-based) and `column` (1-based, in characters) tell where `data` starts. `value` is the parsed value, by the
    codec that the reader asked for.
    """

    row: int
    data: bytes
    value: Any
    column: int = 1
    filename: str | None = None


class Placed(Struct, frozen=True):
    """A record of a broken stretch, and from which to which byte of the stretch it was read.

    `is_as_read`: these bytes are the record's own; `is_whole`: they are all of the lines that they stand on.
    """

    record: Record
    start: int
    end: int
    is_as_read: bool
    is_whole: bool


class Stretch(Struct, frozen=True):
    """Lines with a fault that were read as one, from a row on, and what came of them.

    `rest` is what no record was gained from, by lines. `hidden` names the rules of faults that are not told, because another one
    on the same line is. `can_be_written`: the records may be written anew, each on a line of its own, without a loss but of the rest.
    """

    row: int
    lines: tuple[bytes, ...]
    records: tuple[Placed, ...]
    rest: tuple[bytes, ...]
    hidden: tuple[str, ...]
    can_be_written: bool

    @property
    def last(self) -> int:
        """The row of the last line."""
        return self.row + len(self.lines) - 1


class LineFault(Struct, frozen=True):
    """Something wrong with the bytes of a file; `kind` is the name of the rule that reports it.

    `path` points into the record when the record could still be read, and is "" otherwise. `is_unreadable`: no record
    was gained from these bytes. `data` is the line. `stretch`: all that was read together with it; None for what is told of the
    file as a whole, or of a record that shares no line with others. `spread`: the rows of records with which nothing is wrong but
    that they take several lines where each has one.
    """

    kind: str
    row: int
    column: int
    message: str
    path: str = ""
    data: bytes = b""
    is_unreadable: bool = False
    stretch: Stretch | None = None
    spread: tuple[int, ...] = ()
