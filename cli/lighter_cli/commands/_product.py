"""What commands that write a transcript share: the one file that they read, and standard output, which may be a terminal."""

import io
import sys
from typing import Any, BinaryIO, cast

from lighter.errors import LighterError
from lighter.inputs import Input, expand
from lighter_cli.output.json import escaped
from lighter_cli.terminal import is_terminal


def one_input(path: str, command: str) -> Input:
    """Give the one file that a word names."""
    inputs, errors = expand((path,))
    if errors:
        raise errors[0]
    if len(inputs) != 1:
        raise LighterError(f"{path}: names {len(inputs)} files; {command} takes one")
    return inputs[0]


def standard_output() -> BinaryIO:
    """Give standard output; on a terminal what would act upon it is escaped, as JSON can."""
    sys.stdout.flush()
    return cast("BinaryIO", _Escaping(sys.stdout.buffer)) if is_terminal(sys.stdout) else sys.stdout.buffer


class _Escaping(io.RawIOBase):
    """Bytes of JSON on their way to a terminal; each write must end between two characters."""

    def __init__(self, terminal: BinaryIO) -> None:
        self._terminal = terminal

    def writable(self) -> bool:
        return True

    def write(self, data: Any) -> int:
        raw = bytes(data)
        self._terminal.write(escaped(raw.decode("utf-8")).encode("utf-8"))
        return len(raw)

    def flush(self) -> None:
        self._terminal.flush()
