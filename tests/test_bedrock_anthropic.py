"""Claude in two forms: what Anthropic and Bedrock both hold goes over and comes back; all of Anthropic's blocks are held."""

import json
from typing import Any

import pytest
from comparing import exact, named, unified
from strategies.values import PNG

from lighter import convert, jsontext, parse
from lighter.formats import get
from lighter.formats.anthropic.shapes import ANSWER_KEYS
from lighter.messages import OpaqueBlock, ToolCall, ToolResultBlock, blocks_of
from lighter.providers import ANTHROPIC_BLOCKS

EPHEMERAL = {"type": "ephemeral"}
HOUR = {"type": "ephemeral", "ttl": "1h"}
POINT: dict[str, Any] = {"cachePoint": {"type": "default"}}
POINT_HOUR: dict[str, Any] = {"cachePoint": {"type": "default", "ttl": "1h"}}
PDF = {"type": "base64", "media_type": "application/pdf", "data": "JVBE"}


def text(said: str, **more: Any) -> dict[str, Any]:
    return {"type": "text", "text": said, **more}


def losses(value: Any, to: str, source: str) -> list[tuple[str, str, str]]:
    return [(loss.action, loss.path, loss.feature) for loss in named(convert(value, to, source).losses)]


PAIRS: list[tuple[str, dict[str, Any], list[dict[str, Any]]]] = [
    ("text", text("a"), [{"text": "a"}]),
    ("cache mark", text("a", cache_control=EPHEMERAL), [{"text": "a"}, POINT]),
    ("cache mark with a lifetime", text("a", cache_control=HOUR), [{"text": "a"}, POINT_HOUR]),
    ("thinking", {"type": "thinking", "thinking": "t", "signature": "s"}, [{"reasoningContent": {"reasoningText": {"text": "t", "signature": "s"}}}]),
    ("hidden thinking", {"type": "thinking", "thinking": "", "signature": "s"}, [{"reasoningContent": {"reasoningText": {"text": "", "signature": "s"}}}]),
    ("redacted", {"type": "redacted_thinking", "data": "EuY"}, [{"reasoningContent": {"redactedContent": "RXVZ"}}]),
    ("call", {"type": "tool_use", "id": "toolu_1", "name": "f", "input": {"a": 1}, "cache_control": HOUR},
     [{"toolUse": {"toolUseId": "toolu_1", "name": "f", "input": {"a": 1}}}, POINT_HOUR]),
    ("image", {"type": "image", "source": {"type": "base64", "media_type": "image/webp", "data": PNG}},
     [{"image": {"format": "webp", "source": {"bytes": PNG}}}]),
    ("document", {"type": "document", "source": PDF, "title": "D 1", "context": "c", "citations": {"enabled": True}},
     [{"document": {"format": "pdf", "source": {"bytes": "JVBE"}, "name": "D 1", "context": "c", "citations": {"enabled": True}}}]),
    ("text document", {"type": "document", "source": {"type": "text", "media_type": "text/plain", "data": "x"}, "title": "D"},
     [{"document": {"format": "txt", "source": {"text": "x"}, "name": "D"}}]),
    ("document of blocks", {"type": "document", "source": {"type": "content", "content": [text("x"), text("y")]}, "title": "D"},
     [{"document": {"source": {"content": [{"text": "x"}, {"text": "y"}]}, "name": "D"}}]),
    ("search result", {"type": "search_result", "source": "s", "title": "t", "content": [text("x")], "citations": {"enabled": False}},
     [{"searchResult": {"source": "s", "title": "t", "content": [{"text": "x"}], "citations": {"enabled": False}}}]),
]  # fmt: skip


@pytest.mark.parametrize(("block", "blocks"), [row[1:] for row in PAIRS], ids=[row[0] for row in PAIRS])
def test_blocks_that_both_have_go_over_and_come_back(block: dict[str, Any], blocks: list[Any]) -> None:
    claude = {
        "messages": [{"role": "user", "content": "q"}, {"role": "assistant", "content": [text("-"), block, text("-")]}]
    }
    converse = {"messages": [{"role": "user", "content": [{"text": "q"}]},
                             {"role": "assistant", "content": [{"text": "-"}, *blocks, {"text": "-"}]}]}  # fmt: skip
    for value, to, source, expected in (
        (claude, "bedrock", "anthropic", converse),
        (converse, "anthropic", "bedrock", claude),
    ):
        done = convert(value, to, source)
        assert (done.losses, unified(exact(done.value))) == ((), unified(exact(expected)))


