"""Joining the events of the Responses API's streams (https://platform.openai.com/docs/api-reference/responses-streaming).

The last event holds the whole answer. Where a stream breaks off, the items that were done are whole, and what came of the one
after them is joined.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from lighter.formats._streaming import Assembled, Ledger, append, in_order, index_of, mapping, settled

_LAST = ("response.completed", "response.incomplete", "response.failed")
_TELLING = ("sequence_number", "response", "item", "item_id", "output_index", "delta")

_PARTS: Mapping[str, tuple[str, str, str, str]] = {
    "response.output_text": ("content", "content_index", "output_text", "text"),
    "response.refusal": ("content", "content_index", "refusal", "refusal"),
    "response.reasoning_text": ("content", "content_index", "reasoning_text", "text"),
    "response.reasoning_summary_text": ("summary", "summary_index", "summary_text", "text"),
}
"""Events with a piece of a part of an item: the list that holds the part, the key of its index, its type, and its text's key."""

_FIELDS: Mapping[str, tuple[str, str]] = {
    "response.function_call_arguments": ("function_call", "arguments"),
    "response.mcp_call_arguments": ("mcp_call", "arguments"),
    "response.custom_tool_call_input": ("custom_tool_call", "input"),
    "response.code_interpreter_call_code": ("code_interpreter_call", "code"),
}
"""Events with a piece of a field of an item: the item's type and the field."""

_BESIDE = ("partial_image_b64", "partial_image")
"""Pictures on the way to the one that the item holds at last."""


def is_chunk(value: Any) -> bool:
    """Say whether a value is an event of a stream of a response."""
    if not isinstance(value, dict) or "role" in value:
        return False
    kind = value.get("type")
    return isinstance(kind, str) and kind.startswith("response.") and any(key in value for key in _TELLING)


def begins(chunk: Any, before: Sequence[Any]) -> bool:
    """Say whether an event is of another response than those before it."""
    if chunk.get("type") == "response.created" or mapping(before[-1]).get("type") in _LAST:
        return True
    other = _names([chunk])  # most events name no response
    return bool(other) and bool(own := _names(before)) and own.isdisjoint(other)


def resumes(chunk: Any, before: Sequence[Any]) -> bool:
    """Say whether an event goes on with a response after events of others: it names it, or, like most of them, none at all."""
    if not is_chunk(chunk) or mapping(before[-1]).get("type") in _LAST:
        return False
    named = _names([chunk])
    return not named or not named.isdisjoint(_names(before))


def _names(chunks: Sequence[Any]) -> set[str]:
    """Give the ids of the responses that events name."""
    found = (mapping(mapping(chunk).get("response")).get("id") for chunk in chunks)
    return {name for name in found if isinstance(name, str) and name}


def assemble(chunks: Sequence[Any]) -> Assembled:
    """Join events to one response."""
    ledger = Ledger()
    last = next((c for c in reversed(chunks) if c.get("type") in _LAST and isinstance(c.get("response"), dict)), None)
    is_whole = last is not None and bool(last["response"].get("output"))
    response: dict[str, Any] = {}
    items: dict[int, dict[str, Any]] = {}
    done: set[int] = set()
    for chunk in ledger.pieces(chunks):
        kind = str(chunk.get("type"))
        if isinstance(chunk.get("response"), dict):
            response |= chunk["response"]
        elif not kind.startswith("response."):
            ledger.lose_between(chunk)
        elif any(key in chunk for key in _BESIDE) or kind.startswith("response.audio."):
            ledger.lose(
                "/delta" if "delta" in chunk else f"/{_BESIDE[0]}", "stream-delta", "the response has no place for it"
            )
        elif not is_whole:
            _add(items, done, chunk, kind, ledger)
    if not is_whole:
        listed = response.get("output")
        known = dict(enumerate(listed)) if isinstance(listed, list) else {}
        response["output"] = in_order(known | items)
    response.setdefault("object", "response")
    return Assembled(settled(response), last is not None, ledger.told())


