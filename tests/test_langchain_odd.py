"""Whatever conversation is written as LangChain's messages, its packages load it: odd records, odd fields, odd calls, too."""

import json
import random
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

import lighter
from lighter import formats, jsontext

messages = pytest.importorskip("langchain_core.messages")

from langchain_packages import node  # noqa: E402 - it needs the package
from strategies import BODIES  # noqa: E402 - beside the others
from strategies.langchain import langchains  # noqa: E402 - as above
from test_langchain_packages import load  # noqa: E402 - as above

SOURCES = {**BODIES, **{name: langchains(name) for name in ("langchain", "langchain-stored")}}
LOADERS: dict[str, Callable[[Any], Any]] = {
    "langchain": lambda value: load(value, allowed="core"),
    "langchain-stored": messages.messages_from_dict,
    "langchain-dump": messages.convert_to_messages,
}
ODD: list[Any] = [
    None, 5, 1.5, True, "", [], {}, "odd", ["x"], {"a": 1}, [5], [None], [[1]], {"type": "weird", "content": "x"}, {"type": "text"},
    {"role": ""}, {"role": "critic", "content": "x"}, "AIMessageChunk", "chat", "tool_call", {"lc": 1}, {"name": "f"}, {"args": {}},
    {"type": "tool", "content": "x"}, {"type": "chat", "content": "x"}, {"type": "AIMessageChunk", "content": "x"},
]  # fmt: skip
KEYS = [
    "name", "id", "type", "role", "content", "content_blocks", "tool_calls", "invalid_tool_calls", "tool_call_chunks", "tool_call_id",
    "additional_kwargs", "response_metadata", "usage_metadata", "chunk_position", "status", "artifact", "example", "index", "args",
    "function", "message_type", "x",
]  # fmt: skip


def places(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """List the places inside of a value."""
    members = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, item in members:
        yield (*path, key)
        yield from places(item, (*path, key))


def made_odd(body: Any, rng: random.Random) -> Any:
    """Put something odd into a place or two of a conversation, or take something out."""
    body = json.loads(json.dumps(body))
    for _ in range(rng.choice([0, 1, 1, 2])):
        inner = [path for path in places(body) if len(path) > 1]
        if not inner:
            break
        *above, last = rng.choice(inner)
        holder = body
        for key in above:
            holder = holder[key]
        odd = json.loads(json.dumps(rng.choice(ODD)))
        match rng.choice(["set", "set", "delete", "add"]):
            case "delete":
                del holder[last]
            case "add" if isinstance(holder, dict):
                holder[rng.choice(KEYS)] = odd
            case "add":
                holder.insert(last, odd)
            case _:
                holder[last] = odd
    return body


def written(body: Any, source: str, form: str) -> list[Any]:
    """Write a conversation in a form; an empty list where the odd thing is that there is none."""
    try:
        value = lighter.convert(body, to=form, format=source).value
    except lighter.NotRecognised:
        return []
    listed: list[Any] = json.loads(jsontext.encode(value))["messages"]
    return listed


RELAXED = settings(
    max_examples=20, deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large]
)


@pytest.mark.parametrize("form", LOADERS)
@RELAXED
@given(data=st.data())
def test_langchain_core_loads_whatever_is_written(form: str, data: st.DataObject) -> None:
    check_it_loads(form, data)


@pytest.mark.slow
@pytest.mark.parametrize("form", LOADERS)
@settings(RELAXED, max_examples=200)
@given(data=st.data())
def test_langchain_core_loads_whatever_is_written_often(form: str, data: st.DataObject) -> None:
    check_it_loads(form, data)


def check_it_loads(form: str, data: st.DataObject) -> None:
    source = data.draw(st.sampled_from([name for name in SOURCES if name != form]))
    body = made_odd(data.draw(SOURCES[source]), random.Random(data.draw(st.integers(0, 2**32))))  # noqa: S311 - no secret
    listed = written(body, source, form)
    if any(message.get("type") == "generic" for message in listed):  # as JavaScript stores it for itself
        return
    assert len(LOADERS[form](listed)) == len(listed)
    objects = lighter.convert(body, to="langchain-objects", format=source).value if listed else []
    assert len(objects) == len(listed)


