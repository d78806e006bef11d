"""What a repair would bring: faults of who speaks when that are not there before it, for which it is not safe."""

from collections.abc import Callable, Container, Iterator, Sequence
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from lighter.diagnostics import Severity
from lighter.edits import Copied, Drop, Edit, Insert, Put, Repair
from lighter.passage import Passage
from lighter.rule import Finding
from lighter.rules import RuleModule
from lighter.wire import fields_of

if TYPE_CHECKING:
    from lighter.conversation import WireMessage

MOST = 16
"""Repairs of a passage that are tried each alone, where all together bring something."""


_ROLE = "/role"


class Told(Struct, frozen=True):
    """What is told of a passage: a finding, how severe it is, and whether it is one of the source's own form."""

    module: RuleModule
    finding: Finding
    severity: Severity
    is_cause: bool = False

    @property
    def is_safe(self) -> bool:
        """Whether it is repaired without being asked."""
        usual, made = self.module.rule.fix, self.finding.repair
        return usual is not None and made is not None and (made.applicability or usual.applicability) == "safe"


Judge = Callable[[Passage], Sequence[Told]]


def without_new_faults(found: Sequence[Told], passage: Passage, judge: Judge) -> Iterator[Told]:
    """Give what was found in a passage; repairs that would bring a fault of another rule are no longer safe, and say so.

    `judge` asks all rules, whichever were chosen: who asks about one is no better off with the fault of another.
    """
    safe = [one for one in found if one.is_safe]
    places = {(wire.record.row, wire.path) for wire in passage.messages} if safe else set[tuple[int, str]]()
    tried = [one for one in safe if one.finding.repair and _is_of_order(one.finding.repair, places)]
    before = {one.module.rule.name for one in judge(passage) if one.severity != "info"} if tried else set()

    def brought(*some: Told) -> list[str]:
        edits = [edit for one in some if one.finding.repair for edit in one.finding.repair.edits]
        after = judge(_edited(passage, edits))
        return sorted({one.module.rule.name for one in after if one.severity != "info" and not one.is_safe} - before)

    if not tried or not (together := brought(*tried)):
        yield from found
        return
    is_many = len(tried) > MOST
    alone = {id(one): together if is_many or len(tried) == 1 else brought(one) for one in tried}
    is_joint = not any(alone.values())
    for one in found:
        names = together if is_joint and id(one) in alone else alone.get(id(one), [])
        yield replace(one, finding=_unsafe(one.finding, names)) if names else one


def _unsafe(finding: Finding, names: Sequence[str]) -> Finding:
    made = finding.repair and replace(finding.repair, applicability="unsafe")
    left = ", ".join(f"`{name}`" for name in names)
    return replace(finding, repair=made, help=f"{finding.help}; that leaves {left}")


def _is_of_order(repair: Repair, places: Container[tuple[int, str]]) -> bool:
    """Say whether a repair does nothing but take messages away, or to other places, or give them other roles."""

    def is_of_order(edit: Edit) -> bool:
        match edit:
            case Drop():
                return (edit.record.row, edit.path) in places
            case Insert(value=Copied()):
                return (edit.record.row, edit.path) in places
            case Put():
                return edit.path.endswith(_ROLE) and (edit.record.row, edit.path.removesuffix(_ROLE)) in places
            case _:
                return False

    return all(map(is_of_order, repair.edits))


def _edited(passage: Passage, edits: Sequence[Edit]) -> Passage:
    """Give a passage with messages taken away, put elsewhere, or said by others."""
    wires = {(wire.record.row, wire.path): wire for wire in passage.messages}
    order: dict[tuple[int, str], list[WireMessage]] = {place: [wire] for place, wire in wires.items()}
    for edit in edits:
        place = (edit.record.row, edit.path)
        match edit:
            case Drop():
                order[place] = [wire for wire in order[place] if wire is not wires[place]]
            case Insert(value=Copied(record, path)):
                moved = wires[record.row, path]
                order[place] = [*order[place], moved] if edit.is_after else [moved, *order[place]]
            case Put(value=role):
                wire = wires[place[0], edit.path.removesuffix(_ROLE)]
                told = replace(wire, raw={**fields_of(wire), "role": role})
                order[place[0], wire.path] = [told if held is wire else held for held in order[place[0], wire.path]]
            case _:
                pass
    start = passage.messages[0].index
    left = [wire for held in order.values() for wire in held]
    return passage.with_messages(tuple(replace(wire, index=index) for index, wire in enumerate(left, start)))
