"""Rows of stores that hold a LangChain message each: what the stores' packages write is read, kept and mended in its place."""

import io
import json
from collections.abc import Callable
from typing import Any

import pytest
from chat import jsonl

import lighter
from lighter.conversion import ConvertOptions, convert_stream

CALL = {"name": "tide", "args": {"pier": 1}, "id": "c1", "type": "tool_call"}
FIELDS: dict[str, Any] = {"additional_kwargs": {}, "response_metadata": {}, "name": None, "id": None}
MESSAGES: list[dict[str, Any]] = [
    {"type": "human", "data": {"content": "Tide?", **FIELDS, "type": "human"}},
    {"type": "ai", "data": {"content": "Let me look.", **FIELDS, "type": "ai", "tool_calls": [CALL], "foo": 1}},
    {"type": "human", "data": {"content": "Never mind.", **FIELDS, "type": "human"}},
]

ROWS: dict[str, Callable[[int, dict[str, Any], str], dict[str, Any]]] = {
    "PostgresChatMessageHistory": lambda number, message, session: {
        "id": number, "session_id": session, "message": message, "created_at": "2026-03-01T08:00:00Z",
    },
    "SQLChatMessageHistory": lambda number, message, session: {
        "id": number, "session_id": session, "message": json.dumps(message),
    },
    "MongoDBChatMessageHistory": lambda number, message, session: {
        "_id": number, "SessionId": session, "History": json.dumps(message),
    },
    "ElasticsearchChatMessageHistory": lambda number, message, session: {
        "session_id": session, "created_at": number, "history": json.dumps(message),
    },
    "RedisChatMessageHistory": lambda number, message, session: {
        "type": message["type"], "message_id": f"01A{number}", "data": message["data"], "timestamp": 1.5, "session_id": session,
    },
}  # fmt: skip


def rows_of(store: str, session: str = "a") -> list[dict[str, Any]]:
    return [ROWS[store](number, message, session) for number, message in enumerate(MESSAGES)]


def converted(rows: list[dict[str, Any]], **options: Any) -> tuple[list[Any], list[lighter.Loss]]:
    """Convert rows as the lines of a file; gives the records, and the losses."""
    stream = io.BytesIO(jsonl(*rows))
    pieces = list(convert_stream(stream, "", ConvertOptions(**options)))
    records = [json.loads(record) for piece in pieces for record in piece.records]
    return records, [loss for piece in pieces for loss in piece.losses]


@pytest.mark.parametrize("store", ROWS)
def test_rows_are_the_messages_of_their_sessions(store: str) -> None:
    one, other = rows_of(store), rows_of(store, "b")
    mixed = [row for pair in zip(one, other, strict=True) for row in pair]
    found, losses = converted(mixed, to="openai-chat")
    assert [[m["content"] for m in record["messages"]] for record in found] == [
        ["Tide?", "Let me look.", "Never mind."]
    ] * 2
    beside = {key for key in one[0] if key not in ("message", "History", "history", "type", "data")}
    assert {loss.path for loss in losses if loss.row == 1 and loss.action == "dropped"} == {f"/{key}" for key in beside}


def opened(value: Any) -> Any:
    """Give JSON with the values of texts that are JSON themselves."""
    match value:
        case dict():
            return {key: opened(held) for key, held in value.items()}
        case str() if value.startswith("{"):
            return json.loads(value)
        case list():
            return [opened(item) for item in value]
        case _:
            return value


@pytest.mark.parametrize("store", ROWS)
def test_rows_are_given_back_as_they_were(store: str) -> None:
    rows = rows_of(store)
    assert converted(rows, to="langchain-stored") == (rows, [])
    held, losses = converted(rows, to="lighter")
    assert losses == []
    (back,), losses = converted(held, to="langchain-stored")
    assert [loss.path for loss in losses] == ["/id"]  # that of the conversation; each row has it
    assert opened(back["messages"]) == opened(rows)
    assert all(type(row[key]) is type(rows[0][key]) for row in back["messages"] for key in rows[0])


@pytest.mark.parametrize("store", ROWS)
def test_a_call_is_taken_out_of_its_row(store: str) -> None:
    rows = rows_of(store)
    (finding,) = (found for found in lighter.lint(rows) if found.severity == "error")
    assert finding.path.endswith("data/tool_calls/0")
    fixed = lighter.fix(rows, unsafe=True, select="P101", unanswered="drop").value
    assert lighter.lint(fixed, select="P101") == []
    kept = json.loads(json.dumps(rows).replace(json.dumps(json.dumps([CALL]))[1:-1], "[]"))
    assert fixed == json.loads(json.dumps(kept).replace(json.dumps([CALL]), "[]"))


def test_what_is_no_message_of_a_store_is_no_row() -> None:
    for row in ({"message": "Tide?"}, {"message": {"type": "human"}}, {"History": "{", "SessionId": "a"}):
        with pytest.raises(lighter.NotRecognised):
            lighter.parse([row, row])
