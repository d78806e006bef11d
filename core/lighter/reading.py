"""Reading files: records become passages as they come, and whole conversations once they end."""

from collections.abc import Iterable, Iterator
from itertools import chain
from pathlib import Path
from typing import Any, BinaryIO

from lighter import jsontext
from lighter.conversation import Conversation, WireMessage
from lighter.detect import SAMPLE, Detection, detect_values
from lighter.envelope import Body, open_value, session_of
from lighter.errors import NotRecognised
from lighter.formats import get
from lighter.passage import Passage
from lighter.records import LineFault, Record
from lighter.source import Input, open_input, read_records

WINDOW = 64
"""How many messages a passage waits for a missing result, so that memory is bounded; see `lighter.pairing`."""


class Reading:
    """A file being read: what it was taken for, and its parts in order.

    `detection` comes from the first records; `format` is what the caller asked for, or else what was detected. Iterating
    gives passages, faults of lines, and records that hold no conversation, as they stand in the file.
    """

    def __init__(self, stream: BinaryIO, *, filename: str | None = None, format: str | None = None) -> None:
        records = read_records(stream, filename=filename, decode=jsontext.decode)
        self._head = list(_sample(records))
        self._records = chain(self._head, records)
        values = [(item.value, item.row) for item in self._head if isinstance(item, Record)]
        self.detection: Detection = detect_values([value for value, _ in values], [row for _, row in values])
        self.format = get(format).NAME if format else self.detection.format
        self.filename = filename

    def __iter__(self) -> Iterator[Passage | LineFault | Record]:
        return _parts(self._records, self.format) if self.format else iter(self._records)

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


def _parts(records: Iterable[Record | LineFault], name: str) -> Iterator[Passage | LineFault | Record]:
    logs: dict[str | None, Log] = {}
    for record in records:
        if isinstance(record, LineFault):
            yield record
            continue
        opened = open_value(record.value, in_log=bool(logs))
        match opened.kind:
            case "conversation":
                yield from (passage_of(name, record, body) for body in opened.bodies)
            case "message":
                key = session_of(record.value)
                log = logs.setdefault(key, Log(name, key))
                yield from log.add(record)
            case _:
                yield record
    for log in logs.values():
        yield from log.close()


def wire_messages(record: Record, body: Body) -> tuple[WireMessage, ...]:
    """List the messages of a body as they stand in their record."""
    return tuple(
        WireMessage(record, path, raw, index, answered) for index, (path, raw, answered) in enumerate(body.messages)
    )


def passage_of(name: str, record: Record, body: Body) -> Passage:
    """Make the one passage of a conversation that stands in one record."""
    passage = Passage(name, wire_messages(record, body), record, fields=body.fields, fields_path=body.path)
    passage.body = body
    return passage


class Log:
    """One conversation of a log with one message a line: collects its messages and cuts them where no call is open."""

    def __init__(self, name: str, session: str | None) -> None:
        self.name = name
        self.session = session
        self.waiting: list[WireMessage] = []
        self.open_ids: list[str] = []
        self.idle = 0
        self.before: WireMessage | None = None
        self.count = 0

    def add(self, record: Record) -> Iterator[Passage]:
        """Take the next message; give the passage that it ends."""
        calls, results = traffic(record.value)
        is_settled = not self.open_ids or self.idle >= WINDOW
        if self.waiting and is_settled and not results:
            yield self._passage(is_last=False)
        self.waiting.append(WireMessage(record, "", record.value, self.count, _is_answer(record.value)))
        self.count += 1
        for call_id in results:
            if call_id in self.open_ids:
                self.open_ids.remove(call_id)
        self.open_ids += calls
        self.idle = 0 if calls or results or not self.open_ids else self.idle + 1

    def close(self) -> Iterator[Passage]:
        """Give the last passage."""
        if self.waiting:
            yield self._passage(is_last=True)

    def _passage(self, *, is_last: bool) -> Passage:
        messages = tuple(self.waiting)
        passage = Passage(
            self.name,
            messages,
            messages[0].record,
            before=self.before,
            is_first=messages[0].index == 0,
            is_last=is_last,
            conversation=self.session,
        )
        self.before = messages[-1]
        self.waiting, self.open_ids, self.idle = [], [], 0
        return passage


def _is_answer(value: Any) -> bool:
    return isinstance(value, dict) and value.get("type") == "message" and "stop_reason" in value


def traffic(raw: Any) -> tuple[list[str], list[str]]:
    """List the ids of the calls that a raw message of any format makes, and of the calls that it answers."""
    calls: list[str] = []
    results: list[str] = []
    if not isinstance(raw, dict):
        return calls, results
    if raw.get("role") == "tool":
        results += [str(raw[key]) for key in ("tool_call_id", "callId") if key in raw]
    if raw.get("role") == "function":
        results.append("function")
    if isinstance(raw.get("function_call"), dict):
        calls.append("function")
    for key, name in (("tool_calls", "id"), ("toolCalls", "callId")):
        listed = raw.get(key)
        calls += [str(call.get(name)) for call in listed if isinstance(call, dict)] if isinstance(listed, list) else []
    content = raw.get("content")
    for block in content if isinstance(content, list) else ():
        match block:
            case {"type": "tool_use", "id": call_id}:
                calls.append(str(call_id))
            case {"type": "tool_result", "tool_use_id": call_id}:
                results.append(str(call_id))
            case _:
                pass
    return calls, results


def read_passages(
    stream: BinaryIO, filename: str | None = None, format: str | None = None
) -> Iterator[Passage | LineFault | Record]:
    """Read a stream passage by passage; raises NotRecognised when its first records are of no known format."""
    reading = Reading(stream, filename=filename, format=format)
    if reading.format is None:
        raise NotRecognised(not_recognised(filename or "<stream>", reading.detection))
    return iter(reading)


def not_recognised(filename: str, detection: Detection) -> str:
    """Say in one line why a file was not recognised."""
    if detection.foreign:
        reason = next((e.reason for e in detection.evidence if e.format == detection.foreign), "its shape")
        return f"{filename}: looks like {detection.foreign} ({reason}), which lighter does not read yet"
    return f"{filename}: no conversation recognised; --from names a format"


def conversations(parts: Iterable[Passage | LineFault | Record]) -> Iterator[Conversation | LineFault | Record]:
    """Join passages to whole conversations: those of one record at once, those of a log when the log ends, in order."""
    logs: dict[str | None, list[Passage]] = {}
    for part in parts:
        if not isinstance(part, Passage):
            yield part
        elif part.body is not None:
            yield get(part.format).read_body(part.body, part.messages)
        else:
            logs.setdefault(part.conversation, []).append(part)
            if part.is_last:
                yield _joined(logs.pop(part.conversation))


def _joined(passages: list[Passage]) -> Conversation:
    """Read the messages of a log's conversation, which stand in a record each."""
    messages = tuple(chain.from_iterable(passage.messages for passage in passages))
    body = Body(tuple((message.path, message.raw, message.is_response) for message in messages))
    read = get(passages[0].format).read_body(body, messages)
    return read.as_log(passages[0].conversation)


def load(source: str | Path | BinaryIO, format: str | None = None) -> Iterator[Conversation]:
    """Read a file's conversations one after the other; broken lines and records without a conversation are passed over.

    Raises UnreadableInput when it cannot be opened, NotRecognised when nothing in it is a conversation.
    """
    if isinstance(source, str | Path):
        with open_input(Input(str(source), Path(source))) as stream:
            yield from load(stream, format)
        return
    found = (item for item in conversations(read_passages(source, getattr(source, "name", None), format)))
    yield from (item for item in found if isinstance(item, Conversation))
