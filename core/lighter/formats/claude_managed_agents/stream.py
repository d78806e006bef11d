"""Joining the events of a session to its whole log: each once, without those that are no part of what was said."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from msgspec import Struct

from lighter.envelope import Body, Opened
from lighter.formats._streaming import Assembled, Ledger
from lighter.formats.claude_managed_agents.shapes import NAME, OF_THREADS, SAID, TOLD_AFTER
from lighter.jsontext import is_same, step, value_at
from lighter.session_events import (
    CALLS,
    CONFIRMATION,
    RESULTS,
    call_of,
    is_of_session,
    may_stand_among,
    recorded,
    recorded_among,
)


class _Told(Struct, frozen=True):
    """An event, the index of the piece that holds it, and its place in that."""

    index: int
    path: str
    event: dict[str, Any]

    @property
    def id(self) -> str | None:
        """The id, which what a client sends does not have."""
        found = self.event.get("id")
        return found if isinstance(found, str) else None

    @property
    def kind(self) -> str:
        """The type."""
        return str(self.event.get("type"))


def is_chunk(value: Any) -> bool:
    """Say whether a value is an event, holds some, or is a session."""
    return is_of_session(value)


def goes_on(value: Any) -> bool:
    """Say whether a value may stand in the log of a session that has begun: what was sent, or what is strange there."""
    return may_stand_among(value)


def begins(chunk: Any, before: Sequence[Any]) -> bool:
    """Say whether a record is of another session than those before it: a session itself, a list, or the first of its pages."""
    found = recorded(chunk)
    if found is None or not (found.is_list or found.is_page or found.session):
        return False
    if found.session is not None:
        earlier = [held for held in map(recorded, before) if held is not None]
        known = next((held.session[1] for held in earlier if held.session), None)
        return any(held.events for held in earlier) if known is None else known.get("id") != found.session[1].get("id")
    last = next((held for held in map(recorded, reversed(before)) if held is not None and held.events), None)
    return last is not None and not (found.is_page and last.has_next)


def assemble(chunks: Sequence[Any]) -> Assembled:
    """Join events to one list of them, with the session that they are of; what it says of itself last stays."""
    ledger = Ledger(is_exact=True)
    told: list[_Told] = []
    sessions: list[_Told] = []
    addressed: list[_Told] = []
    for chunk in ledger.pieces(chunks):
        found = recorded_among(chunk)
        if found is None:
            ledger.lose("", "stream-event", "it is no event of the session")
            continue
        for place in found.beside:
            ledger.lose(place, "stream-wrapper", "it stands around what tells of the session")
        for place in found.strange:
            ledger.lose(place, "stream-event", "it is no event of the session")
        if found.told_id is not None:
            addressed.append(_Told(ledger.index, found.told_id, {"id": value_at(chunk, found.told_id)}))
        if found.session is not None:
            sessions.append(_Told(ledger.index, *found.session))
        told += [_Told(ledger.index, path, event) for path, event in found.events]
    session = sessions[-1] if sessions else None
    for earlier in sessions[:-1]:
        _lose_other(earlier, sessions[-1], ledger)
    for item in addressed:
        if session is None or item.id != session.id:
            ledger.index = item.index
            ledger.lose(item.path, "session-id", "it says which session the events were sent to")
    kept = list(_said(_once(told, ledger), ledger))
    value = {"session": session.event} if session is not None else {}
    homes = [("/session", session.index, session.path)] if session is not None else []
    homes += [(f"/data/{n}", item.index, item.path) for n, item in enumerate(kept)]
    return Assembled(
        {**value, "data": [item.event for item in kept]}, is_complete=True, lost=ledger.told(), homes=tuple(homes)
    )


def _lose_other(item: _Told, stays: _Told, ledger: Ledger) -> None:
    """Note the values of a copy that the one which stays does not have."""
    ledger.index = item.index
    for key, held in item.event.items():
        if key not in stays.event or not is_same(stays.event[key], held):
            ledger.lose(item.path + step(key), "stream-value", "the same came again, and says this otherwise")


def _once(told: Sequence[_Told], ledger: Ledger) -> Iterator[_Told]:
    """Leave out copies: what was sent and came back in the stream, and what came twice.

    Of an event that was queued, and then processed, the latter stays, since that is when it was read.
    """
    last = {item.id: item for item in told if item.id is not None}
    first: dict[str, _Told] = {}
    echoes: dict[str, list[_Told]] = {}
    for item in last.values():
        echoes.setdefault(item.kind, []).append(item)
    for item in told:
        if item.id is None:
            alike = echoes.get(item.kind, [])
            echo = next((other for other in alike if _is_echo(item, other)), None)
            if echo is None:
                yield item
            else:
                alike.remove(echo)
            continue
        stays = first.get(item.id)
        if stays is None and last[item.id] is not item and item.event.get("processed_at") is None:
            stays = last[item.id]
        if stays is None:
            first[item.id] = item
            yield item
            continue
        _lose_other(item, stays, ledger)


def _is_echo(sent: _Told, other: _Told) -> bool:
    return all(key in other.event and is_same(other.event[key], held) for key, held in sent.event.items())


def _said(told: Iterator[_Told], ledger: Ledger) -> Iterator[_Told]:
    """Leave out what is no part of what was said in this thread."""
    listed = list(told)
    others = {item.id for item in listed if item.kind in CALLS and _is_of_other_thread(item.event)}
    answered = {call_of(item.event) for item in listed if item.kind in RESULTS}
    for item in listed:
        event, kind = item.event, item.kind
        if _is_of_other_thread(event) or (kind in RESULTS and call_of(event) in others):
            why = "it is of another thread, whose log has the rest"
        elif kind == CONFIRMATION and not (event.get("result") == "deny" and call_of(event) not in answered):
            why = "the call, and what came of it, stand there themselves"
        elif kind in SAID or kind == CONFIRMATION or (kind in TOLD_AFTER and TOLD_AFTER[kind][1] in event):
            yield item
            continue
        else:
            why = f"{kind} is no part of what was said"
        ledger.index = item.index
        ledger.lose(item.path, "stream-event", why)


def _is_of_other_thread(event: Mapping[str, Any]) -> bool:
    kind = event.get("type")
    return isinstance(kind, str) and kind in OF_THREADS and bool(event.get("session_thread_id"))


def opened(value: dict[str, Any]) -> Opened:
    """Open a whole log: its events are the messages, the session stands beside them."""
    events = tuple((f"/data{step(n)}", event, False) for n, event in enumerate(value["data"]))
    fields = {key: held for key, held in value.items() if key != "data"}
    body = Body(events, fields=fields, messages_path="/data", listed=value["data"], format=NAME)
    return Opened("conversation", (body,))
