"""Pieces of streams that are odd: halves of characters, contradictions, wrappers, any value at all."""

import io
import json
from typing import Any

import pytest
from chat import jsonl, user
from hypothesis import given, settings
from hypothesis import strategies as st
from streamed import FILES, REQUEST, STREAMS, Stream, array, assemble, events, lines, linted, places, records, written

import lighter
from lighter import jsontext
from lighter.conversion import ConvertOptions, convert_stream
from lighter.records import Record
from lighter.streams import whole

each_stream = pytest.mark.parametrize("stream", STREAMS, ids=lambda stream: stream.name)
CHAT = STREAMS[0]


def test_halves_of_a_character_are_joined() -> None:
    chunks = [{"choices": [{"delta": {"content": half}}]} for half in ("\ud83d", "\ude00", "!")]
    assert assemble("openai-chat", chunks).value["choices"][0]["message"]["content"] == "\U0001f600!"


def test_values_that_contradict_each_other_are_named() -> None:
    chunks = [{"id": "c", "choices": [{"delta": {"content": "a"}}], "model": model} for model in ("m", "n", "n")]
    (lost,) = assemble("openai-chat", chunks).lost
    assert (lost.index, lost.path, lost.feature) == (1, "/model", "stream-value")
    assert lost.detail.endswith("and the same in 1 more piece")


def test_ids_of_every_piece_do_not_make_more_calls() -> None:
    calls = [
        {"index": 0, "id": "x", "function": {"name": "f", "arguments": "{"}},
        {"index": 0, "id": "y", "function": {"arguments": "}"}},
    ]
    chunks = [{"choices": [{"delta": {"tool_calls": [call]}}]} for call in calls]
    joined = assemble("openai-chat", chunks)
    (call,) = joined.value["choices"][0]["message"]["tool_calls"]
    assert (call["id"], call["function"]["arguments"]) == ("x", "{}")
    assert [lost.path for lost in joined.lost] == ["/choices/0/delta/tool_calls/0/id"]


def test_a_long_stream_is_joined_in_linear_time() -> None:
    chunks = [{"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": "ab " * 10}}] * 50_000
    assert len(assemble("anthropic", chunks).value["content"][0]["text"]) == 1_500_000


def test_items_stand_for_a_last_event_without_output() -> None:
    responses = next(stream for stream in STREAMS if stream.format == "openai-responses")
    *before, last = responses.chunks
    emptied = {**last, "response": {**last["response"], "output": []}}
    assert jsontext.is_same(assemble(responses.format, [*before, emptied]).value, responses.whole)
    assert jsontext.is_same(assemble(responses.format, before).value["output"], responses.whole["output"])


ANY = st.recursive(st.none() | st.booleans() | st.integers(-2, 9) | st.text(max_size=3), lambda inner: (
    st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(["type", "index", "delta", "text", "id", "name"]), inner, max_size=4)
), max_leaves=6)  # fmt: skip


@each_stream
@settings(max_examples=40)
@given(st.data())
def test_any_value_in_a_piece_is_survived(stream: Stream, data: st.DataObject) -> None:
    chunks = json.loads(array(stream.chunks))
    for _ in range(data.draw(st.integers(1, 3))):
        holder: Any = data.draw(st.sampled_from(chunks))
        while isinstance(holder, dict) and holder:
            key = data.draw(st.sampled_from(sorted(holder)))
            if not isinstance(holder[key], dict) or data.draw(st.booleans()):
                holder[key] = data.draw(ANY)
                break
            holder = holder[key]
    linted(lines(chunks))
    list(
        convert_stream(io.BytesIO(lines(chunks) + jsonl(user())), "x", ConvertOptions("lighter", format=stream.format))
    )


def test_what_stands_around_the_pieces_is_named() -> None:
    chunks = [{"data": chunk, "event": "x", "at": 3} for chunk in json.loads(array(CHAT.chunks[:4]))]
    (_,), losses = written(jsonl(*chunks))
    assert [(x.feature, x.row, x.path) for x in losses][:2] == [
        ("stream-wrapper", 1, "/at"),
        ("truncated-stream", 1, "/data"),
    ]
    assert places(linted(jsonl(*chunks))) == [("truncated-stream", 1, "/data")]


def test_events_before_the_first_piece_belong_to_it() -> None:
    chunks = [{"choices": [], "prompt_filter_results": [1]}, {"type": "ping"}, *CHAT.chunks]
    (found,) = lighter.load(io.BytesIO(lines(chunks)))
    assert found.messages[0].content == "Let me look."
    assert places(linted(lines(chunks))) == []


UNKNOWN: dict[str, list[Any]] = {
    "anthropic": [{"type": "future_event", "bar": 1}, {"type": "future_event", "index": 0, "delta": {"text": "x"}}],
    "bedrock": [{"futureEvent": {"a": 1}}, {"modelStreamErrorException": {"message": "boom"}}],
    "cohere": [{"type": "future-event", "delta": {}}],
}
"""Events of kinds that no stream has today, and an error."""


