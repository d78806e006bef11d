"""Reading on where a line is no JSON value by itself: a value printed over many lines, or a broken file.

A line that opens a value and does not close it has three explanations: the value goes on (pretty-printed), a string in it holds
raw newlines, or a record was cut. The lines that follow decide, so they are looked at and, where it was a cut, put back.
"""

import re
from collections import deque
from collections.abc import Callable, Iterator
from typing import Any, BinaryIO

from lighter import events
from lighter.broken import (
    CUT_AND_GLUED,
    Blemish,
    Salvaged,
    clean,
    encoding_of,
    judge,
    looks_binary,
    read_value,
    rescue,
    whole_tail,
)
from lighter.errors import NotText
from lighter.inputs import is_jsonl
from lighter.lines import Line, Lines, Span
from lighter.locate import locate
from lighter.records import LineFault, Record, Stretch
from lighter.scan import Outcome, Scanner, length_of, scan, skip_space, why
from lighter.streams import looks_like_piece

Found = Iterator[Record | LineFault]

_BOM = b"\xef\xbb\xbf"
_OPENING = (b"{", b"[")
_UNFINISHED = (Outcome.OPEN, Outcome.IN_STRING, Outcome.CUT)
_ONLY_CLOSERS = re.compile(rb"[\]},\s]*\Z")
_SAMPLE = 1 << 16


