"""Repairing what is wrong with a file's bytes: broken stretches are written anew from what can be read of them.

What of a stretch no record was gained from is set aside, and one with a fault that may not be repaired stays as it is.
"""

import re
from collections.abc import Callable, Iterable, Iterator
from itertools import takewhile
from typing import Any, BinaryIO

from msgspec import Struct

from lighter.broken import encoding_of
from lighter.diagnostics import Diagnostic
from lighter.fixable import applicability_of
from lighter.fixing_lines import Recorder, Writer, line_end_of, recording
from lighter.fixing_plan import Plan
from lighter.lines import Lines
from lighter.records import LineFault, Record, Stretch
from lighter.rules import find
from lighter.scan import STRING_PATTERN
from lighter.source import read_records
from lighter.stretches import NOTHING

_OUTSIDE_STRINGS = re.compile(b"(" + STRING_PATTERN + rb")|[ \t\r\n]+", re.DOTALL)

SetAside = Callable[[bytes], Any]
Broken = tuple[Stretch, list[LineFault]]


class Copy(Struct):
    """A copy of a file as far as it was read, and the lines of it that were not copied yet."""

    recorder: Recorder
    writer: Writer

    def up_to(self, row: int | None) -> None:
        """Copy the lines before a row as they are."""
        for line in self.recorder.take(row):
            self.writer.copy(line)


def mend(stream: BinaryIO, filename: str, plan: Plan, out: Any, set_aside: SetAside) -> list[Diagnostic]:
    """Copy a file with the faults of the plan repaired, as far as no other fault stands in the way; give those that were."""
    recorder, lines = recording(stream)
    copy = Copy(recorder, Writer(out, b"\n"))
    mended: list[Diagnostic] = []
    for item in _parted(read_records(lines, filename=filename)):
        if recorder.first == 1 and (first := recorder.lines(1, 1)):
            copy.writer.end = line_end_of(first[0])
        if isinstance(item, Record):
            mended += _flattened(item, plan, copy)
            continue
        stretch, faults = item
        found = _found(stretch, faults, plan)
        copy.up_to(stretch.row if found else stretch.last + 1)
        if found:
            recorder.take(stretch.last + 1)
            mended += found
            _write_mended(stretch, faults, plan, copy.writer)
            for line in stretch.rest:
                set_aside(line + b"\n")
    copy.up_to(None)
    return _once(mended)


def recode(stream: BinaryIO, plan: Plan, out: Any) -> list[Diagnostic] | None:
    """Copy a file in UTF-16 or UTF-32 as UTF-8, if that is wanted, and give what that repairs; None for a file in UTF-8."""
    diagnostic = next((d for (row, _, kind), d in plan.faults.items() if row == 1 and kind == "invalid-utf8"), None)
    lines = Lines(stream)
    first = next(lines.unread, b"")
    encoding = encoding_of(first)
    if encoding is None:
        return None
    if diagnostic is None:
        return []
    lines.recode(first, encoding)
    for line in lines.unread:
        out.write(line)
    return [diagnostic]


def _parted(items: Iterable[Record | LineFault]) -> Iterator[Record | Broken]:
    """Give each broken stretch with its faults, and the records that stand in none."""
    alone: list[Record] = []
    broken: Broken | None = None
    for item in items:
        if isinstance(item, LineFault):
            stretch = item.stretch
            if stretch is None or item.spread:
                continue
            if broken is not None and broken[0] is stretch:
                broken[1].append(item)
                continue
            if broken is not None:
                yield broken
            yield from (record for record in alone if record.row < stretch.row)
            broken = stretch, [item]
            alone.clear()
        elif broken is None or item.row > broken[0].last:
            if broken is not None:
                yield broken
            yield from alone
            broken, alone = None, [item]
    if broken is not None:
        yield broken
    yield from alone


def _found(stretch: Stretch, faults: list[LineFault], plan: Plan) -> list[Diagnostic]:
    """Give what writing a stretch anew repairs; nothing where that may not be done."""
    own = [plan.faults.get((fault.row, fault.column, fault.kind)) for fault in faults]
    can_be = applicability_of(stretch, may_set_aside=plan.fixing.may_set_aside)
    if None in own or can_be is None or not plan.fixing.allows(can_be):
        return []
    late = [plan.spread.get(one.record.row) for one in stretch.records]
    return _once(diagnostic for diagnostic in (*own, *late) if diagnostic is not None)


def _flattened(record: Record, plan: Plan, copy: Copy) -> Iterator[Diagnostic]:
    """Copy what stands before a record, and write it on one line where that is wanted."""
    copy.up_to(record.row)
    count = record.data.rstrip(b"\n").count(b"\n") + 1
    if (diagnostic := plan.spread.get(record.row)) is not None and _is_alone(
        record, copy.recorder.lines(record.row, count)
    ):
        copy.recorder.take(record.row + count)
        copy.writer.line(flat(record.data))
        yield diagnostic


def _is_alone(record: Record, lines: Iterable[bytes]) -> bool:
    """Say whether lines hold a record and nothing else."""
    return b"".join(lines).strip(NOTHING) == record.data.strip(NOTHING)


def flat(data: bytes) -> bytes:
    """Write a value that stands on many lines on one."""
    return _OUTSIDE_STRINGS.sub(lambda found: found[1] or b"", data)


def _write_mended(stretch: Stretch, faults: list[LineFault], plan: Plan, writer: Writer) -> None:
    """Write each record of a broken stretch on a line of its own."""
    for line in takewhile(_is_blank, stretch.lines):
        writer.copy(line)
    kinds = dict.fromkeys(fault.kind for fault in faults)
    spread = plan.spread.keys() | {fault.row for fault in faults if fault.kind == "raw-newline-in-record"}
    is_ended = stretch.lines[-1].endswith(b"\n") or bool(stretch.rest)
    for number, placed in enumerate(stretch.records, 1):
        record = placed.record
        data = flat(record.data) if record.row in spread else record.data
        for kind in kinds:
            data = getattr(find(kind).module, "mended", _same)(data)
        writer.line(data.strip(), is_ended=is_ended or number < len(stretch.records))


def _once(found: Iterable[Diagnostic]) -> list[Diagnostic]:
    """Leave out what stands in it already: several records may be repaired for one finding."""
    return [*{id(diagnostic): diagnostic for diagnostic in found}.values()]


def _same(data: bytes) -> bytes:
    return data


def _is_blank(line: bytes) -> bool:
    return not line.strip()
