"""Media of results in chats whose results hold text alone: they follow in a user message, and go back into the results."""

from typing import Any

import pytest
from comparing import exact, unified
from strategies.values import PNG

from lighter import convert

IMAGE: dict[str, Any] = {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": PNG}}
TEXT: dict[str, Any] = {"type": "text", "text": "shot:"}
LONG = "toolu_" + "x" * 60
"""An id that is longer than OpenAI takes."""


def talk(*results: tuple[str, Any], after: tuple[Any, ...] = ()) -> dict[str, Any]:
    uses = [{"type": "tool_use", "id": call_id, "name": "look", "input": {}} for call_id, _ in results]
    told = [{"type": "tool_result", "tool_use_id": call_id, "content": content} for call_id, content in results]
    return {"messages": [{"role": "user", "content": "q"}, {"role": "assistant", "content": uses}, {"role": "user", "content": told}, *after]}  # fmt: skip


TALKS: dict[str, dict[str, Any]] = {
    "text and image": talk(("a", [TEXT, IMAGE])),
    "image alone": talk(("a", [IMAGE])),
    "two results": talk(("a", [TEXT, IMAGE, IMAGE]), ("b", [IMAGE])),
    "one of two": talk(("a", "no"), ("b", [TEXT, IMAGE])),
    "the user goes on": talk(("a", [TEXT, IMAGE]), after=({"role": "user", "content": "and?"},)),
}


@pytest.mark.parametrize("chat", ["openai-chat", "cohere"])
@pytest.mark.parametrize("body", TALKS.values(), ids=TALKS)
def test_media_go_back_into_their_results(body: dict[str, Any], chat: str) -> None:
    there = convert(body, chat, "anthropic")
    assert {"moved", "synthesised"} <= {loss.action for loss in there.losses}
    back = convert(exact(there.value), "anthropic", chat)
    assert unified(exact(back.value)) == unified(exact(body))


@pytest.mark.parametrize("target", ["bedrock", "gemini", "gemini-interactions", "mistral", "openai-responses"])
def test_forms_whose_results_hold_media_get_them_there(target: str) -> None:
    body = TALKS["two results"]
    chat = exact(convert(body, "openai-chat", "anthropic").value)
    assert convert(chat, target, "openai-chat").value == convert(body, target, "anthropic").value


def test_the_line_names_the_call_as_it_is_called_there() -> None:
    messages = convert(talk((LONG, [IMAGE])), "openai-chat", "anthropic").value["messages"]
    new = messages[1]["tool_calls"][0]["id"]
    assert new != LONG
    assert messages[3]["content"][0]["text"] == f"Media in the result of call {new}:"


LINE = "Media in the result of call a:"
PART: dict[str, Any] = {"type": "image_url", "image_url": {"url": f"data:image/png;base64,{PNG}"}}


@pytest.mark.parametrize("content", [
    LINE,
    [{"type": "text", "text": LINE}],
    [{"type": "text", "text": LINE.replace("call a", "call b")}, PART],
    [{"type": "text", "text": LINE + " look"}, PART],
    [PART, {"type": "text", "text": LINE}],
    [{"type": "text", "text": LINE}, PART, {"type": "text", "text": "and?"}],
])  # fmt: skip
def test_what_the_user_says_stays_the_users(content: Any) -> None:
    function = {"name": "look", "arguments": "{}"}
    messages = [{"role": "user", "content": "q"}, {"role": "assistant", "content": None, "tool_calls": [{"id": "a", "type": "function", "function": function}]},
                {"role": "tool", "tool_call_id": "a", "content": "o"}, {"role": "user", "content": content}]  # fmt: skip
    written = convert({"messages": messages}, "anthropic", "openai-chat").value["messages"]
    assert [message["role"] for message in written] == ["user", "assistant", "user", "user"]
