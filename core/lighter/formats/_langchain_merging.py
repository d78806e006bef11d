"""Adding up the chunks of a LangChain message as `+` of langchain-core does; nothing is guessed where arguments break off.

The rules are those of langchain-core 1.8.3: `add_ai_message_chunks` and `init_tool_calls` (messages/ai.py), `__add__` of the other
kinds' chunks (messages/base.py, chat.py, function.py, tool.py), `merge_content` (messages/base.py), `merge_dicts`, `merge_lists` and
`merge_obj` (utils/_merge.py), `_dict_int_op` (utils/usage.py). One thing
differs on purpose: arguments that break off stay the text that they are, where the package closes brackets until they look like
a call. What the package leaves out without a word, names and texts after an empty list of blocks, is told.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from lighter import jsontext
from lighter.formats._langchain_merged import Fields, calls_of, settle_blocks
from lighter.formats._streaming import Ledger, Pieces, objects, settled, take
from lighter.jsontext import step

Chunk = tuple[int, Mapping[str, Any]]
"""A chunk's fields, and which of a stream's pieces it is."""

_GATHERED = 6
"""Down to this depth the pieces of a text are gathered; below it they are joined at once."""

DEEPEST_HOME = 2
"""Of lists down to this depth it is noted where their items come from; no other list is around them."""

_DEEPEST = 60
"""Objects and lists below this depth are not merged."""

_OF_ALL = frozenset({"content", "additional_kwargs", "response_metadata", "id", "name"})
_MERGED = {
    "ai": _OF_ALL | {"tool_call_chunks", "tool_calls", "invalid_tool_calls", "usage_metadata", "chunk_position"},
    "tool": _OF_ALL | {"artifact", "status"},
}
"""Fields that have a rule of their own, by the kind of the message; all others come once."""

_ONCE = frozenset({"id", "output_version", "model_provider"})
_LAST = frozenset({"index", "created", "timestamp"})
_PLAIN = frozenset({*_ONCE, *_LAST, "type", "name"})
"""Keys whose texts are looked at while the pieces come, so that they are joined at once."""

_AUTOMATIC, _RUN = "lc_", "lc_run-"


class Notes:
    """Where what is merged stands in the piece at hand, and what of it does not arrive."""

    def __init__(self, ledger: Ledger, path: str) -> None:
        self.ledger = ledger
        self.path = path

    def refuse(self, path: str) -> None:
        """Note a value that cannot be added to what came before."""
        self.ledger.lose(
            self.path + path, "stream-value", "it cannot be added to what came before, and LangChain refuses it"
        )

    def keep(self, place: str, path: str) -> None:
        """Note where in the piece at hand an item stood that is now at a place of the sum, or goes on with one there."""
        self.ledger.homes.setdefault(self.path + place, []).append((self.ledger.index, self.path + path))

    def keep_blocks(self, blocks: Any, start: int) -> None:
        """Note that the blocks of the piece at hand stand in the sum from an index on."""
        for n in range(len(blocks) if isinstance(blocks, list) else 0):
            self.keep(f"/content/{start + n}", f"/content/{n}")

    def leave_out(self, path: str, what: str) -> None:
        """Note a value that does not arrive."""
        self.ledger.lose(self.path + path, "stream-value", f"LangChain leaves it out when it adds up chunks: {what}")


class Grown(list[Any]):
    """A list that is being merged into, and where in it the items of each index are."""

    def __init__(self, items: Sequence[Any]) -> None:
        super().__init__(items)
        self.places: dict[Any, list[int]] = {}
        for place, item in enumerate(items):
            self._note(item, place)

    def _note(self, item: Any, place: int) -> None:
        index = item.get("index") if isinstance(item, dict) else None
        if isinstance(index, str | int):
            self.places.setdefault(index, []).append(place)

    def add(self, item: Any) -> None:
        """Append an item."""
        self._note(item, len(self))
        self.append(item)

    def at_index(self, index: Any) -> Iterator[int]:
        """List the places of the items of an index."""
        return iter(self.places.get(index, ()))


def is_deep(path: str) -> bool:
    """Say whether something lies too deep to be merged."""
    return path.count("/") > _DEEPEST


def joined(known: Any, text: str, path: str) -> Any:
    """Join two texts at a place; the first may be one that is still growing."""
    if path.count("/") > _GATHERED:
        return known + text
    if type(known) is Pieces:
        known.append(text)
        return known
    return Pieces((known, text))


def kind_of(value: Any) -> type:
    """Give the type that Python's own parser would give a JSON value."""
    match value:
        case str() | Pieces():
            return str
        case bool():
            return bool
        case int():
            return int
        case float():
            return float
        case dict():
            return dict
        case list():
            return list
        case _:
            return type(value)


