"""Calls in LangChain's messages that no reader takes for calls, which have that fault alone: their results are nobody's orphans."""

from collections.abc import Iterator, Mapping
from typing import Any

from lighter.formats._langchain import FAMILY, unwrap
from lighter.formats._langchain_calls import ENTRY, INVALID_ENTRY
from lighter.jsontext import step
from lighter.messages import AssistantMessage, OpaqueBlock, blocks_of
from lighter.passage import Entry
from lighter.strays import COUNTLESS, NONE, Strays, id_text, places_of_calls, strays

_LISTS = ("tool_calls", "invalid_tool_calls")


def strays_of(entry: Entry) -> Strays:
    """List the strays of the message that an entry was read from."""
    if not _has_broken_calls(entry):
        return NONE
    unwrapped = unwrap(entry.wire.raw)
    if unwrapped is None:
        return NONE
    read, base = places_of_calls(entry), entry.wire.path + unwrapped.prefix
    ids, blanks, nameless = set[str](), 0, list[tuple[str, str, str]]()
    if unwrapped.fields.get("tool_calls") and not isinstance(unwrapped.fields["tool_calls"], list):
        blanks = COUNTLESS
    for place, call in _entries(unwrapped.fields):
        if base + place in read:
            continue
        match call:
            case {"name": _} | {"args": _}:
                nameless.append((base + place, id_text(call.get("id")), id_text(call.get("name"))))
            case {"id": call_id} if id_text(call_id):
                ids.add(id_text(call_id))
            case _:
                blanks += 1
    return strays(ids, set(), blanks, tuple(nameless))


def _has_broken_calls(entry: Entry) -> bool:
    """Say whether the reader kept something of the calls as it was; most messages are not looked at any further."""
    message = entry.message
    if not isinstance(message, AssistantMessage):
        return False
    blocks = (block for block in blocks_of(message) if isinstance(block, OpaqueBlock))
    is_kept = any(block.native_type in (ENTRY, INVALID_ENTRY) for block in blocks)
    return is_kept or any(extra.format == FAMILY and extra.path.rpartition("/")[2] in _LISTS for extra in message.ext)


def _entries(fields: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    """List the entries of both lists of calls, with their places among the fields."""
    for key in _LISTS:
        listed = fields.get(key)
        yield from ((f"/{key}{step(n)}", call) for n, call in enumerate(listed if isinstance(listed, list) else ()))
