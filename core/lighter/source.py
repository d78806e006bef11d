"""Reading a file as records: one JSON value a line, values printed over many lines, and what can be saved of broken ones."""

import io
import zlib
from collections.abc import Callable, Iterator
from typing import Any, BinaryIO

import orjson

from lighter.envelope import SAMPLE
from lighter.errors import UnreadableInput
from lighter.inputs import break_of
from lighter.records import LineFault, Record
from lighter.recovery import Recovery

PROGRESS_EVERY = 1 << 20
"""Bytes between two reports of progress."""

_CUTS = ("truncated-last-line", "truncated-document")
"""Faults that already tell of a file that breaks off."""


def read_records(
    stream: BinaryIO, *, filename: str | None = None, decode: Callable[[bytes], Any] = orjson.loads
) -> Iterator[Record | LineFault]:
    r"""Read the JSON values of a file in order, and tell what is wrong with its bytes.

    Lines end with `\n` only; a value may also stand on many lines. The `data` of a record on one line is that line with its
    line end; where a broken line could be mended, `data` is the mended text. Held are only the line at hand, or the lines of
    one value. `filename` decides whether a single array is in its place. Where compressed data break off, a fault says so.
    Raises UnreadableInput when the bytes cannot be had, NotText when they are no text.
    """
    if isinstance(stream, io.TextIOBase):
        from lighter.texts import encoded  # noqa: PLC0415 - files are opened for bytes mostly

        stream = encoded(stream)
    recovery = Recovery(stream, filename, decode)
    row = 0
    value: Any = None
    is_cut = False
    try:
        while True:
            start = row
            line = b""
            for row, line in enumerate(recovery.lines.unread, row + 1):  # noqa: B020 - goes on where it broke off
                try:
                    value = decode(line)
                except (ValueError, RecursionError):
                    break
                yield Record(row, line, value, 1, filename)
            else:
                recovery.note(row - start, value)
                break
            recovery.note(row - 1 - start, value)
            from lighter.stretches import recovered  # noqa: PLC0415 - most files are in order

            for item in recovered(recovery, row, line):
                yield item
                is_cut = type(item) is LineFault and item.kind in _CUTS
            row = recovery.lines.row
        if (reason := break_of(stream)) and not is_cut:
            yield LineFault(
                "truncated-last-line", max(row, 1), 1, f"the file breaks off here: {reason}", is_unreadable=True
            )
        yield from recovery.finish()
    except (OSError, EOFError, zlib.error) as error:
        raise UnreadableInput(filename or "<input>", f"cannot be read: {error}") from error


def sample(records: Iterator[Record | LineFault], most: int = SAMPLE) -> list[Record | LineFault]:
    """Take the first records, by which the format is told, and the faults among them."""
    taken: list[Record | LineFault] = []
    count = 0
    for item in records:
        taken.append(item)
        count += isinstance(item, Record)
        if count == most:
            break
    return taken


def measured(records: Iterator[Record | LineFault], on_progress: Callable[[int], None]) -> Iterator[Record | LineFault]:
    """Pass records on, and tell now and then how many bytes they took."""
    done = told = 0
    for item in records:
        yield item
        done += len(item.data)
        if done - told >= PROGRESS_EVERY:
            told = done
            on_progress(done)
    on_progress(done)