def test_cache_marks_of_results_and_tools_go_over() -> None:
    result = {"type": "tool_result", "tool_use_id": "toolu_1", "content": [text("r")], "cache_control": EPHEMERAL}
    call = {"type": "tool_use", "id": "toolu_1", "name": "f", "input": {}}
    claude = {
        "system": [text("s", cache_control=HOUR)],
        "messages": [
            {"role": "user", "content": "q"},
            {"role": "assistant", "content": [call]},
            {"role": "user", "content": [result, text("and?")]},
        ],
        "tools": [{"name": "f", "input_schema": {}, "cache_control": HOUR}],
    }
    there = convert(claude, "bedrock", "anthropic")
    assert there.value["system"] == [{"text": "s"}, POINT_HOUR]
    assert there.value["messages"][2]["content"][1:] == [POINT, {"text": "and?"}]
    assert there.value["toolConfig"]["tools"][1:] == [POINT_HOUR]
    assert [(loss.action, loss.path) for loss in there.losses] == [("moved", "/messages/2/content/0/cache_control")]
    back = convert(exact(there.value), "anthropic", "bedrock")
    assert back.losses == ()
    assert back.value["tools"] == claude["tools"]
    assert back.value["messages"][2]["content"][0]["content"] == [text("r", cache_control=EPHEMERAL)]


def test_what_a_request_asks_of_claude_goes_over() -> None:
    thinking = {"type": "enabled", "budget_tokens": 1024}
    claude = {"messages": [{"role": "user", "content": "q"}], "thinking": thinking, "top_k": 5}
    there = convert(claude, "bedrock", "anthropic")
    assert (there.value["additionalModelRequestFields"], there.losses) == ({"thinking": thinking, "top_k": 5}, ())
    back = convert(there.value, "anthropic", "bedrock")
    assert back.value["thinking"] == thinking
    assert [loss.path for loss in back.losses] == ["/additionalModelRequestFields/top_k"]


@pytest.mark.parametrize(("blocks", "place"), [
    ([{"type": "server_tool_use", "id": "srvtoolu_1", "name": "web_search", "input": {}}], "/messages/1/content/1"),
    ([{"type": "web_search_tool_result", "tool_use_id": "srvtoolu_1", "content": []}], "/messages/1/content/1"),
    ([{"type": "image", "source": {"type": "url", "url": "https://example.com/a.png"}}], "/messages/1/content/1"),
    ([{"type": "image", "source": {"type": "file", "file_id": "file_1"}}], "/messages/1/content/1"),
    ([text("x", citations=[{"type": "char_location", "cited_text": "x"}])], "/messages/1/content/1/citations"),
    ([{"type": "document", "source": {"type": "content", "content": [{"type": "image", "source": PDF}]}}], "/messages/1/content/1"),
    ([{"type": "container_upload", "file_id": "file_1"}], "/messages/1/content/1"),
], ids=lambda value: json.dumps(value)[:50])  # fmt: skip
def test_what_bedrock_cannot_hold_is_named(blocks: list[Any], place: str) -> None:
    claude = {"messages": [{"role": "user", "content": "q"}, {"role": "assistant", "content": [text("-"), *blocks]}]}
    assert [(action, path) for action, path, _ in losses(claude, "bedrock", "anthropic")] == [("dropped", place)]


@pytest.mark.parametrize(("block", "place"), [
    ({"video": {"format": "mp4", "source": {"bytes": "AAAA"}}}, ""), ({"image": {"format": "png", "source": {"s3Location": {"uri": "s3://a/b"}}}}, ""),
    ({"toolUse": {"toolUseId": "t", "name": "g", "input": {}, "type": "server_tool_use"}}, ""),
    ({"toolResult": {"toolUseId": "t", "content": []}}, ""), ({"reasoningContent": {"reasoningText": {"text": "unsigned"}}}, ""),
    ({"reasoningContent": {"redactedContent": "AAEC/w=="}}, ""), ({"guardContent": {"image": {"format": "png", "source": {"bytes": PNG}}}}, ""),
    ({"text": "x", "x_note": 1}, "/x_note"), ({"hologram": 1}, ""), (POINT | {"x": 1}, ""),
    ({"document": {"format": "docx", "name": "D", "source": {"bytes": "UEsD"}}}, ""),
    ({"citationsContent": {"content": [{"text": "c"}], "citations": [{"title": "t"}]}}, "/citationsContent/citations"),
    ({"guardContent": {"text": {"text": "g", "qualifiers": ["query"]}}}, "/guardContent/text/qualifiers"),
], ids=lambda value: json.dumps(value)[:50])  # fmt: skip
def test_what_anthropic_cannot_hold_is_named(block: dict[str, Any], place: str) -> None:
    converse = {
        "messages": [
            {"role": "user", "content": [{"text": "q"}]},
            {"role": "assistant", "content": [{"text": "-"}, block]},
        ]
    }
    found = [(action, path) for action, path, _ in losses(converse, "anthropic", "bedrock")]
    assert ("dropped", f"/messages/1/content/1{place}") in found


