"""Streams that were logged at the same time, so that their pieces come by turns, are told apart by their ids."""

import io
from typing import Any

import pytest
from chat import jsonl, user
from hypothesis import given, settings
from hypothesis import strategies as st
from streamed import STREAMS, array, events, lines, linted, places

import lighter
from lighter import jsontext
from lighter.records import LineFault, Record
from lighter.streams import MOST_OPEN, gathered

OF_CHAT = [stream for stream in STREAMS if stream.format == "openai-chat" and "late" not in stream.name]
GEMINI = next(stream for stream in STREAMS if stream.format == "gemini")


def _named(chunks: list[Any], name: str, key: str = "id") -> list[Any]:
    return [{**chunk, key: name} for chunk in chunks]


def _piece(name: str, text: str, end: str | None = None) -> dict[str, Any]:
    choice = {"index": 0, "delta": {"role": "assistant", "content": text}, "finish_reason": end}
    return {"id": name, "object": "chat.completion.chunk", "choices": [choice]}


def _values(chunks: list[Any]) -> list[Any]:
    records = [Record(row, jsontext.encode(chunk), chunk) for row, chunk in enumerate(chunks, 1)]
    found = gathered(records, iter(()))
    assert found is not None
    return [item.value for item in found if not isinstance(item, LineFault)]


def _said(data: bytes) -> list[Any]:
    return [found.messages[0].content for found in lighter.load(io.BytesIO(data))]


@pytest.mark.parametrize("layout", [lines, events, array])
def test_pieces_of_two_answers_by_turns_are_two_answers(layout: Any) -> None:
    chunks = [_piece(*said) for said in (("a", "1"), ("b", "x"), ("a", "2"), ("b", "y"))]
    ends = [_piece("a", "3", "stop"), _piece("b", "z", "stop")]
    usage: list[Any] = [
        {"id": name, "object": "chat.completion.chunk", "choices": [], "usage": {"n": 1}} for name in ("a", "b")
    ]
    assert _said(layout([*chunks, *ends, *usage])) == ["123", "xyz"]
    assert "truncated-stream" not in [name for name, *_ in places(linted(layout([*chunks, *ends, *usage])))]
    cut = linted(layout([*chunks, ends[0]]))
    assert [name for name, *_ in places(cut) if name == "truncated-stream"] == ["truncated-stream"]


@settings(max_examples=40)
@given(st.data())
def test_streams_by_turns_are_the_streams_one_after_the_other(data: st.DataObject) -> None:
    sources = data.draw(st.lists(st.sampled_from([*OF_CHAT, GEMINI]), min_size=2, max_size=MOST_OPEN))
    queues = [
        _named(stream.chunks, f"r{number}", "responseId" if stream is GEMINI else "id")
        for number, stream in enumerate(sources)
    ]
    chunks = [queue[0] for queue in queues]
    left = [queue[1:] for queue in queues]
    turns = data.draw(st.permutations([number for number, queue in enumerate(left) for _ in queue]))
    chunks += [left[number].pop(0) for number in turns]
    expected = [value for queue in queues for value in _values(queue)]
    assert jsontext.is_same(_values(chunks), expected)


def test_an_id_that_is_given_again_after_the_end_is_another_answer() -> None:
    chunks = [_piece(name, text, "stop") for name, text in (("a", "1"), ("b", "2"), ("a", "3"))]
    assert _said(lines(chunks)) == ["1", "2", "3"]


def test_no_more_than_a_few_answers_are_waited_for() -> None:
    names = [f"c{number}" for number in range(MOST_OPEN + 1)]
    chunks = [*(_piece(name, "1") for name in names), *(_piece(name, "2", "stop") for name in reversed(names))]
    assert _said(lines(chunks)) == ["1", *["12"] * MOST_OPEN, "2"]


def test_a_line_that_cannot_be_read_may_be_of_any_answer_at_hand() -> None:
    pieces = [_piece("a", "1"), _piece("b", "x"), _piece("a", "2"), _piece("b", "y")]
    data = lines(pieces) + b"{broken\n" + lines([_piece("c", "?")])
    assert [(name, row) for name, row, _ in places(linted(data))] == [("invalid-json", 5), ("truncated-stream", 6)]


def test_pieces_by_turns_among_messages_are_two_streams() -> None:
    pieces = [_piece(name, "x") for name in ("a", "b", "a", "b")]
    found = places(linted(jsonl(user()) + lines(pieces) + jsonl(user()) + lines(pieces[:1])))
    assert [row for name, row, _ in found if name == "unmerged-stream-chunks"] == [2, 3, 7]


def test_odd_ids_and_indices_are_survived() -> None:
    odd: list[Any] = [[], {}, 1, 1.5, True]
    chunks = [{**_piece("a", "1", "stop"), "id": name} for name in odd for _ in range(2)]
    for chunk, index in zip(chunks, odd * 2, strict=True):
        chunk["choices"][0]["index"] = index
    assert len(_values(chunks)) >= 1
    assert linted(lines(chunks)).values == len(chunks)


def _of_response(name: str, text: str) -> list[dict[str, Any]]:
    """Give the events of a response; most of them do not name it."""
    part = {"type": "output_text", "text": text, "annotations": []}
    item = {"type": "message", "id": f"msg_{name}", "role": "assistant", "status": "completed", "content": [part]}
    begun: dict[str, Any] = {"id": name, "object": "response", "status": "in_progress", "output": []}
    return [
        {"type": "response.created", "sequence_number": 0, "response": begun},
        {"type": "response.output_item.added", "sequence_number": 1, "output_index": 0, "item": {**item, "content": []}},
        {"type": "response.output_text.delta", "sequence_number": 2, "item_id": f"msg_{name}", "output_index": 0, "content_index": 0, "delta": text},
        {"type": "response.completed", "sequence_number": 3, "response": {**begun, "status": "completed", "output": [item]}},
    ]  # fmt: skip


@given(st.permutations([0, 0, 0, 0, 1, 1, 1, 1]))
def test_responses_by_turns_are_told_apart_by_their_ids(turns: list[int]) -> None:
    """The last event names its response, and holds all of it."""
    queues = [_of_response("resp_a", "123"), _of_response("resp_b", "xyz")]
    expected = sorted(["123", "xyz"])
    chunks = [queues[number].pop(0) for number in turns]
    assert sorted(_said(lines(chunks))) == expected
    assert "truncated-stream" not in [name for name, *_ in places(linted(lines(chunks)))]


def test_a_converse_answer_that_broke_off_inside_a_record_lost_no_stop_reason() -> None:
    pieces = [{"messageStart": {"role": "assistant"}}, {"contentBlockDelta": {"delta": {"text": "Hel"}, "contentBlockIndex": 0}}]  # fmt: skip
    record = {"request": {"messages": [{"role": "user", "content": [{"text": "q"}]}]}, "response": pieces}
    (conversation,) = lighter.load(io.BytesIO(jsontext.encode(record)))
    assert [message.content for message in conversation.messages] == ["q", "Hel"]
    assert [extra for extra in conversation.ext if "stopReason" in extra.path] == []
