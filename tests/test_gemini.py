"""Gemini's generateContent and Interactions, read: where messages are found, what pairs, what other formats are told of it."""

from pathlib import Path
from typing import Any

import pytest
from comparing import exact
from gemini_contents import FORMATS, call, model, result, text, told, user

import lighter
from lighter import AssistantMessage, ToolMessage, jsontext
from lighter.envelope import open_value
from lighter.formats import get, writable
from lighter.formats.gemini.schema import from_json_schema, to_json_schema

DATA = Path(__file__).parent / "data"
each_target = pytest.mark.parametrize("target", writable())


def bodies(name: str) -> list[Any]:
    return [jsontext.decode(line) for line in (DATA / FORMATS[name]).read_bytes().splitlines()]


ALL = [pytest.param(name, body, id=f"{name}-{n}") for name in FORMATS for n, body in enumerate(bodies(name))]
each_body = pytest.mark.parametrize(("name", "body"), ALL)


@each_body
def test_a_body_is_recognised(name: str, body: Any) -> None:
    assert lighter.detect(body).format == name


@each_body
def test_the_core_model_holds_a_request(name: str, body: Any) -> None:
    written = get(name).write(lighter.parse(body, name))
    request = body.get("request", body)
    if isinstance(request, dict) and not body.keys() & {"candidates", "steps", "response", "key"}:
        assert written.losses == ()
        assert jsontext.is_same(exact(written.value), request)


@each_body
def test_lighter_holds_a_body(name: str, body: Any) -> None:
    there = lighter.convert(body, "lighter", name)
    assert there.losses == ()
    back = get(name).write(lighter.parse(exact(there.value), "lighter"))
    assert jsontext.is_same(exact(back.value), exact(get(name).write(lighter.parse(body, name)).value))


@each_target
@each_body
def test_losses_name_places_of_the_body(name: str, body: Any, target: str) -> None:
    for loss in lighter.convert(body, target, name).losses:
        jsontext.value_at(body, loss.path)


@pytest.mark.parametrize(
    ("name", "value", "kind"),
    [
        ("gemini", user(text("hi")), "message"),
        ("gemini", {"parts": [text("hi")]}, "message"),
        ("gemini", [{"parts": [text("hi")]}, model(text("ho"))], "conversation"),
        ("gemini", {"contents": [user(text("hi"))]}, "conversation"),
        ("gemini", {"contents": "hi", "model": "gemini-2.5-flash"}, "conversation"),
        ("gemini", {"candidates": [{"content": model(text("ho"))}]}, "conversation"),
        ("gemini", {"candidates": [{"finishReason": "SAFETY"}]}, "conversation"),
        ("gemini", {"key": "1", "request": {"contents": [user(text("hi"))]}}, "conversation"),
        ("gemini-interactions", {"type": "user_input", "content": []}, "message"),
        ("gemini-interactions", {"type": "function_call", "id": "a", "name": "f", "arguments": {}}, "message"),
        ("gemini-interactions", {"model": "gemini-3-flash", "input": "hi"}, "conversation"),
        ("gemini-interactions", {"id": "v1", "status": "completed", "steps": []}, "conversation"),
    ],
)
def test_where_messages_are_found(name: str, value: Any, kind: str) -> None:
    opened = open_value(value)
    assert opened.kind == kind
    if kind == "message" or opened.bodies[0].messages:
        assert lighter.detect(value).format == name


@pytest.mark.parametrize(
    "value",
    [
        {"role": "user", "parts": [{"type": "text", "text": "a chat interface of the web"}]},
        {"contents": "nothing beside it"},
        {"contents": ["a", "b"]},
        {"candidates": ["Ada", "Grace"]},
        {"input": "hi", "model": "gpt-5"},
        {
            "input": [{"type": "function_call", "call_id": "c", "name": "f", "arguments": "{}"}],
            "model": "gemini-3-flash",
        },
        {"type": "function_call", "id": "fc_1", "call_id": "c", "name": "f", "arguments": "{}"},
        {"type": "file_search_call", "id": "fs_1", "queries": ["q"], "status": "completed"},
        {"steps": ["boil", "stir"]},
    ],
)
def test_look_alikes_are_left_to_others(value: Any) -> None:
    found = lighter.detect(value).format
    assert found is None or not found.startswith("gemini")


