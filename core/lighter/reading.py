"""Reading files: records become passages as they come, and whole conversations once they end."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain
from pathlib import Path
from typing import Any, BinaryIO

from msgspec.structs import replace

from lighter import jsontext
from lighter.conversation import Conversation, WireMessage
from lighter.detection import Detection, detect_values
from lighter.envelope import SAMPLE, Body, open_value, session_of
from lighter.errors import NotRecognised, UnreadableInput
from lighter.formats import get
from lighter.inputs import Input, break_of, open_input
from lighter.passage import Passage
from lighter.records import LineFault, Record
from lighter.sessions import Sessions, wire_of
from lighter.source import read_records

Piece = Passage | LineFault | Record
"""What a file is read as: passages, broken lines, and records that hold no conversation."""


class Reading:
    """A file being read: what it was taken for, and its parts in order.

    `detection` comes from the first records; `format` is what the caller asked for, or else what was detected. Iterating
    gives passages, faults of lines, and records that hold no conversation, as they stand in the file. `is_stream`: it holds
    nothing but pieces of streamed answers, as far as the first records tell and no format was asked for. `has_sessions`: a log
    of several conversations, as far as that is known. With `is_joined` a file that can be read twice is, so that the end of
    each session of a log is known.
    """

    def __init__(
        self, stream: BinaryIO, *, filename: str | None = None, format: str | None = None, is_joined: bool = False
    ) -> None:
        start = stream.tell() if is_joined and stream.seekable() else None
        records = read_records(stream, filename=filename, decode=jsontext.decode)
        head = list(_sample(records))
        values = [(item.value, item.row) for item in head if isinstance(item, Record)]
        self.detection: Detection = detect_values([value for value, _ in values], [row for _, row in values])
        self.format = get(format).NAME if format else self.detection.format
        self.is_stream = self.detection.stream is not None and (format is None or len(values) < SAMPLE)
        self.filename = filename
        self.is_mixed = format is None and bool(self.detection.others)
        self.holds_values = bool(values)
        self._ends: Mapping[str, int] = {}
        self._records: Iterable[Record | LineFault] = chain(head, records)
        if start is not None and any(map(_has_session, values)):
            stream.seek(start)
            self._ends = _session_ends(read_records(stream, filename=filename))
            stream.seek(start)
            self._records = read_records(stream, filename=filename, decode=jsontext.decode)
        self.has_sessions = len(self._ends) > 1 or (not self._ends and any(map(_has_session, values)))

    def __iter__(self) -> Iterator[Piece]:
        return _passages(self._records, self.format, is_mixed=self.is_mixed) if self.format else iter(self._records)

    def conversations(self) -> Iterator[Conversation | LineFault | Record]:
        """Give whole conversations instead of passages: those of a log in the order of their beginnings."""
        if not self.format:
            return iter(self._records)
        return _conversations(self._records, self.format, self._ends, is_mixed=self.is_mixed)

    def items(self) -> Iterator[LineFault | Record]:
        """Give the records and faults themselves, instead of passages."""
        return iter(self._records)


def _sample(records: Iterator[Record | LineFault]) -> Iterator[Record | LineFault]:
    """Take the first records, and the faults among them."""
    count = 0
    for item in records:
        yield item
        count += isinstance(item, Record)
        if count == SAMPLE:
            return


def _has_session(placed: tuple[Any, int]) -> bool:
    value, _ = placed
    return isinstance(value, dict) and open_value(value).kind == "message" and session_of(value) is not None


def _session_ends(records: Iterable[Record | LineFault]) -> dict[str, int]:
    """Find the row of the last message of each session."""
    return {
        key: record.row
        for record in records
        if isinstance(record, Record) and isinstance(record.value, dict) and (key := session_of(record.value))
    }


def _format_of(record: Record, body: Body, name: str, *, is_mixed: bool) -> str:
    """Tell which format a body is in: the file's, unless the file is mixed and the record speaks for another."""
    if body.format is not None or not is_mixed:
        return body.format or name
    found = detect_values([record.value])
    return name if found.format is None or found.is_plain else found.format


