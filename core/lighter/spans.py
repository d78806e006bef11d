"""What trimming keeps or removes as one: a conversation's messages in spans, and where it may be cut without harm."""

from bisect import bisect_right
from collections.abc import Callable, Iterator, Sequence
from typing import Literal

from msgspec import Struct

from lighter.conversation import WireMessage
from lighter.history import history_in, pieces_in
from lighter.jsontext import value_at
from lighter.messages import (
    AssistantMessage,
    Message,
    ReasoningBlock,
    SystemMessage,
    ToolMessage,
    UserMessage,
    blocks_of,
)
from lighter.pairing import calls_of
from lighter.passage import Entry, Passage
from lighter.streams import Streamed
from lighter.tokens import Counter
from lighter.turns import joins_turns

Kind = Literal["system", "user", "assistant", "result", "other", "edit"]


class Place(Struct, frozen=True):
    """Where a message of the file stands: row and column of its record, and a pointer into that."""

    row: int
    column: int
    path: str


class Span(Struct, frozen=True):
    """Messages of the file that belong together: one, or the items that make up one message of the assistant.

    `may_open`: a history may begin here, at a user's turn that no tool call is open before. `may_follow`: the user's message
    may be followed by this one, though there was more between them: a message of the assistant before which no call is open.
    `is_fixed`: it stands in no list, so that it cannot be taken out. `messages` is how many there are, `tokens` are 0 where nobody
    counts them. An `edit` is what the history takes back, and what takes it back: no message, but to be removed with the others.
    """

    kind: Kind
    places: tuple[Place, ...]
    messages: int
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
    history = history_in(passage)
    edited = {wire.index for found in history.sources.values() for wire in found}
    loose = [edit.wire for edit in history.edits if edit.wire.index not in edited]
    edited.update(wire.index for wire in loose)
    may_follow = _may_follow(passage, joins=joins_turns(passage.format) if joins is None else joins)
    torn, is_fixed = _torn(passage, starts), _fixed(passage)
    for number, group in enumerate(groups):
        plain = [wire for wire in _between(passage, starts, number) if wire.index not in edited]
        sources = history.sources.get(starts[number], ())
        kind = _kind_of(group)
        yield Span(
            kind,
            tuple(map(_place_of, (*plain, *sources))),
            len(plain) + bool(sources),
            sum(count(entry.message) for entry in group) if count else 0,
            may_open=kind == "user" and number not in torn,
            may_follow=number not in torn and may_follow(groups[number - 1] if number else None, group),
            is_fixed=any(map(is_fixed, (*plain, *sources))),
        )
    if loose:
        is_any_fixed = any(map(is_fixed, loose))
        yield Span("edit", tuple(map(_place_of, loose)), 0, 0, may_open=False, may_follow=False, is_fixed=is_any_fixed)


def _place_of(wire: WireMessage) -> Place:
    return Place(wire.record.row, wire.record.column, wire.path)


def _between(passage: Passage, starts: Sequence[int], number: int) -> Sequence[WireMessage]:
    """Give the messages of the file from one group on up to the next; the first group has those before it, too."""
    first = passage.messages[0].index
    begin = starts[number] - first if number else 0
    end = starts[number + 1] - first if number + 1 < len(starts) else len(passage.messages)
    return passage.messages[begin:end]


def _may_follow(passage: Passage, *, joins: bool) -> Callable[[list[Entry] | None, list[Entry]], bool]:
    """Give a function that says whether a group may stand right behind the user's message, though others stood between."""
    thinking = passage.fields.get("thinking")  # see the rule `thinking-not-first`
    needs_reasoning = isinstance(thinking, dict) and thinking.get("type") == "enabled"

    def may_follow(before: list[Entry] | None, group: list[Entry]) -> bool:
        first = group[0].message
        if _kind_of(group) != "assistant" or (needs_reasoning and not _reasons(first)):
            return False
        if before is None or _kind_of(before) != "assistant":
            return True
        return not joins

    return may_follow


def _reasons(message: Message) -> bool:
    return isinstance(next(iter(blocks_of(message)), None), ReasoningBlock)


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
    pairs += _torn_pieces(passage, starts)
    ranges = (sorted(number for index in pair if (number := bisect_right(starts, index) - 1) >= 0) for pair in pairs)
    torn: set[int] = set()
    done = 0
    for numbers in sorted(filter(None, ranges)):  # thousands of them may begin at one message
        torn.update(range(max(numbers[0], done) + 1, numbers[-1] + 1))
        done = max(done, numbers[-1])
    return torn


def _torn_pieces(passage: Passage, starts: Sequence[int]) -> Iterator[tuple[int, int]]:
    """Yield where a message in pieces begins, and where the group that it ends in does, or the last result of what it calls."""
    for run in pieces_in(passage):
        first, last = run[0].index, run[-1].index
        said = (entry for entry in passage.entries if first <= entry.wire.index <= last)
        ids = {call.call_id for entry in said for call in calls_of(entry)} - {""}
        results = (
            entry.wire.index
            for entry in passage.entries
            if isinstance(entry.message, ToolMessage) and entry.message.call_id in ids
        )
        end = starts[max(bisect_right(starts, last) - 1, 0)]
        yield first, max(end, *results, end)


def _fixed(passage: Passage) -> Callable[[WireMessage], bool]:
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
