"""What readers make of whole messages: blocks put into them, wire messages folded into turns, answers told what stands beside them."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from msgspec.structs import replace

from lighter.conversation import Origin, WireMessage
from lighter.envelope import Body
from lighter.formats._reading import Placed
from lighter.jsontext import encode_text, step
from lighter.messages import AssistantMessage, Extra, Message, with_blocks
from lighter.passage import Entry

Spoken = tuple[Placed, tuple[Extra, ...]]
"""What one wire message adds to the assistant's turn: blocks, and extras of the message that they become a part of."""


def filled(message: Any, placed: Placed, row: int, path: str, fields: Mapping[str, str]) -> tuple[Any, Origin]:
    """Give a message its blocks, and the origin with their places."""
    whole = with_blocks(message, [block for block, _ in placed])
    return whole, Origin(row, path, fields, tuple(origin for _, origin in placed))


def folded(
    messages: Sequence[WireMessage],
    spoken: Callable[[WireMessage], Spoken | None],
    heard: Callable[[WireMessage], tuple[Message, Origin]],
) -> Iterator[Entry]:
    """Fold what the assistant says between two others, of one record or one answer, into one message.

    `spoken` reads a wire message of the assistant (None: it is another's), `heard` any other, which is a message by itself.
    """
    first: WireMessage | None = None
    turn: Placed = []
    ext: tuple[Extra, ...] = ()
    for wire in messages:
        said = spoken(wire)
        if first is not None and (said is None or not _is_same_turn(first, wire)):
            yield _turn(first, turn, ext)
            first, turn, ext = None, [], ()
        if said is None:
            message, origin = heard(wire)
            yield Entry(message, origin, wire)
        else:
            first = first or wire
            turn += said[0]
            ext += said[1]
    if first is not None:
        yield _turn(first, turn, ext)


def _is_same_turn(first: WireMessage, wire: WireMessage) -> bool:
    return first.record is wire.record and first.is_response == wire.is_response


def _turn(first: WireMessage, placed: Placed, ext: tuple[Extra, ...]) -> Entry:
    message, origin = filled(AssistantMessage("", ext=ext), placed, first.record.row, first.path, {})
    return Entry(message, origin, first)


def told_beside(entries: list[Entry], body: Body, keys: Mapping[str, str]) -> tuple[list[Entry], Body]:
    """Give an answer's last message what stands beside it; `keys` names the fields. The rest of the envelope is kept as such."""
    if body.response is None:
        return entries, body
    found = [(field, body.response.get(key), body.response_path + step(key)) for key, field in keys.items()]
    taken = tell(entries, found)
    beside = ((body.response_path + step(key), value) for key, value in body.response.items())
    rest = (*body.rest, *((path, value) for path, value in beside if path not in taken))
    return entries, replace(body, response=None, rest=rest)


def answer_index(entries: Sequence[Entry]) -> int | None:
    """Find the last message of an answer; None when there is none."""
    return next((n for n in reversed(range(len(entries))) if entries[n].wire.is_response), None)


def tell(entries: list[Entry], found: Sequence[tuple[str, Any, str]]) -> frozenset[str]:
    """Give an answer's last message these fields, each with its value and place; tells which places were taken."""
    at = answer_index(entries)
    if at is None or not isinstance(message := entries[at].message, AssistantMessage):
        return frozenset()
    told: dict[str, str] = {}
    places: dict[str, str] = {}
    for field, value, place in found:
        if isinstance(value, dict if field == "usage" else str):
            told[field], places[field] = encode_text(value) if field == "usage" else str(value), place
    origin = entries[at].origin
    origin = replace(origin, fields={**origin.fields, **places})
    entries[at] = Entry(replace(message, **told), origin, entries[at].wire)
    return frozenset(places.values())
