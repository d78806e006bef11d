"""Calls of LangChain messages: each counts once, wherever its package leaves copies of it."""

from typing import Any

import pytest

from lighter import convert, lint, parse
from lighter.formats import get
from lighter.jsontext import decode, encode, is_same
from lighter.messages import AssistantMessage

A: dict[str, Any] = {"name": "a", "args": {"x": 1}, "id": "1", "type": "tool_call"}
B: dict[str, Any] = {"name": "b", "args": {"y": 2, "z": 1}, "id": "2", "type": "tool_call"}


def history(calls: list[Any], kept: dict[str, Any]) -> list[dict[str, Any]]:
    """Give a stored history whose answer has calls, each answered, and `kept` in its `additional_kwargs`."""
    answer: dict[str, Any] = {"type": "ai", "content": "", "tool_calls": calls, "additional_kwargs": kept}
    results = [{"type": "tool", "content": "r", "name": c["name"], "tool_call_id": c["id"]} for c in calls]
    listed: list[dict[str, Any]] = [
        {"type": "human", "content": "q"},
        answer,
        *results,
        {"type": "ai", "content": "done"},
    ]
    return [{"type": data["type"], "data": data} for data in listed]


def openai(call: dict[str, Any]) -> dict[str, Any]:
    function = {"name": call["name"], "arguments": encode(call["args"]).decode()}
    return {"id": call["id"], "type": "function", "function": function}


COPIES: dict[str, tuple[list[Any], dict[str, Any]]] = {
    "the one call": ([A], {"function_call": {"name": "a", "arguments": '{"x": 1}'}}),
    "the last of two": ([A, B], {"function_call": {"name": "b", "arguments": '{"y": 2, "z": 1}'}}),
    "other arguments": ([A], {"function_call": {"name": "a", "arguments": '{"x": 3}'}}),
    "a list": ([A, B], {"tool_calls": [openai(A), openai(B)]}),
    "a list and the last": ([A, B], {"tool_calls": [openai(A)], "function_call": openai(B)["function"]}),
}


@pytest.mark.parametrize("name", COPIES)
def test_a_copy_in_additional_kwargs_is_no_call(name: str) -> None:
    calls, kept = COPIES[name]
    listed = history(calls, kept)
    answer = parse(listed).messages[1]
    assert isinstance(answer, AssistantMessage)
    assert [call.call_id for call in answer.tool_calls] == [call["id"] for call in calls]
    assert [finding.code for finding in lint(listed) if finding.code.startswith("P")] == []
    chat = convert(listed, "openai-chat")
    assert "function_call" not in chat.value["messages"][1]
    assert len(chat.value["messages"][1]["tool_calls"]) == len(calls)
    said = [loss.path for loss in chat.losses if "additional_kwargs" in loss.path]
    assert said == (["/1/data/additional_kwargs/function_call/arguments"] if name == "other arguments" else [])
    assert is_same(get("langchain-stored").write(parse(listed)).value["messages"], listed)


def test_a_legacy_call_of_another_name_is_a_call() -> None:
    answer = parse(history([A], {"function_call": {"name": "b", "arguments": "{}"}})).messages[1]
    assert isinstance(answer, AssistantMessage)
    assert [call.tool_name for call in answer.tool_calls] == ["a", "b"]


WRAPPED: dict[str, Any] = {"obj": {"__lc_escaped__": {"lc": 1, "z": 2}}}
PLAIN: dict[str, Any] = {"obj": {"lc": 1, "z": 2}}


@pytest.mark.parametrize(
    ("told", "held", "meant"),
    [
        ({}, WRAPPED, PLAIN),
        ({}, PLAIN, PLAIN),  # before there were wrappings
        ({"type": "ai"}, WRAPPED, WRAPPED),  # Python wraps nothing here
        ({"type": "ai"}, PLAIN, PLAIN),
    ],
)
def test_what_javascript_stores_is_unwrapped(told: dict[str, Any], held: dict[str, Any], meant: dict[str, Any]) -> None:
    fields = {"tool_calls": [A | {"args": held}], "additional_kwargs": {}, "response_metadata": {}, **told}
    listed = [{"type": "ai", "data": {"content": "", "invalid_tool_calls": [], **fields}}]
    answer = parse(listed).messages[0]
    assert isinstance(answer, AssistantMessage)
    assert is_same(decode(answer.tool_calls[0].arguments), meant)
    assert is_same(get("langchain-stored").write(parse(listed)).value["messages"], listed)


def test_what_goes_to_a_store_of_javascript_is_as_its_reader_gives_it() -> None:
    """`mapStoredMessagesToChatMessages` of @langchain/core 1.4.0 takes no wrapping off, though what it reads was written with it."""
    kwargs = {"content": "", "tool_calls": [A | {"args": WRAPPED}], "invalid_tool_calls": [], "additional_kwargs": {}}
    envelope = {"lc": 1, "type": "constructor", "id": ["langchain_core", "messages", "AIMessage"]}
    answer = envelope | {"kwargs": kwargs | {"response_metadata": {}}}
    [stored] = convert({"messages": [answer]}, "langchain-stored").value["messages"]
    assert "type" not in stored["data"]
    assert stored["data"]["tool_calls"][0]["args"] == PLAIN
    again = convert(convert({"messages": [stored]}, "lighter").value, "langchain-stored").value["messages"]
    assert again == [stored]


