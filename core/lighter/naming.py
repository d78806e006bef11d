"""By which id a log knows a conversation: the session of its messages, or what the record that holds all of it says."""

from collections.abc import Mapping
from typing import Any

from lighter import jsontext
from lighter.envelope import SESSION_KEYS
from lighter.passage import Passage

ID_KEYS = (*SESSION_KEYS, "custom_id", "id")
"""Keys of a record that tell which conversation it is."""


def id_of(passage: Passage) -> str | None:
    """Tell by which id a log knows the conversation of a passage; None when it has none."""
    if passage.conversation is not None or passage.body is None:
        return passage.conversation
    try:
        holder = jsontext.value_at(passage.record.value, passage.body.place)
    except (LookupError, ValueError, TypeError):
        holder = None
    holders = (holder, passage.body.fields)
    return next((name for held in holders if isinstance(held, Mapping) and (name := _id_in(held)) is not None), None)


def _id_in(holder: Mapping[str, Any]) -> str | None:
    for key in ID_KEYS:
        value = holder.get(key)
        if isinstance(value, str | int) and not isinstance(value, bool) and value != "":
            return str(value)
    return None
