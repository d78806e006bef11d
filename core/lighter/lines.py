"""The lines of a file being read, with a place for those that were looked at too early."""

import codecs
from collections import deque
from collections.abc import Iterator
from itertools import chain
from typing import BinaryIO

from msgspec import Struct, field

from lighter.records import LineFault
from lighter.scan import length_of

_SPACE = ord(" ")


class Line(Struct, frozen=True):
    """A physical line or the rest of one, and where it starts."""

    row: int
    column: int
    data: bytes

    @property
    def end(self) -> int:
        """The column behind the last character, the line end aside."""
        return self.column + length_of(self.data.rstrip(b"\r\n"))

    def at(self, offset: int) -> int:
        """Give the column of a byte offset."""
        return self.column + length_of(self.data[:offset])


class Span(Struct):
    """Lines read as one value: as they came, their cleaned text, and where strings broke off.

    `alone` tells which lines are whole records by themselves, `items` how many others would be but for a comma.
    """

    lines: list[Line]
    parts: list[bytes]
    breaks: list[Line] = field(default_factory=list)
    alone: list[int] = field(default_factory=list)
    items: int = 0
    faults: list[LineFault] = field(default_factory=list)


class Lines:
    """A file's lines, those put back first. `unread` gives the others as bytes; whoever takes them from there counts `row`.

    From the one on that `begin` is told of, lines are remembered as they came, until they are let go.
    """

    def __init__(self, stream: BinaryIO) -> None:
        self.unread: Iterator[bytes] = iter(stream)
        self.row = 0
        self.is_recoded = False
        self._stream = stream
        self._pending: deque[Line] = deque()
        self._seen: deque[bytes] = deque()

    def begin(self, row: int, data: bytes) -> Line:
        """Begin to read on from a line that was taken from those unread."""
        self.row = row
        self._seen = deque((data,))
        return Line(row, 1, data)

    def let_go(self, count: int) -> tuple[bytes, ...]:
        """Give so many of the lines that are remembered, and forget them."""
        return tuple(self._seen.popleft() for _ in range(min(count, len(self._seen))))

    def take(self) -> Line | None:
        """Give the next line; None at the end."""
        if self._pending:
            return self._pending.popleft()
        data = next(self.unread, None)
        if data is None:
            return None
        self.row += 1
        self._seen.append(data)
        return Line(self.row, 1, data)

    def take_pending(self) -> Line | None:
        """Give the next of the lines that were put back; None when there is none."""
        return self._pending.popleft() if self._pending else None

    def take_block(self) -> list[Line]:
        """Give the indented lines that follow, and the one after them."""
        block: list[Line] = []
        while self._pending:
            block.append(self._pending.popleft())
            if not block[-1].data[:1].isspace():
                return block
        for row, data in enumerate(self.unread, self.row + 1):
            self.row = row
            self._seen.append(data)
            block.append(Line(row, 1, data))
            if data[0] > _SPACE:
                break
        return block

    def put_back(self, lines: list[Line]) -> None:
        """Let lines come again before the others."""
        self._pending.extendleft(reversed(lines))

    def are_at_end(self) -> bool:
        """Say whether nothing but blank lines follows; blank ones are passed by."""
        while (line := self.take()) is not None:
            if line.data.strip():
                self.put_back([line])
                return False
        return True

    def sample(self, size: int) -> list[Line]:
        """Look ahead over about so many bytes."""
        ahead: list[Line] = []
        while size > 0 and (line := self.take()) is not None:
            ahead.append(line)
            size -= len(line.data)
        self.put_back(ahead)
        return ahead

    def recode(self, first: bytes, encoding: str) -> None:
        """Begin anew, the file being in another encoding; `first` has been read of it."""
        self.unread = _recoded(chain([first], iter(lambda: self._stream.read(1 << 16), b"")), encoding)
        self.is_recoded = True
        self.row = 0


def _recoded(chunks: Iterator[bytes], encoding: str) -> Iterator[bytes]:
    """Give the lines of a file as UTF-8, without the byte order mark; what cannot be decoded becomes U+FFFD."""
    decoder = codecs.getincrementaldecoder(encoding)("replace")
    rest, is_start = "", True
    for chunk in chain(chunks, [b""]):
        text = decoder.decode(chunk, final=not chunk)
        if is_start and text:
            text, is_start = text.removeprefix("\ufeff"), False
        *lines, rest = (rest + text).split("\n")
        for line in lines:
            yield (line + "\n").encode("utf-8")
    if rest:
        yield rest.encode("utf-8")
