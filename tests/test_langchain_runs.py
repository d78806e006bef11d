"""Runs of LangSmith: the history and the question of a chain, answers that are messages by themselves, lists of runs."""

from typing import Any

from lighter import convert, lint

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
