"""What a conversion names as lost, and what it must not name: parameters, media, ids, numbers, copies."""

import io
import json
from typing import Any

import pytest
from chat import SAID, USER, calls, result

from lighter import convert
from lighter.conversion import ConvertOptions, convert_stream
from lighter.formats import writable


def losses_of(data: bytes, to: str, **options: Any) -> list[tuple[str, str, str]]:
    pieces = convert_stream(io.BytesIO(data), "x.jsonl", ConvertOptions(to, **options))
    return [(loss.action, loss.path, loss.feature) for piece in pieces for loss in piece.losses]


@pytest.mark.parametrize(("data", "expected"), [
    (b'{"messages":[{"role":"user","content":"x","content":"y"}]}', ("dropped", "/messages/0/content", "repeated-key")),
    (b'{"messages":[{"role":"user","content":"a \xff b"}]}', ("rewritten", "", "invalid-utf8")),
    (b'{"messages":[{"role":"user","content":"a \xed\xa0\xbc b"}]}', ("rewritten", "", "invalid-utf8")),
    (b'{"messages":[{"role":"user","content":"a","n":NaN}]}', ("rewritten", "/messages/0/n", "nonfinite-number")),
    (b'{"messages":[{"role":"system","content":""},{"role":"user","content":"a"}]}', ("dropped", "/messages/0", "empty-message")),
    (b'{"messages":[{"role":"user","content":"a"}],"temperature":1.0}', ("dropped", "/temperature", "temperature")),
    (b'{"messages":[{"role":"user","content":"a"}],"tool_choice":"none","parallel_tool_calls":true}',
     ("dropped", "/parallel_tool_calls", "parallel-tool-calls")),
    (b'{"messages":[{"role":"user","content":[{"type":"image_url","image_url":{"url":"data:image/svg+xml;base64,AAAA"}}]}]}',
     ("dropped", "/messages/0/content/0", "image")),
    (b'{"messages":[{"role":"user","content":[{"type":"image_url","image_url":{"url":"file:///x.png"}}]}]}',
     ("dropped", "/messages/0/content/0", "image")),
    (b'{"messages":[{"role":"assistant","tool_calls":[{"id":5,"type":"function","function":{"name":"f","arguments":"{}"}}]}]}',
     ("rewritten", "/messages/0/tool_calls/0/id", "call-id")),
], ids=lambda value: value[2] if isinstance(value, tuple) else "")  # fmt: skip
def test_what_anthropic_cannot_hold_is_named(data: bytes, expected: tuple[str, str, str]) -> None:
    assert expected in losses_of(data, "anthropic", format="openai-chat")


def test_what_only_lighter_tells_is_named() -> None:
    call = {"callId": "c", "toolName": "f", "arguments": "{}"}
    record = {
        "id": "k1",
        "source": {"format": "gemini"},
        "messages": [
            {"role": "user", "content": "a", "id": "m1"},
            {"role": "assistant", "content": "", "toolCalls": [call]},
            {"role": "tool", "callId": "c", "toolName": "g", "toolOutput": "x"},
        ],
    }
    for target in ("openai-chat", "anthropic"):
        found = {path for _, path, _ in losses_of(json.dumps(record).encode(), target, format="lighter")}
        assert {"/id", "/source/format", "/messages/0/id", "/messages/2/toolName"} <= found, target


def test_file_ids_stay_with_their_provider() -> None:
    part = {"type": "file", "file": {"file_id": "file-1"}}
    chat = {"messages": [{"role": "user", "content": [part]}]}
    there = convert(chat, "lighter", "openai-chat").value
    assert convert(there, "openai-chat", "lighter").value == chat
    dropped = (loss for loss in convert(there, "anthropic", "lighter").losses if loss.action == "dropped")
    assert next(dropped).path.startswith("/messages/0")
    block = {"type": "image", "source": {"type": "file", "file_id": "file_1"}}
    claude = {"messages": [{"role": "user", "content": [block]}]}
    assert convert(convert(claude, "lighter", "anthropic").value, "anthropic", "lighter").value == claude


def test_copies_of_reasoning_are_no_loss() -> None:
    thought = {"type": "thinking", "thinking": "why", "signature": "c2ln"}
    turn = {"role": "assistant", "content": "x", "reasoning_content": "why", "thinking_blocks": [thought]}
    chat = {"messages": [USER, turn]}
    done = convert(chat, "anthropic", "openai-chat")
    assert (done.losses, done.value["messages"][1]["content"][0]) == ((), thought)
    assert convert(convert(chat, "lighter", "openai-chat").value, "openai-chat", "lighter").value == chat


