"""Where LangChain messages stand in what is logged: states and checkpoints of LangGraph, runs of LangSmith, streams, prompts."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any

from msgspec.structs import replace

from lighter.envelope import Body, Opened, bare
from lighter.formats._langchain_runs import (
    body_of_run,
    generated,
    is_message,
    is_run,
    listed,
    rest_of_generated,
    without,
)
from lighter.formats._langchain_sniffing import form_of, is_in_short, is_pair
from lighter.jsontext import step

_STATES = ("values", "channel_values", "output", "outputs", "data", "state", "value", "input")
"""Keys that hold the state of a graph: in answers and requests of its API, in checkpoints, in runs, in stores, in parts of its stream."""

_HISTORIES = ("chat_history", "history", "History")
"""Keys that hold the messages of a memory or a store themselves (`ConversationBufferMemory`, `DynamoDBChatMessageHistory`)."""

_MODES = frozenset({"values", "messages", "updates", "custom", "debug", "checkpoints", "tasks"})
"""The modes of a graph's stream, each of which stands before what it streams."""


_SHORT = "langchain-dump"
"""The form that shorthand belongs to."""

_CHECKPOINT_LENGTH = 5
"""How long a CheckpointTuple of LangGraph is, a named tuple, too."""

_LENGTHS = (7, 8)
"""How long a StateSnapshot of LangGraph is, a named tuple that `dumps` writes as a list; the last, `interrupts`, came later."""


def open_record(name: str, value: Any) -> Opened | None:
    """Open a record that holds messages in one of LangChain's forms; None for anything else."""
    match value:
        case dict():
            return _open_object(name, value)
        case [str(), _] if name == _SHORT and is_pair(value):
            return Opened("message")
        case [_, *_] if name == _SHORT and all(map(_is_in_words_of_all, value)):
            return Opened("conversation", (replace(bare(list(value), ""), only_in=name),))
        case [str() | [*_], dict()] | [[*_], str(), dict()] if body := _part_of_stream(value):
            return Opened("conversation", (body,)) if _form_in(body.messages) == name else None
        case [state, [*_], {"configurable": dict()}, _, str() | None, _, [*_], *_] if len(value) in _LENGTHS:
            return _snapshot(name, value, state)
        case [{"configurable": dict()}, {"channel_values": dict(state)}, *_] if len(value) == _CHECKPOINT_LENGTH:
            return _snapshot(name, value, state, "/1/channel_values")
        case [[str(), _], *_] if all(map(_is_streamed, value)) and any(item[0] in _MODES for item in value):
            return _stream(name, list(value))
        case [_, *_] if name == _SHORT and any(isinstance(item, str | list) for item in value) and is_in_short(value):
            return Opened("conversation", (replace(bare(list(value), ""), format=name),))
        case [_, *_] if _form_in(listed(value, "")) == name and all(map(_may_stand_among, value)):
            return Opened("conversation", (bare(list(value), ""),))
        case _:
            return None


def open_interrupt(value: Any) -> Opened | None:
    """Open what a graph without messages gives of its state while it waits for a person (`langgraph.types.Interrupt`)."""
    match value:
        case {"__interrupt__": [_, *_] as asked, **state} if not state and all(map(_is_interrupt, asked)):
            return Opened("conversation", (Body((), fields=value, listed=[], format=_SHORT),))
        case _:
            return None


def _is_interrupt(value: Any) -> bool:
    return isinstance(value, dict) and "value" in value


def _open_object(name: str, value: Mapping[str, Any]) -> Opened | None:
    if form_of(value) == name:
        return Opened("message")
    body = next((body for body in _bodies(value) if _form_in(body.messages) == name), None)
    if body is None and name == _SHORT and _is_in_words_of_all(value):
        return Opened("message", only_in=name)
    return None if body is None else Opened("conversation", (body,))


def _form_in(messages: Sequence[tuple[str, Any, bool]]) -> str | None:
    """Tell in which form messages are, by the first of them that tells it; shorthand is flat."""
    found = (form_of(raw) for _, raw, _ in messages)
    told = next((form for form in found if form is not None), None)
    if told is None and any(is_pair(raw) for _, raw, _ in messages):
        return "langchain-dump"
    return told


def _bodies(value: Mapping[str, Any]) -> Iterator[Body]:
    """Look where a record may hold messages."""
    match value:
        case dict() if is_run(value):
            if (body := body_of_run(value)) is not None:
                yield body
        case {"generations": [[{"message": dict()}, *_], *_]}:
            yield Body(generated(value, ""), rest=tuple(rest_of_generated(value, "")))
        case {"lc": _, "kwargs": {"messages": list()}}:
            yield _state(value["kwargs"], "/kwargs", without(value, "", "kwargs"))
        case {"checkpoint": {"channel_values": {"messages": list()}}}:
            rest = (*without(value["checkpoint"], "/checkpoint", "channel_values"), *without(value, "", "checkpoint"))
            yield _state(value["checkpoint"]["channel_values"], "/checkpoint/channel_values", rest)
        case {"type": "checkpoints", "ns": list(), "data": {"values": {"messages": list()}}}:
            yield _checkpoint(value, "data")
        case {"step": int(), "type": "checkpoint", "payload": {"values": {"messages": list()}}}:
            yield _checkpoint(value, "payload")
        case {"messages": dict(message)} if form_of(message) is not None:  # one alone, as a graph takes it, too
            yield Body((("/messages", message, False),), rest=tuple(without(value, "", "messages")))
        case _:
            pass
    yield from _bodies_under_keys(value)
    yield from _events(value)


