"""What is lost of an object key by key, told once where nothing of it arrives: the metadata of an answer, say."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from lighter.conversation import Conversation
from lighter.jsontext import step, value_at
from lighter.losses import Loss

_EMPTY: tuple[Any, ...] = (None, {}, [], "")

_FEWEST = 2
"""From how many lost keys on one loss of the whole object says it shorter."""

_MOST = 8
"""How many keys a loss names."""

_Owner = tuple[int, str]
"""A row and the pointer to an object in its record."""


def grouped(conversation: Conversation, losses: Sequence[Loss], key: str) -> tuple[Loss, ...]:
    """Let one loss name each object under a key of which every value was dropped, instead of one for each value."""
    within: dict[_Owner, list[Loss]] = {}
    for loss in losses:
        if (owner := _owner(loss, key)) is not None:
            within.setdefault(owner, []).append(loss)
    records = {record.row: record.value for record in conversation.records}
    named = {owner: keys for owner, found in within.items() if (keys := _lost(records, owner, found)) is not None}
    return tuple(_told(losses, named, key)) if named else tuple(losses)


def _owner(loss: Loss, key: str) -> _Owner | None:
    """Tell in which object under a key a loss lies."""
    before, found, _ = loss.path.partition(f"/{key}/")
    return (loss.row, f"{before}/{key}") if found else None


def _lost(records: Mapping[int, Any], owner: _Owner, within: Sequence[Loss]) -> list[str] | None:
    """List the keys of an object whose values were all dropped; None where something of it arrives."""
    row, path = owner
    try:
        value: Any = value_at(records[row], path)
    except LookupError:
        return None
    if not isinstance(value, dict) or any(loss.action != "dropped" for loss in within):
        return None
    dropped = {loss.path for loss in within}
    keys = [key for key in value if path + step(key) in dropped]
    is_all = len(keys) == len(value) or all(held in _EMPTY for key, held in value.items() if key not in keys)
    return keys if is_all and len(keys) >= _FEWEST else None


def _told(losses: Sequence[Loss], named: dict[_Owner, list[str]], key: str) -> Iterator[Loss]:
    told: set[_Owner] = set()
    for loss in losses:
        owner = _owner(loss, key)
        if owner is None or owner not in named:
            yield loss
        elif owner not in told:
            told.add(owner)
            keys = named[owner]
            listed = ", ".join(keys[:_MOST]) + (" …" if len(keys) > _MOST else "")
            detail = f"a request does not tell what an answer told beside its content: {listed}"
            yield Loss(*owner, key.replace("_", "-"), "dropped", detail)
