"""Judging a history for a target of another format: it is written as `convert` would, and findings are led back to the source."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from lighter.conversation import BlockOrigin, Conversation, Origin, WireMessage
from lighter.envelope import Body, open_value
from lighter.formats import Place, Written, get, trait
from lighter.jsontext import encode, step, value_at
from lighter.losses import Loss
from lighter.passage import Passage
from lighter.records import Record
from lighter.rule import Finding, Mention
from lighter.rules._declared import place_in_body
from lighter.toolwire import DeclaredTool, declared_tools

CHOICES = ("tool_choice", "function_call", "toolConfig", "tool_config")
"""Keys under which requests say how tools are to be chosen."""


class Judged(Struct, frozen=True):
    """A passage in the target's form, and what is needed to lead its findings back to the source."""

    passage: Passage
    source: Passage
    places: dict[str, Place]
    losses: tuple[Loss, ...] = ()
    tools: tuple[tuple[DeclaredTool, DeclaredTool], ...] = ()
    """The definitions in the target's form, each with the source's."""


def judged(passage: Passage, to: str) -> Judged:
    """Write a passage in the form of another format."""
    conversation = _conversation(passage)
    written = get(to).write(conversation)
    record = Record(passage.record.row, encode(written.value), written.value, filename=passage.record.filename)
    body = next(iter(open_value(written.value).bodies), Body(()))
    places = dict(_pointers(written))
    answers = _answers(passage, [path for path, _, _ in body.messages], places)
    messages = tuple(
        WireMessage(record, path, raw, n, path in answers) for n, (path, raw, _) in enumerate(body.messages)
    )
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
    inner.source = passage
    inner.gaps = tuple(_written_gaps(passage, messages, places))
    inner.halves = _written_at(places, passage.pairing.halves)
    unanswered = {(call.wire.record.row, call.path) for call in passage.pairing.unanswered}
    inner.unanswered_before = _written_at(places, unanswered)
    return Judged(inner, passage, places, written.losses, tuple(_same_tools(inner, passage, written.losses)))


def _answers(source: Passage, written: Sequence[str], places: Mapping[str, Place]) -> frozenset[str]:
    """Give the pointers of the written messages that the provider answered with; one answer may become several messages."""
    wires = [wire for wire in source.messages if wire.is_response]
    if not wires:
        return frozenset()
    found = {path for path in written if path in places and any(_is_within(places[path], wire) for wire in wires)}
    return frozenset(found | set(written[-1:]) if wires[-1] is source.messages[-1] else found)


def _is_within(place: Place, wire: WireMessage) -> bool:
    """Say whether a written value was made from a message, or from a part of it."""
    path = place.origin.path
    return wire.record.row == place.row and (path == wire.path or path.startswith(f"{wire.path}/"))


def _written_gaps(source: Passage, written: Sequence[WireMessage], places: Mapping[str, Place]) -> Iterator[int]:
    """Give the indices of the written messages before which stand lines of the source that could not be read."""
    for gap in source.gaps:
        row = next((wire.record.row for wire in source.messages if wire.index >= gap), None)
        later = (
            wire.index for wire in written if wire.path in places and row is not None and places[wire.path].row >= row
        )
        yield next(later, len(written))


def _written_at(places: Mapping[str, Place], sources: Collection[tuple[int, str]]) -> frozenset[str]:
    """Tell where the values stand in the written form that stood at rows and pointers of the source."""
    if not sources:
        return frozenset()
    return frozenset(path for path, place in places.items() if (place.row, place.origin.path) in sources)


def _same_tools(
    written: Passage, source: Passage, losses: Iterable[Loss]
) -> Iterator[tuple[DeclaredTool, DeclaredTool]]:
    """Pair the definitions of the written form with those of the source: by name, those of one name, and of new names, in order."""
    if not written.fields or not source.fields:
        return
    dropped = {loss.path for loss in losses if loss.action == "dropped"}
    declared = declared_tools(source.fields, source.format)
    found = [tool for tool in declared if source.fields_path + tool.path not in dropped]
    tools = declared_tools(written.fields, written.format)
    names = {tool.name for tool in tools}
    for tool in tools:
        renamed = (other for other in found if other.name not in names)
        own = next((other for other in found if other.name == tool.name), None) or next(renamed, None)
        if own is not None:
            found.remove(own)
            yield tool, own


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
    # A repair is of the written form, which is in no file.
    return replace(finding, record=record, path=path, mentions=mentions, repair=None)


def _source(path: str, judged: Judged) -> tuple[Record, str]:
    prefix = path
    while prefix not in judged.places and prefix:
        prefix = prefix.rpartition("/")[0]
    place = judged.places.get(prefix)
    if place is None and path == f"/{trait(judged.passage.format, 'MESSAGES_KEY', otherwise='messages')}":
        return _nothing_left(judged)
    if place is None:
        return judged.source.record, _beside_messages(path, judged)
    fields = trait(judged.passage.format, "FIELDS", otherwise={})
    record = _record(place.row, judged)
    return record, _nearest(record.value, _at(place.origin, path[len(prefix) :], fields))


def _nothing_left(judged: Judged) -> tuple[Record, str]:
    """Point at the first message where the target would get none: there is nothing in it, nor in any other."""
    first = next(iter(judged.source.messages), None)
    if first is None:
        return judged.source.record, judged.source.fields_path
    return first.record, first.path


def _beside_messages(path: str, judged: Judged) -> str:
    """Point at a part of the source's definition of a tool by its place in the written form, at its choice of tools; else at the body."""
    for tool, own in judged.tools:
        if path != tool.path and not path.startswith(f"{tool.path}/"):
            continue
        pointer = own.holder_path
        for written, found in (
            (tool.schema_path, own.schema_path),
            (f"{tool.holder_path}/name", f"{own.holder_path}/name"),
        ):
            if written != tool.holder_path and (path == written or path.startswith(f"{written}/")):
                pointer = found + path[len(written) :]
        return _nearest(judged.source.record.value, place_in_body(judged.source, pointer))
    if path.startswith(tuple(f"/{key}" for key in CHOICES)):
        own_keys = (key for key in CHOICES if key in judged.source.fields)
        return next((f"{judged.source.fields_path}/{key}" for key in own_keys), judged.source.fields_path)
    return judged.source.fields_path


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
    return next((wire for wire in judged.source.messages if _is_within(place, wire)), None)
