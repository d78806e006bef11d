"""Request bodies of Cohere's chat API."""

from typing import Any

from hypothesis import strategies as st

from strategies.values import PNG, json_values, names, objects, raw_arguments, some, texts, unknown_keys

said = st.fixed_dictionaries({"type": st.just("text"), "text": texts})
thoughts = st.fixed_dictionaries({"type": st.just("thinking"), "thinking": texts})
sources = st.fixed_dictionaries({"type": st.just("document"), "id": names}, optional={"document": objects})
citations = st.lists(
    st.fixed_dictionaries(
        {"start": st.integers(0, 9), "end": st.integers(0, 9), "text": texts, "sources": st.lists(sources, max_size=2)}
    ),
    min_size=1,
    max_size=2,
)


@st.composite
def parts(draw: st.DrawFn) -> dict[str, Any]:
    """A content part of a user's message."""
    part: dict[str, Any]
    match draw(st.sampled_from(["text", "image", "link", "unknown"])):
        case "text":
            part = draw(said)
        case "image":
            image = {"url": f"data:image/png;base64,{PNG}", "detail": draw(st.sampled_from(["low", "high"]))}
            part = {"type": "image_url", "image_url": image | draw(unknown_keys)}
        case "link":
            part = {"type": "image_url", "image_url": {"url": "https://example.com/a.png"}}
        case _:
            part = {"type": "x_" + draw(names), "value": draw(json_values)}
    return part | draw(unknown_keys)


documents = st.fixed_dictionaries({"data": objects}, optional={"id": names}).map(
    lambda d: {"type": "document", "document": d}
)


@st.composite
def turn(draw: st.DrawFn, number: int) -> list[dict[str, Any]]:
    """A few messages: a call turn with its results, or a plain message."""
    extra = draw(unknown_keys)
    match draw(st.sampled_from(["user", "parts", "system", "assistant", "thought", "cited", "calls", "calls"])):
        case "user":
            return [{"role": "user", "content": draw(texts)} | extra]
        case "parts":
            return [{"role": "user", "content": draw(st.lists(parts(), min_size=1, max_size=3))} | extra]
        case "system":
            return [{"role": "system", "content": draw(texts | st.lists(said, min_size=1, max_size=2))}]
        case "assistant":
            return [{"role": "assistant", "content": draw(texts)} | extra]
        case "thought":
            return [{"role": "assistant", "content": [draw(thoughts), *draw(st.lists(said, max_size=2))]} | extra]
        case "cited":
            return [{"role": "assistant", "content": draw(texts), "citations": draw(citations)}]
        case _:
            ids = [f"call_{number}_{n}" + draw(st.sampled_from(["", "/x y"])) for n in range(draw(st.integers(1, 3)))]
            calls: list[dict[str, Any]] = [
                {"id": call_id, "type": "function", "function": {"name": draw(names), "arguments": draw(raw_arguments)}}
                | draw(unknown_keys)
                for call_id in ids
            ]
            content = texts | st.lists(said | documents, min_size=1, max_size=2)
            results = [
                {"role": "tool", "tool_call_id": call["id"], "content": draw(content)}
                for call in draw(st.permutations(calls))
            ]
            beside = draw(some(tool_plan=texts, content=texts | st.lists(thoughts | said, min_size=1, max_size=2)))
            return [{"role": "assistant", **beside, "tool_calls": calls} | extra, *results]


@st.composite
def coheres(draw: st.DrawFn) -> dict[str, Any]:
    """A request body of Cohere's chat API."""
    turns = [draw(turn(number)) for number in range(draw(st.integers(1, 4)))]
    function = st.fixed_dictionaries(
        {"name": names, "parameters": st.just({"type": "object", "properties": {}})}, optional={"description": texts}
    )
    more = draw(some(
        model=st.just("command-a-03-2025"), temperature=st.sampled_from([0, 0.5]), max_tokens=st.integers(1, 99), p=st.just(0.5),
        k=st.integers(1, 9), stop_sequences=st.lists(texts, max_size=2), tool_choice=st.sampled_from(["REQUIRED", "NONE"]),
        tools=st.lists(function.map(lambda f: {"type": "function", "function": f}), max_size=2),
        documents=st.lists(texts, max_size=2), strict_tools=st.booleans(), x_custom=json_values,
    ))  # fmt: skip
    return {"messages": [message for messages in turns for message in messages], **more}
