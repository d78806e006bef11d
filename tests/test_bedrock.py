"""Bedrock Converse: reading blocks and records, exactness, detection, and what lint and the loss report say of it."""

import json
from pathlib import Path
from typing import Any

import pytest
from comparing import exact
from strategies.values import PNG

from lighter import (
    AssistantMessage,
    Conversation,
    SystemMessage,
    ToolCall,
    ToolMessage,
    UserMessage,
    convert,
    detect,
    jsontext,
    lint,
    parse,
)
from lighter.envelope import open_value
from lighter.formats import get
from lighter.formats.bedrock.blobs import as_base64, blob_bytes, decoded_text
from lighter.messages import (
    CacheMark,
    MediaBlock,
    Opaque,
    OpaqueBlock,
    ReasoningBlock,
    TextBlock,
    ToolResultBlock,
    blocks_of,
)

NAME = "bedrock"
CASES = [json.loads(line) for line in (Path(__file__).parent / "bedrock_cases.jsonl").read_text("utf-8").splitlines()]
BODIES = [case for case in CASES if "messages" in case["record"] and case["id"] != "odd_calls"]


def case_id(case: dict[str, Any]) -> str:
    return str(case["id"])


CALL = {"toolUse": {"toolUseId": "tooluse_1", "name": "f", "input": {"a": 1}}}
POINT = {"cachePoint": {"type": "default"}}


def user(*blocks: Any) -> dict[str, Any]:
    return {"role": "user", "content": list(blocks)}


def assistant(*blocks: Any) -> dict[str, Any]:
    return {"role": "assistant", "content": list(blocks)}


def result(*content: Any, **told: Any) -> dict[str, Any]:
    return {"toolResult": {"toolUseId": "tooluse_1", "content": list(content), **told}}


def read(*messages: Any, **fields: Any) -> Conversation:
    return parse({"messages": list(messages), **fields}, NAME)


def losses(body: Any, to: str, source: str = NAME) -> list[tuple[str, str, str]]:
    return [(loss.action, loss.path, loss.feature) for loss in convert(body, to, source).losses]


# ------------------------------------------------------------------------------------------------------------ exactness
@pytest.mark.parametrize("case", CASES, ids=case_id)
def test_own_format_gives_the_record_back(case: dict[str, Any]) -> None:
    value = exact(case["record"])
    assert jsontext.is_same(convert(value, NAME, NAME).value, value)


@pytest.mark.parametrize("case", BODIES, ids=case_id)
def test_core_model_and_lighter_hold_all_of_it(case: dict[str, Any]) -> None:
    value = exact(case["record"])
    written = get(NAME).write(parse(value, NAME))
    assert (jsontext.is_same(exact(written.value), value), written.losses) == (True, ())
    there = convert(value, "lighter", NAME)
    back = get(NAME).write(parse(exact(there.value), "lighter"))
    assert (jsontext.is_same(exact(back.value), value), there.losses) == (True, ())


# ------------------------------------------------------------------------------------------------------------ detection
@pytest.mark.parametrize("case", CASES, ids=case_id)
def test_records_are_detected(case: dict[str, Any]) -> None:
    expected = "anthropic" if case["id"] == "invocation_log_native" else NAME
    assert detect(case["record"]).format == expected


@pytest.mark.parametrize("record", [
    user({"text": "hi"}),
    assistant({"text": "hi"}, CALL),
    {"messages": [user({"text": "hi"})], "system": []},
    {"messages": [user({"image": {"format": "png", "source": {"bytes": PNG}}})]},
    {"messages": [user({"text": "hi"})], "system": [{"text": "s"}]},
    [user({"text": "hi"}), assistant({"text": "ho"})],
], ids=lambda record: json.dumps(record)[:40])  # fmt: skip
def test_blocks_without_type_are_bedrock(record: Any) -> None:
    assert detect(record).format == NAME


@pytest.mark.parametrize("record", [
    {"messages": [{"role": "user", "content": "hi"}, user({"text": "a part that lost its type"})]},
    {"messages": [user({"type": "text", "text": "hi"})], "system": [{"type": "text", "text": "s"}]},
    {"messages": [user({"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": PNG}})]},
], ids=lambda record: json.dumps(record)[:60])  # fmt: skip
def test_other_formats_are_not_bedrock(record: Any) -> None:
    assert detect(record).format != NAME


