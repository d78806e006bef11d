"""Which repairs of a pass over a file go together: what each record will look like, and what must wait for the next pass."""

from collections.abc import Iterator
from typing import Any
from zlib import crc32

from msgspec import Struct, field

from lighter.diagnostics import Applicability, Diagnostic, Unanswered
from lighter.edits import Drop, Edit, Insert, Put, Repair, copies_in, records_in
from lighter.edits_text import Change, edited, rendered, resolved
from lighter.passage import Passage
from lighter.records import LineFault, Record
from lighter.streams import Streamed

MOST_EDITS = 50_000
"""Edits held at a time: the rest is left to the next pass, so that a file without end needs no more memory."""

Place = tuple[int, int]
"""The row and the column at which a record starts."""


class Fixing(Struct, frozen=True):
    """What the user allows: unsafe repairs, what becomes of calls without results, and to set aside what cannot be read."""

    is_unsafe: bool = False
    unanswered: Unanswered = "error"
    may_set_aside: bool = False

    def allows(self, applicability: Applicability) -> bool:
        """Say whether repairs of a kind are wanted."""
        return self.is_unsafe or applicability == "safe"


class Changed(Struct):
    """What happens to one record: `size` and `sum` identify its bytes, `lines` is how many lines they take.

    `before` and `after` are the records that will stand on lines of their own beside it.
    """

    size: int
    sum: int
    lines: int
    changes: list[Change] = field(default_factory=list)
    before: list[bytes] = field(default_factory=list)
    after: list[bytes] = field(default_factory=list)
    is_dropped: bool = False

    def applied(self, data: bytes) -> bytes:
        """Give the record's new text."""
        return edited(data, self.changes) if self.changes else data


class _Claims(Struct):
    """What is taken of a record: values that are replaced (`own`) or copied (`read`), and all that holds these.

    `holders_of_own` and `holders` keep the pointers above them, so that a look at a value's own holders is enough.
    """

    own: set[str] = field(default_factory=set)
    holders_of_own: set[str] = field(default_factory=set)
    read: set[str] = field(default_factory=set)
    holders: set[str] = field(default_factory=set)

    def are_free(self, path: str, *, is_own: bool) -> bool:
        """Say whether a value may be replaced (`is_own`), or relied upon."""
        above = [*_up(path)]
        if not self.own.isdisjoint(above):
            return False
        if not is_own:
            return path not in self.holders_of_own
        return path not in self.holders_of_own and path not in self.holders and self.read.isdisjoint(above)

    def take(self, path: str, *, is_own: bool) -> None:
        """Claim a value."""
        above = [*_up(path)]
        if is_own:
            self.own.add(path)
            self.holders_of_own.update(above[1:])
        else:
            self.read.add(path)
            self.holders.update(above)


