"""Adding up the chunks of a LangChain message as `concat` of @langchain/core does; nothing is guessed where arguments break off.

The rules are those of @langchain/core 1.4.0: `AIMessageChunk.concat` (messages/ai.js) and those of the other kinds (chat.js,
function.js, human.js, system.js, tool.js), `mergeContent`, `_mergeDicts`, `_mergeLists` and `_mergeObj` (messages/base.js),
`mergeUsageMetadata` (messages/metadata.js), `collapseToolCallChunks` (messages/utils.js). The package also adds up results of two
calls, messages of two roles, and names of two functions, and keeps the first call, role or name; here such chunks stay apart.
"""

from collections.abc import Iterator, Mapping, Sequence
from math import isfinite
from typing import Any

from lighter.formats._langchain_merged import Fields, arguments_of
from lighter.formats._langchain_merging import DEEPEST_HOME, Chunk, Notes, is_deep, joined, kind_of, leave_out_names
from lighter.formats._streaming import Ledger, Pieces, mapping, objects, settled, take
from lighter.jsontext import step

_OF_ALL = frozenset({"content", "additional_kwargs", "response_metadata", "id", "name"})
_MERGED = {
    "ai": _OF_ALL | {"tool_call_chunks", "tool_calls", "invalid_tool_calls", "usage_metadata"},
    "tool": _OF_ALL | {"artifact", "status"},
}
"""Fields that have a rule of their own, by the kind of the message; all others come once."""

_LAST = ("id", "name", "output_version", "model_provider")
_FIRST = ("type", "index", "created", "timestamp")
_DETAILS: Mapping[str, tuple[str, ...]] = {
    "input_token_details": ("audio", "image", "video", "document", "text", "cache_read", "cache_creation"),
    "output_token_details": ("audio", "image", "video", "document", "text", "reasoning"),
}
_COUNTS = ("input_tokens", "output_tokens", "total_tokens")
_SAYS_NOTHING = frozenset({"type", "text", "index"})
_ERROR = "Malformed args."


def merge_dicts(left: Mapping[str, Any], right: Mapping[str, Any], notes: Notes, path: str) -> Fields:
    """Merge two objects: texts are joined, numbers added, lists and objects merged; the left is not changed."""
    merged = dict(left)
    for key, value in right.items():
        known = merged.get(key)
        if known is None:
            merged[key] = value
        elif value is not None:
            merged[key] = _merged(key, known, value, notes, path + step(key))
    return merged


def _merged(key: str, known: Any, value: Any, notes: Notes, path: str) -> Any:
    """Merge the values of one key."""
    kind, said = _number(kind_of(known)), _number(kind_of(value))
    if kind is not said or is_deep(path):
        notes.refuse(path)
        return known
    if kind is str:
        if key in _FIRST:
            return known
        return (value or known) if key in _LAST else joined(known, value, path)
    if kind is float:
        return known if key in _FIRST else _sum(known, value, notes, path)
    if kind is dict:
        return merge_dicts(known, value, notes, path)
    if kind is list:
        return merge_lists(known, value, notes, path)
    if known != value:
        notes.refuse(path)
    return known


def _number(kind: type) -> type:
    """Take all numbers for one type, as JavaScript does."""
    return float if kind is int else kind


def _sum(known: Any, value: Any, notes: Notes, path: str) -> Any:
    """Add two numbers; whole ones stay whole."""
    total = known + value
    if not isfinite(total):
        notes.refuse(path)
        return known
    return int(total) if isinstance(total, float) and total.is_integer() else total


class _Items(list[Any]):
    """A list that is being merged into, and where in it the items of each index, and those of each id, are."""

    def __init__(self, items: Sequence[Any]) -> None:
        super().__init__(items)
        self.places: dict[tuple[str, Any], list[int]] = {}
        for place, item in enumerate(items):
            self._note(item, place)

    def _note(self, item: Any, place: int) -> None:
        if (key := _key_of(item)) is not None:
            self.places.setdefault(key, []).append(place)

    def add(self, item: Any) -> None:
        """Append an item."""
        self._note(item, len(self))
        self.append(item)

    def alike(self, item: Any) -> Iterator[int]:
        """List the places of the items with the same index; of those with the same id, where there is no index."""
        key = _key_of(item)
        return iter(self.places.get(key, ())) if key is not None else iter(())


