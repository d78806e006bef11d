"""Mistral: chunks, thinking, call ids of nine characters, entries of conversations, and what other formats' histories become."""

import re
from typing import Any

import pytest
from chat import SAID, USER, calls, result
from comparing import named
from hypothesis import given
from hypothesis import strategies as st

from lighter import convert, detect, jsontext, lint, parse
from lighter.formats import get
from lighter.messages import AssistantMessage, MediaBlock, OpaqueBlock, ReasoningBlock, ToolMessage

LEGAL = re.compile(r"[a-zA-Z0-9]{9}")
THOUGHT: dict[str, Any] = {
    "type": "thinking",
    "thinking": [{"type": "text", "text": "why"}],
    "signature": "c2ln",
    "closed": True,
}


def user(*chunks: Any) -> dict[str, Any]:
    return {"messages": [{"role": "user", "content": list(chunks)}]}


def losses(body: Any, target: str, source: str | None = None) -> list[tuple[str, str]]:
    return [(loss.action, loss.path) for loss in named(convert(body, target, source).losses)]


CHUNKS = [
    ({"type": "image_url", "image_url": "https://example.com/a.png"}, ("image", "url", "https://example.com/a.png")),
    ({"type": "image_url", "image_url": {"url": "data:image/png;base64,AAAA"}}, ("image", "base64", "AAAA")),
    (
        {"type": "document_url", "document_url": "https://example.com/a.pdf"},
        ("document", "url", "https://example.com/a.pdf"),
    ),
    ({"type": "file", "file_id": "f1"}, ("document", "file_id", "f1")),
    ({"type": "input_audio", "input_audio": "UklGRiQAAABXQVZF"}, ("audio", "base64", "UklGRiQAAABXQVZF")),
    (
        {"type": "input_audio", "input_audio": "https://example.com/a.mp3"},
        ("audio", "url", "https://example.com/a.mp3"),
    ),
]


@pytest.mark.parametrize(("chunk", "expected"), CHUNKS, ids=lambda part: part["type"] if isinstance(part, dict) else "")
def test_chunks_are_media(chunk: Any, expected: tuple[str, str, str]) -> None:
    (message,) = parse(user(chunk), "mistral").messages
    (block,) = message.blocks
    assert isinstance(block, MediaBlock)
    assert (block.kind, block.source, block.data) == expected


@pytest.mark.parametrize("chunk", [
    {"type": "reference", "reference_ids": [1, "b"]},
    {"type": "resource", "uri": "x://y", "content": {"type": "text", "text": "t"}},
    {"type": "resource_link", "uri": "x://y"},
    {"type": "video_url", "video_url": "x"},
], ids=lambda chunk: chunk["type"])  # fmt: skip
def test_other_chunks_are_kept_in_place_and_named_elsewhere(chunk: Any) -> None:
    body = user({"type": "text", "text": "a"}, chunk)
    assert isinstance(parse(body, "mistral").messages[0].blocks[1], OpaqueBlock)
    assert get("mistral").write(parse(body, "mistral")).value == body
    assert losses(body, "openai-chat", "mistral") == [("dropped", "/messages/0/content/1")]


def test_thinking_keeps_its_parts_its_signature_and_its_place() -> None:
    more = {
        **THOUGHT,
        "thinking": [*THOUGHT["thinking"], {"type": "reference", "reference_ids": [1]}, {"type": "text", "text": "so"}],
    }
    body = {"messages": [USER, {"role": "assistant", "content": [THOUGHT, {"type": "text", "text": "x"}, more]}]}
    conversation = parse(body, "mistral")
    (_, said) = conversation.messages
    assert (said.content, said.reasoning) == ("x", "why\n\nwhy\n\nso")  # type: ignore[union-attr]  # an assistant's message
    assert get("mistral").write(conversation).value == body
    assert ("dropped", "/messages/1/content/0/signature") in losses(body, "cohere", "mistral")


