"""Calls and results of a format without a module of its own: what its reader made of them, with their places."""

from collections.abc import Iterator
from typing import Any

from msgspec import UNSET

from lighter import jsontext
from lighter.conversation import BlockOrigin
from lighter.messages import ToolCall, ToolMessage, blocks_of
from lighter.passage import Entry, Passage
from lighter.toolwire import Arguments, Keys, WireCall, WireResult
from lighter.wires._arguments import text_or_object


def calls_of(passage: Passage) -> Iterator[WireCall]:
    """Give the calls that others than the provider must answer."""
    for entry in passage.entries:
        for block, origin in zip(blocks_of(entry.message), entry.origin.blocks, strict=False):
            if isinstance(block, ToolCall) and block.kind != "server" and (call := _call(entry, block, origin)):
                yield call


def results_of(passage: Passage) -> Iterator[WireResult]:
    """Give the tool results."""
    for entry in passage.entries:
        if isinstance(entry.message, ToolMessage) and (path := entry.origin.fields.get("call_id")):
            above, _, key = path.rpartition("/")
            raw = _value_at(entry, above)
            if isinstance(raw, dict):
                place = entry.origin.path if entry.origin.path != entry.wire.path else above
                yield WireResult(entry.wire, place, raw, above, key)


def _call(entry: Entry, block: ToolCall, origin: BlockOrigin) -> WireCall | None:
    """Read a call off the object that holds its name and its arguments."""
    inside, _, name = origin.fields.get("tool_name", "").rpartition("/")
    raw, holder = _value_at(entry, origin.path), _value_at(entry, origin.path + inside)
    if not name or not isinstance(raw, dict) or not isinstance(holder, dict):
        return None
    above, _, call_id = origin.fields.get("call_id", "/id").rpartition("/")
    arguments = origin.fields.get("arguments", "/arguments").rpartition("/")[2]
    keys = Keys(id=call_id, name=name, arguments=arguments, is_id_inside=bool(inside) and above == inside)
    shape: Any = block.kind if block.kind in ("custom", "legacy") else "function"
    read = Arguments("free") if shape == "custom" else text_or_object(holder.get(arguments, UNSET))
    return WireCall(entry.wire, origin.path, raw, shape, holder, origin.path + inside, read, keys)


def _value_at(entry: Entry, path: str) -> Any:
    try:
        return jsontext.value_at(entry.wire.record.value, path)
    except LookupError:
        return None
