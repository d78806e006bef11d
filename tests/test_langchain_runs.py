"""Runs of LangSmith and other records around LangChain's messages: what was asked, what came of it, and what stands beside."""

import json
from typing import Any

import pytest

from lighter import LighterError, convert, lint

ID = ["langchain", "schema", "messages"]


def lc(name: str, text: str) -> dict[str, Any]:
    return {"lc": 1, "type": "constructor", "id": [*ID, name], "kwargs": {"content": text}}


HISTORY = [lc("HumanMessage", "Tide?"), lc("AIMessage", "2.1 m")]
CHAIN = {
    "run_type": "chain",
    "inputs": {"input": "And now?", "chat_history": HISTORY},
    "outputs": {"output": lc("AIMessage", "2.4 m")},
}
FLAT = {
    "run_type": "llm",
    "inputs": {"messages": [{"type": "human", "content": "q"}]},
    "outputs": {"type": "ai", "content": "a"},
}
TOOL = {"run_type": "tool", "inputs": {"input": "{}"}, "outputs": {"output": "18"}}


def said(value: Any) -> list[tuple[str, str]]:
    """Give the roles and texts of a request body."""
    return [(message["role"], message["content"]) for message in value["messages"]]


def test_the_history_and_the_question_of_a_chain_are_read() -> None:
    found = convert(CHAIN, "openai-chat")
    assert said(found.value) == [
        ("user", "Tide?"),
        ("assistant", "2.1 m"),
        ("user", "And now?"),
        ("assistant", "2.4 m"),
    ]
    assert [loss.path for loss in found.losses] == ["/run_type"]
    assert lint(CHAIN) == []


def test_what_is_no_history_stays_beside_the_answer() -> None:
    odd = {**CHAIN, "inputs": {"input": {"a": 1}, "chat_history": ["q", 5], "more": "x"}}
    found = convert(odd, "openai-chat")
    assert said(found.value) == [("assistant", "2.4 m")]
    assert {loss.path for loss in found.losses} == {
        "/run_type",
        "/inputs/input",
        "/inputs/chat_history",
        "/inputs/more",
    }


def test_an_answer_may_be_a_message_by_itself() -> None:
    assert said(convert(FLAT, "openai-chat").value) == [("user", "q"), ("assistant", "a")]


def test_listed_runs_are_read_and_those_without_a_conversation_are_told() -> None:
    found = convert({"runs": [CHAIN, TOOL, FLAT], "cursors": {"next": "c"}}, "openai-chat")
    assert [len(said(value)) for value in found.value] == [4, 2]
    dropped = {loss.path for loss in found.losses}
    assert {"/runs/1", "/cursors"} <= dropped


ASKED, ANSWERED = HISTORY
LLM = {"run_type": "llm", "inputs": {"messages": [[ASKED]]}, "outputs": {"generations": [[{"message": ANSWERED}]]}}
FLAT_HISTORY = [{"type": "human", "content": "Tide?"}, {"type": "ai", "content": "2.1 m"}]
STORED = [{"type": "human", "data": {"content": "Tide?"}}, {"type": "ai", "data": {"content": "2.1 m"}}]

RECORDS: dict[str, Any] = {
    "an answer under `message`": {**LLM, "outputs": {"message": ANSWERED}},
    "generations without prompts": {**LLM, "outputs": {"generations": [{"message": ANSWERED}]}},
    "outputs as text": {**LLM, "outputs": json.dumps(LLM["outputs"])},
    "inputs and outputs as text": {k: v if k == "run_type" else json.dumps(v) for k, v in LLM.items()},
    "one message asked": {**LLM, "inputs": {"messages": ASKED}},
    "a list under `input`": {"run_type": "chain", "inputs": {"input": [ASKED]}, "outputs": {"output": ANSWERED}},
    "a state under `input`": {"run_type": "chain", "inputs": {"input": {"messages": [ASKED]}}, "outputs": ANSWERED},
    "a message under `input`": {"run_type": "chain", "inputs": {"input": ASKED}, "outputs": {"output": ANSWERED}},
    "a list under `output`": {"run_type": "chain", "inputs": {"input": "Tide?"}, "outputs": {"output": [ANSWERED]}},
    "a state under `output`": {"run_type": "chain", "inputs": {"x": 1}, "outputs": {"output": {"messages": HISTORY}}},
    "a run within a run": {"run_type": "chain", "inputs": {"q": "x"}, "outputs": {}, "child_runs": [TOOL, LLM]},
    "the memory of a chain": {"chat_history": HISTORY, "input": "And now?"},
    "the same, flat": {"chat_history": FLAT_HISTORY},
    "a row of a store": {"SessionId": "s", "History": STORED},
    "a part of a stream": {"type": "values", "ns": [], "data": {"messages": HISTORY}},
}  # fmt: skip


def leaves(value: Any, path: str = "") -> dict[str, Any]:
    """Point at all values of JSON that are no objects or lists, inside of JSON text, too."""
    if isinstance(value, str) and value.startswith("{"):
        return leaves(json.loads(value), path)
    if not isinstance(value, dict | list):
        return {path: value}
    items = value.items() if isinstance(value, dict) else enumerate(value)
    return {place: leaf for key, held in items for place, leaf in leaves(held, f"{path}/{key}").items()}