@given(st.lists(st.text(min_size=1), min_size=1, max_size=6, unique=True))
def test_call_ids_are_nine_characters_different_ones_stay_different_and_results_follow(ids: list[str]) -> None:
    turns = [message for call_id in ids for message in (calls(call_id), result(call_id))]
    written = convert({"messages": [USER, *turns]}, "mistral", "openai-chat").value["messages"]
    made = [turn["tool_calls"][0]["id"] for turn in written if "tool_calls" in turn]
    assert all(LEGAL.fullmatch(new) for new in made)
    assert len(set(made)) == len(ids)
    assert [turn["tool_call_id"] for turn in written if turn["role"] == "tool"] == made


def test_the_same_input_gives_the_same_ids() -> None:
    body = {"messages": [USER, calls("call_1", "call_2"), result("call_2"), result("call_1")]}
    one, two = convert(body, "mistral"), convert(body, "mistral")
    assert jsontext.encode(one.value) == jsontext.encode(two.value)


def test_null_is_no_id() -> None:
    call = {"id": "null", "function": {"name": "f", "arguments": {"n": 1}}}
    body = {
        "messages": [
            USER,
            {"role": "assistant", "content": "", "tool_calls": [call]},
            {"role": "tool", "name": "f", "content": "x"},
        ]
    }
    conversation = parse(body, "mistral")
    _, said, told = conversation.messages
    assert isinstance(said, AssistantMessage)
    assert isinstance(told, ToolMessage)
    assert said.tool_calls[0].is_id_synthetic
    assert (told.call_id, told.tool_name) == (said.tool_calls[0].call_id, "f")
    assert get("mistral").write(conversation).value == body


def entry(kind: str, **more: Any) -> dict[str, Any]:
    return {"object": "entry", "type": kind, **more}


ENTRIES = [
    entry("message.input", role="user", content="hi", id="m1"),
    entry("message.output", role="assistant", content=[THOUGHT, {"type": "text", "text": "I look."}]),
    entry("function.call", tool_call_id="a00000001", name="f", arguments='{"a":1}'),
    entry("function.call", tool_call_id="a00000002", name="g", arguments={"b": 2}),
    entry("function.result", tool_call_id="a00000001", result="1"),
    entry("function.result", tool_call_id="a00000002", result="2"),
    entry("tool.execution", name="web_search", arguments="{}"),
    entry("message.output", role="assistant", content="done"),
]
ENVELOPES = [
    ENTRIES,
    {"inputs": ENTRIES, "agent_id": "ag"},
    {"conversation_id": "c", "outputs": ENTRIES, "usage": {"total_tokens": 1}},
    {"object": "conversation.history", "conversation_id": "c", "entries": ENTRIES},
    {"object": "conversation.messages", "conversation_id": "c", "messages": ENTRIES},
    {"request": {"inputs": ENTRIES[:1]}, "response": {"outputs": ENTRIES[1:]}},
]


@pytest.mark.parametrize("body", ENVELOPES, ids=lambda body: "list" if isinstance(body, list) else "-".join(body)[:30])
def test_entries_of_conversations_are_read(body: Any) -> None:
    assert detect(body).format == "mistral"
    roles = [message.role for message in parse(body).messages]
    assert roles == ["user", "assistant", "tool", "tool", "assistant"]
    said = parse(body).messages[1]
    assert isinstance(said, AssistantMessage)
    assert [call.tool_name for call in said.tool_calls] == ["f", "g"]
    assert [finding for finding in lint(body) if finding.severity == "error"] == []
    assert jsontext.is_same(convert(body, "mistral").value, body)


def test_losses_of_entries_name_their_places() -> None:
    found = losses({"entries": ENTRIES, "object": "conversation.history"}, "openai-chat")
    assert ("dropped", "/entries/0/id") in found
    assert ("dropped", "/entries/6") in found


ODD = [
    ("a custom call", {"type": "custom", "id": "c", "custom": {"name": "sh", "input": "ls"}}, '{"input":"ls"}'),
    ("broken arguments", {"type": "function", "id": "c", "function": {"name": "sh", "arguments": "{"}}, '{"_raw":"{"}'),
    ("no arguments", {"type": "function", "id": "c", "function": {"name": "sh", "arguments": ""}}, "{}"),
]


