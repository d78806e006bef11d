"""Edits that take a call away from a LangChain message: out of its lists, and wherever else in the message it stands once more."""

from collections.abc import Iterator, Mapping
from typing import Any

from lighter.conversation import WireMessage
from lighter.edits import Drop, Edit
from lighter.edits_messages import dropping
from lighter.formats._langchain import Unwrapped, content_key, unwrap
from lighter.jsontext import step
from lighter.pairs import CallAt
from lighter.passage import Passage

_ID_KEYS: Mapping[str, str] = {
    "tool_use": "id",
    "tool_call": "id",
    "invalid_tool_call": "id",
    "function_call": "call_id",
}
"""Under which keys the blocks in content that are calls have their ids, by their types."""
_THOUGHTS = ("thinking", "redacted_thinking", "reasoning")


def dropped_with_copies(passage: Passage, call: CallAt) -> tuple[Edit, ...]:
    """Take a call and its copies away; the message with them where only calls without results and thoughts are in it."""
    wire = call.wire
    unwrapped = unwrap(wire.raw)
    if unwrapped is None:
        return ()
    lost = (*passage.pairing.unanswered, *passage.pairing.pending)
    all_lost = {place for other in lost if other.wire is wire for place in _places(wire, unwrapped, other)}
    if not _says_more(wire, unwrapped, all_lost):
        whole = dropping(passage, wire)
        return whole.edits if whole else ()
    return tuple(Drop(wire.record, place) for place in _places(wire, unwrapped, call))


def _places(wire: WireMessage, unwrapped: Unwrapped, call: CallAt) -> Iterator[str]:
    """Point at the entries, blocks and pieces that are a call; one without an id stands in one place alone."""
    found = {call.path: None}
    if call.call_id:
        found |= {path: None for path, entry in _entries(wire, unwrapped) if _id_of(entry) == call.call_id}
    yield from found


def _entries(wire: WireMessage, unwrapped: Unwrapped) -> Iterator[tuple[str, Any]]:
    """List what may be a call in a message, with its place."""
    fields, base = unwrapped.fields, wire.path + unwrapped.prefix
    kept = fields.get("additional_kwargs")
    listed = {f"{base}/{key}": fields.get(key) for key in ("tool_calls", "invalid_tool_calls", "tool_call_chunks")}
    listed[f"{base}/additional_kwargs/tool_calls"] = kept.get("tool_calls") if isinstance(kept, dict) else None
    listed[wire.path + unwrapped.content_at] = [block if _is_call(block) else None for block in _blocks(unwrapped)]
    if isinstance(kept, dict) and kept.get("function_call"):
        yield f"{base}/additional_kwargs/function_call", kept["function_call"]
    for path, entries in listed.items():
        yield from ((path + step(n), entry) for n, entry in enumerate(entries if isinstance(entries, list) else ()))


def _id_of(entry: Any) -> Any:
    if not isinstance(entry, dict):
        return None
    kind = entry.get("type")
    return entry.get(_ID_KEYS.get(kind, "id") if isinstance(kind, str) else "id")


def _blocks(unwrapped: Unwrapped) -> list[Any]:
    content = unwrapped.fields.get(content_key(unwrapped.fields))
    return content if isinstance(content, list) else []


def _is_call(block: Any) -> bool:
    return isinstance(block, dict) and isinstance(kind := block.get("type"), str) and kind in _ID_KEYS


def _says_more(wire: WireMessage, unwrapped: Unwrapped, lost: set[str]) -> bool:
    """Say whether a message says anything but calls that are lost, and thoughts that led to them."""
    content = unwrapped.fields.get(content_key(unwrapped.fields))
    if isinstance(content, str) and content:
        return True
    path = wire.path + unwrapped.content_at
    said = (block for n, block in enumerate(_blocks(unwrapped)) if path + step(n) not in lost)
    if any(not (isinstance(block, dict) and block.get("type") in _THOUGHTS) for block in said):
        return True
    return any(path not in lost for path, entry in _entries(wire, unwrapped) if entry is not None)
