"""One large file linted in ranges of lines, by processes side by side: where it may be cut, and what joins the ranges.

Only files are cut in which no line has to do with one of another range: each line is one JSON value, and either all of them
are whole conversations, or all are messages of sessions, each of which stands in one piece. Whether that holds is known only
when all is read. Until then it is taken for granted from the first lines on; where it proves wrong, the file is linted anew,
from the beginning and in one go, so that the same is found in any case.
"""

import io
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, BinaryIO

import orjson
from msgspec import Struct

from lighter.aiming import Look, look_at, target_and_mode
from lighter.envelope import session_of
from lighter.errors import LighterError
from lighter.inputs import BUFFER
from lighter.linting import LintOptions, LintRun, Report, Tally
from lighter.records import LineFault, Record
from lighter.source import read_records, sample
from lighter.streams import hold_streams, whole

if TYPE_CHECKING:
    from _typeshed import WriteableBuffer

LARGE = 16 << 20
"""Bytes of a file from which on it is worth while to cut it."""

SMALLEST, LARGEST = 1 << 20, 16 << 20
"""Bytes of a range."""

PER_WORKER = 4
"""Into how many ranges for each process a file is cut, so that all of them come to the end at about the same time."""

FURTHEST = 64 << 20
"""Bytes in which the next session must begin for a log to be cut again."""


_PIECE = 1 << 18
"""Bytes that are looked at at a time for line ends: as many as stay in the cache of a processor."""


class Plan(Struct, frozen=True):
    """How a file is linted in ranges: what its first lines told, and whether it is a log with one message a line."""

    path: str
    name: str
    size: int
    options: LintOptions
    look: Look
    is_log: bool


class Range(Struct, frozen=True):
    """A part of a file: its bytes, how many lines stand before it, and how many in it."""

    plan: Plan
    start: int
    end: int
    before: int
    lines: int


class Part(Struct):
    """What was found in a range, and the keys of the sessions in it."""

    tally: Tally
    sessions: frozenset[str | None]


class Entangled(Exception):
    """Lines of a file have to do with one another, or with those of another range."""


def plan_of(path: str, name: str, options: LintOptions) -> tuple[Plan, Record] | None:
    """Tell how a file may be linted in ranges by its first lines and its last one, with its first record; None when it may not.

    Raises UnknownFormat and OSError.
    """
    with open(path, "rb", buffering=BUFFER) as stream:  # noqa: PTH123 - as files are opened for reading records
        size = stream.seek(0, io.SEEK_END)
        if size < LARGE or not _is_whole(_last_line(stream, size)):
            return None
        stream.seek(0)
        try:
            head = list(_single_lines(sample(read_records(stream, filename=name)), 0))
        except (LighterError, Entangled):
            return None
    if any(whole(record) is not record for record in head) or hold_streams(record.value for record in head):
        return None
    look = look_at(head, options.format, target_and_mode(options.target, options.mode)[0])
    is_known = look.detection is None or look.detection.format is not None
    sessions = [_session(record.value) for record in head]
    is_log = any("role" in record.value for record in head if isinstance(record.value, dict))
    if not head or not is_known or (is_log and None in sessions):
        return None
    return Plan(path, name, size, options, look, is_log), head[0]


