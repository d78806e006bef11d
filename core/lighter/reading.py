"""Reading files: records become passages as they come, and whole conversations once they end."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import chain
from pathlib import Path
from typing import Any, BinaryIO

from msgspec.structs import replace

from lighter import jsontext
from lighter.batches import Halves, half_of, shared_ids
from lighter.conversation import Conversation, WireMessage
from lighter.detection import Detection, detect_records, detect_values
from lighter.envelope import PLAIN, Body, Opened, fitting, open_value, session_of
from lighter.errors import NotRecognised, UnreadableInput
from lighter.formats import Straight, get, trait
from lighter.inputs import Input, break_of, open_input
from lighter.passage import Passage
from lighter.plainchats import are_plain_chats
from lighter.records import LineFault, Record
from lighter.sessions import Sessions, wire_of
from lighter.source import read_records, sample
from lighter.streams import Streamed, are_alike, gathered, whole

Piece = Passage | LineFault | Record
"""What a file is read as: passages, broken lines, and records that hold no conversation."""


class _Decoder:
    """Parses lines exactly, but asks a shortcut first once there is one; what that gives becomes the record's value."""

    def __init__(self) -> None:
        self.shortcut: Callable[[bytes], Straight | None] | None = None

    def decode(self, data: bytes) -> Any:
        """Parse a line; raises ValueError."""
        if self.shortcut is not None and (straight := self.shortcut(data)) is not None:
            return straight
        return jsontext.decode(data)


class Reading:
    """A file being read: what it was taken for, and its parts in order.

    `detection` and `layout` come from the first records; `format` is what the caller asked for, or else what was detected.
    Iterating gives passages, faults of lines, and records that hold no conversation, as they stand in the file; pieces of streamed
    answers are joined. `has_sessions`: a log of several conversations, as far as that is known. With `is_joined` a file that
    can be read twice is, so that the end of each session of a log is known.
    """

    def __init__(
        self, stream: BinaryIO, *, filename: str | None = None, format: str | None = None, is_joined: bool = False
    ) -> None:
        start = stream.tell() if is_joined and stream.seekable() else None
        self._decoder = _Decoder()
        records = read_records(stream, filename=filename, decode=self._decoder.decode)
        self._head = sample(records)
        if (streams := gathered(self._head, records)) is not None:
            records, self._head = streams, sample(streams, 1)
        values = [item for item in self._head if isinstance(item, Record)]
        self._sampled = values
        found = _of_plain_chats(values) or self.detection
        self.format = get(format).NAME if format else found.format
        self.layout = found.layout
        self.is_stream = found.stream is not None
        self.filename = filename
        self.is_mixed = format is None and bool(found.others)
        self.holds_values = bool(values)
        self.holds_conversations = any(opened_of(whole(record)).kind != "none" for record in values)
        self._ends: Mapping[str, int] = {}
        self._batch_ids = frozenset[str]()
        self._tail = records
        has_session = any(map(_has_session, values))
        if start is not None and (has_session or any(half_of(record.value) for record in values)):
            stream.seek(start)
            again = read_records(stream, filename=filename)
            if has_session:
                self._ends = _session_ends(again)
            else:
                self._batch_ids = shared_ids(again)
            stream.seek(start)
            self._head, self._tail = [], read_records(stream, filename=filename, decode=self._decoder.decode)
        self.has_sessions = len(self._ends) > 1 or (not self._ends and has_session)

    def __iter__(self) -> Iterator[Piece]:
        return _passages(self._records, self.format, is_mixed=self.is_mixed) if self.format else self._records

    @cached_property
    def detection(self) -> Detection:
        """What the file was taken for, and why; that it holds plain chats is seen without the reasons."""
        return detect_records(list(map(whole, self._sampled)))

    @property
    def _records(self) -> Iterator[Record | LineFault]:
        return chain(self._head, self._tail)

    def use(self, shortcut: Callable[[bytes], Straight | None]) -> None:
        """Write ordinary lines at once: where `shortcut` gives something, that becomes the value of a record of its own."""
        self._decoder.shortcut = shortcut
        self._head = [_written(item, shortcut) for item in self._head]

    def conversations(self) -> Iterator[Conversation | LineFault | Record]:
        """Give whole conversations instead of passages: those of a log in the order of their beginnings."""
        if not self.format:
            return self._records
        halves = Halves(self._batch_ids)
        return _conversations(self._records, self.format, self._ends, halves, is_mixed=self.is_mixed)

    def items(self) -> Iterator[LineFault | Record]:
        """Give the records and faults themselves, instead of passages."""
        return self._records


def _of_plain_chats(head: Sequence[Record]) -> Detection | None:
    """Tell the outcome of the detection, less its reasons, where the first records are plain chats."""
    if any(type(record) is not Record for record in head) or not are_plain_chats(head):
        return None
    return Detection(PLAIN, "messages" if "role" in head[0].value else "conversations", ())


