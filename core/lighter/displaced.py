"""What stands at another place of its list, since something before it was left out or moved away."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from operator import itemgetter
from typing import Any

from lighter.conversation import Conversation, origins_of
from lighter.formats import trait
from lighter.jsontext import value_at
from lighter.losses import Loss
from lighter.messages import AssistantMessage, ReasoningBlock, blocks_of
from lighter.records import Record

_DETAIL = "its place does not tell it from its neighbours, since something before it was left out or moved"
_ALONE = "it is all that is left of its list, and may stand as the text itself"
_THOUGHT = "without its signature, or its id, its provider does not take it back as reasoning"

_LONGEST = 10
"""Digits of an index, at most; a longer number is a key."""

_Entry = tuple[int, str, int]
"""An entry of a list: its record's row, the pointer to the list, and its index."""


def displaced(conversation: Conversation, losses: Sequence[Loss]) -> tuple[Loss, ...]:
    """Name the entries of lists that neither arrive unchanged nor can be found by their place.

    An entry that arrives as it was is found by its value. One that changed is found by its place, unless another one of the
    list, with nothing unchanged between them, was dropped or moved: then it is moved itself.
    """
    if not losses:
        return ()
    thoughts = tuple(_thoughts(conversation, losses))
    dropped = {entry for loss in losses if loss.action == "dropped" for entry in _last(loss)}
    gone = {entry for loss in (*losses, *thoughts) if loss.action in ("dropped", "moved") for entry in _last(loss)}
    if not gone:
        return ()
    records = {record.row: record for record in conversation.records}
    lists = {entry[:2]: listed for entry in gone if (listed := _list_at(records, *entry[:2])) is not None}
    changed = {entry for loss in losses for entry in _entries(loss) if entry[:2] in lists}
    found: set[_Entry] = set()
    for row, path, index in gone:
        entry = (row, path, index + 1)
        while entry in changed and entry not in found:
            if entry not in gone:
                found.add(entry)
            entry = (row, path, entry[2] + 1)
    places = (Loss(row, f"{path}/{index}", "place", "moved", _DETAIL) for row, path, index in sorted(found))
    return (*thoughts, *places, *_left_alone(lists, dropped, found))


def _entries(loss: Loss) -> Iterator[_Entry]:
    """List the entries of lists at or above a loss, outermost first."""
    path = ""
    for key in loss.path.split("/")[1:]:
        if _is_index(key):
            yield loss.row, path, int(key)
        path += f"/{key}"


def _last(loss: Loss) -> Iterator[_Entry]:
    """Give the entry of a list that a loss names."""
    path, _, key = loss.path.rpartition("/")
    if _is_index(key):
        yield loss.row, path, int(key)


def _is_index(key: str) -> bool:
    return len(key) < _LONGEST and key.isascii() and key.isdecimal()


def _list_at(records: Mapping[int, Record], row: int, path: str) -> list[Any] | None:
    try:
        value = value_at(records[row].value, path)
    except LookupError:
        return None
    return value if isinstance(value, list) else None


def _left_alone(
    lists: Mapping[tuple[int, str], list[Any]], dropped: Collection[_Entry], found: Collection[_Entry]
) -> Iterator[Loss]:
    """Name texts that are all that is left of a list of parts, since such a list and a text are one thing to many forms."""
    for (row, path), listed in sorted(lists.items(), key=itemgetter(0)):
        left = [index for index in range(len(listed)) if (row, path, index) not in dropped]
        if len(left) == 1 and (row, path, left[0]) not in found and _is_text(listed[left[0]]):
            yield Loss(row, f"{path}/{left[0]}", "place", "moved", _ALONE)


def _is_text(part: Any) -> bool:
    return isinstance(part, dict) and isinstance(part.get("text"), str)


def _thoughts(conversation: Conversation, losses: Iterable[Loss]) -> Iterator[Loss]:
    """Name reasoning that arrives without its signature, or as no item of its own any more where it was one."""
    are_items = trait(conversation.format, "HAS_ITEMS", otherwise=False)
    dropped = {(loss.row, loss.path) for loss in losses if loss.action == "dropped"}
    named = _named_entries(losses)
    for message, origin in zip(conversation.messages, origins_of(conversation), strict=True):
        if not isinstance(message, AssistantMessage):
            continue
        for block, place in zip(blocks_of(message), origin.blocks, strict=False):
            actions = named.get((origin.row, place.path), ())
            if not isinstance(block, ReasoningBlock) or not actions or "whole" in actions:
                continue
            if are_items or (block.opaque and (origin.row, place.at("opaque")) in dropped):
                yield Loss(origin.row, place.path, "reasoning", "moved", _THOUGHT)


def _named_entries(losses: Iterable[Loss]) -> Mapping[tuple[int, str], set[str]]:
    """Tell which entries have losses below them, and for which there is one that names them whole."""
    found: dict[tuple[int, str], set[str]] = {}
    for loss in losses:
        for row, path, index in _entries(loss):
            place = f"{path}/{index}"
            found.setdefault((row, place), set()).add("whole" if place == loss.path else "below")
    return found
