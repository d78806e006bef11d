"""What nodes of a graph take back in a stream is taken back, and what came before the stream is missed by nobody."""

import io
import json
from typing import Any

import pytest
from chat import jsonl

import lighter
from lighter.linting import LintOptions, lint_stream

pytest.importorskip("langgraph")

from langchain_core.messages import AIMessage, RemoveMessage, ToolMessage
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.graph import START, MessagesState, StateGraph
from langgraph.graph.message import REMOVE_ALL_MESSAGES
from test_langchain_graphs import THREAD, WAYS, plain, said_of

RESULT = ToolMessage("11", tool_call_id="c1", id="t1")
CALL: Any = {"name": "warm", "args": {}, "id": "c1", "type": "tool_call"}
STATE = [("human", "Hi", "h1"), ("ai", "Hm?", "a1")]
TURNS: dict[str, tuple[list[list[Any]], list[tuple[str, str]]]] = {
    "its own": ([[AIMessage("One.", id="a2"), AIMessage("Two.", id="a3")], [RemoveMessage("a2")]], [("ai", "Two.")]),
    "an older one": ([[RemoveMessage("a1")], [AIMessage("One.", id="a2")]], [("ai", "One.")]),
    "the only one": ([[AIMessage("One.", id="a2")], [RemoveMessage("a2")]], []),
    "all but the last": (
        [[AIMessage("One.", id="a2")], [RemoveMessage(REMOVE_ALL_MESSAGES), AIMessage("One.", id="a2")]],
        [("ai", "One.")],
    ),
    "one that comes again": (
        [[AIMessage("One.", id="a2")], [RemoveMessage("a2")], [AIMessage("Two.", id="a2")]],
        [("ai", "Two.")],
    ),
    "none, of a run that goes on": (
        [[RESULT], [AIMessage("It is 11.", id="a4")]],
        [("tool", "11"), ("ai", "It is 11.")],
    ),
}
"""What nodes give, one after the other, to a state with two messages, and what is left of it."""


def streamed(given: list[list[Any]], mode: Any) -> list[Any]:
    """Stream what nodes give that add to a state from before."""
    built: Any = StateGraph(MessagesState)
    names = [START, *(f"node{n}" for n in range(len(given)))]
    for before, name, update in zip(names, names[1:], given, strict=False):
        built.add_node(name, lambda _, update=update: {"messages": update})
        built.add_edge(before, name)
    app = built.compile(checkpointer=InMemorySaver())
    app.update_state(
        THREAD, {"messages": [{"role": role, "content": text, "id": own} for role, text, own in STATE]}, START
    )
    return list(app.stream({"messages": []}, THREAD, stream_mode=mode))


def test_a_state_that_comes_after_its_last_message_gives_the_order() -> None:
    call = AIMessage("", tool_calls=[CALL], id="a1")
    state = [{"type": "human", "content": "Hi", "id": "h1"}, *map(plain, (call, RESULT))]
    events = [
        {"id": "1", "name": "tools", "error": None, "result": {"messages": [plain(RESULT)]}, "interrupts": []},
        {"id": "2", "name": "agent", "input": {"messages": state}, "triggers": ["tools"]},
    ]
    (found,) = lighter.load(io.BytesIO(jsonl(*events)))
    assert said_of(found) == [("human", "Hi"), ("ai", ""), ("tool", "11")]
    assert [diagnostic.code for diagnostic in lighter.lint(events) if diagnostic.severity == "error"] == []


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("mode", ["updates", "tasks", ["updates", "tasks"]], ids=str)
@pytest.mark.parametrize("turn", TURNS)
def test_removals_in_a_stream_are_carried_out(turn: str, mode: Any, way: str) -> None:
    given, left = TURNS[turn]
    events = [json.loads(json.dumps(WAYS[way](event))) for event in streamed(given, mode)]
    # A task tells what it was given: the state from before.
    told = [(role, text) for role, text, own in STATE if ("a1" not in str(given[0]) or own != "a1")]
    has_state = "tasks" in mode and turn != "all but the last"
    for name, data in (("log.jsonl", jsonl(*events)), ("log.json", jsonl(events))):
        (found,) = lighter.load(io.BytesIO(data))
        assert said_of(found) == (told if has_state else []) + left
        codes = [found.code for found in lint_stream(io.BytesIO(data), name, LintOptions()).diagnostics]
        assert codes == (["P102"] if turn.startswith("none") and has_state else [])