OWN = openai(B)
ODD = OWN | {"function": OWN["function"] | {"strict": True}}
SHORTHAND: dict[str, tuple[list[Any], list[str]]] = {
    "both spellings": ([["human", "q"], {"role": "ai", "content": "", "tool_calls": [A, OWN]}], []),
    "a key of OpenAI's": (
        [["human", "q"], {"role": "ai", "content": "", "tool_calls": [A, ODD]}],
        ["/1/tool_calls/1/function/strict"],
    ),
    "no text": ([["human", "q"], {"role": "ai", "content": None, "tool_calls": [A, B]}], []),
    "no content": ([["human", "q"], {"role": "ai", "tool_calls": [A, B]}], []),
}


@pytest.mark.filterwarnings("ignore:The function `load` is in beta")
@pytest.mark.parametrize("name", SHORTHAND)
def test_what_shorthand_may_say_is_written_as_the_packages_load_it(name: str) -> None:
    theirs = pytest.importorskip("langchain_core.messages")
    loading = pytest.importorskip("langchain_core.load")
    listed, lost = SHORTHAND[name]
    meant = [theirs.HumanMessage("q"), theirs.AIMessage("", tool_calls=[A, B])]
    for form in ("langchain", "langchain-stored"):
        found = convert(parse(listed, "langchain-dump"), form)
        messages = found.value["messages"]
        if form == "langchain":
            assert loading.load(messages, allowed_objects="messages") == meant
        else:
            assert theirs.messages_from_dict(messages) == meant
        assert [loss.path for loss in found.losses] == lost
    assert convert(parse(listed, "langchain-dump"), "langchain-objects").value == meant
    assert is_same(get("langchain-dump").write(parse(listed, "langchain-dump")).value["messages"], listed)


IN_PIECES = {
    "whole": ('{"a": 1}', {"a": 1}, []),
    "without arguments": ("", {}, []),
    "null": (None, {}, []),
    "cut off": ('{"a": "Par', {"a": "Par"}, ["completed-arguments"]),
}


@pytest.mark.parametrize("name", IN_PIECES)
def test_a_call_that_stands_as_a_piece_alone_is_a_call(name: str) -> None:
    theirs = pytest.importorskip("langchain_core.messages")
    text, args, found = IN_PIECES[name]
    piece = {"name": "f", "args": text, "id": "c1", "index": 0, "type": "tool_call_chunk"}
    chunk = {"type": "AIMessageChunk", "content": "", "id": "run--1", "tool_call_chunks": [piece]}
    listed = [{"type": "human", "content": "q"}, chunk, {"type": "tool", "content": "r", "tool_call_id": "c1"}]
    assert theirs.AIMessageChunk(**chunk).tool_calls == [{"name": "f", "args": args, "id": "c1", "type": "tool_call"}]
    assert [d.name for d in lint(listed)] == found
    called = convert(listed, "openai-chat").value["messages"][1]["tool_calls"]
    assert [call["function"] for call in called] == [{"name": "f", "arguments": text or "{}"}]
    for form in ("langchain-stored", "lighter"):
        written = convert(listed, form)
        assert written.losses == ()
        assert convert(written.value, "langchain-objects").value[1] == theirs.AIMessageChunk(**chunk)
        assert convert(written.value, "langchain-dump").value["messages"][1].get("tool_call_chunks", [piece]) == [piece]
    assert is_same(get("langchain-dump").write(parse(listed)).value["messages"], listed)


@pytest.mark.parametrize("target", [None, "anthropic", "gemini", "bedrock", "openai-chat"])
@pytest.mark.parametrize(("cut", "where"), [([5], "/1/tool_call_chunks/0/args"), ([2, 5], "/2/tool_call_chunks/0")])
def test_a_call_that_broke_off_is_told_whoever_is_sent_it(target: str | None, cut: list[int], where: str) -> None:
    """Providers whose arguments are an object get what came in an object; nothing in that shows that it broke off."""
    starts = [0, *cut[:-1]]
    chunks: Any = [
        {
            "name": None if at else "f",
            "args": '{"a": '[at:end],
            "id": None if at else "c1",
            "index": 0,
            "type": "tool_call_chunk",
        }
        for at, end in zip(starts, cut, strict=True)
    ]
    pieces = [
        {"type": "AIMessageChunk", "content": "", "id": "run--1", "tool_call_chunks": [piece]} for piece in chunks
    ]
    listed = [{"type": "human", "content": "q"}, *pieces, {"type": "tool", "content": "r", "tool_call_id": "c1"}]
    found = [(d.name, d.path) for d in lint(listed, target=target) if d.name != "unmerged-stream-chunks"]
    assert found == [("completed-arguments", where)]


@pytest.mark.parametrize("form", ["langchain", "langchain-js", "langchain-stored", "langchain-dump"])
def test_copies_have_the_ids_that_their_calls_get(form: str) -> None:
    other = {**openai(B), "id": "elsewhere"}
    kept = {"tool_calls": [openai(A), openai(B), other], "__openai_function_call_ids__": {"1": "fc_1", "2": "fc_2"}}
    value = convert(convert(history([A, B], kept), "lighter").value, form, ids="rewrite").value
    answer = value["messages"][1]
    fields = answer.get("kwargs", answer.get("data", answer))
    assert [call["id"] for call in fields["tool_calls"]] == ["call_1", "call_2"]
    copies = fields["additional_kwargs"]
    assert [copy["id"] for copy in copies["tool_calls"]] == ["call_1", "call_2", "elsewhere"]
    assert copies["__openai_function_call_ids__"] == {"call_1": "fc_1", "call_2": "fc_2"}