def test_text_documents_in_base64_become_text() -> None:
    converse = {
        "messages": [
            {
                "role": "user",
                "content": [{"document": {"format": "csv", "name": "D", "source": {"bytes": "YSxi"}}}, {"text": "?"}],
            }
        ]
    }
    done = convert(converse, "anthropic", "bedrock")
    assert done.value["messages"][0]["content"][0]["source"] == {
        "type": "text",
        "media_type": "text/plain",
        "data": "a,b",
    }
    assert [(loss.action, loss.path) for loss in done.losses] == [
        ("rewritten", "/messages/0/content/0/document/source"), ("rewritten", "/messages/0/content/0/document/format"),
    ]  # fmt: skip


# ------------------------------------------------------------------------------------------- all that Anthropic itself holds
SAMPLE = {
    "id": "toolu_1", "tool_use_id": "srvtoolu_1", "name": "f", "input": {"a": 1.50}, "text": "x", "thinking": "t", "signature": "s", "data": "d",
    "title": "T", "context": "C", "citations": {"enabled": True}, "caller": {"type": "direct"}, "toolset_name": "ts", "server_name": "m",
    "file_id": "file_1", "is_error": True, "cache_control": HOUR, "encrypted_content": "e", "tool_changes": [], "mcp_server_name": "m",
    "tools": [{"name": "g"}], "tool": {"type": "tool_reference", "tool_name": "g"}, "from": {"model": "a"}, "to": {"model": "b"},
    "trigger": None, "transformations": {"oversized_image": "error"}, "tool_name": "g", "state_changes": [], "tabs": [],
}  # fmt: skip


def sample(kind: str) -> dict[str, Any]:
    """Give a block of a type with all keys that it may have."""
    told = {key: value for key, value in SAMPLE.items() if key in ANTHROPIC_BLOCKS[kind]}
    source: Any = (
        {"type": "base64", "media_type": "image/png", "data": PNG}
        if kind == "image"
        else "s"
        if kind == "search_result"
        else PDF
    )
    more = {"content": [text("inner")], "source": source}
    return {"type": kind, **told, **{key: value for key, value in more.items() if key in ANTHROPIC_BLOCKS[kind]}}


@pytest.mark.parametrize("kind", sorted(ANTHROPIC_BLOCKS))
@pytest.mark.parametrize("role", ["user", "assistant"])
def test_every_block_comes_back_from_lighter(kind: str, role: str) -> None:
    is_said = kind in ("thinking", "redacted_thinking", "tool_result") or kind.endswith(("tool_use", "_tool_result"))
    if is_said and (role == "user") != (kind == "tool_result"):
        return  # blocks of the other role
    value = exact(
        {"messages": [{"role": "user", "content": "q"}, {"role": role, "content": [sample(kind), text("after")]}]}
    )
    there = convert(value, "lighter", "anthropic")
    back = get("anthropic").write(parse(exact(there.value), "lighter"))
    assert (there.losses, back.losses) == ((), ())
    assert jsontext.is_same(unified(exact(back.value)), unified(value))


@pytest.mark.parametrize("kind", sorted(ANTHROPIC_BLOCKS))
@pytest.mark.parametrize("target", ["openai-chat", "openai-responses", "bedrock"])
def test_every_key_of_every_block_arrives_or_is_named(kind: str, target: str) -> None:
    role = "assistant" if kind.endswith(("thinking", "tool_use", "_tool_result")) else "user"
    body: dict[str, Any] = {
        "messages": [{"role": "user", "content": "q"}, {"role": role, "content": [sample(kind), text("after")]}]
    }
    done = convert(exact(body), target, "anthropic")
    arrived = jsontext.encode_text(done.value)
    for key, value in body["messages"][1]["content"][0].items():
        told = f"/messages/1/content/0/{key}"
        is_named = any(
            f"{told}/".startswith(f"{loss.path}/") or loss.path.startswith(f"{told}/") for loss in done.losses
        )
        is_held = json.dumps(value, separators=(",", ":"))[1:-1] in arrived or key in (
            "type",
            "source",
            "is_error",
            "cache_control",
            "input",
            "content",
        )
        assert is_named or is_held, key


def test_tools_of_mcp_are_calls_of_the_provider() -> None:
    blocks = [sample("mcp_tool_use"), sample("mcp_tool_result"), sample("compaction")]
    (message,) = parse({"messages": [{"role": "assistant", "content": blocks}]}, "anthropic").messages
    call, result, other = blocks_of(message)
    assert isinstance(call, ToolCall)
    assert (call.kind, call.tool_name) == ("server", "f")
    assert isinstance(result, ToolResultBlock)
    assert isinstance(other, OpaqueBlock)


