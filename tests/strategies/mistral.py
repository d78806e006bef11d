"""Request bodies of Mistral's chat API."""

from typing import Any

from hypothesis import strategies as st

from strategies.values import PNG, json_values, names, objects, raw_arguments, some, texts, unknown_keys

said = st.fixed_dictionaries({"type": st.just("text"), "text": texts})
references = st.fixed_dictionaries(
    {"type": st.just("reference"), "reference_ids": st.lists(st.integers(0, 9), max_size=2)}
)


@st.composite
def chunks(draw: st.DrawFn) -> dict[str, Any]:
    """A content chunk of a user's message or of a result."""
    chunk: dict[str, Any]
    match draw(
        st.sampled_from(["text", "image", "link", "bare", "document", "pdf", "file", "audio", "reference", "unknown"])
    ):
        case "text":
            chunk = draw(said)
        case "image":
            image = {"url": f"data:image/png;base64,{PNG}", "detail": draw(st.sampled_from(["low", "high"]))}
            chunk = {"type": "image_url", "image_url": image | draw(unknown_keys)}
        case "link":
            chunk = {"type": "image_url", "image_url": {"url": "https://example.com/a.png"}}
        case "bare":
            chunk = {"type": "image_url", "image_url": "https://example.com/a.png"}
        case "document":
            chunk = {
                "type": "document_url",
                "document_url": "https://example.com/a.pdf",
                **draw(some(document_name=names)),
            }
        case "pdf":
            chunk = {"type": "document_url", "document_url": "data:application/pdf;base64,JVBERi0x"}
        case "file":
            chunk = {"type": "file", "file_id": draw(names)}
        case "audio":
            data = draw(st.sampled_from(["UklGRiQAAABXQVZFZm10", "UklGRg==", "https://example.com/a.mp3"]))
            chunk = {"type": "input_audio", "input_audio": data}
        case "reference":
            chunk = draw(references)
        case _:
            chunk = {"type": "x_" + draw(names), "value": draw(json_values)}
    return chunk | draw(unknown_keys)


@st.composite
def thoughts(draw: st.DrawFn) -> dict[str, Any]:
    """A thinking chunk, of one or several parts."""
    first = draw(said) | draw(unknown_keys)
    more = draw(st.just([]) | st.lists(said | references, max_size=2))
    chunk: dict[str, Any] = {"type": "thinking", "thinking": [first, *more]}
    return chunk | draw(some(signature=st.just("c2ln"), closed=st.booleans())) | draw(unknown_keys)


@st.composite
def turn(draw: st.DrawFn, number: int) -> list[dict[str, Any]]:
    """A few messages: a call turn with its results, or a plain message."""
    extra = draw(unknown_keys)
    match draw(
        st.sampled_from(["user", "chunks", "system", "assistant", "thought", "prefix", "calls", "calls", "no ids"])
    ):
        case "user":
            return [{"role": "user", "content": draw(texts)} | extra]
        case "chunks":
            return [{"role": "user", "content": draw(st.lists(chunks(), min_size=1, max_size=3))} | extra]
        case "system":
            return [{"role": "system", "content": draw(texts | st.lists(said | thoughts(), min_size=1, max_size=2))}]
        case "assistant":
            return [
                {"role": "assistant", "content": draw(texts | st.lists(said | references, min_size=1, max_size=3))}
                | extra
            ]
        case "thought":
            return [
                {"role": "assistant", "content": [draw(thoughts()), *draw(st.lists(said | thoughts(), max_size=2))]}
            ]
        case "prefix":
            return [{"role": "assistant", "content": draw(texts), "prefix": draw(st.booleans())}]
        case "no ids":
            call: dict[str, Any] = {"function": {"name": draw(names), "arguments": draw(objects)}}
            call |= draw(some(id=st.just("null"), type=st.just("function"), index=st.just(0)))
            result = {"role": "tool", "name": call["function"]["name"], "content": draw(texts)}
            return [{"role": "assistant", "content": "", "tool_calls": [call]}, result]
        case _:
            ids = [
                f"a{number:04}{n:04}" + draw(st.sampled_from(["", "", "/x y", "z" * 40]))
                for n in range(draw(st.integers(1, 3)))
            ]
            calls: list[dict[str, Any]] = [
                {"id": call_id, "function": {"name": draw(names), "arguments": draw(raw_arguments | objects)}}
                | draw(some(type=st.just("function"), index=st.integers(0, 3)))
                | draw(unknown_keys)
                for call_id in ids
            ]
            results = [
                {
                    "role": "tool",
                    "tool_call_id": call["id"],
                    "content": draw(texts | st.lists(chunks(), min_size=1, max_size=2)),
                }
                | draw(some(name=st.just(call["function"]["name"])))
                for call in draw(st.permutations(calls))
            ]
            return [{"role": "assistant", "content": draw(st.none() | texts), "tool_calls": calls} | extra, *results]


@st.composite
def mistrals(draw: st.DrawFn) -> dict[str, Any]:
    """A request body of Mistral's chat API."""
    turns = [draw(turn(number)) for number in range(draw(st.integers(1, 4)))]
    function = st.fixed_dictionaries(
        {"name": names, "parameters": st.just({"type": "object", "properties": {}})},
        optional={"description": texts, "strict": st.booleans()},
    )
    more = draw(some(
        model=st.sampled_from(["mistral-large-latest", "magistral-medium-2506"]), temperature=st.sampled_from([0, 0.5]),
        max_tokens=st.integers(1, 99), stop=texts | st.lists(texts, min_size=1, max_size=2), random_seed=st.integers(0, 9),
        tool_choice=st.sampled_from(["auto", "any", "none", {"type": "function", "function": {"name": "f"}}]),
        tools=st.lists(function.map(lambda f: {"type": "function", "function": f}), max_size=2),
        parallel_tool_calls=st.booleans(), safe_prompt=st.booleans(), x_custom=json_values,
    ))  # fmt: skip
    return {"messages": [message for messages in turns for message in messages], **more}
