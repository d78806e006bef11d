"""Messages of every kind as langchain-core builds them, from which the fixtures and the tests with real objects are made."""

from collections.abc import Sequence
from typing import Any

from langchain_core.messages import (
    AIMessage,
    AIMessageChunk,
    BaseMessage,
    ChatMessage,
    FunctionMessage,
    HumanMessage,
    HumanMessageChunk,
    RemoveMessage,
    SystemMessage,
    SystemMessageChunk,
    ToolMessage,
    ToolMessageChunk,
)

PNG = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="


def call(call_id: str, name: str, args: dict[str, Any]) -> Any:
    return {"name": name, "args": args, "id": call_id, "type": "tool_call"}


def piece(args: str, *, name: str | None = None, call_id: str | None = None) -> Any:
    return {"name": name, "args": args, "id": call_id, "index": 0, "type": "tool_call_chunk"}


USAGE: Any = {
    "input_tokens": 12,
    "output_tokens": 3,
    "total_tokens": 15,
    "input_token_details": {"audio": 0, "cache_read": 4, "cache_creation": 2},
    "output_token_details": {"audio": 0, "reasoning": 1},
}
INVALID: Any = {
    "name": "search", "args": '{"q": "unterminated', "id": "call_bad", "error": "JSONDecodeError",
    "type": "invalid_tool_call",
}  # fmt: skip
KEPT_CALLS = [
    {"id": "call_9", "type": "function", "function": {"name": "get_weather", "arguments": '{"city": "Oslo"}'}},
]


def texts() -> dict[str, Sequence[BaseMessage]]:
    """Build messages of text alone."""
    answer = AIMessage(
        "4",
        name="bot",
        id="run--0198f7b2-1c3d-7000-8000-000000000001-0",
        usage_metadata=USAGE,
        response_metadata={
            "model_name": "gpt-x", "model_provider": "openai", "finish_reason": "stop", "logprobs": None,
        },
    )  # fmt: skip
    return {
        "plain": [HumanMessage("Hi"), AIMessage("Hello!")],
        "ids_names_usage": [
            SystemMessage("Be brief.", id="sys-1"),
            HumanMessage("2+2?", name="alice", id="h-1"),
            answer,
        ],
        "reasoning_and_refusal": [
            HumanMessage("naïve “quotes” 日本 \u2028 😀"),
            AIMessage("", additional_kwargs={"reasoning_content": "thinking…", "refusal": "I can't."}),
            HumanMessage(["plain str block", {"type": "text", "text": "second"}]),
            AIMessage(["a", {"type": "text", "text": "b"}]),
        ],
        "function_chat_developer": [
            SystemMessage("dev rules", additional_kwargs={"__openai_role__": "developer"}),
            HumanMessage("f"),
            AIMessage("", additional_kwargs={"function_call": {"name": "f", "arguments": "{}"}}),
            FunctionMessage(content="1", name="f"),
            ChatMessage(content="custom role text", role="critic"),
            AIMessage("done"),
        ],
        "removals_and_notes": [
            HumanMessage("a", id="m1"),
            AIMessage("b", id="m2"),
            RemoveMessage(id="m1"),
            HumanMessage(
                "task finished",
                id="m3",
                additional_kwargs={"lc_source": "async_subagent", "lc_data": {"task_id": "t"}},
            ),
            RemoveMessage(id="__remove_all__"),
        ],
    }


def calls() -> dict[str, Sequence[BaseMessage]]:
    """Build messages with calls and results."""
    return {
        "one_tool": [
            HumanMessage("Weather in Paris?"),
            AIMessage("", tool_calls=[call("call_1", "get_weather", {"city": "Paris"})]),
            ToolMessage("18C", tool_call_id="call_1", name="get_weather"),
            AIMessage("18C in Paris."),
        ],
        "parallel_error_artifact": [
            HumanMessage("Compare Paris and Rome"),
            AIMessage(
                [{"type": "text", "text": "Checking."}],
                tool_calls=[
                    call("call_a", "get_weather", {"city": "Paris"}),
                    call("call_b", "get_weather", {"city": "Rome"}),
                ],
            ),
            ToolMessage(
                "18C", tool_call_id="call_a", name="get_weather", artifact={"raw": {"temp_c": 18.2}}, id="t-a"
            ),
            ToolMessage("timeout", tool_call_id="call_b", name="get_weather", status="error"),
            AIMessage("Paris is 18C; Rome failed."),
        ],
        "invalid_tool_call": [
            HumanMessage("search"),
            AIMessage("", tool_calls=[call("call_ok", "search", {"q": "x"})], invalid_tool_calls=[INVALID]),
            ToolMessage("ok", tool_call_id="call_ok"),
        ],
        "openai_additional_kwargs": [
            HumanMessage("w?"),
            AIMessage("", additional_kwargs={"tool_calls": KEPT_CALLS, "refusal": None}),
            ToolMessage("3C", tool_call_id="call_9"),
        ],
        "lc_key_in_user_data": [
            HumanMessage("store it"),
            AIMessage(
                "",
                tool_calls=[call("call_lc", "store", {"lc": 1, "type": "constructor", "id": ["x"], "kwargs": {}})],
            ),
            ToolMessage("ok", tool_call_id="call_lc", artifact={"lc": 1}),
        ],
        "tool_result_in_human": [
            HumanMessage("q"),
            AIMessage([{"type": "tool_use", "id": "toolu_2", "name": "f", "input": {}}]),
            HumanMessage([
                {"type": "tool_result", "tool_use_id": "toolu_2", "content": "r", "is_error": True},
                {"type": "text", "text": "go on"},
            ]),
        ],
    }  # fmt: skip


