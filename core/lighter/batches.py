"""Batches: a request and its answer stand in two records of a file, in any order; an id that the user gave joins them.

OpenAI and Anthropic call it `custom_id`, Gemini `key`. Bedrock's batches hold both in one record.
"""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Literal

from msgspec.structs import replace

from lighter.conversation import Conversation
from lighter.records import LineFault, Record

Side = Literal["asked", "answered"]

_IDS = ("custom_id", "key")
_SIDES: tuple[tuple[Side, frozenset[str]], ...] = (
    ("asked", frozenset({"params", "body", "request"})),
    ("answered", frozenset({"result", "response"})),
)


def half_of(value: Any) -> tuple[str, Side] | None:
    """Tell which batch line a record is: its id, and whether it asks or answers; None when it is no half of a pair."""
    if not isinstance(value, dict):
        return None
    given = next((value[key] for key in _IDS if isinstance(value.get(key), str)), None)
    sides: list[Side] = [side for side, keys in _SIDES if not keys.isdisjoint(value)]
    return (given, sides[0]) if given is not None and len(sides) == 1 else None


def shared_ids(records: Iterable[Record | LineFault]) -> frozenset[str]:
    """Find the ids for which a file holds both a request and an answer."""
    met: dict[Side, set[str]] = {"asked": set(), "answered": set()}
    for record in records:
        if isinstance(record, Record) and (half := half_of(record.value)) is not None:
            met[half[1]].add(half[0])
    return frozenset(met["asked"] & met["answered"])


class Halves:
    """The halves that wait for their other one; pairs come in the order of their first halves.

    A file that lists all requests first is held until their answers come.
    """

    def __init__(self, ids: frozenset[str]) -> None:
        self._ids = ids
        self._pairs: dict[str, dict[Side, Conversation | None]] = {}

    def take(self, record: Record, found: Conversation | None) -> Iterator[Conversation]:
        """Take a record's conversation, None when it holds none (an answer that failed, or expired); give what is whole now."""
        half = half_of(record.value)
        if half is None or half[0] not in self._ids or half[1] in self._pairs.get(half[0], {}):
            yield from [found] if found is not None else []
            return
        given, side = half
        self._pairs.setdefault(given, {})[side] = found
        while self._pairs and len(pair := next(iter(self._pairs.values()))) == len(_SIDES):
            self._pairs.pop(next(iter(self._pairs)))
            yield from _of_pair(pair)

    def rest(self) -> Iterator[Conversation]:
        """Give what still waits at the end."""
        for pair in self._pairs.values():
            yield from _of_pair(pair)
        self._pairs.clear()


def _of_pair(pair: Mapping[Side, Conversation | None]) -> Iterator[Conversation]:
    asked, answered = pair.get("asked"), pair.get("answered")
    if asked is not None and answered is not None:
        yield joined(asked, answered)
    else:
        yield from (half for half in (asked, answered) if half is not None)


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
