"""Judging a history for a target of another format: it is written as `convert` would, and findings are led back to the source."""

from collections.abc import Iterator, Mapping
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from lighter.conversation import BlockOrigin, Conversation, Origin, WireMessage
from lighter.envelope import Body, open_value
from lighter.formats import Place, Written, get, trait
from lighter.jsontext import encode, step, value_at
from lighter.passage import Passage
from lighter.records import Record
from lighter.rule import Finding, Mention


class Judged(Struct, frozen=True):
    """A passage in the target's form, and what is needed to lead its findings back to the source."""

    passage: Passage
    source: Passage
    places: dict[str, Place]


def judged(passage: Passage, to: str) -> Judged:
    """Write a passage in the form of another format."""
    conversation = _conversation(passage)
    written = get(to).write(conversation)
    record = Record(passage.record.row, encode(written.value), written.value, filename=passage.record.filename)
    body = next(iter(open_value(written.value).bodies), Body(()))
    last = len(body.messages) - 1 if passage.messages and passage.messages[-1].is_response else None
    messages = tuple(WireMessage(record, path, raw, n, n == last) for n, (path, raw, _) in enumerate(body.messages))
    inner = Passage(
        get(to).NAME, messages, record, is_first=passage.is_first, is_last=passage.is_last, fields=body.fields,
        conversation=passage.conversation,
    )  # fmt: skip
    # What else was sent, and whether it was answered, the source alone can tell.
    inner.body = replace(
        body,
        is_bare=passage.body is None or passage.body.is_bare,
        response=passage.body.response if passage.body else None,
    )
    return Judged(inner, passage, dict(_pointers(written)))


def _conversation(passage: Passage) -> Conversation:
    body = passage.body or Body(tuple((wire.path, wire.raw, wire.is_response) for wire in passage.messages))
    return get(passage.format).read_body(body, passage.messages)


def _pointers(written: Written) -> Iterator[tuple[str, Place]]:
    """Find where the values that the writer remembered stand in what it wrote."""
    by_id = {id(place.value): place for place in written.places}
    pending: list[tuple[str, Any]] = [("", written.value)]
    while pending:
        path, value = pending.pop()
        if id(value) in by_id and isinstance(value, dict):
            yield path, by_id[id(value)]
        items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
        pending += [(path + step(key), item) for key, item in items if isinstance(item, dict | list)]


def led_back(finding: Finding, judged: Judged) -> Finding:
    """Give a finding about the written form its place in the source."""
    record, path = _source(finding.path, judged)
    mentions = tuple(
        Mention(message, mention.text, mention.label)
        for mention in finding.mentions
        if (message := _message(mention.message, judged)) is not None
    )
    return replace(finding, record=record, path=path, mentions=mentions)


def _source(path: str, judged: Judged) -> tuple[Record, str]:
    prefix = path
    while prefix not in judged.places and prefix:
        prefix = prefix.rpartition("/")[0]
    place = judged.places.get(prefix)
    if place is None:
        return judged.source.record, judged.source.fields_path
    fields = trait(judged.passage.format, "FIELDS", otherwise={})
    record = _record(place.row, judged)
    return record, _nearest(record.value, _at(place.origin, path[len(prefix) :], fields))


def _nearest(value: Any, path: str) -> str:
    """Shorten a pointer to what it leads to: the writer adds fields that the source has not."""
    while path:
        try:
            value_at(value, path)
        except LookupError:
            path = path.rpartition("/")[0]
        else:
            break
    return path


def _at(origin: Origin | BlockOrigin, rest: str, fields: Mapping[str, str]) -> str:
    """Point at a field of the source by its place in the written form; at its message or block where it has none."""
    for written, field in fields.items():
        if rest == written or rest.startswith(f"{written}/"):
            return origin.at(field) + (rest[len(written) :] if field == "arguments" else "")
    return origin.path


def _record(row: int, judged: Judged) -> Record:
    return next((wire.record for wire in judged.source.messages if wire.record.row == row), judged.source.record)


def _message(message: WireMessage, judged: Judged) -> WireMessage | None:
    """Find the source message that a written message was made from."""
    place = judged.places.get(message.path)
    if place is None:
        return None
    return next((wire for wire in judged.source.messages if wire.record.row == place.row
                 and (place.origin.path == wire.path or place.origin.path.startswith(f"{wire.path}/"))), None)  # fmt: skip
