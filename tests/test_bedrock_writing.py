"""Writing Bedrock Converse: what the form asks for, what it cannot hold, and how each of these is named."""

import json
from typing import Any

import pytest
from comparing import named
from strategies.values import PNG

from lighter import AssistantMessage, Conversation, SystemMessage, ToolCall, ToolMessage, UserMessage, convert
from lighter.conversation import Param, Tool
from lighter.formats import get

NAME = "bedrock"
USER: dict[str, Any] = {"role": "user", "content": "q"}


def chat_call(call_id: str = "c1", name: str = "f", arguments: str = "{}") -> dict[str, Any]:
    return {"id": call_id, "type": "function", "function": {"name": name, "arguments": arguments}}


def calling(*calls: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {"role": "assistant", "content": None, "tool_calls": list(calls), **more}


def answer(content: Any = "ok", call_id: str = "c1", **more: Any) -> dict[str, Any]:
    return {"role": "tool", "tool_call_id": call_id, "content": content, **more}


def written(*messages: Any, source: str = "openai-chat", **fields: Any) -> tuple[Any, list[tuple[str, str, str]]]:
    done = convert({"messages": list(messages), **fields}, NAME, source)
    return done.value, [(loss.action, loss.path, loss.feature) for loss in named(done.losses)]


def test_what_a_chat_and_bedrock_both_hold_is_no_loss() -> None:
    system = {"role": "system", "content": "s"}
    tool = {"type": "function", "function": {"name": "f", "description": "d", "parameters": {"type": "object"}}}
    value, losses = written(
        system, USER, calling(chat_call(arguments='{"n":1e3}')), answer("x"), tools=[tool], tool_choice="required",
        max_tokens=5, stop=["x"], temperature=0.5,
    )  # fmt: skip
    assert losses == []
    assert json.loads(json.dumps(value)) == {
        "system": [{"text": "s"}],
        "messages": [
            {"role": "user", "content": [{"text": "q"}]},
            {"role": "assistant", "content": [{"toolUse": {"toolUseId": "c1", "name": "f", "input": {"n": 1000.0}}}]},
            {"role": "user", "content": [{"toolResult": {"toolUseId": "c1", "content": [{"text": "x"}]}}]},
        ],
        "toolConfig": {
            "tools": [{"toolSpec": {"name": "f", "description": "d", "inputSchema": {"json": {"type": "object"}}}}],
            "toolChoice": {"any": {}},
        },
        "inferenceConfig": {"maxTokens": 5, "stopSequences": ["x"], "temperature": 0.5},
    }


ROLES: list[tuple[str, list[Any], list[str], list[tuple[str, str, str]]]] = [
    ("two users", [USER, USER], ["user"],
     [("moved", "/messages/0", "consecutive-messages"), ("moved", "/messages/1", "consecutive-messages")]),
    ("two answers", [USER, {"role": "assistant", "content": "a"}, {"role": "assistant", "content": "b"}], ["user", "assistant"],
     [("moved", "/messages/1", "consecutive-messages"), ("moved", "/messages/2", "consecutive-messages")]),
    ("a user after results", [USER, calling(chat_call()), answer(), USER], ["user", "assistant", "user"], []),
    ("results of parallel calls", [USER, calling(chat_call(), chat_call("c2")), answer(call_id="c2"), answer()],
     ["user", "assistant", "user"], []),
    ("system in the middle", [USER, {"role": "assistant", "content": "a"}, {"role": "system", "content": "s"}], ["user", "assistant", "user"],
     [("rewritten", "/messages/2/role", "system-in-the-middle")]),
    ("developer", [{"role": "developer", "content": "s"}, USER], ["user"], [("rewritten", "/messages/0/role", "developer-role")]),
    ("nothing said", [USER, {"role": "assistant", "content": ""}, USER], ["user"],
     [("dropped", "/messages/1", "empty-message"), ("moved", "/messages/0", "consecutive-messages"),
      ("moved", "/messages/2", "consecutive-messages")]),
    ("blank text", [{"role": "user", "content": " "}, USER], ["user"],
     [("dropped", "/messages/0/content", "empty-text"), ("dropped", "/messages/0", "empty-message")]),
    ("between call and result", [USER, calling(chat_call()), {"role": "user", "content": "wait"}, answer()], ["user", "assistant", "user"],
     [("moved", "/messages/3", "interleaved-message"), ("moved", "/messages/2", "interleaved-message")]),
]  # fmt: skip


@pytest.mark.parametrize(("messages", "roles", "losses"), [row[1:] for row in ROLES], ids=[row[0] for row in ROLES])
def test_roles_alternate(messages: list[Any], roles: list[str], losses: list[Any]) -> None:
    value, found = written(*messages)
    assert [message["role"] for message in value["messages"]] == roles
    assert found == losses
    assert all(message["content"] for message in value["messages"])


def test_joined_neighbours_of_lighter_are_told() -> None:
    built = Conversation(
        (SystemMessage("a"), SystemMessage("b"), UserMessage("q"), AssistantMessage("x"), AssistantMessage("y"))
    )
    done = get(NAME).write(built)
    assert done.value["system"] == [{"text": "a"}, {"text": "b"}]
    assert [len(message["content"]) for message in done.value["messages"]] == [1, 2]
    assert [(loss.action, loss.path) for loss in done.losses] == [("moved", "/messages/3"), ("moved", "/messages/4")]


# ------------------------------------------------------------------------------------------------------------------ calls
@pytest.mark.parametrize(("arguments", "expected", "is_told"), [
    ('{"a": 1}', {"a": 1}, False), ("", {}, True), ('{"a": ', {"_raw": '{"a": '}, True), ("[1]", {"value": [1]}, True), ("7", {"value": 7}, True),
])  # fmt: skip
def test_arguments_become_objects(arguments: str, expected: Any, *, is_told: bool) -> None:
    value, losses = written(USER, calling(chat_call(arguments=arguments)), answer())
    assert value["messages"][1]["content"][0]["toolUse"]["input"] == expected
    place = ("rewritten", "/messages/1/tool_calls/0/function/arguments", "arguments")
    assert losses == ([place] if is_told else [])


@pytest.mark.parametrize(("call_id", "is_kept"), [("tooluse_a.b:c-1", True), ("functions.f:0", True), ("x" * 64, True), ("x" * 65, False),
                                                  ("a b", False), ("a|b", False), ("é", False)])  # fmt: skip
def test_ids(call_id: str, *, is_kept: bool) -> None:
    value, losses = written(USER, calling(chat_call(call_id)), answer(call_id=call_id))
    new = value["messages"][1]["content"][0]["toolUse"]["toolUseId"]
    assert (new == call_id, value["messages"][2]["content"][0]["toolResult"]["toolUseId"]) == (is_kept, new)
    assert len(new) <= 64
    paths = [path for _, path, _ in losses]
    assert paths == ([] if is_kept else ["/messages/1/tool_calls/0/id", "/messages/2/tool_call_id"])


def test_an_id_that_is_used_again_stays_with_its_own_result() -> None:
    value, _ = written(USER, calling(chat_call()), answer("one"), calling(chat_call()), answer("two"))
    calls = [value["messages"][n]["content"][0]["toolUse"]["toolUseId"] for n in (1, 3)]
    results = [value["messages"][n]["content"][0]["toolResult"] for n in (2, 4)]
    assert calls == [result["toolUseId"] for result in results]
    assert len(set(calls)) == 2
    assert [result["content"] for result in results] == [[{"text": "one"}], [{"text": "two"}]]


def test_equal_parallel_calls_stay_apart() -> None:
    value, losses = written(USER, calling(chat_call("a"), chat_call("b")), answer("1", "a"), answer("2", "b"))
    assert [len(message["content"]) for message in value["messages"]] == [1, 2, 2]
    assert losses == []


def test_names_of_tools_are_the_same_everywhere() -> None:
    tools = [
        {"type": "function", "function": {"name": name, "parameters": {}}}
        for name in ("my.tool/name", "my_tool/name", "f")
    ]
    choice = {"type": "function", "function": {"name": "my.tool/name"}}
    value, losses = written(USER, calling(chat_call(name="my.tool/name")), answer(), tools=tools, tool_choice=choice)
    names = [tool["toolSpec"]["name"] for tool in value["toolConfig"]["tools"]]
    assert len(set(names)) == 3
    assert names[2] == "f"
    assert (
        value["messages"][1]["content"][0]["toolUse"]["name"]
        == names[0]
        == value["toolConfig"]["toolChoice"]["tool"]["name"]
    )
    assert {path for action, path, _ in losses if action == "rewritten"} == {
        "/messages/1/tool_calls/0/function/name", "/tools/0/function/name", "/tools/1/function/name", "/tool_choice",
    }  # fmt: skip


def test_legacy_calls_pair_with_their_results() -> None:
    legacy = {"role": "assistant", "content": None, "function_call": {"name": "f", "arguments": "{}"}}
    value, losses = written(USER, legacy, {"role": "function", "name": "f", "content": "x"})
    call, result = value["messages"][1]["content"][0]["toolUse"], value["messages"][2]["content"][0]["toolResult"]
    assert call["toolUseId"] == result["toolUseId"]
    assert written(USER, legacy, {"role": "function", "name": "f", "content": "x"}) == (value, losses)
    assert ("rewritten", "/messages/1/function_call", "legacy-call") in losses


def test_custom_calls_keep_their_result() -> None:
    custom = {"id": "c1", "type": "custom", "custom": {"name": "shell", "input": "ls"}}
    value, losses = written(USER, calling(custom), answer())
    assert value["messages"][1]["content"][0]["toolUse"]["input"] == {"input": "ls"}
    assert losses == [("rewritten", "/messages/1/tool_calls/0", "custom-call")]


# ---------------------------------------------------------------------------------------------------------------- results
def test_errors_are_told_and_have_content() -> None:
    call = ToolCall("c1", "f", "{}")
    built = Conversation(
        (UserMessage("q"), AssistantMessage("", tool_calls=(call,)), ToolMessage("c1", "f", "", is_error=True))
    )
    done = get(NAME).write(built)
    assert done.value["messages"][2]["content"][0]["toolResult"] == {
        "toolUseId": "c1",
        "content": [{"json": {}}],
        "status": "error",
    }
    assert [(loss.action, loss.feature) for loss in done.losses] == [("synthesised", "empty-error")]


def test_results_keep_json_media_and_their_order() -> None:
    image = {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": PNG}}
    found = {
        "type": "search_result",
        "source": "s",
        "title": "t",
        "content": [{"type": "text", "text": "x"}],
        "citations": {"enabled": True},
    }
    inner = [{"type": "text", "text": "a"}, image, found]
    value, losses = written(
        USER, {"role": "assistant", "content": [{"type": "tool_use", "id": "c1", "name": "f", "input": {}}]},
        {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "c1", "content": inner, "is_error": True}]}, source="anthropic",
    )  # fmt: skip
    assert losses == []
    assert value["messages"][2]["content"][0]["toolResult"] == {
        "toolUseId": "c1", "status": "error",
        "content": [{"text": "a"}, {"image": {"format": "png", "source": {"bytes": PNG}}},
                    {"searchResult": {"source": "s", "title": "t", "content": [{"text": "x"}], "citations": {"enabled": True}}}],
    }  # fmt: skip


