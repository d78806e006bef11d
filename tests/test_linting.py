"""Linting a file: layouts agree, sessions are told apart, reports are sorted, and memory does not grow with the file."""

import io
import json
import tracemalloc
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from chat import assistant, calls, jsonl, result, user
from hypothesis import given, settings
from hypothesis import strategies as st
from pace import at_most
from screening import report

from lighter.broken import MOST_TOLD
from lighter.conversation import Conversation
from lighter.diagnostics import Diagnostic
from lighter.errors import NotRecognised, UnknownFormat, UnknownName, UnreadableInput
from lighter.lint_files import lint
from lighter.linting import LintOptions, lint_stream, report_on
from lighter.messages import AssistantMessage, Message, ToolCall, UserMessage
from lighter.records import Record
from lighter.rule import Mode


def told(data: bytes, **options: Any) -> list[tuple[str, int, str]]:
    return [(d.name, d.location.row, d.path) for d in report(data, **options).diagnostics if d.severity != "info"]


# Layouts

IDS = st.sampled_from(["a", "b", "c", "", None, 7, "x" * 41])
CUT = st.lists(st.one_of(st.builds(user), st.builds(assistant), st.lists(IDS, min_size=1, max_size=2).map(lambda ids: calls(*ids)), IDS.map(result)), max_size=30)  # fmt: skip


@settings(max_examples=150, deadline=None)
@given(CUT, st.sampled_from([{"mode": "log"}, {"mode": "request"}]))
def test_a_log_is_judged_like_the_array_of_its_messages(messages: list[Any], aim: dict[str, Any]) -> None:
    if not messages:
        return
    options = {"format": "openai-chat", "select": ("P10",), **aim}
    by_line = [(d.name, f"/{d.location.row - 1}{d.path}") for d in report(jsonl(*messages), **options).diagnostics]
    as_array = [(d.name, d.path) for d in report(jsonl(messages), "array.json", **options).diagnostics]
    assert sorted(by_line) == sorted(as_array)


def test_a_result_comes_late_by_many_messages() -> None:
    log = [user(), calls("a"), *[user(str(n)) for n in range(60)], result("a"), assistant()]
    assert told(jsonl(*log)) == [("interleaved-message", 3, "")]


def test_only_what_is_not_ordinary_is_judged_after_an_unanswered_call() -> None:
    log = [
        user(),
        calls("a"),
        *[message for n in range(40) for message in (user(), calls(f"b{n}"), result(f"b{n}"), assistant())],
    ]
    assert told(jsonl(*log)) == [("missing-tool-result", 2, "/tool_calls/0")]


def test_the_result_of_a_settled_call_is_known_later() -> None:
    log = [calls("a"), result("a"), assistant(), *[user()] * 5, result("a"), user(), result("z"), user()]
    assert told(jsonl(*log)) == [("duplicate-tool-result", 9, ""), ("orphan-tool-result", 11, "")]


# Sessions


def test_sessions_may_interleave() -> None:
    log = [
        calls("a", session_id="x"),
        calls("a", session_id="y"),
        user(session_id="z"),
        result("a", session_id="y"),
        result("a", session_id="x"),
        result("a", session_id="z"),
    ]
    assert told(jsonl(*log)) == [("orphan-tool-result", 6, "")]
    assert report(jsonl(*log)).conversations == 3


def test_the_session_is_told_with_the_finding() -> None:
    [found] = report(jsonl(user(session_id="x"), result("a", session_id="x"))).diagnostics
    assert found.conversation == "x"


def test_a_system_message_begins_no_session() -> None:
    log = [{"role": "system", "content": "s"}, calls("a"), {"role": "system", "content": "s"}, result("a")]
    assert told(jsonl(*log)) == [("interleaved-message", 3, "")]


def test_many_sessions() -> None:
    log = [
        message
        for n in range(3000)
        for message in (user(session_id=f"s{n}"), calls("a", session_id=f"s{n}"), user(session_id=f"s{n}"))
    ]
    found = report(jsonl(*log))
    assert found.conversations == 3000
    assert len(found.diagnostics) == 3000


# Memory


def peak(values: Iterator[Any], **options: Any) -> float:
    """Give the megabytes that linting takes at most."""
    tracemalloc.start()
    report_on(
        (Record(n, data, json.loads(data)) for n, data in enumerate(map(jsonl, values), 1)),
        "log.jsonl",
        LintOptions(**options),
    )
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    return most / 1e6


TEXT = "x" * 10_000


@pytest.mark.parametrize(
    "turn",
    [
        [user(TEXT), assistant(TEXT)],
        [user(TEXT), calls("a"), result("a", content=TEXT)],
        [
            user(TEXT),
            {"role": "system", "content": TEXT},
            {"role": "system", "content": [{"type": "text", "text": TEXT}]},
        ],
    ],
    ids=["plain", "calls", "not ordinary"],
)
def test_an_endless_conversation_takes_bounded_memory(turn: list[Any]) -> None:
    report(jsonl(user(), result("z")))  # what is loaded once does not count
    assert peak(message for _ in range(600) for message in turn) < 12


