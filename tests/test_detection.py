"""Detection: the right format for every shape, the reasons, and no guess where nothing speaks for any."""

from typing import Any

import pytest
from chat import SAID, USER, calls, result

from lighter import NotRecognised, convert, detect
from lighter.detection import detect_values


def constructed(name: str) -> dict[str, Any]:
    """Give a message as JavaScript's LangChain writes it."""
    return {"lc": 1, "type": "constructor", "id": ["langchain_core", "messages", name], "kwargs": {"content": "hi"}}


FORMATS = [
    ("openai-chat", [USER, calls("call_1")]),
    ("openai-chat", [USER, result("call_1")]),
    ("openai-chat", {"messages": [USER], "tools": [{"type": "function", "function": {"name": "f"}}]}),
    ("openai-chat", {"choices": [{"message": {"role": "assistant", "content": "x"}}]}),
    (
        "openai-chat",
        [{"role": "user", "content": [{"type": "image_url", "image_url": {"url": "https://example.com/a.png"}}]}],
    ),
    (
        "anthropic",
        [USER, {"role": "assistant", "content": [{"type": "tool_use", "id": "toolu_1", "name": "f", "input": {}}]}],
    ),
    ("anthropic", {"system": "Be brief.", "messages": [USER]}),
    ("anthropic", {"model": "claude-opus-4-8", "max_tokens": 9, "messages": [USER]}),
    ("anthropic", {"messages": [USER], "tools": [{"name": "f", "input_schema": {}}]}),
    (
        "anthropic",
        {"type": "message", "role": "assistant", "content": [{"type": "text", "text": "x"}], "stop_reason": "end_turn"},
    ),
    (
        "anthropic",
        [
            {"role": "system", "content": "x"},
            {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "t"}]},
        ],
    ),
    ("anthropic", {"custom_id": "a", "params": {"messages": [{"role": "system", "content": "x"}, USER]}}),
    ("openai-chat", {"custom_id": "a", "body": {"messages": [{"role": "system", "content": "x"}, USER]}}),
    ("openai-chat", {"params": {"messages": [{"role": "system", "content": "x"}, USER]}}),
    ("openai-chat", [USER, calls("c"), {"type": "tool_result", "tool_call_id": "c", "content": "2.1 m"}, USER]),
    ("openai-responses", [{"role": "user", "content": [{"type": "input_text", "text": "hi"}]}]),
    (
        "openai-responses",
        {"messages": [{"type": "message", "role": "user", "content": [{"type": "input_text", "text": "hi"}]}]},
    ),
    ("openai-chat", {"messages": [{"role": "user", "content": [{"type": "input_text", "text": "hi"}]}, SAID]}),
    ("lighter", [USER, {"role": "tool", "callId": "c", "toolName": "f", "toolOutput": "x", "isError": False}]),
    ("lighter", {"messages": [USER], "source": {"format": "openai-chat"}}),
    ("langchain-dump", [{"type": "human", "content": "hi"}]),
    ("langchain-dump", {"messages": [USER, {"type": "human", "content": "hi"}]}),
    ("langchain-dump", [["human", "hi"], "ho"]),
    (
        "langchain",
        {"messages": [{"lc": 1, "type": "constructor", "id": ["HumanMessage"], "kwargs": {"content": "hi"}}]},
    ),
    ("langchain-js", [["values", {"messages": [constructed("HumanMessage")]}], ["end", None]]),
    ("langchain-dump", {"__interrupt__": [{"id": "1", "value": {"actionRequests": [{"name": "f", "args": {}}]}}]}),
    ("langchain-stored", [{"type": "human", "data": {"content": "hi"}}]),
    ("langchain-stored", [{"type": "human", "text": "hi", "role": None}]),
    ("claude-managed-agents", [{"id": "sevt_1", "type": "user.message", "content": [{"type": "text", "text": "hi"}]}]),
    ("claude-managed-agents", {"data": [{"id": "sevt_1", "type": "session.status_running"}], "next_page": None}),
    ("claude-managed-agents", {"type": "session", "id": "sesn_1", "agent": {"model": {"id": "claude-opus-5"}}}),
]


@pytest.mark.parametrize(("name", "value"), FORMATS, ids=lambda part: part if isinstance(part, str) else "")
def test_format_is_told_from_its_shape(name: str, value: Any) -> None:
    found = detect(value)
    assert found.format == name
    assert found.evidence[0].format == name
    assert found.evidence[0].reason


def test_plain_messages_are_the_same_in_every_format() -> None:
    found = detect([USER, SAID])
    assert (found.format, found.is_plain) == ("openai-chat", True)


