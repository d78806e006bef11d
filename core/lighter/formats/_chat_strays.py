"""Calls and results in chats of OpenAI's general shape that stand where no reader looks for them."""

from typing import Any

from lighter.messages import AssistantMessage
from lighter.passage import Entry
from lighter.strays import (
    COUNTLESS,
    NONE,
    Strays,
    blocks_in,
    foreign_calls,
    id_text,
    places_of_calls,
    results_without_a_role,
    strays,
)


def strays_of(entry: Entry) -> Strays:
    """List the strays of the wire message that an entry was read from."""
    raw = entry.wire.raw
    if not isinstance(raw, dict):
        return NONE
    calls, results = _foreign_blocks(raw)
    blanks: int = 0
    nameless: tuple[tuple[str, str, str], ...] = ()
    if isinstance(entry.message, AssistantMessage):
        broken, blanks, nameless = _broken_calls(entry, raw)
        calls |= broken
    else:
        calls |= foreign_calls(raw)
    if raw.get("role") not in ("tool", "function"):
        results |= results_without_a_role(raw)
    return strays(calls, results, blanks, nameless)


def _foreign_blocks(raw: dict[str, Any]) -> tuple[set[str], set[str]]:
    """Find the ids of calls and results in Anthropic's form."""
    calls, results = set[str](), set[str]()
    for _, block in blocks_in(raw):
        match block.get("type"):
            case "tool_use":
                calls.add(id_text(block.get("id")))
            case "tool_result":
                results.add(id_text(block.get("tool_use_id")))
    return calls, results


def _broken_calls(entry: Entry, raw: dict[str, Any]) -> tuple[set[str], int, tuple[tuple[str, str, str], ...]]:
    """Look at the entries of `tool_calls` that were not read as calls: those without a name, and those beyond repair."""
    read = places_of_calls(entry)
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
