"""Repairs of calls and results where more than one reading is possible: none is done without being asked."""

import json
from typing import Any

import pytest
from fixed import fixed

from lighter.linting import LintOptions


def called(*names: str) -> dict[str, Any]:
    """Make a message of Gemini's that calls tools."""
    return {"role": "model", "parts": [{"functionCall": {"name": name, "args": {}}} for name in names]}


def answered(*names: str) -> dict[str, Any]:
    """Make a message of Gemini's that answers calls."""
    return {"role": "user", "parts": [{"functionResponse": {"name": n, "response": {"o": n.upper()}}} for n in names]}


def said(role: str, text: str) -> dict[str, Any]:
    """Make a message of Gemini's that says a text."""
    return {"role": role, "parts": [{"text": text}]}


def used(call_id: str) -> dict[str, Any]:
    """Make a message of Anthropic's that calls a tool."""
    return {"role": "assistant", "content": [{"type": "tool_use", "id": call_id, "name": "tide", "input": {}}]}


def result(call_id: str) -> dict[str, Any]:
    """Make a block of Anthropic's that answers a call."""
    return {"type": "tool_result", "tool_use_id": call_id, "content": f"of {call_id}"}


def function(name: str, **more: Any) -> dict[str, Any]:
    """Make a call of a chat."""
    return {"type": "function", "function": {"name": name, "arguments": "{}"}, **more}


def item(name: str, **more: Any) -> dict[str, Any]:
    """Make an item of Responses that calls a tool."""
    return {"type": "function_call", "name": name, "arguments": "{}", **more}


def output(call_id: str) -> dict[str, Any]:
    """Make an item of Responses that answers a call."""
    return {"type": "function_call_output", "call_id": call_id, "output": f"of {call_id}"}


ASKED = {"role": "user", "content": "Tide?"}
GIVEN_UP = (said("user", "Never mind."), said("model", "Fine."), said("user", "And now?"))
FIRST = (said("user", "Tide?"), called("b"))
LAST = (said("model", "Done."), said("user", "Thanks."))
LATE = (ASKED, used("x1"), {"role": "user", "content": "No."}, {"role": "assistant", "content": "Fine."}, ASKED)
OWN = {"type": "text", "text": "No."}


def chat(calls: list[Any], *results: dict[str, Any]) -> list[Any]:
    """Make a chat in which tools are called once."""
    told = [{"role": "tool", "content": "2.1 m", **more} for more in results]
    return [ASKED, {"role": "assistant", "content": None, "tool_calls": calls}, *told, ASKED]


UNSAFE: dict[str, tuple[str, list[Any]]] = {
    "a later round, answered": ("gemini", [*FIRST, *GIVEN_UP, called("a"), answered("a", "b"), *LAST]),
    "a later round, of another name": ("gemini", [*FIRST, *GIVEN_UP, called("a"), answered("b"), *LAST]),
    "a later round, without a name": ("gemini", [*FIRST, *GIVEN_UP, called(""), answered("b"), *LAST]),
    "a later round, partly named": (
        "gemini",
        [said("user", "Tide?"), called("a", "b"), *GIVEN_UP, called("a", ""), answered("a", "b"), *LAST],
    ),
    "two items": ("openai-responses", [ASKED, item("a"), item("b"), output("k1"), output("k2"), ASKED]),
    "two items, one result": ("openai-responses", [ASKED, item("a"), item("b"), output("k1"), ASKED]),
    "a result behind a text": (
        "openai-responses",
        [ASKED, item("a"), {"role": "assistant", "content": "Wait."}, output("k1"), ASKED],
    ),
    "two calls, one result": ("openai-chat", chat([function("a"), function("b")], {})),
    "one of two calls with an id": ("openai-chat", chat([function("a", id=None), function("b", id="call_b")], {})),
    "two calls with ids": ("openai-chat", chat([function("a", id="call_a"), function("b", id="call_b")], {})),
}


@pytest.mark.parametrize("case", UNSAFE)
def test_what_may_be_of_another_call_stays_where_it_is(case: str) -> None:
    name, messages = UNSAFE[case]
    key = {"gemini": "contents", "openai-responses": "input"}.get(name, "messages")
    text = json.dumps({key: messages})
    outcome = fixed(text, LintOptions(name), is_unsafe=False, name="a.json")
    assert outcome.data.decode() == text
    assert {"P104", "P112"} & {diagnostic.code for diagnostic in outcome.left}


@pytest.mark.parametrize(
    "items",
    [
        [item("a", call_id="k1"), item("b", call_id=""), output("k1"), output("k2")],
        [item("a", call_id=""), item("b", call_id="k2"), output("k1"), output("k2")],
        [item("a"), output("k1")],
    ],
)
def test_the_one_call_without_an_id_takes_the_one_that_is_left(items: list[Any]) -> None:
    outcome = fixed(
        json.dumps({"input": [ASKED, *items, ASKED]}), LintOptions("openai-responses"), is_unsafe=False, name="a.json"
    )
    ids = {
        kind: [one["call_id"] for one in json.loads(outcome.data)["input"] if one.get("type") == kind]
        for kind in ("function_call", "function_call_output")
    }
    assert ids["function_call"] == ids["function_call_output"] == [one["call_id"] for one in items if "output" in one]
    assert not outcome.left


@pytest.mark.parametrize("blocks", [["x1", "x2"], ["x2", "x1"]])
def test_only_the_late_result_leaves_a_message_with_others(blocks: list[str]) -> None:
    messages = [*LATE, used("x2"), {"role": "user", "content": [result(one) for one in blocks]}]
    outcome = fixed(json.dumps({"messages": messages}), LintOptions("anthropic"), name="a.json")
    made = json.loads(outcome.data)["messages"]
    assert made[2]["content"] == [result("x1"), OWN]
    assert made[-1]["content"] == [result("x2")]
    assert not outcome.left
    assert fixed(json.dumps({"messages": messages}), LintOptions("anthropic"), is_unsafe=False).codes == []


def test_of_parts_too_only_the_late_result_leaves() -> None:
    messages = [*FIRST, *GIVEN_UP, called("a"), answered("a", "b"), *LAST]
    made = json.loads(fixed(json.dumps({"contents": messages}), LintOptions("gemini"), name="a.json").data)["contents"]
    assert made == [*FIRST, answered("b"), *GIVEN_UP, called("a"), answered("a"), *LAST]
