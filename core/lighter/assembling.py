"""Joining streamed answers: which pieces belong together, and the record that they add up to."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from typing import Any, Protocol, cast

from msgspec.structs import replace

from lighter import jsontext
from lighter.envelope import Opened, open_value
from lighter.formats import names
from lighter.formats._streaming import Assembled
from lighter.jsontext import step
from lighter.losses import Loss, truncated
from lighter.messages import AssistantMessage, Message, ToolCall
from lighter.passage import Passage
from lighter.records import LineFault, Record
from lighter.rule import Finding, Mention
from lighter.streams import (
    MOST_OPEN,
    MOST_WAITING,
    Streamed,
    asks_for_stream,
    is_between,
    looks_like_piece,
    may_be_silent,
    unwrapped,
)

_EVENT_KEYS = ("event", "id", "retry")
"""Fields of server-sent events, which loggers keep beside the data."""

_DATA_COLUMN = len("data:") + 1
"""The data of a server-sent event stand at this column, or behind a space at the next one."""


class Joiner(Protocol):
    """What the module `stream` of a format offers.

    Some members are optional: `goes_on(value)` says what a stream of this format takes once it has begun, where that is more
    than `is_chunk` claims; `resumes(chunk, before)` says whether a piece goes on with an answer after pieces of others, where
    pieces name their answer; `opened(value)` finds the message of an answer that was cut off, where that is shaped like no whole
    one. `MAY_BE_WHOLE` in formats that stream whole answers: a piece that stands alone is not taken for a stream.
    `MAY_BE_MESSAGE` in formats where one piece may be a whole message of a log: a piece that stands alone and is complete is none.
    `ARGUMENTS_ARE_VALUES` in formats that stream the text of arguments and hold their value: what is cut off stays text.
    """

    def is_chunk(self, value: Any) -> bool:
        """Say whether a value is a piece of this format's streams."""
        ...

    def begins(self, chunk: Any, before: Sequence[Any]) -> bool:
        """Say whether a piece is of another answer than those before it, of which there is at least one."""
        ...

    def assemble(self, chunks: Sequence[Any]) -> Assembled:
        """Join pieces, and events between them, to one answer; nothing raises."""
        ...


@cache
def _joiners() -> dict[str, Joiner]:
    """Give what joins the pieces of each format that has a module for it."""
    modules = {name: f"lighter.formats.{name.replace('-', '_')}" for name in names()}
    packages = {name: module for name, module in modules.items() if hasattr(import_module(module), "__path__")}
    return {
        name: cast("Joiner", import_module(f"{module}.stream"))
        for name, module in packages.items()
        if find_spec(f"{module}.stream")
    }


def holds_values(provider: str) -> bool:
    """Say whether a format streams the text of arguments, and holds their value."""
    return bool(getattr(_joiners().get(provider), "ARGUMENTS_ARE_VALUES", False))


def _provider_of(value: Any) -> str | None:
    """Name the format that a value is a piece of."""
    if not looks_like_piece(value):
        return None
    return next((name for name, joiner in _joiners().items() if joiner.is_chunk(value)), None)


