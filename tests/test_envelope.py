"""Envelopes: in which records messages are found, and where."""

import json
from typing import Any

import pytest
from chat import SAID, USER

from lighter import envelope
from lighter.envelope import open_value, session_of

CHAT: dict[str, Any] = {"choices": [{"index": 0, "message": SAID, "finish_reason": "stop"}], "usage": {}}
CLAUDE: dict[str, Any] = {"type": "message", "role": "assistant", "content": [], "stop_reason": "end_turn", "usage": {}}

CONVERSATIONS: dict[str, tuple[Any, list[str]]] = {
    "array": ([USER, SAID], ["/0", "/1"]),
    "empty array": ([], []),
    "array with a stranger": ([USER, "x"], ["/0", "/1"]),
    "request": ({"model": "m", "messages": [USER]}, ["/messages/0"]),
    "messages as JSON text": ({"messages": json.dumps([USER])}, ["/messages/0"]),
    "messages that are JSON texts": ({"messages": [json.dumps(USER)]}, ["/messages/0"]),
    "chat response": (CHAT, ["/choices/0/message"]),
    "claude response": (CLAUDE, [""]),
    "pair": (
        {"request": {"messages": [USER]}, "response": CHAT},
        ["/request/messages/0", "/response/choices/0/message"],
    ),
    "pair of JSON texts": (
        {"request": json.dumps({"messages": [USER]}), "response": json.dumps(CHAT)},
        ["/request/messages/0", "/response/choices/0/message"],
    ),
    "pair with a claude response": (
        {"request": {"messages": [USER]}, "response": CLAUDE},
        ["/request/messages/0", "/response"],
    ),
    "body of a batch": (
        {"requests": [{"custom_id": "a", "params": {"messages": [USER]}}]},
        ["/requests/0/params/messages/0"],
    ),
    "kwargs and response_obj": (
        {"kwargs": {"messages": [USER]}, "response_obj": CHAT},
        ["/kwargs/messages/0", "/response_obj/choices/0/message"],
    ),
    "request and failed response": (
        {"request": {"messages": [USER]}, "response": {"error": "429"}},
        ["/request/messages/0"],
    ),
    "two answers for preference tuning": (
        {"input": {"messages": [USER]}, "preferred_output": [SAID], "non_preferred_output": [SAID]},
        ["/input/messages/0", "/preferred_output/0"],
    ),
    "batch in": (
        {"custom_id": "1", "method": "POST", "url": "/v1/chat/completions", "body": {"messages": [USER]}},
        ["/body/messages/0"],
    ),
    "batch out": (
        {"id": "b", "custom_id": "1", "response": {"status_code": 200, "body": CHAT}, "error": None},
        ["/response/body/choices/0/message"],
    ),
    "claude batch in": ({"custom_id": "1", "params": {"messages": [USER]}}, ["/params/messages/0"]),
    "claude batch out": ({"custom_id": "1", "result": {"type": "succeeded", "message": CLAUDE}}, ["/result/message"]),
    "HTTP exchange": (
        {"request": {"url": "/v1", "body": {"messages": [USER]}}, "response": {"status": 200, "body": CHAT}},
        ["/request/body/messages/0", "/response/body/choices/0/message"],
    ),
    "HTTP exchange of JSON texts": (
        {"request": {"body": json.dumps({"messages": [USER]})}, "response": {"body": json.dumps(CHAT)}},
        ["/request/body/messages/0", "/response/body/choices/0/message"],
    ),
    "request with its response": (
        {"messages": [USER], "response": CHAT},
        ["/messages/0", "/response/choices/0/message"],
    ),
    "stored messages": ({"object": "list", "data": [USER, SAID]}, ["/data/0", "/data/1"]),
    "list of conversations": ([[USER], {"messages": [SAID]}], ["/0/0", "/1/messages/0"]),
    "list of messages as JSON texts": ([json.dumps(USER), json.dumps(SAID)], ["/0", "/1"]),
    "input and output": ({"input": [USER], "output": SAID}, ["/input/0", "/output"]),
}


@pytest.mark.parametrize(("value", "paths"), CONVERSATIONS.values(), ids=CONVERSATIONS)
def test_messages_are_found_in_every_envelope(value: Any, paths: list[str]) -> None:
    opened = open_value(value)
    assert opened.kind == "conversation"
    assert [path for body in opened.bodies for path, _, _ in body.messages] == paths


@pytest.mark.parametrize("name", ["pair", "pair of JSON texts", "batch out", "kwargs and response_obj"])
def test_what_stands_beside_the_bodies_is_kept(name: str) -> None:
    value = dict(CONVERSATIONS[name][0], trace="t1")
    (body,) = open_value(value).bodies
    assert ("/trace", "t1") in body.rest


def test_further_choices_are_branches() -> None:
    other = {"index": 1, "message": USER}
    (body,) = open_value({"choices": [CHAT["choices"][0], other]}).bodies
    assert body.branches == (("/choices/1", other),)


@pytest.mark.parametrize("value", [USER, SAID, {"role": 5}, {"content": "no role"}, {"tool_calls": []}], ids=str)
def test_messages_of_a_log(value: Any) -> None:
    assert open_value(value).kind == "message"


def test_an_answer_in_a_log_is_a_message_of_the_log() -> None:
    assert open_value(CLAUDE, in_log=True).kind == "message"


@pytest.mark.parametrize(
    "value", [1, None, "text", {}, {"a": 1}, {"type": "summary"}, [1, 2], {"request": "", "response": "x"}], ids=str
)
def test_strangers_are_no_conversations(value: Any) -> None:
    assert open_value(value).kind == "none"


@pytest.mark.parametrize("value", [
    {"object": "chat.completion.chunk", "choices": []},
    {"choices": [{"index": 0, "delta": {"content": "a"}}]},
    {"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": "a"}},
    {"type": "message_stop"},
], ids=str)  # fmt: skip
def test_pieces_of_a_stream(value: Any) -> None:
    assert open_value(value).kind == "chunk"


def test_sessions_are_told_by_many_keys() -> None:
    assert session_of({"thread_id": "t", "role": "user"}) == "t"
    assert session_of({"conversationId": 7}) == "7"
    assert session_of(USER) is None


def test_formats_can_open_records_of_their_own_shape(monkeypatch: pytest.MonkeyPatch) -> None:
    def opener(value: Any) -> envelope.Opened | None:
        turns = value.get("turns") if isinstance(value, dict) else None
        return envelope.Opened("conversation", (envelope.bare(turns, "/turns"),)) if isinstance(turns, list) else None

    monkeypatch.setattr(envelope, "_openers", lambda: (opener,))
    (body,) = open_value({"turns": [{"says": "hi"}]}).bodies
    assert body.messages == (("/turns/0", {"says": "hi"}, False),)
    assert open_value({"other": 1}).kind == "none"
