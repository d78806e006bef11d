"""What is said of entries of lists that neither arrive unchanged nor keep their place."""

from typing import Any

import pytest

from lighter import convert

USER: dict[str, Any] = {"role": "user", "content": "q"}
SEARCH: dict[str, Any] = {"type": "server_tool_use", "id": "srvtoolu_1", "name": "web_search", "input": {}}
FOUND: dict[str, Any] = {"type": "web_search_tool_result", "tool_use_id": "srvtoolu_1", "content": []}
CITED: dict[str, Any] = {"type": "text", "text": "a", "citations": [{"type": "x"}]}
TEXT: dict[str, Any] = {"type": "text", "text": "b"}
AUDIO: dict[str, Any] = {"type": "input_audio", "input_audio": {"data": "UklGRnh4eHg=", "format": "wav"}}


def call(call_id: str) -> dict[str, Any]:
    return {"type": "tool_use", "id": call_id, "name": "f", "input": {"a": 1}}


def item(call_id: str) -> dict[str, Any]:
    return {"type": "function_call", "id": f"fc_{call_id}", "call_id": call_id, "name": "f", "arguments": "{}"}


def output(call_id: str) -> dict[str, Any]:
    return {"type": "function_call_output", "call_id": call_id, "output": "o"}


def said(*blocks: Any) -> dict[str, Any]:
    return {"messages": [USER, {"role": "assistant", "content": list(blocks)}]}


THOUGHT: dict[str, Any] = {"type": "reasoning", "id": "rs_1", "summary": [{"type": "summary_text", "text": "hm"}]}
ITEMS: dict[str, Any] = {
    "input": [USER, THOUGHT, item("a"), item("b"), output("a"), output("b"), item("c"), output("c")]
}

PLACES: list[tuple[str, str, dict[str, Any], str, set[str]]] = [
    ("changed behind what was dropped", "anthropic", said(SEARCH, FOUND, CITED, TEXT), "openai-chat", {"/messages/1/content/2"}),
    ("unchanged behind what was dropped", "anthropic", said(SEARCH, FOUND, TEXT, TEXT), "openai-chat", set()),
    ("changed before what was dropped", "anthropic", said(CITED, TEXT, SEARCH, FOUND), "openai-chat", set()),
    ("nothing dropped", "anthropic", said(CITED, CITED), "openai-chat", set()),
    ("the text that is left", "openai-chat", {"messages": [{"role": "user", "content": [TEXT, AUDIO]}]}, "anthropic", {"/messages/0/content/0"}),
    ("messages", "openai-chat", {"messages": [USER, {"role": "assistant", "content": ""}, {**USER, "name": "ada"}, USER]}, "cohere",
     {"/messages/2"}),
    ("numbers that are keys", "openai-chat", {"messages": [USER], "logit_bias": {"1": 5, "2": 6}}, "anthropic", set()),
    ("items behind one that was dropped", "openai-responses", ITEMS, "openai-chat", {"/input/2", "/input/3"}),
    ("items behind one that does not come back", "openai-responses", ITEMS, "bedrock", {"/input/2", "/input/3"}),
    ("items behind one that stays", "openai-responses", ITEMS, "lighter", set()),
]  # fmt: skip


@pytest.mark.parametrize(("source", "body", "target", "places"), [row[1:] for row in PLACES], ids=[row[0] for row in PLACES])  # fmt: skip
def test_entries_that_changed_and_have_left_their_place(source: str, body: Any, target: str, places: set[str]) -> None:
    assert {loss.path for loss in convert(body, target, source).losses if loss.feature == "place"} == places


SIGNED: dict[str, Any] = {"type": "thinking", "thinking": "hm", "signature": "c2ln"}


@pytest.mark.parametrize(("target", "moved"), [
    ("gemini", {"/messages/1/content/0"}), ("mistral", {"/messages/1/content/0", "/messages/1/content/1"}), ("bedrock", set()),
    ("openai-chat", set()),
])  # fmt: skip
def test_reasoning_that_loses_its_signature_does_not_come_back(target: str, moved: set[str]) -> None:
    """Mistral needs other ids, so that the call behind it cannot be told by its place; Claude at Bedrock reads the signature."""
    losses = convert(said(SIGNED, call("toolu_1")), target, "anthropic").losses
    assert {loss.path for loss in losses if loss.action == "moved"} == moved


def test_an_item_of_reasoning_that_does_not_come_back_is_moved() -> None:
    moved = [loss.path for loss in convert(ITEMS, "bedrock", "openai-responses").losses if loss.feature == "reasoning"]
    assert moved == ["/input/1"]