class _Stream:
    """The pieces of one answer as they come; `is_by_turns`: those of others came between; `is_asked`: it has its request."""

    def __init__(self, provider: str, *, has_gap: bool, is_asked: bool) -> None:
        self.provider = provider
        self.joiner = _joiners()[provider]
        self.pieces: list[Record] = []
        self.values: list[Any] = []
        self.paths: list[str] = []
        self.has_gap = has_gap
        self.is_asked = is_asked
        self.is_by_turns = False

    def is_alike(self, value: Any) -> bool:
        """Say whether a value is a piece of such an answer, of this or another one."""
        goes_on: Callable[[Any], bool] = getattr(self.joiner, "goes_on", self.joiner.is_chunk)
        return goes_on(value)

    def takes(self, value: Any) -> bool:
        """Say whether a value is the next piece of this answer."""
        return self.is_alike(value) and not self.joiner.begins(value, self.values)

    def resumes(self, value: Any) -> bool:
        """Say whether a value goes on with this answer after pieces of others."""
        resumes: Callable[[Any, Sequence[Any]], bool] | None = getattr(self.joiner, "resumes", None)
        return resumes is not None and resumes(value, self.values)

    def may_resume(self) -> bool:
        """Say whether pieces of this answer may still come after pieces of others."""
        return hasattr(self.joiner, "resumes")

    def add(self, piece: Record) -> None:
        """Take the next piece."""
        value, path = unwrapped(piece.value)
        self.pieces.append(piece)
        self.values.append(value)
        self.paths.append(path)

    def losses(self, found: Assembled) -> Iterator[Loss]:
        """Name what the joined answer does not hold, and what stands around its first piece."""
        first, path = self.pieces[0], self.paths[0]
        around = first.value if path else {}
        for key in around:
            if step(key) != path and key not in _EVENT_KEYS:
                yield Loss(first.row, step(key), "stream-wrapper", "dropped", "it stands around a piece of the answer")
        for lost in found.lost:
            where = self.paths[lost.index] + lost.path
            yield Loss(self.pieces[lost.index].row, where, lost.feature, "dropped", lost.detail)
        if not found.is_complete:
            yield truncated(first.row, path)

    def joined(self) -> Record:
        """Give the record of the whole answer."""
        first, path = self.pieces[0], self.paths[0]
        found = self.joiner.assemble(self.values)
        if len(self.pieces) == 1 and not path and getattr(self.joiner, "MAY_BE_WHOLE", False):
            opened = open_value(first.value)
            is_event = first.column >= _DATA_COLUMN  # which is part of a stream for sure
            if _is_whole(opened, first.value) and not (is_event and not found.is_complete):
                return first
        is_alone = len(self.pieces) == 1 and not path and isinstance(first.value, dict)
        if is_alone and found.is_complete and getattr(self.joiner, "MAY_BE_MESSAGE", False):
            return first
        open_answer: Callable[[Any], Opened] = getattr(self.joiner, "opened", open_value)
        return Streamed(
            first.row,
            answer_bytes(found.value),
            found.value,
            first.column,
            first.filename,
            pieces=tuple(self.pieces),
            provider=self.provider,
            cuts=() if found.is_complete else (path,),
            has_gap=self.has_gap,
            folds=(("", path),),
            homes=tuple((place, index, self.paths[index] + home) for place, index, home in found.homes),
            losses=tuple(self.losses(found)),
            opened=_of(self.provider, found, open_answer(found.value)),
            is_asked=self.is_asked,
        )


def _is_whole(opened: Opened, value: Any) -> bool:
    """Say whether a piece is a conversation by itself; the list that an event is may look like one of an empty conversation."""
    return opened.kind == "conversation" and (isinstance(value, dict) or all(body.messages for body in opened.bodies))


def _of(provider: str, found: Assembled, opened: Opened) -> Opened:
    """Say of an answer's messages whose they are, and whether the first of them was the first."""
    facts: dict[str, Any] = {"format": provider, "has_beginning": found.has_beginning}
    return Opened("conversation", tuple(replace(body, **facts) for body in opened.bodies))


def answer_bytes(value: Any) -> bytes:
    """Give the bytes of an answer that was joined; none when it is nested too deeply."""
    try:
        return jsontext.encode(value)
    except (RecursionError, ValueError):
        return b""


