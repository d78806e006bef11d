"""A passage: a stretch of one conversation between two points at which no tool call is open; the unit that rules look at.

A conversation that stands in one record is one passage. A log with one message a line is cut wherever nothing is open, so
that an endless conversation is linted and shown in the memory of its open calls.
"""

from collections.abc import Callable, Mapping, Sequence
from copy import copy
from functools import cached_property
from typing import TYPE_CHECKING, Any, TypeVar

from msgspec import Struct

from lighter.conversation import Origin, WireMessage
from lighter.messages import Message
from lighter.records import Record

if TYPE_CHECKING:
    from lighter.envelope import Body
    from lighter.pairs import Pairing
    from lighter.toolcheck import ToolCheck


T = TypeVar("T")


class Entry(Struct, frozen=True):
    """A core message, where it came from, and the wire message that held it (several entries may share one)."""

    message: Message
    origin: Origin
    wire: WireMessage


class Passage:
    """Messages of one conversation as found on the wire (`messages`) and as core messages (`entries`).

    `past` are the last messages before the first, where these are known, `before` the one just before it, `is_first` and `is_last` say whether the conversation begins or ends here.
    `fields` are the other fields of the request body (`model`, `tools`, `system`, `thinking` …) and `fields_path` points at
    that body; both are empty for bare messages. `record` is the record that holds the body, or the first message.
    `earlier_ids`: ids of tool calls of earlier passages. `streamed_ids`: ids of calls that stand only in pieces of a stream.
    `gaps`: indices of the messages before which lines of the log could not be read, or a stream had not begun, so that nobody knows what stood there. `halves`: where
    the calls and results stand whose other ends may have stood there, when they are known beforehand. `source`: the passage that
    this one was written from, for a target of another format; `unanswered_before`: where its calls stand that were not answered
    though later turns exist.
    `given_tools` checks calls where the request declares no tools.
    `lines`: how messages of it were told in one line each, by their identities: thousands of findings may show the same one.
    `conversation`: the session's id, where the log tells one. `body`: the whole body, when the conversation stands in one
    record.
    """

    def __init__(  # noqa: PLR0913 - one argument for each of the facts above
        self,
        format: str,
        messages: tuple[WireMessage, ...],
        record: Record,
        *,
        past: tuple[WireMessage, ...] = (),
        is_first: bool = True,
        is_last: bool = True,
        fields: Mapping[str, Any] | None = None,
        fields_path: str = "",
        earlier_ids: frozenset[str] | set[str] = frozenset(),
        conversation: str | None = None,
        gaps: tuple[int, ...] = (),
    ) -> None:
        self.format = format
        self.messages = messages
        self.record = record
        self.past = past
        self.is_first = is_first
        self.is_last = is_last
        self.fields: Mapping[str, Any] = fields or {}
        self.fields_path = fields_path
        self.earlier_ids = earlier_ids
        self.conversation = conversation
        self.gaps = gaps
        self.streamed_ids: frozenset[str] | set[str] = frozenset()
        self.halves: frozenset[str] = frozenset()
        self.unanswered_before: frozenset[str] = frozenset()
        self.source: Passage | None = None
        self.given_tools: ToolCheck | None = None
        self.body: Body | None = None
        self.lines: dict[int, str] = {}

    def with_messages(self, messages: tuple[WireMessage, ...]) -> "Passage":
        """Give the same with other messages, of which nothing is worked out yet."""
        other = copy(self)
        other.messages = messages
        for worked_out in ("entries", "_by_wire", "pairing", "_read"):
            vars(other).pop(worked_out, None)
        return other

    def once(self, read: Callable[["Passage"], T]) -> T:
        """Give what a function reads off the passage; it is asked once, and the rules share what it gives."""
        if read not in self._read:
            self._read[read] = read(self)
        found: T = self._read[read]
        return found

    @cached_property
    def _read(self) -> dict[Callable[["Passage"], object], Any]:
        return {}

    @property
    def is_text_alone(self) -> bool:
        """Whether it is certain that the messages are texts, among which nobody calls, answers or shows anything."""
        return self.once(_is_text_alone)

    @property
    def before(self) -> WireMessage | None:
        """The message just before the first."""
        return self.past[-1] if self.past else None

    @property
    def model(self) -> str | None:
        """The model that the request names, under whichever key."""
        named = (self.fields.get(key) for key in ("model", "modelId"))
        return next((model for model in named if isinstance(model, str)), None)

    @cached_property
    def entries(self) -> tuple[Entry, ...]:
        """The core messages, in order."""
        from lighter.formats import read_entries  # noqa: PLC0415 - formats are loaded only for what is not ordinary

        return tuple(read_entries(self.format, self.messages))

    def entries_of(self, wire: WireMessage) -> Sequence[Entry]:
        """Give the core messages that were read from one of the messages."""
        return self._by_wire.get(id(wire), ())

    @cached_property
    def _by_wire(self) -> Mapping[int, Sequence[Entry]]:
        found: dict[int, list[Entry]] = {}
        for entry in self.entries:
            found.setdefault(id(entry.wire), []).append(entry)
        return found

    @cached_property
    def pairing(self) -> "Pairing":
        """How calls and results pair, computed once and shared by the rules."""
        from lighter.pairing import pair  # noqa: PLC0415 - as above

        return pair(self)


def _is_text_alone(passage: Passage) -> bool:
    from lighter.formats import trait  # noqa: PLC0415 - as above

    is_text = trait(passage.format, "is_text_alone", otherwise=None)
    return is_text is not None and all(is_text(message.raw) for message in passage.messages)
