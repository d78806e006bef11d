"""Request bodies of Anthropic Messages."""

from typing import Any

from hypothesis import strategies as st

from strategies.values import PNG, json_values, names, objects, some, texts, unknown_keys


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