def blocks() -> dict[str, Sequence[BaseMessage]]:
    """Build messages of content blocks: Anthropic's, those of version 1, those of version 0."""
    citation: Any = {
        "type": "citation", "url": "https://example.com/", "title": "t", "start_index": 0, "end_index": 1,
        "cited_text": "A",
    }  # fmt: skip
    standard: Any = [
        {"type": "reasoning", "reasoning": "hm", "id": "rs_1", "extras": {"signature": "c2ln"}},
        {"type": "text", "text": "A pixel.", "annotations": [citation]},
        {"type": "tool_call", "id": "call_v1", "name": "zoom", "args": {"x": 1}},
        {"type": "server_tool_call", "id": "ws_1", "name": "web_search", "args": {"query": "pixel"}},
        {"type": "server_tool_result", "tool_call_id": "ws_1", "status": "success", "output": ["r"]},
        {"type": "refusal", "refusal": "no more"},
        {"type": "non_standard", "value": {"type": "vendor_x", "v": 1}},
    ]
    plain: Any = {"type": "text-plain", "mime_type": "text/plain", "text": "zoomed", "title": "z.txt"}
    picture: Any = {"type": "image", "base64": PNG, "mime_type": "image/png"}
    look: Any = {"type": "text", "text": "look"}
    return {
        "anthropic_blocks": [
            HumanMessage([
                look, {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": PNG}},
            ]),
            AIMessage(
                [
                    {"type": "thinking", "thinking": "It is a pixel.", "signature": "c2ln"},
                    {"type": "text", "text": "Let me zoom."},
                    {"type": "tool_use", "id": "toolu_1", "name": "zoom", "input": {"x": 1}},
                ],
                tool_calls=[call("toolu_1", "zoom", {"x": 1})],
                response_metadata={"model_provider": "anthropic", "model": "claude-x", "stop_reason": "tool_use"},
            ),
            ToolMessage([{"type": "text", "text": "one red pixel"}], tool_call_id="toolu_1"),
            HumanMessage([{"type": "text", "text": "and?"}]),
            AIMessage("Red."),
        ],
        "standard_blocks": [
            HumanMessage(content_blocks=[look, picture]),
            AIMessage(content_blocks=standard, response_metadata={"output_version": "v1"}),
            ToolMessage(content_blocks=[plain], tool_call_id="call_v1"),
        ],
        "version_0_blocks": [
            HumanMessage([
                {"type": "text", "text": "v0 blocks"},
                {"type": "image", "source_type": "base64", "data": PNG, "mime_type": "image/png"},
                {"type": "image_url", "image_url": {"url": "https://example.com/a.png", "detail": "low"}},
                {"type": "audio", "source_type": "base64", "data": "UklGRg==", "mime_type": "audio/wav"},
                {"type": "file", "source_type": "url", "url": "https://example.com/a.pdf", "mime_type": "application/pdf"},
            ]),
            AIMessage("ok"),
        ],
    }  # fmt: skip


def answer_chunks() -> list[AIMessageChunk]:
    """Build the chunks of one answer with a call."""
    return [
        AIMessageChunk(content="Let ", id="run--1"),
        AIMessageChunk(
            content="me", id="msg_1", tool_call_chunks=[piece('{"ci', name="get_weather", call_id="call_s")]
        ),
        AIMessageChunk(content="", tool_call_chunks=[piece('ty": "Paris"}')]),
        AIMessageChunk(
            content="", usage_metadata={"input_tokens": 1, "output_tokens": 2, "total_tokens": 3}, chunk_position="last"
        ),
    ]


def merged_chunk() -> BaseMessage:
    """Add up the chunks of the answer."""
    first, *rest = answer_chunks()
    total: Any = first
    for chunk in rest:
        total += chunk
    return total  # type: ignore[no-any-return]  # a sum of chunks is a chunk


def chunks() -> dict[str, Sequence[BaseMessage]]:
    """Build chunks of every kind, and what those of an answer add up to."""
    return {
        "chunks": [
            *answer_chunks(), HumanMessageChunk(content="h"), ToolMessageChunk(content="t", tool_call_id="call_s"), SystemMessageChunk(content="s"),
        ],
        "chunks_merged": [merged_chunk()],
    }  # fmt: skip


CONVERSATIONS: dict[str, Sequence[BaseMessage]] = {**texts(), **calls(), **blocks(), **chunks()}
"""All of them by name."""


def whole(objects: Sequence[BaseMessage]) -> list[BaseMessage]:
    """Give a conversation with the chunks of an answer added up, as langchain-core does that."""
    found: list[BaseMessage] = []
    for message in objects:
        if found and isinstance(message, AIMessageChunk) and isinstance(found[-1], AIMessageChunk):
            total: Any = found.pop() + message
            found.append(total)
        else:
            found.append(message)
    return found


def but_ids(losses: Sequence[Any]) -> list[Any]:
    """Give losses without those of ids that pieces of one message have beside its own, of which the package keeps one, too."""
    return [loss for loss in losses if loss.feature != "piece-id"]