def test_parallel_calls_without_ids_are_told_apart() -> None:
    body = {"contents": [user(text("go")), model(call("get", n=1), call("get", n=2)),
                         user(result("get", {"result": "one"}), result("get", {"result": "two"}))]}  # fmt: skip
    _, said, one, two = lighter.parse(body).messages
    assert isinstance(said, AssistantMessage)
    ids = [made.call_id for made in said.tool_calls]
    assert len(set(ids)) == 2
    assert all(made.is_id_synthetic for made in said.tool_calls)
    assert [(answer.call_id, answer.content) for answer in (one, two) if isinstance(answer, ToolMessage)] == [
        (ids[0], "one"), (ids[1], "two")]  # fmt: skip


@pytest.mark.parametrize(
    ("calls", "results", "pairs"),
    [
        ([call("a"), call("b")], [result("b", {}), result("a", {})], [1, 0]),
        ([call("a"), call("a"), call("b")], [result("a", {}), result("b", {}), result("a", {})], [0, 2, 1]),
        ([call("a", "x"), call("a", "y")], [result("a", {}, "y"), result("a", {}, "x")], [1, 0]),
        ([call("a", "x")], [result("a", {})], [0]),
        ([call("a")], [result("a", {}, "only-here")], [0]),
        ([call("a")], [result("b", {})], [None]),
        ([call("a")], [{"functionResponse": {"response": {}}}], [0]),
    ],
)
def test_results_find_their_calls(calls: list[Any], results: list[Any], pairs: list[int | None]) -> None:
    messages = lighter.parse({"contents": [user(text("go")), model(*calls), user(*results)]}).messages
    said = messages[1]
    assert isinstance(said, AssistantMessage)
    ids = [made.call_id for made in said.tool_calls]
    answered = [message.call_id for message in messages if isinstance(message, ToolMessage)]
    assert [ids.index(call_id) if call_id in ids else None for call_id in answered] == pairs


def test_thoughts_and_signatures_are_no_visible_text() -> None:
    said = model({"text": "THOUGHT", "thought": True}, text("TOLD"), {"text": "", "thoughtSignature": "c2ln"})
    there = lighter.convert({"contents": [user(text("go")), said]}, "openai-chat")
    assert there.value["messages"][1] == {"role": "assistant", "content": [{"type": "text", "text": "TOLD"}]}
    assert {("dropped", "reasoning", "/contents/1/parts/0"), ("dropped", "reasoning", "/contents/1/parts/2")} <= told(
        there.losses
    )


@pytest.mark.parametrize(
    ("part", "place"),
    [
        ({"text": "t", "thoughtSignature": "c2ln"}, "/thoughtSignature"),
        (call("f") | {"thoughtSignature": "c2ln"}, "/thoughtSignature"),
        ({"executableCode": {"language": "PYTHON", "code": "1"}, "thoughtSignature": "c2ln"}, ""),
        ({"codeExecutionResult": {"outcome": "OUTCOME_OK", "output": "1"}}, ""),
        ({"inlineData": {"mimeType": "image/png", "data": "aGk="}, "thought_signature": "c2ln"}, ""),
    ],
)
@pytest.mark.parametrize("target", ["openai-chat", "anthropic", "openai-responses"])
def test_what_only_gemini_reads_is_named(part: dict[str, Any], place: str, target: str) -> None:
    body = {"contents": [user(text("go")), model(text("before"), part)]}
    losses = told(lighter.convert(body, target).losses)
    assert any(action == "dropped" and path.startswith(f"/contents/1/parts/1{place}") for action, _, path in losses)
    assert get("gemini").write(lighter.parse(body)).value == body


