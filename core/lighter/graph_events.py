"""Events of LangGraph and LangChain, told by a quick look: what a graph streams in its modes, and what `astream_events` tells.

https://docs.langchain.com/oss/python/langgraph/streaming,
https://reference.langchain.com/python/langchain-core/runnables/base/Runnable/astream_events
"""

from typing import Any

Event = tuple[str, Any, str]
"""What an event is, what it holds, and where that stands in it.

`values`: the state of a graph. `messages`: a message, or a chunk of one, with metadata. `updates`: what nodes gave, by their names.
`update`: what one gave. `asked`: messages that go to a model. `said`: a message of a model or a tool, or a chunk of one, with the event.
Other names are those of modes and hold no message.
"""

MODES = frozenset({"values", "updates", "messages", "custom", "debug", "tasks", "checkpoints"})
"""The modes in which a graph of LangGraph streams."""

_METADATA = frozenset({"langgraph_node", "langgraph_step", "langgraph_checkpoint_ns", "checkpoint_ns", "ls_model_type"})
"""Keys of the metadata that stand beside a message that a graph streams."""

_WITH_MESSAGES = frozenset({"values", "updates", "update", "messages", "asked", "said"})
_STATES = frozenset({
    "values", "channel_values", "checkpoint", "input", "inputs", "output", "outputs", "request", "response", "kwargs", "data", "body", "params",
    "payload", "result", "state", "raw", "error",
})  # fmt: skip
"""Keys that hold what somebody sent or got as a whole, and name no node."""

_TYPES = frozenset({
    "human", "ai", "system", "tool", "function", "chat", "remove", "constructor", "HumanMessageChunk", "AIMessageChunk", "SystemMessageChunk",
    "ToolMessageChunk", "FunctionMessageChunk", "ChatMessageChunk",
})  # fmt: skip


def graph_event(value: Any) -> Event | None:
    """Tell what a value is where it is such an event; None for anything else."""
    match value:
        case [*_]:
            return _in_list(value)
        case {"type": str(mode), "ns": list(), "data": payload} if mode in MODES:
            return _in_mode(mode, payload, "/data")
        case {"event": str(name), "data": data, "run_id": str()} if name.startswith("on_"):
            return _told_by_run(name, value, data)
        case {"step": int(), "type": "checkpoint" | "task" | "task_result" as kind, "payload": dict(payload)}:
            return _debug(kind, payload, "/payload")
        case {"id": str(), "name": str(), "triggers": list(), "input": _} | {
            "id": str(),
            "name": str(),
            "result": _,
            "error": _,
        }:
            return _task(value, "")
        case {"__interrupt__": list()} if len(value) == 1:
            return "interrupt", value, ""
        case dict() if _is_update(value):
            return "updates", value, ""
        case _:
            return None


def holds_messages(value: Any) -> bool:
    """Say whether a value is an event that may hold a message of LangChain's; what goes to a model may be shorthand alone."""
    event = graph_event(value)
    if event is None or event[0] not in _WITH_MESSAGES or not isinstance(event[1], dict | list):
        return False
    return event[0] != "asked" or (isinstance(event[1], list) and any(map(_is_message, event[1])))


def thread_of(value: Any) -> Any:
    """Tell the thread that an event is of, or the run that it began with, where it says so."""
    match value:
        case {"event": str(), "metadata": {"thread_id": name}}:
            return name
        case {"event": str(), "parent_ids": [root, *_]}:
            return root
        case {"event": str(), "parent_ids": [], "run_id": root}:
            return root
        case {"payload": {"config": {"configurable": {"thread_id": name}}}}:
            return name
        case [*_] if (event := graph_event(value)) is not None and event[0] == "messages":
            return _thread_beside(event[1])
        case _:
            return None


def is_inner(value: Any) -> bool:
    """Say whether an event is one of a subgraph, whose state is its own."""
    match value:
        case [[_, *_], str(), _] | [[str(), *_], _] | {"ns": [_, *_], "data": _}:
            return True
        case {"payload": {"config": {"configurable": {"checkpoint_ns": str(namespace)}}}}:
            return bool(namespace)
        case _:
            return False


def is_silent_update(value: Any) -> bool:
    """Say whether a value may tell what nodes gave where none of them gave a message."""
    return (
        type(value) is dict
        and bool(value)
        and all(held is None or isinstance(held, dict | list) for held in value.values())
    )


def is_update(value: Any) -> bool:
    """Say whether a value tells what nodes gave, by their names alone, and a message among it."""
    return type(value) is dict and (event := graph_event(value)) is not None and event[::2] == ("updates", "")


def _thread_beside(payload: Any) -> Any:
    match payload:
        case [_, {"thread_id": name}]:
            return name
        case _:
            return None


def _in_mode(mode: str, payload: Any, path: str) -> Event:
    """Tell an event that stands behind the name of its mode; a node may write any value into the mode `custom`."""
    match mode, payload:
        case "debug", {"type": str(kind), "payload": dict(inner)}:
            return _debug(kind, inner, f"{path}/payload")
        case "tasks", dict():
            return _task(payload, path)
        case "checkpoints", {"values": {"messages": [_, *_]} as state}:
            return "values", state, f"{path}/values"
        case "values", dict() if "messages" not in payload:
            return "state", payload, path
        case _:
            return mode, payload, path