@pytest.mark.slow
def test_javascript_loads_whatever_is_written() -> None:
    rows: list[dict[str, Any]] = []

    @settings(RELAXED, max_examples=100, phases=[Phase.generate])
    @given(data=st.data(), source=st.sampled_from(list(SOURCES)), seed=st.integers(0, 2**32))
    def collect(data: st.DataObject, source: str, seed: int) -> None:
        body = made_odd(data.draw(SOURCES[source]), random.Random(seed))  # noqa: S311 - no secret
        for form, reader in (("langchain-js", "load"), ("langchain-stored", "stored")):
            listed = written(body, source, form) if form != source else []
            known = (m for m in listed if reader == "load" or not m["type"].endswith(("chat", "Chunk")))  # Python's own
            rows.extend({"name": "odd", "form": reader, "value": [message]} for message in known)

    collect()
    assert len(rows) > 100
    assert [row for row in node.run("read_javascript.mjs", lines=rows) if "error" in row] == []


@pytest.mark.parametrize(("message", "losses"), [
    ({"type": "weird", "content": "x"}, {("/1", "unknown-message", "dropped")}),
    ({"type": "tool", "content": "x"}, {("/1", "call-id", "synthesised")}),
    ({"type": "function", "content": "x"}, {("/1", "tool-name", "synthesised")}),
    ({"type": "chat", "content": "x"}, {("/1", "role", "synthesised")}),
    ({"type": "chat", "content": "x", "role": 5}, {("/1/role", "role", "dropped"), ("/1", "role", "synthesised")}),
    ({"type": "ai", "content": "", "tool_calls": [5]}, {("/1/tool_calls/0", "call", "rewritten")}),
    ({"type": "ai", "content": "", "tool_calls": [{"name": "f"}]}, {("/1/tool_calls/0", "call", "rewritten")}),
    ({"type": "ai", "content": "", "tool_calls": [{"name": "f", "args": "{}", "id": "c"}]}, {("/1/tool_calls/0", "arguments", "moved")}),
    ({"type": "ai", "content": "", "tool_calls": [{"name": "f", "args": {}, "id": "c", "index": 0}]}, {("/1/tool_calls/0/index", "index", "dropped")}),
    ({"type": "ai", "content": 5}, {("/1/content", "content", "rewritten")}),
    ({"type": "human", "content": [None, "x"]}, {("/1/content/0", "content", "rewritten")}),
    ({"type": "human", "content": "x", "additional_kwargs": ["x"]}, {("/1/additional_kwargs", "additional-kwargs", "dropped")}),
    ({"type": "human", "content": "x", "name": 5}, {("/1/name", "name", "dropped")}),
    ({"type": "tool", "content": "x", "tool_call_id": "c", "status": "odd"}, {("/1/status", "status", "dropped")}),
])  # fmt: skip
@pytest.mark.parametrize("form", ["langchain", "langchain-stored"])
def test_what_no_package_loads_is_named(message: Any, losses: set[tuple[str, str, str]], form: str) -> None:
    body = [{"type": "human", "content": "Tide?", "additional_kwargs": {}}, message]
    found = lighter.convert(body, to=form, format="langchain-dump")
    told = {(loss.path, loss.feature, loss.action) for loss in found.losses if loss.feature != "place"}
    assert told == losses
    listed = json.loads(jsontext.encode(found.value))["messages"]
    assert len(LOADERS[form](listed)) == len(listed)
    kept = formats.get("langchain-dump").write(lighter.parse(body, "langchain-dump"))
    assert (kept.value, kept.losses) == ({"messages": body}, ())


def test_the_name_of_a_legacy_result_arrives() -> None:
    listed = [{"type": "human", "content": "q"}, {"type": "function", "name": "f", "content": "1"}]
    found = lighter.convert(listed, to="openai-chat")
    assert found.value["messages"][1] == {"role": "function", "name": "f", "content": "1"}
    assert [loss.path for loss in found.losses] == []
