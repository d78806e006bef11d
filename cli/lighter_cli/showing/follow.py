"""Following a growing log: what is there is read in passages, and what is added later as it comes."""

import io
import os
import re
import stat
import time
from collections.abc import Iterator
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import BinaryIO

from msgspec.structs import replace

from lighter.conversation import WireMessage
from lighter.detection import detect_values
from lighter.envelope import SAMPLE
from lighter.jsontext import decode
from lighter.passage import Passage
from lighter.reading import Piece, read_passages
from lighter.records import LineFault, Record

POLL = 0.25
"""Seconds between two looks at the file."""
BLOCK = 1 << 20
_CLOSERS = re.compile(rb"[\]}\s]*[\]}]\s*")


class Counted(io.RawIOBase):
    """The first `size` bytes of a stream; counts the lines that were read."""

    def __init__(self, stream: BinaryIO, size: int) -> None:
        self._stream = stream
        self._left = size
        self.rows = 0

    def readable(self) -> bool:
        """Say that it can be read."""
        return True

    def readinto(self, buffer: bytearray | memoryview) -> int:  # type: ignore[override]  # any writable buffer
        """Read some bytes, none beyond the size."""
        data = self._stream.read(min(len(buffer), self._left))
        self._left -= len(data)
        self.rows += data.count(b"\n")
        buffer[: len(data)] = data
        return len(data)


class Log:
    """A log while it is followed: what later pieces of it continue."""

    def __init__(self, filename: str, format_name: str | None) -> None:
        self._filename = filename
        self._given = format_name
        self._sample: list[object] = []
        self._lengths: dict[str | None, int] = {}
        self.rows = 0

    def learn(self, data: bytes) -> None:
        """Keep the first values, by which the format is told: the first messages alone are often too plain for that."""
        for line in data.split(b"\n") if len(self._sample) < SAMPLE else ():
            with suppress(ValueError, RecursionError):
                self._sample.append(decode(line))

    def added(self, data: bytes) -> Iterator[Piece]:
        """Read whole lines that were added, and number their rows and messages on."""
        self.learn(data)
        format_name = self._given or detect_values(self._sample).format
        pieces = [self._later(piece) for piece in read_passages(io.BytesIO(data), self._filename, format_name)]
        yield from sorted(pieces, key=_row_of)
        self.rows += data.count(b"\n")

    def note(self, passage: Passage) -> None:
        """Remember how far the conversation of a passage has come."""
        if _is_logged(passage):
            self._lengths[passage.conversation] = passage.messages[-1].index + 1

    def _later(self, piece: Piece) -> Piece:
        match piece:
            case Passage():
                passage = self._continued(piece)
                self.note(passage)
                return passage
            case Record():
                return _lowered(piece, self.rows)
            case LineFault():
                return replace(piece, row=piece.row + self.rows)

    def _continued(self, passage: Passage) -> Passage:
        if not _is_logged(passage):
            return passage
        key = passage.conversation
        before = self._lengths.get(key, 0)
        moved = tuple(self._moved(message, before) for message in passage.messages)
        return Passage(
            passage.format,
            moved,
            moved[0].record,
            is_first=passage.is_first and not before,
            is_last=passage.is_last,
            fields=passage.fields,
            fields_path=passage.fields_path,
            conversation=key,
        )

    def _moved(self, message: WireMessage, before: int) -> WireMessage:
        return replace(message, record=_lowered(message.record, self.rows), index=message.index + before)


def _lowered(record: Record, rows: int) -> Record:
    return replace(record, row=record.row + rows)


def _row_of(piece: Piece) -> int:
    return piece.record.row if isinstance(piece, Passage) else piece.row


def _is_logged(passage: Passage) -> bool:
    """Say whether each message of a passage is a record of its own, so that the conversation may go on."""
    return passage.body is None and bool(passage.messages)


def follow(stream: BinaryIO, filename: str, format_name: str | None, path: Path | None = None) -> Iterator[Piece]:
    """Read a log and then, for ever, what is added to it.

    A log that became shorter is read from its start again, and so is the one that takes its place at `path` (None: nobody
    can, since the stream is standard input).
    """
    with ExitStack() as opened:
        while True:
            yield from _follow(stream, filename, format_name, path)
            if path is not None and _is_replaced(stream, path):
                opened.close()
                stream = opened.enter_context(_reopened(path))


def _reopened(path: Path) -> BinaryIO:
    """Open a file that may be gone again for a moment."""
    while True:
        try:
            return path.open("rb")
        except FileNotFoundError:
            time.sleep(POLL)


def _follow(stream: BinaryIO, filename: str, format_name: str | None, path: Path | None) -> Iterator[Piece]:
    """Follow a log until it became shorter or was replaced."""
    log = Log(filename, format_name)
    at = _end_of_lines(stream)
    if at:
        log.learn(stream.read(min(at, BLOCK)))
        stream.seek(0)
        present = Counted(stream, at)
        for piece in read_passages(io.BufferedReader(present), filename, format_name):
            if isinstance(piece, Passage):
                log.note(piece)
            yield piece
        log.rows = present.rows
    waiting = b""
    while True:
        stream.seek(at)
        data = stream.read(BLOCK)
        at += len(data)
        whole, waiting = _split(waiting + data, is_idle=not data)
        if whole:
            yield from log.added(whole)
        if not data:
            is_replaced = path is not None and _is_replaced(stream, path)
            time.sleep(POLL)
            end = stream.seek(0, io.SEEK_END)
            if end < at or (is_replaced and end == at):  # nothing more came after it was replaced
                return


def _is_replaced(stream: BinaryIO, path: Path) -> bool:
    """Say whether another file stands at the path now; while there is none, the next one is waited for."""
    try:
        now = path.stat()
    except OSError:
        return False
    return stat.S_ISREG(now.st_mode) and not os.path.samestat(now, os.fstat(stream.fileno()))


def _split(data: bytes, *, is_idle: bool) -> tuple[bytes, bytes]:
    """Part whole lines from what follows them; when nothing comes, a last line that is whole needs no line end."""
    end = data.rfind(b"\n") + 1
    if is_idle and not end and data and _is_whole(data):
        return data + b"\n", b""
    return data[:end], data[end:]


def _end_of_lines(stream: BinaryIO) -> int:
    """Find how many bytes of a file are whole lines; leaves the stream at its start.

    All of them when the last line only closes brackets: that is the end of a document, and not the beginning of a record.
    """
    end = size = stream.seek(0, io.SEEK_END)
    while end:
        start = max(0, end - BLOCK)
        stream.seek(start)
        found = stream.read(end - start).rfind(b"\n")
        if found >= 0:
            end = start + found + 1
            break
        end = start
    if 0 < size - end <= BLOCK:
        stream.seek(end)
        end = size if _CLOSERS.fullmatch(stream.read(size - end)) else end
    stream.seek(0)
    return end


def _is_whole(line: bytes) -> bool:
    try:
        decode(line)
    except (ValueError, RecursionError):
        return False
    return True