# Reports


def test_findings_are_sorted_by_place() -> None:
    bodies = {"messages": [user(), *[calls(f"c{n}") for n in range(12)], user()]}
    found = report(jsonl(bodies)).diagnostics
    assert [d.path for d in found] == [f"/messages/{n}/tool_calls/0" for n in range(1, 13)]


def test_the_fingerprint_stays_when_lines_and_other_conversations_come_and_go() -> None:
    log = [user(session_id="x"), calls("a", session_id="x"), user(session_id="x")]
    [before] = report(jsonl(*log)).diagnostics
    more = [user(session_id="w"), result("q", session_id="w"), *log]
    after = report(b"\n\n" + jsonl(*more)).diagnostics
    assert before.fingerprint in [d.fingerprint for d in after]
    assert len({d.fingerprint for d in after}) == 2


def test_the_frame_shows_both_ends() -> None:
    [found] = report(jsonl(user(), calls("a"), user("late"), result("a"))).diagnostics
    assert [(mark.index, mark.is_primary) for mark in found.marks] == [(2, True), (1, False), (3, False)]
    assert "late" in found.marks[0].line
    assert found.marks[1].text in found.marks[1].line


def test_the_provider_is_quoted() -> None:
    [found] = report(jsonl(result("a"), user()), target="azure-openai").diagnostics
    assert found.note.startswith('Azure OpenAI refuses this: "messages with role')
    assert found.targets == tuple(sorted(found.targets))
    assert {"anthropic", "azure-openai", "openai-chat", "gemini"} <= set(found.targets)


@pytest.mark.parametrize(
    ("data", "is_recognised"),
    [
        (b'{"a": 1}\n{"b": 2}\n', False),
        (b'{"name": "package", "version": "1.0", "messages": {"hello": "Hello"}}', False),
        (b'{"type": "gemini", "content": "hi", "id": "1"}', False),
        (b"", True),
        (b"[]", True),
        (b"{nothing\n", True),
        (b'{"messages": []}', True),
        (jsonl(user()), True),
        (jsonl({"x": 1}, user()), True),
    ],
)
def test_what_is_no_conversation_is_not_recognised(data: bytes, is_recognised: bool) -> None:
    assert report(data).is_recognised is is_recognised


def test_records_without_a_conversation_are_counted() -> None:
    assert report(jsonl({"type": "session_meta"}, user())).notes == ("1 record without a conversation passed over",)


def test_progress_is_told_in_bytes() -> None:
    seen: list[int] = []
    data = jsonl(*[user(TEXT)] * 300)
    lint_stream(io.BytesIO(data), "log.jsonl", LintOptions(), seen.append)
    assert seen[-1] == len(data)
    assert seen == sorted(seen)
    assert len(seen) > 2


def test_unknown_names_are_errors() -> None:
    with pytest.raises(UnknownFormat):
        report(jsonl(user()), format="opena")
    with pytest.raises(UnknownName):
        report(jsonl(user()), target="antropic")
    with pytest.raises(UnknownName):
        report(jsonl(user()), select=("Z9",))


@pytest.mark.parametrize("value", ["NaN", '"\\ud83c"', "12345678901234567891"])
@pytest.mark.parametrize("shape", ["array", "object"])
def test_many_odd_numbers_of_one_record_are_quick(value: str, shape: str) -> None:
    count = 30_000
    items = ",".join(f'"k{n}":{value}' if shape == "object" else value for n in range(count))
    inner = f"{{{items}}}" if shape == "object" else f"[{items}]"
    with at_most(20):
        found = report(f'{{"role":"user","content":"hi","x":{inner}}}\n'.encode()).diagnostics
    assert len(found) == MOST_TOLD + 1
    assert found[-1].message.endswith(f"(and {count - MOST_TOLD - 1} more like it in this record)")


@pytest.mark.parametrize("call_id", [{}, {"id": None}, {"id": ""}])
def test_a_call_of_anthropic_without_an_id_is_told_once(call_id: dict[str, Any]) -> None:
    answered = {key.replace("id", "tool_use_id"): value for key, value in call_id.items()}
    log = [
        user(),
        {"role": "assistant", "content": [{"type": "tool_use", "name": "f", "input": {}, **call_id}]},
        {"role": "user", "content": [{"type": "tool_result", "content": "ok", **answered}]},
        assistant(),
    ]
    place = "/content/0" + "/id" * bool(call_id)
    assert told(jsonl(*log), format="anthropic") == [("missing-tool-id", 2, place)]
    assert told(jsonl(log), format="anthropic") == [("missing-tool-id", 1, "/1" + place)]