# ------------------------------------------------------------------------------------------------------------------ media
def image_url(url: str, **more: Any) -> dict[str, Any]:
    return {"type": "image_url", "image_url": {"url": url, **more}}


MEDIA: list[tuple[dict[str, Any], Any, list[tuple[str, str]]]] = [
    (image_url(f"data:image/png;base64,{PNG}"), {"image": {"format": "png", "source": {"bytes": PNG}}}, []),
    (image_url(f"data:image/png;base64,{PNG}", detail="low"), {"image": {"format": "png", "source": {"bytes": PNG}}},
     [("dropped", "/messages/0/content/1/image_url/detail")]),
    (image_url("https://example.com/a.png"), None, [("dropped", "/messages/0/content/1")]),
    (image_url("data:image/svg+xml;base64,AAAA"), None, [("dropped", "/messages/0/content/1")]),
    (image_url("s3://harbour/a.jpg"), {"image": {"format": "jpeg", "source": {"s3Location": {"uri": "s3://harbour/a.jpg"}}}}, []),
    (image_url("s3://harbour/a"), None, [("dropped", "/messages/0/content/1")]),
    ({"type": "input_audio", "input_audio": {"data": "AAAA", "format": "wav"}}, {"audio": {"format": "wav", "source": {"bytes": "AAAA"}}}, []),
    ({"type": "file", "file": {"file_id": "file-1"}}, None, [("dropped", "/messages/0/content/1")]),
    ({"type": "file", "file": {"file_data": "data:application/pdf;base64,JVBE", "filename": "Tides (2026)"}},
     {"document": {"format": "pdf", "source": {"bytes": "JVBE"}, "name": "Tides (2026)"}}, []),
    ({"type": "file", "file": {"file_data": "data:application/pdf;base64,JVBE", "filename": "a_b.pdf"}},
     {"document": {"format": "pdf", "source": {"bytes": "JVBE"}, "name": "a-b-pdf"}}, [("rewritten", "/messages/0/content/1/file/filename")]),
    ({"type": "file", "file": {"file_data": "data:application/pdf;base64,JVBE"}},
     {"document": {"format": "pdf", "source": {"bytes": "JVBE"}, "name": "Document 1"}}, [("synthesised", "/messages/0/content/1")]),
    ({"type": "file", "file": {"file_data": "data:application/zip;base64,UEsD"}}, None, [("dropped", "/messages/0/content/1")]),
]  # fmt: skip


