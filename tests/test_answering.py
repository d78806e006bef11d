"""Which result answers which call where ids are missing, empty, repeated or made up, in every format that it is converted to."""

import json
from typing import Any

import pytest

from lighter import convert, parse
from lighter.messages import AssistantMessage, ToolMessage

FIRST, SECOND, THIRD = ({"k": word} for word in ("first", "second", "third"))
USER = {"role": "user", "content": "q"}
TARGETS = ["anthropic", "bedrock", "cohere", "gemini", "gemini-interactions", "lighter", "mistral", "ollama",
           "openai-chat", "openai-responses"]  # fmt: skip


def call(name: str, told: Any, **more: str) -> dict[str, Any]:
    return {**more, "type": "function", "function": {"name": name, "arguments": json.dumps(told)}}


def result(told: dict[str, str], **more: str) -> dict[str, Any]:
    return {"role": "tool", **more, "content": f"of {told['k']}"}


def chat(*messages: Any) -> dict[str, Any]:
    calls = [message for message in messages if "function" in message]
    return {"messages": [USER, {"role": "assistant", "content": None, "tool_calls": calls}, *messages[len(calls) :]]}


def gemini(calls: list[Any], results: list[Any]) -> dict[str, Any]:
    return {"contents": [{"role": "user", "parts": [{"text": "q"}]},
                         {"role": "model", "parts": [{"functionCall": made} for made in calls]},
                         {"role": "user", "parts": [{"functionResponse": made} for made in results]}]}  # fmt: skip


def response(told: dict[str, str], **more: str) -> dict[str, Any]:
    return {**more, "response": {"result": f"of {told['k']}"}}


HISTORIES: dict[str, tuple[str, Any]] = {
    "an id on one of two responses": ("gemini", gemini(
        [{"id": "A", "name": "f", "args": FIRST}, {"name": "f", "args": SECOND}],
        [response(SECOND, name="f"), response(FIRST, id="A", name="f")])),
    "a response without id or name": ("gemini", gemini(
        [{"name": "f", "args": FIRST}, {"name": "g", "args": SECOND}], [response(SECOND), response(FIRST, name="f")])),
    "a made-up id that another response has": ("gemini", gemini(
        [{"name": "f", "args": FIRST}, {"id": "call_1", "name": "g", "args": SECOND}],
        [response(SECOND, id="call_1", name="g")])),
    "a made-up id that another call has": ("openai-chat", chat(
        call("f", FIRST), call("g", SECOND, id="call_1_0"), result(SECOND, tool_call_id="call_1_0"))),
    "a made-up id that another result has": ("openai-chat", chat(
        call("f", FIRST), call("g", SECOND, id="call_2"), result(FIRST), result(SECOND, tool_call_id="call_2"))),
    "one id twice": ("openai-chat", chat(
        call("f", FIRST, id="c1"), call("g", SECOND, id="c1"),
        result(FIRST, tool_call_id="c1"), result(SECOND, tool_call_id="c1"))),
    "one id twice with another between": ("openai-chat", chat(
        call("f", FIRST, id="c1"), call("h", THIRD, id="c2"), call("g", SECOND, id="c1"),
        result(FIRST, tool_call_id="c1"), result(SECOND, tool_call_id="c1"), result(THIRD, tool_call_id="c2"))),
    "one id twice with another of the same tool between": ("openai-chat", chat(
        call("f", FIRST, id="c1"), call("f", THIRD, id="c2"), call("f", SECOND, id="c1"),
        result(THIRD, tool_call_id="c2"), result(FIRST, tool_call_id="c1"), result(SECOND, tool_call_id="c1"))),
    "one id twice in steps": ("gemini-interactions", {"input": [
        {"type": "user_input", "content": [{"type": "text", "text": "q"}]},
        {"type": "function_call", "id": "c1", "name": "f", "arguments": FIRST},
        {"type": "function_call", "id": "c1", "name": "g", "arguments": SECOND},
        {"type": "function_result", "call_id": "c1", "result": "of first"},
        {"type": "function_result", "call_id": "c1", "result": "of second"}]}),
    "empty ids": ("openai-chat", chat(
        call("f", FIRST, id=""), call("g", SECOND, id=""),
        result(FIRST, tool_call_id=""), result(SECOND, tool_call_id=""))),
    "empty ids in blocks": ("anthropic", {"max_tokens": 9, "messages": [USER, {"role": "assistant", "content": [
        {"type": "tool_use", "id": "", "name": "f", "input": FIRST},
        {"type": "tool_use", "id": "", "name": "g", "input": SECOND}]}, {"role": "user", "content": [
        {"type": "tool_result", "tool_use_id": "", "content": "of first"},
        {"type": "tool_result", "tool_use_id": "", "content": "of second"}]}]}),
    "empty ids in lighter's own form": ("lighter", {"messages": [USER, {"role": "assistant", "content": "", "toolCalls": [
        {"callId": "", "toolName": "f", "arguments": '{"k":"first"}'},
        {"callId": "", "toolName": "g", "arguments": '{"k":"second"}'}]},
        {"role": "tool", "callId": "", "toolName": "", "toolOutput": "of first"},
        {"role": "tool", "callId": "", "toolName": "", "toolOutput": "of second"}]}),
    "ids that say there is none": ("mistral", chat(
        call("f", FIRST, id="null"), call("g", SECOND, id="null"),
        result(FIRST, tool_call_id="null"), result(SECOND, tool_call_id="null"))),
    "a result without an id before one that has one": ("openai-chat", chat(
        call("f", FIRST, id="A"), call("g", SECOND), result(SECOND), result(FIRST, tool_call_id="A"))),
    "names before order": ("openai-chat", chat(
        call("f", FIRST, id="A"), call("g", SECOND, id="B"), result(SECOND), result(FIRST, name="f"))),
    "ids on calls alone": ("ollama", {"messages": [USER, {"role": "assistant", "content": "", "tool_calls": [
        {"id": "x", "function": {"name": "f", "arguments": FIRST}},
        {"id": "y", "function": {"name": "g", "arguments": SECOND}}]},
        {"role": "tool", "tool_name": "g", "content": "of second"},
        {"role": "tool", "tool_name": "f", "content": "of first"}]}),
}  # fmt: skip


