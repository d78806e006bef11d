"""Request bodies of OpenAI Chat."""

from typing import Any

from hypothesis import strategies as st

from strategies.values import PNG, json_values, names, raw_arguments, some, texts, unknown_keys


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
