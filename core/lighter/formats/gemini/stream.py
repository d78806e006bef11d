"""Joining the responses that Gemini streams: each is whole, and holds the parts that came since the one before.

https://ai.google.dev/api/generate-content#method:-models.streamgeneratecontent
"""

import re
from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any

from lighter.formats._streaming import (
    Assembled,
    Ledger,
    Pieces,
    append,
    in_order,
    index_of,
    mapping,
    objects,
    renew,
    settled,
)
from lighter.formats.gemini.shapes import has_key, held, snake

MAY_BE_WHOLE = True

_SIGNATURE = "thoughtSignature"
_SIGNATURES = (_SIGNATURE, "thought_signature")
_TEXT_KEYS = frozenset({"text", "thought", *_SIGNATURES})
_CONTINUES = ("willContinue", "will_continue")
_PARTIAL = ("partialArgs", "partial_args")
_VALUES = ("stringValue", "numberValue", "boolValue", "nullValue")
_STEP = re.compile(r"\.([^.\[\]]+)|\[(?:'([^']*)'|(\d{1,6}))\]")
_PATH = re.compile(r"\$(?:\.[^.\[\]]+|\['[^']*'\]|\[\d{1,6}\])+")
_LISTS = frozenset({
    "groundingChunks", "groundingSupports", "webSearchQueries", "imageSearchQueries", "retrievalQueries", "citationSources",
    "citations", "urlMetadata", "chosenCandidates", "topCandidates",
})  # fmt: skip
"""Lists of what was found or weighed for a candidate, that grow from one response to the next."""


def is_chunk(value: Any) -> bool:
    """Say whether a value is a response; the last one of a stream looks like a whole answer."""
    if not isinstance(value, dict) or "contents" in value or "type" in value:
        return False
    return isinstance(value.get("candidates"), list) or (
        has_key(value, "usageMetadata") and (has_key(value, "promptFeedback") or has_key(value, "modelVersion"))
    )


def begins(chunk: Any, before: Sequence[Any]) -> bool:
    """Say whether a response is of another answer: it has another id, or those before it said how they ended."""
    name, known = held(chunk, "responseId"), held(mapping(before[-1]), "responseId")
    if name and known:
        return bool(name != known) or not _ended(before).isdisjoint(_speaking(chunk))
    return _is_over(before) and bool(chunk.get("candidates"))


def _ended(before: Sequence[Any]) -> set[int]:
    """List the candidates that said something and then, just now, how they ended.

    Servers that translate other providers' streams mark what comes before the first word as an end, too
    (https://github.com/router-for-me/CLIProxyAPI/issues/5651).
    """
    spoken: set[int] = set()
    ended: set[int] = set()
    for piece in before[-3:]:
        spoken |= _speaking(piece)
        listed = objects(mapping(piece).get("candidates"))
        ended |= {index_of(candidate) or 0 for _, candidate in listed if held(candidate, "finishReason")} & spoken
    return ended


def _speaking(chunk: Any) -> set[int]:
    """List the candidates that a response says something of."""
    listed = objects(mapping(chunk).get("candidates"))
    parts = ((index_of(candidate) or 0, mapping(candidate.get("content")).get("parts")) for _, candidate in listed)
    return {
        index for index, held_parts in parts if isinstance(held_parts, list) and not all(map(_says_nothing, held_parts))
    }


def resumes(chunk: Any, before: Sequence[Any]) -> bool:
    """Say whether a response goes on with an answer after responses of others: it has its id, and the answer had not ended."""
    name = held(chunk, "responseId") if is_chunk(chunk) else None
    return bool(name) and name == held(mapping(before[-1]), "responseId") and not _is_over(before)


def _is_over(before: Sequence[Any]) -> bool:
    return any(
        held(candidate, "finishReason")
        for piece in before[-2:]
        for _, candidate in objects(mapping(piece).get("candidates"))
    )


def assemble(chunks: Sequence[Any]) -> Assembled:
    """Join responses to one."""
    ledger = Ledger()
    value: dict[str, Any] = {}
    candidates: dict[int, dict[str, Any]] = {}
    for chunk in ledger.pieces(chunks):
        if not is_chunk(chunk):
            ledger.lose_between(chunk)
            continue
        value.setdefault("candidates", None)
        renew(value, chunk, skip=("candidates",))
        for place, candidate in objects(chunk.get("candidates")):
            index = index_of(candidate) or 0
            _add(candidates.setdefault(index, {}), candidate, ledger, f"/candidates/{place}")
    if candidates:
        value["candidates"] = in_order(candidates)
    elif value.get("candidates") is None:
        value.pop("candidates", None)
    is_complete = (
        all(held(candidate, "finishReason") for candidate in candidates.values())
        if candidates
        else (held(value, "promptFeedback") is not None)
    )
    return Assembled(settled(value), is_complete, ledger.told())


def _add(known: dict[str, Any], candidate: dict[str, Any], ledger: Ledger, path: str) -> None:
    """Add what came of a candidate."""
    for key, item in candidate.items():
        if key == "content" and isinstance(item, dict):
            content = known[key] = dict(mapping(known.get(key)))
            for name, inner in item.items():
                if name == "parts" and isinstance(inner, list):
                    content[name] = _grown(content.get(name), inner)
                elif inner is not None or name not in content:
                    content[name] = inner
        elif isinstance(item, dict) and isinstance(known.get(key), dict):
            found = known[key] = dict(known[key])
            for name, inner in item.items():
                if _camel(name) in _LISTS and isinstance(inner, list):
                    append(found, name, [one for one in inner if one not in (found.get(name) or ())], ledger, path)
                else:
                    renew(found, {name: inner})
        elif item is not None or key not in known:
            known[key] = item


