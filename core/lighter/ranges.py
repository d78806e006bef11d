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
from msgspec.structs import replace

from lighter.aiming import Look, look_at, target_and_mode
from lighter.diagnostics import Diagnostic, Location, Tally
from lighter.envelope import session_of
from lighter.errors import LighterError
from lighter.inputs import BUFFER
from lighter.linting import LintOptions, LintRun, Report
from lighter.records import LineFault, Record
from lighter.source import read_records, sample
from lighter.streams import hold_streams, whole

if TYPE_CHECKING:
    from _typeshed import WriteableBuffer

LARGE = 8 << 20
"""Bytes of a file from which on it is worth while to cut it."""

SMALLEST, LARGEST = 2 << 20, 16 << 20
"""Bytes of a range."""

PER_WORKER = 2
"""Into how many ranges for each process the rest of the work is cut: toward the end they become small, so that all processes
come to it at about the same time."""

FURTHEST = 64 << 20
"""Bytes in which the next session must begin for a log to be cut again."""


class Plan(Struct, frozen=True):
    """How a file is linted in ranges: what its first lines told, and whether it is a log with one message a line."""

    path: str
    name: str
    size: int
    options: LintOptions
    look: Look
    is_log: bool


class Range(Struct, frozen=True):
    """The bytes of a part of a file."""

    plan: Plan
    start: int
    end: int


class Part(Struct):
    """What was found in a range, how many lines it has, and the keys of the sessions in it; rows count from its beginning."""

    tally: Tally
    lines: int
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
            head = list(_single_lines(sample(read_records(stream, filename=name))))
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


def ranges_of(plan: Plan, workers: int, after: int = 0) -> Iterator[Range]:
    """Cut a file into ranges of whole lines, a log between two sessions; `after` it, so many bytes of other files wait."""
    start = 0
    with open(plan.path, "rb") as stream:  # noqa: PTH123 - as above
        while start < plan.size:
            left = plan.size - start + after
            length = min(max(left // (PER_WORKER * workers), SMALLEST), LARGEST)
            end = min(_cut(stream, plan, start + length), plan.size)
            yield Range(plan, start, end)
            start = end


def lint_range(part: Range) -> Part | None:
    """Lint a range; None when the file must be linted in one go."""
    plan = part.plan
    run = LintRun(plan.name, plan.options, plan.look)
    run.is_log = plan.is_log and part.start > 0
    run.sessions.begun = set()
    lines = _Lines()
    with open(plan.path, "rb", buffering=0) as file:  # noqa: PTH123 - as above
        file.seek(part.start)
        stream = io.BufferedReader(_Slice(file, part.end - part.start), BUFFER)
        try:
            run.take(lines.counted(_single_lines(read_records(stream, filename=plan.name))))
        except (LighterError, Entangled):
            return None
    tally = run.tally()
    others = tally.bodies + tally.strangers if plan.is_log else tally.sessions
    is_all = lines.bytes == part.end - part.start
    if not is_all or tally.has_chunks or others or run.sessions.is_interleaved:
        return None
    return Part(tally, lines.count, frozenset(run.sessions.begun))


def report_of(plan: Plan, first: Record, parts: Iterable[Part]) -> Report | None:
    """Give the report of a file of the parts of it; None when a session stands in two of them."""
    run = LintRun(plan.name, plan.options, plan.look)
    run.first = first
    keys: set[str | None] = set()
    before = 0
    for part in parts:
        if keys & part.sessions:
            return None
        keys |= part.sessions
        part.tally.found = _moved_down(part.tally.found, before)
        run.add(part.tally)
        before += part.lines
    return run.finish()


def _moved_down(found: list[Diagnostic], lines: int) -> list[Diagnostic]:
    """Tell the findings of a range as those of its file, in which so many lines stand before it."""
    return [replace(one, location=Location(one.location.row + lines, one.location.column)) for one in found]


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


class _Lines:
    """How many lines were read, and of how many bytes: all of a range, where no line but these is in it."""

    def __init__(self) -> None:
        self.count = self.bytes = 0

    def counted(self, records: Iterable[Record]) -> Iterator[Record]:
        """Pass the records of lines on."""
        for record in records:
            self.count = record.row
            self.bytes += len(record.data)
            yield record


def _single_lines(items: Iterable[Record | LineFault]) -> Iterator[Record]:
    """Pass records on; raises Entangled where one is not a line by itself, or a line is none."""
    for row, item in enumerate(items, 1):
        if type(item) is not Record or item.row != row or item.column != 1:
            raise Entangled
        yield item


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
