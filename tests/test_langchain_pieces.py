"""Pieces of LangChain's answers among other messages are read as the answer, in every form; where they stood is told."""

import json
import warnings
from collections.abc import Callable, Sequence
from functools import reduce
from operator import add
from typing import Any

import pytest
from chat import jsonl
from hypothesis import given, settings
from hypothesis import strategies as st

import lighter
from lighter.jsontext import value_at

messages = pytest.importorskip("langchain_core.messages")

from langchain_core.load import dumpd  # noqa: E402 - it needs the package

CALL = {"id": "c1", "index": 0, "type": "tool_call_chunk"}
ANSWER: list[Any] = [
    messages.AIMessageChunk("", id="resp_1", response_metadata={"model_provider": "openai"}),
    messages.AIMessageChunk("Hel", id="lc_run--1", name="agent"),
    messages.AIMessageChunk("lo", id="msg_1", tool_call_chunks=[{**CALL, "name": "f", "args": '{"a":'}]),
    messages.AIMessageChunk("", id="lc_run--1", tool_call_chunks=[{**CALL, "name": None, "id": None, "args": " 1}"}]),
    messages.AIMessageChunk(
        "",
        id="lc_1",
        chunk_position="last",
        additional_kwargs={"x": 1},
        usage_metadata={"input_tokens": 1, "output_tokens": 2, "total_tokens": 3},
    ),
]
HISTORY: list[Any] = [
    messages.HumanMessage("Hi", id="h1"),
    *ANSWER,
    messages.ToolMessage("ok", tool_call_id="c1"),
    messages.AIMessageChunk("Done.", id="lc_run--2"),
]


def stored(history: Sequence[Any]) -> list[Any]:
    return list(messages.messages_to_dict(history))


def dumped(history: Sequence[Any]) -> list[Any]:
    return [message.model_dump() for message in history]


LAYOUTS: dict[str, Callable[[Sequence[Any]], Any]] = {
    "objects": list,
    "lc": lambda history: list(map(dumpd, history)),
    "stored": stored,
    "state": lambda history: {"messages": dumped(history)},
    "state of lc": lambda history: {"messages": list(map(dumpd, history))},
}


def summed(chunks: Sequence[Any]) -> Any:
    return reduce(add, chunks)


def objects_of(value: Any) -> list[Any]:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return list(lighter.convert(value, to="langchain-objects").value)


@pytest.mark.parametrize("layout", LAYOUTS.values(), ids=LAYOUTS)
def test_pieces_among_messages_are_the_message(layout: Callable[[Sequence[Any]], Any]) -> None:
    value = layout(HISTORY)
    assert objects_of(value) == [HISTORY[0], summed(ANSWER), *HISTORY[-2:]]
    assert [finding.name for finding in lighter.lint(value)] == ["unmerged-stream-chunks"]
    said = lighter.convert(value, to="openai-chat").value["messages"]
    assert [(message["role"], message["content"]) for message in said] == [
        ("user", "Hi"),
        ("assistant", "Hello"),
        ("tool", "ok"),
        ("assistant", "Done."),
    ]
    assert said[1]["tool_calls"][0]["function"]["arguments"] == '{"a":1}'


@pytest.mark.parametrize("layout", LAYOUTS.values(), ids=LAYOUTS)
@pytest.mark.parametrize("to", ["openai-chat", "anthropic", "lighter", "langchain-js"])
def test_losses_of_pieces_name_places_that_are_there(layout: Callable[[Sequence[Any]], Any], to: str) -> None:
    value = layout(HISTORY)
    raw = json.loads(json.dumps(dumped(HISTORY))) if layout is list else value
    losses = lighter.convert(value, to=to).losses
    assert any(loss.path.endswith("/name") for loss in losses)  # which langchain-core leaves out, too
    for loss in losses:
        value_at(raw, loss.path)


def test_losses_of_pieces_on_lines_name_their_lines(tmp_path: Any) -> None:
    path = tmp_path / "log.jsonl"
    path.write_bytes(jsonl(*map(dumpd, HISTORY)))
    losses = {loss.path.rpartition("/")[2]: loss.row for loss in lighter.convert(path, to="openai-chat").losses}
    assert (losses["x"], losses["usage_metadata"], losses["name"]) == (6, 6, 3)
    [conversation] = lighter.load(path)
    assert [origin.row for origin in conversation.origins] == [1, 2, 7, 8]
    assert len(conversation.records) == len(HISTORY)


def test_pieces_that_break_off_are_told() -> None:
    losses = lighter.convert(dumped(HISTORY[:4]), to="anthropic").losses
    assert [loss.path for loss in losses if loss.feature == "truncated-stream"] == ["/3/content"]


def test_an_answer_ends_at_its_last_piece() -> None:
    once, again = ({**chunk, "id": None} for chunk in dumped([ANSWER[-1]] * 2))
    assert len(objects_of([once, again])) == 2


