"""Edits that make calls and results pair: a result that says there is none, and calls and results that are taken away."""

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any

from lighter import jsontext
from lighter.broken import leaves
from lighter.conversation import Conversation, WireMessage
from lighter.edits import Copied, Drop, Edit, Insert, Put, Repair, copied_items, drop_message, insert_message
from lighter.edits_messages import (
    dropping,
    dropping_blocks,
    key_of_content,
    listed_blocks,
    may_move,
    moved_after,
    text_block,
)
from lighter.envelope import open_value
from lighter.formats import get, is_read_only, trait
from lighter.formats._langchain import FORMS as LANGCHAIN
from lighter.messages import AssistantMessage, ToolCall, ToolMessage
from lighter.pairs import NO_RESULT, CallAt, ResultAt
from lighter.passage import Passage
from lighter.rules._items import is_of_model, kind_of
from lighter.toolwire import tool_calls
from lighter.wire import fields_of
from lighter.wires import ids_are_optional, results_stand_together

_STAND_IN = "standin01"
"""An id that every format takes."""
_LISTED_CALL = re.compile(r"(.*)/(?:(tool_calls)/(\d+)|function_call)")


def answered(passage: Passage, call: CallAt) -> Repair | None:
    """Give a call a result that says there is none, behind the other results of its turn; or take the call away."""
    # A blank id names no call: a result for it would answer none.
    is_named = bool(call.call_id and call.call_id.strip())
    edits = _placeholder(passage, call) if is_named or ids_are_optional(passage.format) else ()
    without = dropped_call(passage, call)
    if not edits:
        return Repair(without, message="drop the call") if without else None
    return Repair(edits, message="" if without else "insert an error result that says there is none", dropping=without)


def _placeholder(passage: Passage, call: CallAt) -> tuple[Edit, ...]:
    made = _made_result(passage, call)
    if made is None or not may_move(passage, call.wire):
        return ()
    if not results_stand_together(passage.format) and passage.format != "anthropic":
        return (insert_message(_last_of_turn(passage, call), made, is_after=True),)
    following = next((wire for wire in passage.messages if wire.index == call.wire.index + 1), None)
    key = "parts" if "parts" in made else "content"
    if following is None or fields_of(following).get("role") != made.get("role") or not isinstance(made.get(key), list):
        return (insert_message(call.wire, made, is_after=True),)
    return _in_message(passage, call, following, key, made[key])


def _in_message(
    passage: Passage, call: CallAt, following: WireMessage, key: str, blocks: list[Any]
) -> tuple[Edit, ...]:
    """Put a result into the message that holds those of its turn, behind these, or at its front."""
    path = f"{following.path}/{key}"
    held = fields_of(following).get(key)
    if isinstance(held, str):
        return (Put(following.record, path, [*blocks, text_block(passage, held)] if held else blocks),)
    if not isinstance(held, list) or not held:
        return (Put(following.record, path, blocks),)
    own = [r.path for c, r in passage.pairing.answers if r.wire is following and c.wire is call.wire]
    if not own and passage.format == "gemini":
        return (insert_message(call.wire, {"role": "user", "parts": blocks}, is_after=True),)
    if not own:
        return tuple(Insert(following.record, f"{path}/0", block) for block in blocks)
    last = max(own, key=lambda place: int(place.rpartition("/")[2]) if place.rpartition("/")[2].isdecimal() else 0)
    return tuple(Insert(following.record, last, block, is_after=True) for block in blocks)


def moved_back(passage: Passage, call: CallAt, result: ResultAt) -> Repair | None:
    """Move a result alone out of a message with results of other calls, to those of its own turn."""
    wire, key = result.wire, key_of_content(result.wire)
    index = result.path[len(f"{wire.path}/{key}/") :]
    following = next((other for other in passage.messages if other.index == call.wire.index + 1), None)
    if key is None or not index.isdecimal() or following is None or not may_move(passage, call.wire, following):
        return None
    block = Copied(wire.record, result.path)
    if fields_of(following).get("role") == "user":
        edits = _in_message(passage, call, following, key, [block])
    else:
        edits = (insert_message(call.wire, {"role": "user", key: [block]}, is_after=True),)
    taken = dropping_blocks(passage, wire, (int(index),))
    return Repair((*taken, *edits), "unsafe", "move the late result alone back to its call") if taken else None


