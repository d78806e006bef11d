"""Hypothesis strategies: conversations of each format, valid ones with every feature, and JSON that is none."""

import json
from typing import Any

from hypothesis import strategies as st

WORDS = ("tide", "harbour", "café", "日本語", "שלום", "🙂", "a\nb", "  spaced  ", "{", "\\u0000", "<b>")
PNG = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR4nGP4z8AAAAMBAQDJ/pLvAAAAAElFTkSuQmCC"

texts = st.lists(st.sampled_from(WORDS), min_size=1, max_size=3).map(" ".join)
names = st.from_regex(r"[a-z][a-z0-9_-]{0,11}", fullmatch=True)
scalars = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | texts
json_values = st.recursive(
    scalars, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(texts, inner, max_size=3), max_leaves=6
)
objects = st.dictionaries(names, json_values, max_size=3)
raw_arguments = objects.map(json.dumps) | st.sampled_from(
    ["", "{", "[1,2]", '{"n": 1e3, "m": -0, "k": 12345678901234567890123}']
)


def some(**optional: st.SearchStrategy[Any]) -> st.SearchStrategy[dict[str, Any]]:
    """Give an object with some of these keys."""
    return st.fixed_dictionaries({}, optional=optional)


def unified(value: Any) -> Any:
    """Take away the one freedom of spelling that a writer has: a text or a list of one plain text block."""
    match value:
        case [{"type": "text", "text": str(text), **rest}] if not rest:
            return text
        case list():
            return [unified(item) for item in value]
        case dict():
            return {key: unified(item) for key, item in value.items()}
        case _:
            return value


unknown_keys: st.SearchStrategy[dict[str, Any]] = st.just({}) | some(x_trace=json_values, weight=st.integers(0, 1))


@st.composite
def chat_parts(draw: st.DrawFn) -> dict[str, Any]:
    """A content part of a user message in OpenAI Chat."""
    part: dict[str, Any]
    match draw(st.sampled_from(["text", "image", "url", "file", "audio", "unknown"])):
        case "text":
            part = {"type": "text", "text": draw(texts)}
        case "image":
            part = {
                "type": "image_url",
                "image_url": {"url": f"data:image/png;base64,{PNG}", "detail": draw(st.sampled_from(["low", "high"]))},
            }
        case "url":
            part = {"type": "image_url", "image_url": {"url": "https://example.com/a.png"}}
        case "file":
            part = {
                "type": "file",
                "file": {"file_data": "data:application/pdf;base64,JVBERi0x", "filename": draw(names)},
            }
        case "audio":
            part = {"type": "input_audio", "input_audio": {"data": "UklGRg==", "format": "wav"}}
        case _:
            part = {"type": "x_" + draw(names), "value": draw(json_values)}
    return part | draw(unknown_keys) | draw(some(prompt_cache_breakpoint=st.just({"mode": "explicit"})))


@st.composite
def chat_turn(draw: st.DrawFn, number: int) -> list[dict[str, Any]]:
    """A few messages of OpenAI Chat: a call turn with its results, or a plain message."""
    kind = draw(
        st.sampled_from(["user", "parts", "system", "assistant", "reasoned", "calls", "custom", "legacy", "refusal"])
    )
    extra = draw(unknown_keys)
    match kind:
        case "user":
            return [{"role": "user", "content": draw(texts)} | draw(some(name=names)) | extra]
        case "parts":
            return [{"role": "user", "content": draw(st.lists(chat_parts(), min_size=1, max_size=3))} | extra]
        case "system":
            return [{"role": draw(st.sampled_from(["system", "developer"])), "content": draw(texts)} | extra]
        case "assistant":
            return [{"role": "assistant", "content": draw(texts)} | extra]
        case "reasoned":
            key = draw(st.sampled_from(["reasoning_content", "reasoning"]))
            return [{"role": "assistant", "content": draw(texts), key: draw(texts)} | extra]
        case "refusal":
            return [{"role": "assistant", "content": None, "refusal": draw(texts)} | extra]
        case "legacy":
            call = {"name": draw(names), "arguments": draw(raw_arguments)}
            return [
                {"role": "assistant", "content": None, "function_call": call},
                {"role": "function", "name": call["name"], "content": draw(texts)},
            ]
        case "custom":
            call_id, custom = f"call_{number}", {"name": draw(names), "input": draw(texts)}
            return [
                {
                    "role": "assistant",
                    "content": None,
                    "tool_calls": [{"id": call_id, "type": "custom", "custom": custom}],
                },
                {"role": "tool", "tool_call_id": call_id, "content": draw(texts)},
            ]
        case _:
            count = draw(st.integers(1, 3))
            calls: list[dict[str, Any]] = [
                {"id": f"call_{number}_{n}" + draw(st.sampled_from(["", "/x y", "z" * 40])), "type": "function",
                 "function": {"name": draw(names), "arguments": draw(raw_arguments)}} | draw(unknown_keys)
                for n in range(count)
            ]  # fmt: skip
            order = draw(st.permutations(calls))
            results = [
                {"role": "tool", "tool_call_id": call["id"], "content": draw(texts)} | draw(unknown_keys)
                for call in order
            ]
            return [{"role": "assistant", "content": draw(st.none() | texts), "tool_calls": calls} | extra, *results]