FOREIGN = [
    ("claude-code", {"uuid": "u", "sessionId": "s", "type": "user", "message": USER}),
    ("gemini-cli", {"sessionId": "s", "projectHash": "p", "messages": [{"id": "1", "type": "user", "content": "hi"}]}),
    ("gemini-cli", {"messages": [{"id": "1", "type": "gemini", "content": "hi"}]}),
    ("openhands", [{"id": 0, "source": "user", "message": "hi", "action": "message", "args": {"content": "hi"}},
                   {"id": 1, "source": "agent", "message": "", "observation": "run", "content": "x", "extras": {}}]),
    ("grok", [{"type": "system", "content": "Be brief."}, {"type": "user", "content": [], "synthetic_reason": "context"},
              {"type": "user", "content": [], "prompt_index": 0},
              {"type": "assistant", "content": "hi", "model_fingerprint": "fp_0"}]),
    ("grok", [{"type": "system", "content": "Be brief."},
              {"type": "assistant", "content": "", "tool_calls": [{"id": "c", "name": "f", "arguments": "{}"}]}]),
    ("qwen-code", {"uuid": "u", "sessionId": "s", "type": "user", "message": {"role": "user", "parts": [{"text": "hi"}]}}),
    ("codex", {"timestamp": "t", "type": "response_item", "payload": {"type": "message", **USER}}),
    ("copilot-cli", {"type": "user.message", "data": {"content": "hi"}, "id": "e2", "timestamp": "t", "parentId": "e1"}),
    ("pi", {"type": "session", "version": 3, "id": "s", "timestamp": "t", "cwd": "/home/kim"}),
    ("kimi", {"type": "metadata", "protocol_version": "1.4", "created_at": 1}),
    ("droid", {"type": "session_start", "id": "s", "title": "t", "cwd": "/home/kim", "sessionTitle": "t"}),
    ("droid", {"type": "message", "session_id": "s", "role": "user", "text": "hi", "id": "m1"}),
    ("chatgpt-export", [{"title": "t", "create_time": 1.0, "mapping": {}, "current_node": "n"}]),
    ("claude-ai-export", {"uuid": "u", "chat_messages": [{"sender": "human", "text": "hi"}]}),
    ("alpaca", [{"instruction": "Say hi.", "input": "", "output": "hi"}]),
    ("swe-agent", {"environment": "main", "trajectory": [], "history": [USER]}),
    ("inspect", {"version": 2, "status": "success", "eval": {}, "samples": [{"messages": [USER]}]}),
    ("pydantic-ai", [{"kind": "request", "parts": [{"content": "hi", "part_kind": "user-prompt"}]}]),
    ("otel-genai", {"messages": [{"role": "user", "parts": [{"type": "text", "content": "hi"}]}]}),
    ("ai-sdk-ui", [{"id": "1", "role": "user", "parts": [{"type": "text", "text": "hi"}]}]),
    ("ai-sdk", {"messages": [USER, {"role": "assistant", "content": [
        {"type": "tool-call", "toolCallId": "call_1", "toolName": "f", "input": {}}]}]}),
    ("llamafactory-v1", {"messages": [{"role": "user", "content": [{"type": "text", "value": "hi"}], "loss_weight": 0.0}]}),
    ("cursor", {"role": "user", "message": {"content": [{"type": "text", "text": "hi"}]}}),
]  # fmt: skip


@pytest.mark.parametrize(("name", "value"), FOREIGN, ids=[name for name, _ in FOREIGN])
def test_formats_that_cannot_be_read_yet_are_named(name: str, value: Any) -> None:
    found = detect(value)
    assert (found.format, found.foreign) == (None, name)


STRANGE = [
    {"messages": [{"type": "user", "content": "hi"}, {"type": "assistant", "content": "ho"}]},
    {"messages": [{"from": "human", "content": "hi"}]},
    [{"source": "agent", "content": "hi"}],
    {"parts": [{"text": "hi"}], "author": "user", "content": "hi"},
]


@pytest.mark.parametrize("value", [1, ["text"], {}, [1, 2], {"a": 1}, *STRANGE], ids=str)
def test_nothing_is_guessed(value: Any) -> None:
    assert detect(value).format is None
    with pytest.raises(NotRecognised):
        convert(value, "anthropic")


ROLELESS = [
    {"messages": [{"content": "hi"}]},
    {"messages": [{"role": "usr", "content": "hi"}]},
    {"messages": [{"rol": "user", "content": "hi"}]},
    [{"role": None, "type": "user", "content": "hi"}],
]


@pytest.mark.parametrize("value", ROLELESS, ids=str)
def test_a_chat_that_lacks_a_role_is_a_chat(value: Any) -> None:
    assert detect(value).format == "openai-chat"


def test_records_of_several_formats_are_told() -> None:
    chat = {"messages": [USER, calls("call_1")]}
    claude = {"system": "x", "messages": [USER]}
    found = detect_values([chat, chat, claude])
    assert (found.format, found.others) == ("openai-chat", ("anthropic",))


IMAGES = {
    "of OpenAI": {"type": "image_url", "image_url": {"url": "https://example.com/a.png"}},
    "of Mistral": {"type": "image_url", "image_url": "https://example.com/a.png"},
    "of Anthropic": {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": "AAAA"}},
}


@pytest.mark.parametrize("image", IMAGES.values(), ids=IMAGES)
@pytest.mark.parametrize("count", [1, 8, 60])
def test_images_of_a_provider_do_not_make_a_message_of_langchain_that_ones(image: dict[str, Any], count: int) -> None:
    content = [{"type": "text", "text": "Which?"}, *([image] * count)]
    histories: list[list[Any]] = [
        [{"type": "human", "content": content, "additional_kwargs": {}, "response_metadata": {}}],
        [{"type": "human", "content": content}, {"type": "system", "content": "s", "additional_kwargs": {}}],
        [{"role": "human", "content": content}, {"role": "ai", "content": "a"}],
        [["human", content], ["ai", "a"]],
    ]
    for messages in histories:
        assert detect(messages).format == "langchain-dump"
        assert detect({"messages": messages}).format == "langchain-dump"
        assert len(convert(messages, to="openai-chat").value["messages"][0]["content"]) == count + 1


OWN = [
    {"role": "user", "content": "q", "blocks": [{"type": "text", "text": "q"}, {"type": "media", "kind": "image", "source": "url", "data": "https://x.test/a.png"}]},
    {"role": "system", "content": "s", "isDeveloper": True},
]  # fmt: skip


@pytest.mark.parametrize("message", OWN, ids=["blocks", "developer"])
def test_what_only_lighter_writes_outweighs_a_system_prompt(message: dict[str, Any]) -> None:
    value = {"messages": [{"role": "system", "content": "s"}, USER, message]}
    assert detect(value).format == "lighter"