def ranges_of(plan: Plan, workers: int) -> Iterator[Range]:
    """Cut a file into ranges of whole lines, a log between two sessions."""
    length = min(max(plan.size // (PER_WORKER * workers), SMALLEST), LARGEST)
    start = before = 0
    with (
        open(plan.path, "rb") as stream,  # noqa: PTH123 - as above
        open(plan.path, "rb", buffering=0) as bare,  # noqa: PTH123 - as above
    ):
        while start < plan.size:
            end = min(_cut(stream, plan, start + length), plan.size)
            lines = _count_lines(bare, start, end)
            yield Range(plan, start, end, before, lines)
            start, before = end, before + lines


def lint_range(part: Range) -> Part | None:
    """Lint a range; None when the file must be linted in one go."""
    plan = part.plan
    run = LintRun(plan.name, plan.options, plan.look)
    run.is_log = plan.is_log and part.before > 0
    run.sessions.begun = set()
    with open(plan.path, "rb", buffering=0) as file:  # noqa: PTH123 - as above
        file.seek(part.start)
        stream = io.BufferedReader(_Slice(file, part.end - part.start), BUFFER)
        try:
            run.take(_single_lines(read_records(stream, filename=plan.name), part.before, part.lines))
        except (LighterError, Entangled):
            return None
    tally = run.tally()
    others = tally.bodies + tally.strangers if plan.is_log else tally.sessions
    if tally.has_chunks or others or run.sessions.is_interleaved:
        return None
    return Part(tally, frozenset(run.sessions.begun))


def report_of(plan: Plan, first: Record, parts: Iterable[Part]) -> Report | None:
    """Give the report of a file of the parts of it; None when a session stands in two of them."""
    run = LintRun(plan.name, plan.options, plan.look)
    run.first = first
    keys: set[str | None] = set()
    for part in parts:
        if keys & part.sessions:
            return None
        keys |= part.sessions
        run.add(part.tally)
    return run.finish()


class _Slice(io.RawIOBase):
    """The next bytes of a file, and no more."""

    def __init__(self, file: io.FileIO, length: int) -> None:
        self._file = file
        self._left = length

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: "WriteableBuffer") -> int:
        view = memoryview(buffer).cast("B")[: self._left]
        count = self._file.readinto(view) or 0
        self._left -= count
        return count


def _single_lines(items: Iterable[Record | LineFault], before: int, lines: int | None = None) -> Iterator[Record]:
    """Pass records on with their rows in the file; raises Entangled where one is not a line by itself, or not all lines are one."""
    row = 0
    for item in items:
        row += 1
        if type(item) is not Record or item.row != row or item.column != 1:
            raise Entangled
        item.row += before
        yield item
    if lines is not None and row != lines:
        raise Entangled


def _session(value: object) -> str | None:
    return session_of(value) if isinstance(value, dict) else None


def _is_whole(line: bytes) -> bool:
    """Say whether a line is a JSON value, as that of a file that breaks off is not."""
    try:
        orjson.loads(line)
    except ValueError:
        return False
    return True


def _last_line(stream: BinaryIO, size: int) -> bytes:
    """Read the last line of a file, or as much of it as is looked at."""
    length, line = BUFFER, b""
    while length <= FURTHEST:
        stream.seek(max(size - length, 0))
        lines = stream.read(length).splitlines()
        line = lines[-1] if lines else b""
        if len(lines) > 1 or length >= size:
            break
        length *= 4
    return line


def _cut(stream: BinaryIO, plan: Plan, place: int) -> int:
    """Find the next place at which a file may be cut: before a line, and in a log before the first message of a session."""
    if place >= plan.size:
        return plan.size
    stream.seek(place - 1)
    end = place - 1 + len(stream.readline())
    key: str | None = None
    while plan.is_log and end < min(place + FURTHEST, plan.size):
        line = stream.readline()
        try:
            found = _session(orjson.loads(line))
        except ValueError:
            return plan.size  # which the one who lints it will find
        if found != (key := key or found):
            return end
        end += len(line)
    return plan.size if plan.is_log else end


def _count_lines(stream: io.FileIO, start: int, end: int) -> int:
    """Count lines, also a last one without a line end."""
    stream.seek(start)
    piece = bytearray(_PIECE)
    count, last = 0, b"\n"
    while (left := end - start) > 0 and (length := stream.readinto(memoryview(piece)[:left])):
        count += piece.count(b"\n", 0, length)
        last = bytes(piece[length - 1 : length])
        start += length
    return count + (last != b"\n")