def test_numbers_beyond_floats_are_numbers() -> None:
    chat = [USER, calls("c1", arguments='{"a":1e400}'), result("c1")]
    (piece,) = convert_stream(io.BytesIO(json.dumps(chat).encode()), "x.jsonl", ConvertOptions("anthropic"))
    (record,) = piece.records
    assert b'"input":{"a":1e400}' in record


def test_a_request_with_choices_beside_its_messages() -> None:
    body = {
        "messages": [USER],
        "model": "gpt-5",
        "choices": [{"index": 0, "message": SAID}],
        "usage": {"total_tokens": 3},
    }
    done = convert(body, "anthropic", "openai-chat")
    assert [message["role"] for message in done.value["messages"]] == ["user", "assistant"]
    assert {loss.path for loss in done.losses} == {"/model", "/usage", "/choices/0/index"}


def test_keys_of_a_turn_with_results_are_told_at_the_turn() -> None:
    turn = {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "t", "content": "x"}], "uuid": "u"}
    call = {"role": "assistant", "content": [{"type": "tool_use", "id": "t", "name": "f", "input": {}}]}
    done = convert([USER, call, turn], "openai-chat", "anthropic")
    assert [loss.path for loss in done.losses] == ["/2/uuid"]


def test_old_functions_are_tools() -> None:
    function = {"name": "f", "description": "d", "parameters": {"type": "object"}}
    chat = {"messages": [USER], "functions": [function], "function_call": {"name": "f"}}
    done = convert(chat, "anthropic", "openai-chat")
    assert done.value["tools"] == [{"name": "f", "description": "d", "input_schema": {"type": "object"}}]
    assert done.value["tool_choice"] == {"type": "tool", "name": "f"}
    assert convert(convert(chat, "lighter", "openai-chat").value, "openai-chat", "lighter").value == chat


def test_a_number_that_json_does_not_have_is_copied_as_it_stands() -> None:
    line = b'{"role":"user","content":"a","n":NaN}'
    pieces = list(convert_stream(io.BytesIO(line), "log.jsonl", ConvertOptions("openai-chat")))
    assert [record for piece in pieces for record in piece.records] == [line]
    assert [loss for piece in pieces for loss in piece.losses] == []


@pytest.mark.parametrize("target", ["anthropic", "bedrock"])
def test_a_message_that_gets_a_role_is_named(target: str) -> None:
    done = convert({"messages": [{"content": "x"}]}, target, "openai-chat")
    assert done.value["messages"][0]["role"] == "user"
    assert [(loss.path, loss.feature, loss.action) for loss in done.losses] == [("/messages/0", "role", "synthesised")]


@pytest.mark.parametrize("target", ["openai-chat", "openai-responses"])
@pytest.mark.parametrize(("schema", "is_added"), [
    ({"type": "object"}, True),
    ({"type": "object", "additionalProperties": False}, True),
    ({"type": "object", "properties": {}}, False),
    ({"type": "object", "$ref": "#/$defs/a", "$defs": {"a": {"type": "object"}}}, False),
    ({"type": "object", "additionalProperties": {"type": "string"}}, False),
])  # fmt: skip
def test_openai_gets_the_properties_that_it_asks_for(schema: dict[str, object], is_added: bool, target: str) -> None:
    tools = [{"name": "f", "input_schema": schema}]
    done = convert({"messages": [{"role": "user", "content": "q"}], "tools": tools}, target, "anthropic")
    written = done.value["tools"][0]
    assert written.get("function", written)["parameters"] == schema | ({"properties": {}} if is_added else {})
    added = [(loss.path, loss.action) for loss in done.losses if loss.feature == "properties"]
    assert added == ([("/tools/0", "synthesised")] if is_added else [])
    assert not done.refusals


REFUSED: dict[str, Any] = {
    "id": "msg_1", "type": "message", "role": "assistant", "model": "claude-opus-4-1", "content": [], "stop_reason": "refusal",
    "stop_sequence": None, "stop_details": {"type": "refusal", "category": "cyber", "explanation": "why"},
    "usage": {"input_tokens": 5, "output_tokens": 0},
}  # fmt: skip


@pytest.mark.parametrize(
    "target", [name for name in writable() if name not in ("anthropic", "lighter") and "langchain" not in name]
)
@pytest.mark.parametrize("base", ["", "/response"])
def test_a_refusal_without_a_word_is_named_once(base: str, target: str) -> None:
    request = {"model": "claude-opus-4-1", "max_tokens": 9, "messages": [USER]}
    found = convert({"request": request, "response": REFUSED} if base else REFUSED, target, "anthropic")
    told = [
        (loss.path, loss.feature) for loss in found.losses if loss.action == "dropped" and loss.path.startswith(base)
    ]
    keys = ("model", "stop_reason", "stop_details", "usage", "id")
    assert {f"{base}/{key}" for key in keys} <= {path for path, _ in told}
    assert len(told) == len(set(told))
    assert (base, "empty-message") in told


