"""What each piece of a LangChain message says besides what it adds: the message once more, its calls as far as they came, an id.

None of that is in the sum. A copy of what arrives is no loss; where it says something else, that is told.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from lighter.formats._langchain import CONTENT_KEYS, content_key, is_empty
from lighter.formats._langchain_calls import differences
from lighter.formats._langchain_draft import SPREAD
from lighter.formats._langchain_merged import Fields, arguments_of
from lighter.formats._langchain_merging import Chunk, Notes
from lighter.formats._streaming import Ledger, mapping, objects
from lighter.jsontext import is_same, step

_DEEPEST = 60
"""Arguments below this depth are not compared."""

PIECE_ID = "piece-id"
"""The feature of losses that tell that the pieces of one message had several ids."""

_LISTS = ("tool_calls", "invalid_tool_calls")

_ONE_STAYS = frozenset({"id", "name", "output_version", "model_provider", "type", "index", "created", "timestamp"})
"""Keys of the metadata of which the packages keep one value, the first or the last one."""

_ERRORS = (None, "Malformed args.")
"""What the packages say of a call of which they cannot read the arguments yet."""


def own_fields(fields: Mapping[str, Any]) -> Mapping[str, Any]:
    """Give the fields of a piece without its copies, and with its content where that of every message stands."""
    key = content_key(fields)
    if "lc_kwargs" not in fields and key == "content":
        return fields
    own = {name: held for name, held in fields.items() if not (name in SPREAD or name == "lc_kwargs")}
    return {"content" if name == key else name: held for name, held in own.items()}


def lose_ids(pieces: Sequence[Chunk], kept: Any, ledger: Ledger, path: str) -> None:
    """Note the ids of pieces that are not that of the message, each once; `path` points at the fields."""
    said: list[Any] = [None, "", kept]
    for ledger.index, piece in pieces:
        if (name := piece.get("id")) not in said:
            said.append(name)
            ledger.lose(f"{path}/id", PIECE_ID, "the message that its pieces add up to has another id")


def keep_calls(pieces: Sequence[Chunk], total: Mapping[str, Any], ledger: Ledger, path: str) -> None:
    """Note where in which piece the calls of the sum stood, which are made of their pieces; `path` points at the fields."""
    found: dict[Any, list[tuple[int, str]]] = {}
    for index, piece in pieces:
        for key in (*_LISTS, "tool_call_chunks"):
            for n, raw in objects(piece.get(key)):
                if isinstance(name := raw.get("id"), str):
                    found.setdefault(name, []).append((index, path + step(key) + step(n)))
    for n, chunk in objects(total.get("tool_call_chunks")):
        if isinstance(name := chunk.get("id"), str) and name in found:
            more = ledger.homes.get(f"{path}/tool_call_chunks/{n}", [])
            found[name] += [home for home in more if home not in found[name]]
    for key in _LISTS:
        for n, call in objects(total.get(key)):
            if isinstance(name := call.get("id"), str) and name in found:
                ledger.homes[path + step(key) + step(n)] = found[name]


def lose_repeated(piece: Mapping[str, Any], total: Mapping[str, Any], notes: Notes) -> None:
    """Note what a piece says of its message that the sum of all says otherwise, or not."""
    if "lc_kwargs" in piece:
        _lose_spread(piece, notes)
    for field in ("additional_kwargs", "response_metadata"):
        held, kept = mapping(piece.get(field)), mapping(total.get(field))
        for key in _ONE_STAYS & held.keys():
            if held[key] is not None and not _is_told(held[key], kept.get(key)):
                notes.leave_out(step(field) + step(key), "another piece has another value, and one can stay")
    chunks = [chunk for _, chunk in objects(piece.get("tool_call_chunks"))]
    whole = [call for key in _LISTS for _, call in objects(total.get(key))]
    for key in _LISTS:
        listed = piece.get(key)
        for n, raw in enumerate(listed if isinstance(listed, list) else ()):
            shown = _shown(raw, key, whole, chunks) if isinstance(raw, dict) else None
            for path, _ in differences(raw, shown, step(key) + step(n)):
                notes.leave_out(path, "a call as far as it came, which its pieces tell otherwise")


def _is_told(value: Any, whole: Any) -> bool:
    return is_same(value, whole) or (isinstance(value, str) and isinstance(whole, str) and value in whole)


def _lose_spread(piece: Mapping[str, Any], notes: Notes) -> None:
    """Note where a message that was spread in JavaScript says something else of itself the second time."""
    copies = piece["lc_kwargs"]
    for key, value in copies.items() if isinstance(copies, dict) else ():
        if not is_empty(value) and not is_same(value, piece.get("content" if key in CONTENT_KEYS else key)):
            notes.leave_out("/lc_kwargs" + step(key), "a copy that says something else")
    if not (isinstance(copies, dict) or is_empty(copies)):
        notes.leave_out("/lc_kwargs", "it is no copy of the message")
    for key, usual in SPREAD.items():
        if key in piece and not is_same(piece[key], usual):
            notes.leave_out(step(key), "JavaScript always says the same there")


def _shown(raw: Mapping[str, Any], key: str, calls: Sequence[Fields], chunks: Sequence[Fields]) -> Fields | None:
    """Give what an entry in a list of calls says as a copy of one of the calls, or of one of the pieces beside it."""
    args = raw.get("args")
    call = next((call for call in calls if isinstance(args, dict) and _are_alike(raw, call)), None)
    if call is not None:
        said = args if is_begun(args, call.get("args")) else call.get("args")
        return {**_identity(raw, call), "args": said, "type": "tool_call"}
    told = (chunk for test in (_are_alike, _say_the_same) for chunk in chunks if test(raw, chunk))
    if (chunk := next(told, None)) is None:
        return None
    error = {"error": raw["error"]} if raw.get("error") in _ERRORS and "error" in raw else {}
    is_told = _say_the_same(raw, chunk) or any(is_begun(args, call.get("args")) for call in calls)
    said = args if is_told else chunk.get("args")
    return {**_identity(raw, chunk), "args": said, "type": key.removesuffix("s"), **error}


def _are_alike(raw: Mapping[str, Any], other: Mapping[str, Any]) -> bool:
    return all((raw.get(key) or None) == (other.get(key) or None) for key in ("id", "name"))


def _identity(raw: Mapping[str, Any], other: Mapping[str, Any]) -> Fields:
    """Give id and name of a copy; where there is none, JavaScript says so with an empty text."""
    return {key: raw.get(key) if not (raw.get(key) or other.get(key)) else other.get(key) for key in ("id", "name")}


def _say_the_same(raw: Mapping[str, Any], chunk: Mapping[str, Any]) -> bool:
    """Say whether arguments are what a package makes of the text of a piece, where no more of it came."""
    args, text = raw.get("args"), chunk.get("args")
    if not isinstance(text, str) or not isinstance(args, str):
        return args == {} or (isinstance(args, dict) and is_same(args, arguments_of(text)))
    return args in (text, text.strip() or "{}")


def is_begun(part: Any, whole: Any, depth: int = _DEEPEST) -> bool:
    """Say whether a value is a part of another one, from its beginning on, as what was closed before its end came is."""
    match part, whole:
        case (dict() | list(), _) if not depth:
            return False
        case dict(), dict():
            return all(key in whole and is_begun(held, whole[key], depth - 1) for key, held in part.items())
        case list(), list():
            return len(part) <= len(whole) and all(map(is_begun, part, whole, [depth - 1] * len(part)))
        case str(), str():
            return whole.startswith(part)
        case _:
            return is_same(part, whole)
