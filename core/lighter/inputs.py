"""From the words of a command line to open files: paths, directories, patterns, `-`, and compressed files."""

import contextlib
import glob
import io
import os
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO, Protocol, cast

from msgspec import Struct

from lighter.errors import LighterError, UnreadableInput

if TYPE_CHECKING:
    from _typeshed import WriteableBuffer

BUFFER = 1 << 20  # a quarter faster than the default of 8 kB
_SUFFIXES = (".jsonl", ".ndjson", ".json", ".jsonl.gz", ".jsonl.zst", ".ndjson.gz", ".ndjson.zst")
_LOOKED_FOR = "*.jsonl, *.jsonl.gz, *.jsonl.zst, *.ndjson and *.json"
_GZIP = b"\x1f\x8b"
_ZSTD = b"\x28\xb5\x2f\xfd"


class Input(Struct, frozen=True):
    """A file to read: the name that findings give it, its path (None is stdin), and whether it was met by walking a folder."""

    name: str
    path: Path | None
    is_walked: bool = False


def expand(arguments: Sequence[str], *, stdin_name: str = "<stdin>") -> tuple[list[Input], list[LighterError]]:
    """Turn files, directories, patterns and `-` into inputs, each once and in the order given; directories are sorted.

    The second list tells of each argument that leads nowhere.
    """
    inputs: dict[str, Input] = {}
    errors: list[LighterError] = []
    for argument in arguments:
        try:
            for found in _expand(argument, stdin_name):
                inputs.setdefault("-" if found.path is None else os.path.normpath(found.path), found)
        except LighterError as error:
            errors.append(error)
    return list(inputs.values()), errors


def _expand(argument: str, stdin_name: str) -> Iterator[Input]:
    if argument == "-":
        yield Input(stdin_name, None)
        return
    if "\0" in argument:
        raise UnreadableInput(argument.replace("\0", "\\0"), "no such file or directory")
    if Path(argument).is_dir():
        yield from _walk(argument)
    elif os.path.lexists(argument):
        yield Input(argument, Path(argument))
    elif glob.has_magic(argument):
        yield from _match(argument)
    else:
        raise UnreadableInput(argument, "no such file or directory")


def _match(pattern: str) -> Iterator[Input]:
    found = sorted(glob.glob(pattern, recursive=True))  # noqa: PTH207 - pathlib gives hidden files too, and drops a leading ./
    files = [name for name in found if not Path(name).is_dir()]
    for name in files or found:
        yield from [Input(name, Path(name))] if files else _walk(name)
    if not found:
        raise UnreadableInput(pattern, "no file matches this pattern")


def _walk(folder: str) -> Iterator[Input]:
    problems: list[OSError] = []
    is_empty = True
    for place, folders, files in os.walk(folder, onerror=problems.append):
        folders[:] = sorted(name for name in folders if not name.startswith(".") and name != "node_modules")
        for name in sorted(files):
            if name.lower().endswith(_SUFFIXES) and not name.startswith("."):
                is_empty = False
                path = Path(place, name)
                yield Input(str(path), path, is_walked=True)
    for problem in problems:
        raise UnreadableInput(str(problem.filename), _reason(problem))
    if is_empty:
        raise UnreadableInput(
            folder, f"no transcripts in this directory (looked for {_LOOKED_FOR}, in its folders too)"
        )


def open_input(source: Input) -> BinaryIO:
    """Open an input for reading bytes, decompressed; what is compressed is told by its first bytes, not by its name.

    Raises UnreadableInput when it cannot be opened, or when it is `.zst` and the package for that is missing.
    """
    try:
        raw = _open_stdin() if source.path is None else source.path.open("rb", buffering=BUFFER)
        stream = cast("io.BufferedReader", raw)
        start = stream.peek(4)[:4]
    except OSError as error:
        raise UnreadableInput(source.name, _reason(error)) from error
    if start.startswith(_GZIP):
        import gzip  # noqa: PLC0415 - most files are plain

        unpacked = cast("_Unpacked", gzip.GzipFile(fileobj=stream, mode="rb"))
    elif start == _ZSTD:
        unpacked = _open_zstd(source.name, stream)
    else:
        return stream
    return cast("BinaryIO", io.BufferedReader(_Decompressed(unpacked, stream), BUFFER))


def _open_stdin() -> BinaryIO:
    stdin = sys.stdin.buffer
    with contextlib.suppress(OSError, AttributeError):
        return open(stdin.fileno(), "rb", buffering=BUFFER, closefd=False)
    return cast("BinaryIO", io.BufferedReader(cast("io.RawIOBase", stdin), BUFFER))


def _open_zstd(name: str, stream: BinaryIO) -> "_Unpacked":
    try:
        import zstandard  # noqa: PLC0415 - an extra
    except ImportError as error:
        stream.close()
        raise UnreadableInput(name, "zstd files need an extra package: pip install 'lighter-cli[zstd]'") from error
    return cast("_Unpacked", zstandard.ZstdDecompressor().stream_reader(stream, read_across_frames=True, closefd=False))


class _Unpacked(Protocol):
    """What the decompressors have in common."""

    def read1(self, size: int = -1, /) -> bytes: ...
    def close(self) -> None: ...


class _Decompressed(io.RawIOBase):
    """A decompressor as a plain stream: it has no lines of its own, and all its errors are OSError.

    Reads what is there (`read1`), so that a file that was cut gives all that stands before the cut.
    """

    def __init__(self, unpacked: _Unpacked, packed: BinaryIO) -> None:
        self._unpacked = unpacked
        self._packed = packed

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: "WriteableBuffer") -> int:
        view = memoryview(buffer).cast("B")
        try:
            data = self._unpacked.read1(len(view))
        except EOFError as error:
            raise OSError("the compressed data break off") from error
        except Exception as error:
            raise OSError(f"the compressed data are damaged: {error}") from error
        view[: len(data)] = data
        return len(data)

    def close(self) -> None:
        if not self.closed:
            self._unpacked.close()
            self._packed.close()
        super().close()


def _reason(error: OSError) -> str:
    return (error.strerror or str(error)).lower()