@pytest.mark.parametrize(("name", "call", "arguments"), ODD, ids=lambda part: part if isinstance(part, str) else "")
def test_odd_calls_become_calls_of_functions(name: str, call: Any, arguments: str) -> None:
    body = {"messages": [USER, {"role": "assistant", "content": None, "tool_calls": [call]}, result("c")]}
    (written,) = convert(body, "mistral", "openai-chat").value["messages"][1]["tool_calls"]
    assert written["function"] == {"name": "sh", "arguments": arguments}, name


def test_foreign_keys_are_named_and_not_passed_on() -> None:
    """Converters that pass a chat's keys through write what Mistral refuses."""
    body = {"messages": [
        {"role": "developer", "content": "be brief"},
        {"role": "user", "name": "alice", "content": "hi"},
        {"role": "assistant", "content": None, "refusal": "no"},
        {"role": "assistant", "content": "x", "reasoning_content": "why"},
    ]}  # fmt: skip
    done = convert(body, "mistral", "openai-chat")
    assert done.value["messages"] == [
        {"role": "system", "content": "be brief"},
        {"role": "user", "content": "hi"},
        {"role": "assistant", "content": "no"},
        {
            "role": "assistant",
            "content": [
                {"type": "thinking", "thinking": [{"type": "text", "text": "why"}]},
                {"type": "text", "text": "x"},
            ],
        },
    ]
    assert [(loss.action, loss.path) for loss in done.losses] == [
        ("rewritten", "/messages/0/role"),
        ("dropped", "/messages/1/name"),
        ("rewritten", "/messages/2/refusal"),
        ("rewritten", "/messages/2/content"),
        ("moved", "/messages/3/reasoning_content"),
    ]


def test_parameters_and_tools() -> None:
    tool = {"type": "function", "function": {"name": "f"}}
    body = {
        "model": "gpt-5",
        "messages": [USER],
        "tools": [tool],
        "tool_choice": "required",
        "user": "u",
        "max_completion_tokens": 9,
    }
    done = convert(body, "mistral", "openai-chat")
    assert done.value["tools"][0]["function"]["parameters"] == {"type": "object", "properties": {}}
    assert {key: done.value[key] for key in done.value if key not in ("messages", "tools")} == {
        "tool_choice": "required",
        "max_tokens": 9,
    }
    assert {(loss.action, loss.path) for loss in done.losses} == {
        ("dropped", "/model"), ("dropped", "/user"), ("rewritten", "/max_completion_tokens"), ("synthesised", "/tools/0"),
    }  # fmt: skip


PLAIN = [
    [USER, SAID],
    [USER, calls("a00000001"), result("a00000001")],
    [USER, {**SAID, "prefix": True}],
    {"model": "mistral-7b-instruct", "messages": [USER]},
    {"messages": [USER], "choices": [{"message": SAID}]},
]


@pytest.mark.parametrize("body", PLAIN, ids=["plain", "nine characters", "prefix", "a local model", "an answer"])
def test_what_every_chat_has_stays_openai_chat(body: Any) -> None:
    assert detect(body).format == "openai-chat"


@pytest.mark.parametrize("body", [
    user({"type": "document_url", "document_url": "https://example.com/a.pdf"}),
    {"messages": [USER, {"role": "assistant", "content": [THOUGHT]}]},
    {"messages": [USER, calls("call_1"), result("call_1"), {"role": "assistant", "content": [THOUGHT]}]},
    {"model": "mistral-large-2411", "messages": [USER]},
], ids=["document", "thinking", "calls and thinking", "model"])  # fmt: skip
def test_what_only_mistral_has_is_told(body: Any) -> None:
    found = detect(body)
    assert (found.format, found.others) == ("mistral", ())


def test_reasoning_of_a_chat_dialect_reads_back_as_thinking() -> None:
    body = {"messages": [USER, {"role": "assistant", "content": "x", "reasoning": "why"}]}
    back = parse(convert(body, "mistral", "openai-chat").value)
    assert back.format == "mistral"
    assert back.messages[1].blocks == () or isinstance(back.messages[1].blocks[0], ReasoningBlock)
    assert back.messages[1].reasoning == "why"  # type: ignore[union-attr]  # an assistant's message
