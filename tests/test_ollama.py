"""Ollama: images beside text, objects as arguments, pairing by name and order, answers, and what other histories become."""

import json
from pathlib import Path
from typing import Any

import pytest
from chat import SAID, USER, calls, result
from comparing import named
from strategies.values import PNG

from lighter import convert, detect, jsontext, lint, load, parse
from lighter.formats import get
from lighter.messages import AssistantMessage, MediaBlock, ToolMessage

ANSWER = {
    "model": "llama3.2:1b",
    "created_at": "2026-05-04T09:12:05Z",
    "message": {"role": "assistant", "content": "x", "thinking": "why"},
    "done": True,
    "done_reason": "stop",
    "eval_count": 4,
}


def call(name: str, **arguments: Any) -> dict[str, Any]:
    return {"function": {"name": name, "arguments": arguments}}


def told(name: str, text: str) -> dict[str, Any]:
    return {"role": "tool", "tool_name": name, "content": text}


def calling(*made: Any) -> dict[str, Any]:
    return {"role": "assistant", "content": "", "tool_calls": list(made)}


def losses(body: Any, target: str, source: str | None = None) -> list[tuple[str, str]]:
    return [(loss.action, loss.path) for loss in named(convert(body, target, source).losses)]


def pairs(body: Any, source: str) -> list[tuple[str, str]]:
    """Give the arguments of each call that was answered beside the answer."""
    messages = parse(body, source).messages
    outputs = {m.call_id: m.tool_output for m in messages if isinstance(m, ToolMessage)}
    made = [one for m in messages if isinstance(m, AssistantMessage) for one in m.tool_calls]
    return [(one.arguments, outputs[one.call_id]) for one in made if one.call_id in outputs]


PAIRED = [
    (
        "by order",
        [calling(call("f", n=1), call("f", n=2)), told("f", "1"), told("f", "2")],
        [('{"n":1}', "1"), ('{"n":2}', "2")],
    ),
    (
        "by name",
        [calling(call("f", n=1), call("g", n=2)), told("g", "2"), told("f", "1")],
        [('{"n":1}', "1"), ('{"n":2}', "2")],
    ),
    ("turn by turn", [calling(call("f", n=1)), USER, calling(call("f", n=2)), told("f", "2")], [('{"n":2}', "2")]),
    ("without names", [calling(call("f", n=1)), {"role": "tool", "content": "1"}], [('{"n":1}', "1")]),
]


@pytest.mark.parametrize(("name", "messages", "expected"), PAIRED, ids=[name for name, *_ in PAIRED])
def test_results_pair_by_name_and_order(name: str, messages: Any, expected: Any) -> None:
    body = {"messages": [USER, *messages]}
    assert pairs(body, "ollama") == expected, name
    assert get("ollama").write(parse(body, "ollama")).value == body


def test_ids_of_the_server_are_read_and_put_back() -> None:
    numbered = {"id": "call_1", "function": {"index": 0, "name": "f", "arguments": {}}}
    body = {"messages": [USER, calling(numbered), {"role": "tool", "tool_call_id": "call_1", "content": "x"}]}
    conversation = parse(body, "ollama")
    assert conversation.messages[2].call_id == "call_1"  # type: ignore[union-attr]  # a result
    assert get("ollama").write(conversation).value == body
    done = convert(body, "openai-chat", "ollama")
    assert done.value["messages"][2]["tool_call_id"] == "call_1"


def test_ids_of_others_become_order() -> None:
    body = {"messages": [USER, calls("a", "b"), result("b", "2"), result("a", "1")]}
    done = convert(body, "ollama")
    assert done.value["messages"][2:] == [told("f", "1"), told("f", "2")]
    assert ("rewritten", "/messages/1/tool_calls/0/id") in losses(body, "ollama")
    assert ("moved", "/messages/2") in losses(body, "ollama")
    assert pairs(body, "openai-chat") == pairs(done.value, "ollama")


def test_a_result_that_would_change_its_call_is_named() -> None:
    body = {"messages": [USER, calls("a", "b"), result("b", "2")]}
    assert ("dropped", "/messages/2/tool_call_id") in losses(body, "ollama")


ARGUMENTS = [
    ("", {}, "rewritten"),
    ("{", {"_raw": "{"}, "rewritten"),
    ("[1,2]", {"value": [1, 2]}, "rewritten"),
    ('{"n": 1e3, "k": 12345678901234567890123}', None, None),
]


@pytest.mark.parametrize(("text", "value", "action"), ARGUMENTS, ids=[text or "empty" for text, *_ in ARGUMENTS])
def test_arguments_become_objects_with_their_numbers_as_they_were(text: str, value: Any, action: str | None) -> None:
    body = {"messages": [USER, calls("a", arguments=text), result("a")]}
    done = convert(body, "ollama")
    written = jsontext.encode_text(done.value["messages"][1]["tool_calls"][0]["function"]["arguments"])
    assert written == (text.replace(" ", "") if value is None else jsontext.encode_text(value))
    found = [loss.action for loss in done.losses if loss.path.endswith("/arguments")]
    assert found == ([action] if action else [])


