"""Cohere: plans, thinking, citations, documents as results, answers, and what other formats' histories become."""

from typing import Any

import pytest
from chat import SAID, USER, calls, result

from lighter import convert, detect, jsontext, lint, parse
from lighter.formats import get
from lighter.messages import AssistantMessage, ReasoningBlock, ToolMessage

CALL = {"id": "c1", "type": "function", "function": {"name": "f", "arguments": "{}"}}
DOCUMENT = {"type": "document", "document": {"id": "d1", "data": {"n": 1, "t": "x"}}}
PLANNED = {"role": "assistant", "tool_plan": "I look.", "tool_calls": [CALL]}
CITED = {
    "role": "assistant",
    "content": "x",
    "citations": [{"start": 0, "end": 1, "text": "x", "sources": [{"type": "document", "id": "d1"}]}],
}
ANSWER = {
    "id": "r1",
    "finish_reason": "COMPLETE",
    "message": {
        "role": "assistant",
        "content": [{"type": "thinking", "thinking": "why"}, {"type": "text", "text": "x"}],
    },
    "usage": {"billed_units": {"input_tokens": 1}, "tokens": {"input_tokens": 2}},
}


def losses(body: Any, target: str, source: str | None = None) -> list[tuple[str, str]]:
    return [(loss.action, loss.path) for loss in convert(body, target, source).losses]


def test_a_plan_is_reasoning_that_goes_back_to_its_field() -> None:
    body = {"messages": [USER, PLANNED, result("c1")]}
    conversation = parse(body, "cohere")
    said = conversation.messages[1]
    assert isinstance(said, AssistantMessage)
    assert (said.content, said.reasoning) == ("", "I look.")
    assert isinstance(said.blocks[0], ReasoningBlock)
    assert get("cohere").write(conversation).value == body
    assert ("dropped", "/messages/1/tool_plan") in losses(body, "openai-chat", "cohere")
    assert ("moved", "/messages/1/tool_plan") in losses(body, "mistral", "cohere")


def test_documents_are_the_json_of_a_result() -> None:
    body = {"messages": [USER, PLANNED, {"role": "tool", "tool_call_id": "c1", "content": [DOCUMENT]}]}
    conversation = parse(body, "cohere")
    told = conversation.messages[2]
    assert isinstance(told, ToolMessage)
    assert told.tool_output == '{"n":1,"t":"x"}'
    assert get("cohere").write(conversation).value == body
    done = convert(body, "openai-chat", "cohere")
    assert done.value["messages"][2]["content"] == '{"n":1,"t":"x"}'
    assert ("dropped", "/messages/2/content/0/document/id") in losses(body, "openai-chat", "cohere")


def test_citations_are_kept_and_named_elsewhere() -> None:
    body = {"messages": [USER, CITED]}
    assert get("cohere").write(parse(body, "cohere")).value == body
    assert losses(body, "openai-chat", "cohere") == [("dropped", "/messages/1/citations")]


ENVELOPES = [ANSWER, {"request": {"messages": [USER]}, "response": ANSWER}, {"messages": [USER], "response": ANSWER}]


@pytest.mark.parametrize("body", ENVELOPES, ids=lambda body: "-".join(body)[:30])
def test_answers_are_read_with_their_usage(body: Any) -> None:
    assert detect(body).format == "cohere"
    said = parse(body).messages[-1]
    assert isinstance(said, AssistantMessage)
    assert (said.content, said.reasoning, said.stop) == ("x", "why", "COMPLETE")
    assert said.usage == jsontext.encode_text(ANSWER["usage"])
    assert jsontext.is_same(convert(body, "cohere").value, body)
    assert [finding for finding in lint(body) if finding.severity == "error"] == []


def test_an_answer_logged_as_text_is_read() -> None:
    body = {"request": jsontext.encode_text({"messages": [USER]}), "response": jsontext.encode_text(ANSWER)}
    assert [message.content for message in parse(body).messages] == ["hi", "x"]
    assert ("dropped", "/response/usage") in losses(body, "openai-chat")


