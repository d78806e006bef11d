"""Edits in a history of LangGraph: messages that a `RemoveMessage` takes back, and messages that take an earlier one's place.

Reduced as `add_messages` of langgraph 1.2.24 reduces a list that is added to an empty state; but it is said which message was
taken back by what, and a removal of a message that is not there, which raises an error there, is told and passed over.
"""

from collections.abc import Iterator, Sequence
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from lighter.conversation import WireMessage
from lighter.formats._langchain import KINDS, is_empty, unwrap
from lighter.history import CARRIED_OUT, Edit, Fate, History
from lighter.jsontext import step
from lighter.losses import Loss

REMOVE_ALL = "__remove_all__"
"""The id by which a removal takes back all that stands before it."""


class _Key(Struct, frozen=True):
    """By what a message is found: its id; whether it is a removal, or a piece of a streamed message."""

    id: str | None
    is_removal: bool = False
    is_chunk: bool = False


_NOBODY = _Key(None)


def history_of(messages: Sequence[WireMessage]) -> History:
    """Carry out the edits in a history."""
    keys = [_key_of(wire.raw) for wire in messages]
    ids = [key.id for key in keys if key.id is not None]
    if len(ids) == len(set(ids)) and not any(key.is_removal for key in keys):
        return History(messages)
    last = next((n for n in reversed(range(len(keys))) if keys[n].is_removal and keys[n].id == REMOVE_ALL), None)
    start = 0 if last is None else last + 1
    edits: list[Edit] = []
    if last is not None:
        by = messages[last]
        edits += (
            Edit(wire, "carried-out" if key.is_removal else "removed", by)
            for wire, key in zip(messages[:start], keys, strict=False)
        )
    slots, more = _merged(messages[start:], keys[start:])
    left = [replace(found[-1], index=found[0].index) if len(found) > 1 else found[0] for found in slots]
    sources = {found[0].index: tuple(found) for found in slots if len(found) > 1}
    return History(left, tuple(sorted((*edits, *more), key=lambda edit: edit.wire.index)), sources)


def _merged(messages: Sequence[WireMessage], keys: Sequence[_Key]) -> tuple[list[list[WireMessage]], list[Edit]]:
    """Carry out removals and replacements, one after the other; gives for each message that is left what it came from.

    A removal counts unless the message comes again. Pieces of one message have its id and are no edits of each other; the whole
    message takes the place of all of them.
    """
    slots: dict[int, list[WireMessage]] = {}
    slots_of: dict[str, list[int]] = {}
    pending: dict[str, WireMessage] = {}
    in_pieces: set[str] = set()
    edits: list[Edit] = []
    for number, (wire, key) in enumerate(zip(messages, keys, strict=True)):
        if key.id is None and not key.is_removal:
            slots[number] = [wire]
            continue
        own = key.id or ""
        earlier = slots_of.get(own, [])
        if key.is_removal:
            edits.append(Edit(wire, "carried-out" if earlier else "unknown", wire))
            pending |= {own: wire} if earlier else {}
        elif key.is_chunk and (not earlier or own in in_pieces):
            in_pieces.add(own)
            slots[number] = [wire]
            slots_of[own] = [*earlier, number]
        else:
            in_pieces.discard(own)
            pending.pop(own, None)
            edits += (Edit(slots[at][-1], "replaced", wire) for at in earlier)
            before = [source for at in earlier for source in slots.pop(at)]
            place = earlier[0] if earlier else number
            slots[place] = [*before, wire]
            slots_of[own] = [place]
    for own, by in pending.items():
        edits += (Edit(slots.pop(at)[-1], "removed", by) for at in slots_of[own])
    return [slots[place] for place in sorted(slots)], edits


def losses_of(history: History) -> Iterator[Loss]:
    """Tell as losses what of a history is not carried on when it is written anew.

    What a removal names is gone, so that its id has its effect; whatever else it holds is lost.
    """
    for edit in history.edits:
        row, path = edit.wire.record.row, edit.wire.path
        if edit.fate == "carried-out":
            for place in _beside_its_id(edit.wire.raw):
                yield Loss(
                    row, path + place, CARRIED_OUT, "dropped", "the removal is carried out; nothing else of it arrives"
                )
        else:
            feature, detail = _LOSSES[edit.fate]
            yield Loss(row, path, feature, "dropped", detail)


def _beside_its_id(removal: Any) -> Iterator[str]:
    """Point at what a removal holds besides its id, and what makes it one."""
    unwrapped = unwrap(removal)
    if unwrapped is None:
        return
    for key, value in unwrapped.fields.items():
        if key not in ("id", "type", "role") and not is_empty(value):
            yield unwrapped.prefix + step(key)
    for key, value in unwrapped.outer.items():
        if key != "id" and value != {"lc": 1, "type": "constructor"}.get(key):
            yield step(key)


_LOSSES: dict[Fate, tuple[str, str]] = {
    "removed": ("removed-message", "the history takes it back (RemoveMessage)"),
    "replaced": ("replaced-message", "a later message with its id takes its place"),
    "unknown": ("remove-message", "it names no message before it"),
}


def _key_of(raw: Any) -> _Key:
    """Tell the id and the kind of a message of any form."""
    match raw:
        case {"lc": _, "id": [*_, str(named)], "kwargs": dict(fields)}:
            pass
        case {"type": str(named), "data": dict(fields)} if "content" not in raw:
            pass
        case ({"type": str(named)} | {"role": str(named)}) as fields:
            pass
        case _:
            return _NOBODY
    own = fields.get("id")
    told = str(own) if isinstance(own, int) and not isinstance(own, bool) else own
    # A chunk of JavaScript is of type `ai` outside of envelopes; its fields alone tell that it is one.
    is_chunk = named.endswith("Chunk") or (KINDS.get(named) == "ai" and "tool_call_chunks" in fields)
    return _Key(told if isinstance(told, str) else None, KINDS.get(named) == "remove", is_chunk)
