"""Which findings can be repaired where they stand: a repair is as safe as what must be repaired before it, or with it."""

from collections.abc import Iterable

from msgspec import Struct
from msgspec.structs import replace

from lighter.diagnostics import Applicability, Diagnostic, Fix
from lighter.edits import Repair, records_in
from lighter.records import LineFault, Placed, Stretch
from lighter.rules import find

_OF_FILE = ("json-array-file", "empty-file")
"""Faults of a file as a whole, which keep nothing in it from being repaired."""

_RANK: dict[Applicability | None, int] = {"safe": 0, "unsafe": 1, None: 2}


Place = tuple[int, int]
"""The row and the column at which a record starts."""


class _Needs(Struct, frozen=True):
    """What a repair takes: that a stretch is written anew, which starts at a row, or that records can be edited.

    With each of these stands whether all of it is taken away or another put beside it. `is_possible`: there is a repair at all.
    """

    row: int | None = None
    places: tuple[tuple[Place, bool], ...] = ()
    is_possible: bool = True


class Fixable:
    """What the findings of a file say of their repair, and what stands in the way of that.

    What is wrong with the bytes of some lines is repaired at once or not at all. A record on them can be edited only after that,
    unless it stands there as it was read. `may_set_aside`: there is a place for what cannot be read.
    """

    def __init__(self, *, may_set_aside: bool) -> None:
        self._may_set_aside = may_set_aside
        self._of_file: Applicability | None = "safe"
        self._of_stretches: dict[int, Applicability | None] = {}
        self._placed: dict[Place, tuple[Placed, int]] = {}
        self._needed: dict[int, _Needs] = {}

    def fault(self, fault: LineFault, fix: Fix | None, diagnostic: Diagnostic | None) -> None:
        """Note what is wrong with the bytes of a line, and how that is repaired; None for what is not told."""
        if fault.kind in _OF_FILE:
            return
        own = fix.applicability if fix is not None and diagnostic is not None else None
        stretch = fault.stretch
        needs = _Needs(None if stretch is None else stretch.row)
        if stretch is not None and not (fault.spread and stretch.can_be_written):
            self._note(stretch, own)
        elif fault.kind == "invalid-utf8":
            self._of_file = own
        elif not fault.spread:
            needs = _Needs(is_possible=False)
        if diagnostic is not None:
            self._needed[id(diagnostic)] = needs

    def _note(self, stretch: Stretch, own: Applicability | None) -> None:
        if stretch.row not in self._of_stretches:
            self._of_stretches[stretch.row] = applicability_of(stretch, may_set_aside=self._may_set_aside)
            for placed in stretch.records:
                self._placed[placed.record.row, placed.record.column] = placed, stretch.row
        self._of_stretches[stretch.row] = _worse(own, self._of_stretches[stretch.row])

    def finding(self, diagnostic: Diagnostic, repair: Repair) -> None:
        """Note which records the repair of a finding needs."""
        moved = {(edit.record.row, edit.record.column) for edit in repair.edits if not edit.path}
        places = {(record.row, record.column) for record in records_in(repair.edits)}
        self._needed[id(diagnostic)] = _Needs(places=tuple((place, place in moved) for place in places))

    def settled(self, found: Iterable[Diagnostic], *, is_readable: bool) -> list[Diagnostic]:
        """Give the findings with what can be said of their repair; nothing would be left of a file that nothing is read of."""
        return [self._settled(diagnostic) for diagnostic in found] if is_readable else unfixable(found)

    def _settled(self, diagnostic: Diagnostic) -> Diagnostic:
        if diagnostic.fix is None:
            return diagnostic
        needs = self._needed.get(id(diagnostic), _Needs())
        worst = _worse(diagnostic.fix.applicability, self._of_file if needs.is_possible else None)
        if needs.row is not None:
            worst = _worse(worst, self._of_stretches.get(needs.row))
        for place, is_moved in needs.places:
            worst = _worse(worst, self._of_record(place, is_moved=is_moved))
        if worst == diagnostic.fix.applicability:
            return diagnostic
        return replace(diagnostic, fix=Fix(worst, diagnostic.fix.message) if worst else None)

    def _of_record(self, place: Place, *, is_moved: bool) -> Applicability | None:
        """Say how safe it is to edit a record, or to put it elsewhere."""
        placed, row = self._placed.get(place, (None, 0))
        if placed is None:
            is_behind_field = place[1] > 1  # of an event
            return None if is_moved and is_behind_field else "safe"
        if placed.is_as_read and (placed.is_whole or not is_moved):
            return "safe"
        return self._of_stretches[row]


def applicability_of(stretch: Stretch, *, may_set_aside: bool) -> Applicability | None:
    """Say how safe it is to write a stretch anew, whatever is told of it: a fault that is not told may be behind what is lost."""
    if not stretch.can_be_written or (stretch.rest and not may_set_aside):
        return None
    worst: Applicability | None = "safe"
    for name in stretch.hidden if stretch.rest else ():
        fix = find(name).rule.fix
        worst = _worse(worst, fix.applicability if fix is not None else None)
    return worst


def _worse(one: Applicability | None, other: Applicability | None) -> Applicability | None:
    return max(one, other, key=_RANK.__getitem__)


def unfixable(found: Iterable[Diagnostic]) -> list[Diagnostic]:
    """Give findings of a file in which nothing can be repaired."""
    return [replace(diagnostic, fix=None) if diagnostic.fix else diagnostic for diagnostic in found]
