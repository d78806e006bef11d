"""Calls and results in contents that stand where no reader looks for them."""

from collections.abc import Iterator
from typing import Any

from lighter.formats.gemini.shapes import held
from lighter.passage import Entry
from lighter.strays import NONE, Strays, id_text, places_of_calls, strays


def strays_of(entry: Entry) -> Strays:
    """List the strays of the content that an entry was read from: calls of the user, results of the model, broken calls."""
    raw = entry.wire.raw
    if not isinstance(raw, dict):
        return NONE
    is_model = raw.get("role") == "model"
    read = places_of_calls(entry) if is_model else set()
    calls, results, blanks = set[str](), set[str](), 0
    for index, key, value in _exchanged(raw):
        if key == "functionCall" and not is_model:
            calls.add(id_text(value.get("id")))
        elif key == "functionCall" and f"{entry.wire.path}/parts/{index}" not in read:
            blanks += 1
        elif key == "functionResponse" and is_model:
            results.add(id_text(value.get("id")))
    return strays(calls, results, blanks)


def _exchanged(raw: dict[str, Any]) -> Iterator[tuple[int, str, dict[str, Any]]]:
    """Yield the calls and results among the parts, with their indices."""
    parts = raw.get("parts")
    for index, part in enumerate(parts if isinstance(parts, list) else ()):
        for key in ("functionCall", "functionResponse") if isinstance(part, dict) else ():
            if isinstance(value := held(part, key), dict):
                yield index, key, value
