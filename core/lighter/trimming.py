"""Trimming: the newest turns of a history that fit a budget, without tearing a tool call from its results.

The system prompt stays, and the history then starts on a turn of the user. Older turns go first; of the turn that is too long to
stay whole, as the loop of an agent may be, the oldest rounds go (a message of the assistant with the results of its calls),
behind the user's message that opens it. What is removed is taken out of the file's own form; everything else stays as it is.
"""

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from shutil import copyfileobj
from tempfile import SpooledTemporaryFile
from typing import Any, BinaryIO, Self, cast

from msgspec import Struct
from msgspec.structs import replace

from lighter import jsontext
from lighter.budgets import TrimOptions, removed
from lighter.conversation import Conversation, origins_of
from lighter.conversion import Converted, faulty
from lighter.cutting import without
from lighter.detection import detect_records
from lighter.edits_text import Change, edited
from lighter.envelope import Body
from lighter.errors import CannotHold, NotRecognised
from lighter.formats import get
from lighter.inputs import Input, open_input
from lighter.losses import Loss
from lighter.messages import Message, SystemMessage
from lighter.objects import plain, record_of
from lighter.passage import Passage
from lighter.reading import Reading, not_recognised, opened_of, passage_of
from lighter.records import LineFault, Record
from lighter.source import read_records
from lighter.spans import Place, Span, spans_of
from lighter.streams import whole
from lighter.tokens import Counter, estimated, tokens_of_tools
from lighter.turns import joins_turns

SPOOLED = 1 << 26
"""Bytes of an input that can be read only once which are held in memory; more go to a temporary file."""

FEATURE = "over-budget"


class Trimmed(Struct, frozen=True):
    """What `trim` gives: the value without what was removed, and a loss of action `dropped` for each message that was.

    `value` has the form of what was given: the same lists, with the same objects in them; for a file it lists its records.
    """

    value: Any
    losses: tuple[Loss, ...]


def trim(
    obj: Any,
    max_messages: int | None = None,
    max_tokens: int | None = None,
    *,
    format: str | None = None,
    count: Counter | None = None,
) -> Trimmed:
    """Remove the oldest turns of a history until the rest is within a number of messages, of tokens, or both.

    `obj` is what `lighter.parse` takes: messages, a request body, SDK objects, core messages, conversations, or a file (`str`,
    `Path`). `count` gives the tokens of a core message; without it they are estimated (see `lighter.tokens`).
    Raises CannotHold where no history within the budget would be valid, LighterError for a budget that is none, NotRecognised,
    UnknownFormat, and UnreadableInput for files.
    """
    options = TrimOptions(max_messages, max_tokens, count or estimated, format)
    match obj:
        case str() | Path():
            with open_input(Input(str(obj), Path(obj))) as stream, Trimming(stream, str(obj), options) as trimming:
                pieces = list(trimming.pieces())
            values = [jsontext.decode(record) for piece in pieces for record in piece.records]
            return Trimmed(values, tuple(loss for piece in pieces for loss in piece.losses))
        case Conversation():
            return _trim_conversation(obj, options)
        case list() | tuple() if obj and all(isinstance(item, Message) for item in obj):
            found = _trim_conversation(Conversation(tuple(obj)), options)
            return replace(found, value=type(obj)(found.value.messages))
        case list() | tuple() if obj and all(isinstance(item, Conversation) for item in obj):
            each = [_trim_conversation(item, options) for item in obj]
            return Trimmed(type(obj)(one.value for one in each), tuple(loss for one in each for loss in one.losses))
        case _:
            return _trim_value(obj, options)


