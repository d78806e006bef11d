"""From the words of a command line to open files: paths, directories, patterns, `-`, and compressed files."""

import contextlib
import glob
import io
import os
import stat
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO, Protocol, cast

from msgspec import Struct

from lighter.errors import LighterError, UnreadableInput, needs_zstd

if TYPE_CHECKING:
    from _typeshed import WriteableBuffer

    from lighter.excluding import Exclusion

BUFFER = 1 << 20  # a quarter faster than the default of 8 kB
COMPRESSED_SUFFIXES = (".gz", ".zst")
STDIN = "<stdin>"
"""The name that findings give to standard input."""

_GZIP = b"\x1f\x8b"
_ZSTD = b"\x28\xb5\x2f\xfd"


class Input(Struct, frozen=True):
    """A file to read: the name that findings give it, its path (None is stdin), and whether it was met by walking a folder."""

    name: str
    path: Path | None
    is_walked: bool = False


ExclusionOf = Callable[[str], "Exclusion"]
"""Tells what is left out of a folder."""


def expand(
    arguments: Sequence[str], *, stdin_name: str = STDIN, exclusion_of: ExclusionOf | None = None
) -> tuple[list[Input], list[LighterError]]:
    """Turn files, directories, patterns and `-` into inputs, each once and in the order given; directories are sorted.

    What `exclusion_of` leaves out of a folder is passed over there; without it, what no configuration need name is. The second
    list tells of each argument that leads nowhere.
    """
    inputs: dict[str, Input] = {}
    errors: list[LighterError] = []
    for argument in arguments:
        try:
            for found in _expand(argument, stdin_name, exclusion_of):
                inputs.setdefault("-" if found.path is None else os.path.normpath(found.path), found)
        except UnreadableInput as error:
            errors.append(error)
    return list(inputs.values()), errors


def _expand(argument: str, stdin_name: str, exclusion_of: ExclusionOf | None) -> Iterator[Input]:
    if argument == "-":
        yield Input(stdin_name, None)
        return
    if "\0" in argument:
        raise UnreadableInput(argument.replace("\0", "\\0"), "no such file or directory")
    if os.path.lexists(argument):
        found = [argument]
    elif glob.has_magic(argument):
        found = _match(argument)
    else:
        raise UnreadableInput(argument, "no such file or directory")
    for name in found:
        path = Path(name)
        yield from _walk(name, exclusion_of) if path.is_dir() else [Input(name, path)]


def _match(pattern: str) -> list[str]:
    """Give the files that match a pattern, or else the folders."""
    found = sorted(set(_globbed(pattern)))
    if not found:
        raise UnreadableInput(pattern, "no file matches this pattern")
    return [name for name in found if not Path(name).is_dir() and not is_special(name)] or found


def _globbed(pattern: str) -> Iterator[str]:
    """Match a pattern; `**` stands for folders at any depth, as in the shell without the links among them, which may be loops."""
    parts = pattern.replace(os.altsep or os.sep, os.sep).split(os.sep)  # noqa: PTH206 - as below
    if "**" not in parts:
        yield from glob.glob(pattern)  # noqa: PTH207 - pathlib gives hidden files too, and drops a leading ./
        return
    at = parts.index("**")
    head, rest = os.sep.join(parts[:at]), parts[at + 1 :]  # noqa: PTH118 - as above
    for root in glob.glob(head + os.sep) if at else [""]:  # noqa: PTH207 - as above
        for place, folders, files in os.walk(root or "."):
            folders[:] = [name for name in folders if not name.startswith(".")]
            here = place if root else place.removeprefix(".").removeprefix(os.sep)
            if rest:
                yield from _globbed(os.path.join(glob.escape(here), *rest))  # noqa: PTH118 - the start must stay as it is
            else:
                yield from (os.path.join(here, name) for name in files if not name.startswith("."))  # noqa: PTH118 - as above


def is_jsonl(filename: str | None) -> bool:
    """Say whether a file is named as one with one record a line, be it packed or not."""
    name = filename or ""
    for suffix in COMPRESSED_SUFFIXES:
        name = name.removesuffix(suffix)
    return name.endswith((".jsonl", ".ndjson"))


def is_special(path: str | Path) -> bool:
    """Say whether something is a pipe, a socket or a device, which nobody may open without being asked to."""
    try:
        mode = os.stat(path).st_mode  # noqa: PTH116 - a path or a string
    except OSError:
        return False  # opening it will tell why
    return not (stat.S_ISREG(mode) or stat.S_ISDIR(mode))


def _walk(folder: str, exclusion_of: ExclusionOf | None) -> Iterator[Input]:
    from lighter.walking import walk  # noqa: PLC0415 - most often files are named

    yield from walk(folder, exclusion_of)


