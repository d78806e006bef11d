"""Writing files whole or not at all."""

import contextlib
import os
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

from lighter.errors import UnreadableInput


@contextlib.contextmanager
def whole_file(path: Path) -> Iterator[BinaryIO]:
    """Open a file that appears at `path` only when everything was written; an existing one keeps its mode.

    Raises UnreadableInput when it cannot be written.
    """
    if path.exists() and not path.is_file():  # a device or a pipe, which cannot be replaced
        with path.open("wb") as stream:
            yield stream
        return
    try:
        mode = path.stat().st_mode & 0o7777 if path.exists() else 0o666 & ~_umask()
        handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    except OSError as error:
        raise UnreadableInput(str(path), f"cannot be written: {error.strerror}") from error
    try:
        with os.fdopen(handle, "wb", buffering=1 << 20) as stream:
            yield stream
        os.chmod(name, mode)  # noqa: PTH101 - the name is a string here
        os.replace(name, path)  # noqa: PTH105 - as above
    except BaseException:
        with contextlib.suppress(OSError):
            os.unlink(name)  # noqa: PTH108 - as above
        raise


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
