"""Calls of LangChain messages: each counts once, wherever its package leaves copies of it."""

from typing import Any

import pytest

from lighter import convert, lint, parse
from lighter.jsontext import encode, is_same
from lighter.messages import AssistantMessage

A: dict[str, Any] = {"name": "a", "args": {"x": 1}, "id": "1", "type": "tool_call"}
B: dict[str, Any] = {"name": "b", "args": {"y": 2, "z": 1}, "id": "2", "type": "tool_call"}


def history(calls: list[Any], kept: dict[str, Any]) -> list[dict[str, Any]]:
    """Give a stored history whose answer has calls, each answered, and `kept` in its `additional_kwargs`."""
    answer: dict[str, Any] = {"type": "ai", "content": "", "tool_calls": calls, "additional_kwargs": kept}
    results = [{"type": "tool", "content": "r", "name": c["name"], "tool_call_id": c["id"]} for c in calls]
    listed: list[dict[str, Any]] = [
        {"type": "human", "content": "q"},
        answer,
        *results,
        {"type": "ai", "content": "done"},
    ]
    return [{"type": data["type"], "data": data} for data in listed]


def openai(call: dict[str, Any]) -> dict[str, Any]:
    function = {"name": call["name"], "arguments": encode(call["args"]).decode()}
    return {"id": call["id"], "type": "function", "function": function}


COPIES: dict[str, tuple[list[Any], dict[str, Any]]] = {
    "the one call": ([A], {"function_call": {"name": "a", "arguments": '{"x": 1}'}}),
    "the last of two": ([A, B], {"function_call": {"name": "b", "arguments": '{"y": 2, "z": 1}'}}),
    "other arguments": ([A], {"function_call": {"name": "a", "arguments": '{"x": 3}'}}),
    "a list": ([A, B], {"tool_calls": [openai(A), openai(B)]}),
    "a list and the last": ([A, B], {"tool_calls": [openai(A)], "function_call": openai(B)["function"]}),
}


@pytest.mark.parametrize("name", COPIES)
def test_a_copy_in_additional_kwargs_is_no_call(name: str) -> None:
    calls, kept = COPIES[name]
    listed = history(calls, kept)
    answer = parse(listed).messages[1]
    assert isinstance(answer, AssistantMessage)
    assert [call.call_id for call in answer.tool_calls] == [call["id"] for call in calls]
    assert [finding.code for finding in lint(listed) if finding.code.startswith("P")] == []
    chat = convert(listed, "openai-chat")
    assert "function_call" not in chat.value["messages"][1]
    assert len(chat.value["messages"][1]["tool_calls"]) == len(calls)
    said = [loss.path for loss in chat.losses if "additional_kwargs" in loss.path]
    assert said == (["/1/data/additional_kwargs/function_call/arguments"] if name == "other arguments" else [])
    assert is_same(convert(listed, "langchain-stored").value, listed)


def test_a_legacy_call_of_another_name_is_a_call() -> None:
    answer = parse(history([A], {"function_call": {"name": "b", "arguments": "{}"}})).messages[1]
    assert isinstance(answer, AssistantMessage)
    assert [call.tool_name for call in answer.tool_calls] == ["a", "b"]
