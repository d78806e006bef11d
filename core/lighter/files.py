"""Writing files whole or not at all, compressed where their names say so; and who else a file's name stands for."""

import contextlib
import os
import tempfile
from collections.abc import Iterator
from io import BufferedWriter, TextIOBase
from pathlib import Path
from typing import Any, BinaryIO, cast

from lighter.errors import UnreadableInput, needs_zstd

STANDARD = Path("-")
"""The path that stands for standard output."""


@contextlib.contextmanager
def whole_file(path: Path, *, packing: str | None = None, is_synced: bool = False) -> Iterator[BinaryIO]:
    """Open a file that appears at `path` only when everything was written; an existing one keeps its mode.

    A link stays one: what it points at is written. A name that ends in `.gz` or `.zst` is compressed, unless
    `packing` names one of these suffixes, or is empty. `is_synced`: the content is on the disk before the name is. Raises
    UnreadableInput when it cannot be written, or the package for `.zst` is missing.
    """
    if path.exists() and not path.is_file():  # a device or a pipe, which cannot be replaced
        stream = _opened(path)
        try:
            yield stream
        except BaseException:
            with contextlib.suppress(OSError):
                stream.close()
            raise
        try:
            stream.close()
        except OSError as error:
            raise _unwritable(path, error) from error
        return
    target = Path(os.path.realpath(path))
    try:
        mode = target.stat().st_mode & 0o7777 if target.exists() else 0o666 & ~_umask()
        handle, name = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name[:100]}.")
    except OSError as error:
        raise _unwritable(path, error) from error
    try:
        with os.fdopen(handle, "wb", buffering=1 << 20) as raw:
            with _compressed(path, raw, path.suffix if packing is None else packing) as stream:
                yield stream
            if is_synced:
                raw.flush()
                os.fsync(raw.fileno())
        _keep_owner(name, target)
        os.chmod(name, mode)  # noqa: PTH101 - the name is a string here
        os.replace(name, target)  # noqa: PTH105 - as above
    except BaseException:
        with contextlib.suppress(OSError):
            os.unlink(name)  # noqa: PTH108 - as above
        raise


@contextlib.contextmanager
def product(path: Path | None, standard: BinaryIO) -> Iterator[BinaryIO]:
    """Open what a product is written to: a whole file, or the stream given when the path is `-` or missing."""
    if path is None or path == STANDARD:
        yield standard
        standard.flush()
        return
    with whole_file(path) as stream:
        yield stream


def same_file(first: Path | None, second: Path | None) -> bool:
    """Say whether two products would be written to one place; None and `-` are standard output."""
    one, other = (None if path == STANDARD else path for path in (first, second))
    if one is None or other is None:
        return one is other
    try:
        return one.samefile(other)
    except OSError:
        return os.path.realpath(one) == os.path.realpath(other)


def bytes_into(stream: BinaryIO | TextIOBase) -> BinaryIO:
    """Give a stream that takes bytes: the stream itself, or one that writes them as text to a text stream."""
    if isinstance(stream, TextIOBase):
        from lighter.texts import encoding  # noqa: PLC0415 - files are opened for bytes mostly

        return encoding(stream)
    return stream


def _opened(path: Path) -> BinaryIO:
    try:
        return path.open("wb")
    except OSError as error:
        raise _unwritable(path, error) from error


def _compressed(path: Path, raw: BinaryIO, suffix: str) -> contextlib.AbstractContextManager[BinaryIO]:
    if suffix == ".gz":
        import gzip  # noqa: PLC0415 - most files are plain

        # Neither the name nor the time is written: the same input gives the same bytes.
        return cast("contextlib.AbstractContextManager[BinaryIO]", gzip.GzipFile("", "wb", fileobj=raw, mtime=0))
    if suffix != ".zst":
        return contextlib.nullcontext(raw)
    try:
        import zstandard  # noqa: PLC0415 - an extra
    except ImportError as error:
        raise needs_zstd(str(path)) from error
    writer: Any = zstandard.ZstdCompressor().stream_writer(raw, closefd=False)  # it has no `writelines` of its own
    return cast("contextlib.AbstractContextManager[BinaryIO]", BufferedWriter(writer, 1 << 20))


def _unwritable(path: Path, error: OSError) -> UnreadableInput:
    return UnreadableInput(str(path), f"cannot be written: {error.strerror}")


def _keep_owner(name: str, target: Path) -> None:
    """Give a new file the owner of the one that it replaces, where one may."""
    with contextlib.suppress(OSError, AttributeError):
        before, now = target.stat(), os.stat(name)  # noqa: PTH116 - the name is a string here
        if (before.st_uid, before.st_gid) != (now.st_uid, now.st_gid):
            os.chown(name, before.st_uid, before.st_gid)


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
