"""What lighter writes is loaded by LangChain's own packages, and gives the messages that it was made of.

What a package itself cannot load, or changes in loading, is listed with its own words.
"""

import json
import re
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

import lighter

messages = pytest.importorskip("langchain_core.messages")

from langchain_packages import node  # noqa: E402 - they need the package
from langchain_packages.conversations import CONVERSATIONS, but_ids, whole  # noqa: E402 - as above

ROOT = Path(__file__).parent.parent
SAMPLES = sorted((ROOT / "sample_conversations" / "good").glob("*/*.jsonl"))
FOREIGN = [path for path in SAMPLES if not path.parent.name.startswith("langchain")]
KEPT = {name: objects for name, objects in CONVERSATIONS.items() if name != "removals_and_notes"}
"""Conversations of which nothing is taken back: what is written in another form is the history that is left."""

JAVASCRIPT = {
    (row["name"], row["form"]): row["value"]
    for row in map(json.loads, (ROOT / "tests" / "data" / "langchain_js.jsonl").read_text("utf-8").splitlines())
    if row["form"] != "content_blocks"
}


def load(value: Any, allowed: Any = "messages") -> Any:
    import warnings

    from langchain_core.load import load

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # `load` is in beta
        return load(value, allowed_objects=allowed)


def validate(value: Any) -> Any:
    from langchain_core.messages import AnyMessage
    from pydantic import TypeAdapter

    return TypeAdapter(list[AnyMessage]).validate_python(value)


LOADERS: dict[str, tuple[str, Callable[[Any], Any]]] = {
    "load": ("langchain", load),
    "messages_from_dict": ("langchain-stored", messages.messages_from_dict),
    "convert_to_messages": ("langchain-dump", messages.convert_to_messages),
    "AnyMessage": ("langchain-dump", validate),
}
"""What loads each form: the form, and how. `AnyMessage` is how the state of a graph declares its messages."""

REFUSED = {
    (
        "load",
        "function_chat_developer",
    ): "Deserialization of ('langchain', 'schema', 'messages', 'FunctionMessage') is not allowed",
}
"""What langchain-core 1.8.3 refuses to load, in its own words."""

CHANGED = {
    ("convert_to_messages", "ids_names_usage"): {"additional_kwargs", "usage_metadata"},
    ("convert_to_messages", "invalid_tool_call"): {"additional_kwargs", "invalid_tool_calls"},
}
"""The fields that langchain-core 1.8.3 changes: what `convert_to_messages` does not know becomes vendors' keys."""


def converted(source: Any, form: str) -> tuple[list[Any], tuple[lighter.Loss, ...]]:
    """Write message objects in a form, by way of another, so that nothing is copied: objects are read as their dumps."""
    way = "langchain" if form == "langchain-dump" else "lighter"
    held = lighter.convert(source, to=way)
    assert but_ids(held.losses) == []
    found = lighter.convert(held.value, to=form, format=way)
    listed: list[Any] = json.loads(json.dumps(found.value["messages"]))
    return listed, found.losses


def written(source: Any, form: str) -> list[Any]:
    """Write message objects in a form that holds all of them."""
    listed, losses = converted(source, form)
    assert losses == ()
    return listed


def differences(loaded: Sequence[Any], objects: Sequence[Any]) -> set[str]:
    """Name the fields in which messages differ."""
    fields: set[str] = set()
    for one, other in zip(loaded, objects, strict=True):
        assert type(one) is type(other)
        found, expected = one.model_dump(), other.model_dump()
        fields |= {key for key in {*found, *expected} if found.get(key) != expected.get(key)}
    return fields


CLASSLESS = {"function_chat_developer", "chunks", "chunks_merged"}
"""Conversations with messages that are told from others by their class alone, which `convert_to_messages` does not take."""


@pytest.mark.parametrize(("loader", "objects"), [
    pytest.param(loader, objects, id=f"{loader}-{objects[0]}")
    for loader, (form, _) in LOADERS.items() for objects in KEPT.items()
    if not (form == "langchain-dump" and objects[0] in CLASSLESS)
])  # fmt: skip
def test_langchain_core_loads_equal_messages(loader: str, objects: tuple[str, Sequence[Any]]) -> None:
    name, expected = objects[0], whole(objects[1])
    form, read = LOADERS[loader]
    value = written(list(objects[1]), form)
    if (refusal := REFUSED.get((loader, name))) is not None:
        with pytest.raises(ValueError, match=re.escape(refusal)):
            read(value)
        return
    loaded = read(value)
    assert differences(loaded, expected) == CHANGED.get((loader, name), set())
    assert (list(loaded) == expected) is ((loader, name) not in CHANGED)


@pytest.mark.parametrize("name", sorted(CLASSLESS))
@pytest.mark.parametrize("loader", [loader for loader, (form, _) in LOADERS.items() if form == "langchain-dump"])
def test_without_a_wrapping_messages_have_the_class_of_their_role(loader: str, name: str) -> None:
    expected = whole(KEPT[name])
    with pytest.raises(ValueError, match="Unexpected message type"):
        messages.convert_to_messages([message.model_dump() for message in expected])
    value, losses = converted(list(expected), "langchain-dump")
    loaded = LOADERS[loader][1](value)
    assert [message.content for message in loaded] == [message.content for message in expected]
    changed = [n for n, (one, other) in enumerate(zip(loaded, expected, strict=True)) if type(one) is not type(other)]
    assert changed
    named = [loss.path.split("/")[2] for loss in losses if loss.feature in ("message-class", "role")]
    assert named == [str(n) for n in changed]
    for n in changed:
        assert type(loaded[n]) in (
            messages.HumanMessage,
            messages.AIMessage,
            messages.SystemMessage,
            messages.ToolMessage,
        )