def test_what_an_emptied_message_says_nothing_of_is_not_named() -> None:
    chat = {"messages": [USER, {"role": "assistant", "content": "", "refusal": None, "name": "bob"}, USER]}
    told = {(loss.path, loss.feature) for loss in convert(chat, "gemini").losses if loss.action == "dropped"}
    assert told == {("/messages/1", "empty-message"), ("/messages/1/name", "name")}


@pytest.mark.parametrize("target", [name for name in writable() if name not in ("bedrock", "lighter")])
def test_what_a_guardrail_looks_at_is_named(target: str) -> None:
    guarded, plain = {"guardContent": {"text": {"text": "a"}}}, {"text": "b"}
    body = {"system": [guarded], "messages": [{"role": "user", "content": [plain, guarded]}]}
    found = [loss for loss in convert(body, target, "bedrock").losses if loss.feature == "guard-content"]
    assert {(loss.path, loss.action) for loss in found} == {
        ("/system/0", "rewritten"),
        ("/messages/0/content/1", "rewritten"),
    }
    assert not any(loss.is_reversible for loss in found)
    held = convert(body, "lighter", "bedrock").value
    assert convert(held, "bedrock", "lighter").value == body


def test_a_guarded_block_in_langchain_stays_as_it_is() -> None:
    block = {"guardContent": {"text": {"text": "a", "qualifiers": ["query"]}}}
    found = convert({"messages": [{"type": "human", "data": {"content": [block]}}]}, "langchain")
    assert found.value["messages"][0]["kwargs"]["content"] == [block]
    assert found.losses == ()


@pytest.mark.parametrize("role", ["user", "system"])
@pytest.mark.parametrize("to", ["openai-chat", "openai-responses", "mistral", "cohere", "ollama"])
def test_a_message_of_which_nothing_is_left_is_not_written_empty(to: str, role: str) -> None:
    body = {"messages": [{"role": role, "content": [{"type": "future", "payload": "p"}]}, USER]}
    done = convert(body, to, "anthropic")
    assert done.value == convert({"messages": [USER]}, to, "anthropic").value
    told = {(loss.action, loss.path) for loss in done.losses}
    assert {("dropped", "/messages/0/content/0"), ("dropped", "/messages/0")} <= told


TEXT, MORE = ({"type": "reasoning.text", "text": text} for text in ("a", "b"))
SUMMARY = {"type": "reasoning.summary", "summary": "s"}
SECRET = {"type": "reasoning.encrypted", "data": "x"}


@pytest.mark.parametrize(
    ("details", "text", "expected"),
    [
        ([TEXT, SECRET, SUMMARY], "a", ["a", "s"]),
        ([TEXT, MORE, SUMMARY], "ab", ["a", "b", "s"]),
        ([TEXT, SUMMARY], "as", ["a", "s"]),
        ([TEXT, SUMMARY], "c", ["a", "s", "c"]),
        ([SECRET], "c", ["c"]),
    ],
)
def test_a_thought_that_stands_twice_is_read_once(details: list[Any], text: str, expected: list[str]) -> None:
    said = {"role": "assistant", "content": "t", "reasoning": text, "reasoning_details": details}
    body = {"messages": [USER, said]}
    done = convert(body, "anthropic", "openai-chat", reasoning="text")
    *thoughts, answer = [block["text"] for block in done.value["messages"][1]["content"]]
    assert thoughts == [f"<thinking>\n{thought}\n</thinking>" for thought in expected]
    assert answer == "t"
    assert convert(convert(body, "lighter", "openai-chat").value, "openai-chat", "lighter").value == body


@pytest.mark.parametrize("to", ["openai-chat", "openai-responses", "anthropic", "mistral"])
@pytest.mark.parametrize(
    ("body", "source", "place"),
    [
        (
            {"contents": [{"role": "user", "parts": [{"fileData": {"fileUri": "https://e/i", "mimeType": "image/webp"}}]}]},
            "gemini",
            "/contents/0/parts/0/fileData/mimeType",
        ),
        (
            {"input": [{"type": "user_input", "content": [{"type": "image", "uri": "https://e/i", "mime_type": "image/webp"}]}]},
            "gemini-interactions",
            "/input/0/content/0/mime_type",
        ),
    ],
    ids=["gemini", "interactions"],
)  # fmt: skip
def test_a_media_type_told_of_an_address_is_named(body: dict[str, Any], source: str, place: str, to: str) -> None:
    done = convert(body, to, source)
    assert [(loss.action, loss.path) for loss in done.losses if loss.feature == "media-type"] == [("dropped", place)]
