"""Results that name no call of a turn, paired with the calls that wait there: by the name of the function, else in their order."""

from collections import deque
from collections.abc import Iterator

from lighter.pairs import Orphan
from lighter.turns import Slot, Turn

_Key = tuple[str | None, bool]
"""The name of the function of some calls (None for all), and whether they are those without an id alone."""


def left_by_position(turn: Turn, *, may_lack_ids: bool) -> list[Orphan]:
    """Give each result to the first open call that it may answer, and return those that there is none for.

    One of another name is none of this call's, unless it stands in the very place where names alone pair the two.
    """
    if not turn.loose:
        return []
    by_key: dict[_Key, deque[Slot]] = {}
    for slot in turn.waiting():
        for key in _keys_of(slot):
            by_key.setdefault(key, deque()).append(slot)
    loose = turn.loose
    for by_name in (True, False):
        loose = [orphan for orphan in loose if not _is_filled(turn, orphan, by_key, may_lack_ids, by_name=by_name)]
    return loose


def _keys_of(slot: Slot) -> Iterator[_Key]:
    for name in (slot.call.tool_name, None):
        yield name, False
        if not slot.call.call_id:
            yield name, True


def _is_filled(
    turn: Turn, orphan: Orphan, by_key: dict[_Key, deque[Slot]], may_lack_ids: bool, *, by_name: bool
) -> bool:
    """Give a result to a call that still waits; say whether there is one."""
    result = orphan.result
    is_any = not by_name and (not result.tool_name or (may_lack_ids and orphan.is_next))
    # Who knows no name of a call knows nothing that speaks against it.
    name = None if is_any else result.tool_name if by_name else ""
    slots = by_key.get((name, bool(result.call_id) and not may_lack_ids), ())
    while slots:
        slot = slots.popleft()
        if turn.is_waiting(slot):
            turn.fill(slot, result)
            return True
    return False
