"""Which findings can be repaired where they stand: a repair is as safe as what must be repaired before it, or with it."""

from collections.abc import Iterable

from msgspec.structs import replace

from lighter.diagnostics import Applicability, Diagnostic, Fix
from lighter.edits import Repair, records_in
from lighter.records import LineFault

_OF_FILE = ("json-array-file", "empty-file")
"""Faults of a file as a whole, which keep nothing in it from being repaired."""

_WITHIN = ("lone-surrogate", "nonfinite-number", "deep-nesting")
"""Faults of values: the record stands in the file as it was read, and can be edited."""

_RANK: dict[Applicability | None, int] = {"safe": 0, "unsafe": 1, None: 2}


class Fixable:
    """What the findings of a file say of their repair, and what stands in the way of that.

    What is wrong with the bytes of a line is repaired at once or not at all, and its records only after that. `may_set_aside`:
    there is a place for what cannot be read.
    """

    def __init__(self, *, may_set_aside: bool) -> None:
        self._may_set_aside = may_set_aside
        self._of_lines: dict[int, Applicability | None] = {}
        self._of_records: dict[int, Applicability | None] = {}
        self._needed: dict[int, tuple[dict[int, Applicability | None], tuple[int, ...]]] = {}

    def fault(self, fault: LineFault, fix: Fix | None, diagnostic: Diagnostic | None) -> None:
        """Note what is wrong with the bytes of a line, and how that is repaired; None for what is not told."""
        if fault.kind in _OF_FILE:
            return
        can_be = fix is not None and diagnostic is not None and self._can_be_written(fault)
        own = fix.applicability if fix is not None and can_be else None
        self._of_lines[fault.row] = _worse(own, self._of_lines.get(fault.row, "safe"))
        if fault.kind not in _WITHIN:
            self._of_records[fault.row] = _worse(own, self._of_records.get(fault.row, "safe"))
        if diagnostic is not None:
            self._needed[id(diagnostic)] = (self._of_lines, (fault.row,))

    def finding(self, diagnostic: Diagnostic, repair: Repair) -> None:
        """Note which records the repair of a finding needs."""
        self._needed[id(diagnostic)] = (self._of_records, tuple({record.row for record in records_in(repair.edits)}))

    def settled(self, found: Iterable[Diagnostic], *, is_readable: bool) -> list[Diagnostic]:
        """Give the findings with what can be said of their repair; nothing would be left of a file that nothing is read of."""
        return [self._settled(diagnostic) for diagnostic in found] if is_readable else unfixable(found)

    def _settled(self, diagnostic: Diagnostic) -> Diagnostic:
        if not self._of_lines or diagnostic.fix is None or id(diagnostic) not in self._needed:
            return diagnostic
        worst: Applicability | None = diagnostic.fix.applicability
        known, rows = self._needed[id(diagnostic)]
        for row in rows:
            worst = _worse(worst, known.get(row, "safe"))
        if worst == diagnostic.fix.applicability:
            return diagnostic
        return replace(diagnostic, fix=Fix(worst, diagnostic.fix.message) if worst else None)

    def _can_be_written(self, fault: LineFault) -> bool:
        """Say whether the line can be written anew without a loss: its bytes are kept, and it is none of a stream of events."""
        is_lossy = fault.is_unreadable or fault.kind == "invalid-json"
        return (self._may_set_aside or not is_lossy) and not fault.is_event


def _worse(one: Applicability | None, other: Applicability | None) -> Applicability | None:
    return max(one, other, key=_RANK.__getitem__)


def unfixable(found: Iterable[Diagnostic]) -> list[Diagnostic]:
    """Give findings of a file in which nothing can be repaired."""
    return [replace(diagnostic, fix=None) if diagnostic.fix else diagnostic for diagnostic in found]
