"""What trimming keeps or removes as one: a conversation's messages in spans, and where it may be cut without harm."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Literal

from msgspec import Struct

from lighter.conversation import WireMessage
from lighter.jsontext import value_at
from lighter.messages import (
    AssistantMessage,
    ReasoningBlock,
    SystemMessage,
    ToolMessage,
    UserMessage,
    blocks_of,
)
from lighter.passage import Entry, Passage
from lighter.streams import Streamed
from lighter.tokens import Counter
from lighter.turns import joins_turns

Kind = Literal["system", "user", "assistant", "result", "other"]


class Place(Struct, frozen=True):
    """Where a message of the file stands: row and column of its record, and a pointer into that."""

    row: int
    column: int
    path: str


class Span(Struct, frozen=True):
    """Messages of the file that belong together: one, or the items that make up one message of the assistant.

    `may_open`: a history may begin here, at a user's turn that no tool call is open before. `may_follow`: the user's message
    may be followed by this one, though there was more between them: a message of the assistant before which no call is open.
    `is_fixed`: it stands in no list, so that it cannot be taken out. `tokens` are 0 where nobody counts them.
    """

    kind: Kind
    places: tuple[Place, ...]
    tokens: int
    may_open: bool
    may_follow: bool
    is_fixed: bool


def spans_of(passage: Passage, count: Counter | None, *, joins: bool | None = None) -> Iterator[Span]:
    """Cut a passage into spans; `count` gives the tokens of a message.

    `joins`: consecutive messages of the assistant are one turn; where it is not given the format of the passage says so.
    """
    groups = list(_grouped(passage.entries))
    starts = [group[0].wire.index for group in groups]
    torn = _torn(passage, starts)
    joins = joins_turns(passage.format) if joins is None else joins
    needs_reasoning = _needs_reasoning(passage.fields)
    is_fixed = _fixed(passage)
    first = passage.messages[0].index if passage.messages else 0
    before: Kind | None = None
    for number, group in enumerate(groups):
        begin = starts[number] if number else first
        end = starts[number + 1] if number + 1 < len(starts) else first + len(passage.messages)
        wires = passage.messages[begin - first : end - first]
        kind = _kind_of(group)
        is_whole = number not in torn
        is_joined = joins and before == "assistant"
        yield Span(
            kind,
            tuple(Place(wire.record.row, wire.record.column, wire.path) for wire in wires),
            sum(count(entry.message) for entry in group) if count else 0,
            may_open=kind == "user" and is_whole,
            may_follow=kind == "assistant" and is_whole and not is_joined and (not needs_reasoning or _reasons(group)),
            is_fixed=any(map(is_fixed, wires)),
        )
        before = kind


def _grouped(entries: Sequence[Entry]) -> Iterator[list[Entry]]:
    """Put the entries of one message of the file together."""
    group: list[Entry] = []
    for entry in entries:
        if group and entry.wire.index != group[0].wire.index:
            yield group
            group = []
        group.append(entry)
    if group:
        yield group


def _kind_of(group: Sequence[Entry]) -> Kind:
    messages = [entry.message for entry in group]
    if any(isinstance(message, ToolMessage) for message in messages):
        return "result"
    if isinstance(messages[0], AssistantMessage):
        return "assistant"
    if all(isinstance(message, SystemMessage) for message in messages):
        return "system"
    return "user" if all(isinstance(message, UserMessage) for message in messages) else "other"


def _torn(passage: Passage, starts: Sequence[int]) -> set[int]:
    """Tell before which groups a history may not be cut, since a call stands on one side and its result on the other."""
    pairing = passage.pairing
    pairs = [(call.wire.index, result.wire.index) for call, result in pairing.answers]
    pairs += [(again.call.wire.index, again.result.wire.index) for again in pairing.repeated_results if again.call]
    number_of = {start: number for number, start in enumerate(starts)}
    torn: set[int] = set()
    for pair in pairs:
        numbers = sorted(number_of[index] for index in pair if index in number_of)
        torn.update(range(numbers[0] + 1, numbers[-1] + 1) if numbers else ())
    return torn


def _needs_reasoning(fields: Mapping[str, Any]) -> bool:
    """Say whether a tool loop must begin with the model's thoughts; see `thinking-not-first`."""
    thinking = fields.get("thinking")
    return isinstance(thinking, dict) and thinking.get("type") == "enabled"


def _reasons(group: Sequence[Entry]) -> bool:
    return isinstance(next(iter(blocks_of(group[0].message)), None), ReasoningBlock)


def _fixed(passage: Passage) -> Any:
    """Give a function that says whether a message of the passage stands in no list, or was joined from pieces."""
    record, lists = passage.record, dict[str, bool]()

    def is_listed(path: str) -> bool:
        if path not in lists:
            try:
                lists[path] = isinstance(value_at(record.value, path), list)
            except LookupError:
                lists[path] = False
        return lists[path]

    def is_fixed(wire: WireMessage) -> bool:
        if passage.body is None:
            return False
        if isinstance(record, Streamed) and (not record.is_within or record.home(wire.path) != wire.path):
            return True
        return not wire.path or not is_listed(wire.path.rpartition("/")[0])

    return is_fixed