def _written(item: Record | LineFault, shortcut: Callable[[bytes], Straight | None]) -> Record | LineFault:
    straight = shortcut(item.data) if isinstance(item, Record) else None
    return item if straight is None else replace(item, value=straight)


def _has_session(record: Record) -> bool:
    value = record.value
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
    if isinstance(record, Streamed) and record.opened is not None:
        return _joined_format(body.format or record.provider, name)
    if body.format is not None or not is_mixed:
        return body.format or name
    found = detect_values([record.value])
    return name if found.format is None or found.is_plain else found.format


def _joined_format(provider: str, name: str) -> str:
    """Tell which format a joined answer is in: that of its pieces, or the file's where the pieces cannot tell the two apart."""
    return name if provider == PLAIN and are_alike(name, provider) else provider


def opened_of(record: Record, *, in_log: bool = False) -> Opened:
    """Find the conversations of a record, whose pieces may have been joined already."""
    if isinstance(record, Streamed) and record.opened is not None:
        return record.opened
    return open_value(record.value, in_log=in_log)


def _passages(records: Iterable[Record | LineFault], name: str, *, is_mixed: bool) -> Iterator[Piece]:
    sessions = Sessions(name, None)
    for record in records:
        if isinstance(record, LineFault):
            yield record
            continue
        record = whole(record)  # noqa: PLW2901 - the same record, its pieces joined
        opened = fitting(opened_of(record, in_log=bool(sessions.started)), name)
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
    records: Iterable[Record | LineFault], name: str, ends: Mapping[str, int], halves: Halves, *, is_mixed: bool
) -> Iterator[Conversation | LineFault | Record]:
    logs: dict[str | None, list[Record]] = {}
    is_log = False
    for record in records:
        if isinstance(record, LineFault):
            yield record
            continue
        if type(record.value) is Straight:
            yield from halves.take(record, record) if halves else (record,)
            continue
        record = whole(record)  # noqa: PLW2901 - as above
        opened = fitting(opened_of(record, in_log=is_log), name)
        is_log |= opened.kind == "message"
        match opened.kind:
            case "conversation":
                for body in opened.bodies:
                    reader = get(_format_of(record, body, name, is_mixed=is_mixed))
                    found = _uncut(record, reader.read_body(body, wire_messages(record, body)))
                    yield from halves.take(record, found if found.records else replace(found, records=(record,)))
            case "message":
                logs.setdefault(session_of(record.value), []).append(record)
                while logs and (key := next(iter(logs))) is not None and ends.get(key) == logs[key][-1].row:
                    yield _joined(name, key, logs.pop(key))
            case _:
                yield from halves.take(record, record) if halves.expects(record) else (record,)
    yield from halves.rest()
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


def passage_of(name: str, record: Record, body: Body, *, is_mixed: bool = False) -> Passage:
    """Make the one passage of a conversation that stands in one record.

    `is_mixed`: the file has several formats; an envelope holds what was sent to one provider, which may be another one each time.
    """
    passage = Passage(
        _format_of(record, body, name, is_mixed=is_mixed and bool(body.path)),
        wire_messages(record, body),
        record,
        fields=body.fields,
        fields_path=body.path,
        gaps=() if body.has_beginning else (0,),
    )
    passage.body = body
    if (ended_calls := trait(passage.format, "ended_calls", otherwise=None)) is not None:
        passage.halves = ended_calls(passage.messages)
    if _holds_texts(record):
        from lighter.assembling import as_it_came  # noqa: PLC0415 - as below

        passage.entries = tuple(replace(entry, message=as_it_came(entry.message)) for entry in passage.entries)
    return passage


def _holds_texts(record: Record) -> bool:
    """Say whether a record has an answer that broke off in a form that holds arguments as values."""
    if not isinstance(record, Streamed) or not record.cuts:
        return False
    from lighter.assembling import holds_values  # noqa: PLC0415 - loaded only for streams

    return holds_values(record.provider)


def _uncut(record: Record, found: Conversation) -> Conversation:
    """Give a conversation with the arguments that broke off as they came."""
    if not _holds_texts(record):
        return found
    from lighter.assembling import as_it_came  # noqa: PLC0415 - as above

    return replace(found, messages=tuple(map(as_it_came, found.messages)))


def read_passages(stream: BinaryIO, filename: str | None = None, format: str | None = None) -> Iterator[Piece]:
    """Read a stream passage by passage; raises NotRecognised when its first records are of no known format."""
    reading = Reading(stream, filename=filename, format=format)
    if reading.format is None:
        raise NotRecognised(not_recognised(filename or "<stream>", reading.detection))
    return iter(reading)


def not_recognised(filename: str, detection: Detection) -> str:
    """Say in one line why a file was not recognised, or an object, which has no name."""
    if detection.foreign:
        reason = next((e.reason for e in detection.evidence if e.format == detection.foreign), "its shape")
        place = f"{filename}:" if filename else "the object"
        return f"{place} looks like {detection.foreign} ({reason}), which lighter does not read yet"
    if not filename:
        return "no conversation recognised in the object; `format` names its format"
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