@pytest.mark.parametrize("target", ["anthropic", "gemini", "bedrock", "ollama"])
def test_half_a_character_in_the_text_of_arguments_is_seen_where_they_are_objects(target: str) -> None:
    text = '{"n": [1, "\\ud83c"], "whole": "\\ud83c\\udfa8"}'
    log = [user(), calls("a", arguments=text), result("a"), assistant(), user()]
    where = "/tool_calls/0/function/arguments/n/1"
    assert told(jsonl(*log), target=target) == [("lone-surrogate", 2, where)]
    assert told(jsonl(*log), target="openai-chat") == told(jsonl(*log)) == []


@pytest.mark.parametrize("target", ["generic", "openai-chat", "anthropic", "gemini", "bedrock"])
@pytest.mark.parametrize("mode", ["log", "request"])
def test_an_assistant_that_speaks_on_has_not_been_answered(target: str, mode: Mode) -> None:
    use = {"role": "assistant", "content": [{"type": "tool_use", "id": "a", "name": "f", "input": {}}]}
    said = {"role": "assistant", "content": [{"type": "text", "text": "ok"}]}
    assert told(jsonl(user(), use, said), target=target, mode=mode) == [("missing-tool-result", 2, "/content/0")]


# The library


def names(found: list[Diagnostic]) -> list[tuple[str, str]]:
    return [(d.name, d.path) for d in found]


def test_objects_are_linted_like_files(tmp_path: Path) -> None:
    chat = [user(), calls("a"), user()]
    assert names(lint(chat)) == [("missing-tool-result", "/1/tool_calls/0")]
    assert names(lint({"messages": chat})) == [("missing-tool-result", "/messages/1/tool_calls/0")]
    assert names(lint([{"messages": chat}, {"messages": chat}])) == [
        ("missing-tool-result", "/0/messages/1/tool_calls/0"),
        ("missing-tool-result", "/1/messages/1/tool_calls/0"),
    ]
    path = tmp_path / "log.jsonl"
    path.write_bytes(jsonl(*chat))
    assert names(lint(path)) == names(lint(str(path))) == [("missing-tool-result", "/tool_calls/0")]
    assert lint(chat, ignore=["P"]) == []
    assert lint(chat, mode="log", select=["M"]) == []


def test_messages_of_the_library_are_linted() -> None:
    chat: list[Message] = [
        UserMessage("hi"),
        AssistantMessage("", tool_calls=(ToolCall("a", "f", "{}"),)),
        UserMessage("late"),
    ]
    assert [d.name for d in lint(chat)] == [d.name for d in lint(Conversation(tuple(chat)))] == ["missing-tool-result"]


def test_an_object_that_is_no_conversation() -> None:
    with pytest.raises(NotRecognised):
        lint({"a": 1})


@settings(max_examples=200, deadline=None)
@given(
    st.binary(max_size=200)
    | st.lists(
        st.sampled_from(['{"role":"', "user", '"', "}", "\n", "[", "]", "{", ",", ':"', "content", "\\", "\0", "é"]),
        max_size=25,
    )
    .map("".join)
    .map(str.encode)
)
def test_no_bytes_make_it_raise(data: bytes) -> None:
    with suppress(UnreadableInput):
        assert report(data).filename == "log.jsonl"


def test_a_selector_may_be_a_text_alone() -> None:
    found = lint([result("a")], format="openai-chat", select="P102")
    assert [diagnostic.code for diagnostic in found] == ["P102"]
    assert lint([result("a")], format="openai-chat", ignore="P102") == []


# Files of several formats


def converse_log(text: Any) -> dict[str, Any]:
    body = {"messages": [{"role": "user", "content": [{"text": text}]}]}
    return {"operation": "Converse", "modelId": "m", "input": {"inputBodyJson": body}}


def invoke_log(content: Any) -> dict[str, Any]:
    said = {"role": "assistant", "content": [{"type": "text", "text": "a"}], "stop_reason": "end_turn"}
    asked = {"anthropic_version": "bedrock-2023-05-31", "messages": [{"role": "user", "content": content}]}
    answer = {"id": "msg_1", "type": "message", **said}
    return {
        "operation": "InvokeModel",
        "modelId": "m",
        "input": {"inputBodyJson": asked},
        "output": {"outputBodyJson": answer},
    }


def batch_line(value: dict[str, Any]) -> dict[str, Any]:
    return {"recordId": "1", "modelInput": value["input"]["inputBodyJson"]}


@pytest.mark.parametrize("is_turned", [False, True])
@pytest.mark.parametrize("line", [lambda value: value, batch_line], ids=["log", "batch"])
@pytest.mark.parametrize(
    ("content", "found"), [("q", []), ([{"type": "text", "text": "q"}], []), (7, ["content-wrong-type"])]
)
def test_what_was_sent_to_one_provider_is_judged_by_its_own_rules(
    content: Any, found: list[str], line: Any, is_turned: bool
) -> None:
    records = [line(converse_log("q")), line(converse_log("q")), line(invoke_log(content))]
    names = [name for name, _, _ in told(jsonl(*(records[::-1] if is_turned else records)))]
    assert names == found