def _camel(name: str) -> str:
    head, *tail = name.split("_")
    return head + "".join(map(str.capitalize, tail))


def _grown(known: Any, parts: list[Any]) -> list[Any]:
    """Add parts; adjacent texts of the same `thought` are one part, as in an answer that is not streamed.

    That part has the signature that came with any piece of its text, often an empty one at the end
    (https://ai.google.dev/gemini-api/docs/thought-signatures); a second signature begins another part.
    """
    grown: list[Any] = known if isinstance(known, list) else []
    for part in parts:
        last = grown[-1] if grown else None
        if isinstance(last, dict) and isinstance(part, dict) and _goes_on(last, part):
            append(last, "text", part["text"], Ledger(), "")
            last.update({key: item for key, item in part.items() if key in _SIGNATURES and item is not None})
        elif isinstance(last, dict) and isinstance(part, dict) and _is_rest_of_call(last, part):
            _join_call(last, part)
        elif not grown or not _says_nothing(part):
            if _says_nothing(last):
                grown.pop()
            grown.append(_begun(part))
    return grown


def _begun(part: Any) -> Any:
    """Copy a part that may be added to; arguments of a call that came in pieces already are joined."""
    if not isinstance(part, dict):
        return part
    begun = dict(part)
    call = held(begun, "functionCall")
    if isinstance(call, dict) and isinstance(held(call, "partialArgs"), list):
        key = "functionCall" if "functionCall" in begun else snake("functionCall")
        begun[key] = {name: item for name, item in call.items() if name not in _PARTIAL}
        _add_arguments(begun[key], call)
    return begun


def _is_rest_of_call(last: Mapping[str, Any], part: Mapping[str, Any]) -> bool:
    """Say whether a part continues a call whose arguments are streamed, as Vertex AI does when asked to."""
    call, rest = held(last, "functionCall"), held(part, "functionCall")
    return (
        isinstance(call, dict) and isinstance(rest, dict) and bool(held(call, "willContinue")) and not rest.get("name")
    )


def _join_call(last: dict[str, Any], part: Mapping[str, Any]) -> None:
    """Add a piece of a call; the mark that it goes on stays until its last piece."""
    key = "functionCall" if "functionCall" in last else snake("functionCall")
    rest = mapping(held(part, "functionCall"))
    call = last[key] = dict(last[key])
    _add_arguments(call, rest)
    for name in _CONTINUES:
        if name in call and not held(rest, "willContinue"):
            del call[name]
    last.update({name: item for name, item in part.items() if name not in (key, "functionCall") and item is not None})


def _add_arguments(call: dict[str, Any], rest: Mapping[str, Any]) -> None:
    """Set the arguments that pieces name by their JSONPath; a text goes on with what came of it before."""
    arguments: dict[str, Any] = {"$": dict(mapping(call.get("args")))}
    partial = held(rest, "partialArgs")
    for _, piece in objects(partial):
        keys = _keys_of(held(piece, "jsonPath"))
        kind = next((name for name in _VALUES if held(piece, name) is not None), None)
        if keys is None or kind is None or not _set(arguments, ["$", *keys], held(piece, kind), kind):
            append(call, "partialArgs", [piece], Ledger(), "")
    call["args"] = arguments["$"]


def _keys_of(path: Any) -> list[str | int] | None:
    """Split a JSONPath of names and indices; None for any other."""
    if not isinstance(path, str) or not _PATH.fullmatch(path):
        return None
    return [int(index) if index else name or quoted for name, quoted, index in _STEP.findall(path)]


def _set(holder: Any, keys: list[str | int], value: Any, kind: str) -> bool:
    """Set a value in nested objects and lists, which are made where they are missing; false where there is no such place."""
    for key, after in pairwise(keys):
        empty: Any = [] if isinstance(after, int) else {}
        if not _has_place(holder, key):
            return False
        inner = _at(holder, key)
        inner = empty if inner is None else inner.copy() if isinstance(inner, dict | list) else inner
        _put(holder, key, inner)
        holder = inner
    if not _has_place(holder, keys[-1]):
        return False
    known = _at(holder, keys[-1])
    is_more = kind == "stringValue" and isinstance(known, str) and isinstance(value, str)
    _put(holder, keys[-1], known + value if is_more else None if kind == "nullValue" else value)
    return True


def _has_place(holder: Any, key: str | int) -> bool:
    return isinstance(holder, dict) if isinstance(key, str) else isinstance(holder, list) and key <= len(holder)


def _at(holder: Any, key: str | int) -> Any:
    if isinstance(key, int):
        return holder[key] if key < len(holder) else None
    return holder.get(key)


def _put(holder: Any, key: str | int, value: Any) -> None:
    if isinstance(key, int) and key == len(holder):
        holder.append(value)
    else:
        holder[key] = value


def _goes_on(last: Mapping[str, Any], part: Mapping[str, Any]) -> bool:
    """Say whether a text goes on: both are of the same kind, and no two signatures differ."""
    is_alike = _is_text(last) and _is_text(part) and bool(last.get("thought")) == bool(part.get("thought"))
    known, said = held(last, _SIGNATURE), held(part, _SIGNATURE)
    return is_alike and not (known and said and known != said)


def _is_text(part: Mapping[str, Any]) -> bool:
    said = {key for key, item in part.items() if item is not None}
    return "text" in said and said <= _TEXT_KEYS and isinstance(part["text"], str | Pieces)


def _says_nothing(part: Any) -> bool:
    """Say whether a part is a text with nothing in it and no signature, as the last piece of a stream often is."""
    return isinstance(part, dict) and part.get("text") == "" and _is_text(part) and not held(part, _SIGNATURE)
