"""Reading files: passages are cut where no call is open, sessions are kept apart, conversations are joined again."""

import gzip
import io
import json
from pathlib import Path
from typing import Any

import pytest
from chat import SAID, USER, calls, jsonl, result

from lighter import AssistantMessage, Conversation, NotRecognised, ToolMessage, UserMessage, load
from lighter.passage import Passage
from lighter.reading import Reading, read_passages
from lighter.records import LineFault
from lighter.traffic import traffic
from lighter.turns import WINDOW


def stream(*values: Any) -> io.BytesIO:
    return io.BytesIO(jsonl(*values))


def sizes(*values: Any) -> list[int]:
    return [len(part.messages) for part in read_passages(stream(*values)) if isinstance(part, Passage)]


@pytest.mark.parametrize(("values", "expected"), [
    ([USER, SAID, USER], [1, 1, 1]),
    ([USER, calls("a"), result("a"), SAID], [1, 2, 1]),
    ([USER, calls("a", "b"), result("b"), result("a"), result("a"), SAID], [1, 5]),
    ([USER, calls("a"), USER, result("a"), SAID], [1, 3, 1]),
    ([calls("a")], [1]),
])  # fmt: skip
def test_a_log_is_cut_where_no_call_is_open(values: list[Any], expected: list[int]) -> None:
    assert sizes(*values) == expected


def test_a_call_without_result_does_not_hold_the_whole_log() -> None:
    assert max(sizes(calls("a"), *[USER, SAID] * WINDOW)) <= WINDOW + 2


def test_passages_know_their_place() -> None:
    first, second, third = (part for part in read_passages(stream(USER, SAID, USER)) if isinstance(part, Passage))
    assert (first.is_first, first.is_last, first.before) == (True, False, None)
    assert (third.is_first, third.is_last, third.before) == (False, True, second.messages[0])
    assert [message.index for part in (first, second, third) for message in part.messages] == [0, 1, 2]


def test_sessions_may_be_interleaved() -> None:
    values = [dict(message, session_id=name) for message in (USER, SAID) for name in ("one", "two")]
    found = list(load(stream(*values)))
    assert [(c.id, c.layout, [m.content for m in c.messages]) for c in found] == [
        ("one", "messages", ["hi", "hello"]),
        ("two", "messages", ["hi", "hello"]),
    ]
    assert [origin.row for origin in found[1].origins] == [2, 4]


def test_sessions_come_in_the_order_of_their_beginnings() -> None:
    rows = [("one", USER), ("two", USER), ("two", SAID), ("one", SAID), ("three", USER)]
    values = [dict(message, session_id=name) for name, message in rows]
    assert [found.id for found in load(stream(*values))] == ["one", "two", "three"]


def test_a_conversation_comes_when_its_session_has_ended() -> None:
    values = [dict(message, session_id=str(number)) for number in range(200) for message in (USER, SAID)]
    source = stream(*values)
    found = load(source)
    next(found)
    assert source.tell() < len(source.getvalue())


def test_a_second_system_message_does_not_split_a_log() -> None:
    system = {"role": "system", "content": "s"}
    (found,) = load(stream(system, USER, SAID, system, USER))
    assert len(found.messages) == 5


def test_conversations_and_logs_in_one_file() -> None:
    found = list(load(stream({"messages": [USER, SAID]}, {"messages": [USER]}, USER, SAID)))
    assert [len(c.messages) for c in found] == [2, 1, 2]


def test_broken_lines_do_not_stop_the_reading() -> None:
    data = stream({"messages": [USER]}).getvalue() + b"{broken\n" + stream({"messages": [SAID]}).getvalue()
    parts = list(read_passages(io.BytesIO(data)))
    assert [type(part) for part in parts] == [Passage, LineFault, Passage]
    assert len(list(load(io.BytesIO(data)))) == 2


def test_compressed_files_and_pretty_printed_ones(tmp_path: Path) -> None:
    zipped = tmp_path / "log.jsonl.gz"
    zipped.write_bytes(gzip.compress(stream(USER, SAID).getvalue()))
    pretty = tmp_path / "request.json"
    pretty.write_text(json.dumps({"messages": [USER, SAID]}, indent=2))
    for path in (zipped, pretty):
        (found,) = load(path)
        assert found.messages == (UserMessage("hi"), AssistantMessage("hello"))


def test_results_are_named_after_their_calls() -> None:
    (found,) = load(stream(USER, calls("a"), result("a")))
    assert isinstance(found, Conversation)
    assert found.messages[2] == ToolMessage("a", "f", "ok", None)


def test_what_is_no_transcript_is_not_recognised() -> None:
    with pytest.raises(NotRecognised, match="no conversation recognised"):
        list(load(stream({"a": 1})))
    with pytest.raises(NotRecognised, match="looks like openhands"):
        list(load(stream({"source": "agent", "action": "run", "message": "hi"})))


def test_a_reading_tells_what_it_was_taken_for() -> None:
    reading = Reading(stream(USER, calls("a"), result("a")))
    assert (reading.format, reading.detection.layout) == ("openai-chat", "messages")
    assert Reading(stream(USER), format="claude").format == "anthropic"


@pytest.mark.parametrize(("raw", "called", "answered"), [
    (calls("a", "b"), ["a", "b"], []),
    (result("a"), [], ["a"]),
    ({"role": "assistant", "function_call": {"name": "f"}}, ["function"], []),
    ({"role": "assistant", "content": [{"type": "tool_use", "id": "t"}]}, ["t"], []),
    ({"role": "user", "content": [{"type": "tool_result", "tool_use_id": "t"}, {"type": "text"}]}, [], ["t"]),
    ({"role": "assistant", "toolCalls": [{"callId": "c"}]}, ["c"], []),
    ({"role": "tool", "callId": "c"}, [], ["c"]),
    ({"tool_calls": 5, "content": 7}, [], []),
    ("text", [], []),
])  # fmt: skip
def test_traffic_of_raw_messages(raw: Any, called: list[str], answered: list[str]) -> None:
    assert traffic(raw) == (called, answered)
