"""A record: one JSON value of a file, its bytes and where it stands; and a line that could not be read as one."""

from typing import Any

from msgspec import Struct


class Record(Struct):
    """One JSON value as found in a file; not frozen because one is made for every line, but nobody changes it.

    `row` (1-based) and `column` (1-based, in characters) tell where `data` starts. `value` is the parsed value, by the
    codec that the reader asked for.
    """

    row: int
    data: bytes
    value: Any
    column: int = 1
    filename: str | None = None


class LineFault(Struct, frozen=True):
    """Something wrong with the bytes of a file; `kind` is the name of the rule that reports it.

    `path` points into the record when the record could still be read, and is "" otherwise. `is_unreadable`: no record
    was gained from these bytes. `data` is the line. `is_event`: it is one of a stream of server-sent events.
    """

    kind: str
    row: int
    column: int
    message: str
    path: str = ""
    data: bytes = b""
    is_unreadable: bool = False
    is_event: bool = False