@pytest.mark.parametrize(
    ("response", "output", "is_error"),
    [
        ({"result": "r"}, "r", None),
        ({"output": "r"}, "r", None),
        ({"content": "r"}, "r", None),
        ({"error": "r"}, "r", True),
        ({"result": 1.5}, "1.5", None),
        ({"result": {"k": 1}}, '{"k":1}', None),
        ({"k": 1}, '{"k":1}', None),
        ({"error": None}, '{"error":null}', None),
        ({"output": "o", "error": "e"}, '{"output":"o","error":"e"}', None),
        ({}, "{}", None),
        ("alone", "alone", None),
        (None, "", None),
    ],
)
def test_outputs_are_unwrapped_and_wrapped_again(response: Any, output: str, is_error: bool | None) -> None:
    body = exact({"contents": [user(text("go")), model(call("f", "a")), user(result("f", response, "a"))]})
    answer = lighter.parse(body).messages[2]
    assert isinstance(answer, ToolMessage)
    assert (answer.content, answer.is_error) == (output, is_error)
    assert jsontext.is_same(exact(get("gemini").write(lighter.parse(body)).value), body)


@pytest.mark.parametrize(
    ("found", "usual"),
    [("-_8=", "+/8="), ("-_8", "+/8="), ("+/8=", "+/8="), ("aGk=", "aGk="), ("!!", "!!"), ("-+8=", "-+8=")],
)
def test_url_safe_base64_becomes_the_usual_one_for_others(found: str, usual: str) -> None:
    body = {"contents": [user({"inlineData": {"mimeType": "image/png", "data": found}})]}
    image = lighter.convert(body, "openai-chat").value["messages"][0]["content"][0]["image_url"]["url"]
    assert image == f"data:image/png;base64,{usual}"
    assert get("gemini").write(lighter.parse(body)).value == body


@pytest.mark.parametrize(
    ("schema", "found", "unknown"),
    [
        ({"type": "STRING", "nullable": True}, {"type": ["string", "null"]}, []),
        ({"type": "OBJECT", "properties": {"a": {"type": "ARRAY", "items": {"type": "INTEGER"}}}},
         {"type": "object", "properties": {"a": {"type": "array", "items": {"type": "integer"}}}}, []),
        ({"anyOf": [{"type": "STRING"}, {"type": "NULL"}]}, {"anyOf": [{"type": "string"}, {"type": "null"}]}, []),
        ({"any_of": [{"type": "STRING"}], "min_items": "2"}, {"anyOf": [{"type": "string"}], "minItems": 2}, []),
        ({"type": "OBJECT", "propertyOrdering": ["a"]}, {"type": "object"}, [("/propertyOrdering", ["a"])]),
        ({"properties": {"a/b": {"example": 1}}}, {"properties": {"a/b": {}}}, [("/properties/a~1b/example", 1)]),
        ({"type": "TYPE_UNSPECIFIED", "nullable": True}, {}, [("/type", "TYPE_UNSPECIFIED"), ("/nullable", True)]),
        ({"ref": "#/defs/A", "defs": {"A": {"type": "STRING"}}}, {"$ref": "#/$defs/A", "$defs": {"A": {"type": "string"}}}, []),
    ],
)  # fmt: skip
def test_schemas_become_json_schemas(schema: Any, found: Any, unknown: list[tuple[str, Any]]) -> None:
    assert to_json_schema(schema) == (found, unknown)
    if not unknown and "any_of" not in schema:
        assert from_json_schema(found) == schema


def test_types_are_read_in_lower_case_and_written_as_they_were() -> None:
    schema = {
        "type": "object",
        "properties": {"a": {"type": "string", "nullable": True}, "b": {"type": "ARRAY", "items": {"type": "Number"}}},
    }
    body = {
        "contents": [user(text("go"))],
        "tools": [{"functionDeclarations": [{"name": "f", "parameters": schema}]}],
    }
    assert get("gemini").write(lighter.parse(body)).value == body
    there = lighter.convert(body, "openai-chat")
    assert there.value["tools"][0]["function"]["parameters"] == {
        "type": "object",
        "properties": {"a": {"type": ["string", "null"]}, "b": {"type": "array", "items": {"type": "number"}}},
    }
    assert told(there.losses) == {("rewritten", "schema-dialect", "/tools/0/functionDeclarations/0/parameters")}


def test_a_type_that_is_none_goes_along() -> None:
    assert to_json_schema({"type": "strng"}) == ({"type": "strng"}, [])