def answers(value: Any, format_name: str) -> list[tuple[str, str, str]]:
    """Give the name of each result, that of its call, and what was said of both; a call of several with one id is taken once."""
    found: list[tuple[str, str, str]] = []
    left: list[Any] = []
    for message in parse(value, format_name).messages:
        match message:
            case AssistantMessage():
                left = list(message.tool_calls)
            case ToolMessage():
                called = next(call for call in left if call.call_id == message.call_id)
                left = [other for other in left if other is not called]
                told = json.loads(called.arguments)["k"]
                found.append((message.tool_name, called.tool_name, f"{told}: {message.tool_output}"))
            case _:
                pass
    return found


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("name", HISTORIES)
def test_results_stay_with_the_calls_that_they_answer(name: str, target: str) -> None:
    source, body = HISTORIES[name]
    found = answers(convert(body, target, source).value, target)
    assert found
    for told, called, both in found:
        assert told == called
        call_says, result_says = both.split(": ")
        assert result_says == f"of {call_says}"


@pytest.mark.parametrize("target", ["anthropic", "bedrock", "cohere", "openai-chat"])
def test_results_of_calls_with_one_id_are_named_and_no_loss_says_otherwise(target: str) -> None:
    source, body = HISTORIES["one id twice"]
    assert {loss.feature for loss in convert(body, target, source).losses} <= {"call-id"}


@pytest.mark.parametrize("name", ["empty ids", "empty ids in blocks", "ids that say there is none"])
def test_ids_that_are_none_come_back_as_they_were(name: str) -> None:
    source, body = HISTORIES[name]
    there = convert(body, "lighter", source)
    back = convert(there.value, source, "lighter")
    assert back.value == body
    assert [loss for loss in back.losses if loss.feature == "call-id"] == []


def test_made_up_ids_are_the_same_each_time() -> None:
    source, body = HISTORIES["a made-up id that another call has"]
    said = parse(body, source).messages[1]
    assert isinstance(said, AssistantMessage)
    assert [made.call_id for made in said.tool_calls] == ["call_1_0_1", "call_1_0"]