def _last_of_turn(passage: Passage, call: CallAt) -> WireMessage:
    """Give the message after which a further result of a turn belongs."""
    siblings = [result.wire for other, result in passage.pairing.answers if other.wire is call.wire]
    return max((call.wire, *siblings, *_calls_after(passage, call)), key=lambda wire: wire.index)


def _calls_after(passage: Passage, call: CallAt) -> Iterator[WireMessage]:
    """Give the messages that go on with the calls of a turn, where each call is a message of its own."""
    if passage.format not in ("openai-responses", "gemini-interactions"):
        return
    for wire in passage.messages:
        if wire.index > call.wire.index:
            if fields_of(wire).get("type") not in ("function_call", "custom_tool_call"):
                return
            yield wire


def _made_result(passage: Passage, call: CallAt) -> dict[str, Any] | None:
    """Write a result that says there is none, in the form of the passage's format; None where that has no such form.

    Writing replaces an id that the format does not take, with which the result would answer no call.
    """
    made = _written_result(passage, call, call.call_id)
    if made is None or not call.call_id or call.call_id in (leaf for _, leaf in leaves(made)):
        return made
    made = _written_result(passage, call, _STAND_IN)
    return None if made is None else {key: _with_id(value, call.call_id) for key, value in made.items()}


def _with_id(value: Any, call_id: str) -> Any:
    """Put a call's id in the place of the one that stands for it."""
    match value:
        case dict():
            return {key: _with_id(item, call_id) for key, item in value.items()}
        case list():
            return [_with_id(item, call_id) for item in value]
        case _:
            return call_id if value == _STAND_IN else value


def _written_result(passage: Passage, call: CallAt, call_id: str | None) -> dict[str, Any] | None:
    writer = get(passage.format)
    # The result of a native call may be a screenshot: there is none that says nothing.
    if call.kind == "native" or is_read_only(writer):
        return None
    is_error = True if trait(passage.format, "HAS_ERROR_FLAG", otherwise=False) else None
    asked = ToolCall(call_id or "call", call.tool_name, "{}", kind=call.kind, is_id_synthetic=not call_id)
    told = ToolMessage(
        asked.call_id, call.tool_name, NO_RESULT, is_error, kind=call.kind, is_id_synthetic=asked.is_id_synthetic
    )
    written = writer.write(Conversation((AssistantMessage("", tool_calls=(asked,)), told)))
    bodies = open_value(written.value).bodies
    if not bodies or len(bodies[0].messages) < 2:
        return None
    raw = bodies[0].messages[-1][1]
    return raw if isinstance(raw, dict) else None


def dropped_call(passage: Passage, call: CallAt) -> tuple[Edit, ...]:
    """Take a call away, with what would be left of its message if that is nothing."""
    wire = call.wire
    if passage.format in LANGCHAIN:
        from lighter.edits_langchain import dropped_with_copies  # noqa: PLC0415 - for LangChain alone

        return dropped_with_copies(passage, call)
    if trait(passage.format, "HAS_ITEMS", otherwise=False):
        whole = dropping(passage, *_led_to(passage, call))
        return whole.edits if whole else ()
    inside = call.path[len(wire.path) + 1 :].split("/")
    if inside[0] == key_of_content(wire) and len(inside) > 1 and inside[1].isdecimal():
        return _dropped_block(passage, wire, int(inside[1]))
    found = _LISTED_CALL.fullmatch(call.path)
    if found is None:
        return ()
    holder, key, index = found[1], found[2] or "function_call", found[3]
    try:
        fields = jsontext.value_at(wire.record.value, holder)
    except LookupError:
        return ()
    if index is not None and not _are_all_lost(passage, wire.index, f"{holder}/{key}", len(fields[key])):
        return (Drop(wire.record, call.path),)
    if not fields.get("content"):
        whole = dropping(passage, wire)
        return whole.edits if whole else ()
    return (Drop(wire.record, f"{holder}/{key}"),)


@lru_cache(maxsize=1)
def _are_all_lost(passage: Passage, index: int, listed: str, count: int) -> bool:
    """Say whether none of so many calls of a message has a result; asked for each of them, of which there may be thousands."""
    lost = {
        other.path for other in (*passage.pairing.unanswered, *passage.pairing.pending) if other.wire.index == index
    }
    return all(f"{listed}/{number}" in lost for number in range(count))


