"""Streamed answers are joined: to what the provider would have given at once, from whatever file they stand in."""

import gzip
import io
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from chat import jsonl, user
from hypothesis import given, settings
from hypothesis import strategies as st
from streamed import (
    FILES,
    STREAMS,
    Stream,
    array,
    assemble,
    events,
    lines,
    linted,
    nested,
    pair,
    places,
    records,
    texts,
    without_nulls,
    written,
)

import lighter
from lighter import jsontext
from lighter.passage import Passage
from lighter.reading import Reading
from lighter.records import Record
from lighter.streams import Streamed, are_pieces, whole
from lighter_cli import main

each_stream = pytest.mark.parametrize("stream", STREAMS, ids=lambda stream: stream.name)
CHAT, CLAUDE = STREAMS[0], next(stream for stream in STREAMS if stream.format == "anthropic")
GEMINI = next(stream for stream in STREAMS if stream.format == "gemini")


# Whole streams


@each_stream
def test_pieces_add_up_to_the_answer(stream: Stream) -> None:
    joined = assemble(stream.format, stream.chunks)
    assert jsontext.is_same(without_nulls(joined.value), without_nulls(stream.whole))
    assert joined.is_complete
    assert joined.lost == ()


@each_stream
@pytest.mark.parametrize("layout", FILES)
def test_a_file_of_pieces_is_read_as_the_answer(stream: Stream, layout: str) -> None:
    data = FILES[layout](stream.chunks)
    alone = jsontext.encode(stream.whole)
    assert [d.name for d in linted(data, "x.json").diagnostics] == [d.name for d in linted(alone, "x.json").diagnostics]
    for to in ("lighter", "anthropic", "openai-chat"):
        value, losses = written(data, to)
        expected, expected_losses = written(alone, to)
        assert without_nulls(value) == without_nulls(expected)
        assert {loss.feature for loss in losses} <= {loss.feature for loss in expected_losses} | {"stream-wrapper"}
    (conversation,) = lighter.load(io.BytesIO(data))
    assert conversation.format == stream.format
    assert lighter.detect(json.loads(array(stream.chunks))).stream == stream.format


@each_stream
@pytest.mark.parametrize("layout", ["list", "text", "chunks", "events"])
def test_pieces_in_a_record_are_read_as_the_answer(stream: Stream, layout: str) -> None:
    data = {
        "list": pair(stream.chunks),
        "text": nested(stream.chunks),
        "chunks": pair(stream.chunks, "chunks"),
        "events": pair(stream.chunks, "events"),
    }[layout]
    (conversation,) = lighter.load(io.BytesIO(data))
    (alone,) = lighter.load(io.BytesIO(jsontext.encode(stream.whole)))
    assert [message.role for message in conversation.messages][:1] == ["user"]
    said = [message for message in conversation.messages if isinstance(message, lighter.AssistantMessage)]
    expected = [message for message in alone.messages if isinstance(message, lighter.AssistantMessage)]
    assert [message.content for message in said] == [message.content for message in expected]
    assert [_calls(message) for message in said] == [_calls(message) for message in expected]
    assert [d for d in linted(data).diagnostics if d.code.startswith("F")] == []


def _calls(message: lighter.AssistantMessage) -> list[tuple[str, str]]:
    return [(call.tool_name, call.arguments) for call in message.tool_calls]


def test_a_record_with_pieces_is_copied_as_it_is() -> None:
    (value,), losses = written(pair(CHAT.chunks), "openai-chat")
    assert value == json.loads(pair(CHAT.chunks))
    assert losses == []


def test_several_streams_are_several_answers() -> None:
    chunks = [*CHAT.chunks, *CLAUDE.chunks, *GEMINI.chunks, {**CHAT.chunks[1], "id": "chatcmpl-2"}]
    for data in (lines(chunks), events(chunks), array(chunks)):
        found = list(lighter.load(io.BytesIO(data)))
        assert [item.format for item in found] == ["openai-chat", "anthropic", "gemini", "openai-chat"]
        (finding,) = [d for d in linted(data, "x.json").diagnostics if d.name == "truncated-stream"]
        assert finding.path in ("", f"/{len(chunks) - 1}")


