"""The formats, found by listing this folder; each module has NAME, TITLE, ALIASES, sniff, read_messages, read_body and write."""

import os
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from importlib import import_module
from typing import Any, Protocol

from msgspec import Struct

from lighter.conversation import BlockOrigin, Conversation, Origin, WireMessage
from lighter.envelope import Body
from lighter.errors import UnknownFormat
from lighter.losses import Loss
from lighter.passage import Entry

SPELLING = "spelling"
"""How the names of formats end whose extras only say how a value was spelled: when they are gone, nothing is lost."""


class Evidence(Struct, frozen=True):
    """A reason to take a record for a format: how much it weighs (1 hints, 10 proves), and where it was seen."""

    format: str
    weight: int
    reason: str
    row: int = 1


class Place(Struct, frozen=True, eq=False):
    """A value that a writer made, and the message or block that it was made from; `row` is the record's."""

    value: Any
    origin: Origin | BlockOrigin
    row: int


class Written(Struct, frozen=True):
    """A conversation in a format's own form: the record, what could not be carried unchanged, and where its parts came from."""

    value: Any
    losses: tuple[Loss, ...]
    places: tuple[Place, ...] = ()


class Straight(Struct, frozen=True):
    """A record that was written straight from its line, and the losses, whose rows are still to be told."""

    data: bytes
    losses: tuple[Loss, ...] = ()


class Format(Protocol):
    """What a format module offers.

    Some members are optional, and asked for with `trait`:

    * `open_record(value) -> Opened | None` finds the messages in records that are shaped like no other format's
      (`{"contents": […]}`, messages without `role`); see `lighter.envelope.Opened`.
    * `JOINS_TURNS`: the provider joins consecutive messages of one role into one turn.
    * `PAIRS_BY_ID_ALONE`: results may stand anywhere, and the provider may hold earlier turns itself.
    * `HAS_ITEMS`: what the assistant says in one turn is listed piece by piece, each with an identity of its own.
    * `FIELDS`: which field of the core model a pointer in what `write` makes stands for, relative to its message or block, so
      that findings about the written form are led back to the source.
    * `shortcut(source) -> (line -> Straight | None) | None`: writes ordinary lines of a format at once, where that is worth it.
    * `DIALECT_OF`: the format whose general shape this one has, so that `sniff` yields only what this one has of its own; see
      `lighter.detection`.
    * `STREAMS_LIKE`: the format whose pieces of streamed answers have the same shape.
    * `HAS_ERROR_FLAG`: results can say that they are errors.
    * `BATCH_BODY`: the key of a request in the lines of the provider's batches, beside `custom_id`, where no other has that key.
    * `METADATA`: the key of an object in which answers tell about themselves, which is one loss where nothing of it arrives.
    * `HOLDS_JSON_RESULTS`: a result may be a JSON value, and the writer gives such values back as values (`holds_json`).
    * `MESSAGES_KEY`: under which key a request lists its messages, where that is not `messages`.
    * `NATIVE_SYSTEM`: the extra on a system message by which the writer keeps its role in mid-conversation.
    * `history_of(messages) -> History`: carries out the edits that a history may hold of itself; see `lighter.history`.
    * `pieces_in(messages) -> Iterator[tuple[WireMessage, ...]]`: pieces of streamed messages that stand among them; what they call
      is no call yet.
    * `IS_READ_ONLY`: conversations of other formats cannot be written in it; its own records are copied as they stand.
    * `ended_calls(messages) -> frozenset[str]`: the places of calls that the log itself says to have ended without a result.
    * `is_text_alone(raw) -> bool`: whether a message is certain to hold text and nothing else, however broken: no call, no result,
      no media; most of what rules look for is then not looked for.
    * `strays_of(entry) -> Strays`: calls and results that stand where no reader looks for them; see `lighter.strays`.
    """

    NAME: str
    TITLE: str
    ALIASES: tuple[str, ...]
    KEEPS_SYSTEM_IN_LIST: bool
    """Whether a log with one message a line can hold the system prompt."""

    def sniff(
        self, messages: Sequence[Any], fields: Mapping[str, Any], response: Mapping[str, Any] | None
    ) -> Iterator[tuple[int, str]]:
        """Yield what speaks for this format: a weight and a reason each.

        `fields` stand beside the messages in a request body, `response` is an answer's envelope when there is one.
        """
        ...

    def read_messages(self, messages: Sequence[WireMessage]) -> Iterator[Entry]:
        """Read wire messages, in order, as core messages; any JSON value is read, nothing raises."""
        ...

    def read_body(self, body: Body, messages: Sequence[WireMessage]) -> Conversation:
        """Read a whole body: its messages with system prompt, tools and parameters."""
        ...

    def write(self, conversation: Conversation) -> Written:
        """Write a conversation as the format's own request body."""
        ...


@cache
def names() -> tuple[str, ...]:
    """List the formats by name."""
    found = (entry.removesuffix(".py") for entry in os.listdir(os.path.dirname(__file__)))  # noqa: PTH120, PTH208 - pathlib costs start-up time
    return tuple(sorted(name.replace("_", "-") for name in found if name[0] != "_" and name.isidentifier()))


@cache
def get(name: str) -> Format:
    """Give a format's module by name or alias; raises UnknownFormat."""
    if name in names():
        return _module(name)
    for known in names():
        if name in _module(known).ALIASES:
            return _module(known)
    raise UnknownFormat("format", name, names())


def _module(name: str) -> Format:
    module: Any = import_module(f"lighter.formats.{name.replace('-', '_')}")
    return module  # type: ignore[no-any-return]  # a module that has the members of the protocol


def trait(name: str, member: str, otherwise: Any) -> Any:
    """Give an optional member of a format, or what holds for formats that do not have it."""
    return getattr(get(name), member, otherwise)


def is_read_only(module: Format) -> bool:
    """Say whether conversations of other formats cannot be written in a format."""
    return bool(getattr(module, "IS_READ_ONLY", False))


def writable() -> tuple[str, ...]:
    """List the formats in which conversations are written."""
    return tuple(name for name in names() if not is_read_only(get(name)))


def read_entries(name: str, messages: Sequence[WireMessage]) -> Iterator[Entry]:
    """Read wire messages of one conversation, in order, as core messages."""
    return get(name).read_messages(messages)
