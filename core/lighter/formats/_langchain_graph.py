"""Events of a graph of LangGraph, or of runs of LangChain, joined to the state that they came to."""

from collections.abc import Iterator, Sequence
from typing import Any

from lighter.formats._langchain_chunks import joined
from lighter.formats._langchain_pieces import has_ended, name_of, piece_of
from lighter.formats._langchain_sniffing import form_of
from lighter.formats._langchain_states import GraphState
from lighter.formats._streaming import Assembled, Ledger, mapping
from lighter.graph_events import Event, graph_event, is_inner
from lighter.jsontext import keys_of, step


def form_in_event(event: Event) -> str | None:
    """Tell the form of the first message that an event of a graph holds."""
    return next((form for _, raw in messages_in(event) if (form := form_of(raw)) is not None), None)


def messages_in(event: Event) -> Iterator[tuple[str, Any]]:
    """Give the messages that an event of a graph holds, each with its place in the event."""
    mode, payload, path = event
    match mode, payload:
        case "messages", [dict(message), *_]:
            yield f"{path}/0", message
        case "values", {"messages": list(listed)}:
            yield from ((f"{path}/messages/{n}", message) for n, message in enumerate(listed))
        case "updates", dict():
            for node, update in payload.items():
                yield from ((path + step(node) + place, message) for place, message in _given(update))
        case "update", _:
            yield from ((path + place, message) for place, message in _given(payload))
        case "said", [dict(message), *_]:
            yield path, message
        case "asked", str():
            yield path, payload
        case "asked", list():
            yield from ((path + step(n), message) for n, message in enumerate(payload))


def _given(update: Any) -> Iterator[tuple[str, Any]]:
    """Give the messages among what a node gave, which may be several updates, or pairs of a key and a value."""
    match update:
        case {"messages": list(listed)}:
            yield from ((f"/messages/{n}", message) for n, message in enumerate(listed))
        case {"messages": dict(message)}:
            yield "/messages", message
        case [*updates]:
            for index, one in enumerate(updates):
                match one:
                    case ["messages", list(listed)]:
                        yield from ((f"/{index}/1/{n}", message) for n, message in enumerate(listed))
                    case {"messages": _}:
                        yield from ((step(index) + place, message) for place, message in _given(one))
                    case _:
                        pass
        case _:
            pass


def joined_graph(events: Sequence[Any], ledger: Ledger) -> Assembled:
    """Join the events of a graph to the state that it came to."""
    state = GraphState()
    for value in ledger.pieces(events):
        event = graph_event(value)
        if event is None:
            ledger.lose_between(mapping(value))
            continue
        _take(state, ledger, value, event)
    return _settled(state, ledger)


def _take(state: GraphState, ledger: Ledger, value: Any, event: Event) -> None:
    """Take an event."""
    match event:
        case "messages", [dict(message), *metadata], path:
            _take_message(state, ledger, message, f"{path}/0", metadata)
            if any(metadata):
                ledger.lose(f"{path}/1", "stream-metadata", "it stands beside a piece of the answer")
        case "values", {"messages": _} as payload, path if not is_inner(value):
            state.become(ledger, payload, f"{path}/messages")
            _lose_around(ledger, value, path)
        case "updates", dict(), _ if any(True for _ in messages_in(event)):
            for place, message in messages_in(event):
                state.take(ledger, place, message)
            _lose_updates(ledger, event)
        case "said" | "asked" | "update", _, _:
            _take_of_run(state, ledger, value, event)
        case mode, _, _:
            ledger.lose("", "stream-event", f"an event of the mode {mode}, which holds no message")


def _take_of_run(state: GraphState, ledger: Ledger, value: Any, event: Event) -> None:
    """Take what a run took or gave, which may have been told before."""
    match event:
        case "said", [dict(message), dict(told)], path:
            _take_said(state, ledger, message, path, told)
        case "asked" | "update", _, _:
            is_first = not state.entries
            for place, message in messages_in(event):
                state.take(ledger, place, message, is_copy=True)
            if event[0] == "asked":
                state.has_beginning |= is_first
                state.put_in_order([name_of(message) for _, message in messages_in(event)])
            _lose_around(ledger, value, event[2])
            if event[0] == "update":
                _lose_values(ledger, event[1], event[2])


def _take_message(state: GraphState, ledger: Ledger, message: Any, path: str, metadata: list[Any]) -> None:
    if piece_of(message) is None:
        state.take(ledger, path, message)
        return
    told = mapping(metadata[0]) if metadata else {}
    place = told.get("langgraph_checkpoint_ns", told.get("checkpoint_ns"))
    state.take_piece(ledger.index, path, message, place, is_last=has_ended(message))


def _take_said(state: GraphState, ledger: Ledger, message: Any, path: str, told: dict[str, Any]) -> None:
    """Take what a run of a model or a tool said, whole or a piece of it."""
    run = told.get("run_id")
    if path == "/data/chunk" and piece_of(message) is not None:
        state.take_piece(ledger.index, path, message, run, is_last=has_ended(message))
    else:
        state.take(ledger, path, message, run, is_copy=True)
    _lose_around(ledger, told, path)


def _lose_around(ledger: Ledger, value: Any, path: str) -> None:
    """Note what stands around what an event holds, down to that; a list that is an event tells its mode beside it."""
    place = ""
    for key in keys_of(path):
        match value:
            case dict():
                others = [other for other in value if other != key and other not in ("event", "type")]
                value = value[key]
            case [*items] if place:
                others = [str(n) for n in range(len(items)) if str(n) != key]
                value = items[int(key)]
            case _:
                others = []
                value = value[int(key)]
        for other in others:
            ledger.lose(place + step(other), "stream-metadata", "it stands beside what the event tells")
        place += step(key)


def _lose_updates(ledger: Ledger, event: Event) -> None:
    """Note what nodes of a graph gave besides messages."""
    _, payload, path = event
    for node, update in payload.items():
        _lose_values(ledger, update, path + step(node))


def _lose_values(ledger: Ledger, update: Any, path: str) -> None:
    """Note what a node gave besides messages."""
    for key in update if isinstance(update, dict) else ():
        if key != "messages":
            ledger.lose(path + step(key), "stream-value", "it is no message of the state")


def _settled(state: GraphState, ledger: Ledger) -> Assembled:
    """Give the state that events came to, which is complete where all its messages came to their end."""
    listed: list[Any] = []
    is_complete = True
    for entry in state.entries:
        if entry.whole is not None:
            listed.append(entry.whole)
        else:
            message, is_whole = joined(entry.pieces, ledger, entry.path)
            listed.append(message)
            is_complete &= is_whole
    homes = tuple((f"/messages/{n}", entry.index, entry.path) for n, entry in enumerate(state.entries))
    value = {**state.rest, "messages": listed}
    return Assembled(value, is_complete, ledger.told(), homes, has_beginning=state.has_beginning and bool(listed))
