"""From what was read to what is shown: conversations are numbered, turns selected, faults noted in their place."""

from collections import deque
from collections.abc import Iterable, Iterator

from lighter.history import history_in
from lighter.messages import ToolMessage
from lighter.naming import id_of
from lighter.passage import Passage
from lighter.reading import Piece
from lighter.records import LineFault, Record
from lighter_cli.showing.facts import number_of
from lighter_cli.showing.selection import Selection, is_chosen, is_past, select
from lighter_cli.showing.style import Style
from lighter_cli.showing.turns import Turn, system_turn, turns_of

PATIENCE = 1000
"""How many notes wait for the messages before them."""


class Presentation:
    """Shows what is read, piece by piece, and counts.

    `shown` are the turns that were shown, `passages` those that were read, `faults` the lines that could not be, and `undone` is how many messages were taken back by
    the history itself. `is_live`: what
    is shown is still being written, so that no note waits.
    """

    def __init__(self, style: Style, selection: Selection, *, is_live: bool = False) -> None:
        self._is_live = is_live
        self._waiting: deque[LineFault | Record] = deque()
        self._style = style
        self.selection = selection
        self._numbers: dict[str | None, int] = {}
        self._count = 0
        self._empty_before = 0
        self._last: int | None = None
        self._headed: int | None = None
        self._begun: set[int] = set()
        self._open: dict[str | None, dict[str, str]] = {}
        self.shown = 0
        self.faults = 0
        self.passages = 0
        self.undone = 0

    def show_all(self, pieces: Iterable[Piece]) -> None:
        """Show all pieces, stopping early when no later one can be asked for."""
        for piece in pieces:
            self.show(piece)
            if self._is_done(piece):
                break
        self.catch_up()

    def show(self, piece: Piece) -> None:
        """Show a passage; note what is no message as soon as the messages before it are shown.

        A passage of a log comes when it is over, hence later than the broken lines inside it.
        """
        if isinstance(piece, Passage):
            self._show(piece)
            return
        self.faults += isinstance(piece, LineFault) and piece.is_unreadable
        self._waiting.append(piece)
        if self._is_live or len(self._waiting) > PATIENCE:
            self.catch_up()

    def catch_up(self, row: int | None = None) -> None:
        """Note what waits, as far as it stands before a row."""
        while self._waiting and (row is None or self._waiting[0].row < row):
            match self._waiting.popleft():
                case Record() as record if self.selection == Selection():
                    self._style.stray(record)
                case LineFault(is_unreadable=True) as fault:
                    self._style.fault(fault)
                case _:
                    pass

    def _show(self, piece: Passage) -> None:
        if not piece.messages and system_turn(piece) is None:
            self._empty_before += 1
            return
        self.passages += 1
        self.undone += history_in(piece).undone
        number = self._number(piece)
        if not is_chosen(self.selection, number, id_of(piece)):
            return
        for turn in self._turns(piece):
            chosen = select(self.selection, turn)
            if chosen is not None:
                self.catch_up(turn.entry.wire.record.row)
                self._head(piece, number)
                self._style.turn(chosen)
                self.shown += 1

    def _is_done(self, piece: Piece) -> bool:
        """Say whether nothing after this piece can be asked for: the one conversation is over, or past the last turn."""
        if not isinstance(piece, Passage) or self.selection.conversation is None:
            return False
        if self.selection.conversation != str(self._last):
            return False
        return piece.is_last or is_past(self.selection, number_of(piece.entries[-1]) + 1) if piece.entries else False

    def _number(self, passage: Passage) -> int:
        """Give a conversation its number, from 1.

        An empty one counts where each stands in a record, not among the lines of a log.
        """
        key = passage.conversation
        known = None if _is_whole(passage) or (key is None and passage.is_first) else self._numbers.get(key)
        if known is None:
            self._count += 1 + (self._empty_before if _is_whole(passage) else 0)
            known = self._count
            if not _is_whole(passage):
                self._numbers[key] = known
        self._empty_before = 0
        self._last = known
        return known

    def _turns(self, passage: Passage) -> Iterator[Turn]:
        """Give the turns of a passage, and remember which of its calls are still without a result."""
        if passage.is_first and (turn := system_turn(passage)) is not None:
            yield turn
        if passage.is_first and not _is_whole(passage):
            self._open[passage.conversation] = {}
        earlier = {} if _is_whole(passage) else self._open.setdefault(passage.conversation, {})
        for turn in turns_of(passage, earlier):
            yield turn
            if isinstance(turn.entry.message, ToolMessage):
                earlier.pop(turn.entry.message.call_id, None)
            earlier.update((call.call.call_id, call.call.tool_name) for call in turn.calls if call.state != "answered")

    def _head(self, passage: Passage, number: int) -> None:
        if self._headed != number:
            self._style.heading(passage, number, is_again=number in self._begun)
            self._headed = number
            self._begun.add(number)


def _is_whole(passage: Passage) -> bool:
    """Say whether a passage is a conversation that stands in one record, and no part of a log."""
    return passage.body is not None