@pytest.mark.parametrize("name", RECORDS)
def test_what_was_asked_and_answered_is_found_and_all_else_is_told(name: str) -> None:
    found = convert(RECORDS[name], "openai-chat")
    assert said(found.value) == [("user", "Tide?"), ("assistant", "2.1 m")]
    told = [loss.path for loss in found.losses if loss.action == "dropped"]
    held = {"Tide?", "2.1 m", 1, "constructor", *ID, "HumanMessage", "AIMessage", "human", "ai"}
    silent = {path for path, leaf in leaves(RECORDS[name]).items() if leaf not in held}
    silent -= {path for path in silent if any(path == loss or path.startswith(f"{loss}/") for loss in told)}
    assert silent <= {"/type"}  # the mode of a stream
    assert lint(RECORDS[name]) == []


@pytest.mark.parametrize("name", RECORDS)
def test_they_are_given_back_as_they_were(name: str) -> None:
    own = "langchain-stored" if "store" in name else "langchain-dump" if "flat" in name else "langchain"
    value = RECORDS[name]
    assert convert(value, own).value == (value if "within" not in name else value["child_runs"][1])


def test_one_message_alone_is_a_conversation() -> None:
    found = convert({"messages": ASKED, "more": 1}, "openai-chat")
    assert said(found.value) == [("user", "Tide?")]
    assert [loss.path for loss in found.losses] == ["/more"]


def test_what_a_tool_is_called_with_is_said_by_nobody() -> None:
    with pytest.raises(LighterError):
        convert({**TOOL, "outputs": {"output": {"type": "tool", "content": "18", "tool_call_id": "c"}}}, "openai-chat")


def test_the_other_prompts_of_a_batch_are_told() -> None:
    inputs = {"messages": [[ASKED], [lc("HumanMessage", "Wind?")]]}
    outputs = {"generations": [[{"message": ANSWERED}], [{"message": lc("AIMessage", "4 kn")}]]}
    found = convert({"run_type": "llm", "inputs": inputs, "outputs": outputs}, "openai-chat")
    assert said(found.value) == [("user", "Tide?"), ("assistant", "2.1 m")]
    assert {"/inputs/messages/1", "/outputs/generations/1/0"} <= {loss.path for loss in found.losses}


STATE = {"config": {"a": 1}, "metadata": {"step": 2}, "values": {"messages": HISTORY}, "next": ["b"]}


@pytest.mark.parametrize(
    "events",
    [
        [["checkpoints", {"values": {"messages": HISTORY[:1]}}], ["checkpoints", STATE]],
        [{"type": "checkpoints", "ns": [], "data": {"values": {"messages": HISTORY[:1]}}},
         {"type": "checkpoints", "ns": [], "data": STATE}],
        [["debug", {"step": 1, "type": "checkpoint", "payload": {"values": {"messages": HISTORY[:1]}}}],
         ["debug", {"step": 2, "type": "checkpoint", "payload": STATE}]],
    ],
    ids=["pairs", "parts", "debug"],
)  # fmt: skip
def test_checkpoints_that_are_streamed_are_one_history(events: list[Any]) -> None:
    found = convert(events, "openai-chat")
    assert said(found.value) == [("user", "Tide?"), ("assistant", "2.1 m")]
    dropped = {loss.path.rpartition("/")[2] for loss in found.losses}
    assert {"config", "metadata", "next"} <= dropped
    assert "values" not in dropped


PROMPT = [{"type": "human", "content": "Tide?"}]
REPLY = [{"type": "ai", "content": "2.1 m"}]


@pytest.mark.parametrize(
    ("asked", "given", "said_in_all"),
    [
        (PROMPT, REPLY, ["Tide?", "2.1 m"]),  # a node, or a pair of a data set
        ([["human", "Tide?"]], REPLY, ["Tide?", "2.1 m"]),
        (PROMPT, PROMPT + REPLY, ["Tide?", "2.1 m"]),  # a graph
        (REPLY + PROMPT, REPLY + PROMPT + REPLY, ["2.1 m", "Tide?", "2.1 m"]),
    ],
)
@pytest.mark.parametrize("more", [{}, {"run_type": "chain", "name": "agent"}], ids=["pair", "run"])
def test_what_a_run_gave_goes_on_with_what_it_was_given(
    asked: Any, given: Any, said_in_all: list[str], more: dict[str, Any]
) -> None:
    run = {**more, "inputs": {"messages": asked}, "outputs": {"messages": given}}
    assert [text for _, text in said(convert(run, "openai-chat").value)] == said_in_all
    assert lint(run) == []
    assert convert(run, "langchain-dump", format="langchain-dump").value == run


KEPT_STATE = {"messages": PROMPT + REPLY, "n": 1}


@pytest.mark.parametrize(
    "value",
    [
        {"namespace": ["ann"], "key": "k", "value": KEPT_STATE, "created_at": "2026"},
        {"state": KEPT_STATE, "next": []},
        {"assistant_id": "agent", "input": KEPT_STATE},
        [{"configurable": {"thread_id": "1"}}, {"v": 1, "channel_values": KEPT_STATE}, {"step": 1}, None, []],
    ],
    ids=["store", "state", "request", "checkpoint tuple"],
)
def test_states_are_read_where_graphs_and_stores_keep_them(value: Any) -> None:
    assert [text for _, text in said(convert(value, "openai-chat").value)] == ["Tide?", "2.1 m"]
    assert lint(value) == []
    assert convert(value, "langchain-dump").value == value
