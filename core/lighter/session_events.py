"""Events of a session of Claude's managed agents, told by a quick look: one by one, in pages, or as calls of the SDK were recorded.

https://platform.claude.com/docs/en/managed-agents/events-and-streaming; shapes read off the anthropic SDK 2.14.0.
"""

from collections.abc import Iterable, Mapping
from typing import Any

from msgspec import Struct

from lighter.jsontext import step

_DOMAINS = ("user.", "agent.", "session.", "span.", "system.", "workflow_run.")
"""How the types of events begin."""

_SENT = ("user.", "system.")
"""How the types of those begin that a client sends, without an id."""

_METHODS = "client.beta.sessions."
"""How the names of the SDK's methods begin whose arguments and answers LangSmith's recordings hold."""


class Recorded(Struct, frozen=True):
    """What one record holds of a session: events, each with its place, the session itself, and the places of whatever else it holds.

    `told_id`: the place of a session's id that stands beside what was sent to it. `is_list`: a whole list of events; `is_page`:
    one page of it, `has_next` if another one follows.
    """

    events: tuple[tuple[str, dict[str, Any]], ...] = ()
    session: tuple[str, dict[str, Any]] | None = None
    beside: tuple[str, ...] = ()
    told_id: str | None = None
    is_list: bool = False
    is_page: bool = False
    has_next: bool = False


def is_event(value: Any) -> bool:
    """Say whether a value is an event of a session; other logs have types like these as well, but none has such ids or times."""
    match value:
        case {"type": str(kind), "id": str(name)} if kind.startswith(_DOMAINS):
            return name.startswith("sevt_") or "processed_at" in value
        case {"type": "event_start", "event": {"id": str()}} | {
            "type": "event_delta",
            "event_id": str(),
            "delta": dict(),
        }:
            return True
        case _:
            return False


def is_of_session(value: Any) -> bool:
    """Say whether a value is a session, or holds events of one."""
    return recorded(value) is not None


def recorded(value: Any) -> Recorded | None:
    """Read a record: an event, a list or a page of them, a session, or a recorded call of the SDK; None for anything else."""
    match value:
        case [str(method), payload] if method.startswith(_METHODS):
            found = _sent(payload) or recorded(payload)
            return None if found is None else _shifted(found, "/1", ("/0",))
        case [_, *_] if all(map(is_event, value)):
            return Recorded(_listed(value, ""), is_list=True)
        case {"type": "session", "agent": dict(), "id": str()}:
            return Recorded(session=("", value))
        case {"data": [_, *_] as listed, **rest} if "type" not in rest and all(map(is_event, listed)):
            beside = tuple(step(str(key)) for key in rest)
            return Recorded(_listed(listed, "/data"), beside=beside, is_page=True, has_next=bool(rest.get("next_page")))
        case dict() if is_event(value):
            return Recorded((("", value),))
        case _:
            return None


def _sent(payload: Any) -> Recorded | None:
    """Read the arguments with which events were sent: the session's id, and the events."""
    match payload:
        case [str(), {"events": [_, *_] as listed, **rest}] if all(map(_is_sent, listed)):
            beside = tuple(f"/1{step(str(key))}" for key in rest)
            return Recorded(_listed(listed, "/1/events"), beside=beside, told_id="/0")
        case _:
            return None


def _is_sent(value: Any) -> bool:
    return isinstance(value, dict) and isinstance(kind := value.get("type"), str) and kind.startswith(_SENT)


def _listed(events: Iterable[dict[str, Any]], path: str) -> tuple[tuple[str, dict[str, Any]], ...]:
    return tuple((path + step(n), event) for n, event in enumerate(events))


def _shifted(found: Recorded, prefix: str, around: tuple[str, ...]) -> Recorded:
    """Give what stands at a pointer inside of another value, of which `around` is left."""
    return Recorded(
        tuple((prefix + path, event) for path, event in found.events),
        None if found.session is None else (prefix + found.session[0], found.session[1]),
        (*around, *(prefix + path for path in found.beside)),
        None if found.told_id is None else prefix + found.told_id,
        found.is_list,
        found.is_page,
        found.has_next,
    )


def call_of(event: Mapping[str, Any]) -> str | None:
    """Give the id of the call that an event is the result of, or confirms or denies; None for any other event."""
    kind = event.get("type")
    key = ANSWERS.get(kind) if isinstance(kind, str) else None
    found = None if key is None else event.get(key)
    return found if isinstance(found, str) else None


CALLS = frozenset({"agent.tool_use", "agent.custom_tool_use", "agent.mcp_tool_use"})
RESULTS = {
    "agent.tool_result": "tool_use_id",
    "agent.mcp_tool_result": "mcp_tool_use_id",
    "user.tool_result": "tool_use_id",
    "user.custom_tool_result": "custom_tool_use_id",
}
"""The events that are results, and their keys that hold the id of the call, which is the id of that event."""

CONFIRMATION = "user.tool_confirmation"
ANSWERS = {**RESULTS, CONFIRMATION: "tool_use_id"}
"""The same, and what a client says beforehand to a call that asks for it."""