def open_input(source: Input) -> BinaryIO:
    """Open an input for reading bytes, decompressed; what is compressed is told by its first bytes, not by its name.

    Compressed data that break off end the stream, and `break_of` then tells of it. Raises UnreadableInput when it cannot be
    opened, when nothing of it can be decompressed, or when it is `.zst` and the package for that is missing.
    """
    try:
        raw = _open_stdin() if source.path is None else source.path.open("rb", buffering=BUFFER)
        stream = cast("io.BufferedReader", raw)
        start = stream.peek(4)[:4]
    except OSError as error:
        raise _unopened(source.name, error) from error
    except ValueError as error:
        raise _no_path(source) from error
    if start.startswith(_GZIP):
        import gzip  # noqa: PLC0415 - most files are plain

        unpacked = cast("_Unpacked", gzip.GzipFile(fileobj=stream, mode="rb"))
    elif start == _ZSTD:
        unpacked = _open_zstd(source.name, stream)
    else:
        return stream
    return cast("BinaryIO", io.BufferedReader(_Decompressed(unpacked, stream), BUFFER))


def _open_stdin() -> BinaryIO:
    if sys.stdin is None:  # closed by `<&-`
        raise OSError("standard input is closed")
    stdin = sys.stdin.buffer
    with contextlib.suppress(OSError, AttributeError):
        return open(stdin.fileno(), "rb", buffering=BUFFER, closefd=False)
    return cast("BinaryIO", io.BufferedReader(cast("io.RawIOBase", stdin), BUFFER))


def _open_zstd(name: str, stream: BinaryIO) -> "_Unpacked":
    try:
        import zstandard  # noqa: PLC0415 - an extra
    except ImportError as error:
        stream.close()
        raise needs_zstd(name) from error
    return _Zstd(zstandard.ZstdDecompressor(), stream)


def packing_of(path: Path) -> str:
    """Tell by a file's first bytes how it is compressed: `.gz`, `.zst`, or nothing; raises OSError."""
    with path.open("rb") as stream:
        start = stream.read(4)
    return ".gz" if start.startswith(_GZIP) else ".zst" if start == _ZSTD else ""


def break_of(stream: BinaryIO) -> str | None:
    """Tell where an opened input broke off before its end, once it is read; None when it did not."""
    raw = getattr(stream, "raw", None)
    return raw.break_ if isinstance(raw, _Decompressed) else None


class _Unpacked(Protocol):
    """What the decompressors have in common."""

    def read1(self, size: int = -1, /) -> bytes: ...
    def close(self) -> None: ...


class _Zstd:
    """Decompression of zstd, frame by frame, which tells a file that breaks off from one that ends."""

    def __init__(self, decompressor: Any, packed: BinaryIO) -> None:
        self._decompressor = decompressor
        self._packed = packed
        self._frame: Any = None
        self._rest = b""
        self._ready = memoryview(b"")

    def read1(self, size: int = -1, /) -> bytes:
        """Give some bytes; none at the end. Raises EOFError inside a frame."""
        while not self._ready:
            data = self._rest or self._packed.read(1 << 16)
            self._rest = b""
            if not data and self._frame is None:
                return b""
            if not data:
                raise EOFError
            frame = self._frame or self._decompressor.decompressobj()
            self._ready = memoryview(frame.decompress(data))
            self._frame = None if frame.eof else frame
            self._rest = frame.unused_data if frame.eof else b""
        piece = self._ready if size < 0 else self._ready[:size]
        self._ready = self._ready[len(piece) :]
        return bytes(piece)

    def close(self) -> None:
        """Forget what was read."""
        self._ready = memoryview(b"")


class _Decompressed(io.RawIOBase):
    """A decompressor as a plain stream: it has no lines of its own, and all its errors are OSError.

    Reads what is there (`read1`), so that a file that was cut gives all that stands before the cut; `break_` then says why
    there is no more.
    """

    def __init__(self, unpacked: _Unpacked, packed: BinaryIO) -> None:
        self._unpacked = unpacked
        self._packed = packed
        self._is_begun = False
        self.break_: str | None = None
        if isinstance(name := getattr(packed, "name", None), str | Path):
            self.name = name

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: "WriteableBuffer") -> int:
        view = memoryview(buffer).cast("B")
        if self.break_:
            return 0
        try:
            data = self._unpacked.read1(len(view))
        except EOFError as error:
            return self._break("the compressed data break off", error)
        except Exception as error:  # noqa: BLE001 - each decompressor has errors of its own
            return self._break(f"the compressed data are damaged: {error}", error)
        self._is_begun = True
        view[: len(data)] = data
        return len(data)

    def _break(self, reason: str, error: Exception) -> int:
        if not self._is_begun:
            raise OSError(reason) from error
        self.break_ = reason
        return 0

    def close(self) -> None:
        if not self.closed:
            self._unpacked.close()
            self._packed.close()
        super().close()


def _no_path(source: Input) -> UnreadableInput:
    """Make the error for a text that no system takes for a path, or for standard input that a program has closed itself."""
    if source.path is None:
        return UnreadableInput(source.name, "is closed")
    return UnreadableInput(ascii(source.name)[1:-1], "no such file")


def _unopened(name: str, error: OSError) -> UnreadableInput:
    """Make the error for a file that cannot be opened; a text that is JSON was hardly meant as a path."""
    if not name.lstrip().startswith(('{"', "[{", "[\n")):
        return UnreadableInput(name, system_reason(error))
    from lighter.excerpt import short  # noqa: PLC0415 - for a mistake that is rarely made

    return UnreadableInput(short(name), "no such file (a text is a path here: parse JSON first)")


def system_reason(error: OSError) -> str:
    """Say in a word why the system refuses a file."""
    return (error.strerror or str(error)).lower()