@pytest.mark.parametrize(("part", "block", "losses"), MEDIA, ids=[json.dumps(row[0])[-60:] for row in MEDIA])
def test_media(part: dict[str, Any], block: Any, losses: list[Any]) -> None:
    value, found = written({"role": "user", "content": [{"type": "text", "text": "q"}, part]})
    assert value["messages"][0]["content"] == [{"text": "q"}, *([block] if block else [])]
    assert [(action, path) for action, path, _ in found] == losses


def test_documents_never_share_a_name() -> None:
    part = {"type": "file", "file": {"file_data": "data:application/pdf;base64,JVBE", "filename": "a"}}
    nameless = {"type": "file", "file": {"file_data": "data:application/pdf;base64,JVBE"}}
    value, _ = written({"role": "user", "content": [{"type": "text", "text": "q"}, part, part, nameless, nameless]})
    names = [block["document"]["name"] for block in value["messages"][0]["content"][1:]]
    assert names == ["a", "a (2)", "Document 1", "Document 2"]


# ------------------------------------------------------------------------------------------------------ reasoning, params
def test_reasoning_of_chats_is_readable_and_signatures_of_others_are_named() -> None:
    value, losses = written(USER, {"role": "assistant", "content": "a", "reasoning_content": "why"})
    assert value["messages"][1]["content"][0] == {"reasoningContent": {"reasoningText": {"text": "why"}}}
    assert losses == [("moved", "/messages/1/reasoning_content", "reasoning")]
    details = [{"type": "reasoning.encrypted", "data": "RU5D"}]
    _, losses = written(USER, {"role": "assistant", "content": "a", "reasoning_details": details})
    assert ("dropped", "/messages/1/reasoning_details/0", "reasoning") in losses