class Plan:
    """The repairs of one pass: those of the file's bytes, or else those of its records.

    The repairs of a passage that change values come before those that change what stands where, in a pass of their own: ids
    first, then order. What touches the same value as another repair waits as well.
    """

    def __init__(self, fixing: Fixing) -> None:
        self.fixing = fixing
        self.records: dict[Place, Changed] = {}
        self.faults: dict[tuple[int, int, str], Diagnostic] = {}
        self.spread: dict[int, Diagnostic] = {}
        self.applied: list[Diagnostic] = []
        self.unfit: set[Place] = set()
        self.partial: set[Place] = set()
        self._claims: dict[Place, _Claims] = {}
        self._group: Passage | None = None
        self._waiting: list[tuple[Diagnostic, tuple[Edit, ...]]] = []
        self._count = 0

    def offer(self, diagnostic: Diagnostic, repair: Repair, passage: Passage | None) -> None:
        """Take the repair of a finding, if it is wanted."""
        if diagnostic.fix is None or not self.fixing.allows(diagnostic.fix.applicability):
            return
        if passage is not self._group or passage is None:
            self.settle()
        self._group = passage
        is_dropping = repair.dropping is not None and self.fixing.unanswered == "drop"
        self._waiting.append((diagnostic, (repair.dropping or ()) if is_dropping else repair.edits))

    def offer_fault(self, diagnostic: Diagnostic, fault: LineFault) -> None:
        """Take a fault of the file's bytes, if its repair is wanted."""
        if diagnostic.fix is None or not self.fixing.allows(diagnostic.fix.applicability):
            return
        if not fault.spread:
            self.faults[fault.row, fault.column, fault.kind] = diagnostic
        elif fault.stretch is None or fault.stretch.can_be_written:
            self.spread |= dict.fromkeys(fault.spread, diagnostic)

    def settle(self) -> None:
        """Accept what goes together of the repairs of one passage."""
        waiting, self._waiting = self._waiting, []
        possible = [(diagnostic, edits) for diagnostic, edits in waiting if self._is_possible(edits)]
        values = [item for item in possible if not _moves(item[1])]
        for diagnostic, edits in values or possible:
            if self._count < MOST_EDITS and self._are_free(edits):
                self._accept(edits)
                self.applied.append(diagnostic)

    def _is_possible(self, edits: tuple[Edit, ...]) -> bool:
        """Say whether the records concerned stand in the file as they were read, and on lines of their own where that matters."""
        places = {_place_of(record) for record in records_in(edits)}
        if not edits or not places.isdisjoint(self.unfit) or any(isinstance(r, Streamed) for r in records_in(edits)):
            return False
        return not any(not edit.path and _place_of(edit.record) in self.partial for edit in edits)

    def _are_free(self, edits: tuple[Edit, ...]) -> bool:
        return all(
            self._claims_of(record).are_free(path, is_own=is_own)
            for edit in edits
            for record, path, is_own in _claimed(edit)
        )

    def _claims_of(self, record: Record) -> _Claims:
        return self._claims.setdefault(_place_of(record), _Claims())

    def _accept(self, edits: tuple[Edit, ...]) -> None:
        for edit in edits:
            for record, path, is_own in _claimed(edit):
                self._claims_of(record).take(path, is_own=is_own)
            self._add(edit)
            self._count += 1

    def _add(self, edit: Edit) -> None:
        record = edit.record
        changed = self.records.get(_place_of(record))
        if changed is None:
            lines = record.data.count(b"\n") + (not record.data.endswith(b"\n"))
            changed = self.records[_place_of(record)] = Changed(len(record.data), crc32(record.data), lines)
        match edit:
            case Drop(path=""):
                changed.is_dropped = True
            case Drop():
                changed.changes.append(Change("drop", edit.path))
            case Put():
                changed.changes.append(Change("put", edit.path, resolved(edit.value)))
            case Insert(path=""):
                beside = changed.after if edit.is_after else changed.before
                beside.append(_line(edit.value, record))
            case Insert():
                changed.changes.append(Change("after" if edit.is_after else "before", edit.path, resolved(edit.value)))


def _line(value: Any, beside: Record) -> bytes:
    return rendered(resolved(value), beside.data).strip()


def _moves(edits: tuple[Edit, ...]) -> bool:
    """Say whether edits change what stands where, rather than values."""
    return any(
        isinstance(edit, Insert)
        or (isinstance(edit, Drop) and (not edit.path or edit.path.rpartition("/")[2].isdecimal()))
        for edit in edits
    )


def _claimed(edit: Edit) -> Iterator[tuple[Record, str, bool]]:
    """Give what an edit replaces, and what it relies upon."""
    match edit:
        case Insert():
            if edit.path:
                yield edit.record, edit.path.rpartition("/")[0], False
        case _:
            yield edit.record, edit.path, True
    for copied in copies_in(edit.value) if not isinstance(edit, Drop) else ():
        yield copied.record, copied.path, False


def _place_of(record: Record) -> Place:
    return record.row, record.column


def _up(path: str) -> Iterator[str]:
    """Give a pointer, and those to all that holds it."""
    yield path
    while path:
        path = path.rpartition("/")[0]
        yield path
