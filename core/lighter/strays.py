"""Tool calls and results that stand where no reader looks for them: broken entries, wrong roles, another format's shapes.

Each of them is the fault of a rule of its own; pairing needs to know them so as not to report their other ends as well.
"""

from collections.abc import Iterator
from typing import Any

from msgspec import Struct

from lighter.messages import AssistantMessage, ToolCall, blocks_of
from lighter.passage import Entry

COUNTLESS = 1_000_000
"""Stands for the number of calls when `tool_calls` is no list at all."""


class Strays(Struct, frozen=True):
    """What a message holds besides its proper calls and results.

    `calls`: ids of calls whose results are nobody's orphans. `results`: ids of calls that are answered in the wrong place.
    `blanks`: how many calls have no id that could be told. `nameless`: pointers, ids and names of calls that lack only
    one of their parts, mostly the name.
    """

    calls: frozenset[str] = frozenset()
    results: frozenset[str] = frozenset()
    blanks: int = 0
    nameless: tuple[tuple[str, str, str], ...] = ()


NONE = Strays()


def id_text(value: Any) -> str:
    """Give an id as text; empty when there is none. Numbers pair with their text."""
    match value:
        case str():
            return value
        case int() if not isinstance(value, bool):
            return str(value)
        case _:
            return ""


def strays_of(entry: Entry, format_name: str) -> Strays:
    """List the strays of the wire message that an entry was read from."""
    raw = entry.wire.raw
    if not isinstance(raw, dict) or format_name == "lighter":
        return NONE
    calls, results = _blocks(raw, format_name)
    blanks = 0
    nameless: tuple[tuple[str, str, str], ...] = ()
    if format_name == "openai-chat" and isinstance(entry.message, AssistantMessage):
        broken, blanks, nameless = _broken_calls(entry, raw)
        calls |= broken
    else:
        blanks, nameless = _broken_blocks(entry, raw) if format_name == "anthropic" else (0, ())
        calls |= _foreign_calls(raw)
    if raw.get("role") not in ("tool", "function") or format_name != "openai-chat":
        results.add(id_text(raw.get("tool_call_id")))
    if not (blanks or nameless or calls or results - {""}):
        return NONE
    return Strays(frozenset(calls - {""}), frozenset(results - {""}), blanks, nameless)


def _blocks(raw: dict[str, Any], format_name: str) -> tuple[set[str], set[str]]:
    """Find blocks in Anthropic's shape outside the turn that they belong to."""
    role = raw.get("role") if format_name == "anthropic" else None
    calls, results = set[str](), set[str]()
    for _, block in blocks_in(raw):
        match block.get("type"):
            case "tool_use" if role != "assistant":
                calls.add(id_text(block.get("id")))
            case "tool_result" if role != "user":
                results.add(id_text(block.get("tool_use_id")))
    return calls, results


def blocks_in(raw: Any) -> Iterator[tuple[int, dict[str, Any]]]:
    """Yield the content blocks of a wire message that are objects, with their indices."""
    content = raw.get("content") if isinstance(raw, dict) else None
    for index, block in enumerate(content if isinstance(content, list) else ()):
        if isinstance(block, dict):
            yield index, block


def _foreign_calls(raw: dict[str, Any]) -> set[str]:
    """Give the ids of calls in OpenAI's form, where none belong."""
    listed = raw.get("tool_calls")
    return {id_text(call.get("id")) for call in listed if isinstance(call, dict)} if isinstance(listed, list) else set()


def _read_calls(entry: Entry) -> set[str]:
    """Give the places of what was read as calls."""
    blocks = zip(blocks_of(entry.message), entry.origin.blocks, strict=False)
    return {origin.path for block, origin in blocks if isinstance(block, ToolCall)}


def _broken_blocks(entry: Entry, raw: dict[str, Any]) -> tuple[int, tuple[tuple[str, str, str], ...]]:
    """Look at the assistant's `tool_use` blocks that were not read as calls: without a name or input, or with an odd id."""
    if raw.get("role") != "assistant":
        return 0, ()
    read, blanks, nameless = _read_calls(entry), 0, []
    for index, block in blocks_in(raw):
        place = f"{entry.wire.path}/content/{index}"
        if block.get("type") != "tool_use" or place in read:
            continue
        if "name" in block or "input" in block:
            nameless.append((place, id_text(block.get("id")), id_text(block.get("name"))))
        else:
            blanks += 1
    return blanks, tuple(nameless)


def _broken_calls(entry: Entry, raw: dict[str, Any]) -> tuple[set[str], int, tuple[tuple[str, str, str], ...]]:
    """Look at the entries of `tool_calls` that were not read as calls: those without a name, and those beyond repair."""
    read = _read_calls(entry)
    path, listed = entry.wire.path, raw.get("tool_calls")
    ids, blanks, nameless = set[str](), 0, []
    if listed is not None and not isinstance(listed, list):
        blanks = COUNTLESS
    if raw.get("function_call") and f"{path}/function_call" not in read:
        blanks += 1
    for index, call in enumerate(listed if isinstance(listed, list) else ()):
        place = f"{path}/tool_calls/{index}"
        if place in read:
            continue
        match call:
            case {"function": {"name": _} | {"arguments": _}} | {
                "type": "custom",
                "custom": {"name": _} | {"input": _},
            }:
                nameless.append((place, id_text(call.get("id")), ""))
            case {"id": str() | int() as call_id} if id_text(call_id):
                ids.add(id_text(call_id))
            case _:
                blanks += 1
    return ids, blanks, tuple(nameless)