@st.composite
def chats(draw: st.DrawFn) -> dict[str, Any]:
    """A request body of OpenAI Chat."""
    turns = [draw(chat_turn(number)) for number in range(draw(st.integers(1, 4)))]
    tool = st.fixed_dictionaries(
        {"name": names},
        optional={
            "description": texts,
            "parameters": st.just({"type": "object", "properties": {}}),
            "strict": st.booleans(),
        },
    )
    more = draw(some(
        model=st.sampled_from(["gpt-5", "local"]), temperature=st.sampled_from([0, 0.5, 1]), max_tokens=st.integers(1, 99),
        stop=texts | st.lists(texts, min_size=1, max_size=2), tool_choice=st.sampled_from(["auto", "none", "required"]),
        tools=st.lists(tool.map(lambda f: {"type": "function", "function": f}), max_size=2), user=names, x_custom=json_values,
    ))  # fmt: skip
    return {"messages": [message for turn in turns for message in turn], **more}


@st.composite
def claude_blocks(draw: st.DrawFn) -> dict[str, Any]:
    """A content block of a user message in Anthropic Messages."""
    block: dict[str, Any]
    match draw(st.sampled_from(["text", "image", "url", "document", "pdf", "unknown"])):
        case "text":
            block = {"type": "text", "text": draw(texts)}
        case "image":
            block = {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": PNG}}
        case "url":
            block = {"type": "image", "source": {"type": "url", "url": "https://example.com/a.png"}}
        case "document":
            block = {
                "type": "document",
                "source": {"type": "text", "media_type": "text/plain", "data": draw(texts)},
                "title": draw(texts),
            }
        case "pdf":
            block = {
                "type": "document",
                "source": {"type": "base64", "media_type": "application/pdf", "data": "JVBERi0x"},
            }
        case _:
            block = {"type": "x_" + draw(names), "value": draw(json_values)}
    return (
        block
        | draw(unknown_keys)
        | draw(some(cache_control=st.sampled_from([{"type": "ephemeral"}, {"type": "ephemeral", "ttl": "1h"}])))
    )


@st.composite
def claude_turn(draw: st.DrawFn, number: int) -> list[dict[str, Any]]:
    """A few messages of Anthropic Messages: a call turn with its results, or a plain message."""
    match draw(st.sampled_from(["user", "blocks", "assistant", "thinking", "calls", "calls", "server"])):
        case "user":
            return [{"role": "user", "content": draw(texts)}]
        case "blocks":
            return [{"role": "user", "content": draw(st.lists(claude_blocks(), min_size=1, max_size=3))}]
        case "assistant":
            return [{"role": "assistant", "content": draw(texts)}]
        case "thinking":
            thought = {"type": "thinking", "thinking": draw(texts), "signature": "c2ln"}
            return [{"role": "assistant", "content": [thought, {"type": "text", "text": draw(texts)}]}]
        case "server":
            call = {"type": "server_tool_use", "id": f"srvtoolu_{number}", "name": "web_search", "input": draw(objects)}
            result = {"type": "web_search_tool_result", "tool_use_id": call["id"], "content": []}
            return [{"role": "assistant", "content": [call, result, {"type": "text", "text": draw(texts)}]}]
        case _:
            calls = [{"type": "tool_use", "id": f"toolu_{number}_{n}", "name": draw(names), "input": draw(objects)} | draw(unknown_keys)
                     for n in range(draw(st.integers(1, 3)))]  # fmt: skip
            said = [{"type": "text", "text": draw(texts)} for _ in calls]
            mixed = (
                [block for pair in zip(said, calls, strict=True) for block in pair] if draw(st.booleans()) else calls
            )
            results: list[dict[str, Any]] = [
                {
                    "type": "tool_result",
                    "tool_use_id": call["id"],
                    "content": draw(texts | st.lists(claude_blocks(), min_size=1, max_size=2)),
                }
                | draw(some(is_error=st.booleans()))
                for call in draw(st.permutations(calls))
            ]
            after = draw(st.just([]) | st.lists(claude_blocks(), min_size=1, max_size=1))
            return [{"role": "assistant", "content": mixed}, {"role": "user", "content": [*results, *after]}]


@st.composite
def claudes(draw: st.DrawFn) -> dict[str, Any]:
    """A request body of Anthropic Messages."""
    turns = [draw(claude_turn(number)) for number in range(draw(st.integers(1, 4)))]
    tool = st.fixed_dictionaries(
        {"name": names, "input_schema": st.just({"type": "object"})}, optional={"description": texts}
    )
    more = draw(some(
        system=texts | st.lists(st.fixed_dictionaries({"type": st.just("text"), "text": texts}), min_size=1, max_size=2),
        model=st.just("claude-sonnet-4-5"), max_tokens=st.integers(1, 99), stop_sequences=st.lists(texts, max_size=2),
        tools=st.lists(tool, max_size=2), tool_choice=st.sampled_from([{"type": "auto"}, {"type": "any", "disable_parallel_tool_use": True}]),
        metadata=st.just({"user_id": "u1"}), x_custom=json_values,
    ))  # fmt: skip
    return {"messages": [message for turn in turns for message in turn], **more}


BODIES = {"openai-chat": chats(), "anthropic": claudes()}