def _trim_conversation(conversation: Conversation, options: TrimOptions) -> Trimmed:
    """Trim a conversation by its messages, each of which is one in lighter's own form."""
    record = record_of(get("lighter").write(conversation).value)
    (body,) = opened_of(record).bodies
    passage = passage_of("lighter", record, body)
    spans = list(spans_of(passage, _counter(options), joins=joins_turns(conversation.format)))
    found = removed(spans, _beside(passage, options), options)
    if not found:
        return Trimmed(conversation, ())
    index_of = {path: index for index, (path, _, _) in enumerate(body.messages)}
    gone = {index_of[place.path] for number in found for place in spans[number].places}
    origins = origins_of(conversation)
    losses = (_loss(origins[index].row, origins[index].path, options) for index in sorted(gone))
    kept = [index for index in range(len(conversation.messages)) if index not in gone]
    changed = replace(
        conversation,
        messages=tuple(conversation.messages[index] for index in kept),
        origins=tuple(conversation.origins[index] for index in kept if index < len(conversation.origins)),
        records=(),  # they tell of the whole history
    )
    return Trimmed(changed, tuple(losses))


def _trim_value(obj: Any, options: TrimOptions) -> Trimmed:
    """Trim the conversations of an object that is a JSON value, or made of objects that can be."""
    record = whole(record_of(plain(obj)))
    opened = opened_of(record)
    bodies = (Body((("", record.value, False),)),) if opened.kind == "message" else opened.bodies
    name = get(options.format).NAME if options.format else detect_records([record]).format
    if name is None or not bodies:
        raise NotRecognised("no conversation recognised in the object")
    plan = _Plan(options)
    for body in bodies:
        plan.take_body(passage_of(name, record, body))
    plan.check()
    removals = plan.removals.get((record.row, record.column), [])
    return Trimmed(
        without(obj, [removal.path for removal in removals]),
        tuple(Loss(record.row, removal.path, FEATURE, "dropped", removal.detail) for removal in removals),
    )


class _Removal(Struct, frozen=True):
    """What is taken out of a record; `is_lost`: a whole conversation, of which nothing valid would fit."""

    path: str
    detail: str
    is_lost: bool = False


class _Plan:
    """What is to be removed from a file, by the row and the column of its records, and how much that is."""

    def __init__(self, options: TrimOptions) -> None:
        self.options = options
        self.removals: dict[tuple[int, int], list[_Removal]] = {}
        self.conversations = self.trimmed = self.unfit = 0
        self.messages = self.removed = 0
        self.reason, self.row = "", 0
        self._logs: dict[str | None, list[Span]] = {}

    def take(self, passage: Passage) -> None:
        """Take a passage: a whole conversation, or a stretch of a log."""
        if passage.body is not None:
            self.take_body(passage)
        else:
            self._logs.setdefault(passage.conversation, []).extend(spans_of(passage, _counter(self.options)))

    def take_body(self, passage: Passage) -> None:
        """Plan the trimming of a conversation that stands in one record."""
        spans = list(spans_of(passage, _counter(self.options)))
        record, place = passage.record, passage.body.place if passage.body else ""
        self._decide(spans, _beside(passage, self.options), (Place(record.row, record.column, place),))

    def finish(self) -> None:
        """Plan the trimming of the logs, whose ends are known now."""
        for spans in self._logs.values():
            self._decide(spans, 0, [place for span in spans for place in span.places])
        self._logs.clear()

    def check(self) -> None:
        """Raise CannotHold when nothing valid is left of any conversation."""
        if self.unfit and self.unfit == self.conversations:
            raise CannotHold(self.reason)

    def _decide(self, spans: Sequence[Span], beside: int, all_places: Sequence[Place]) -> None:
        self.conversations += 1
        self.messages += sum(span.messages for span in spans)
        try:
            found = removed(spans, beside, self.options)
        except CannotHold as error:
            self.unfit += 1
            self.reason, self.row = (self.reason, self.row) if self.reason else (str(error), all_places[0].row)
            for number, place in enumerate(all_places):
                self._remove(place, str(error), is_lost=number == 0)
            return
        places = [place for number in found for place in spans[number].places]
        self.trimmed += bool(places)
        self.removed += sum(spans[number].messages for number in found)
        for place in places:
            self._remove(place, _detail(self.options))

    def _remove(self, place: Place, detail: str, *, is_lost: bool = False) -> None:
        self.removals.setdefault((place.row, place.column), []).append(_Removal(place.path, detail, is_lost))