def test_old_and_free_calls_are_carried() -> None:
    body = {"messages": [
        USER,
        {"role": "assistant", "content": None, "function_call": {"name": "f", "arguments": '{"a":1}'}},
        {"role": "function", "name": "f", "content": "1"},
        {"role": "assistant", "content": None, "tool_calls": [{"id": "c", "type": "custom", "custom": {"name": "sh", "input": "ls"}}]},
        result("c", "2"),
    ]}  # fmt: skip
    assert convert(body, "ollama").value["messages"][1:] == [
        calling(call("f", a=1)), told("f", "1"), calling(call("sh", input="ls")), told("sh", "2"),
    ]  # fmt: skip
    assert ("rewritten", "/messages/1/function_call") in losses(body, "ollama")
    assert ("rewritten", "/messages/3/tool_calls/0") in losses(body, "ollama")


def test_images_stand_beside_the_text() -> None:
    parts = [
        {"type": "image_url", "image_url": {"url": f"data:image/png;base64,{PNG}", "detail": "high"}},
        {"type": "text", "text": "a"},
        {"type": "image_url", "image_url": {"url": "https://example.com/a.png"}},
        {"type": "text", "text": "b"},
    ]
    body = {"messages": [{"role": "user", "content": parts}]}
    done = convert(body, "ollama")
    assert done.value["messages"] == [{"role": "user", "content": "a\n\nb", "images": [PNG]}]
    assert sorted(losses(body, "ollama")) == [
        ("dropped", "/messages/0/content/0/image_url/detail"),
        ("dropped", "/messages/0/content/2"),
        ("moved", "/messages/0/content/0"),
        ("moved", "/messages/0/content/1"),
        ("rewritten", "/messages/0/content/1"),
        ("rewritten", "/messages/0/content/3"),
    ]
    (_, image) = parse(done.value, "ollama").messages[0].blocks
    assert isinstance(image, MediaBlock)
    assert image.media_type == "image/png"


def test_a_media_type_that_the_bytes_do_not_tell_is_named() -> None:
    image = {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": "AAAA"}}
    body = {"messages": [{"role": "user", "content": [image]}]}
    assert losses(body, "ollama", "anthropic") == [("dropped", "/messages/0/content/0/source/media_type")]


ENVELOPES = [
    ANSWER,
    {"request": {"model": "m", "messages": [USER]}, "response": ANSWER},
    {"messages": [USER], "response": ANSWER},
]


@pytest.mark.parametrize("body", ENVELOPES, ids=lambda body: "-".join(body)[:30])
def test_answers_are_read(body: Any) -> None:
    assert detect(body).format == "ollama"
    said = parse(body).messages[-1]
    assert isinstance(said, AssistantMessage)
    assert (said.content, said.reasoning, said.stop, said.model) == ("x", "why", "stop", "llama3.2:1b")
    assert jsontext.is_same(convert(body, "ollama").value, body)
    assert any(path.endswith("/eval_count") for action, path in losses(body, "openai-chat") if action == "dropped")


def test_a_file_of_answers_is_read_one_by_one(tmp_path: Path) -> None:
    path = tmp_path / "answers.jsonl"
    path.write_text(json.dumps(ANSWER) + "\n" + json.dumps(ANSWER) + "\n", encoding="utf-8")
    assert [conversation.messages[-1].content for conversation in load(path)] == ["x", "x"]
    assert lint(path) == []


def test_options_are_parameters() -> None:
    body = {"model": "qwen3:8b", "messages": [USER], "options": {"num_predict": 9, "seed": 1}, "think": True}
    assert get("ollama").write(parse(body, "ollama")).value == body
    done = convert(body, "openai-chat", "ollama")
    assert (done.value["model"], done.value["max_tokens"]) == ("qwen3:8b", 9)
    assert done.value["seed"] == 1
    assert losses(body, "openai-chat", "ollama") == [("dropped", "/think")]
    assert convert(done.value, "ollama").value["options"] == {"num_predict": 9, "seed": 1}


ROW = [USER, {"role": "assistant", "content": "", "tool_calls": [{"type": "function", "function": {"name": "f", "arguments": {}}}]},
       {"role": "tool", "name": "f", "content": "1"}]  # fmt: skip


@pytest.mark.parametrize("body", [
    [USER, SAID], ROW, [USER, calling(call("f")), {"role": "tool", "content": "1"}], {"messages": ROW, "tools": "[]"},
], ids=["plain", "training row", "no ids", "tools as text"])  # fmt: skip
def test_what_every_chat_has_stays_openai_chat(body: Any) -> None:
    assert detect(body).format == "openai-chat"


@pytest.mark.parametrize("body", [
    [{**USER, "images": [PNG]}], [USER, calling(call("f")), told("f", "1")], [USER, {**SAID, "thinking": "why"}],
], ids=["images", "names of results", "thinking"])  # fmt: skip
def test_what_only_ollama_has_is_told(body: Any) -> None:
    found = detect(body)
    assert (found.format, found.others) == ("ollama", ())


def test_tools_that_a_training_row_holds_as_text_are_carried() -> None:
    tool = {"type": "function", "function": {"name": "f", "parameters": {"type": "object"}}}
    body = {"messages": [USER], "tools": json.dumps([tool])}
    conversation = parse(body, "openai-chat")
    assert conversation.tools[0].path == "/tools/0"
    assert convert(body, "ollama", "openai-chat").value["tools"] == [tool]
    assert losses(body, "ollama", "openai-chat") == [("rewritten", "/tools")]
    there = convert(body, "lighter", "openai-chat")
    assert (there.value["tools"][0]["name"], there.losses) == ("f", ())
    assert get("openai-chat").write(parse(there.value)).value == body
