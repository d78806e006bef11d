"""Gemini's generateContent and Interactions, written: what other converters get wrong, and what the SDK takes."""

import json
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from gemini_contents import FORMATS, call, model, text, told, user

import lighter
from lighter import AssistantMessage, ToolMessage, UserMessage, jsontext


def to_gemini(*messages: Any, **fields: Any) -> lighter.Conversion:
    return lighter.convert({"messages": list(messages), **fields}, "gemini", "openai-chat")


def chat_calls(*calls: tuple[str, str, str]) -> dict[str, Any]:
    listed = [{"id": i, "type": "function", "function": {"name": n, "arguments": a}} for i, n, a in calls]
    return {"role": "assistant", "content": None, "tool_calls": listed}


def chat_result(call_id: str, output: str, **more: Any) -> dict[str, Any]:
    return {"role": "tool", "tool_call_id": call_id, "content": output, **more}


HI = {"role": "user", "content": "hi"}


def test_a_call_id_that_is_used_again_keeps_its_own_result() -> None:
    turns = [[chat_calls(("same", "f", "{}")), chat_result("same", said)] for said in ("one", "two", "three")]
    there = to_gemini(HI, *(message for turn in turns for message in turn))
    outputs = [part["functionResponse"]["response"] for content in there.value["contents"] for part in content["parts"]
               if "functionResponse" in part]  # fmt: skip
    assert outputs == [{"result": "one"}, {"result": "two"}, {"result": "three"}]


def test_equal_parallel_calls_all_stay_and_are_all_answered_in_one_content() -> None:
    calls = chat_calls(*((f"c{n}", "f", '{"a": 1}') for n in range(3)))
    there = to_gemini(HI, calls, *(chat_result(f"c{n}", str(n)) for n in (2, 0, 1)))
    _, called, answered = there.value["contents"]
    assert [part["functionCall"]["id"] for part in called["parts"]] == ["c0", "c1", "c2"]
    assert [part["functionResponse"]["id"] for part in answered["parts"]] == ["c0", "c1", "c2"]
    assert [part["functionResponse"]["response"] for part in answered["parts"]] == [
        {"result": str(n)} for n in range(3)
    ]
    assert {loss.feature for loss in there.losses} == {"result-order"}


@pytest.mark.parametrize(
    ("arguments", "args"),
    [('{"city": "Par', {"_raw": '{"city": "Par'}), ("", {}), ("[1]", {"value": [1]}), ('{"n": 1e3}', {"n": "1e3"})],
)
@pytest.mark.parametrize("target", list(FORMATS))
def test_arguments_that_are_no_object_are_named(arguments: str, args: Any, target: str) -> None:
    body = {"messages": [HI, chat_calls(("a", "f", arguments)), chat_result("a", "x")]}
    there = lighter.convert(body, target, "openai-chat")
    listed = (
        there.value["contents"][1]["parts"][0]["functionCall"]["args"]
        if target == "gemini"
        else there.value["input"][1]["arguments"]
    )
    if arguments.startswith('{"n"'):
        assert jsontext.encode(listed) == b'{"n":1e3}'
        assert there.losses == ()
    else:
        assert listed == args
        assert told(there.losses) == {("rewritten", "arguments", "/messages/1/tool_calls/0/function/arguments")}


@pytest.mark.parametrize("target", list(FORMATS))
def test_calls_of_every_kind_keep_their_results(target: str) -> None:
    custom = {"id": "c", "type": "custom", "custom": {"name": "shell", "input": "ls"}}
    messages = [
        HI,
        {"role": "assistant", "content": None, "function_call": {"name": "old", "arguments": "{}"}},
        {"role": "function", "name": "old", "content": "gave"},
        {"role": "assistant", "content": None, "tool_calls": [custom]},
        chat_result("c", "listed"),
    ]
    there = lighter.convert({"messages": messages}, target, "openai-chat")
    back = lighter.parse(there.value, target)
    answers = {m.call_id: m.content for m in back.messages if isinstance(m, ToolMessage)}
    called = {c.call_id: c.arguments for m in back.messages if isinstance(m, AssistantMessage) for c in m.tool_calls}
    assert sorted(answers.values()) == ["gave", "listed"]
    assert answers.keys() == called.keys()
    assert called["c"] == '{"input":"ls"}'
    assert {"custom-call", "legacy-call", "function-message"} <= {loss.feature for loss in there.losses}


@pytest.mark.parametrize("target", list(FORMATS))
def test_error_flags_arrive_and_come_back(target: str) -> None:
    content = [{"type": "tool_result", "tool_use_id": "a", "content": "broke", "is_error": True}]
    body = {"messages": [HI, {"role": "assistant", "content": [{"type": "tool_use", "id": "a", "name": "f", "input": {}}]},
                         {"role": "user", "content": content}]}  # fmt: skip
    there = lighter.convert(body, target, "anthropic")
    assert all(loss.is_reversible for loss in there.losses)
    assert lighter.convert(there.value, "anthropic", target).value == body


