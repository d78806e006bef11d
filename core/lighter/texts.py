"""Streams of text as streams of bytes, for those who open their files so: the bytes are the text in UTF-8."""

import io
from typing import TYPE_CHECKING, BinaryIO, cast

if TYPE_CHECKING:
    from _typeshed import ReadableBuffer, WriteableBuffer

_BLOCK = 1 << 16


def encoded(stream: io.TextIOBase) -> BinaryIO:
    """Give the rest of a text stream as bytes, half a character as its escape; what its own encoding cannot read is an OSError."""
    return cast("BinaryIO", io.BufferedReader(_Encoded(stream), 1 << 20))


def encoding(stream: io.TextIOBase) -> BinaryIO:
    """Give a stream that takes UTF-8 and writes it as text; each write must end between two characters."""
    return cast("BinaryIO", _Encoding(stream))


class _Encoded(io.RawIOBase):
    def __init__(self, stream: io.TextIOBase) -> None:
        self._stream = stream
        self._rest = b""

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: "WriteableBuffer") -> int:
        view = memoryview(buffer).cast("B")
        if not self._rest:
            try:
                self._rest = self._stream.read(_BLOCK).encode("utf-8", "backslashreplace")
            except UnicodeError as error:
                raise OSError(str(error)) from error
        data, self._rest = self._rest[: len(view)], self._rest[len(view) :]
        view[: len(data)] = data
        return len(data)


class _Encoding(io.RawIOBase):
    def __init__(self, stream: io.TextIOBase) -> None:
        self._stream = stream

    def writable(self) -> bool:
        return True

    def write(self, data: "ReadableBuffer") -> int:
        view = memoryview(data)
        self._stream.write(str(view, "utf-8"))
        return view.nbytes

    def flush(self) -> None:
        if not self.closed:
            self._stream.flush()