def test_streams_without_ids_are_told_apart_by_their_ends() -> None:
    chunks = [
        {"choices": [{"delta": {"content": text}, "finish_reason": end}]}
        for text, end in (("a", None), ("b", "stop")) * 3
    ]
    found = list(lighter.load(io.BytesIO(lines(chunks))))
    assert [item.messages[0].content for item in found] == ["ab"] * 3


# Streams that break off


@each_stream
def test_a_cut_stream_is_marked_and_nothing_is_invented(stream: Stream) -> None:
    known = set(texts(stream.whole)) | set(texts(stream.chunks))
    wholes = [*known, jsontext.encode_text(stream.whole)]
    for end in range(1, len(stream.chunks)):
        joined = assemble(stream.format, stream.chunks[:end])
        for text in texts(joined.value):
            assert text in _FORM or any(text in one for one in wholes) or _is_input(text, stream), text
        report = linted(lines(stream.chunks[:end]))
        is_cut = any(d.name == "truncated-stream" for d in report.diagnostics)
        assert is_cut or joined.is_complete or (end == 1 and stream.format == "gemini")
        assert [d.path for d in report.diagnostics if d.name == "truncated-stream"] in ([], [""])
        assert len(written(lines(stream.chunks[:end]))[0]) == 1


_FORM = {
    "assistant",
    "message",
    "chat.completion",
    "response",
    "text",
    "thinking",
    "tool_use",
    "reasoning",
    "output_text",
}
"""Words of the provider's form."""


def _is_input(text: str, stream: Stream) -> bool:
    """Say whether a text is the beginning of a call's input, which came in pieces."""
    return any(isinstance(one, str) and one and text.startswith(one) for one in texts(stream.chunks))


@each_stream
@settings(max_examples=40)
@given(st.data())
def test_a_file_cut_anywhere_is_read(stream: Stream, data: st.DataObject) -> None:
    layout = data.draw(st.sampled_from(["lines", "events", "spread", "array"]))
    whole_file = FILES[layout](stream.chunks)
    cut = whole_file[: data.draw(st.integers(1, len(whole_file) - 1))]
    report = linted(cut)
    assert report.is_recognised or not report.conversations
    if not report.values:
        return
    names = {found.name for found in report.diagnostics}
    is_marked = names & {"truncated-stream", "truncated-last-line", "truncated-document", "invalid-json"}
    (*_, last) = map(whole, records(cut))
    is_whole = not isinstance(last, Streamed) or not last.cuts
    assert is_marked or is_whole
    assert not {"truncated-stream", "truncated-last-line"} <= names or layout == "array"


def test_a_cut_call_keeps_its_arguments_as_they_came() -> None:
    for stream in STREAMS:
        for end in range(1, len(stream.chunks)):
            (conversation,) = lighter.load(io.BytesIO(lines(stream.chunks[:end])))
            for message in conversation.messages:
                for call in message.tool_calls if isinstance(message, lighter.AssistantMessage) else ():
                    assert _fits(call.arguments, stream)


def _fits(arguments: str, stream: Stream) -> bool:
    if arguments in ("", "{}"):
        return True
    told = jsontext.encode_text(stream.whole).replace("\\", "").replace(" ", "")
    bare = json.loads(arguments) if arguments.startswith('"') else arguments
    return bare.replace(" ", "") in told or json.dumps(json.loads(bare)).replace(" ", "") in told