@given(
    ids=st.permutations([None, "lc_run--1", "lc_1", "msg_1", "resp_1"]).flatmap(
        lambda order: st.lists(st.sampled_from(order[:4]), min_size=1, max_size=6)
    ),
    layout=st.sampled_from(list(LAYOUTS.values())),
)
@settings(deadline=None, max_examples=40)
def test_ids_of_one_answer_come_in_any_order(ids: list[str | None], layout: Callable[[Sequence[Any]], Any]) -> None:
    chunks = [messages.AIMessageChunk(f"{n} ", id=own) for n, own in enumerate(ids)]
    assert objects_of(layout([HISTORY[0], *chunks]))[1:] == [summed(chunks)]
    assert objects_of(layout(chunks)) == [summed(chunks)]


def piece(**fields: Any) -> dict[str, Any]:
    return {"type": "AIMessageChunk", "id": "lc_run--1", "content": "", **fields}


THOUGHT: list[Any] = [
    piece(content=[{"type": "thinking", "thinking": "War", "index": 0}]),
    piece(content=[{"type": "thinking", "thinking": "m.", "index": 0}]),
    piece(content=[{"type": "text", "text": "11", "index": 1, "x": 1}]),
    piece(content=[{"type": "text", "text": " °C", "index": 1}], chunk_position="last"),
]


def dropped(pieces: Sequence[Any], to: str) -> set[str]:
    """List what of pieces after a message is dropped."""
    losses = lighter.convert([HISTORY[0].model_dump(), *pieces], to=to).losses
    return {loss.path for loss in losses if loss.action == "dropped" and not loss.path.startswith("/0/")}


def test_what_several_pieces_said_is_lost_in_each() -> None:
    lost = dropped(THOUGHT, "openai-chat")
    assert {"/1/content/0", "/2/content/0", "/3/content/0/x"} <= lost
    assert not any(path.endswith("/index") for path in lost)  # by which the pieces of a block were brought together
    assert dropped(THOUGHT, "lighter") == set()


CALLED = [
    piece(tool_calls=[{"name": "f", "args": {}, "id": "c1", "type": "tool_call"}],
          tool_call_chunks=[{**CALL, "index": 1, "name": "f", "args": '{"a": "'}]),
    piece(tool_calls=[{"name": "", "args": {"a": "b"}, "id": None, "type": "tool_call"}],
          tool_call_chunks=[{**CALL, "index": 1, "name": None, "id": None, "args": "b"}]),
    piece(invalid_tool_calls=[{"name": None, "args": 'c"}', "id": None, "error": None, "type": "invalid_tool_call"}],
          tool_call_chunks=[{**CALL, "index": 1, "name": None, "id": None, "args": 'c"}'}], chunk_position="last"),
]  # fmt: skip


@pytest.mark.parametrize(
    ("changed", "path"),
    [
        ({}, None),
        ({"tool_calls": [{"name": "f", "args": {"a": "x"}, "id": "c1", "type": "tool_call"}]}, "/1/tool_calls/0/args"),
        ({"invalid_tool_calls": [{"name": "g", "args": "{", "id": "c2", "error": "x"}]}, "/1/invalid_tool_calls/0"),
        ({"id": "lc_1"}, "/1/id"),
        ({"name": "agent"}, "/1/name"),
        ({"response_metadata": {"created": 2}}, "/1/response_metadata/created"),
        ({"lc_kwargs": {"content": "other"}}, "/1/lc_kwargs/content"),
        ({"lc_kwargs": {}, "lc_namespace": ["mine"]}, "/1/lc_namespace"),
    ],
)
def test_copies_that_say_something_else_are_told(changed: dict[str, Any], path: str | None) -> None:
    first, *others = CALLED
    last = {**others[-1], "response_metadata": {"created": 3}} if "response_metadata" in changed else others[-1]
    lost = dropped([{**first, **changed}, *others[:-1], last], "lighter")
    assert lost == ({path} if path else set())


def test_what_stands_around_pieces_is_told() -> None:
    first, second = (dumpd(messages.AIMessageChunk(text, id="lc_run--1")) for text in ("a", "b"))
    assert dropped([first, {**second, "lc": 2}], "anthropic") >= {"/2/lc"}


TURNS: list[Any] = [
    messages.HumanMessage("Hi", id="h1"),
    *(
        messages.AIMessageChunk(text, id=f"lc_run-{run}")
        for text, run in (("Hel", 1), ("one", 2), ("lo", 1), (" two", 2))
    ),
]
"""Pieces of two answers that come by turns."""


@pytest.mark.parametrize("layout", LAYOUTS.values(), ids=LAYOUTS)
def test_pieces_of_two_answers_by_turns_are_both(layout: Callable[[Sequence[Any]], Any]) -> None:
    said = [
        message.content
        for message in lighter.parse(layout(TURNS)).messages
        if isinstance(message, lighter.AssistantMessage)
    ]
    assert said == ["Hello", "one two"]
    assert [found.code for found in lighter.lint(layout(TURNS))] == ["F117", "F117"]


