"""Repairing what is wrong with a file's bytes: broken stretches are written anew from what can be read of them.

A stretch is the lines between two records that stand whole on lines of their own. What of it no record was gained from is
set aside, and a stretch with a fault that may not be repaired stays as it is.
"""

import re
from collections.abc import Callable, Iterator
from itertools import takewhile
from typing import Any, BinaryIO

from msgspec import Struct, field

from lighter.broken import encoding_of
from lighter.diagnostics import Diagnostic
from lighter.events import start_of_data
from lighter.fixing_lines import NO_CONTENT, Recorder, Writer, line_end_of, offset_of, recording
from lighter.fixing_plan import Plan
from lighter.lines import Lines
from lighter.records import LineFault, Record
from lighter.rules import find
from lighter.scan import STRING_PATTERN
from lighter.source import read_records

_NOTHING = NO_CONTENT + b",\xef\xbb\xbf"
"""Bytes that hold nothing where they stand between records."""
_OUTSIDE_STRINGS = re.compile(b"(" + STRING_PATTERN + rb")|[ \t\r\n]+", re.DOTALL)

SetAside = Callable[[bytes], Any]


class Stretch(Struct):
    """Lines from a row on, and what was read of them; with no items they hold nothing, or a record as it should stand."""

    row: int
    lines: list[bytes] = field(default_factory=list)
    items: list[Record | LineFault] = field(default_factory=list)


def mend(stream: BinaryIO, filename: str, plan: Plan, out: Any, set_aside: SetAside) -> list[Diagnostic]:
    """Copy a file with the faults of the plan repaired, as far as no other fault stands in the way; give those that were."""
    spread = {row for row, _, kind in plan.faults if kind == "raw-newline-in-record"}
    mended: list[Diagnostic] = []
    writer = Writer(out, b"\n")
    for stretch in (part for whole in stretches(stream, filename) for part in _by_rows(whole)):
        if stretch.row == 1 and stretch.lines:
            writer.end = line_end_of(stretch.lines[0])
        faults = [item for item in stretch.items if isinstance(item, LineFault)]
        found = [plan.faults.get((fault.row, fault.column, fault.kind)) for fault in faults]
        if not faults or None in found or not _may_mend(stretch, faults, plan):
            mended += _copy(stretch, spread, plan, writer)
            continue
        mended += [diagnostic for diagnostic in found if diagnostic is not None]
        _write_mended(stretch, faults, spread, writer, set_aside)
    return mended


def recode(stream: BinaryIO, plan: Plan, out: Any) -> list[Diagnostic]:
    """Copy a file in UTF-16 or UTF-32 as UTF-8; give what that repairs, nothing when the file is in UTF-8 already."""
    diagnostic = next((d for (row, _, kind), d in plan.faults.items() if row == 1 and kind == "invalid-utf8"), None)
    lines = Lines(stream)
    first = next(lines.unread, b"")
    encoding = encoding_of(first)
    if encoding is None or diagnostic is None:
        return []
    lines.recode(first, encoding)
    for line in lines.unread:
        out.write(line)
    return [diagnostic]


def stretches(stream: BinaryIO, filename: str) -> Iterator[Stretch]:
    """Part a file into stretches; of those with faults only the lines and what was read of them are held at a time."""
    recorder, lines = recording(stream)
    held = Stretch(1)
    for item in read_records(lines, filename=filename):
        if isinstance(item, LineFault) and _is_late(item, held, recorder):
            continue
        if held.items and not any(isinstance(other, LineFault) for other in held.items):
            last = max(map(_last_row, held.items))
            if item.row > last:
                yield Stretch(recorder.first, recorder.take(last + 1))
                held.items.clear()
        if not (isinstance(item, Record) and _stands_alone(item, held, recorder)):
            held.items.append(item)
            continue
        own = [other for other in held.items if other.row == item.row]
        held.items = [other for other in held.items if other.row < item.row]
        yield _closed(held, recorder, item.row)
        yield Stretch(recorder.first, recorder.take(_last_row(item) + 1), [*own, item])
        held = Stretch(0)
    yield _closed(held, recorder, None)


def _by_rows(stretch: Stretch) -> Iterator[Stretch]:
    """Part a stretch with faults into its lines, where it is known what was read of each of them."""
    rows = {item.row for item in stretch.items}
    filled = {stretch.row + n for n, line in enumerate(stretch.lines) if not _is_blank(line)}
    is_parted = len(rows) > 1 and filled <= rows and all(_last_row(item) == item.row for item in stretch.items)
    if not is_parted:
        yield stretch
        return
    for number, line in enumerate(stretch.lines, stretch.row):
        yield Stretch(number, [line], [item for item in stretch.items if item.row == number])


def _stands_alone(record: Record, held: Stretch, recorder: Recorder) -> bool:
    """Say whether a record takes whole lines, and nothing else that was read stands on them."""
    if any(other.row > record.row for other in held.items) or not recorder.is_as_read(record)[1]:
        return False
    return all(_last_row(other) < record.row for other in held.items if isinstance(other, Record))