def test_cut_arguments_arrive_as_they_came() -> None:
    bedrock = next(stream for stream in STREAMS if stream.format == "bedrock")
    for stream, end, text in ((CLAUDE, -4, '{"a": [1.10, '), (bedrock, -6, '{"city": "Os')):
        for data in (lines(stream.chunks[:end]), pair(stream.chunks[:end])):
            (value,), _ = written(data, "openai-chat")
            assert value["messages"][-1]["tool_calls"][-1]["function"]["arguments"] == text
            (passage,) = (piece for piece in Reading(io.BytesIO(data)) if isinstance(piece, Passage))
            (*_, last) = passage.entries
            assert isinstance(last.message, lighter.AssistantMessage)
            assert last.message.tool_calls[-1].arguments == text


ANSWER_BEGINS = {
    "anthropic": {
        "type": "message_start",
        "message": {"type": "message", "role": "assistant", "content": [], "stop_reason": None},
    },
    "bedrock": {"messageStart": {"role": "assistant"}},
}
CALL_BEGINS = {
    "anthropic": {
        "type": "content_block_start",
        "index": 0,
        "content_block": {"type": "tool_use", "id": "c1", "name": "f", "input": {}},
    },
    "bedrock": {"contentBlockStart": {"start": {"toolUse": {"toolUseId": "c1", "name": "f"}}, "contentBlockIndex": 0}},
}
NOTHING_YET = {
    "anthropic": {
        "type": "content_block_delta",
        "index": 0,
        "delta": {"type": "input_json_delta", "partial_json": ""},
    },
    "bedrock": {"contentBlockDelta": {"delta": {"toolUse": {"input": ""}}, "contentBlockIndex": 0}},
}
CALL_ENDS = {
    "anthropic": {"type": "content_block_stop", "index": 0},
    "bedrock": {"contentBlockStop": {"contentBlockIndex": 0}},
}


@pytest.mark.parametrize("name", ANSWER_BEGINS)
@pytest.mark.parametrize("layout", [lines, pair])
def test_a_call_that_was_cut_before_its_input_has_none(name: str, layout: Callable[[list[Any]], bytes]) -> None:
    start = [ANSWER_BEGINS[name], CALL_BEGINS[name]]
    for chunks, arguments in (
        (start, ""),
        ([*start, NOTHING_YET[name]], ""),
        ([*start, CALL_ENDS[name]], "{}"),
        ([*start, NOTHING_YET[name], CALL_ENDS[name]], "{}"),
    ):
        data = layout(chunks)
        (value,), losses = written(data, "openai-chat")
        assert value["messages"][-1]["tool_calls"][0]["function"]["arguments"] == arguments
        assert "truncated-stream" in [loss.feature for loss in losses]
        _, losses = written(data, "ollama")
        assert ("arguments" in [loss.feature for loss in losses]) == (not arguments)


def test_a_cut_answer_of_bedrock_has_no_stop_reason_to_lose() -> None:
    _, losses = written(lines([ANSWER_BEGINS["bedrock"], CALL_BEGINS["bedrock"]]), "openai-chat")
    assert [loss.feature for loss in losses] == ["truncated-stream"]


def test_what_breaks_off_is_told_once() -> None:
    data = lines(CLAUDE.chunks[:-4])
    assert places(linted(data)) == [("truncated-stream", 1, "")]
    assert places(linted(data + b'{"type": "content_block_de')) == [("truncated-last-line", len(CLAUDE.chunks) - 3, "")]
    assert [name for name, *_ in places(linted(b"\n".join([data, b"{broken", data])))] == [
        "invalid-json",
        "truncated-stream",
    ]


@each_stream
def test_a_loaded_conversation_tells_that_it_was_cut(stream: Stream) -> None:
    begun = stream.chunks[: 1 if stream.format == "openai-responses" else min(2, len(stream.chunks) - 1)]
    after = [*CLAUDE.chunks[:4], *stream.chunks]
    for data in (lines(begun), array(begun), pair(begun), lines(after), array(after)):
        found = list(lighter.load(io.BytesIO(data)))
        for told in (lighter.lint(found), [d for one in found for d in lighter.lint(one)]):
            assert [d.name for d in told if d.code in {"F121", "M101"}] == ["truncated-stream"]
    for one in lighter.load(io.BytesIO(lines(stream.chunks))):
        assert "truncated-stream" not in [d.name for d in lighter.lint(one)]


