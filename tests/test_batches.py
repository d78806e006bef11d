"""Batches: requests and answers of one file are joined by the id that the user gave."""

import io
import json
from typing import Any

import pytest
from chat import USER, jsonl

from lighter.conversation import Conversation
from lighter.conversion import ConvertOptions, convert_stream
from lighter.reading import load


def asked(given: str, text: str) -> dict[str, Any]:
    return {
        "custom_id": given,
        "params": {"model": "claude-sonnet-4-5", "messages": [{"role": "user", "content": text}]},
    }


def answered(given: str, text: str) -> dict[str, Any]:
    message = {
        "type": "message",
        "role": "assistant",
        "content": [{"type": "text", "text": text}],
        "stop_reason": "end_turn",
    }
    return {"custom_id": given, "result": {"type": "succeeded", "message": message}}


FAILED = {"custom_id": "b", "result": {"type": "errored", "error": {"type": "overloaded_error"}}}


def texts(*records: Any) -> list[list[str]]:
    """Load a file of records, and give the texts of each conversation."""
    found = load(io.BytesIO(jsonl(*records)))
    return [[message.content for message in one.messages] for one in found if isinstance(one, Conversation)]


@pytest.mark.parametrize(
    ("records", "expected"),
    [
        ([asked("a", "1"), asked("b", "2"), answered("b", "two"), answered("a", "one")], [["1", "one"], ["2", "two"]]),
        ([answered("a", "one"), asked("a", "1")], [["1", "one"]]),
        ([asked("a", "1"), asked("b", "2"), FAILED, answered("a", "one")], [["1", "one"], ["2"]]),
        ([asked("a", "1"), asked("a", "2"), answered("a", "one")], [["1", "one"], ["2"]]),
        ([asked("a", "1"), asked("b", "2"), answered("a", "one")], [["1", "one"], ["2"]]),
        ([asked("a", "1"), {"messages": [USER]}, answered("a", "one")], [["1", "one"], [USER["content"]]]),
        ([asked("a", "1"), asked("b", "2")], [["1"], ["2"]]),
        ([asked("a", "1"), answered("b", "two")], [["1"], ["two"]]),
    ],
    ids=[
        "any order",
        "answer first",
        "a failure",
        "an id used twice",
        "no answer",
        "a chat between",
        "requests alone",
        "strangers",
    ],
)
def test_halves_are_joined(records: list[Any], expected: list[list[str]]) -> None:
    assert texts(*records) == expected


def test_losses_of_a_joined_answer_name_its_own_record() -> None:
    data = jsonl(asked("a", "1"), answered("a", "one"))
    (piece,) = convert_stream(io.BytesIO(data), "batch.jsonl", ConvertOptions("openai-chat"))
    assert [message["role"] for message in json.loads(piece.records[0])["messages"]] == ["user", "assistant"]
    places = {(loss.row, loss.path) for loss in piece.losses}
    assert {(1, "/custom_id"), (2, "/custom_id"), (2, "/result/message/stop_reason")} <= places


def test_a_chat_and_its_batch_lines_are_told_apart() -> None:
    assert texts({"messages": [USER]}, asked("a", "1"), answered("a", "one"))[0] == [USER["content"]]


GEMINI = {"key": "b", "request": {"contents": [{"role": "user", "parts": [{"text": "2"}]}]}}


@pytest.mark.parametrize("to", ["lighter", "openai-chat", "bedrock"])
@pytest.mark.parametrize(
    ("request_line", "failure", "place"),
    [
        (asked("b", "2"), FAILED, "/result"),
        (asked("b", "2"), {"custom_id": "b", "result": {"type": "expired"}}, "/result"),
        (GEMINI, {"key": "b", "error": {"code": 3, "message": "BAD"}}, "/error"),
    ],
    ids=["errored", "expired", "gemini"],
)
def test_what_came_instead_of_an_answer_is_kept_or_named(
    to: str, request_line: dict[str, Any], failure: dict[str, Any], place: str
) -> None:
    (piece,) = convert_stream(io.BytesIO(jsonl(request_line, failure)), "batch.jsonl", ConvertOptions(to))
    assert {loss.feature for loss in piece.losses}.isdisjoint({"not-a-conversation"})
    if to == "lighter":
        assert {"format": "envelope", "path": place, "value": failure[place[1:]]} in json.loads(piece.records[0])["ext"]
    else:
        assert (2, place) in {(loss.row, loss.path) for loss in piece.losses}