def _is_late(fault: LineFault, held: Stretch, recorder: Recorder) -> bool:
    """Say whether a fault was told at the end of the file, about all of it or about what was read long before."""
    if fault.kind in ("json-array-file", "empty-file") or fault.row < recorder.first:
        return True
    is_known = any(isinstance(item, Record) and item.row == fault.row for item in held.items)
    return fault.kind == "raw-newline-in-record" and is_known


def _last_row(item: Record | LineFault) -> int:
    """Tell the last line that is known to belong to an item."""
    return item.row + (item.data.rstrip(b"\n").count(b"\n") if isinstance(item, Record) else 0)


def _closed(held: Stretch, recorder: Recorder, before: int | None) -> Stretch:
    held.row = recorder.first
    held.lines = recorder.take(before)
    return held


def _may_mend(stretch: Stretch, faults: list[LineFault], plan: Plan) -> bool:
    """Say whether nothing would be lost: neither bytes that nobody keeps, nor the fields of a stream of events."""
    is_lossy = any(fault.is_unreadable or fault.kind == "invalid-json" for fault in faults)
    if is_lossy and not plan.fixing.may_set_aside:
        return False
    rows = {fault.row for fault in faults}
    if any(fault.kind == "invalid-json" for fault in faults) and any(
        isinstance(item, Record) and (item.row not in rows or b"\n" in item.data.rstrip()) for item in stretch.items
    ):
        return False  # pieces of a broken document
    return all(start_of_data(line, is_begun=False) in (0, None) for line in stretch.lines if line[:1] not in b"{[\xef")


def _copy(stretch: Stretch, spread: set[int], plan: Plan, writer: Writer) -> Iterator[Diagnostic]:
    """Write a stretch as it stands; a record that is spread over lines where each should have one goes on one line."""
    match stretch.items:
        case [Record() as record] if len(stretch.lines) > 1 and record.row in spread:
            writer.line(flat(record.data))
            yield plan.faults[record.row, record.column, "raw-newline-in-record"]
        case _:
            for line in stretch.lines:
                writer.copy(line)


def flat(data: bytes) -> bytes:
    """Write a value that stands on many lines on one."""
    return _OUTSIDE_STRINGS.sub(lambda found: found[1] or b"", data)


def _write_mended(
    stretch: Stretch, faults: list[LineFault], spread: set[int], writer: Writer, set_aside: SetAside
) -> None:
    """Write each record of a broken stretch on a line of its own, and set the rest aside where it holds anything."""
    text = b"".join(stretch.lines)
    for line in takewhile(_is_blank, stretch.lines):
        writer.copy(line)
    kinds = tuple(dict.fromkeys(fault.kind for fault in faults))
    records = [item for item in stretch.items if isinstance(item, Record)]
    lossy = {fault.row for fault in faults if fault.is_unreadable}
    spans = [_span(text, stretch, record, kinds, lossy) for record in records]
    is_lossy = bool(lossy) or "invalid-json" in kinds
    for number, record in enumerate(records, 1):
        data = flat(record.data) if record.row in spread else record.data
        for kind in kinds:
            data = getattr(find(kind).module, "mended", _same)(data)
        is_ended = text.endswith(b"\n") or number < len(records) or is_lossy
        writer.line(data.strip(), is_ended=is_ended)
    for line in _rest(text, [span for span in spans if span]) if is_lossy else ():
        set_aside(line + b"\n")


def _rest(text: bytes, spans: list[tuple[int, int]]) -> Iterator[bytes]:
    """Give what of a text stands outside the spans and holds anything, by lines."""
    at = 0
    for start, end in [*sorted(spans), (len(text), len(text))]:
        yield from (line.rstrip(b"\r") for line in text[at:start].split(b"\n") if line.strip(_NOTHING))
        at = max(at, end)


def _same(data: bytes) -> bytes:
    return data


def _is_blank(line: bytes) -> bool:
    return not line.strip()


def _span(
    text: bytes, stretch: Stretch, record: Record, kinds: tuple[str, ...], lossy: set[int]
) -> tuple[int, int] | None:
    """Tell where in a stretch the bytes of a record stand; of a document that was closed, those before the closing.

    One that was mended has its whole line, unless something else of that is lost; None then.
    """
    line, data = record.row - stretch.row, record.data.rstrip()
    first = sum(map(len, stretch.lines[:line]))
    start = first + offset_of(stretch.lines[line], record.column)
    if text[start : start + len(data)] == data:
        return start, start + len(data)
    if "truncated-document" in kinds:
        return start, start + _same_start(text[start:], data)
    return None if record.row in lossy else (first, first + len(stretch.lines[line]))


def _same_start(one: bytes, other: bytes) -> int:
    """Count the bytes that two texts have in common at their beginning."""
    low, high = 0, min(len(one), len(other))
    while low < high:
        middle = (low + high + 1) // 2
        if one[:middle] == other[:middle]:
            low = middle
        else:
            high = middle - 1
    return low
