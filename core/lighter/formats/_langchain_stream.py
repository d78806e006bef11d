"""Joining what LangChain and LangGraph stream: the chunks of an answer to a message, the events of a graph to its state.

A model streams `AIMessageChunk`s (https://docs.langchain.com/oss/python/langchain/streaming). A graph streams events: a pair of
message and metadata, `[mode, payload]` where there are several modes, `[namespace, mode, payload]` with subgraphs
(https://docs.langchain.com/oss/python/langgraph/streaming).
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from lighter.envelope import Body, Opened, open_value
from lighter.formats import _langchain_merging as python
from lighter.formats import _langchain_merging_js as javascript
from lighter.formats._langchain import Unwrapped, is_escaped_here, unwrap
from lighter.formats._langchain_escaping import escaped
from lighter.formats._langchain_merged import Fields, arguments_of
from lighter.formats._langchain_merging import Chunk
from lighter.formats._langchain_pieces import may_be_one, name_of
from lighter.formats._langchain_sniffing import form_of
from lighter.formats._langchain_states import GraphState
from lighter.formats._streaming import Assembled, Ledger, mapping, objects
from lighter.jsontext import step
from lighter.streams import graph_event

_STOPS = ("finish_reason", "stop_reason", "finishReason", "stopReason", "done_reason")
_ENDED = ("completed", "incomplete", "failed")
_FIRST = 20
"""How many chunks are looked at for the ids of an answer."""

_COPIES = ("lc_kwargs", "lc_namespace", "lc_serializable", "lc_direct_tool_output")
"""What a message that was spread in JavaScript holds of itself once more."""


def is_chunk(name: str, value: Any) -> bool:
    """Say whether a value is a chunk of an answer in a form, or an event of a graph that holds a message in it."""
    if (event := graph_event(value)) is not None:
        return form_in_event(event) == name
    return form_of(value) == name and chunk_of(value) is not None


def form_in_event(event: tuple[str, Any, str]) -> str | None:
    """Tell the form of the first message that an event of a graph holds."""
    return next((form for _, raw in messages_in(event) if (form := form_of(raw)) is not None), None)


def chunk_of(value: Any) -> Unwrapped | None:
    """Take a chunk of an answer out of its wrapping; None for anything else."""
    if not isinstance(value, dict):
        return None
    unwrapped = unwrap(value)
    if unwrapped is None or unwrapped.kind != "ai" or unwrapped.shape in ("role", "old"):
        return None
    return unwrapped if unwrapped.is_chunk or "tool_call_chunks" in unwrapped.fields else None


def goes_on(value: Any) -> bool:
    """Say whether a value may go on with a stream that has begun."""
    return graph_event(value) is not None or chunk_of(value) is not None


def begins(value: Any, before: Sequence[Any]) -> bool:
    """Say whether a piece is of another answer than those before it, or of another thread of a graph."""
    event, first = graph_event(value), graph_event(before[0])
    if event is not None or first is not None:
        return event is None or first is None or _differ(_thread(event), _thread_of(before))
    return _has_ended(before[-1]) or not may_be_one(_names(before), name_of(value))


def resumes(value: Any, before: Sequence[Any]) -> bool:
    """Say whether a piece goes on with an answer, or a thread, after pieces of others."""
    event = graph_event(value)
    if event is not None:
        thread = _thread(event)
        return thread is not None and thread == _thread_of(before)
    return name_of(value) in _names(before) and not _has_ended(before[-1])


def _differ(one: Any, other: Any) -> bool:
    return one is not None and other is not None and one != other


def _thread_of(before: Sequence[Any]) -> Any:
    events = (graph_event(value) for value in (*before[:_FIRST], before[-1]))
    return next((name for event in events if event is not None and (name := _thread(event)) is not None), None)


def _thread(event: tuple[str, Any, str]) -> Any:
    """Tell the thread that an event is of, where it says so."""
    match event:
        case "messages", [_, {"thread_id": name}], _:
            return name
        case _:
            return None


def _names(before: Sequence[Any]) -> set[str]:
    """Give the ids that the chunks of an answer have."""
    return {name for value in (*before[:_FIRST], before[-1]) if (name := name_of(value)) is not None}


def _has_ended(value: Any) -> bool:
    chunk = chunk_of(value)
    return chunk is not None and chunk.fields.get("chunk_position") == "last"


def assemble(chunks: Sequence[Any]) -> Assembled:
    """Join the chunks of an answer, or the events of a graph."""
    ledger = Ledger()
    if graph_event(chunks[0]) is not None:
        value, is_complete = _joined_graph(chunks, ledger)
    else:
        found: list[tuple[int, Any]] = []
        for piece in ledger.pieces(chunks):
            if chunk_of(piece) is None:
                ledger.lose_between(mapping(piece))
            else:
                found.append((ledger.index, piece))
        value, is_complete = joined(found, ledger, "")
    return Assembled(value, is_complete, ledger.told())


def opened(name: str, value: dict[str, Any]) -> Opened:
    """Open what was joined: a message, or a state."""
    if "messages" in value:
        return open_value(value)
    return Opened("conversation", (Body((("", value, False),), format=name, is_bare=True),))


def joined(pieces: Sequence[tuple[int, Any]], ledger: Ledger, path: str) -> tuple[dict[str, Any], bool]:
    """Join the chunks of one message, given with their indices in the stream; says also whether it came to its end.

    `path` points at the message inside of each piece.
    """
    found = [(index, unwrap(raw)) for index, raw in pieces]
    chunks: list[Chunk] = [(index, _own(one.fields)) for index, one in found if one is not None]
    first, raw = found[0][1], pieces[0][1]
    if first is None:
        return raw, True
    has_ended = _ends(chunks)
    module = javascript if _is_javascript(first) else python
    ledger.index = chunks[0][0]
    fields = module.add_chunks(chunks, ledger, path + first.prefix, is_complete=has_ended is not False)
    if has_ended is None:
        has_ended = not _breaks_off(fields)
    is_escaped = all(one.is_escaped for _, one in found if one is not None)
    return _wrapped(raw, first, fields, is_escaped=is_escaped), has_ended


def _own(fields: Mapping[str, Any]) -> Mapping[str, Any]:
    return {key: held for key, held in fields.items() if key not in _COPIES} if "lc_kwargs" in fields else fields


def _is_javascript(first: Unwrapped) -> bool:
    """Say whether a chunk was written in JavaScript, where types and not classes are told outside of envelopes."""
    return first.shape == "js" or (first.shape in ("stored", "dump") and not first.is_chunk)


def _ends(chunks: Sequence[Chunk]) -> bool | None:
    """Say whether a stream of chunks came to its end; None where none of them would tell."""
    for _, fields in reversed(chunks):
        metadata = mapping(fields.get("response_metadata"))
        if fields.get("chunk_position") == "last" or metadata.get("status") in _ENDED:
            return True
        if any(metadata.get(key) is not None for key in _STOPS):
            return True
    return False if any("chunk_position" in fields or _is_of_run(fields.get("id")) for _, fields in chunks) else None


def _is_of_run(name: Any) -> bool:
    """Say whether an id is one that langchain-core gives since 1.0, whose streams end with a chunk that says so.

    `dumpd` leaves `chunk_position` out of all others (`stream` in langchain_core/language_models/chat_models.py, `LC_ID_PREFIX`).
    """
    return isinstance(name, str) and name.startswith("lc_run-")


def _breaks_off(fields: Mapping[str, Any]) -> bool:
    """Say whether a call has no whole arguments."""
    return any(arguments_of(call.get("args")) is None for _, call in objects(fields.get("invalid_tool_calls")))


def _wrapped(raw: dict[str, Any], first: Unwrapped, fields: Fields, *, is_escaped: bool) -> dict[str, Any]:
    """Put the fields of a message into the wrapping of its first chunk."""
    match first.shape:
        case "lc" | "js":
            told = {key: held for key, held in fields.items() if first.shape == "js" or not _is_mute(key, held)}
            return {**raw, "kwargs": escaped(told) if is_escaped else told}
        case "stored":
            is_wrapped = is_escaped and is_escaped_here("stored", fields)
            return {**raw, "data": escaped(fields) if is_wrapped else fields}
        case _:
            return fields


def _is_mute(key: str, held: Any) -> bool:
    """Say whether `dumpd` would leave a field out."""
    return held is None or held == {} or (key == "tool_call_chunks" and held == [])


def messages_in(event: tuple[str, Any, str]) -> Iterator[tuple[str, Any]]:
    """Give the messages that an event of a graph holds, each with its place in the event."""
    mode, payload, path = event
    match mode, payload:
        case "messages", [dict(message), *_]:
            yield f"{path}/0", message
        case "values", {"messages": list(listed)}:
            yield from ((f"{path}/messages/{n}", message) for n, message in enumerate(listed))
        case "updates", dict():
            for node, update in payload.items():
                for place, message in _updated(update):
                    yield path + step(node) + place, message


def _updated(update: Any) -> Iterator[tuple[str, Any]]:
    match update:
        case {"messages": list(listed)}:
            yield from ((f"/messages/{n}", message) for n, message in enumerate(listed))
        case {"messages": dict(message)}:
            yield "/messages", message


def _joined_graph(events: Sequence[Any], ledger: Ledger) -> tuple[dict[str, Any], bool]:
    """Join the events of a graph to the state that it came to."""
    state = GraphState()
    for value in ledger.pieces(events):
        event = graph_event(value)
        if event is None:
            ledger.lose_between(mapping(value))
            continue
        match event:
            case "messages", [dict(message), *metadata], path:
                _take_message(state, ledger, message, f"{path}/0", metadata)
                if any(metadata):
                    ledger.lose(f"{path}/1", "stream-metadata", "it stands beside a piece of the answer")
            case "values", {"messages": _} as payload, path if not _is_inner(value):
                state.become(ledger, payload, f"{path}/messages")
            case "updates", dict(), _ if any(True for _ in messages_in(event)):
                for place, message in messages_in(event):
                    state.take(ledger.index, place, message)
                _lose_updates(ledger, event)
            case mode, _, _:
                ledger.lose("", "stream-event", f"an event of the mode {mode}, which holds no message")
    return _settled(state, ledger)


def _take_message(state: GraphState, ledger: Ledger, message: Any, path: str, metadata: list[Any]) -> None:
    if chunk_of(message) is None:
        state.take(ledger.index, path, message)
        return
    told = mapping(metadata[0]) if metadata else {}
    place = told.get("langgraph_checkpoint_ns", told.get("checkpoint_ns"))
    state.take_piece(ledger.index, path, message, place, is_last=_has_ended(message))


def _lose_updates(ledger: Ledger, event: tuple[str, Any, str]) -> None:
    """Note what nodes of a graph gave besides messages."""
    _, payload, path = event
    for node, update in payload.items():
        for key in update if isinstance(update, dict) else ():
            if key != "messages":
                ledger.lose(path + step(node) + step(key), "stream-value", "it is no message of the state")


def _settled(state: GraphState, ledger: Ledger) -> tuple[dict[str, Any], bool]:
    """Give the state that events came to; says also whether all its messages came to their end."""
    listed: list[Any] = []
    is_complete = True
    for entry in state.entries:
        if entry.whole is not None:
            listed.append(entry.whole)
        else:
            message, has_ended = joined(entry.pieces, ledger, entry.path)
            listed.append(message)
            is_complete &= has_ended
    return {**state.rest, "messages": listed}, is_complete


def _is_inner(value: Any) -> bool:
    """Say whether an event is one of a subgraph, whose state is its own."""
    match value:
        case [[_, *_], str(), _]:
            return True
        case _:
            return False