class _Streams:
    """The answers that are on their way, in the order in which they began; `latest` has the last piece.

    `asked` counts the requests for answers that have not begun. `is_session`: all that stands before the first is part of it.
    """

    def __init__(self, *, is_session: bool) -> None:
        self.is_session = is_session
        self.held: list[_Stream] = []
        self.latest: _Stream | None = None
        self.waiting: list[Record] = []
        self.has_gap = False
        self.asked = 0
        self.is_first = True

    def tell_gap(self) -> None:
        """Note that something could not be read, which may be a piece of the answers at hand."""
        self.has_gap |= self.latest is None
        for stream in self.held:
            stream.has_gap |= stream is self.latest or stream.is_by_turns

    def take(self, piece: Record, value: Any, refine: Callable[[Record], Record]) -> bool:
        """Add a piece to the answer that it belongs to; false when it is of none of those."""
        latest = self.latest
        if latest is None:
            return False
        if not latest.takes(value):
            other = next((stream for stream in self.held if stream.resumes(value)), None)
            if other is not None:
                latest.is_by_turns = other.is_by_turns = True
                latest = self.latest = other
            elif latest.is_alike(value) or not is_between(value):
                return False
        latest.add(refine(piece))
        return True

    def may_wait(self, value: Any) -> bool:
        """Say whether a value may belong to an answer that has not begun; nodes that say nothing only before the first of all."""
        if self.is_session and self.is_first:
            return True
        if self.held or len(self.waiting) >= MOST_WAITING:
            return False
        return is_between(value) or (self.is_first and may_be_silent(value))

    def begin(self, provider: str, piece: Record) -> Iterator[Record]:
        """Begin an answer; gives those that are not waited for any longer."""
        while self.held and (len(self.held) >= MOST_OPEN or not self.held[0].may_resume()):
            yield self.held.pop(0).joined()
        self.latest = _Stream(provider, has_gap=self.has_gap, is_asked=self.asked > 0)
        self.asked = max(self.asked - 1, 0)
        self.held.append(self.latest)
        for item in (*self.waiting, piece):
            self.latest.add(item)
        self.waiting, self.has_gap, self.is_first = [], False, False

    def end(self) -> Iterator[Record]:
        """Give the answers that are left, or what waited for one."""
        yield from (stream.joined() for stream in self.held)
        yield from self.waiting
        self.held, self.waiting, self.latest = [], [], None


def assembled(
    items: Iterable[Record | LineFault],
    refine: Callable[[Record], Record] = lambda record: record,
    *,
    is_session: bool = False,
) -> Iterator[Record | LineFault]:
    """Join the pieces among records, stream by stream; whatever else there is passes as it is.

    Held are the pieces of the answers at hand: one, or a few where pieces of several may come by turns. `is_session`: the first
    records are the log of a session.
    """
    streams = _Streams(is_session=is_session)
    for item in items:
        if isinstance(item, LineFault):
            if item.is_unreadable:
                streams.tell_gap()
            yield item
            continue
        value, _ = unwrapped(item.value)
        if streams.take(item, value, refine):
            continue
        if (provider := _provider_of(value)) is not None:
            yield from streams.begin(provider, refine(item))
        elif streams.may_wait(value):
            streams.waiting.append(refine(item))
        else:
            yield from streams.end()
            streams.asked = streams.asked + 1 if asks_for_stream(value) else 0
            yield item
    yield from streams.end()


def as_it_came(message: Message) -> Message:
    """Give a message of an answer that broke off with the arguments of its calls as far as they came.

    Forms that hold arguments as a value hold those that are none as a text, which is not what the model said.
    """
    if not isinstance(message, AssistantMessage):
        return message
    blocks = tuple(_call_as_it_came(block) if isinstance(block, ToolCall) else block for block in message.blocks)
    return replace(message, tool_calls=tuple(map(_call_as_it_came, message.tool_calls)), blocks=blocks)


def _call_as_it_came(call: ToolCall) -> ToolCall:
    text = jsontext.decode(call.arguments) if call.arguments.startswith('"') else None
    return replace(call, arguments=text) if isinstance(text, str) else call


_BY_CUT = frozenset({
    "arguments-empty", "arguments-invalid-json", "arguments-not-object", "arguments-not-string", "arguments-schema-mismatch",
    "empty-message", "empty-text-block", "missing-tool-id", "missing-tool-name", "no-messages", "null-content",
    "thinking-signature-missing",
})  # fmt: skip
"""Rules that find what is missing of an answer that breaks off."""


def brought_home(finding: Finding, record: Streamed, rule: str, passage: Passage | None) -> Finding | None:
    """Lead a finding about a joined answer back to the first piece of it; what was said is shown all the same.

    None when it tells once more that the stream broke off, or that a piece of it could not be read.
    """
    if (record.cuts or record.has_gap) and rule in _BY_CUT:
        return None
    messages = passage.messages if passage is not None else ()
    holders = (m for m in messages if finding.path == m.path or finding.path.startswith(m.path + "/"))
    shown = tuple(Mention(message) for message in holders)[:1]
    piece, path = record.origin(finding.path)
    return replace(finding, record=piece, path=path, mentions=finding.mentions or shown)
