"""A file's lines while its records are read and written anew: what a record's bytes are, and edits applied line by line."""

from collections import deque
from collections.abc import Iterator
from typing import Any, BinaryIO, cast
from zlib import crc32

from lighter.errors import NotFixed
from lighter.fixing_plan import Changed, Place, Plan
from lighter.records import LineFault, Placed, Record
from lighter.source import read_records
from lighter.stretches import Cursor


class Recorder:
    """A stream that remembers the lines that were read of it, until they are let go."""

    def __init__(self, stream: BinaryIO) -> None:
        self._stream = stream
        self._kept: deque[bytes] = deque()
        self.first = 1
        """The row of the first line that is remembered."""
        # Who reads a compressed file asks there whether it breaks off.
        self.raw = getattr(stream, "raw", None)

    def __iter__(self) -> Iterator[bytes]:
        for line in self._stream:
            self._kept.append(line)
            yield line

    def read(self, size: int = -1, /) -> bytes:
        """Read bytes that are no lines, those of another encoding."""
        return self._stream.read(size)

    def lines(self, first: int, count: int) -> list[bytes]:
        """Give lines from a row on, as far as they were read."""
        start = first - self.first
        return [self._kept[at] for at in range(max(start, 0), min(start + count, len(self._kept)))]

    def take(self, before: int | None = None) -> list[bytes]:
        """Let go of the lines before a row, all of them without one, and give them."""
        count = len(self._kept) if before is None else max(min(before - self.first, len(self._kept)), 0)
        self.first += count
        return [self._kept.popleft() for _ in range(count)]

    def is_as_read(self, record: Record) -> tuple[bool, bool]:
        """Say whether a record's bytes stand in the file as they are, and whether they take whole lines."""
        data, row, column = record.data, record.row, record.column
        if (
            column == 1
            and self._kept
            and 0 <= row - self.first < len(self._kept)
            and self._kept[row - self.first] is data
        ):
            return True, True
        text = b"".join(self.lines(row, data.count(b"\n") + (not data.endswith(b"\n"))))
        start = offset_of(text, column)
        return text[start : start + len(data)] == data, text == data


def offset_of(line: bytes, column: int) -> int:
    """Give the byte at which a column stands."""
    if column == 1:
        return 0
    return len(line.decode("utf-8", "surrogateescape")[: column - 1].encode("utf-8", "surrogateescape"))


def recording(stream: BinaryIO) -> tuple[Recorder, BinaryIO]:
    """Give a recorder of a stream, also as the stream that it is read as."""
    recorder = Recorder(stream)
    return recorder, cast("BinaryIO", recorder)


def watched(stream: BinaryIO, filename: str, plan: Plan) -> Iterator[Record | LineFault]:
    """Read a file's records, and note in the plan which of them do not stand in the file as they were read."""
    recorder, lines = recording(stream)
    placed: dict[Place, Placed] = {}
    for item in read_records(lines, filename=filename):
        if isinstance(item, Record):
            recorder.take(item.row)
            known = placed.get((item.row, item.column))
            is_as_read, is_whole = (known.is_as_read, known.is_whole) if known else recorder.is_as_read(item)
            if not is_as_read:
                plan.unfit.add((item.row, item.column))
            elif not is_whole:
                plan.partial.add((item.row, item.column))
        elif item.stretch is not None:
            placed = {(one.record.row, one.record.column): one for one in item.stretch.records}
        yield item


class Writer:
    """Writes lines, each on its own even where the last one so far had no line end."""

    def __init__(self, stream: BinaryIO, end: bytes) -> None:
        self._stream = stream
        self.end = end
        self._is_open = False

    def copy(self, data: bytes) -> None:
        """Write lines as they are."""
        if data:
            self._close()
            self._stream.write(data)
            self._is_open = not data.endswith(b"\n")

    def line(self, data: bytes, *, is_ended: bool = True) -> None:
        """Write a text as a line."""
        self._close()
        self._stream.write(data + self.end if is_ended else data)
        self._is_open = not is_ended

    def _close(self) -> None:
        if self._is_open:
            self._stream.write(self.end)
            self._is_open = False


def line_end_of(line: bytes) -> bytes:
    """Tell how lines end, by one of them."""
    return b"\r\n" if line.endswith(b"\r\n") else b"\n"


def rewrite(stream: BinaryIO, filename: str, records: dict[Place, Changed], out: Any) -> None:
    """Copy a file with changes applied to its records; raises NotFixed when it is not the file that was read before."""
    lines = iter(stream)
    first = next(lines, b"")
    writer = Writer(out, line_end_of(first))
    row, ahead = 1, [first] if first else []
    for place in _by_row(records):
        start, group = place
        while row < start:
            writer.copy(ahead.pop(0) if ahead else _next(lines, filename))
            row += 1
        count = max(changed.lines for _, changed in group)
        while len(ahead) < count:
            ahead.append(_next(lines, filename))
        text = b"".join(ahead[:count])
        del ahead[:count]
        row += count
        _write_group(writer, text, group, filename)
    for line in ahead:
        writer.copy(line)
    for line in lines:
        writer.copy(line)


def _next(lines: Iterator[bytes], filename: str) -> bytes:
    line = next(lines, None)
    if line is None:
        raise _changed(filename)
    return line


def _changed(filename: str) -> NotFixed:
    return NotFixed(f"{filename}: changed while it was being fixed; it was left as it is")


def _by_row(records: dict[Place, Changed]) -> Iterator[tuple[int, list[tuple[int, Changed]]]]:
    """Give the changed records by the rows they start in, with their columns."""
    rows: dict[int, list[tuple[int, Changed]]] = {}
    for (row, column), changed in sorted(records.items(), key=lambda item: item[0]):
        rows.setdefault(row, []).append((column, changed))
    yield from rows.items()


def _write_group(writer: Writer, text: bytes, group: list[tuple[int, Changed]], filename: str) -> None:
    """Write the lines of some records with their changes."""
    cursor = Cursor(text, 1)
    new: list[bytes] = []
    end = 0
    for column, changed in group:
        start = cursor.move(1, column) or 0
        data = text[start : start + changed.size]
        if len(data) != changed.size or crc32(data) != changed.sum:
            raise _changed(filename)
        new += text[end:start], changed.applied(data)
        end = start + changed.size
    for _, changed in group:
        for line in changed.before:
            writer.line(line)
    is_ended = text.endswith(b"\n")
    following = [line for _, changed in group for line in changed.after]
    if not any(changed.is_dropped for _, changed in group):
        writer.copy(b"".join((*new, text[end:])))
    for number, line in enumerate(following, 1):
        writer.line(line, is_ended=is_ended or number < len(following))
