"""Turns: which messages make one, how long it stays open for results, and what came in it so far."""

from lighter.conversation import WireMessage
from lighter.formats import trait
from lighter.pairs import CallAt, Orphan, ResultAt
from lighter.wires import results_stand_together

WINDOW = 64
"""How many messages after its turn a call may still be answered; the provider wants the result at once, logs are late."""


class Slot:
    """A call of an open turn, and its answer."""

    def __init__(self, call: CallAt) -> None:
        self.call = call
        self.result: ResultAt | None = None
        self.is_excused = False


class Turn:
    """An assistant's turn with calls that may still be answered.

    `others` are the messages after it that are no results, `loose` results that name no call of any open turn. `blanks` is
    how many of its calls are too broken to be told apart (another rule reports them), whose results are nobody's orphans.
    `spoken_on` is the index of the last message of the same turn that calls nothing.
    """

    def __init__(self, index: int, blanks: int, early: set[str]) -> None:
        self.index = index
        self.blanks = blanks
        self.early = early
        self.spoken_on = 0
        self.slots: list[Slot] = []
        self.others: list[WireMessage] = []
        self.loose: list[Orphan] = []

    def named(self, call_id: str) -> list[Slot]:
        """Give the calls of one id."""
        return [slot for slot in self.slots if slot.call.call_id == call_id]

    def waiting(self) -> list[Slot]:
        """Give the calls without a result; of several with one id none waits when one is answered."""
        answered = {slot.call.call_id for slot in self.slots if slot.result or slot.is_excused} - {""}
        return [s for s in self.slots if not s.result and not s.is_excused and s.call.call_id not in answered]


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