# -------------------------------------------------------------------------------------------------------------- reading
BLOCKS: list[tuple[dict[str, Any], Any]] = [
    ({"text": "a"}, TextBlock("a")),
    ({"image": {"format": "png", "source": {"bytes": PNG}}}, MediaBlock("image", "base64", PNG, "image/png")),
    ({"image": {"format": "webp", "source": {"s3Location": {"uri": "s3://b/k"}}}}, MediaBlock("image", "url", "s3://b/k", "image/webp")),
    ({"document": {"format": "pdf", "name": "D", "source": {"bytes": "JVBE"}}}, MediaBlock("document", "base64", "JVBE", "application/pdf", "D")),
    ({"document": {"format": "md", "name": "D", "source": {"text": "# x"}}}, MediaBlock("document", "text", "# x", "text/markdown", "D")),
    ({"document": {"name": "D", "source": {"content": [{"text": "x"}]}}},
     MediaBlock("document", "blocks", '[{"type":"text","text":"x"}]', None, "D")),
    ({"video": {"format": "three_gp", "source": {"bytes": "AAAA"}}}, MediaBlock("video", "base64", "AAAA", "video/3gpp")),
    ({"audio": {"format": "mp3", "source": {"bytes": "AAAA"}}}, MediaBlock("audio", "base64", "AAAA", "audio/mpeg")),
    (CALL, ToolCall("tooluse_1", "f", '{"a":1}')),
    ({"reasoningContent": {"reasoningText": {"text": "t"}}}, ReasoningBlock("t")),
    ({"reasoningContent": {"reasoningText": {"text": "t", "signature": "s"}}}, ReasoningBlock("t", (Opaque("anthropic", "signature", "s"),))),
    ({"reasoningContent": {"redactedContent": "RXVZ"}}, ReasoningBlock("", (Opaque("anthropic", "redacted", "EuY"),))),
    ({"reasoningContent": {"redactedContent": "/wA="}}, ReasoningBlock("", (Opaque("bedrock", "redacted", "/wA="),))),
    ({"toolResult": {"toolUseId": "s1", "content": [{"text": "x"}]}}, ToolResultBlock("s1", "toolResult", '[{"text":"x"}]')),
    ({"image": {"format": "bmp", "source": {"bytes": "AAAA"}}}, OpaqueBlock(NAME, "image", '{"image":{"format":"bmp","source":{"bytes":"AAAA"}}}')),
    ({"toolUse": {"name": "f", "input": {}}}, OpaqueBlock(NAME, "toolUse", '{"toolUse":{"name":"f","input":{}}}')),
    ({"toolAddition": {"tool": {"name": "g"}}}, OpaqueBlock(NAME, "toolAddition", '{"toolAddition":{"tool":{"name":"g"}}}')),
    ({"hologram": 1}, OpaqueBlock(NAME, "hologram", '{"hologram":1}')),
]  # fmt: skip


@pytest.mark.parametrize(("block", "expected"), BLOCKS, ids=[json.dumps(block)[:50] for block, _ in BLOCKS])
def test_blocks_are_read(block: dict[str, Any], expected: Any) -> None:
    (message,) = read(assistant(block)).messages
    assert blocks_of(message) == (expected,)


def test_every_member_of_the_union_has_a_case() -> None:
    service = pytest.importorskip("botocore.session").get_session().get_service_model("bedrock-runtime")
    members = set(service.shape_for("ContentBlock").members)
    told = json.dumps(CASES)
    assert {member for member in members if f'"{member}"' not in told} == set()


def test_results_and_what_shares_their_turn_are_one_group() -> None:
    found = read(
        user({"text": "q"}), assistant(CALL), user(result({"json": {"n": 1}}, status="error"), {"text": "and?"})
    )
    answer, after = found.messages[2:]
    assert (answer.role, answer.content, answer.group, after.group) == ("tool", '{"n":1}', 2, 2)
    assert isinstance(answer, ToolMessage)
    assert (answer.call_id, answer.tool_name, answer.is_error) == ("tooluse_1", "f", True)
    assert after == UserMessage("and?", group=2)
    assert found.origins[2].path == "/messages/2/content/0"
    assert found.origins[2].at("is_error") == "/messages/2/content/0/toolResult/status"


@pytest.mark.parametrize(("status", "is_error"), [("error", True), ("success", False), (None, None), ("partial", None)])
def test_status_of_results(status: str | None, is_error: bool | None) -> None:
    told = {} if status is None else {"status": status}
    (message,) = read(user(result({"text": "x"}, **told))).messages
    assert isinstance(message, ToolMessage)
    assert message.is_error is is_error


