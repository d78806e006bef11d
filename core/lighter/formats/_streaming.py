"""What the formats share in joining the pieces of streamed answers: what an assembly gives, and what it could not hold."""

from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from lighter import jsontext
from lighter.jsontext import step


class Lost(Struct, frozen=True):
    """What the assembled answer does not hold: the index of the piece, a pointer into that, a name for it, and why."""

    index: int
    path: str
    feature: str
    detail: str


class Assembled(Struct, frozen=True):
    """The answer that pieces add up to, as the provider's non-streaming API gives it.

    `is_complete`: the stream came to its end. `lost` is what the answer cannot hold, each kind of thing once. `homes`: where
    parts of the value come from as they are: the part's place, the index of the piece, and the place in that. `has_beginning`:
    no message is known to have come before the first of the value.
    """

    value: dict[str, Any]
    is_complete: bool
    lost: tuple[Lost, ...] = ()
    homes: tuple[tuple[str, int, str], ...] = ()
    has_beginning: bool = True


class Ledger:
    """Notes what does not arrive, once for each place; and the piece that is being read, by its index.

    `is_exact`: the same place in another piece is told, too. `homes`: where the items of a list in the sum come from, by their
    places there: pieces by their indices, and places in these.
    """

    def __init__(self, *, is_exact: bool = False) -> None:
        self.index = 0
        self.is_exact = is_exact
        self.homes: dict[str, list[tuple[int, str]]] = {}
        self._first: dict[tuple[str, str, int], Lost] = {}
        self._more: dict[tuple[str, str, int], int] = {}

    def pieces(self, chunks: Sequence[Any]) -> Iterator[Any]:
        """Go through the pieces and count them."""
        for self.index, chunk in enumerate(chunks):
            yield chunk

    def lose(self, path: str, feature: str, detail: str) -> None:
        """Note something of the piece at hand that does not arrive."""
        key = (path, feature, self.index if self.is_exact else 0)
        if key in self._first:
            self._more[key] = self._more.get(key, 0) + 1
        else:
            self._first[key] = Lost(self.index, path, feature, detail)

    def lose_between(self, chunk: Mapping[str, Any]) -> None:
        """Note an event that holds no piece of the answer, when it says something."""
        if chunk.get("type") not in ("ping", "keepalive"):
            self.lose("", "stream-event", "an event of the stream that is no part of the answer")

    def respell(self, old: str, new: str) -> None:
        """Tell places below one path as places below another, under which they stood in the pieces."""

        def at(path: str) -> str:
            return new + path.removeprefix(old) if path == old or path.startswith(old + "/") else path

        self._first = {key: replace(lost, path=at(lost.path)) for key, lost in self._first.items()}
        homes = self.homes.items()
        self.homes = {at(place): [(index, at(path)) for index, path in found] for place, found in homes}

    def told(self) -> tuple[Lost, ...]:
        """List what was noted."""
        return tuple(
            Lost(lost.index, lost.path, lost.feature, lost.detail + _times(self._more.get(key, 0)))
            for key, lost in self._first.items()
        )


def _times(more: int) -> str:
    return f", and the same in {more} more piece{'s' * (more > 1)}" if more else ""


def take(
    target: dict[str, Any], source: Mapping[str, Any], ledger: Ledger, path: str, skip: Container[str] = ()
) -> None:
    """Take over values that come once: the first that is none of null and "" stays, another one at its place is noted."""
    for key, value in source.items():
        if key in skip:
            continue
        known = target.get(key)
        if known is None or known == "":
            if value is not None or key not in target:
                target[key] = value
        elif value is not None and value != "" and not jsontext.is_same(known, value):
            if isinstance(known, dict) and isinstance(value, dict):
                target[key] = dict(known)
                take(target[key], value, ledger, path + step(key))
            else:
                ledger.lose(path + step(key), "stream-value", "another value came first, and one can stay")


def renew(target: dict[str, Any], source: Mapping[str, Any], skip: Container[str] = ()) -> None:
    """Take over values that come again and again and stand for the whole each time, as usage does: the last one stays."""
    for key, value in source.items():
        if key in skip or (value is None and key in target):
            continue
        known = target.get(key)
        if isinstance(known, dict) and isinstance(value, dict):
            target[key] = dict(known)
            renew(target[key], value)
        else:
            target[key] = value


def append(target: dict[str, Any], key: str, value: Any, ledger: Ledger, path: str) -> None:
    """Add to a value that comes in pieces: texts and lists are joined, null adds nothing."""
    known = target.get(key)
    match known, value:
        case _, None:
            target.setdefault(key, None)
        case None, _:
            target[key] = Items(value) if isinstance(value, list) else value
        case str(), str():
            target[key] = Pieces((known, value))
        case Pieces(), str():
            known.append(value)
        case Items(), list():
            known.extend(value)
        case list(), list():
            target[key] = Items((*known, *value))
        case dict(), dict():
            target[key] = dict(known)
            take(target[key], value, ledger, path + step(key))
        case _ if jsontext.is_same(known, value):
            pass
        case _:
            ledger.lose(path + step(key), "stream-value", "another value came first, and one can stay")


def objects(value: Any) -> Iterator[tuple[int, dict[str, Any]]]:
    """Walk the objects of a list with their indices; nothing when it is no list."""
    if isinstance(value, list):
        for index, item in enumerate(value):
            if isinstance(item, dict):
                yield index, item


def mapping(value: Any) -> dict[str, Any]:
    """Give a value that is an object; an empty one for anything else."""
    return value if isinstance(value, dict) else {}


def object_at(holder: dict[str, Any], key: str) -> dict[str, Any]:
    """Give the object at a key, to be added to; a new one when there is none."""
    if not isinstance(holder.get(key), dict):
        holder[key] = {}
    found: dict[str, Any] = holder[key]
    return found


def index_of(value: Mapping[str, Any], key: str = "index") -> int | None:
    """Give the index that a piece names; None when it names none."""
    found = value.get(key)
    return found if isinstance(found, int) and not isinstance(found, bool) else None


def joined_input(text: str, *, is_cut: bool) -> Any:
    """Give the arguments that joined text says; what breaks off stays the text that it is.

    No text at all says {} when the call came to its end; when it was cut (`is_cut`), nobody knows, and "" stays.
    """
    if not text:
        return "" if is_cut else {}
    try:
        return jsontext.decode(text)
    except (ValueError, RecursionError):
        return text


def in_order(found: Mapping[int, Any]) -> list[Any]:
    """List what was gathered by index."""
    return [found[index] for index in sorted(found)]


class Pieces(list[str]):
    """A text that is still being joined; adding to text itself would copy it each time."""


class Items(list[Any]):
    """A list that is still being joined; lists of the pieces themselves stay as they are."""


def settled(value: Any, depth: int = 8) -> Any:
    """Give a value with its texts joined; those that were gathered lie no deeper than a few levels."""
    if type(value) is Pieces:
        return _joined(value)
    if depth and type(value) is dict:
        return {key: settled(item, depth - 1) for key, item in value.items()}
    if depth and isinstance(value, list):
        return [settled(item, depth - 1) for item in value]
    return value


def _joined(texts: Iterable[str]) -> str:
    """Join texts; a character of which each half came in a piece of its own is whole again."""
    text = "".join(texts)
    if text.isascii() or not any("\ud800" <= char <= "\udbff" for char in text):
        return text
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "surrogatepass")
