"""The messages of a graph while its events come: pieces are gathered by id, and a whole state stands for all before it."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from lighter.formats._langchain import unwrap
from lighter.formats._langchain_history import REMOVE_ALL
from lighter.formats._langchain_pieces import are_addable, may_be_one, name_of, piece_of
from lighter.formats._streaming import Ledger
from lighter.jsontext import is_same, step


class Told:
    """A message as far as it came: its pieces, with their indices in the stream, or the whole of it.

    `path` points at the message inside of the event with the index `index` that began it, `place` is the step of the graph
    that it comes from. `has_ended`: no further piece of it comes.
    """

    def __init__(self, index: int, path: str, place: Any) -> None:
        self.index = index
        self.path = path
        self.place = place
        self.names: set[str] = set()
        self.pieces: list[tuple[int, Any]] = []
        self.whole: Any = None
        self.has_ended = False

    def is_addable(self, message: Any) -> bool:
        """Say whether a chunk may go on with what came, by its kind."""
        first, piece = piece_of(self.pieces[0][1] if self.pieces else self.whole), piece_of(message)
        return first is None or piece is None or are_addable(first, piece)


class GraphState:
    """The messages so far, in the order in which they came, and what else the last whole state held.

    `has_beginning`: a whole state was told, so that nothing came before the first message.
    """

    def __init__(self) -> None:
        self.entries: list[Told] = []
        self.rest: dict[str, Any] = {}
        self.has_beginning = False
        self._removed: set[str] = set()
        self._by_name: dict[str, Told] = {}
        self._open: dict[Any, Told] = {}

    def take(self, ledger: Ledger, path: str, message: Any, place: Any = None, *, is_copy: bool = False) -> None:
        """Take a whole message; one that is known already comes once more as a copy.

        `place`: the step or run whose chunks it may be the sum of. `is_copy`: without an id it may be a copy, too.
        """
        index, name = ledger.index, name_of(message)
        if name is not None and _is_removal(message):
            self._take_back(ledger, path, name)
            return
        entry = self._by_name.get(name) if name is not None else None
        if entry is None and place is not None:
            entry = self._open.pop(str(place), None)
        if entry is None and is_copy:
            entry = next((known for known in self.entries if _are_alike(known.whole, message)), None)
        entry = self._entry(entry, index, path, None, name)
        if entry.whole is None:
            entry.index, entry.path = index, path
        entry.whole = message

    def put_in_order(self, names: Sequence[str | None]) -> None:
        """Put the messages in the order of a state that has these ids, where it holds all that was told.

        A run that goes on with the results of calls tells these before the state that it goes on with.
        """
        listed = list(dict.fromkeys(self._by_name.get(name or "") for name in names))
        known = [entry for entry in listed if entry is not None]
        if len(known) == len(listed) == len(self.entries):
            self.entries = known
            self.has_beginning = True

    def _take_back(self, ledger: Ledger, path: str, name: str) -> None:
        """Carry out a removal; what it names may be older than the stream, which holds only what came new."""
        known = self._by_name.get(name)
        gone = self.entries if name == REMOVE_ALL else [known] if known is not None else []
        if not gone and name not in {REMOVE_ALL, *self._removed}:
            ledger.lose(path, "remove-message", "what it takes back came before the stream")
        self._removed.add(name)
        lost = set(gone)
        self.entries = [entry for entry in self.entries if entry not in lost]
        self._by_name = {own: entry for own, entry in self._by_name.items() if entry not in lost}
        self._open = {place: entry for place, entry in self._open.items() if entry not in lost}
        _lose_all(ledger, gone, "removed-message", "the history takes it back (RemoveMessage)")

    def take_piece(self, index: int, path: str, message: Any, place: Any, *, is_last: bool) -> None:
        """Take a chunk of a message that a step of the graph streams; `is_last`: it says that none follows."""
        name = name_of(message)
        entry = self._by_name.get(name) if name is not None else None
        if entry is not None and not entry.is_addable(message):
            entry = None
        last = self._open.get(str(place))
        if entry is None and last is not None and not last.has_ended and may_be_one(last.names, name):
            entry = last if last.is_addable(message) else None
        entry = self._open[str(place)] = self._entry(entry, index, path, place, name)
        entry.has_ended |= is_last
        if entry.whole is None:
            entry.pieces.append((index, message))

    def _entry(self, known: Told | None, index: int, path: str, place: Any, name: str | None) -> Told:
        if known is None:
            known = Told(index, path, place)
            self.entries.append(known)
        if name is not None:
            known.names.add(name)
            self._by_name[name] = known
        return known

    def become(self, ledger: Ledger, state: Mapping[str, Any], path: str) -> None:
        """Take a whole state, and note the messages that it does not hold any more."""
        before = self.entries
        self.has_beginning = True
        self.entries, self._by_name, self._open = [], {}, {}
        listed = state["messages"] if isinstance(state["messages"], list) else [state["messages"]]
        for place, message in enumerate(listed):
            self.take(ledger, path + step(place), message)
        gone = [entry for entry in before if not self._holds(entry)]
        _lose_all(ledger, gone, "stream-message", "the state that came later does not hold it")
        self.rest = {key: held for key, held in state.items() if key != "messages"}

    def _holds(self, entry: Told) -> bool:
        is_held = not self._by_name.keys().isdisjoint(entry.names)
        return is_held or any(_are_alike(entry.whole, held.whole) for held in self.entries)


def _lose_all(ledger: Ledger, gone: Iterable[Told], feature: str, detail: str) -> None:
    """Note messages that the state does not hold any more."""
    now = ledger.index
    for entry in gone:
        ledger.index = entry.index
        ledger.lose(entry.path, feature, detail)
    ledger.index = now


def _is_removal(message: Any) -> bool:
    match message:
        case {"lc": _, "id": [*_, "RemoveMessage"]} | {"type": "remove"}:
            return True
        case _:
            return False


def _are_alike(known: Any, message: Any) -> bool:
    """Say whether two messages are one, to which the graph may have given an id only later."""
    if known is None:
        return False
    one, other = unwrap(known), unwrap(message)
    if one is None or other is None or one.kind != other.kind or None not in (name_of(known), name_of(message)):
        return is_same(known, message)
    return is_same(*({key: held for key, held in said.fields.items() if key != "id"} for said in (one, other)))
