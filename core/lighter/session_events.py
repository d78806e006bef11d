"""Events of a session of Claude's managed agents, told by a quick look: one by one, in pages, or as calls of the SDK were recorded.

https://platform.claude.com/docs/en/managed-agents/events-and-streaming; shapes read off the anthropic SDK 2.14.0.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from lighter.envelope import open_value
from lighter.jsontext import step

_DOMAINS = ("user.", "agent.", "session.", "span.", "system.", "workflow_run.")
"""How the types of events begin."""

_METHODS = "client.beta.sessions."
"""How the names of the SDK's methods begin whose arguments and answers LangSmith's recordings hold."""

_LISTS = ("data", "events")
"""Keys under which events are listed: in a page, and where they are sent or kept."""


class Recorded(Struct, frozen=True):
    """What one record holds of a session: events, each with its place, the session itself, and the places of whatever else it holds.

    `strange`: the places of what is listed among events and is none. `told_id`: the place of a session's id that stands beside
    what was sent to it. `is_list`: a whole list of events; `is_page`: one page of it, `has_next` if another one follows.
    """

    events: tuple[tuple[str, dict[str, Any]], ...] = ()
    session: tuple[str, dict[str, Any]] | None = None
    beside: tuple[str, ...] = ()
    strange: tuple[str, ...] = ()
    told_id: str | None = None
    is_list: bool = False
    is_page: bool = False
    has_next: bool = False


def is_event(value: Any) -> bool:
    """Say whether a value is an event of a session, also of a kind that is not known.

    Other logs have types like these as well, but none has such ids or times.
    """
    match value:
        case {"type": str(kind), "id": str(name)}:
            return name.startswith("sevt_") or ("." in kind and "processed_at" in value)
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


def may_stand_among(value: Any) -> bool:
    """Say whether a value may stand among the events of a session: what was sent, or what tells of no other conversation."""
    return recorded_among(value) is not None or open_value(value).kind == "none"


def recorded(value: Any) -> Recorded | None:
    """Read a record: an event, a list or a page of them, a session, or a recorded call of the SDK; None for anything else."""
    match value:
        case [str(method), payload] if method.startswith(_METHODS):
            found = recorded_among(payload)
            return None if found is None else _shifted(found, "/1", ("/0",))
        case [_, *_] if _hold_events(value):
            return replace(_listed(value, ""), is_list=True)
        case dict() if _is_session(value):
            return Recorded(session=("", value))
        case dict() if is_event(value):
            return Recorded((("", value),))
        case dict() if "type" not in value:
            key = next((key for key in _LISTS if isinstance(value.get(key), list) and _hold_events(value[key])), None)
            return None if key is None else _page(value, key)
        case _:
            return None


def recorded_among(value: Any) -> Recorded | None:
    """Read a record that stands among others of a session: also events as a client sends them, without ids."""
    match value:
        case [str(), {"events": [_, *_]} as payload] if (found := _sent(payload)) is not None:
            return replace(_shifted(found, "/1", ()), told_id="/0")
        case _:
            return _sent(value) or recorded(value)


def _page(value: dict[str, Any], key: str) -> Recorded:
    """Read events that an object lists under a key, and the session where it stands beside them."""
    found = _listed(value[key], step(key))
    kept = {key}
    if _is_session(value.get("session")):
        found = replace(found, session=("/session", value["session"]))
        kept.add("session")
    beside = tuple(step(name) for name in value if name not in kept)
    return replace(found, beside=beside, is_page=True, has_next=bool(value.get("next_page")))


def _sent(value: Any) -> Recorded | None:
    """Read what a client sends: an event, or an object that lists some."""
    match value:
        case {"events": [_, *_] as listed, **rest} if "type" not in rest and all(map(_is_sent, listed)):
            return replace(_listed(listed, "/events"), beside=tuple(step(str(key)) for key in rest))
        case dict() if _is_sent(value):
            return Recorded((("", value),))
        case _:
            return None


def _is_sent(value: Any) -> bool:
    match value:
        case {"type": str(kind)}:
            return kind.startswith(_DOMAINS) and not is_event(value)
        case _:
            return False


def _is_session(value: Any) -> bool:
    match value:
        case {"type": "session", "agent": dict(), "id": str()}:
            return True
        case _:
            return False


def _hold_events(listed: Sequence[Any]) -> bool:
    """Say whether a list is one of events, whatever else stands among them."""
    return any(map(is_event, listed)) and all(_may_be_listed(item) for item in listed)


def _may_be_listed(item: Any) -> bool:
    return is_event(item) or _is_sent(item) or _is_session(item) or open_value(item).kind == "none"


def _listed(listed: Sequence[Any], path: str) -> Recorded:
    """Read the events of a list, and the session where it stands among them."""
    placed = [(path + step(n), item) for n, item in enumerate(listed)]
    events = tuple((place, item) for place, item in placed if is_event(item) or _is_sent(item))
    session = next(((place, item) for place, item in placed if _is_session(item)), None)
    told = {place for place, _ in (*events, *([session] if session else ()))}
    return Recorded(events, session, strange=tuple(place for place, _ in placed if place not in told))


def _shifted(found: Recorded, prefix: str, around: tuple[str, ...]) -> Recorded:
    """Give what stands at a pointer inside of another value, of which `around` is left."""
    return replace(
        found,
        events=tuple((prefix + path, event) for path, event in found.events),
        session=None if found.session is None else (prefix + found.session[0], found.session[1]),
        beside=(*around, *(prefix + path for path in found.beside)),
        strange=tuple(prefix + path for path in found.strange),
        told_id=None if found.told_id is None else prefix + found.told_id,
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