def _key_of(item: Any) -> tuple[str, Any] | None:
    """Give what tells an item from others: its index, else its id."""
    if not isinstance(item, dict):
        return None
    index, name = item.get("index"), item.get("id")
    if isinstance(index, str | int | float) and not isinstance(index, bool):
        return "index", index
    return ("id", name) if isinstance(name, str) and name else None


def merge_lists(left: Any, right: Sequence[Any], notes: Notes, path: str) -> Any:
    """Merge two lists: items of one index or id are merged, empty texts left out, all others appended."""
    merged = left if type(left) is _Items else _Items(left or ())
    for place, item in enumerate(right):
        target = _target(merged, item)
        is_added = target is None and not (isinstance(item, dict) and item.get("text") == "")
        if path.count("/") <= DEEPEST_HOME and (is_added or target is not None):
            notes.keep(path + step(len(merged) if target is None else target), path + step(place))
        if target is not None:
            merged[target] = merge_dicts(merged[target], item, notes, path + step(place))
        elif is_added:
            merged.add(item)
        elif not item.keys() <= _SAYS_NOTHING:
            notes.ledger.lose(
                notes.path + path + step(place), "stream-value", "it has no text, and LangChain leaves it out"
            )
    return merged


def _target(merged: _Items, item: Any) -> int | None:
    """Find the item that another one goes on with."""
    for place in merged.alike(item):
        known = merged[place]
        ids = known.get("id"), item.get("id")
        if not _are_of_other_types(known, item) and (not all(ids) or ids[0] == ids[1]):
            return place
    return None


def _are_of_other_types(known: Mapping[str, Any], item: Mapping[str, Any]) -> bool:
    kinds = known.get("type"), item.get("type")
    is_by_index = "index" in item
    said = [kind.removesuffix("_delta") for kind in kinds if isinstance(kind, str)]
    return is_by_index and len(said) == len(kinds) and said[0] != said[1]


def merge_content(known: Any, content: Any, notes: Notes) -> Any:
    """Merge the contents of two chunks, texts or lists of blocks."""
    if isinstance(known, str | Pieces):
        if not known:
            notes.keep_blocks(content, 0)
            return content
        if isinstance(content, str):
            return joined(known, content, "/content") if content else known
        if not isinstance(content, list) or not content:
            return known
        notes.keep_blocks(content, 1)
        source = {"source_type": "text"} if any(map(_is_data, content)) else {}
        return _Items([{"type": "text", **source, "text": "".join(known)}, *content])
    if not isinstance(content, str | list | None) or not isinstance(known, list):
        notes.refuse("/content")
        return known
    if isinstance(content, list):
        return merge_lists(known, content, notes, "/content")
    if not content:
        return known
    grown = known if type(known) is _Items else _Items(known)
    is_data = any(map(_is_data, grown))
    notes.keep("/content" + step(len(grown)), "/content")
    grown.add({"type": "file" if is_data else "text", **({"source_type": "text"} if is_data else {}), "text": content})
    return grown


def _listed(value: Any, notes: Notes, path: str) -> Any:
    """Give a value that is a list; what is none is noted."""
    if isinstance(value, list):
        return value
    if value is not None:
        notes.refuse(path)
    return []


def _is_data(block: Any) -> bool:
    """Say whether a block is one of the older kind that hold data (`isDataContentBlock`)."""
    match block:
        case {"type": str(), "source_type": "url" | "base64" | "text" | "id"}:
            return True
        case _:
            return False


def add_usage(known: Any, usage: Any, notes: Notes) -> Any:
    """Add two counts of tokens; details that the package does not know are left out and noted."""
    one, other = mapping(known), mapping(usage)
    path = "/usage_metadata"
    added: Fields = {key: _count(one, key) + _count(other, key) for key in _COUNTS}
    for key, names in _DETAILS.items():
        parts = mapping(one.get(key)), mapping(other.get(key))
        added[key] = {name: sum(_count(part, name) for part in parts) for name in names if _has(parts, name)}
        for name in parts[1]:
            if name not in names:
                notes.refuse(path + step(key) + step(name))
    for key in other:
        if key not in added:
            notes.refuse(path + step(key))
    return added


def _has(parts: tuple[Fields, ...], name: str) -> bool:
    return any(name in part for part in parts)


def _count(usage: Mapping[str, Any], key: str) -> Any:
    value = usage.get(key)
    return value if isinstance(value, int | float) else 0


