"""Batches: a request and its answer stand in two records of a file, in any order; an id that the user gave joins them.

OpenAI and Anthropic call it `custom_id`, Gemini `key`. Bedrock's batches hold both in one record.
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Literal

from msgspec import Struct
from msgspec.structs import replace

from lighter.conversation import Conversation
from lighter.formats._reading import ENVELOPE
from lighter.jsontext import encode_text, step
from lighter.losses import Loss
from lighter.messages import Extra
from lighter.records import LineFault, Record

Side = Literal["asked", "answered"]
Found = Conversation | Record

_IDS = ("custom_id", "key")
_SIDES: tuple[tuple[Side, frozenset[str]], ...] = (
    ("asked", frozenset({"params", "body", "request"})),
    ("answered", frozenset({"result", "response"})),
)


class _Pair(Struct, frozen=True):
    """What was found of a request and of its answer so far."""

    asked: Found | None = None
    answered: Found | None = None


def half_of(value: Any) -> tuple[str, Side] | None:
    """Tell which batch line a record is: its id, and whether it asks or answers; None when it is no half of a pair."""
    if not isinstance(value, dict):
        return None
    given = next((value[key] for key in _IDS if isinstance(value.get(key), str)), None)
    sides: list[Side] = [side for side, keys in _SIDES if not keys.isdisjoint(value)]
    if not sides and "error" in value:  # instead of an answer, in Gemini's batches
        sides = ["answered"]
    return (given, sides[0]) if given is not None and len(sides) == 1 else None


def shared_ids(records: Iterable[Record | LineFault]) -> frozenset[str]:
    """Find the ids for which a file holds both a request and an answer."""
    met: dict[Side, set[str]] = {"asked": set(), "answered": set()}
    for record in records:
        if isinstance(record, Record) and (half := half_of(record.value)) is not None:
            met[half[1]].add(half[0])
    return frozenset(met["asked"] & met["answered"])


class Halves:
    """The halves that wait for their other one, and what came after them: all comes out in the order of its beginnings.

    A file that lists all requests first is held until their answers come.
    """

    def __init__(self, ids: frozenset[str]) -> None:
        self._ids = ids
        self._waiting: dict[str | int, _Pair] = {}
        self._count = 0

    def __bool__(self) -> bool:
        return bool(self._waiting)

    def expects(self, record: Record) -> bool:
        """Say whether a record is a half whose other one is in the file."""
        return self._half_of(record) is not None

    def take(self, record: Record, found: Found) -> Iterator[Found]:
        """Take a record's conversation, or the record where it holds none (an answer that failed); give what is whole now."""
        half = self._half_of(record)
        if half is None:
            self._count += 1
            self._waiting[self._count] = _Pair(found)
        elif half[1] == "asked":
            self._waiting[half[0]] = replace(self._waiting.get(half[0], _Pair()), asked=found)
        else:
            self._waiting[half[0]] = replace(self._waiting.get(half[0], _Pair()), answered=found)
        while self._waiting and _is_whole(first := next(iter(self._waiting)), self._waiting[first]):
            yield from _of_pair(self._waiting.pop(first))

    def rest(self) -> Iterator[Found]:
        """Give what still waits at the end."""
        for pair in self._waiting.values():
            yield from _of_pair(pair)
        self._waiting.clear()

    def _half_of(self, record: Record) -> tuple[str, Side] | None:
        half = half_of(record.value)
        if half is None or half[0] not in self._ids:
            return None
        met = self._waiting.get(half[0])
        is_met = met is not None and (met.asked if half[1] == "asked" else met.answered) is not None
        return None if is_met else half


def _is_whole(key: str | int, pair: _Pair) -> bool:
    return isinstance(key, int) or (pair.asked is not None and pair.answered is not None)


def _of_pair(pair: _Pair) -> Iterator[Found]:
    match pair.asked, pair.answered:
        case Conversation() as asked, Conversation() as answered:
            yield joined(asked, answered)
        case Conversation() as asked, Record() as failure:
            yield _failed(asked, failure)
        case found:
            yield from (half for half in found if half is not None)


def _failed(asked: Conversation, failure: Record) -> Conversation:
    """Put what came instead of an answer with its request."""
    told = (Extra(ENVELOPE, step(key), encode_text(value)) for key, value in failure.value.items() if key not in _IDS)
    return replace(asked, ext=(*asked.ext, *told), records=(*asked.records, failure))


def losses_at_failure(conversation: Conversation, losses: Sequence[Loss]) -> tuple[Loss, ...]:
    """Lead what is lost of an answer that failed to the record that tells of it; leave all others."""
    if len(conversation.records) != len(_SIDES) or conversation.layout == "messages":
        return tuple(losses)
    asked, answered = conversation.records
    if {asked.row} != {origin.row for origin in conversation.origins} or not isinstance(answered.value, dict):
        return tuple(losses)
    places = tuple(step(key) for key in answered.value if key not in asked.value)
    return tuple(replace(loss, row=answered.row) if loss.path in places else loss for loss in losses)


def joined(asked: Conversation, answered: Conversation) -> Conversation:
    """Put a request and its answer together; what stood around the answer goes with its last message."""
    *before, last = answered.messages or (None,)
    if last is None:
        return asked
    messages = (*asked.messages, *[message for message in before if message is not None])
    return replace(
        asked,
        messages=(*messages, replace(last, ext=(*last.ext, *answered.ext))),
        origins=(*asked.origins, *answered.origins),
        records=(*asked.records, *answered.records),
    )