def test_keys_of_schemas_that_others_do_not_know_are_named() -> None:
    function = {
        "name": "f",
        "parameters": {"type": "OBJECT", "properties": {"a": {"type": "STRING"}}, "propertyOrdering": ["a"]},
    }
    body = {"contents": [user(text("go"))], "tools": [{"functionDeclarations": [function]}, {"googleSearch": {}}]}
    there = lighter.convert(body, "openai-chat")
    assert there.value["tools"][0]["function"]["parameters"] == {
        "type": "object",
        "properties": {"a": {"type": "string"}},
    }
    assert told(there.losses) == {
        ("dropped", "propertyOrdering", "/tools/0/functionDeclarations/0/parameters/propertyOrdering"),
        ("rewritten", "schema-dialect", "/tools/0/functionDeclarations/0/parameters"),
        ("dropped", "tool", "/tools/1/googleSearch"),
    }


def test_one_candidate_is_taken_and_the_others_are_named() -> None:
    answers = [{"content": model(text(said)), "finishReason": "STOP"} for said in ("first", "second")]
    body = {"candidates": answers, "usageMetadata": {"totalTokenCount": 3}, "modelVersion": "gemini-2.5-flash"}
    (said,) = lighter.parse(body).messages
    assert isinstance(said, AssistantMessage)
    assert (said.content, said.stop, said.model, said.usage) == (
        "first",
        "STOP",
        "gemini-2.5-flash",
        '{"totalTokenCount":3}',
    )
    losses = told(lighter.convert(body, "openai-chat").losses)
    assert ("dropped", "/candidates/1") in {(action, path) for action, _, path in losses}


BLOCKED = [
    {"content": {}, "finishReason": "SAFETY", "index": 0},
    {"content": {"role": None}, "finishReason": "SAFETY"},
    {"content": {"parts": []}, "finishReason": "RECITATION"},
    {"content": {}, "finishReason": "MALFORMED_FUNCTION_CALL", "finishMessage": "m"},
    {"finishReason": "PROHIBITED_CONTENT"},
]


@pytest.mark.parametrize("candidate", BLOCKED, ids=lambda candidate: candidate["finishReason"])
@pytest.mark.parametrize("target", ["openai-chat", "anthropic", "openai-responses", "gemini"])
def test_a_blocked_answer_is_nobody_elses_turn(candidate: dict[str, Any], target: str) -> None:
    record = {"request": {"contents": [user(text("q"))]}, "response": {"candidates": [candidate]}}
    roles = [type(message) for message in lighter.parse(record).messages]
    assert roles == [lighter.UserMessage, AssistantMessage][: 1 + ("content" in candidate)]
    found = lighter.convert(record, target)
    if target == "gemini":
        assert found.value == record
    else:
        assert [said["role"] for said in found.value.get("messages", found.value.get("input"))] == ["user"]
        assert "/response/candidates/0/finishReason" in {path for _, _, path in told(found.losses)}


@pytest.mark.parametrize("more", [{}, {"vendor": 1}, {"google": {"other": 2}}])
def test_a_signature_in_a_chat_goes_back_to_gemini(more: dict[str, Any]) -> None:
    google = {"thought_signature": "c2ln", **more.get("google", {})}
    made = {"id": "c", "type": "function", "function": {"name": "f", "arguments": "{}"}}
    signed = {**made, "extra_content": {**more, "google": google}}
    chat = {
        "messages": [
            {"role": "user", "content": "q"},
            {"role": "assistant", "content": None, "tool_calls": [signed, {**made, "id": "d"}]},
        ]
    }
    parts = lighter.convert(chat, "gemini", "openai-chat").value["contents"][1]["parts"]
    assert [part.get("thoughtSignature") for part in parts] == ["c2ln", None]
    held = lighter.convert(chat, "lighter", "openai-chat").value
    assert exact(lighter.convert(held, "openai-chat", "lighter").value) == exact(chat)
    place = "/messages/1/tool_calls/0/extra_content/google/thought_signature"
    assert ("dropped", "signature", place) in told(lighter.convert(chat, "anthropic", "openai-chat").losses)
