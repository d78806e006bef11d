"""A passage as turns: each call together with the results that answer it, wherever they came."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from lighter.conversation import WireMessage
from lighter.envelope import Body
from lighter.formats import get
from lighter.messages import (
    AssistantMessage,
    Block,
    Message,
    SystemMessage,
    ToolCall,
    ToolMessage,
    ToolResultBlock,
    blocks_of,
)
from lighter.passage import Entry, Passage
from lighter_cli.showing.facts import told_entries

UNNUMBERED = -1
"""The number of what is no message of the list."""

NO_CALLS: Mapping[str, str] = {}

CallState = Literal["answered", "pending", "unanswered"]
Place = Literal["own", "late", "orphan"]

MISSING: Mapping[CallState, str] = {"pending": "no result yet", "unanswered": "no result"}
"""What is said of a call without a result."""

REMARKS: Mapping[Place, str] = {"late": "answers an earlier call", "orphan": "answers no call"}
"""What is said of a result that stands by itself."""


class Call(Struct, frozen=True):
    """A call and what answers it: messages in their order, and results inside the assistant's own turn (server tools).

    `pending`: nothing answers it yet, and nothing but other results follows. `unanswered`: the log went on without a result.
    """

    call: ToolCall
    answers: tuple[Entry, ...] = ()
    results: tuple[ToolResultBlock, ...] = ()
    state: CallState = "answered"


class Turn(Struct, frozen=True):
    """A message to show; `parts` are its blocks in order, with each call grown to a `Call`.

    `place` tells of a result that stands by itself: `late` when it answers a call of an earlier passage, `orphan` when it
    answers none. A selection clears `shows_text` and `shows_answers` when it asks for only one side of the turn.
    """

    entry: Entry
    parts: tuple[Block | Call, ...]
    place: Place = "own"
    shows_text: bool = True
    shows_answers: bool = True

    @property
    def calls(self) -> tuple[Call, ...]:
        """The calls among the parts."""
        return tuple(part for part in self.parts if isinstance(part, Call))


def system_turn(passage: Passage) -> Turn | None:
    """Make a turn of the system prompt that a request body keeps beside its messages; it has no number of its own."""
    if not passage.fields:
        return None
    first = passage.messages[:1]
    held = tuple((wire.path, wire.raw, wire.is_response) for wire in first)
    body = Body(held, path=passage.fields_path, fields=passage.fields)
    read = get(passage.format).read_body(body, first)
    if not read.messages or not isinstance(message := read.messages[0], SystemMessage):
        return None
    origin = read.origins[0]
    if any(origin.path == wire.path for wire in first):
        return None
    wire = WireMessage(passage.record, origin.path, None, UNNUMBERED)
    return Turn(Entry(message, origin, wire), blocks_of(message))


class _Open:
    """A call while its results are still being looked for."""

    def __init__(self, call: ToolCall) -> None:
        self.call = call
        self.answers: list[Entry] = []
        self.results: list[ToolResultBlock] = []

    @property
    def is_answered(self) -> bool:
        return bool(self.answers or self.results)


def turns_of(passage: Passage, earlier: Mapping[str, str] = NO_CALLS) -> Iterator[Turn]:
    """Give the turns of a passage: results are found under their calls, and alone where nothing called for them.

    `earlier` names the tools of calls of earlier passages that are still without a result, by id.
    """
    opened: dict[str, list[_Open]] = {}
    drafts: list[tuple[Entry, list[Block | _Open], Place]] = []
    for entry in told_entries(passage):
        message = entry.message
        if isinstance(message, ToolMessage):
            if (call := _called(opened, message, drafts)) is not None:
                call.answers.append(entry)
                continue
            tool = earlier.get(message.call_id)
            place: Place = "orphan" if tool is None else "late"
            named = entry if message.tool_name or not tool else _named(entry, message, tool)
            drafts.append((named, list(blocks_of(message)), place))
        else:
            drafts.append((entry, _opened(message, opened), "own"))
    last = max(
        (at for at, (entry, _, _) in enumerate(drafts) if not isinstance(entry.message, ToolMessage)), default=-1
    )
    for at, (entry, parts, place) in enumerate(drafts):
        is_open = at == last and passage.is_last
        yield Turn(entry, tuple(_closed(part, is_open=is_open) for part in parts), place)


def _opened(message: Message, opened: dict[str, list[_Open]]) -> list[Block | _Open]:
    """Register the calls of a message, and put its own results under them."""
    parts: list[Block | _Open] = []
    if not isinstance(message, AssistantMessage):
        return list(blocks_of(message))
    fresh: dict[str, list[_Open]] = {}
    for block in blocks_of(message):
        if isinstance(block, ToolCall):
            part = _Open(block)
            fresh.setdefault(block.call_id, []).append(part)
            parts.append(part)
        elif isinstance(block, ToolResultBlock) and block.call_id in fresh:
            fresh[block.call_id][-1].results.append(block)
        else:
            parts.append(block)
    opened.update(fresh)
    return parts


def _called(
    opened: dict[str, list[_Open]], message: ToolMessage, drafts: Sequence[tuple[Entry, list[Block | _Open], Place]]
) -> _Open | None:
    """Find the call that a result answers: by id, and where there is no id by the tool's name in the turn before."""
    if message.call_id:
        same = opened.get(message.call_id, [])
    else:
        calls = [part for part in drafts[-1][1] if isinstance(part, _Open)] if drafts else []
        same = [call for call in calls if message.tool_name in ("", call.call.tool_name) and not call.is_answered]
    return next((call for call in same if not call.is_answered), same[-1] if same else None)


def _closed(part: Block | _Open, *, is_open: bool) -> Block | Call:
    if not isinstance(part, _Open):
        return part
    state: CallState = "answered"
    if not part.is_answered and part.call.kind != "server":
        state = "pending" if is_open else "unanswered"
    return Call(part.call, tuple(part.answers), tuple(part.results), state)


def _named(entry: Entry, message: ToolMessage, tool: str) -> Entry:
    return Entry(replace(message, tool_name=tool), entry.origin, entry.wire)


def with_parts(turn: Turn, parts: Sequence[Block | Call]) -> Turn:
    """Keep only some parts of a turn."""
    return replace(turn, parts=tuple(parts))