def test_pieces_by_turns_are_trimmed_together() -> None:
    with pytest.raises(lighter.LighterError):
        lighter.trim(dumped(TURNS), max_messages=4)
    assert len(lighter.trim(dumped(TURNS), max_messages=5).value) == 5


OTHERS: list[Any] = [
    messages.SystemMessageChunk("Be ", id="s1"),
    messages.SystemMessageChunk("brief.", id="s1", additional_kwargs={"x": "y"}),
    messages.HumanMessageChunk("H"),
    messages.HumanMessageChunk("i"),
    messages.AIMessageChunk("", tool_call_chunks=[{**CALL, "id": name, "name": "f", "args": "{}", "index": n}
                                                  for n, name in enumerate(("c1", "c2"))]),
    messages.ToolMessageChunk("o", tool_call_id="c1", artifact=[1]),
    messages.ToolMessageChunk("k", tool_call_id="c1", artifact=[2], status="error"),
    messages.ToolMessageChunk("no", tool_call_id="c2"),
    messages.ChatMessageChunk("We", role="critic", id="m1"),
    messages.ChatMessageChunk("ll.", role="critic"),
    messages.ChatMessageChunk("Well?", role="judge"),
]  # fmt: skip
ADDED = [(0, 2), (2, 4), (4, 5), (5, 7), (7, 8), (8, 10), (10, 11)]
"""From where to where the chunks of one message stand."""


@pytest.mark.parametrize("layout", LAYOUTS.values(), ids=LAYOUTS)
def test_pieces_of_every_kind_are_the_message(layout: Callable[[Sequence[Any]], Any]) -> None:
    value = layout(OTHERS)
    assert objects_of(value) == [summed(OTHERS[start:end]) for start, end in ADDED]
    if layout is not list:
        found = [lint.path.rpartition("/")[2] for lint in lighter.lint(value) if lint.code == "F117"]
        assert found == [str(start) for start, end in ADDED if end - start > 1]
        assert objects_of(lighter.fix(value, select=["F117"]).value) == objects_of(value)


def test_pieces_of_functions_are_told_apart_by_name() -> None:
    chunks = [messages.FunctionMessageChunk(name, name=name) for name in ("f", "f", "g")]
    assert objects_of(dumped(chunks)) == [summed(chunks[:2]), chunks[2]]


@pytest.mark.parametrize("is_paired", [True, False])
def test_pieces_of_every_kind_are_joined_in_what_a_graph_streams(*, is_paired: bool) -> None:
    pairs = [[chunk, {"langgraph_node": "agent", "langgraph_checkpoint_ns": "agent:1"}] for chunk in dumped(OTHERS)]
    events = pairs if is_paired else [["messages", pair] for pair in pairs]
    assert objects_of(events) == [summed(OTHERS[start:end]) for start, end in ADDED]


@pytest.mark.filterwarnings("ignore:The function `load` is in beta")
@pytest.mark.parametrize("source", ["live", "langchain", "langchain-stored"])
def test_a_call_that_broke_off_in_pieces_is_none_when_the_packages_load_it(source: str) -> None:
    load_all: Any = pytest.importorskip("langchain_core.load").load
    begun, rest = '{"city": "Par', 'is", "n": [1'
    pieces = [("f", begun, "c1"), (None, rest, None)]
    chunks = [{"name": name, "args": text, "id": call, "index": 0} for name, text, call in pieces]
    live = [
        messages.HumanMessage("q"),
        *(messages.AIMessageChunk("", id="r", tool_call_chunks=[one]) for one in chunks),
    ]
    stands = {"live": live, "langchain": dumpd(live), "langchain-stored": messages.messages_to_dict(live)}[source]
    loads: dict[str, Any] = {
        "langchain-objects": lambda value: value,
        "langchain": lambda value: load_all(value["messages"], allowed_objects="messages"),
        "langchain-stored": lambda value: messages.messages_from_dict(value["messages"]),
    }
    for form, load in loads.items():
        written = lighter.convert(stands, form)
        if form != source:  # which gives the pieces back as they stood
            answer = load(written.value)[1]
            assert answer.tool_calls == []
            assert [call["args"] for call in answer.invalid_tool_calls] == [begun + rest]
            assert "message-class" in {loss.feature for loss in written.losses}


def test_a_piece_that_javascript_stores_is_told_to_be_a_message() -> None:
    fields = {"content": "Hi", "additional_kwargs": {}, "response_metadata": {}, "tool_call_chunks": []}
    piece = {"lc": 1, "type": "constructor", "id": ["langchain_core", "messages", "AIMessageChunk"], "kwargs": fields}
    written = lighter.convert([piece], to="langchain-stored")
    assert written.value["messages"][0]["type"] == "ai"
    assert [(loss.path, loss.feature) for loss in written.losses] == [("/0/id/2", "message-class")]