def _led_to(passage: Passage, call: CallAt) -> Iterator[WireMessage]:
    """Give the item of a call, and the reasoning before it that led to nothing else but other calls that are lost."""
    items, (places, lost) = passage.messages, _items_and_lost(passage)
    at = places[call.wire.record.row, call.path]
    yield items[at]
    if at + 1 < len(items) and is_of_model(items[at + 1]):
        return
    while at and (at - 1 in lost or kind_of(items[at - 1]) == "reasoning"):
        at -= 1
        if kind_of(items[at]) == "reasoning":
            yield items[at]


@lru_cache(maxsize=1)
def _items_and_lost(passage: Passage) -> tuple[Mapping[tuple[int, str], int], frozenset[int]]:
    """Tell where each item stands, and which are calls without a result; asked for each call, of which there may be thousands."""
    places = {(item.record.row, item.path): at for at, item in enumerate(passage.messages)}
    lost = (*passage.pairing.unanswered, *passage.pairing.pending)
    return places, frozenset(places[call.wire.record.row, call.path] for call in lost)


def _dropped_block(passage: Passage, wire: WireMessage, index: int) -> tuple[Edit, ...]:
    blocks = listed_blocks(wire) or ()
    rest = (block for at, block in enumerate(blocks) if at != index)
    only_thinks = all(
        isinstance(b, dict) and (b.get("type") in ("thinking", "redacted_thinking") or b.get("thought")) for b in rest
    )
    return dropping_blocks(passage, wire, range(len(blocks)) if only_thinks else (index,))


def dropped_result(passage: Passage, result: ResultAt) -> Repair | None:
    """Take a result away, with its message where nothing else is in that; one that stands before its call moves behind it."""
    wire = result.wire
    if result.path == wire.path:
        called = _calls_by_id(passage).get(result.call_id, ())
        later = [call for call in called if call.index > wire.index]
        if later and result.call_id and may_move(passage, wire, later[0]):
            return Repair(moved_after([wire], later[0]), "unsafe", "move it behind its call")
        return dropping(passage, wire)
    inside = result.path[len(wire.path) + 1 :].split("/")
    if inside[0] != key_of_content(wire) or len(inside) < 2 or not inside[1].isdecimal():
        return None
    edits = dropping_blocks(passage, wire, (int(inside[1]),))
    return Repair(edits) if edits else None


@lru_cache(maxsize=1)
def _calls_by_id(passage: Passage) -> Mapping[str, Sequence[WireMessage]]:
    """Give the messages that hold the calls of an id; asked for each result, of which there may be thousands."""
    found: dict[str, list[WireMessage]] = {}
    for call in tool_calls(passage):
        if isinstance(call.id, str):
            found.setdefault(call.id, []).append(call.message)
    return found


def denied(passage: Passage, call: CallAt, result: ResultAt) -> Repair | None:
    """Put a part that says there is no result in the place of one that answers another call; or take both away."""
    made = _made_result(passage, call)
    parts = made.get("parts") if made else None
    if not isinstance(parts, list) or not parts:
        return None
    edits = (Put(result.wire.record, result.path, parts[0]),)
    call_gone, result_gone = dropped_call(passage, call), dropped_result(passage, result)
    both = (*call_gone, *result_gone.edits) if call_gone and result_gone else ()
    return Repair(edits, "unsafe", "put a response that says there is none in its place, or drop both", both)


def results_first(wire: WireMessage, is_result: list[bool]) -> Repair:
    """Put the blocks of a message that are results before the others; the order is kept otherwise."""
    path = f"{wire.path}/content"
    copies = copied_items(wire.record, path, len(is_result))
    first = [copy for copy, is_it in zip(copies, is_result, strict=True) if is_it]
    return Repair((Put(wire.record, path, [*first, *(copy for copy in copies if copy not in first)]),))


def moved_blocks(first: WireMessage, second: WireMessage, key: str) -> Repair | None:
    """Put all blocks of a message behind those of an earlier one; None where one of the two has no list of them."""
    held, more = fields_of(first).get(key), fields_of(second).get(key)
    if not isinstance(held, list) or not held or not isinstance(more, list):
        return None
    last = f"{first.path}/{key}/{len(held) - 1}"
    copies = [Copied(second.record, f"{second.path}/{key}/{index}") for index in range(len(more))]
    inserts = [Insert(first.record, last, copy, is_after=True) for copy in copies]
    lost = [
        name
        for name in fields_of(second)
        if name not in ("role", key) and fields_of(first).get(name) != fields_of(second)[name]
    ]
    return Repair((*inserts, drop_message(second)), "unsafe" if lost else None)