def _in_list(value: Any) -> Event | None:
    """Tell an event that is a list: of a message and metadata, or of its mode or namespace, or both, and what it holds."""
    match value:
        case [str(mode), payload] if mode in MODES:
            return _in_mode(mode, payload, "/1")
        case [list(), str(mode), payload] if mode in MODES:
            return _in_mode(mode, payload, "/2")
        case [[*namespace], payload] if _are_of_namespace(namespace):
            return _in_namespace(payload, is_certain=bool(namespace))
        case [{"type": str()}, dict(metadata)] if not _METADATA.isdisjoint(metadata):
            return "messages", value, ""
        case _:
            return None


def _are_of_namespace(names: list[Any]) -> bool:
    """Say whether texts name a place among graphs; each subgraph has the name of its node and the id of its task (`NS_END`)."""
    return all(isinstance(name, str) for name in names) and (not names or ":" in names[0])


def _in_namespace(payload: Any, *, is_certain: bool) -> Event | None:
    """Tell what a graph with subgraphs streams in one mode, which it does not name; `is_certain`: it is such an event for sure."""
    match payload:
        case {"messages": []}:
            return "values", payload, "/1"
        case {"messages": [first, *_]} if _is_message(first):
            return "values", payload, "/1"
        case {"values": {"messages": [first, *_]} as state, "metadata": _} if _is_message(first):
            return "values", state, "/1/values"
        case dict() | [dict(), dict()] if (event := graph_event(payload)) is not None:
            mode, held, path = event
            return mode, held, f"/1{path}"
        case _ if is_certain or is_silent_update(payload):
            return "unnamed", payload, "/1"
        case _:
            return None


def _debug(kind: str, payload: dict[str, Any], path: str) -> Event:
    """Tell what the mode `debug` gives (`langgraph/pregel/debug.py`): states, and what nodes take and give."""
    match kind, payload:
        case "checkpoint", {"values": {"messages": [_, *_]} as state}:
            return "values", state, f"{path}/values"
        case "task_result", {"result": dict() | list() as given} if _gives_messages(given):
            return "update", given, f"{path}/result"
        case _:
            return "debug", payload, path


def _task(payload: dict[str, Any], path: str) -> Event:
    """Tell what the mode `tasks` gives (`langgraph/pregel/debug.py`): what a node takes, the state so far, and what it gives."""
    match payload:
        case {"triggers": _, "input": {"messages": [first, *_] as taken}} if _is_message(first):
            return "asked", taken, f"{path}/input/messages"
        case {"result": dict() | list() as given} if _gives_messages(given):
            return "update", given, f"{path}/result"
        case _:
            return "tasks", payload, path


def _told_by_run(name: str, event: dict[str, Any], data: Any) -> Event:
    """Tell an event of `astream_events`; those of chains are copies of what models and tools tell, but for the last state."""
    match name, data:
        case "on_chat_model_start", {"input": {"messages": [list(asked), *_]}}:
            return "asked", asked, "/data/input/messages/0"
        case "on_chat_model_start", {"input": [*_] as asked}:
            return "asked", asked, "/data/input"
        case "on_chat_model_start", {"input": str() as text}:
            return "asked", text, "/data/input"
        case "on_chat_model_stream" | "on_chat_model_end" | "on_tool_end", {"chunk": dict() as said} if _is_message(
            said
        ):
            return "said", [said, event], "/data/chunk"
        case "on_chat_model_end" | "on_tool_end", {"output": dict() as said} if _is_message(said):
            return "said", [said, event], "/data/output"
        case "on_chat_model_end", {"output": {"generations": [[{"message": dict() as said}, *_], *_]}}:
            return "said", [said, event], "/data/output/generations/0/0/message"
        case "on_chain_end", {"output": {"messages": [_, *_]} as state} if not event.get("parent_ids", True):
            return "values", state, "/data/output"
        case "on_chain_end", {"output": {"messages": [_, *_]} as given} if _gives_messages(given):
            return "update", given, "/data/output"
        case _:
            return "event", data, "/data"


def _is_update(value: dict[str, Any]) -> bool:
    """Say whether an object tells what nodes of a graph gave: by their names, and messages of LangChain among it."""
    has_messages = False
    for node, given in value.items():
        if not (given is None or type(given) is dict or type(given) is list) or node in _STATES:
            return False
        has_messages = has_messages or _gives_messages(given)
    return has_messages


def _gives_messages(given: Any) -> bool:
    match given:
        case {"messages": [first, *_] | (dict() as first)}:
            return _is_message(first)
        case [["messages", [first, *_]], *_] | [{"messages": [first, *_]}, *_]:
            return _is_message(first)
        case _:
            return False


def _is_message(value: Any) -> bool:
    """Say whether a value looks like a message of LangChain."""
    match value:
        case {"lc": _, "kwargs": dict()} | {"type": str(), "data": dict()} | {"type": str(), "content": _}:
            return value.get("type") in _TYPES
        case _:
            return False
