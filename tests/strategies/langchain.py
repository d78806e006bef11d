"""States of LangGraph with messages of every kind, in the four forms of LangChain's messages."""

import json
from typing import Any

from hypothesis import strategies as st

from strategies.values import PNG, json_values, names, objects, some, texts, unknown_keys

RUN = "run--0198f7b2-1c3d-7000-8000-000000000001"
INVALID = '{"q": "unfinished'


def parts(*, is_js: bool) -> st.SearchStrategy[Any]:
    """Blocks that whoever speaks may have in the content: LangChain's of both versions, and those of providers."""
    data, mime = ("data", "mimeType") if is_js else ("base64", "mime_type")
    extras = some(id=st.just("block_1"), index=st.integers(0, 3), extras=st.fixed_dictionaries({"note": texts}))
    return st.one_of(
        texts,
        st.fixed_dictionaries({"type": st.just("text"), "text": texts}, optional={
            "annotations": st.just([{"type": "citation", "url": "https://example.com/"}]),
            "cache_control": st.just({"type": "ephemeral"}), "citations": st.just([{"type": "char_location", "cited_text": "a"}]),
            "index": st.integers(0, 3),
        }),
        st.fixed_dictionaries({"type": st.just("image"), data: st.just(PNG), mime: st.just("image/png")}).flatmap(
            lambda part: extras.map(lambda more: part | more)
        ),
        st.fixed_dictionaries({"type": st.just("file"), "url": st.just("https://example.com/a.pdf"), mime: st.just("application/pdf")},
                              optional={"extras": st.just({"filename": "a.pdf"})}),
        st.just({"type": "text-plain", "text": "plain", mime: "text/plain", "title": "a.txt"}),
        st.just({"type": "audio", "source_type": "base64", "data": "UklGRg==", "mime_type": "audio/wav", "metadata": {"name": "a", "x": 1}}),
        st.just({"type": "image", "source_type": "url", "url": "https://example.com/a.png"}),
        st.just({"type": "image_url", "image_url": {"url": f"data:image/png;base64,{PNG}", "detail": "low"}}),
        st.just({"type": "image_url", "image_url": "https://example.com/a.png"}),
        st.just({"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": PNG}}),
        st.just({"type": "input_audio", "input_audio": {"data": "UklGRg==", "format": "wav"}}),
        st.just({"type": "media", "mime_type": "video/mp4", "data": "AAAAIGZ0eXBpc29t"}),
        st.just({"image": {"format": "png", "source": {"bytes": PNG}}}),
        st.fixed_dictionaries({"type": st.just("vendor_x"), "v": json_values}),
    )  # fmt: skip


def content(*, is_js: bool) -> st.SearchStrategy[Any]:
    """The content of a message: text, or a list of blocks."""
    return texts | st.just("") | st.lists(parts(is_js=is_js), max_size=3)


SPOKEN = st.one_of(
    st.fixed_dictionaries({"type": st.just("reasoning"), "reasoning": texts}, optional={"extras": st.just({"signature": "c2ln"})}),
    st.fixed_dictionaries({"type": st.just("thinking"), "thinking": texts}, optional={"signature": st.just("c2ln")}),
    st.just({"type": "redacted_thinking", "data": "cmVk"}),
    st.fixed_dictionaries({"type": st.just("refusal"), "refusal": texts}),
    st.just({"type": "server_tool_call", "id": "ws_1", "name": "web_search", "args": {"query": "q"}}),
    st.just({"type": "server_tool_result", "tool_call_id": "ws_1", "status": "success", "output": ["r"]}),
    st.just({"type": "server_tool_use", "id": "srv_1", "name": "web_search", "input": {"query": "q"}}),
    st.just({"type": "web_search_tool_result", "tool_use_id": "srv_1", "content": []}),
    st.just({"type": "reasoning", "id": "rs_1", "summary": [{"type": "summary_text", "text": "Hm."}], "encrypted_content": "ZW5j"}),
    st.just({"type": "non_standard", "value": {"type": "vendor_y"}}),
)  # fmt: skip
"""Blocks that only a model's own message has."""

YES: st.SearchStrategy[Any] = st.booleans()
METADATA = some(
    model_name=st.just("gpt-x"), model=st.sampled_from(["gpt-x", "claude-x"]), finish_reason=st.just("stop"),
    model_provider=st.sampled_from(["openai", "anthropic", "google_genai"]), logprobs=st.none(), id=st.just("resp_1"),
)  # fmt: skip
USAGE = st.just({"input_tokens": 9, "output_tokens": 4, "total_tokens": 13, "input_token_details": {"cache_read": 5}})


