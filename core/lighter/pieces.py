"""Places in messages that were joined from pieces, led to the pieces that hold what stands there."""

from collections.abc import Iterator, Sequence
from typing import Any

from msgspec.structs import replace

from lighter.conversation import Conversation, Joined, WireMessage
from lighter.jsontext import is_same, value_at
from lighter.losses import Loss
from lighter.streams import Streamed

_INDEX = "/index"


def losses_at_home(conversation: Conversation, losses: Sequence[Loss]) -> tuple[Loss, ...]:
    """Lead the losses of joined answers back to their pieces, those of a stream after what was lost in joining it; leave all others."""
    for pieces in conversation.joined:
        losses = list(losses_in_pieces(pieces, losses))
    record = conversation.records[0] if conversation.records else None
    if not isinstance(record, Streamed):
        return tuple(losses)
    joining = record.losses if conversation.place in ("", "/0") else ()
    return tuple(dict.fromkeys((*joining, *(_at_origin(record, loss) for loss in losses))))


def _at_origin(record: Streamed, loss: Loss) -> Loss:
    piece, path = record.origin(loss.path)
    return replace(loss, row=piece.row, path=path)


def losses_in_pieces(told: Joined, losses: Sequence[Loss]) -> Iterator[Loss]:
    """Lead losses of a joined message to its pieces: what several of them said together is lost in each.

    The index of what several pieces went into served to bring them together, and is no loss.
    """
    at_home = set(told.losses)
    for loss in losses:
        place = None if loss in at_home else _place_in_message(told, loss.row, loss.path)
        if place is None:
            yield loss
        elif not _is_spent(told, place):
            places = _places_of(told, place)
            for row, path in places if loss.action in ("dropped", "rewritten") else places[:1]:
                yield loss if (row, path) == (loss.row, loss.path) else replace(loss, row=row, path=path)


def place_in_pieces(told: Joined, row: int, path: str) -> tuple[int, str]:
    """Lead a pointer into a joined message to the first piece that holds something there; others stay as they are."""
    place = _place_in_message(told, row, path)
    return (row, path) if place is None else _places_of(told, place)[0]


def _place_in_message(told: Joined, row: int, path: str) -> str | None:
    """Give the place in a joined message of what a pointer leads to, if only in one of its pieces; None for other messages."""
    for number, piece in enumerate(told.pieces):
        if piece.record.row == row and _lies_in(path, piece.path):
            rest = path.removeprefix(piece.path)
            items = ((item, home) for item, homes in told.homes.items() for index, home in homes if index == number)
            found = (item + rest.removeprefix(home) for item, home in items if number and _lies_in(rest, home))
            return next(found, rest)
    return None


def _is_spent(told: Joined, place: str) -> bool:
    """Say whether a place is that of an index by which pieces were brought together; in copies of calls it served nothing."""
    if "/additional_kwargs/" in place:
        return False
    item = place.removesuffix(_INDEX)
    return item != place and item in told.homes and len(_homes_of(told, item)) > 1


def _lies_in(path: str, place: str) -> bool:
    return path == place or path.startswith(place + "/")


def _places_of(told: Joined, place: str) -> list[tuple[int, str]]:
    """List where the pieces hold what stands at a place of the message; one that says it all stands for the others.

    What none of them holds by itself stands in the first one, as deep as that goes; text that holds JSON, in each.
    """
    is_deeper = False
    while place:
        found = [
            (home, at, value) for home, at in _homes_of(told, place) if (value := _value_at(home.raw, at)) is not None
        ]
        if found:
            said = [one for one in found if one[2] not in ("", [], {})] or found[:1]
            whole = _value_at(told.value, place)
            said = [one for one in said if is_same(one[2], whole)] or said
            is_one = is_deeper and not isinstance(said[0][2], str)
            return [(home.record.row, home.path + at) for home, at, _ in (said[:1] if is_one else said)]
        place = place.rpartition("/")[0]
        is_deeper = True
    return [(told.pieces[0].record.row, told.pieces[0].path)]


def _homes_of(told: Joined, place: str) -> list[tuple[WireMessage, str]]:
    """List where what stands at a place of the message may come from: in the pieces that added to its item of a list, or in all."""
    item = place
    while item and item not in told.homes:
        item = item.rpartition("/")[0]
    if not item:
        return [(piece, place) for piece in told.pieces]
    homes = [(told.pieces[index], home) for index, home in told.homes[item]]
    if (first := (told.pieces[0], item)) not in homes and _value_at(first[0].raw, item) is not None:
        homes.insert(0, first)
    return [(piece, home + place.removeprefix(item)) for piece, home in homes]


def _value_at(value: Any, path: str) -> Any:
    try:
        return value_at(value, path)
    except LookupError:
        return None
