"""From what was read to what is shown: conversations are numbered, turns selected, faults noted in their place."""

from collections.abc import Iterable, Iterator

from lighter.messages import ToolMessage
from lighter.passage import Passage
from lighter.records import LineFault, Record
from lighter_cli.showing.facts import number_of
from lighter_cli.showing.selection import Selection, is_chosen, is_past, select
from lighter_cli.showing.style import Style
from lighter_cli.showing.turns import Turn, system_turn, turns_of

Piece = Passage | LineFault | Record


class Presentation:
    """Shows what is read, piece by piece, and knows what it has shown."""

    def __init__(self, style: Style, selection: Selection) -> None:
        self._style = style
        self._selection = selection
        self._numbers: dict[str | None, int] = {}
        self._count = 0
        self._headed: object = None
        self._begun: set[int] = set()
        self._open: dict[str | None, dict[str, str]] = {}
        self.shown = 0
        self.faults = 0
        self.passages = 0

    def show_all(self, pieces: Iterable[Piece]) -> None:
        """Show all pieces, stopping early when no later one can be asked for."""
        for piece in pieces:
            self.show(piece)
            if self.is_done(piece):
                break

    def show(self, piece: Piece) -> None:
        """Show a passage or note a line that could not be read."""
        if isinstance(piece, Passage):
            self._show(piece)
        elif isinstance(piece, Record):
            if self._selection == Selection():
                self._style.stray(piece)
        elif piece.is_unreadable:
            self.faults += 1
            self._style.fault(piece)

    def _show(self, piece: Passage) -> None:
        self.passages += 1
        number = self._number(piece)
        if not is_chosen(self._selection, number, piece.conversation):
            return
        for turn in self._turns(piece):
            chosen = select(self._selection, turn)
            if chosen is not None:
                self._head(piece, number)
                self._style.turn(chosen)
                self.shown += 1

    def is_done(self, piece: Piece) -> bool:
        """Say whether nothing after this piece can be asked for: the one conversation is over, or past the last turn."""
        if not isinstance(piece, Passage) or self._selection.conversation is None:
            return False
        number = self._number_known(piece)
        if number is None or not is_chosen(self._selection, number, piece.conversation):
            return False
        entries = piece.entries
        return piece.is_last or (bool(entries) and is_past(self._selection, number_of(entries[-1]) + 1))

    def _number(self, passage: Passage) -> int:
        key = passage.conversation
        known = self._numbers.get(key)
        if known is None or (key is None and passage.is_first):
            self._count += 1
            self._numbers[key] = known = self._count
        return known

    def _number_known(self, passage: Passage) -> int | None:
        return self._numbers.get(passage.conversation)

    def _turns(self, passage: Passage) -> Iterator[Turn]:
        """Give the turns of a passage, and remember which of its calls are still without a result."""
        if passage.is_first and (turn := system_turn(passage)) is not None:
            yield turn
        if passage.is_first:
            self._open[passage.conversation] = {}
        earlier = self._open.setdefault(passage.conversation, {})
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
