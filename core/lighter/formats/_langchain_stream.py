"""Joining what LangChain and LangGraph stream: the chunks of an answer to a message, the events of a graph to its state.

A model streams `AIMessageChunk`s (https://docs.langchain.com/oss/python/langchain/streaming). A graph streams events: a pair of
message and metadata, `[mode, payload]` where there are several modes, `[namespace, mode, payload]` with subgraphs
(https://docs.langchain.com/oss/python/langgraph/streaming); of one mode, what that gives stands alone. `astream_events` tells what
the runs of a chain or a graph do.
"""

from collections.abc import Sequence
from typing import Any

from lighter.envelope import Body, Opened, open_value
from lighter.formats._langchain_chunks import joined
from lighter.formats._langchain_graph import form_in_event, joined_graph
from lighter.formats._langchain_pieces import has_ended, is_of_model, may_be_one, name_of, piece_of
from lighter.formats._langchain_sniffing import form_of
from lighter.formats._streaming import Assembled, Ledger, mapping
from lighter.graph_events import Event, graph_event, is_silent_update, thread_of

_FIRST = 20
"""How many chunks are looked at for the ids of an answer."""


def is_chunk(name: str, value: Any) -> bool:
    """Say whether a value is a chunk of an answer in a form, or an event of a graph that holds a message in it."""
    if (event := graph_event(value)) is not None:
        return form_in_event(event) == name
    return form_of(value) == name and is_of_model(value)


def goes_on(value: Any) -> bool:
    """Say whether a value may go on with a stream that has begun."""
    return graph_event(value) is not None or is_of_model(value) or is_silent_update(value)


def begins(value: Any, before: Sequence[Any]) -> bool:
    """Say whether a piece is of another answer than those before it, or of another thread of a graph."""
    event, first = graph_event(value), _first_event(before)
    if event is None and is_silent_update(value):
        return first is None or first[::2] != ("updates", "")
    if event is not None or first is not None:
        return event is None or first is None or _differ(thread_of(value), _thread_of(before))
    return has_ended(before[-1]) or not may_be_one(_names(before), name_of(value))


def resumes(value: Any, before: Sequence[Any]) -> bool:
    """Say whether a piece goes on with an answer, or a thread, after pieces of others."""
    if graph_event(value) is not None:
        thread = thread_of(value)
        return thread is not None and thread == _thread_of(before)
    return name_of(value) in _names(before) and not has_ended(before[-1])


def _first_event(values: Sequence[Any]) -> Event | None:
    """Give the first event of a graph among values, before which nodes may have given nothing that tells them as such."""
    return next((event for value in values[:_FIRST] if (event := graph_event(value)) is not None), None)


def _differ(one: Any, other: Any) -> bool:
    return one is not None and other is not None and one != other


def _thread_of(before: Sequence[Any]) -> Any:
    return next((name for value in (*before[:_FIRST], before[-1]) if (name := thread_of(value)) is not None), None)


def _names(before: Sequence[Any]) -> set[str]:
    """Give the ids that the chunks of an answer have."""
    return {name for value in (*before[:_FIRST], before[-1]) if (name := name_of(value)) is not None}


def assemble(chunks: Sequence[Any]) -> Assembled:
    """Join the chunks of an answer, or the events of a graph."""
    ledger = Ledger()
    if _first_event(chunks) is not None:
        return joined_graph(chunks, ledger)
    found: list[tuple[int, Any]] = []
    for piece in ledger.pieces(chunks):
        if piece_of(piece) is None:
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
