"""One fault has one finding: what nobody can read may have been a call or a result, and its other end is no second fault."""

import copy
from typing import Any

import pytest
from chat import calls, result, user

import lighter

SPEC = {"type": "object", "properties": {}}
CHAT: dict[str, Any] = {
    "messages": [
        user("Tide?"),
        calls("call_a1", "call_b2"),
        result("call_a1"),
        result("call_b2"),
        {"role": "assistant", "content": "2.1 m"},
        user("Thanks"),
    ],
}
HOLDERS = {"anthropic": ("messages", "content"), "bedrock": ("messages", "content"), "gemini": ("contents", "parts")}
"""Where a format has its messages, and where these have their blocks."""

TELLING = {
    "anthropic": ("type",),
    "bedrock": ("toolUse", "toolResult"),
    "gemini": ("functionCall", "functionResponse"),
}
"""The keys by which a call or a result is told."""

HELD = [(name, index, place) for name in HOLDERS for index in (1, 2) for place in (0, 1)]


def request(name: str) -> dict[str, Any]:
    return copy.deepcopy(lighter.convert(CHAT, name, format="openai-chat").value)


def names(value: Any, name: str) -> list[str]:
    found = lighter.lint(value, target=name, mode="log", format=name)
    return [item.name for item in found if item.severity != "info"]


@pytest.mark.parametrize("name", [*HOLDERS, "ollama", "openai-responses"])
def test_the_history_is_sound(name: str) -> None:
    assert names(request(name), name) == []


@pytest.mark.parametrize("change", ["null", "text", "nothing", "untold"])
@pytest.mark.parametrize(("name", "index", "place"), HELD)
def test_a_block_that_cannot_be_read_is_one_fault(name: str, index: int, place: int, change: str) -> None:
    body = request(name)
    messages, blocks = HOLDERS[name]
    held = body[messages][index][blocks]
    match change:
        case "null":
            held[place] = None
        case "text":
            held[place] = "tool"
        case "nothing":
            held[place] = {}
        case _:
            key = next(key for key in TELLING[name] if key in held[place])
            held[place][key] = None
    found = names(body, name)
    # That something else than a result stands first is another matter.
    assert len([one for one in found if one != "tool-result-not-first"]) == 1, found


@pytest.mark.parametrize("index", [1, 2])
@pytest.mark.parametrize("name", HOLDERS)
def test_content_that_is_missing_is_one_fault(name: str, index: int) -> None:
    body = request(name)
    messages, blocks = HOLDERS[name]
    body[messages][index][blocks] = None
    assert len(names(body, name)) == 1


@pytest.mark.parametrize("role", [None, "", 7, "robot"])
@pytest.mark.parametrize("index", [1, 2, 3])
def test_a_message_of_ollama_s_that_has_no_role_is_one_fault(index: int, role: Any) -> None:
    body = request("ollama")
    body["messages"][index]["role"] = role
    assert names(body, "ollama") in (["missing-role"], ["unknown-role"])


@pytest.mark.parametrize("index", [1, 2, 3, 4])
def test_an_item_without_a_type_is_one_fault(index: int) -> None:
    body = request("openai-responses")
    del body["input"][index]["type"]
    assert names(body, "openai-responses") == ["missing-role"]


@pytest.mark.parametrize("index", [1, 2])
def test_roles_follow_each_other_because_a_turn_is_gone(index: int) -> None:
    body = request("bedrock")
    del body["messages"][index]
    expected = {1: "orphan-tool-result", 2: "missing-tool-result"}[index]
    assert set(names(body, "bedrock")) == {expected}


def test_a_tool_whose_name_cannot_be_told_may_be_the_one_that_is_called() -> None:
    tools = [{"type": "function", "function": {"parameters": SPEC}}]
    assert names({**CHAT, "tools": tools}, "openai-chat") == ["tool-definition-shape"]


def test_a_name_that_no_tool_can_have_is_told_once() -> None:
    body = {
        "messages": [user(), calls("call_a1"), result("call_a1"), user()],
        "tools": [{"type": "function", "function": {"name": "read_tide", "parameters": SPEC}}],
    }
    body["messages"][1]["tool_calls"][0]["function"]["name"] = "read tide!"
    assert names(body, "openai-chat") == ["tool-name-format"]