class Recovery:
    """What is known of a file so far: how many records, how many of them on one line and on many, and the last one's value.

    `hidden` names the rules of faults that are not told, `stretches` gives what records on several lines are read with, by their
    rows. Up to the row `settled`, lines were looked ahead at once and are not again, so that the work stays proportional to the bytes.
    """

    def __init__(self, stream: BinaryIO, filename: str | None, decode: Callable[[bytes], Any]) -> None:
        self.lines = Lines(stream)
        self._filename = filename
        self._decode = decode
        self._count = 0
        self._one_line = 0
        self._many_lines: list[Line] = []
        self._last: Any = None
        self._settled = 0
        self._is_empty = True
        self._is_event_stream = False
        self._is_document_broken = self._is_document_bad = False
        self.hidden: list[str] = []
        self.stretches: dict[int, Stretch] = {}

    def note(self, count: int, last: Any) -> None:
        """Count records that were read as lines, and keep the last one's value."""
        if count:
            self._count += count
            self._one_line += count
            self._last = last
            self._is_empty = False

    @property
    def may_write(self) -> bool:
        """Whether what was read so far is neither a stream of events nor the pieces of a document, which stand as they are."""
        return not (self._is_event_stream or self._is_document_bad)

    def finish(self) -> Found:
        """Tell what only the whole file shows."""
        if self._is_empty:
            yield LineFault("empty-file", 1, 1, "the file is empty")
        if self._many_lines:
            from lighter.layout import spread_records  # noqa: PLC0415 - most files have one record a line

            yield from spread_records(self._filename, self._one_line, self._many_lines, self.stretches)
        is_array = self._count == 1 and isinstance(self._last, list) and not self._is_document_broken
        if is_array and is_jsonl(self._filename) and not _is_record(self._last):
            yield LineFault("json-array-file", 1, 1, "the file is one JSON array, not one record a line")

    # ------------------------------------------------------------------------------------------------------ one line

    def recover(self, line: Line) -> Found:
        """Read a line that may be broken, and as many of the following as belong to it; others may be put back."""
        data, column = line.data, line.column
        if line.row == column == 1:
            if not self.lines.is_recoded and (encoding := encoding_of(data)):
                self.lines.recode(data, encoding)
                name = encoding.removesuffix("-le").removesuffix("-be").upper()
                yield LineFault("invalid-utf8", 1, 1, f"the file is {name}, but JSON is UTF-8", data=data)
                return
            self._refuse_binary(data)
        if marks := (len(data) - len(data.lstrip(_BOM))) // len(_BOM) if data.startswith(_BOM) else 0:
            data, column = data[marks * len(_BOM) :], column + marks
            if data.strip():
                message = "a byte order mark stands before the text"
                yield LineFault("utf8-bom", line.row, line.column, message, data=line.data)
        start = self._skip_event_field(data)
        if (text := data[start:]).strip():
            self._is_empty = False
            if start and self._is_event_stream and not self._is_whole(text):
                text = events.joined_data(text, self.lines, self._is_whole)
            yield from self._recover_text(Line(line.row, column + start, text))

    def _skip_event_field(self, data: bytes) -> int:
        """Pass by the field names of a stream of server-sent events; all of a line that holds no data."""
        if not (self._is_empty or self._is_event_stream or self._begins_events(data)):
            return 0
        start = events.start_of_data(data, is_begun=self._is_event_stream)
        if start is None:
            return 0
        self._is_event_stream = True
        self._is_empty = False
        return start

    def _begins_events(self, data: bytes) -> bool:
        """Say whether a stream that was logged among records begins here: a piece of an answer, or its name with it below."""
        if events.NAMED.match(data):
            data = next((line.data for line in self.lines.sample(1)), b"")
        try:
            return data.startswith(events.DATA) and looks_like_piece(self._decode(data[len(events.DATA) :]))
        except (ValueError, RecursionError):
            return False

    def _recover_text(self, line: Line) -> Found:
        cleaned, blemish = clean(line.data)
        if blemish is None:
            yield from self._read(line)
            return
        found = list(self._read(Line(line.row, line.column, cleaned))) if cleaned.strip() else []
        faults = [fault for fault in found if isinstance(fault, LineFault)]
        if blemish.is_cut_character and any(fault.kind != "invalid-json" for fault in faults):
            yield from found
            return
        self.hidden += (fault.kind for fault in faults)
        yield _fault(blemish, line, is_unreadable=any(fault.is_unreadable for fault in faults))
        gone = line.data.count(b"\0")
        for record in found:
            if isinstance(record, Record):
                record.column += gone if record.row == line.row and record.column >= line.at(blemish.at) else 0
                yield record

    def _refuse_binary(self, data: bytes) -> None:
        if looks_binary(data) and not any(
            line.data[:1] in _OPENING and self._is_whole(line.data) for line in self.lines.sample(_SAMPLE)
        ):
            raise NotText(self._filename or "<input>", "is binary, not a transcript")

    def _is_whole(self, data: bytes) -> bool:
        try:
            return bool(self._decode(data))
        except (ValueError, RecursionError):
            return False

    def _record(self, line: Line, data: bytes, value: Any) -> Record:
        self._count += 1
        self._last = value
        return Record(line.row, data, value, line.column, self._filename)

    def _read(self, line: Line) -> Found:
        try:
            value = self._decode(line.data)
        except (ValueError, RecursionError):
            pass
        else:
            self._one_line += 1
            yield self._record(line, line.data, value)
            return
        scanner, stop = scan(line.data)
        if scanner.outcome is Outcome.DONE and skip_space(line.data, stop) == len(line.data):
            self._one_line += 1
            yield from self._read_odd(line, line.data, scanner)
        elif scanner.outcome in _UNFINISHED and line.data.lstrip().startswith(_OPENING):
            yield from self._read_on(line, scanner)
        else:
            yield from self._read_broken(line)

    def _read_odd(self, line: Line, data: bytes, scanner: Scanner) -> Found:
        value, blemishes, is_read = read_value(data, self._decode, scanner.deepest)
        record = self._record(line, data, value)
        for blemish in blemishes:
            place = locate(record, blemish.path) if is_read else line
            yield LineFault(blemish.kind, place.row, place.column, blemish.message, blemish.path, data, not is_read)
        if is_read:
            yield record

    def _read_broken(self, line: Line) -> Found:
        broken = judge(line.data)
        # The items of a broken array come as lines, each with its comma, and its brackets close at last.
        is_item = len(broken.pieces) == 1 and line.data[broken.fault.at :].strip() == b","
        if not self._is_document_broken or not (is_item or _ONLY_CLOSERS.match(line.data)):
            yield _fault(broken.fault, line, is_unreadable=broken.is_lost)
        at, column = 0, line.column
        for piece in broken.pieces:
            self._one_line += 1
            column += length_of(line.data[at : piece.at])
            at = piece.at
            yield from self._read_piece(Line(line.row, column, piece.data))

    def _read_piece(self, line: Line) -> Found:
        try:
            value = self._decode(line.data)
        except (ValueError, RecursionError):
            yield from self._read_odd(line, line.data, scan(line.data)[0])
        else:
            yield self._record(line, line.data, value)

    # ---------------------------------------------------------------------------------------------------- many lines

    def _read_on(self, line: Line, scanner: Scanner) -> Found:
        is_string_cut = scanner.outcome is Outcome.IN_STRING
        if scanner.outcome is Outcome.CUT or line.row < self._settled:
            yield from self._read_cut(line)
            return
        span = Span([line], [line.data])
        if not is_string_cut and (value := self._read_block(span)) is not None:
            self._many_lines.append(line)
            yield self._record(line, b"".join(span.parts), value[0])
            return
        stop = self._feed(span, scanner)
        match scanner.outcome:
            case Outcome.DONE:
                yield from self._read_spread(span, scanner, stop)
            case Outcome.BAD if is_string_cut:
                yield from self._read_as_cut(span, 1)
            case Outcome.BAD:
                yield from self._read_bad(span, scanner, stop)
            case _:
                yield from self._read_unfinished(span, scanner, is_string_cut=is_string_cut)

    def _read_block(self, span: Span) -> tuple[Any] | None:
        """Take the indented lines and the closing one, which are a whole value in nearly every pretty-printed file."""
        block = self.lines.take_block()
        span.lines += block
        span.parts += (line.data for line in block)
        if block and not block[-1].data[:1].isspace() and block[-1].data.strip() not in (b"}", b"]"):
            return None
        try:
            return (self._decode(b"".join(span.parts)),)
        except (ValueError, RecursionError):
            return None

    def _feed(self, span: Span, scanner: Scanner) -> int:
        """Show the scanner the lines, those of the span first, until the value ends or cannot go on."""
        ahead = deque(span.lines[1:])
        span.lines, span.parts = span.lines[:1], span.parts[:1]
        stop, scanner.base = 0, len(span.parts[0])
        while scanner.outcome in (Outcome.OPEN, Outcome.IN_STRING):
            line = ahead.popleft() if ahead else self.lines.take()
            if line is None:
                break
            if scanner.outcome is Outcome.IN_STRING:
                span.breaks.append(span.lines[-1])
                broken = span.parts[-1]
                span.parts[-1] = broken.removesuffix(b"\n").removesuffix(b"\r") + b"\\n"
                scanner.base += len(span.parts[-1]) - len(broken)
            stop = self._feed_line(span, scanner, line)
            scanner.base += len(span.parts[-1])
        self.lines.put_back(list(ahead))
        return stop

    def _feed_line(self, span: Span, scanner: Scanner, line: Line) -> int:
        data, blemish = clean(line.data)
        if blemish is not None:
            span.faults.append(_fault(blemish, line, is_unreadable=False))
        span.lines.append(line)
        span.parts.append(data)
        text = data.rstrip()
        has_comma = text.endswith(b",")
        if (
            data[:1] in _OPENING
            and scanner.outcome is Outcome.OPEN
            and self._is_whole(text[:-1] if has_comma else text)
        ):
            if has_comma:
                span.items += 1
            else:
                span.alone.append(len(span.lines) - 1)
            if scanner.skip_item(len(text) - has_comma, has_comma=has_comma):
                return len(data)
        return scanner.feed(data)

    def _read_spread(self, span: Span, scanner: Scanner, stop: int) -> Found:
        first, last, end = span.lines[0], span.lines[-1], span.parts[-1]
        has_rest = skip_space(end, stop) < len(end)
        if has_rest and span.breaks:
            yield from self._read_as_cut(span, 1)
            return
        if has_rest:
            self.lines.put_back([Line(last.row, Line(last.row, last.column, end).at(stop), end[stop:])])
            span.parts[-1] = end[:stop]
        for line in span.breaks[:1]:
            message = f"a string is broken by {len(span.breaks)} raw newline{'s' * (len(span.breaks) > 1)}"
            yield LineFault("raw-newline-in-record", line.row, line.end, message, data=first.data)
        yield from span.faults
        if not span.breaks:
            self._many_lines.append(first)
        yield from self._read_odd(first, b"".join(span.parts), scanner)

    # ----------------------------------------------------------------------------------------- cut and broken values

    def _read_cut(self, line: Line) -> Found:
        """Report a single line that breaks off."""
        if tail := whole_tail(line.data):
            yield from self._read_glued(line, tail)
        elif not self.lines.are_at_end():
            yield LineFault(
                "invalid-json", line.row, line.end, "the record breaks off", "", line.data, is_unreadable=True
            )
        elif self._count or not (self._filename or "").endswith(".json"):
            message = "the last record breaks off"
            yield LineFault("truncated-last-line", line.row, line.end, message, "", line.data, is_unreadable=True)
        else:
            yield from self._read_document(Span([line], [line.data]), scan(line.data)[0], None)

    def _read_as_cut(self, span: Span, count: int) -> Found:
        """Take the first lines of a span for a record that was cut, and look at the others anew."""
        self._settled = max(self._settled, span.lines[-1].row)
        self.lines.put_back(span.lines[count:])
        if count == 1 and (tail := whole_tail(span.lines[0].data)):
            yield from self._read_glued(span.lines[0], tail)
            return
        last = next(line for line in reversed(span.lines[:count]) if line.data.strip())
        message = "the record breaks off"
        yield LineFault("invalid-json", last.row, last.end, message, "", span.lines[0].data, is_unreadable=True)

    def _read_glued(self, line: Line, tail: Salvaged) -> Found:
        """Report a line on which a record was cut, and read the one that follows on it."""
        place = line.at(tail.at)
        yield LineFault("glued-records", line.row, place, CUT_AND_GLUED, "", line.data, is_unreadable=True)
        self._one_line += 1
        yield from self._read_odd(Line(line.row, place, tail.data), tail.data, scan(tail.data)[0])

    def _read_bad(self, span: Span, scanner: Scanner, stop: int) -> Found:
        """Judge lines of which the last does not fit: a record was cut before it, or the document is broken in it."""
        last = span.lines[-1]
        starts_anew = last.data[:1] in _OPENING and (stop == 0 or self._is_whole(last.data))
        if span.alone or starts_anew:
            yield from self._read_as_cut(span, span.alone[0] if span.alone else len(span.lines) - 1)
            return
        yield from self._read_document(span, scanner, stop)
        while (line := self.lines.take()) is not None:
            if line.data[:1] in _OPENING:
                self.lines.put_back([line])
                break

    def _read_unfinished(self, span: Span, scanner: Scanner, *, is_string_cut: bool) -> Found:
        """Judge lines that fit together to the end of the file without closing the value."""
        while len(span.lines) > 1 and not span.lines[-1].data.strip():
            span.lines.pop()
            span.parts.pop()
        first = span.lines[0]
        if len(span.lines) == 1:
            yield from self._read_cut(first)
        elif len(span.alone) > span.items:
            yield from self._read_as_cut(span, span.alone[0])
        elif is_string_cut:
            message = "a string is broken by a raw newline, and never ends"
            yield LineFault("raw-newline-in-record", first.row, first.end, message, "", first.data, is_unreadable=True)
        else:
            yield from self._read_document(span, scanner, None)

    def _read_document(self, span: Span, scanner: Scanner, stop: int | None) -> Found:
        """Report a document that breaks off, or is no JSON at an offset of its last line; read what stands before."""
        last, text = span.lines[-1], span.parts[-1]
        if stop is None:
            fault = LineFault("truncated-document", last.row, last.end, "the document breaks off", is_unreadable=True)
        else:
            self._is_document_bad = True
            column = Line(last.row, last.column, text).at(stop)
            message = f"not JSON: {why(scanner, text, stop)}"
            fault = LineFault("invalid-json", last.row, column, message, "", last.data, is_unreadable=True)
        self._is_document_broken = True
        yield fault
        yield from span.faults
        saved = rescue(b"".join(span.parts), scanner.marks, scanner.open)
        if saved is not None:
            yield from self._read_odd(span.lines[0], saved, scanner)


def _fault(blemish: Blemish, line: Line, *, is_unreadable: bool) -> LineFault:
    place = line.at(blemish.at)
    return LineFault(blemish.kind, line.row, place, blemish.message, blemish.path, line.data, is_unreadable)


def _is_record(listed: list[Any]) -> bool:
    """Say whether a list is one record of a log: an event of a graph, or a pair of a role and what it says."""
    from lighter.envelope import open_value  # noqa: PLC0415 - hardly a file is one list on one line

    return looks_like_piece(listed) or open_value(listed).kind == "message"
