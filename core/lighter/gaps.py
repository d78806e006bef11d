"""Lines of a log that could not be read: which calls and results may have their other ends there.

Such a line stands for a message of unknown content. Its own fault is told where it stands, and what is missing because of it is
no second fault. It hides only what could have stood in it: the result of a call that was still waiting, or the call of a
result that comes right after it.
"""

from collections.abc import Sequence

from lighter.conversation import WireMessage
from lighter.messages import AssistantMessage
from lighter.pairs import CallAt, ResultAt
from lighter.passage import Entry, Passage
from lighter.turns import WINDOW


def places_of_gaps(passage: Passage) -> tuple[int, ...]:
    """Give the indices of the messages before which stands what nobody can read: a broken line, or a message that is no object."""
    if passage.source is not None:
        return ()  # it was worked out in the source (`Passage.halves`)
    odd = tuple(wire.index + 1 for wire in passage.messages if not isinstance(wire.raw, dict))
    return (*passage.gaps, *odd) if odd else passage.gaps


class Gaps:
    """The unreadable lines of a passage, by the index of the message after each, and the last one passed by.

    `is_loose`: calls and results need not stand side by side. `joins`: an assistant's message may go on with the turn before it.
    """

    def __init__(self, places: Sequence[int], *, is_loose: bool, joins: bool) -> None:
        self.places = places
        self.is_loose = is_loose
        self.joins = joins
        self.ahead = sorted(places, reverse=True)
        self.last: int | None = None

    def pass_by(self, entry: Entry, *, is_answer: bool) -> None:
        """Go on to a message; one that is no result ends what an unreadable line before it may explain."""
        if not self.places:
            return
        index = entry.wire.index
        is_next = False
        while self.ahead and self.ahead[-1] <= index:
            self.last = self.ahead.pop()
            is_next = True
        goes_on = self.joins and is_next and isinstance(entry.message, AssistantMessage)
        if not (is_answer or self.is_loose or goes_on):
            self.last = None

    def may_hold_call(self, result: ResultAt) -> bool:
        """Say whether the call of a result may have stood in an unreadable line."""
        return self.last is not None and result.wire.index - self.last < WINDOW

    def may_hold_result(self, call: CallAt, intruders: Sequence[WireMessage]) -> bool:
        """Say whether the result of an open call may stand in an unreadable line that came before any other message."""
        end = call.wire.index + WINDOW
        if intruders and not self.is_loose:
            end = min(end, intruders[0].index)
        return any(call.wire.index < place <= end for place in self.places)