def merge_dicts(left: Mapping[str, Any], right: Mapping[str, Any], notes: Notes, path: str) -> Fields:
    """Merge two objects: texts are joined, whole numbers added, lists and objects merged; the left is not changed."""
    merged = dict(left)
    for key, value in right.items():
        known = merged.get(key)
        if known is None:
            if key not in merged or value is not None:
                merged[key] = value
        elif value is not None:
            merged[key] = _merged(key, known, value, notes, path + step(key))
    return merged


def _merged(key: str, known: Any, value: Any, notes: Notes, path: str) -> Any:
    """Merge the values of one key."""
    kind = kind_of(known)
    if kind is not kind_of(value) or is_deep(path):
        notes.refuse(path)
        return known
    if kind is str:
        stays = (key == "index" and known.startswith(_AUTOMATIC)) or (key in _ONCE and known == value)
        if stays:
            return known
        return known + value if key in _PLAIN else joined(known, value, path)
    if kind is dict:
        return merge_dicts(known, value, notes, path)
    if kind is list:
        return merge_lists(known, value, notes, path)
    if known == value:
        return known
    if kind is int:
        return value if key in _LAST else known + value
    notes.refuse(path)
    return known


def merge_lists(left: Any, right: Sequence[Any], notes: Notes, path: str) -> Any:
    """Merge two lists: items of one index are merged where their ids allow it, all others appended."""
    if left is None:
        return right
    merged = left if type(left) is Grown else Grown(left)
    for place, item in enumerate(right):
        target = _target(merged, item)
        if path.count("/") <= DEEPEST_HOME:
            notes.keep(path + step(len(merged) if target is None else target), path + step(place))
        if target is None:
            merged.add(item)
        else:
            known = merged[target]
            merged[target] = merge_dicts(known, _added(known, item), notes, path + step(place))
    return merged


def _target(merged: Grown, item: Any) -> int | None:
    """Find the item that another one goes on with."""
    index = item.get("index") if isinstance(item, dict) else None
    if not (isinstance(index, int) or (isinstance(index, str) and index.startswith(_AUTOMATIC))):
        return None
    for place in merged.at_index(index):
        known, said = merged[place].get("id"), item.get("id")
        if known in (None, "") or said in (None, "") or known == said:
            return place
    return None


def _added(known: Mapping[str, Any], item: Mapping[str, Any]) -> Mapping[str, Any]:
    """Give what of an item is added to the one that it goes on with: its type is not said twice."""
    kind, value = known.get("type"), item.get("value")
    if kind and item.get("type") == "non_standard" and isinstance(value, dict):
        rest = {key: held for key, held in value.items() if key != "type"}
        return {"extras": rest} if kind != "non_standard" else {"value": rest, "index": item["index"]}
    return {key: held for key, held in item.items() if key != "type"}


def merge_content(known: Any, content: Any, notes: Notes) -> Any:
    """Merge the contents of two chunks, texts or lists of blocks."""
    if isinstance(known, str | Pieces):
        if isinstance(content, str):
            return joined(known, content, "/content") if content else known
        if not isinstance(content, list):
            return known
        notes.keep_blocks(content, 1)
        return Grown([_text(known), *content])
    if not isinstance(content, str | list | None) or not isinstance(known, list):
        notes.refuse("/content")
        return known
    if isinstance(content, list):
        return merge_lists(known, content, notes, "/content")
    if not content:
        return known
    if not known:
        notes.leave_out("/content", "a text after an empty list of blocks")
        return known
    grown = known if type(known) is Grown else Grown(known)
    if isinstance(grown[-1], str | Pieces):
        grown[-1] = joined(grown[-1], content, "/content/0")
    else:
        notes.keep("/content" + step(len(grown)), "/content")
        grown.add(content)
    return grown


def _text(known: Any) -> Any:
    """Give the text that came so far; a list that it begins may hold it while it grows no more."""
    return "".join(known) if type(known) is Pieces else known


def merge_values(known: Any, value: Any, notes: Notes, path: str) -> Any:
    """Merge two values of any kind, as artifacts of a tool."""
    if known is None or value is None:
        return value if known is None else known
    kind = kind_of(known)
    if kind is kind_of(value):
        if kind is str:
            return joined(known, value, path)
        if kind is dict:
            return merge_dicts(known, value, notes, path)
        if kind is list:
            return merge_lists(known, value, notes, path)
        if known == value:
            return known
    notes.refuse(path)
    return known


