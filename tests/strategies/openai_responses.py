"""Request bodies of OpenAI Responses."""

from typing import Any

from hypothesis import strategies as st

from strategies.values import PNG, json_values, names, objects, raw_arguments, some, texts, unknown_keys


@st.composite
def input_parts(draw: st.DrawFn) -> dict[str, Any]:
    """A part of a user's message or of a result."""
    part: dict[str, Any]
    match draw(st.sampled_from(["text", "image", "file", "link", "unknown"])):
        case "text":
            part = {"type": "input_text", "text": draw(texts)}
        case "image":
            part = {
                "type": "input_image",
                "image_url": f"data:image/png;base64,{PNG}",
                "detail": draw(st.sampled_from(["low", "high"])),
            }
        case "file":
            part = {"type": "input_file", "file_data": "data:application/pdf;base64,JVBERi0x", "filename": draw(names)}
        case "link":
            part = {"type": "input_file", "file_url": "https://example.com/a.pdf"}
        case _:
            return {"type": "x_" + draw(names), "value": draw(json_values)}
    return part | draw(unknown_keys) | draw(some(prompt_cache_breakpoint=st.just({"mode": "explicit", "ttl": "30m"})))


output_parts = st.one_of(
    texts.map(lambda text: {"type": "output_text", "text": text, "annotations": []}),
    texts.map(lambda text: {"type": "output_text", "text": text}),
    texts.map(lambda text: {"type": "refusal", "refusal": text}),
    st.fixed_dictionaries({"type": names.map(lambda name: "x_" + name), "value": json_values}),
)


@st.composite
def turn_items(draw: st.DrawFn, number: int) -> list[dict[str, Any]]:
    """A few items: a message, a turn of the assistant, calls with their outputs."""
    kind = draw(
        st.sampled_from(["user", "parts", "system", "easy", "said", "reasoning", "calls", "calls", "custom", "opaque"])
    )
    typed = draw(st.sampled_from([{}, {"type": "message"}]))
    status = some(status=st.sampled_from(["completed", "incomplete"]))
    match kind:
        case "user":
            return [{"role": "user", "content": draw(texts), **typed}]
        case "parts":
            return [
                {"role": "user", "content": draw(st.lists(input_parts(), max_size=3)), **typed} | draw(unknown_keys)
            ]
        case "system":
            return [{"role": draw(st.sampled_from(["system", "developer"])), "content": draw(texts), **typed}]
        case "easy":
            return [{"role": "assistant", "content": draw(texts), **typed} | draw(some(phase=st.just("commentary")))]
        case "said":
            said = {"type": "message", "id": f"msg_{number}", "role": "assistant", "status": "completed"}
            return [said | {"content": draw(st.lists(output_parts, min_size=1, max_size=3))} | draw(unknown_keys)]
        case "reasoning":
            thoughts = draw(st.lists(texts.map(lambda text: {"type": "summary_text", "text": text}), max_size=2))
            item: dict[str, Any] = {"type": "reasoning", "id": f"rs_{number}", "summary": thoughts}
            return [
                item
                | draw(
                    some(
                        encrypted_content=st.just("ZW5j"), content=st.just([{"type": "reasoning_text", "text": "why"}])
                    )
                )
            ]
        case "custom":
            call = {"type": "custom_tool_call", "call_id": f"call_{number}", "name": draw(names), "input": draw(texts)}
            return [call, {"type": "custom_tool_call_output", "call_id": call["call_id"], "output": draw(texts)}]
        case "opaque":
            name = draw(st.sampled_from(["web_search_call", "mcp_call", "x_unknown"]))
            return [{"type": name, "id": f"x_{number}", "value": draw(objects)}]
        case _:
            calls = [{"type": "function_call", "call_id": f"call_{number}_{n}" + draw(st.sampled_from(["", "/x y", "z" * 40])),
                      "name": draw(names), "arguments": draw(raw_arguments)} | draw(status) | draw(some(id=st.just(f"fc_{number}_{n}")))
                     for n in range(draw(st.integers(1, 3)))]  # fmt: skip
            outputs = [{"type": "function_call_output", "call_id": call["call_id"],
                        "output": draw(texts | st.lists(input_parts(), max_size=2))} | draw(status)
                       for call in draw(st.permutations(calls))]  # fmt: skip
            return [*calls, *outputs]


@st.composite
def responses(draw: st.DrawFn) -> dict[str, Any]:
    """A request body of the Responses API."""
    items = [item for number in range(draw(st.integers(1, 4))) for item in draw(turn_items(number))]
    tool = st.fixed_dictionaries(
        {
            "type": st.just("function"),
            "name": names,
            "parameters": st.just({"type": "object"}) | st.none(),
            "strict": st.booleans(),
        },
        optional={"description": texts},
    ) | st.just({"type": "web_search"})
    more = draw(some(
        instructions=texts, max_output_tokens=st.integers(1, 99), top_p=st.just(0.5),
        tools=st.lists(tool, max_size=2), tool_choice=st.sampled_from(["auto", {"type": "function", "name": "f"}, {"type": "web_search"}]),
        store=st.booleans(), previous_response_id=st.none() | st.just("resp_1"), metadata=objects,
    ))  # fmt: skip
    return {"model": draw(st.sampled_from(["gpt-5", "o4-mini"])), "input": items, **more}
