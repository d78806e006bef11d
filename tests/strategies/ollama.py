"""Request bodies of Ollama's chat API."""

from typing import Any

from hypothesis import strategies as st

from strategies.values import PNG, json_values, names, objects, some, texts, unknown_keys

GIF = "R0lGODlhAQABAAAAACw="


@st.composite
def turn(draw: st.DrawFn, number: int) -> list[dict[str, Any]]:
    """A few messages: a call turn with its results, or a plain message."""
    extra = draw(unknown_keys)
    images = st.lists(st.sampled_from([PNG, GIF, "AAAA"]), min_size=1, max_size=2)
    match draw(st.sampled_from(["user", "images", "system", "assistant", "thought", "calls", "calls", "server"])):
        case "user":
            return [{"role": "user", "content": draw(texts)} | extra]
        case "images":
            return [{"role": "user", "content": draw(texts | st.just("")), "images": draw(images)} | extra]
        case "system":
            return [{"role": "system", "content": draw(texts)} | extra]
        case "assistant":
            return [{"role": "assistant", "content": draw(texts)} | extra]
        case "thought":
            return [{"role": "assistant", "content": draw(texts | st.just("")), "thinking": draw(texts)} | extra]
        case "server":
            called = {"name": draw(names), "index": 0, "arguments": draw(objects)}
            call = {"id": f"call_{number}", "function": called} | draw(some(type=st.just("function")))
            result = {"role": "tool", "tool_call_id": f"call_{number}", "content": draw(texts)}
            return [
                {"role": "assistant", "content": "", "tool_calls": [call]},
                result | draw(some(tool_name=st.just(called["name"]))),
            ]
        case _:
            calls: list[dict[str, Any]] = [
                {"function": {"name": name, "arguments": draw(objects)}} | draw(unknown_keys)
                for name in draw(st.lists(names, min_size=1, max_size=3))
            ]
            results = [
                {"role": "tool", "tool_name": call["function"]["name"], "content": draw(texts)}
                | draw(some(images=images))
                for call in calls
            ]
            spoken = {"role": "assistant", "content": draw(texts | st.just("")), "tool_calls": calls}
            return [spoken | draw(some(thinking=texts)) | extra, *results]


@st.composite
def ollamas(draw: st.DrawFn) -> dict[str, Any]:
    """A request body of Ollama's chat API."""
    turns = [draw(turn(number)) for number in range(draw(st.integers(1, 4)))]
    function = st.fixed_dictionaries(
        {"name": names}, optional={"description": texts, "parameters": st.just({"type": "object", "properties": {}})}
    )
    options = some(
        num_predict=st.integers(1, 99),
        temperature=st.just(0.5),
        stop=st.lists(texts, max_size=2),
        seed=st.integers(0, 9),
    )
    more = draw(some(
        model=st.sampled_from(["llama3.2:1b", "gpt-oss:20b"]), stream=st.booleans(), think=st.booleans(), options=options,
        tools=st.lists(function.map(lambda f: {"type": "function", "function": f}), max_size=2), keep_alive=st.just("5m"),
        x_custom=json_values,
    ))  # fmt: skip
    return {"messages": [message for messages in turns for message in messages], **more}