def add_chunks(chunks: Sequence[Chunk], ledger: Ledger, path: str, *, kind: str, is_complete: bool) -> Fields:
    """Add up the chunks of one message, of which there is at least one; see `lighter.formats._langchain_merging`."""
    notes = Notes(ledger, path)
    total = dict(chunks[0][1])
    if len(chunks) > 1 and kind == "function":
        total["name"] = total.get("name") or ""
    elif len(chunks) > 1:
        total.pop("name", None)
        leave_out_names(chunks, notes)
    for ledger.index, chunk in chunks[1:]:
        _add(total, chunk, notes, kind)
    total = dict(settled(total))
    if kind == "ai" and (pieces := [piece for _, piece in objects(total.get("tool_call_chunks"))]):
        total["tool_calls"], total["invalid_tool_calls"] = calls_of(pieces, is_complete=is_complete)
    return total


def _add(total: Fields, chunk: Mapping[str, Any], notes: Notes, kind: str) -> None:
    """Add one chunk."""
    content = [] if total.get("content") is None else total["content"]
    total["content"] = merge_content(content, chunk.get("content"), notes)
    for key in ("additional_kwargs", "response_metadata"):
        total[key] = _merged_value(key, total.get(key), chunk.get(key), notes)
    if total.get("id") is None and chunk.get("id") is not None:
        total["id"] = chunk["id"]
    if kind == "ai":
        for key in ("tool_call_chunks", "tool_calls"):
            known, more = (_listed(said.get(key), notes, step(key)) for said in (total, chunk))
            total[key] = merge_lists(known, more, notes, step(key))
        total["invalid_tool_calls"] = []
        if "usage_metadata" in total or "usage_metadata" in chunk:
            total["usage_metadata"] = add_usage(total.get("usage_metadata"), chunk.get("usage_metadata"), notes)
    if kind == "tool":
        total["status"] = "error" if "error" in (total.get("status"), chunk.get("status")) else "success"
        if chunk.get("artifact") is not None:
            total["artifact"] = _merged_artifact(total.get("artifact"), chunk["artifact"], notes)
    take(total, chunk, notes.ledger, notes.path, skip=_MERGED.get(kind, _OF_ALL))


def _merged_value(key: str, known: Any, value: Any, notes: Notes) -> Any:
    """Merge the values of a field, which may be of any kind."""
    return merge_dicts({key: known}, {key: value}, notes, "")[key]


def _merged_artifact(known: Any, value: Any, notes: Notes) -> Any:
    """Merge the artifacts of two chunks; of numbers only equal ones, which elsewhere are added."""
    if known is None or isinstance(value, str | dict | list):
        return _merged_value("artifact", known, value, notes)
    if _number(kind_of(known)) is not _number(kind_of(value)) or known != value:
        notes.refuse("/artifact")
    return known


def calls_of(pieces: Sequence[Mapping[str, Any]], *, is_complete: bool = True) -> tuple[list[Fields], list[Fields]]:
    """Give the calls that pieces say, and those whose arguments are no JSON object or that have no id, with their text."""
    calls: list[Fields] = []
    invalid: list[Fields] = []
    groups = grouped(pieces)
    for place, group in enumerate(groups, 1):
        name = group[0].get("name") if group[0].get("name") is not None else ""
        call_id = next((piece["id"] for piece in group if piece.get("id")), group[0].get("id"))
        told = {"id": call_id} if call_id is not None else {}
        text = "".join(piece["args"] for piece in group if isinstance(piece.get("args"), str))
        if call_id and any(piece.get("isCustomTool") is True for piece in group):
            calls.append({"name": name, "args": {"input": text}, **told, "type": "tool_call"})
            continue
        may_be_cut = not is_complete and place == len(groups)
        text = text.strip() or ("" if may_be_cut else "{}")
        arguments = arguments_of(text)
        if call_id and isinstance(arguments, dict):
            calls.append({"name": name, "args": arguments, **told, "type": "tool_call"})
        else:
            invalid.append({"name": name, "args": text, **told, "error": _ERROR, "type": "invalid_tool_call"})
    return calls, invalid


def grouped(pieces: Sequence[Mapping[str, Any]]) -> list[list[Mapping[str, Any]]]:
    """Put pieces together that are of one call: of one id and index, else of one id, else of one index."""
    groups: list[list[Mapping[str, Any]]] = []
    for piece in pieces:
        names = [key for key in ("id", "index") if key in piece and (piece[key] or key == "index")]
        found = next((g for g in groups if names and all(g[0].get(key) == piece[key] for key in names)), None)
        if found is None:
            groups.append([piece])
        else:
            found.append(piece)
    return groups
