"""Streams of LangChain: chunks of an answer become its message, events of a graph its state, whatever is missing is told."""

import io
import json
from typing import Any

import pytest
from chat import jsonl, user
from hypothesis import given, settings
from hypothesis import strategies as st
from streamed import FILES, LANGCHAIN, Stream, array, assemble, lines, linted, places, written
from test_streams_odd import ANY

import lighter
from lighter import jsontext
from lighter.conversion import ConvertOptions, convert_stream

each_stream = pytest.mark.parametrize("stream", LANGCHAIN, ids=lambda stream: stream.name)
DUMPS = next(stream for stream in LANGCHAIN if stream.format == "langchain-dump")
GRAPH = next(stream for stream in LANGCHAIN if "messages" in stream.whole)
META = {"langgraph_node": "agent", "langgraph_checkpoint_ns": "agent:1"}
CALL = 5
"""How many chunks there are of an answer when its call has half its arguments."""


def told(data: bytes) -> list[tuple[str, Any, Any]]:
    """Tell what the messages of a file's only conversation say."""
    (conversation,) = lighter.load(io.BytesIO(data))
    return [
        (message.role, getattr(message, "content", ""), [c.arguments for c in getattr(message, "tool_calls", ())])
        for message in conversation.messages
    ]


@each_stream
def test_pieces_add_up_to_the_message(stream: Stream) -> None:
    joined = assemble(stream.format, stream.chunks)
    assert jsontext.is_same(joined.value, stream.whole)
    assert joined.is_complete
    assert {lost.feature for lost in joined.lost} <= {"piece-id", "stream-metadata"}


@each_stream
@pytest.mark.parametrize("layout", [name for name in FILES if name != "spread"])
def test_a_file_of_pieces_is_read_as_the_message(stream: Stream, layout: str) -> None:
    data = FILES[layout](stream.chunks)
    assert told(data) == told(lines([stream.whole]))
    assert linted(data, "x.json").diagnostics == []
    (conversation,) = lighter.load(io.BytesIO(data))
    assert conversation.format == stream.format
    assert lighter.detect(json.loads(array(stream.chunks))).stream == stream.format
    (value,), losses = written(data, stream.format)
    assert jsontext.is_same(jsontext.decode(json.dumps(value)), stream.whole)
    assert {loss.feature for loss in losses} <= {"piece-id", "stream-metadata", "stream-wrapper"}


@each_stream
def test_joining_leaves_the_pieces_as_they_were(stream: Stream) -> None:
    before = array(stream.chunks)
    first, second = (assemble(stream.format, stream.chunks) for _ in range(2))
    assert array(stream.chunks) == before
    assert jsontext.is_same(first.value, second.value)


@each_stream
def test_a_call_that_breaks_off_stays_text(stream: Stream) -> None:
    data = lines(stream.chunks[:CALL])
    assert told(data) == [("assistant", "I will look.", ['{"city": "Os'])]
    assert places(linted(data)) == [("truncated-stream", 1, "")]
    (value,), losses = written(data, "openai-chat")
    assert value["messages"][0]["tool_calls"][0]["function"]["arguments"] == '{"city": "Os'
    assert "truncated-stream" in {loss.feature for loss in losses}


@each_stream
@settings(max_examples=25, deadline=None)
@given(st.data())
def test_any_value_in_a_piece_is_survived(stream: Stream, data: st.DataObject) -> None:
    chunks = json.loads(array(stream.chunks))
    for _ in range(data.draw(st.integers(1, 3))):
        holder: Any = data.draw(st.sampled_from(chunks))
        while holder and isinstance(holder, dict | list):
            keys = sorted(holder) if isinstance(holder, dict) else range(len(holder))
            key: Any = data.draw(st.sampled_from(keys))
            if not isinstance(holder[key], dict | list) or data.draw(st.booleans()):
                holder[key] = data.draw(ANY)
                break
            holder = holder[key]
    linted(lines(chunks))
    for to in ("lighter", "langchain", "anthropic"):
        list(convert_stream(io.BytesIO(lines(chunks) + jsonl(user())), "x", ConvertOptions(to, format=stream.format)))


def test_answers_are_told_apart_by_their_ids_and_their_ends() -> None:
    others = [{**chunk, "id": "lc_run--2"} for chunk in DUMPS.chunks[1:3]]
    found = list(lighter.load(io.BytesIO(lines([*DUMPS.chunks, *others]))))
    assert [len(conversation.messages) for conversation in found] == [1, 1]
    assert places(linted(lines([*DUMPS.chunks, *others]))) == [("truncated-stream", len(DUMPS.chunks) + 1, "")]


def lc_chunk(text: str, name: str | None, **fields: Any) -> dict[str, Any]:
    kwargs = {"content": text, "type": "AIMessageChunk", "id": name, **fields}
    return {
        "lc": 1, "type": "constructor", "id": ["langchain", "schema", "messages", "AIMessageChunk"], "kwargs": kwargs,
    }  # fmt: skip


