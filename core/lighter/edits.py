"""Edits: the changes to records that repair a finding, as values that the rules make and `lighter.fixing` applies."""

from collections.abc import Iterator
from typing import Any

from msgspec import Struct

from lighter.conversation import WireMessage
from lighter.diagnostics import Applicability
from lighter.envelope import SESSION_KEYS
from lighter.records import Record


class Copied(Struct, frozen=True):
    """Stands, in a new value, for the bytes of a value that is there already."""

    record: Record
    path: str


class Put(Struct, frozen=True):
    """Write a value in the place of the one that a pointer names, or add the key; all pointers are those of the old record."""

    record: Record
    path: str
    value: Any


class Drop(Struct, frozen=True):
    """Take a key with its value, an item of a list, or (at `""`) the whole record away."""

    record: Record
    path: str


class Insert(Struct, frozen=True):
    """Put a value before or after an item of a list; at `""`, as a record of its own, on a line before or after this one."""

    record: Record
    path: str
    value: Any
    is_after: bool = False


Edit = Put | Drop | Insert


class Repair(Struct, frozen=True):
    """The edits that repair a finding, all or none of them.

    `applicability` and `message` are those of the rule when they are not given. `dropping` are the edits for who would rather
    lose what is wrong than have something made up for it: none where that cannot be, None where nothing is made up.
    """

    edits: tuple[Edit, ...]
    applicability: Applicability | None = None
    message: str = ""
    dropping: tuple[Edit, ...] | None = None


def repair(*edits: Edit) -> Repair:
    """Repair a finding as its rule says."""
    return Repair(edits)


def safe(message: str, *edits: Edit) -> Repair:
    """Repair a finding without changing what the transcript says."""
    return Repair(edits, "safe", message)


def unsafe(message: str, *edits: Edit) -> Repair:
    """Repair a finding by something that may not be what was meant."""
    return Repair(edits, "unsafe", message)


def drop_message(message: WireMessage) -> Drop:
    """Take a message away: an item of its list, or a line of its log."""
    return Drop(message.record, message.path)


def insert_message(beside: WireMessage, value: Any, *, is_after: bool) -> Insert:
    """Put a new message beside another one; in a log it says that it is of the same session."""
    if not beside.path and isinstance(value, dict) and isinstance(beside.raw, dict):
        value = {**{key: beside.raw[key] for key in SESSION_KEYS if key in beside.raw}, **value}
    return Insert(beside.record, beside.path, value, is_after)


def copied_items(record: Record, path: str, count: int) -> list[Copied]:
    """Stand for the items of a list."""
    return [Copied(record, f"{path}/{index}") for index in range(count)]


def records_in(edits: tuple[Edit, ...]) -> Iterator[Record]:
    """Give the records that edits change or copy from."""
    for edit in edits:
        yield edit.record
        if not isinstance(edit, Drop):
            yield from (copied.record for copied in copies_in(edit.value))


def copies_in(value: Any) -> Iterator[Copied]:
    """Find the parts of a new value that are there already."""
    match value:
        case Copied():
            yield value
        case dict():
            for item in value.values():
                yield from copies_in(item)
        case list() | tuple():
            for item in value:
                yield from copies_in(item)
        case _:
            pass
