"""Where the entries stand in requests, answers and histories of Mistral's Conversations API."""

from collections.abc import Mapping
from typing import Any

from lighter.envelope import Body, Opened, bare
from lighter.formats.mistral.entries import is_entry
from lighter.formats.mistral.shapes import NAME
from lighter.jsontext import step

_HISTORY = {"conversation.history": "entries", "conversation.messages": "messages"}
"""The key that holds the entries, by what an object says that it is."""


def open_record(value: Any) -> Opened | None:
    """Open a request (`inputs`), an answer (`outputs`), a history, a list of entries, or one entry; None for anything else."""
    match value:
        case dict() if is_entry(value):
            return Opened("message")
        case {"object": str(kind), **rest} if kind in _HISTORY and isinstance(rest.get(_HISTORY[kind]), list):
            return _listed(value, _HISTORY[kind], is_answer=False)
        case {"outputs": [*entries]} if entries and any(map(is_entry, entries)):
            return _listed(value, "outputs", is_answer=True)
        case {"inputs": [*entries]} if entries and any(map(is_entry, entries)):
            return _listed(value, "inputs", is_answer=False)
        case [*items] if items and all(map(is_entry, items)):
            return Opened("conversation", (bare(items, ""),))
        case _:
            return None


def _listed(value: Mapping[str, Any], key: str, *, is_answer: bool) -> Opened:
    path = step(key)
    messages = tuple((path + step(n), entry, is_answer) for n, entry in enumerate(value[key]))
    rest = {name: held for name, held in value.items() if name != key}
    if is_answer:
        return Opened("conversation", (Body(messages, response=rest, format=NAME),))
    body = Body(messages, fields=rest, messages_path=path, listed=value[key], format=NAME)
    return Opened("conversation", (body,))