def add_usage(known: Any, usage: Any, notes: Notes, path: str = "/usage_metadata") -> Any:
    """Add two counts of tokens, key by key."""
    if not (known and usage):
        return known or usage
    if not (isinstance(known, dict) and isinstance(usage, dict)):
        notes.refuse(path)
        return known
    added: Fields = {}
    for key in {**known, **usage}:
        one, other = known.get(key), usage.get(key)
        if isinstance(one, int | None) and isinstance(other, int | None):
            added[key] = (one or 0) + (other or 0)
        elif isinstance(one, dict | None) and isinstance(other, dict | None) and not is_deep(path):
            added[key] = add_usage(one or {}, other or {}, notes, path + step(key))
        else:
            added[key] = one
            notes.refuse(path + step(key))
    return added


def chosen_id(known: Any, name: Any) -> Any:
    """Choose between the ids of two chunks: a provider's goes before that of a run, that before one made up; the first stays."""
    return name if isinstance(name, str) and name and _rank(name) > _rank(known) else known or None


def _rank(name: Any) -> int:
    if not isinstance(name, str) or not name:
        return 0
    if name.startswith(_RUN):
        return 2
    return 1 if name.startswith(_AUTOMATIC) else 3


def add_chunks(chunks: Sequence[Chunk], ledger: Ledger, path: str, *, kind: str, is_complete: bool) -> Fields:
    """Add up the chunks of one message of a kind, of which there is at least one.

    `path` points at the fields inside of each piece. `is_complete`: the message came to its end, so that a call without a word
    of arguments takes none.
    """
    notes = Notes(ledger, path)
    total = dict(chunks[0][1])
    if kind == "ai":
        total["tool_call_chunks"] = _chunks_of(total)
    if len(chunks) > 1 and kind != "function":
        total |= {"name": None} if "name" in total else {}
        leave_out_names(chunks, notes)
    for ledger.index, chunk in chunks[1:]:
        _add(total, chunk, notes, kind)
    total = dict(settled(total))
    if kind == "ai":
        total["tool_call_chunks"] = [_whole_chunk(piece) for _, piece in objects(total["tool_call_chunks"])]
        total["tool_calls"], total["invalid_tool_calls"] = calls_of(total["tool_call_chunks"], is_complete=is_complete)
        settle_blocks(total)
    return total


def leave_out_names(chunks: Sequence[Chunk], notes: Notes) -> None:
    """Note that the sum is without the name that the chunks may have."""
    said: list[Any] = [None]
    for notes.ledger.index, chunk in chunks:
        if (name := chunk.get("name")) not in said:
            said.append(name)
            notes.leave_out("/name", "the name")


def _chunks_of(chunk: Mapping[str, Any]) -> list[Any]:
    """Give the pieces of calls of a chunk; whole calls are pieces without an index."""
    pieces = chunk.get("tool_call_chunks")
    if isinstance(pieces, list) and pieces:
        return pieces
    calls = [{**call, "args": jsontext.encode_text(call.get("args"))} for _, call in objects(chunk.get("tool_calls"))]
    calls += [{**call} for _, call in objects(chunk.get("invalid_tool_calls"))]
    return [{**call, "index": None, "type": "tool_call_chunk"} for call in calls]


def _add(total: Fields, chunk: Mapping[str, Any], notes: Notes, kind: str) -> None:
    """Add one chunk; the id of the first stays where no model gave it."""
    content = "" if total.get("content") is None else total["content"]
    total["content"] = merge_content(content, chunk.get("content"), notes)
    for key in ("additional_kwargs", "response_metadata"):
        if key in chunk:
            total[key] = merge_values(total.get(key), chunk[key], notes, step(key))
    if kind == "ai":
        total["id"] = chosen_id(total.get("id"), chunk.get("id"))
        pieces = _chunks_of(chunk)
        total["tool_call_chunks"] = merge_lists(total["tool_call_chunks"], pieces, notes, "/tool_call_chunks")
        total["usage_metadata"] = add_usage(total.get("usage_metadata"), chunk.get("usage_metadata"), notes)
        if "chunk_position" in total or "chunk_position" in chunk:
            total["chunk_position"] = total.get("chunk_position") or chunk.get("chunk_position")
    if kind == "tool":
        if "artifact" in chunk:
            total["artifact"] = merge_values(total.get("artifact"), chunk["artifact"], notes, "/artifact")
        if "status" in chunk:
            total["status"] = "error" if "error" in (total.get("status"), chunk["status"]) else chunk["status"]
    take(total, chunk, notes.ledger, notes.path, skip=_MERGED.get(kind, _OF_ALL))


def _whole_chunk(piece: Mapping[str, Any]) -> Fields:
    """Give a piece of a call with all its keys."""
    return {
        "name": None,
        "args": None,
        "id": None,
        "index": None,
        **piece,
        "type": "tool_call_chunk",
    }