def test_input_that_is_no_object_is_written_back() -> None:
    calls = [
        {"type": "tool_use", "id": f"t{n}", "name": "f", "input": value} for n, value in enumerate(([1], "x", None))
    ]
    body = {"messages": [{"role": "assistant", "content": calls}]}
    assert convert(convert(body, "lighter", "anthropic").value, "anthropic", "lighter").value == body


@pytest.mark.parametrize("key", sorted(ANSWER_KEYS))
def test_keys_of_answers_do_not_stay_in_requests(key: str) -> None:
    answer = {"role": "assistant", "content": [text("a")], key[1:]: "x"}
    record = {"request": {"messages": [{"role": "user", "content": "q"}]}, "response": {"type": "message", **answer}}
    written = get("anthropic").write(parse(record, "anthropic"))
    assert set(written.value["messages"][1]) == {"role", "content"}
    assert f"/response{key}" in {loss.path for loss in written.losses}


# ------------------------------------------------------------------------------------------------------ marks for routers
def test_marks_that_routers_take_on_messages_move_to_the_last_block() -> None:
    call = {"id": "c1", "type": "function", "function": {"name": "f", "arguments": "{}"}}
    chat = {
        "messages": [
            {"role": "system", "content": "s", "cache_control": HOUR}, {"role": "user", "content": "q", "cache_control": EPHEMERAL},
            {"role": "assistant", "content": "a", "tool_calls": [call], "cache_control": EPHEMERAL},
            {"role": "tool", "tool_call_id": "c1", "content": "r", "cache_control": EPHEMERAL},
            {"role": "user", "content": [text("x", cache_control=EPHEMERAL)]},
        ],
        "tools": [{"type": "function", "function": {"name": "f", "parameters": {}}, "cache_control": HOUR}],
    }  # fmt: skip
    done = convert(chat, "anthropic", "openai-chat")
    user, said, results, after = (message["content"] for message in done.value["messages"])
    assert done.value["system"] == [text("s", cache_control=HOUR)]
    assert user == [text("q", cache_control=EPHEMERAL)]
    assert ("cache_control" in said[0], said[1]["cache_control"]) == (False, EPHEMERAL)
    assert (results[0]["cache_control"], after[0]["cache_control"]) == (EPHEMERAL, EPHEMERAL)
    assert done.value["tools"][0]["cache_control"] == HOUR
    assert [(loss.action, loss.path) for loss in done.losses] == [
        ("moved", f"/messages/{n}/cache_control") for n in range(4)
    ]
    there = convert(chat, "bedrock", "openai-chat").value
    assert there["system"] == [{"text": "s"}, POINT_HOUR]
    assert [message["content"][-1] for message in there["messages"][:2]] == [POINT, POINT]


SIGNED = [{"reasoningContent": {"reasoningText": {"text": "t", "signature": "c2ln"}}},
          {"reasoningContent": {"redactedContent": "RXVZ"}}, {"text": "a"}]  # fmt: skip
MODELS = [
    (None, True),
    ("us.anthropic.claude-sonnet-4-5-20250929-v1:0", True),
    ("arn:aws:bedrock:us-east-1:1:application-inference-profile/abc", True),
    ("us.deepseek.r1-v1:0", False),
    ("amazon.nova-2-lite-v1:0", False),
    ("arn:aws:bedrock:us-east-1:1:inference-profile/us.deepseek.r1-v1:0", False),
]


@pytest.mark.parametrize(("model", "is_claude"), MODELS)
@pytest.mark.parametrize("is_logged", [False, True])
def test_signatures_of_other_models_stay_at_bedrock(model: str | None, is_claude: bool, is_logged: bool) -> None:
    body = {"messages": [{"role": "user", "content": [{"text": "q"}]}, {"role": "assistant", "content": SIGNED}]}
    value: dict[str, Any] = {"input": {"inputBodyJson": body}} if is_logged else body
    value = value if model is None else {**value, "modelId": model}
    told = convert(value, "anthropic", "bedrock")
    kinds = [block["type"] for block in told.value["messages"][1]["content"]]
    assert kinds == (["thinking", "redacted_thinking", "text"] if is_claude else ["text"])
    named = [loss.path.rpartition("/content/")[2] for loss in told.losses if loss.feature == "reasoning"]
    assert named == ([] if is_claude else ["0", "1"])
    held = convert(value, "lighter", "bedrock").value
    assert exact(convert(held, "bedrock", "lighter").value["messages"]) == exact(body["messages"])
