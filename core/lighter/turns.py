"""Turns: which messages make one, how long it stays open for results, and what came in it so far."""

from collections import Counter, deque
from collections.abc import Collection, Sequence

from lighter.conversation import WireMessage
from lighter.formats import trait
from lighter.pairs import CallAt, Orphan, ResultAt
from lighter.wires import results_stand_together

WINDOW = 64
"""How many messages after its turn, or another result of that, a call may still be answered; the provider wants it at once, logs are late."""


class Slot:
    """A call of an open turn, and its answer; one that is answered in a place of its own fault is excused."""

    def __init__(self, call: CallAt) -> None:
        self.call = call
        self.result: ResultAt | None = None
        self.is_excused = False

    @property
    def is_free(self) -> bool:
        """Whether it may be given a result."""
        return self.result is None and not self.is_excused


class Turn:
    """An assistant's turn with calls that may still be answered.

    `others` are the messages after it that are no results, `loose` results that name no call of any open turn. `blanks` is
    how many of its calls are too broken to be told apart (another rule reports them), whose results are nobody's orphans.
    `latest` is the index of its latest result, `spoken_on` that of the last message of the same turn that calls nothing.
    What is asked for each of thousands of results is kept by ids and names.
    """

    def __init__(self, index: int, blanks: int, early: set[str]) -> None:
        self.index = index
        self.latest = index
        self.blanks = blanks
        self.early = early
        self.spoken_on = 0
        self.slots: list[Slot] = []
        self.others: list[WireMessage] = []
        self.loose: list[Orphan] = []
        self._waiting: dict[int, Slot] = {}
        self._by_id: dict[str, list[Slot]] = {}
        self._free: dict[tuple[str, str | None], deque[Slot]] = {}
        self._answered: set[str] = set()
        self._calls: Counter[str] = Counter()
        self._results: Counter[str] = Counter()

    def add(self, slot: Slot) -> None:
        """Add a call."""
        self.slots.append(slot)
        self._waiting[id(slot)] = slot
        self._calls[slot.call.tool_name] += 1
        if call_id := slot.call.call_id:
            self._by_id.setdefault(call_id, []).append(slot)
            for name in (slot.call.tool_name, None):
                self._free.setdefault((call_id, name), deque()).append(slot)
        if slot.is_excused or call_id in self._answered:
            self._settle(slot)

    def fill(self, slot: Slot, result: ResultAt) -> None:
        """Give a call its result."""
        slot.result = result
        self.latest = max(self.latest, result.wire.index)
        self._settle(slot)

    def excuse(self, slot: Slot) -> None:
        """Let a call be without a result."""
        slot.is_excused = True
        self._settle(slot)

    def _settle(self, slot: Slot) -> None:
        """Wait no longer for the result of a call; of several with one id none waits when one is answered."""
        call_id = slot.call.call_id
        twins = self._by_id[call_id] if call_id and call_id not in self._answered else [slot]
        self._answered |= {call_id} - {""}
        for twin in twins:
            if self._waiting.pop(id(twin), None):
                self._calls[twin.call.tool_name] -= 1

    def named(self, call_id: str) -> Sequence[Slot]:
        """Give the calls of one id."""
        return self._by_id.get(call_id, ())

    def free(self, call_id: str, name: str | None) -> Slot | None:
        """Give the first call of an id that is free, of those of a name if there are such."""
        for key in ((call_id, name), (call_id, None)):
            slots = self._free.get(key, ())
            while slots:
                slot = slots.popleft()
                if slot.is_free:
                    return slot
        return None

    def is_waiting(self, slot: Slot) -> bool:
        """Say whether a call is without a result."""
        return id(slot) in self._waiting

    def waiting(self) -> Collection[Slot]:
        """Give the calls without a result."""
        return self._waiting.values()

    def keep(self, orphan: Orphan) -> None:
        """Set a result aside."""
        self.loose.append(orphan)
        self.latest = max(self.latest, orphan.result.wire.index)
        self._results[orphan.result.tool_name] += 1

    def lacks(self, name: str) -> bool:
        """Say whether it waits for more results of a name than were set aside."""
        return self._calls[name] > self._results[name]

    def calls(self, name: str) -> bool:
        """Say whether it waits for a result of a name at all."""
        return self._calls[name] > 0


def joins_turns(format_name: str) -> bool:
    """Say whether the calls of consecutive messages of the assistant are those of one turn."""
    return bool(trait(format_name, "JOINS_TURNS", otherwise=False)) or results_stand_together(format_name)


def continues_turn(before: WireMessage, wire: WireMessage, turn: Turn) -> bool:
    """Say whether an assistant's message directly follows the one before, in a turn that has no result yet."""
    role = before.raw.get("role") if isinstance(before.raw, dict) else None
    is_assistant = role in ("assistant", "model") or (
        role is None and isinstance(before.raw, dict) and "type" in before.raw
    )
    return (
        is_assistant and before.index in (wire.index - 1, wire.index) and not turn.others and turn.index <= before.index
    )