def _bodies_under_keys(value: Mapping[str, Any]) -> Iterator[Body]:
    """Look at the keys of a record under which a state or a list of messages usually stands."""
    for key in _STATES:
        if isinstance(state := value.get(key), dict) and isinstance(state.get("messages"), list):
            yield _state(state, step(key), without(value, "", key))
    for key in _HISTORIES:
        if isinstance(history := value.get(key), list):
            rest = tuple(without(value, "", key))
            yield Body(listed(history, step(key)), messages_path=step(key), listed=history, rest=rest)


def _events(value: Mapping[str, Any] | Sequence[Any]) -> Iterator[Body]:
    """Read one event of a graph or a run, alone in a file: the messages that it holds."""
    if "messages" in value:
        return
    from lighter.graph_events import graph_event  # noqa: PLC0415 - most records are no events

    if (event := graph_event(value)) is not None:
        from lighter.formats._langchain_graph import messages_in  # noqa: PLC0415 - as above

        found = tuple((path, raw, False) for path, raw in messages_in(event))
        if found:
            yield Body(found, rest=tuple(_beside(value, "", {path for path, _, _ in found})))


def _beside(value: Any, path: str, taken: Collection[str]) -> Iterator[tuple[str, Any]]:
    """List what a value holds besides some places in it."""
    if path in taken:
        return
    if not any(place.startswith(f"{path}/") for place in taken):
        yield path, value
        return
    for key, held in value.items() if isinstance(value, dict) else enumerate(value):
        yield from _beside(held, path + step(key), taken)


def _snapshot(name: str, value: Sequence[Any], state: Any, path: str = "/0") -> Opened | None:
    """Open what `get_state` of a graph or its checkpointer gives: the tasks and writes beside the state hold no history."""
    messages = state.get("messages") if isinstance(state, dict) else None
    if not isinstance(messages, list) or not messages:
        return Opened("none")
    if _form_in(listed(messages, "")) != name:
        return None
    rest = _beside(value, "", {path})
    return Opened("conversation", (_state(state, path, rest),))


def _state(state: Mapping[str, Any], path: str, rest: Iterable[tuple[str, Any]]) -> Body:
    """Make the body of an object that lists messages somewhere in a record."""
    fields = {key: held for key, held in state.items() if key != "messages"}
    messages = listed(state["messages"], f"{path}/messages")
    return Body(
        messages, path=path, fields=fields, messages_path=f"{path}/messages", listed=state["messages"], rest=tuple(rest)
    )


def _checkpoint(value: Any, key: str | int) -> Body:
    """Make the body of the state in a checkpoint that a graph streams, alone in a file."""
    held, path = value[key], step(key)
    around = value.items() if isinstance(value, dict) else enumerate(value)
    rest = [*without(held, path, "values"), *((step(k), v) for k, v in around if k != key)]
    return _state(held["values"], f"{path}/values", rest)


def _part_of_stream(value: Sequence[Any]) -> Body | None:
    """Make the body of what one part of a stream holds: the namespace where there are subgraphs, the mode, and what that streams."""
    last = len(value) - 1
    if last > 0 and isinstance(value[last - 1], str) and value[last - 1] not in _MODES:
        return None
    match value[last]:
        case {"messages": list()} as state if isinstance(value[last - 1], str):
            return _state(state, step(last), ((step(n), held) for n, held in enumerate(value[:last])))
        case {"values": {"messages": list()}} if isinstance(value[last - 1], str):
            return _checkpoint(value, last)
        case _:
            return next(_events(value), None)


def _is_streamed(item: Any) -> bool:
    match item:
        case [str(mode), held]:
            return mode in _MODES or held is None or isinstance(held, dict | list)
        case _:
            return False


def _stream(name: str, items: list[Any]) -> Opened | None:
    """Read what a graph streamed: its last state is the conversation."""
    for index in range(len(items) - 1, -1, -1):
        match items[index]:
            case ["values", {"messages": [_, *_] as messages} as state] if _form_in(listed(messages, "")) == name:
                place = step(index)
                rest = ((f"{place}/0", "values"), *((step(n), item) for n, item in enumerate(items) if n != index))
                return Opened("conversation", (_state(state, f"{place}/1", rest),))
            case _:
                pass
    return None


def _may_stand_among(value: Any) -> bool:
    """Say whether a value may stand in a list of messages, where null and numbers get by mistake."""
    return value is None or isinstance(value, int | float) or is_message(value)


def _is_in_words_of_all(value: Any) -> bool:
    """Say whether LangChain takes for a message what may be anything: a text, or a type that it never writes and others do."""
    match value:
        case str():
            return bool(value.strip())
        case {"type": "user" | "assistant" | "developer", "content": str() | list()}:
            return "role" not in value
        case _:
            return False