@pytest.mark.parametrize("target", list(FORMATS))
def test_reasoning_of_others_becomes_a_thought_without_its_signature(target: str) -> None:
    thinking = {"type": "thinking", "thinking": "WHY", "signature": "Zm9yZWlnbg=="}
    said = {"role": "assistant", "content": [thinking, {"type": "text", "text": "so"}]}
    there = lighter.convert({"messages": [HI, said]}, target, "anthropic")
    assert told(there.losses) == {
        ("dropped", "signature", "/messages/1/content/0/signature"),
        ("moved", "reasoning", "/messages/1/content/0"),
    }
    assert b"Zm9yZWlnbg" not in jsontext.encode(there.value)
    (thought,) = [m.reasoning for m in lighter.parse(there.value, target).messages if isinstance(m, AssistantMessage)]
    assert thought == "WHY"


@pytest.mark.parametrize("target", list(FORMATS))
def test_a_system_message_in_the_middle_becomes_the_users(target: str) -> None:
    messages = [
        {"role": "system", "content": "first"},
        HI,
        {"role": "assistant", "content": "ho"},
        {"role": "system", "content": "mid"},
    ]
    there = lighter.convert({"messages": messages}, target, "openai-chat")
    assert told(there.losses) == {("rewritten", "system-in-the-middle", "/messages/3/role")}
    back = lighter.parse(there.value, target).messages
    assert [(type(m).__name__, m.content) for m in back[-1:]] == [("UserMessage", "mid")]
    assert back[0].content == "first"


def test_neighbours_of_one_role_are_joined_only_where_gemini_did_not_write_them() -> None:
    there = to_gemini(HI, {"role": "user", "content": "again"})
    assert there.value["contents"] == [user(text("hi"), text("again"))]
    assert told(there.losses) == {("moved", "consecutive-turns", f"/messages/{n}") for n in (0, 1)}
    own = {"contents": [user(text("hi")), user(text("again"))]}
    assert lighter.convert(lighter.convert(own, "lighter").value, "gemini").value == own


def test_names_marks_and_foreign_models_are_named() -> None:
    said = {
        "role": "user",
        "name": "ada",
        "content": [{"type": "text", "text": "x", "prompt_cache_breakpoint": {"mode": "explicit"}}],
    }
    there = to_gemini(said, model="gpt-5", user="u", max_tokens=5, stop="END")
    assert there.value == {
        "contents": [user(text("x"))],
        "generationConfig": {"maxOutputTokens": 5, "stopSequences": ["END"]},
    }
    assert told(there.losses) == {
        ("dropped", "name", "/messages/0/name"), ("dropped", "cache-mark", "/messages/0/content/0/prompt_cache_breakpoint"),
        ("dropped", "model", "/model"), ("dropped", "user", "/user"), ("rewritten", "stop", "/stop"),
    }  # fmt: skip


def test_images_by_address_stay_images() -> None:
    image = {"type": "image", "source": {"type": "url", "url": "https://example.com/a.webp"}}
    there = lighter.convert({"messages": [{"role": "user", "content": [image]}]}, "gemini", "anthropic")
    part = {"fileData": {"fileUri": "https://example.com/a.webp", "mimeType": "image/webp"}}
    assert there.value == {"contents": [user(part)]}
    assert lighter.convert(there.value, "anthropic").value["messages"][0]["content"] == [image]


def test_the_sdks_own_objects_are_read() -> None:
    types = pytest.importorskip("google.genai.types")
    answer = types.GenerateContentResponse.model_validate({
        "candidates": [{"content": model(text("TOLD"), call("f", a=1)), "finishReason": "STOP"}], "modelVersion": "gemini-x",
    })  # fmt: skip
    (said,) = lighter.parse(answer).messages
    assert isinstance(said, AssistantMessage)
    assert (said.content, said.stop, said.tool_calls[0].arguments) == ("TOLD", "STOP", '{"a":1}')
    (asked,) = lighter.parse([types.Content(role="user", parts=[types.Part(text="hi")])]).messages
    assert isinstance(asked, UserMessage)
    assert asked.content == "hi"


def chats() -> Iterator[Any]:
    cases = (Path(__file__).parent / "conversion_cases.jsonl").read_text().splitlines()
    for case in map(json.loads, cases):
        if case["format"] in ("openai", "anthropic", "openai_responses") and isinstance(case["messages"], list):
            name = {"openai": "openai-chat"}.get(case["format"], case["format"].replace("_", "-"))
            key = "input" if name == "openai-responses" else "messages"
            yield pytest.param(name, {key: case["messages"], **(case.get("env") or {})}, id=case["id"])


@pytest.mark.parametrize(("source", "body"), list(chats()))
def test_what_is_written_is_what_the_sdk_takes(source: str, body: Any) -> None:
    types = pytest.importorskip("google.genai.types")
    value = jsontext.encode(lighter.convert(body, "gemini", source).value)
    written = json.loads(value)
    for content in written["contents"]:
        types.Content.model_validate(content)
        assert content["role"] in ("user", "model")
    for tool in written.get("tools", ()):
        types.Tool.model_validate(tool)
    types.GenerationConfig.model_validate(written.get("generationConfig", {}))
    roles = [content["role"] for content in written["contents"]]
    assert all(one != other for one, other in pairwise(roles))
    for before, after in pairwise(written["contents"]):
        called = [part for part in before["parts"] if "functionCall" in part]
        assert len(called) in (0, sum("functionResponse" in part for part in after["parts"]))
