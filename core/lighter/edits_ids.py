"""Edits of the ids by which calls and results pair: both ends are rewritten alike, and different ids stay different."""

import re
from collections.abc import Container
from hashlib import sha256
from typing import Any

from lighter.edits import Edit, Put
from lighter.pairs import CallAt
from lighter.passage import Passage
from lighter.providers import Target
from lighter.toolwire import WireCall, WireResult, tool_calls, tool_results

_ALPHABET = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
_SHORT, _LONG = 9, 24
"""Characters of a made id: as few as Mistral's older tokenizers take, or as many as leave no doubt."""


def made_id(seed: str, target: Target | None) -> str:
    """Make an id of a text, always the same of the same text, that a target takes."""
    digits = _digits(seed)
    usual = f"call_{digits[:_LONG]}"
    return usual if takes_id(usual, target) else digits[:_SHORT]


def takes_id(call_id: str, target: Target | None) -> bool:
    """Say whether a target takes an id."""
    if target is None:
        return True
    if target.call_id_max is not None and len(call_id) > target.call_id_max:
        return False
    return target.call_id_pattern is None or re.fullmatch(target.call_id_pattern, call_id) is not None


def _digits(seed: str) -> str:
    number = int.from_bytes(sha256(seed.encode("utf-8", "surrogatepass")).digest(), "big")
    digits = ""
    while number:
        number, rest = divmod(number, len(_ALPHABET))
        digits += _ALPHABET[rest]
    return digits


def distinct_id(call_id: str, taken: Container[str], target: Target | None) -> str:
    """Make a further id of one that is taken: with a number behind it where that fits."""
    number = 2
    while True:
        named = f"{call_id}_{number}"
        found = named if takes_id(named, target) else made_id(named, target)
        if found not in taken:
            return found
        number += 1


def are_spellings_of_one(one: str, other: str) -> bool:
    """Say whether two ids are one that somebody wrote anew: other separators or cases, or an item's id added behind a `|`."""
    return _letters(one) == _letters(other) != ""


def _letters(call_id: str) -> str:
    return "".join(filter(str.isalnum, call_id.partition("|")[0])).casefold()


def new_id_at_call(call: WireCall, value: str) -> Edit:
    """Write an id into a call."""
    holder = call.holder_path if call.keys.is_id_inside else call.path
    return Put(call.message.record, f"{holder}/{call.keys.id}", value)


def new_id_at_result(result: WireResult, value: str) -> Edit:
    """Write an id into a result."""
    return Put(result.message.record, f"{result.holder_path}/{result.key}", value)


def results_of(passage: Passage, call: WireCall) -> list[WireResult]:
    """Give the results that answer a call on the wire, further ones of the same id included."""
    answers = passage.pairing.answers
    places = {(r.wire.index, r.path) for c, r in answers if is_at(c, call)}
    places |= {
        (repeated.result.wire.index, repeated.result.path)
        for repeated in passage.pairing.repeated_results
        if repeated.call is not None and is_at(repeated.call, call)
    }
    return [result for result in tool_results(passage) if (result.message.index, result.path) in places]


def is_at(call: CallAt, wire: WireCall) -> bool:
    """Say whether a call that was paired is the one on the wire; where a turn is made of items, it was paired as one of the first."""
    return call.path == wire.path and call.wire.record.row == wire.message.record.row


def wire_call_of(passage: Passage, call: CallAt) -> WireCall | None:
    """Find a call that was paired on the wire."""
    return next((wire for wire in tool_calls(passage) if is_at(call, wire)), None)


def all_ids(passage: Passage) -> set[Any]:
    """Give the ids of all calls of a passage, and of those before it."""
    return {call.id for call in tool_calls(passage) if isinstance(call.id, str)} | set(passage.earlier_ids)
