"""Calls and results in Bedrock logs that stand where no reader looks for them."""

from typing import Any

from lighter.passage import Entry
from lighter.strays import (
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
    calls, results = _misplaced_blocks(raw)
    blanks, nameless = _broken_calls(entry, raw)
    return strays(calls | foreign_calls(raw), results | results_without_a_role(raw), blanks, nameless)


def _misplaced_blocks(raw: dict[str, Any]) -> tuple[set[str], set[str]]:
    """Find the ids of calls outside an assistant's message, and of results outside a user's."""
    role = raw.get("role")
    calls, results = set[str](), set[str]()
    for _, block in blocks_in(raw):
        match block:
            case {"toolUse": dict(call)} if role != "assistant":
                calls.add(id_text(call.get("toolUseId")))
            case {"toolResult": dict(result)} if role != "user":
                results.add(id_text(result.get("toolUseId")))
    return calls, results


def _broken_calls(entry: Entry, raw: dict[str, Any]) -> tuple[int, tuple[tuple[str, str, str], ...]]:
    """Look at the assistant's `toolUse` blocks that were not read as calls: without a name or input, or with an odd id."""
    if raw.get("role") != "assistant":
        return 0, ()
    read, blanks, nameless = places_of_calls(entry), 0, []
    for index, block in blocks_in(raw):
        place = f"{entry.wire.path}/content/{index}"
        if "toolUse" not in block or place in read:
            continue
        call = block["toolUse"] if isinstance(block["toolUse"], dict) else {}
        if "name" in call or "input" in call:
            nameless.append((place, id_text(call.get("toolUseId")), id_text(call.get("name"))))
        else:
            blanks += 1
    return blanks, tuple(nameless)
