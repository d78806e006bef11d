"""Edits of the ids by which calls and results pair: both ends are rewritten alike, and different ids stay different."""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from functools import lru_cache
from hashlib import sha256

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


@lru_cache(maxsize=1)
def distinct_ids(passage: Passage, target: Target) -> Mapping[tuple[int, str], str]:
    """Make ids of their own for the calls whose ids are those of others, by their places: with a number behind where that fits."""
    taken, numbers = set(all_ids(passage)), Counter[str]()
    found: dict[tuple[int, str], str] = {}
    for repeated in passage.pairing.repeated_calls:
        call = wire_call_of(passage, repeated.call)
        if call is None or not isinstance(call.id, str) or (repeated.is_same_turn and not results_of(passage, call)):
            continue
        new = call.id
        while new in taken:
            numbers[call.id] += 1
            named = f"{call.id}_{numbers[call.id] + 1}"
            new = named if takes_id(named, target) else made_id(named, target)
        taken.add(new)
        found[_place_of(call)] = new
    return found


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


def results_of(passage: Passage, call: WireCall) -> Sequence[WireResult]:
    """Give the results that answer a call on the wire, further ones of the same id included."""
    return _results_by_call(passage).get(_place_of(call), ())


@lru_cache(maxsize=1)
def _results_by_call(passage: Passage) -> Mapping[tuple[int, str], Sequence[WireResult]]:
    """Give the results by the rows and pointers of their calls."""
    pairing = passage.pairing
    repeated = ((again.call, again.result) for again in pairing.repeated_results if again.call is not None)
    calls = {(r.wire.index, r.path): (c.wire.record.row, c.path) for c, r in (*pairing.answers, *repeated)}
    found: dict[tuple[int, str], list[WireResult]] = {}
    for result in tool_results(passage):
        if place := calls.get((result.message.index, result.path)):
            found.setdefault(place, []).append(result)
    return found


def wire_call_of(passage: Passage, call: CallAt) -> WireCall | None:
    """Find a call that was paired on the wire; where a turn is made of items, it was paired as one of the first."""
    return _calls_by_place(passage).get((call.wire.record.row, call.path))


@lru_cache(maxsize=1)
def _calls_by_place(passage: Passage) -> Mapping[tuple[int, str], WireCall]:
    return {_place_of(call): call for call in tool_calls(passage)}


def _place_of(call: WireCall) -> tuple[int, str]:
    return call.message.record.row, call.path


@lru_cache(maxsize=1)
def all_ids(passage: Passage) -> frozenset[str]:
    """Give the ids of all calls of a passage, and of those before it."""
    return frozenset(call.id for call in tool_calls(passage) if isinstance(call.id, str)) | passage.earlier_ids
