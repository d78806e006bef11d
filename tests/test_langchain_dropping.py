"""Calls without a result that are taken away from LangChain's messages, in all places and in each of its forms."""

from typing import Any

import pytest

import lighter
from lighter.formats._langchain import FORMS

CALL = {"name": "tide", "args": {"pier": 1}, "id": "toolu_1", "type": "tool_call"}
OTHER = {"name": "tide", "args": {"pier": 2}, "id": "toolu_2", "type": "tool_call"}
BROKEN = {"name": "tide", "args": '{"pier', "id": "toolu_1", "error": None, "type": "invalid_tool_call"}
TEXT = {"type": "text", "text": "Let me look."}
USE = {"type": "tool_use", "id": "toolu_1", "name": "tide", "input": {"pier": 1}}
OTHER_USE = {"type": "tool_use", "id": "toolu_2", "name": "tide", "input": {"pier": 2}}
THOUGHT = {"type": "thinking", "thinking": "Which pier?", "signature": "c2ln"}
SENT = {"id": "toolu_1", "type": "function", "function": {"name": "tide", "arguments": '{"pier": 1}'}}
ITEM = {"type": "function_call", "id": "fc_1", "call_id": "toolu_1", "name": "tide", "arguments": '{"pier": 1}'}
RESULT = {"type": "tool", "content": "2 m", "tool_call_id": "toolu_2"}

CASES: dict[str, tuple[dict[str, Any], dict[str, Any] | None]] = {
    "beside a text": ({"content": [TEXT, USE], "tool_calls": [CALL]}, {"content": [TEXT], "tool_calls": []}),
    "behind a text": ({"content": "Let me look.", "tool_calls": [CALL]}, {"content": "Let me look.", "tool_calls": []}),
    "alone": ({"content": [USE], "tool_calls": [CALL]}, None),
    "only thought of": ({"content": [THOUGHT, USE], "tool_calls": [CALL]}, None),
    "in the content alone": ({"content": [TEXT, USE]}, {"content": [TEXT]}),
    "as an item": ({"content": [TEXT, ITEM], "tool_calls": [CALL]}, {"content": [TEXT], "tool_calls": []}),
    "as OpenAI had it": (
        {"content": "Let me look.", "additional_kwargs": {"tool_calls": [SENT]}, "tool_calls": [CALL]},
        {"content": "Let me look.", "additional_kwargs": {"tool_calls": []}, "tool_calls": []},
    ),
    "of the old kind": (
        {"content": "Let me look.", "additional_kwargs": {"function_call": SENT["function"]}},
        {"content": "Let me look.", "additional_kwargs": {}},
    ),
    "not parsed": (
        {"content": [TEXT, USE], "invalid_tool_calls": [BROKEN]},
        {"content": [TEXT], "invalid_tool_calls": []},
    ),
    "not parsed, alone": ({"content": "", "tool_calls": [], "invalid_tool_calls": [BROKEN]}, None),
    "two of them": ({"content": [TEXT, USE, OTHER_USE], "tool_calls": [CALL, OTHER]}, {"content": [TEXT], "tool_calls": []}),
    "two and no more": ({"content": [USE, OTHER_USE], "tool_calls": [CALL, OTHER]}, None),
}  # fmt: skip


def in_form(name: str, message: dict[str, Any]) -> dict[str, Any]:
    """Give a flat message in a form."""
    fields = {key: value for key, value in message.items() if key != "type"}
    kind = message["type"]
    named = {"human": "HumanMessage", "ai": "AIMessage", "tool": "ToolMessage"}[kind]
    match name:
        case "langchain":
            path = ["langchain", "schema", "messages", named]
            return {"lc": 1, "type": "constructor", "id": path, "kwargs": {**fields, "type": kind}}
        case "langchain-js":
            return {"lc": 1, "type": "constructor", "id": ["langchain_core", "messages", named], "kwargs": fields}
        case "langchain-stored":
            return {"type": kind, "data": {**fields, "type": kind}}
        case _:
            return message


ASKED, WENT_ON = ({"type": "human", "content": text} for text in ("Tide?", "Never mind."))


@pytest.mark.parametrize("case", CASES)
@pytest.mark.parametrize("form", FORMS)
def test_a_call_is_taken_away_from_all_places(form: str, case: str) -> None:
    given, left = CASES[case]
    messages = [in_form(form, message) for message in (ASKED, {"type": "ai", **given}, WENT_ON)]
    fixed = lighter.fix(messages, unsafe=True, format=form, select="P101", unanswered="drop")
    kept = [] if left is None else [{"type": "ai", **left}]
    assert fixed.value == [in_form(form, message) for message in (ASKED, *kept, WENT_ON)]
    assert lighter.lint(fixed.value, format=form, select="P101") == []


@pytest.mark.parametrize("form", FORMS)
def test_a_call_with_a_result_stays(form: str) -> None:
    given = {"type": "ai", "content": [USE, OTHER_USE], "tool_calls": [CALL, OTHER]}
    left = {"type": "ai", "content": [OTHER_USE], "tool_calls": [OTHER]}
    messages = [in_form(form, message) for message in (ASKED, given, RESULT, WENT_ON)]
    fixed = lighter.fix(messages, unsafe=True, format=form, select="P101", unanswered="drop")
    assert fixed.value == [in_form(form, message) for message in (ASKED, left, RESULT, WENT_ON)]