@pytest.mark.parametrize(
    ("chunks", "is_whole"),
    [
        ([lc_chunk("a", "lc_run--1"), lc_chunk("b", "lc_run--1")], False),
        ([lc_chunk("a", "msg_1"), lc_chunk("b", "lc_run--1"), lc_chunk("c", "lc_run--1")], False),
        ([lc_chunk("a", "lc_run--1"), lc_chunk("", "lc_run--1", chunk_position="last")], True),
        ([lc_chunk("a", "lc_run--1"), lc_chunk("b", "lc_run--1", response_metadata={"finish_reason": "stop"})], True),
        ([lc_chunk("a", "run--1"), lc_chunk("b", "run--1")], True),  # langchain-core before 1.0
        ([lc_chunk("a", None), lc_chunk("b", None)], True),
    ],
)
def test_streams_of_dumpd_end_with_a_chunk_that_says_so(chunks: list[Any], *, is_whole: bool) -> None:
    cut = [] if is_whole else [("truncated-stream", 1, "")]
    assert places(linted(lines(chunks))) == cut


def test_chunks_by_turns_are_two_answers() -> None:
    first, second = ([{**chunk, "id": f"run-{n}"} for chunk in DUMPS.chunks] for n in (1, 2))
    mixed = [chunk for pair in zip(first, second, strict=True) for chunk in pair]
    found = list(lighter.load(io.BytesIO(lines(mixed))))
    assert [conversation.messages[0].id for conversation in found] == ["run-1", "run-2"]
    assert found[0].messages[0].content == found[1].messages[0].content == "I will look."


def test_a_message_of_chunks_that_stands_alone_is_a_message() -> None:
    data = lines([DUMPS.whole])
    assert written(data, "langchain-dump") == ([json.loads(jsontext.encode(DUMPS.whole))], [])


def test_metadata_beside_chunks_is_named_once() -> None:
    _, losses = written(lines(GRAPH.chunks), "lighter")
    assert [(loss.feature, loss.row, loss.path) for loss in losses] == [
        ("stream-metadata", 1, "/1/1"),
        ("piece-id", 1, "/1/0/id"),
    ]


def event(message: dict[str, Any], **metadata: Any) -> list[Any]:
    return [message, {**META, **metadata}]


def human(text: str, name: str) -> dict[str, Any]:
    return {"type": "human", "content": text, "id": name, "additional_kwargs": {}, "response_metadata": {}}


def chunk(text: str, name: str | None, position: str | None = None) -> dict[str, Any]:
    return {"type": "AIMessageChunk", "content": text, "id": name, "tool_call_chunks": [], "chunk_position": position}


def test_a_state_stands_for_all_before_it() -> None:
    state: dict[str, Any] = {
        "messages": [human("Hi", "h1"), {"type": "ai", "content": "Hello!", "id": "a1"}],
        "step": 2,
    }
    events: list[Any] = [
        ["values", {"messages": [human("Hi", "h1"), human("oops", "h2")]}],
        ["messages", event(chunk("Hel", "a1"))],
        ["custom", {"progress": 1}],
        ["messages", event(chunk("lo!", "a1", "last"))],
        ["updates", {"agent": {"messages": [state["messages"][1]], "count": 1}}],
        ["values", state],
    ]
    assert [text for _, text, _ in told(lines(events))] == ["Hi", "Hello!"]
    (value,), losses = written(lines(events), "langchain-dump")
    assert value == state
    assert [(loss.feature, loss.row, loss.path) for loss in losses] == [
        ("stream-metadata", 2, "/1/1"),
        ("stream-event", 3, ""),
        ("stream-value", 5, "/1/agent/count"),
        ("stream-message", 1, "/1/messages/1"),
    ]
    # A list of events with a state in it is a record that holds a conversation.
    assert written(array(events), "langchain-dump") == ([json.loads(array(events))], [])


def test_states_of_subgraphs_are_not_the_state() -> None:
    inner = {"messages": [human("inner", "x")]}
    events: list[Any] = [
        [[], "values", {"messages": [human("Hi", "h1")]}],
        [["agent:1"], "values", inner],
        [["agent:1"], "messages", event(chunk("Hello!", "a1", "last"))],
    ]
    assert [text for _, text, _ in told(lines(events))] == ["Hi", "Hello!"]


def test_steps_that_stream_by_turns_are_told_apart() -> None:
    events = [
        event(chunk("a", "lc_run--1")),
        event(chunk("x", "lc_run--2"), langgraph_checkpoint_ns="other:2"),
        event(chunk("b", "msg_1")),
        event(chunk("y", None, "last"), langgraph_checkpoint_ns="other:2"),
        event(chunk("c", "lc_run--1", "last")),
    ]
    assert [text for _, text, _ in told(lines(events))] == ["abc", "xy"]


def test_threads_are_conversations() -> None:
    events = [event(chunk(text, name, "last"), thread_id=name) for text, name in (("a", "1"), ("b", "2"))]
    found = list(lighter.load(io.BytesIO(lines(events))))
    assert [conversation.messages[0].content for conversation in found] == ["a", "b"]


@pytest.mark.parametrize(
    "stream", [stream for stream in LANGCHAIN if "messages" not in stream.whole], ids=lambda s: s.name
)
def test_absurd_nesting_is_survived(stream: Stream) -> None:
    text = jsontext.encode_text(stream.chunks[1])
    deep = text.replace(
        '"additional_kwargs":{', '"additional_kwargs":{"deep":' + '{"a":' * 700 + "1" + "}" * 700 + ",", 1
    )
    data = "".join(f"{line.replace(',}', '}')}\n" for line in (text, deep, deep)).encode()
    assert "deep-nesting" in {found.name for found in linted(data).diagnostics}
    written(data, "langchain")