def test_system_parameters_tools_and_answers_are_read() -> None:
    tool = {"toolSpec": {"name": "f", "description": "d", "inputSchema": {"json": {"type": "object"}}, "strict": True}}
    request = {
        "modelId": "amazon.nova-pro-v1:0",
        "system": [{"text": "s"}, POINT],
        "messages": [user({"text": "q"})],
        "toolConfig": {"tools": [tool, {"systemTool": {"name": "g"}}], "toolChoice": {"tool": {"name": "f"}}},
        "inferenceConfig": {"maxTokens": 5, "topP": 0.5, "stopSequences": ["x"]},
        "additionalModelRequestFields": {"top_k": 3},
    }
    response = {"output": {"message": assistant({"text": "a"})}, "stopReason": "end_turn", "usage": {"inputTokens": 1}}
    found = parse({"request": request, "response": response}, NAME)
    assert found.messages[0] == SystemMessage("s", blocks=(TextBlock("s", cache=CacheMark()),))
    assert found.messages[2] == AssistantMessage("a", stop="end_turn", usage='{"inputTokens":1}')
    assert found.origins[2].at("usage") == "/response/usage"
    assert [(param.name, param.json) for param in found.params] == [
        ("model", '"amazon.nova-pro-v1:0"'), ("max_tokens", "5"), ("top_p", "0.5"), ("stop", '["x"]'), ("top_k", "3"),
        ("tool_choice", '{"type":"function","function":{"name":"f"}}'),
    ]  # fmt: skip
    assert [(tool.name, tool.is_strict, tool.native is not None) for tool in found.tools] == [
        ("f", True, False),
        ("", None, True),
    ]


# ----------------------------------------------------------------------------------------------------------------- bytes
@pytest.mark.parametrize(("text", "data"), [
    ("b'GIF89a'", b"GIF89a"), (r"b'\x89PNG\r\n'", b"\x89PNG\r\n"), ('b"it\'s"', b"it's"), (r"b'a\'b'", b"a'b"), ("b''", b""),
    ("b'open", None), ("b'a' + b'c'", None), ("b'é'", None), ("RXVZ", None), ("b'a\nb'", None), (r"b'\xz1'", None),
])  # fmt: skip
def test_bytes_of_careless_dumps(text: str, data: bytes | None) -> None:
    assert blob_bytes(text) == data
    assert data is not None or as_base64(text) == text


@pytest.mark.parametrize(
    ("data", "text"), [("RXVZ", "EuY"), ("/wA=", None), ("RXVZ=", None), ("RX VZ", None), ("RR==", None)]
)
def test_base64_of_texts(data: str, text: str | None) -> None:
    assert decoded_text(data) == text


def test_careless_bytes_become_base64_elsewhere_and_stay_at_home() -> None:
    body = {"messages": [user({"image": {"format": "gif", "source": {"bytes": r"b'GIF89a\x01'"}}}, {"text": "?"})]}
    there = convert(body, "anthropic", NAME)
    assert there.losses == ()
    assert there.value["messages"][0]["content"][0]["source"] == {
        "type": "base64",
        "media_type": "image/gif",
        "data": "R0lGODlhAQ==",
    }
    assert convert(convert(body, "lighter", NAME).value, NAME, "lighter").value == body


def test_edited_conversations_do_not_fall_back_to_old_spellings() -> None:
    body = {"messages": [user({"image": {"format": "gif", "source": {"bytes": "b'GIF89a'"}}}), assistant(
        {"citationsContent": {"content": [{"text": "old"}], "citations": []}},
        {"toolUse": {"toolUseId": "t", "name": "f", "input": [1]}},
    )]}  # fmt: skip
    text = jsontext.encode_text(convert(body, "lighter", NAME).value)
    for old, new in (
        ("R0lGODlh", "QUJD"),
        ('"text":"old","ext"', '"text":"new","ext"'),
        ('"arguments":"[1]"', '"arguments":"{}"'),
    ):
        text = text.replace(old, new)
    back = convert(jsontext.decode(text), NAME, "lighter").value["messages"]
    assert back[0]["content"][0]["image"]["source"] == {"bytes": "QUJD"}
    assert back[1]["content"][0]["citationsContent"]["content"] == [{"text": "new"}]
    assert back[1]["content"][1]["toolUse"]["input"] == {}


