"""Histories that are not what they list: messages that they take back, and messages that stand there in pieces."""

from collections.abc import Callable, Mapping, Sequence
from typing import Literal

from msgspec import Struct

from lighter.conversation import WireMessage
from lighter.formats import trait
from lighter.passage import Passage

Fate = Literal["removed", "replaced", "carried-out", "unknown"]

CARRIED_OUT = "removal"
"""The feature of losses that tell what of a removal does not arrive besides its effect."""


class Edit(Struct, frozen=True):
    """What became of a message that is not in the reduced history, and the later message that did it.

    `removed` and `replaced` are messages; `carried-out` are removals, `unknown` those that name no message before them.
    """

    wire: WireMessage
    fate: Fate
    by: WireMessage


class History(Struct, frozen=True):
    """A history with its edits carried out: the messages that are left, in order, and what became of the others.

    A message that took an earlier one's place stands there, and has its index; `sources` gives, by that index, the messages as
    they were found from which it came, the last of which it is.
    """

    left: Sequence[WireMessage]
    edits: tuple[Edit, ...] = ()
    sources: Mapping[int, tuple[WireMessage, ...]] = {}

    @property
    def undone(self) -> int:
        """How many messages were taken back, or gave their place to another."""
        return sum(edit.fate in ("removed", "replaced") for edit in self.edits)


def edits_itself(format_name: str) -> bool:
    """Say whether histories of a format may hold edits of themselves, which may concern any earlier message."""
    return trait(format_name, "history_of", otherwise=None) is not None


def history_in(passage: Passage) -> History:
    """Give the history of a passage with its edits carried out."""
    return passage.once(_history)


def _history(passage: Passage) -> History:
    read: Callable[[Sequence[WireMessage]], History] | None = trait(passage.format, "history_of", otherwise=None)
    return History(passage.messages) if read is None else read(passage.messages)


def pieces_in(passage: Passage) -> tuple[tuple[WireMessage, ...], ...]:
    """Give the pieces of streamed messages that stand among the messages of a passage, those of each message together."""
    return passage.once(_pieces)


def _pieces(passage: Passage) -> tuple[tuple[WireMessage, ...], ...]:
    read = trait(passage.format, "pieces_in", otherwise=None)
    return () if read is None else tuple(read(passage.messages))


def told(undone: int) -> str:
    """Say in words how much a history takes back; empty for nothing."""
    if not undone:
        return ""
    return f"passed over {undone} message{'s' * (undone > 1)} that the history itself takes back"