@each_stream
@pytest.mark.parametrize("layout", FILES)
def test_an_event_of_an_unknown_kind_is_named_and_the_answer_stays(stream: Stream, layout: str) -> None:
    (expected,), _ = written(lines(stream.chunks))
    for event in UNKNOWN.get(stream.format, ()):
        for place in (1, len(stream.chunks) // 2):
            data = FILES[layout]([*stream.chunks[:place], event, *stream.chunks[place:]])
            (value,), losses = written(data)
            assert value == expected
            assert [loss.action for loss in losses if loss.feature == "stream-event"] == ["dropped"]
            assert places(linted(data, "x.json")) == places(linted(FILES[layout](stream.chunks), "x.json"))


@pytest.mark.parametrize("layout", FILES)
def test_a_stream_without_its_beginning_is_marked(layout: str) -> None:
    for stream in STREAMS:
        report = linted(FILES[layout](stream.chunks[1:]), "x.json")
        if stream.format in ("anthropic", "bedrock", "cohere"):
            assert [name for name, *_ in places(report)] == ["truncated-stream"]


def _answer(text: str, end: str | None, index: int = 0) -> dict[str, Any]:
    candidate = {"content": {"role": "model", "parts": [{"text": text}]}, "index": index}
    return {"candidates": [candidate | ({"finishReason": end} if end else {})], "responseId": "r", "modelVersion": "m"}


@pytest.mark.parametrize(
    ("chunks", "said"),
    [
        ([("Paris.", "STOP"), ("Paris.", "STOP")], ["Paris.", "Paris."]),
        ([("Paris.", "STOP"), ("Oslo.", "STOP"), ("Rome.", "STOP")], ["Paris.", "Oslo.", "Rome."]),
        ([("Pa", None), ("ris.", "STOP"), ("Os", None), ("lo.", "STOP")], ["Paris.", "Oslo."]),
        ([("Pa", None), ("ris.", None), ("", "STOP"), ("Os", None), ("lo.", "STOP")], ["Paris.", "Oslo."]),
        ([("Paris.", "STOP"), ("", "STOP")], ["Paris."]),
        ([("", "STOP"), ("", "STOP"), ("Pa", None), ("ris.", None), ("", "STOP")], ["Paris."]),
    ],
)
def test_answers_of_gemini_with_one_id_are_told_apart_by_their_ends(
    chunks: list[tuple[str, str | None]], said: list[str]
) -> None:
    for write in (lines, events):
        found = list(lighter.load(io.BytesIO(write([_answer(*chunk) for chunk in chunks]))))
        assert [item.messages[0].content for item in found] == said


def test_candidates_that_end_at_different_times_are_of_one_answer() -> None:
    chunks = [_answer("a", "STOP"), _answer("b", None, 1), _answer("c", "STOP", 1)]
    assert len(records(lines(chunks))) == 1


def test_an_event_that_is_no_end_of_an_answer_is_a_stream_cut_off() -> None:
    assert places(linted(events([_answer("Pa", None)]))) == [("truncated-stream", 6, "")]
    assert places(linted(events([_answer("Paris.", "STOP")]))) == []


@each_stream
def test_a_request_is_followed_by_the_stream_that_it_asked_for(stream: Stream) -> None:
    alone = places(linted(lines(stream.chunks)))
    asked = jsonl(REQUEST) + lines(stream.chunks)
    found = list(lighter.load(io.BytesIO(asked * 2)))
    assert [item.messages[0].role for item in found] == ["user", "assistant"] * 2
    assert [(name, row - 1, path) for name, row, path in places(linted(asked))] == alone
    unasked = jsonl({"messages": REQUEST["messages"]}) + lines(stream.chunks)
    if stream.format in ("openai-chat", "anthropic"):
        assert "unmerged-stream-chunks" in {name for name, *_ in places(linted(unasked))}


def test_a_record_with_its_answer_needs_no_pieces() -> None:
    answered = {"messages": [user(), {"role": "assistant", "content": "11"}], "events": CHAT.chunks}
    assert whole(Record(1, b"", answered)).value is answered


def _gemini(call: dict[str, Any], **keys: Any) -> dict[str, Any]:
    return {
        "candidates": [{"content": {"role": "model", "parts": [{"functionCall": call}]}, **keys}],
        "responseId": "r",
    }


def test_streamed_arguments_of_gemini_are_joined() -> None:
    pieces: list[tuple[str, dict[str, Any]]] = [
        ("$.brightness", {"numberValue": 50}),
        ("$.where[0].room", {"stringValue": "living ", "willContinue": True}),
        ("$.where[0].room", {"stringValue": "room"}),
        ("$['is on']", {"boolValue": True}),
    ]
    chunks = [
        _gemini({"name": "light", "willContinue": True}),
        *(_gemini({"partialArgs": [{"jsonPath": path, **value}], "willContinue": True}) for path, value in pieces),
        _gemini({}),
        _gemini({"name": "off", "args": {}}, finishReason="STOP"),
    ]
    light, off = assemble("gemini", chunks).value["candidates"][0]["content"]["parts"]
    arguments = {"brightness": 50, "where": [{"room": "living room"}], "is on": True}
    assert light == {"functionCall": {"name": "light", "args": arguments}}
    assert off == {"functionCall": {"name": "off", "args": {}}}
    (cut,) = assemble("gemini", chunks[:3]).value["candidates"][0]["content"]["parts"]
    assert cut == {
        "functionCall": {
            "name": "light",
            "willContinue": True,
            "args": {"brightness": 50, "where": [{"room": "living "}]},
        }
    }
    odd = [
        _gemini({"name": "f", "willContinue": True}),
        _gemini({"partialArgs": [{"jsonPath": "$..x", "numberValue": 1}]}),
    ]
    (kept,) = assemble("gemini", odd).value["candidates"][0]["content"]["parts"]
    assert kept["functionCall"]["partialArgs"] == [{"jsonPath": "$..x", "numberValue": 1}]


CALL = {"functionCall": {"name": "f", "args": {}}}


def _signed(text: str, signature: str = "c2ln", key: str = "thoughtSignature") -> dict[str, Any]:
    return {"text": text, key: signature}


def _thought(part: dict[str, Any]) -> dict[str, Any]:
    return {**part, "thought": True}


@pytest.mark.parametrize(
    ("parts", "whole_parts"),
    [
        pytest.param([_signed("He"), {"text": "llo"}, {"text": ""}], [_signed("Hello")], id="signed first"),
        pytest.param([{"text": "He"}, _signed("l"), {"text": "lo"}], [_signed("Hello")], id="signed between"),
        pytest.param([{"text": "He"}, _signed("llo"), {"text": ""}], [_signed("Hello")], id="signed last"),
        pytest.param([{"text": "He"}, {"text": "llo"}, _signed("")], [_signed("Hello")], id="signed at the end"),
        pytest.param([_signed("He"), _signed("llo")], [_signed("Hello")], id="the same signature again"),
        pytest.param(
            [_signed("He"), _signed("l", "dHdv"), {"text": "lo"}],
            [_signed("He"), _signed("llo", "dHdv")],
            id="two signatures",
        ),
        pytest.param(
            [_thought({"text": "H"}), _thought(_signed("m")), {"text": ""}, {"text": "He"}, {"text": "llo"}],
            [_thought(_signed("Hm")), {"text": "Hello"}],
            id="a signed thought",
        ),
        pytest.param(
            [{"text": "He"}, _signed("llo"), CALL, {"text": ""}], [_signed("Hello"), CALL], id="a call after text"
        ),
        pytest.param([{"text": ""}, CALL, _signed("")], [CALL, _signed("")], id="a signature after a call"),
        pytest.param(
            [{"text": "He"}, _signed("llo", key="thought_signature")],
            [_signed("Hello", key="thought_signature")],
            id="snake case",
        ),
        pytest.param([{"text": ""}, {"text": ""}], [{"text": ""}], id="nothing at all"),
    ],
)
def test_texts_of_gemini_are_joined_and_keep_their_signature(
    parts: list[dict[str, Any]], whole_parts: list[dict[str, Any]]
) -> None:
    pieces = [{"candidates": [{"content": {"role": "model", "parts": [part]}}]} for part in parts]
    chunks = [*pieces, {"candidates": [{"content": {"role": "model", "parts": []}, "finishReason": "STOP"}]}]
    assert assemble("gemini", chunks).value["candidates"][0]["content"]["parts"] == whole_parts


def test_a_signature_does_not_tear_a_text_of_gemini_apart() -> None:
    parts = [{"text": "He"}, _signed("llo"), {"text": ""}]
    pieces: list[dict[str, Any]] = [{"content": {"role": "model", "parts": [part]}} for part in parts]
    chunks = [{"candidates": [piece]} for piece in (*pieces[:-1], {**pieces[-1], "finishReason": "STOP"})]
    (value,), losses = written(lines(chunks), "ollama")
    assert value["messages"][0]["content"] == "Hello"
    assert "thoughtSignature" in [loss.feature for loss in losses]


@each_stream
def test_joining_leaves_the_pieces_as_they_were(stream: Stream) -> None:
    before = array(stream.chunks)
    first, second = (assemble(stream.format, stream.chunks) for _ in range(2))
    assert array(stream.chunks) == before
    assert jsontext.is_same(first.value, second.value)


def test_what_stands_behind_the_events_of_a_text_is_named() -> None:
    piece = {
        "id": "c",
        "object": "chat.completion.chunk",
        "choices": [{"index": 0, "delta": {"content": "hi"}, "finish_reason": "stop"}],
    }
    text = f"data: {json.dumps(piece)}\n\ndata: [DONE]\n\nZq"
    record = {"request": {"messages": [{"role": "user", "content": "q"}]}, "response": text}
    (done,) = convert_stream(io.BytesIO(json.dumps(record).encode()), "x.jsonl", ConvertOptions("lighter"))
    assert [(loss.path, loss.feature, loss.action) for loss in done.losses] == [
        ("/response", "stream-value", "dropped")
    ]