@pytest.mark.parametrize("loader", LOADERS)
@pytest.mark.parametrize("path", FOREIGN, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_langchain_core_loads_what_comes_from_providers(loader: str, path: Path) -> None:
    form, read = LOADERS[loader]
    for body in lighter.convert(path, to=form).value:
        assert len(read(json.loads(json.dumps(body["messages"])))) == len(body["messages"])


# @langchain/core

JS_CHANGED = {
    ("chunks", "lc"): {"tool_call_id"},
    **{
        (name, form): {"class", "tool_call_chunks"}
        for name in ("chunks", "chunks_merged")
        for form in ("stored", "spread", "raw_spread")
    },
}
"""What gets lost on the way: `load` gives chunks of results no `tool_call_id`; outside of envelopes JavaScript does not tell chunks
from messages, and a message has no `tool_call_chunks`."""


@pytest.fixture(scope="module")
def in_javascript() -> list[dict[str, Any]]:
    """Have @langchain/core load everything that lighter writes of its messages, and of those of Python; one run for all."""
    rows = []
    for (name, form), value in JAVASCRIPT.items():
        for to, reader in (("langchain-js", "load"), ("langchain-stored", "stored")):
            found = lighter.convert(value, to=to).value
            body = found["messages"] if isinstance(found, dict) else found
            rows.append({"name": [name, form, to], "form": reader, "value": body, "like": name})
    for name, objects in KEPT.items():
        rows.append(
            {"name": [name, "python", "langchain-js"], "form": "load", "value": written(objects, "langchain-js")}
        )
    for path in FOREIGN:
        for to, reader in (("langchain-js", "load"), ("langchain-stored", "stored")):
            bodies = [body["messages"] for body in lighter.convert(path, to=to).value]
            rows += [{"name": [path.stem, "sample", to], "form": reader, "value": body} for body in bodies]
    return node.run("read_javascript.mjs", lines=rows)


@pytest.mark.slow
def test_javascript_loads_equal_messages(in_javascript: list[dict[str, Any]]) -> None:
    compared = [row for row in in_javascript if "expected" in row and not row["name"][0].startswith("removals")]
    assert len(compared) == 2 * sum(not name.startswith("removals") for name, _ in JAVASCRIPT)
    merged = {tuple(row["name"][1:]): row["expected"] for row in compared if row["name"][0] == "chunks_merged"}
    for row in compared:
        name, form, to = row["name"]
        if name == "chunks" and len(row["fields"]) < len(row["expected"]):  # where it is no copy, pieces are joined
            row["expected"][:-2] = merged[form, to]
        assert len(row["fields"]) == len(row["expected"]), row["name"]
        found = {
            key
            for one, other in zip(row["fields"], row["expected"], strict=True)
            for key in {*one, *other}
            if one.get(key) != other.get(key)
        }
        assert found == js_changes(name, form, to), row["name"]


def js_changes(name: str, form: str, to: str) -> set[str]:
    if (name, form, to) == ("standard_blocks", "stored", "langchain-stored"):
        return {"content"}  # JavaScript stores `content_blocks`, and does not load them; a copy is as it was
    if to == "langchain-stored" and name.startswith("chunks"):
        return {"class", "tool_call_chunks"}
    return JS_CHANGED.get((name, form), set())


@pytest.mark.slow
def test_javascript_loads_messages_of_python_and_of_providers(in_javascript: list[dict[str, Any]]) -> None:
    rows = [row for row in in_javascript if row["name"][1] in ("python", "sample")]
    assert len(rows) > len(KEPT) + len(FOREIGN)
    assert [row for row in rows if "error" in row] == []
    for row in rows:
        name, origin, _ = row["name"]
        if origin == "python" and name != "chunks":  # of which `load` gives results no `tool_call_id`
            back = lighter.convert(row["written"], to="langchain-objects").value
            assert back == whole(KEPT[name]), name


@pytest.mark.slow
@pytest.mark.parametrize(("form", "value", "error"), [
    ("load", {"lc": 1, "type": "constructor", "id": ["langchain", "schema", "messages", "HumanMessage"], "kwargs": {"content": "Hi"}},
     "Invalid namespace"),
    ("stored", [{"type": "remove", "data": {"id": "m1", "content": []}}], "Got unexpected type: remove"),
    ("stored", [{"type": "AIMessageChunk", "data": {"content": ""}}], "Got unexpected type: AIMessageChunk"),
    ("stored", [{"type": "chat", "data": {"content": "", "role": "critic"}}], "Got unexpected type: chat"),
])  # fmt: skip
def test_what_javascript_does_not_load(form: str, value: Any, error: str) -> None:
    (row,) = node.run("read_javascript.mjs", lines=[{"name": "x", "form": form, "value": value}])
    assert error in row["error"]
    assert lighter.parse(value).format in ("langchain", "langchain-stored")


@pytest.mark.parametrize(("read", "value", "error"), [
    (messages.messages_from_dict, [{"type": "generic", "data": {"content": "c", "role": "critic"}}], "Got unexpected message type: generic"),
    (messages.convert_to_messages, [{"type": "generic", "content": "c", "role": "critic"}], "Unexpected message type: 'critic'"),
])  # fmt: skip
def test_what_python_does_not_load(read: Callable[[Any], Any], value: Any, error: str) -> None:
    with pytest.raises(ValueError, match=re.escape(error)):
        read(value)
    assert len(lighter.parse(value).messages) == 1