def _passages(records: Iterable[Record | LineFault], name: str, *, is_mixed: bool) -> Iterator[Piece]:
    sessions = Sessions(name, None)
    for record in records:
        if isinstance(record, LineFault):
            yield record
            continue
        opened = open_value(record.value, in_log=bool(sessions.started))
        match opened.kind:
            case "conversation":
                for body in opened.bodies:
                    yield passage_of(_format_of(record, body, name, is_mixed=is_mixed), record, body)
            case "message":
                yield from sessions.add(session_of(record.value), [record])
            case _:
                yield record
    yield from sessions.finish(is_all=True)


def _conversations(
    records: Iterable[Record | LineFault], name: str, ends: Mapping[str, int], *, is_mixed: bool
) -> Iterator[Conversation | LineFault | Record]:
    logs: dict[str | None, list[Record]] = {}
    is_log = False
    for record in records:
        if isinstance(record, LineFault):
            yield record
            continue
        opened = open_value(record.value, in_log=is_log)
        is_log |= opened.kind == "message"
        match opened.kind:
            case "conversation":
                for body in opened.bodies:
                    reader = get(_format_of(record, body, name, is_mixed=is_mixed))
                    found = reader.read_body(body, wire_messages(record, body))
                    yield found if found.records else replace(found, records=(record,))
            case "message":
                logs.setdefault(session_of(record.value), []).append(record)
                while logs and (key := next(iter(logs))) is not None and ends.get(key) == logs[key][-1].row:
                    yield _joined(name, key, logs.pop(key))
            case _:
                yield record
    for key, log in logs.items():
        yield _joined(name, key, log)


def _joined(name: str, session: str | None, records: Sequence[Record]) -> Conversation:
    """Read the messages of a log's conversation, which stand in a record each."""
    messages = tuple(wire_of(record, index) for index, record in enumerate(records))
    body = Body(tuple((message.path, message.raw, message.is_response) for message in messages))
    return get(name).read_body(body, messages).as_log(session)


def wire_messages(record: Record, body: Body) -> tuple[WireMessage, ...]:
    """List the messages of a body as they stand in their record."""
    return tuple(
        WireMessage(record, path, raw, index, answered) for index, (path, raw, answered) in enumerate(body.messages)
    )


def passage_of(name: str, record: Record, body: Body) -> Passage:
    """Make the one passage of a conversation that stands in one record."""
    passage = Passage(
        body.format or name, wire_messages(record, body), record, fields=body.fields, fields_path=body.path
    )
    passage.body = body
    return passage


def read_passages(stream: BinaryIO, filename: str | None = None, format: str | None = None) -> Iterator[Piece]:
    """Read a stream passage by passage; raises NotRecognised when its first records are of no known format."""
    reading = Reading(stream, filename=filename, format=format)
    if reading.format is None:
        raise NotRecognised(not_recognised(filename or "<stream>", reading.detection))
    return iter(reading)


def not_recognised(filename: str, detection: Detection) -> str:
    """Say in one line why a file was not recognised."""
    if detection.stream:
        return f"{filename}: is a stream of {detection.stream} chunks, which lighter does not assemble yet"
    if detection.foreign:
        reason = next((e.reason for e in detection.evidence if e.format == detection.foreign), "its shape")
        return f"{filename}: looks like {detection.foreign} ({reason}), which lighter does not read yet"
    return f"{filename}: no conversation recognised; --from names a format"


def load(source: str | Path | BinaryIO, format: str | None = None) -> Iterator[Conversation]:
    """Read a file's conversations one after the other; broken lines and records without a conversation are passed over.

    Raises UnreadableInput when it cannot be opened, NotRecognised when nothing in it is a conversation.
    """
    if isinstance(source, str | Path):
        with open_input(Input(str(source), Path(source))) as stream:
            yield from load(stream, format)
        return
    reading = Reading(source, filename=getattr(source, "name", None), format=format, is_joined=True)
    if reading.format is None:
        raise NotRecognised(not_recognised(reading.filename or "<stream>", reading.detection))
    yield from (item for item in reading.conversations() if isinstance(item, Conversation))
    if reason := break_of(source):
        raise UnreadableInput(reading.filename or "<stream>", reason)