class Trimming:
    """The trimming of a file: it is read once to decide what goes, when this is made, and once more to copy the rest.

    `conversations` were read, `trimmed` of them lost messages, `unfit` of them hold nothing valid that would fit and are left out;
    `messages` is how many there were, `removed` how many were taken out of those that are left. What can be read only once
    is kept until `close`. Raises NotRecognised, UnknownFormat, CannotHold where nothing fits, and UnreadableInput.
    """

    def __init__(self, stream: BinaryIO, filename: str, options: TrimOptions) -> None:
        self._filename = filename
        self._spool: Any = None
        if not stream.seekable():
            self._spool = SpooledTemporaryFile(max_size=SPOOLED)  # noqa: SIM115 - closed by `close`
            copyfileobj(stream, self._spool)
            self._spool.seek(0)
        self._stream = cast("BinaryIO", self._spool or stream)
        self._start = self._stream.tell()
        try:
            self._plan = self._planned(options)
        except BaseException:
            self.close()
            raise
        self.conversations, self.trimmed, self.unfit = self._plan.conversations, self._plan.trimmed, self._plan.unfit
        self.messages, self.removed = self._plan.messages, self._plan.removed

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Forget the copy of an input that can be read only once."""
        if self._spool is not None:
            self._spool.close()

    def _planned(self, options: TrimOptions) -> _Plan:
        """Read the file and decide what goes."""
        reading = Reading(self._stream, filename=self._filename, format=options.format)
        if reading.holds_values and (reading.format is None or not reading.holds_conversations):
            raise NotRecognised(not_recognised(self._filename, reading.detection))
        plan = _Plan(options)
        for item in reading:
            if isinstance(item, Passage):
                plan.take(item)
        plan.finish()
        try:
            plan.check()
        except CannotHold as error:
            raise CannotHold(f"{self._filename}:{plan.row}: {error}") from error
        return plan

    def pieces(self) -> Iterator[Converted]:
        """Give the records that are left, each with what was removed from it, in the order of the file."""
        self._stream.seek(self._start)
        for item in read_records(self._stream, filename=self._filename, decode=jsontext.decode):
            pieces = faulty(item) if isinstance(item, LineFault) else (self._piece(item),)
            for piece in pieces:
                yield replace(piece, losses=tuple(replace(loss, filename=self._filename) for loss in piece.losses))

    def _piece(self, record: Record) -> Converted:
        removals = self._plan.removals.get((record.row, record.column), [])
        if not removals:
            return Converted((record.data.strip(),), (), is_copy=True)
        losses = tuple(Loss(record.row, removal.path, FEATURE, "dropped", removal.detail) for removal in removals)
        is_lost = any(removal.is_lost for removal in removals)
        if any(not removal.path for removal in removals):
            return Converted((), losses, is_lost=is_lost)
        changes = [Change("drop", removal.path) for removal in removals]
        return Converted((edited(record.data.strip(), changes),), losses, is_lost=is_lost)


def _counter(options: TrimOptions) -> Counter | None:
    return None if options.max_tokens is None else options.count


def _beside(passage: Passage, options: TrimOptions) -> int:
    """Count the tokens of what stands beside the messages: a system prompt, and the tool definitions."""
    if options.max_tokens is None or passage.body is None:
        return 0
    conversation = get(passage.format).read_body(passage.body, passage.messages)
    paths = [wire.path for wire in passage.messages]
    total = tokens_of_tools(conversation, options.count)
    for message, origin in zip(conversation.messages, conversation.origins, strict=False):
        if not isinstance(message, SystemMessage) or _is_within(origin.path, paths):
            break
        total += options.count(message)
    return total


def _is_within(path: str, paths: Iterable[str]) -> bool:
    return any(path == other or path.startswith(other + "/") for other in paths)


def _detail(options: TrimOptions) -> str:
    return f"older than what fits {options.limits}"


def _loss(row: int, path: str, options: TrimOptions) -> Loss:
    return Loss(row, path, FEATURE, "dropped", _detail(options))