@pytest.mark.parametrize(("fields", "expected", "feature"), [
    ({"temperature": 1.5}, {}, "temperature"), ({"max_tokens": 0}, {}, "max-tokens"), ({"model": "gpt-5"}, {}, "model"),
    ({"model": "claude-sonnet-4-5"}, {}, "model"), ({"seed": 1}, {}, "seed"), ({"stop": [""]}, {}, "stop"),
    ({"tool_choice": "auto"}, {}, "tool-choice"), ({"parallel_tool_calls": False}, {}, "parallel-tool-calls"),
    ({"model": "us.anthropic.claude-sonnet-4-5-20250929-v1:0"}, {"modelId": "us.anthropic.claude-sonnet-4-5-20250929-v1:0"}, None),
    ({"model": "arn:aws:bedrock:eu-west-1:123456789012:inference-profile/x"},
     {"modelId": "arn:aws:bedrock:eu-west-1:123456789012:inference-profile/x"}, None),
    ({"stop": "END"}, {"inferenceConfig": {"stopSequences": ["END"]}}, "stop"), ({"top_p": 0.5}, {"inferenceConfig": {"topP": 0.5}}, None),
    ({"max_completion_tokens": 5}, {"inferenceConfig": {"maxTokens": 5}}, "max-completion-tokens"),
], ids=json.dumps)  # fmt: skip
def test_parameters(fields: dict[str, Any], expected: dict[str, Any], feature: str | None) -> None:
    value, losses = written(USER, **fields)
    assert {key: held for key, held in value.items() if key != "messages"} == expected
    assert [found for _, _, found in losses] == ([feature] if feature else [])
    assert all(path == f"/{next(iter(fields))}" for _, path, _ in losses)


def test_tools_that_bedrock_would_refuse() -> None:
    built = Conversation(
        (UserMessage("q"),),
        tools=(Tool(name="f", description=""),),
        params=(Param("tool_choice", '"none"', "/tool_choice"),),
    )
    done = get(NAME).write(built)
    assert done.value["toolConfig"] == {
        "tools": [{"toolSpec": {"name": "f", "inputSchema": {"json": {"type": "object", "properties": {}}}}}]
    }
    assert [(loss.action, loss.feature) for loss in done.losses] == [
        ("dropped", "empty-description"), ("synthesised", "input-schema"), ("dropped", "tool-choice"),
    ]  # fmt: skip


def test_text_with_citations_that_becomes_ordinary_text_is_named() -> None:
    cited = {"citationsContent": {"content": [{"text": "a"}]}}
    body = {"messages": [{"role": "user", "content": [{"text": "q"}]}, {"role": "assistant", "content": [cited]}]}
    done = convert(body, "anthropic", "bedrock")
    assert [(loss.action, loss.path) for loss in done.losses] == [("rewritten", "/messages/1/content/0")]
    assert convert(convert(body, "lighter", "bedrock").value, "bedrock", "lighter").value == body