def _add(items: dict[int, dict[str, Any]], done: set[int], chunk: dict[str, Any], kind: str, ledger: Ledger) -> None:
    """Add an event to its item; what comes of an item that is done repeats it."""
    index = _index(items, chunk)
    stem, _, phase = kind.rpartition(".")
    match chunk:
        case {"item": dict(item)}:
            items[index] = {key: _own(held) for key, held in item.items()}
            done |= {index} if phase == "done" else set()
        case _ if index in done:
            pass
        case {"part": dict(part)}:
            where = ("summary", "summary_index") if "summary" in stem else ("content", "content_index")
            part_of = _part(_item(items, index, chunk, where[0]), chunk, *where)
            if phase == "done" or not part_of:
                part_of.update(part)
        case _ if stem in _PARTS:
            holder, index_key, part_type, text = _PARTS[stem]
            part_of = _part(_item(items, index, chunk, holder), chunk, holder, index_key)
            part_of.setdefault("type", part_type)
            _add_text(part_of, text, chunk, phase, ledger)
        case _ if stem in _FIELDS:
            item_type, field = _FIELDS[stem]
            item = items.setdefault(index, {"type": item_type, **_id(chunk)})
            _add_text(item, field, chunk, phase, ledger)
        case {"annotation": annotation}:
            part_of = _part(_item(items, index, chunk, "content"), chunk, "content", "content_index")
            append(part_of, "annotations", [annotation], ledger, "")
        case {"delta": _} | {"command": _}:
            ledger.lose(
                "/delta" if "delta" in chunk else "/command", "stream-delta", "a piece of a kind that is not known"
            )
        case _:
            pass  # a change of status, which the item says itself


def _own(value: Any) -> Any:
    """Copy a list of parts, which are to be added to."""
    return [dict(part) if isinstance(part, dict) else part for part in value] if isinstance(value, list) else value


def _add_text(holder: dict[str, Any], key: str, chunk: dict[str, Any], phase: str, ledger: Ledger) -> None:
    """Add a piece of text, or the whole of it once it is done."""
    if phase == "delta" and isinstance(chunk.get("delta"), str):
        append(holder, key, chunk["delta"], ledger, "")
    elif phase == "done" and isinstance(chunk.get(key), str):
        holder[key] = chunk[key]
    if chunk.get("logprobs") and phase == "delta":
        append(holder, "logprobs", chunk["logprobs"], ledger, "")


def _index(items: dict[int, dict[str, Any]], chunk: dict[str, Any]) -> int:
    """Tell which item an event is of; by its id when no index is said."""
    index = index_of(chunk, "output_index")
    if index is not None:
        return index
    if isinstance(chunk.get("item"), dict):
        chunk = {"item_id": chunk["item"].get("id")}
        beyond = max(items, default=-1) + 1
    else:
        beyond = max(items, default=0)
    return next((known for known, item in items.items() if item.get("id") == chunk.get("item_id") is not None), beyond)


def _id(chunk: dict[str, Any]) -> dict[str, Any]:
    return {"id": chunk["item_id"]} if "item_id" in chunk else {}


def _item(items: dict[int, dict[str, Any]], index: int, chunk: dict[str, Any], holder: str) -> dict[str, Any]:
    """Find an item, or begin it where its start is missing."""
    kind = str(chunk.get("type"))
    is_thought = holder == "summary" or "reasoning" in kind
    begun = {"type": "reasoning"} if is_thought else {"type": "message", "role": "assistant"}
    return items.setdefault(index, {**begun, **_id(chunk)})


def _part(item: dict[str, Any], chunk: dict[str, Any], holder: str, index_key: str) -> dict[str, Any]:
    """Find a part of an item, or begin it."""
    if not isinstance(item.get(holder), list):
        item[holder] = []
    parts: list[Any] = item[holder]
    index = min(index_of(chunk, index_key) or 0, len(parts))
    if index == len(parts):
        parts.append({})
    if not isinstance(parts[index], dict):
        parts[index] = {}
    found: dict[str, Any] = parts[index]
    return found