def test_media_of_results_follow_them() -> None:
    image = {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": "AAAA"}}
    shot = {"type": "tool_result", "tool_use_id": "t", "content": [{"type": "text", "text": "shot"}, image]}
    body = {"messages": [
        USER, {"role": "assistant", "content": [{"type": "tool_use", "id": "t", "name": "f", "input": {}}]}, {"role": "user", "content": [shot]},
    ]}  # fmt: skip
    *_, told, shown = convert(body, "cohere", "anthropic").value["messages"]
    assert (told["content"], shown["role"]) == ([{"type": "text", "text": "shot"}], "user")
    assert shown["content"][1] == {"type": "image_url", "image_url": {"url": "data:image/png;base64,AAAA"}}
    assert ("moved", "/messages/2/content/0/content/1") in losses(body, "cohere", "anthropic")


def test_foreign_keys_are_named_and_not_passed_on() -> None:
    details = [{"type": "reasoning.text", "text": "why", "signature": "s"}]
    body = {"messages": [
        {"role": "user", "name": "alice", "content": [{"type": "text", "text": "hi"}, {"type": "file", "file": {"file_id": "f"}}]},
        {"role": "assistant", "content": "x", "reasoning_details": details, "audio": {"id": "a"}},
    ]}  # fmt: skip
    done = convert(body, "cohere", "openai-chat")
    assert done.value["messages"] == [
        {"role": "user", "content": [{"type": "text", "text": "hi"}]},
        {"role": "assistant", "content": [{"type": "thinking", "thinking": "why"}, {"type": "text", "text": "x"}]},
    ]
    assert {(loss.action, loss.path) for loss in done.losses} >= {
        ("dropped", "/messages/0/name"),
        ("dropped", "/messages/0/content/1"),
        ("dropped", "/messages/1/reasoning_details/0/signature"),
        ("dropped", "/messages/1/audio"),
    }


def test_parameters_have_other_names() -> None:
    body = {
        "messages": [USER], "stop": "x", "top_p": 0.5, "tool_choice": "required", "model": "gpt-5",
        "tools": [{"type": "function", "function": {"name": "f", "strict": True}}],
    }  # fmt: skip
    done = convert(body, "cohere", "openai-chat")
    assert {key: done.value[key] for key in ("stop_sequences", "p", "tool_choice")} == {
        "stop_sequences": ["x"], "p": 0.5, "tool_choice": "REQUIRED",
    }  # fmt: skip
    assert ("dropped", "/tools/0/function/strict") in [(loss.action, loss.path) for loss in done.losses]
    back = convert(done.value, "openai-chat", "cohere").value
    assert (back["stop"], back["top_p"], back["tool_choice"]) == (["x"], 0.5, "required")


@pytest.mark.parametrize("body", [
    [USER, SAID], [USER, calls("call_1"), result("call_1")], {"model": "command-r", "messages": [USER]},
    {"messages": [USER], "finish_reason": "stop"}, [{"messages": [USER, SAID], "documents": ["d"]}] * 9,
], ids=["plain", "calls", "a local model", "a reason", "documents"])  # fmt: skip
def test_what_every_chat_has_stays_openai_chat(body: Any) -> None:
    assert detect(body).format == "openai-chat"


@pytest.mark.parametrize("body", [
    [USER, PLANNED, result("c1")], [USER, CITED], {"model": "command-a-03-2025", "messages": [USER]},
    [USER, calls("c1"), {"role": "tool", "tool_call_id": "c1", "content": [DOCUMENT]}],
], ids=["plan", "citations", "model", "document"])  # fmt: skip
def test_what_only_cohere_has_is_told(body: Any) -> None:
    found = detect(body)
    assert (found.format, found.others) == ("cohere", ())