# -------------------------------------------------------------------------------------------------------------- records
def test_invocation_logs_tell_where_all_of_it_stands() -> None:
    record = next(case["record"] for case in CASES if case["id"] == "invocation_log")
    (body,) = open_value(record).bodies
    assert [path for path, _, _ in body.messages] == [
        "/input/inputBodyJson/messages/0",
        "/output/outputBodyJson/output/message",
    ]
    found = {path for action, path, _ in losses(record, "openai-chat") if action == "dropped"}
    assert {
        "/schemaType",
        "/input/inputTokenCount",
        "/output/outputTokenCount",
        "/output/outputBodyJson/metrics",
    } <= found


@pytest.mark.parametrize("value", [
    {"input": {"inputBodyJson": {"inputText": "a prompt of another API"}}},
    {"input": {"inputBodyJson": "{broken"}, "output": {"outputBodyJson": 3}},
    {"output": {"message": {"role": "assistant", "content": []}}},
    {"output": {"message": 3}, "stopReason": "end_turn"},
    {"output": None, "usage": 1}, {"metadata": {"note": "x"}}, {"contentBlockStop": {}},
], ids=json.dumps)  # fmt: skip
def test_other_records_are_left_to_others(value: Any) -> None:
    assert get(NAME).open_record(value) is None  # type: ignore[attr-defined]  # an optional member


@pytest.mark.parametrize("event", [
    {"messageStart": {"role": "assistant"}}, {"contentBlockStart": {"contentBlockIndex": 0, "start": {}}},
    {"contentBlockDelta": {"contentBlockIndex": 0, "delta": {"text": "a"}}}, {"contentBlockStop": {"contentBlockIndex": 0}},
    {"messageStop": {"stopReason": "end_turn"}}, {"metadata": {"usage": {"inputTokens": 1}}},
], ids=json.dumps)  # fmt: skip
def test_events_of_streams_are_chunks(event: Any) -> None:
    assert open_value(event).kind == "chunk"


def test_both_bodies_may_be_json_text() -> None:
    record = next(case["record"] for case in CASES if case["id"] == "pair_encoded")
    found = parse(record)
    assert [(message.role, message.content) for message in found.messages] == [
        ("system", "S"), ("user", "Hi"), ("assistant", "Hello again."),
    ]  # fmt: skip
    assert [origin.path for origin in found.origins] == [
        "/request/system",
        "/request/messages/0",
        "/response/output/message",
    ]


# ----------------------------------------------------------------------------------------------------------------- lint
@pytest.mark.parametrize(("messages", "expected"), [
    ([user({"text": "q"}), assistant(CALL), user(result({"text": "x"}))], []),
    ([user({"text": "q"}), assistant(CALL), user({"text": "no"})], [("missing-tool-result", "/messages/1/content/0")]),
    ([user({"text": "q"}), assistant({"text": "a"}), user(result({"text": "x"}))], [("orphan-tool-result", "/messages/2/content/0/toolResult")]),
    ([user({"text": "q"}), assistant({"toolUse": {"toolUseId": 7, "name": "f", "input": {}}}), user(result({"text": "x"}))], None),
    ([user({"text": "q"}), user(CALL), user(result({"text": "x"}))], None),
], ids=["fine", "missing", "orphan", "odd id", "misplaced"])  # fmt: skip
def test_pairing_is_judged(messages: Any, expected: Any) -> None:
    found = [(finding.name, finding.path) for finding in lint({"messages": messages}) if finding.severity == "error"]
    if expected is not None:
        assert [name for name, _ in found] == [name for name, _ in expected]
        assert all(
            path.startswith(place.removesuffix("/toolResult"))
            for (_, path), (_, place) in zip(found, expected, strict=True)
        )


@pytest.mark.parametrize("value", [
    {"messages": [user(None, 3, "x", {}, {"text": 3}, {"toolUse": None}, {"toolResult": {}}, {"cachePoint": {}})]},
    {"messages": [{"role": "user"}, {"role": "user", "content": "text"}, {"role": 3, "content": {}}, None]},
    {"messages": [], "system": [3, {"text": None}], "toolConfig": {"tools": [None], "toolChoice": 3}, "inferenceConfig": []},
    {"messages": [user({"image": {"format": {}, "source": {"bytes": "x"}}}, {"document": 3}, {"reasoningContent": {"reasoningText": 3}})]},
], ids=lambda value: json.dumps(value)[:40])  # fmt: skip
def test_any_value_is_read_and_written(value: Any) -> None:
    exactly = exact(value)
    written = get(NAME).write(parse(exactly, NAME))
    assert written.value["messages"] is not None
    for target in ("lighter", "anthropic", "openai-chat"):
        assert convert(exactly, target, NAME).value["messages"] is not None
