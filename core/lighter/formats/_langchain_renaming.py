"""Copies of calls in a LangChain message that is written, where the calls got other ids than those that were read."""

from collections.abc import Iterator
from typing import Any

from lighter.formats._langchain import DIFFERS
from lighter.formats._langchain_calls import ITEM_IDS
from lighter.formats._streaming import mapping, objects
from lighter.formats._writing import extra_at
from lighter.formats.openai_responses.shapes import ITEM_ID
from lighter.jsontext import decode
from lighter.messages import AssistantMessage

_KEPT, _PIECES = "/additional_kwargs/tool_calls", "/tool_call_chunks"


def rename_copies(fields: dict[str, Any], message: AssistantMessage) -> None:
    """Give the copies the ids that their calls have now, which are told at the calls; one that named no call is as it was."""
    calls = [call for key in ("tool_calls", "invalid_tool_calls") for _, call in objects(fields.get(key))]
    kept = mapping(fields.get("additional_kwargs"))
    for place, copies in ((_KEPT, kept.get("tool_calls")), (_PIECES, fields.get("tool_call_chunks"))):
        named = {_named(copy) for _, copy in objects(copies)}
        free = [call for call in calls if _named(call) not in named]
        for copy in _without_call(copies, place, {_named(call) for call in calls}, message):
            call = next((call for call in free if call.get("name") == _named(copy)[1]), None)
            if call is not None:
                free.remove(call)
                copy["id"] = call.get("id")
    if isinstance(items := kept.get(ITEM_IDS), dict):
        now = {extra_at(call.ext, ITEM_ID, ""): call.call_id for call in message.tool_calls}
        told = {decode(item): call_id for item, call_id in now.items() if item is not None}
        kept[ITEM_IDS] = {_new(key, item, told): item for key, item in items.items()}


def _named(entry: dict[str, Any]) -> tuple[str | None, str | None]:
    """Give the id and the name of a call, or of a copy as OpenAI spells it."""
    found = (entry.get("id"), mapping(entry.get("function", entry)).get("name"))
    call_id, name = (held if isinstance(held, str) else None for held in found)
    return call_id, name


def _new(key: str, item: Any, told: dict[Any, str]) -> str:
    return told.get(item, key) if isinstance(item, str) else key


def _without_call(
    copies: Any, place: str, calls: set[tuple[str | None, str | None]], message: AssistantMessage
) -> Iterator[dict[str, Any]]:
    """List the copies of no call that is there, though of one that was read."""
    differing = [extra.path for extra in message.ext if extra.format == DIFFERS]
    for index, copy in objects(copies):
        here, named = f"{place}/{index}", _named(copy)
        is_told = any(path.endswith(here) or f"{here}/" in path for path in differing)
        if None not in named and named not in calls and not is_told:
            yield copy