def test_convert_names_what_is_missing() -> None:
    (value,), losses = written(lines(CHAT.chunks[:9]))
    assert value["messages"][0]["toolCalls"][0]["arguments"] == '{"city": "Os'
    assert ("truncated-stream", "rewritten", 1, "") in [(x.feature, x.action, x.row, x.path) for x in losses]
    (_,), losses = written(lines([*CHAT.chunks[:3], {"error": {"message": "overloaded"}}]))
    assert ("stream-event", "dropped", 4, "") in [(x.feature, x.action, x.row, x.path) for x in losses]
    (_,), losses = written(pair(CHAT.chunks[:9]), "anthropic")
    assert ("truncated-stream", "/response/0") in [(x.feature, x.path) for x in losses]


# What is no stream


def test_pieces_among_messages_stay_a_fault() -> None:
    before, after = jsonl(user()) + lines(CHAT.chunks), lines(CHAT.chunks * 20) + jsonl(user())
    for data, row in ((before, 2), (after, 1)):
        assert ("unmerged-stream-chunks", row, "") in places(linted(data))
    assert not are_pieces([*CHAT.chunks, user()])
    assert not are_pieces([{"type": "ping"}])
    assert not are_pieces([])


def test_whole_answers_that_follow_one_another_are_no_stream() -> None:
    whole_answers = [{**GEMINI.whole, "responseId": name} for name in ("r1", "r2")]
    assert [type(record) for record in records(jsonl(*json.loads(array(whole_answers))))] == [Record, Record]
    assert len(list(lighter.load(io.BytesIO(array(whole_answers))))) == 2


def test_every_command_says_whose_stream_it_is(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "stream.sse.gz"
    path.write_bytes(gzip.compress(events(CLAUDE.chunks)))
    for words in (["lint"], ["show"], ["convert", "--to", "lighter"], ["formats", "--explain"]):
        assert main.run([*words, str(path)]) == 0
    assert "anthropic, streamed answers in pieces" in capsys.readouterr().out
    assert lighter.detect(path).stream == "anthropic"
    assert lighter.convert(json.loads(array(CLAUDE.chunks)), "anthropic").value["content"][2]["text"] == "11 °C"


# Places


BROKEN = [
    {"id": "c", "object": "chat.completion.chunk", "choices": [{"index": 0, "delta": delta, "finish_reason": end}]}
    for delta, end in (
        ({"role": "assistant", "content": ""}, None),
        (
            {
                "tool_calls": [
                    {"index": 0, "id": "a", "type": "function", "function": {"name": "f", "arguments": "{'a'"}}
                ]
            },
            None,
        ),
        ({"tool_calls": [{"index": 0, "function": {"arguments": ": 1}"}}]}, "tool_calls"),
    )
]


@pytest.mark.parametrize(
    ("data", "row", "column", "path"),
    [
        (lines(BROKEN), 1, 1, ""),
        (events(BROKEN), 6, 7, ""),
        (array(BROKEN), 1, 2, "/0"),
        (pair(BROKEN), 1, 114, "/response/0"),
        (pair(BROKEN, "chunks"), 1, 112, "/chunks/0"),
        (jsonl({"response": events(BROKEN).decode()}), 1, 14, "/response"),
    ],
)
def test_findings_and_losses_point_at_the_first_piece(data: bytes, row: int, column: int, path: str) -> None:
    (found,) = [d for d in linted(data, "x.json").diagnostics if d.name == "arguments-invalid-json"]
    assert (found.location.row, found.location.column, found.path) == (row, column, path)
    assert any("f({'a': 1})" in mark.line for mark in found.marks)
    _, losses = written(data, "anthropic")
    assert ("arguments", row, path) in [(loss.feature, loss.row, loss.path) for loss in losses]