@st.composite
def answers(draw: st.DrawFn, number: int, *, is_js: bool) -> list[dict[str, Any]]:
    """What a model says, and the results of its calls."""
    called = draw(st.lists(st.tuples(names, objects), max_size=2))
    calls = [
        {"name": name, "args": args, "id": f"call_{number}_{n}", "type": "tool_call"}
        for n, (name, args) in enumerate(called)
    ]
    kept: dict[str, Any] = draw(some(
        reasoning_content=texts, refusal=texts, vendor=json_values, function_call=st.just({"name": "f", "arguments": "{}"}),
    ))  # fmt: skip
    listed = draw(content(is_js=is_js))
    if isinstance(listed, list):
        listed += draw(st.lists(SPOKEN, max_size=2))
        if calls and draw(YES):
            first = calls[0]
            listed.append({"type": "tool_use", "id": first["id"], "name": first["name"], "input": first["args"]})
    if calls and draw(YES):
        kept["tool_calls"] = [
            {
                "id": call["id"],
                "type": "function",
                "function": {"name": call["name"], "arguments": json.dumps(call["args"])},
            }
            for call in calls
        ]
    invalid = [
        {
            "name": "f",
            "args": INVALID,
            "id": f"bad_{number}",
            "error": draw(st.none() | texts),
            "type": "invalid_tool_call",
        }
    ]
    said = {
        "type": "ai", "content": listed, "tool_calls": calls, "additional_kwargs": kept,
        "invalid_tool_calls": draw(st.sampled_from([[], [], invalid])), "response_metadata": draw(METADATA),
        **draw(some(id=st.just(f"{RUN}-{number}"), name=names, usage_metadata=USAGE)),
    }  # fmt: skip
    results = [
        {"type": "tool", "content": draw(content(is_js=is_js)), "tool_call_id": call["id"], "additional_kwargs": {}, "response_metadata": {},
         **draw(some(name=st.just(call["name"]), status=st.sampled_from(["success", "error"]), artifact=json_values, id=st.just(f"t_{call['id']}")))}
        for call in calls
    ]  # fmt: skip
    answer = [{"type": "function", "content": "1", "name": "f", "additional_kwargs": {}, "response_metadata": {}}]
    return [said, *results, *(answer if "function_call" in kept else [])]


@st.composite
def turns(draw: st.DrawFn, number: int, *, is_js: bool) -> list[dict[str, Any]]:
    """A few messages, flat."""
    more = draw(some(name=names, id=st.just(f"h-{number}"))) | draw(unknown_keys)
    plain = {"additional_kwargs": draw(some(vendor=json_values)), "response_metadata": {}, **more}
    match draw(st.sampled_from(["human", "system", "developer", "chat", "ai", "ai", "ai"])):
        case "human":
            return [{"type": "human", "content": draw(content(is_js=is_js)), **plain}]
        case "system":
            return [{"type": "system", "content": draw(texts), **plain}]
        case "developer":
            return [
                {
                    "type": "system",
                    "content": draw(texts),
                    **plain,
                    "additional_kwargs": {"__openai_role__": "developer"},
                }
            ]
        case "chat":
            role = draw(st.sampled_from(["critic", "user", "assistant"]))
            return [{"type": "chat", "content": draw(texts), "role": role, **plain}]
        case _:
            return draw(answers(number, is_js=is_js))


CLASSES = {"human": "HumanMessage", "ai": "AIMessage", "system": "SystemMessage", "tool": "ToolMessage",
           "function": "FunctionMessage", "chat": "ChatMessage"}  # fmt: skip


def dumped(message: dict[str, Any]) -> dict[str, Any]:
    """Give a message as `model_dump` does, with every field."""
    empty: dict[str, Any] = {"name": None, "id": None}
    empty |= {"usage_metadata": None} if message["type"] == "ai" else {}
    return empty | ({"artifact": None} if message["type"] == "tool" else {}) | message


def python(message: dict[str, Any]) -> dict[str, Any]:
    """Give a message as `dumpd` does."""
    kwargs = {
        key: value for key, value in message.items() if value or key not in ("additional_kwargs", "response_metadata")
    }
    return {
        "lc": 1,
        "type": "constructor",
        "id": ["langchain", "schema", "messages", CLASSES[message["type"]]],
        "kwargs": kwargs,
    }


def javascript(message: dict[str, Any]) -> dict[str, Any]:
    """Give a message as `toJSON` does."""
    kwargs = {key: value for key, value in message.items() if key != "type"}
    return {
        "lc": 1,
        "type": "constructor",
        "id": ["langchain_core", "messages", CLASSES[message["type"]]],
        "kwargs": kwargs,
    }


def stored(message: dict[str, Any]) -> dict[str, Any]:
    """Give a message as a store of Python keeps it."""
    return {"type": message["type"], "data": dumped(message)}


WRAPPED = {"langchain": python, "langchain-js": javascript, "langchain-stored": stored, "langchain-dump": dumped}


@st.composite
def langchains(draw: st.DrawFn, name: str) -> dict[str, Any]:
    """The state of a graph, with messages in one of the forms."""
    found = [draw(turns(number, is_js=name == "langchain-js")) for number in range(draw(st.integers(1, 3)))]
    state = draw(some(files=json_values, x_custom=json_values))
    return {"messages": [WRAPPED[name](message) for messages in found for message in messages], **state}
