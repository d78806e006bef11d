"""Trimmed histories are shorter, valid, in order, and otherwise as they were; in every format and however they are given."""

import io
import json
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from chat import assistant, calls, jsonl, result, user
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from pace import at_most
from strategies import BODIES
from strategies.openai_chat import chats

import lighter
from lighter import CannotHold, Conversation, LighterError, Message, UserMessage, jsontext, lint, trim
from lighter.budgets import TrimOptions, removed
from lighter.envelope import open_value
from lighter.jsontext import value_at
from lighter.providers import TARGETS
from lighter.spans import Place, Span
from lighter.trimming import Trimming

RELAXED = settings(
    max_examples=25, deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much]
)
SYSTEM = {"role": "system", "content": "You know the tides."}
AGENT = [
    SYSTEM, user("one"), assistant("1"), user("two"), calls("a", "b"), result("b"), result("a"), calls("c"), result("c"),
    assistant("done"),
]  # fmt: skip
KEPT = {3: [0, 3, 9], 4: [0, 3, 9], 5: [0, 3, 7, 8, 9], 7: [0, 3, 7, 8, 9], 8: [0, *range(3, 10)], 10: [*range(10)]}


def listed(value: Any) -> list[Any]:
    """List the messages of a value."""
    return [raw for body in open_value(value).bodies for _, raw, _ in body.messages]


def found(value: Any, name: str, target: str | None) -> set[str]:
    """Give the names of what is wrong with a history, for somebody."""
    return {item.name for item in lint(value, target, format=name) if item.severity != "info"}


def count_all(value: Any, name: str) -> int:
    """Count characters of a history as lighter reads it, whatever they are."""
    return sum(len(message.content) + 1 for message in lighter.parse(value, name).messages)


@pytest.mark.parametrize(("most", "kept"), KEPT.items())
def test_newest_turns_stay_and_of_a_long_one_the_newest_rounds(most: int, kept: list[int]) -> None:
    trimmed = trim(AGENT, most)
    assert trimmed.value == [AGENT[index] for index in kept]
    assert [loss.path for loss in trimmed.losses] == [f"/{n}" for n in range(10) if n not in kept]
    assert {(loss.action, loss.feature) for loss in trimmed.losses} <= {("dropped", "over-budget")}


def test_a_budget_for_which_no_valid_history_is_short_enough_is_an_error() -> None:
    with pytest.raises(CannotHold, match="no valid history fits 2 messages: the shortest takes 3 messages"):
        trim(AGENT, 2)
    with pytest.raises(CannotHold, match="there is no turn of the user"):
        trim([assistant("a"), assistant("b")], 1)


def test_what_stands_in_no_list_cannot_be_taken_out() -> None:
    fixed, last = (
        Span("user", (Place(1, 1, path),), 1, 0, may_open=True, may_follow=False, is_fixed=path == "/a")
        for path in ("/a", "/b/0")
    )
    assert removed([fixed, last], 0, TrimOptions(2)) == []
    with pytest.raises(CannotHold, match="stands in no list"):
        removed([fixed, last], 0, TrimOptions(1))
    said = {"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": "2 m"}]}
    request = {"model": "m", "input": "Tide?", "output": [said]}
    with pytest.raises(CannotHold, match="takes 2 messages"):
        trim(request, 1)


@pytest.mark.parametrize("limits", [(), (0,), (None, -1)])
def test_a_budget_must_be_one(limits: tuple[int | None, ...]) -> None:
    with pytest.raises(LighterError, match=r"nothing to trim to|the least is 1"):
        trim(AGENT, *limits)


def check_it_is_valid_short_and_in_order(name: str, data: st.DataObject) -> None:
    body = json.loads(json.dumps(data.draw(BODIES[name])))
    messages = listed(body)
    most = data.draw(st.integers(1, max(1, len(messages))))
    try:
        trimmed = trim(body, most, format=name)
    except CannotHold:
        return
    kept = listed(trimmed.value)
    assert len(kept) <= most
    gone = [value_at(body, loss.path) for loss in trimmed.losses]
    assert Counter(map(jsontext.encode, (*kept, *gone))) == Counter(map(jsontext.encode, messages))
    rest = iter(messages)
    assert all(any(message == other for other in rest) for message in kept)
    assert trim(trimmed.value, most, format=name).value == trimmed.value
    for target in (None, *({name} & TARGETS.keys())):
        assert found(trimmed.value, name, target) <= found(body, name, target)


def check_tokens_stay_within_the_budget_of_any_counter(name: str, data: st.DataObject) -> None:
    body = json.loads(json.dumps(data.draw(BODIES[name])))
    if "tools" in body or name in ("gemini", "bedrock"):
        body = {key: value for key, value in body.items() if key not in ("tools", "toolConfig", "config")}
    whole = count_all(body, name)
    most = data.draw(st.integers(max(1, whole // 4), whole + 1))

    def count(message: Message) -> int:
        return len(message.content) + 1

    try:
        trimmed = trim(body, max_tokens=most, format=name, count=count)
    except CannotHold:
        return
    assert count_all(trimmed.value, name) <= most


CHECKS = (check_it_is_valid_short_and_in_order, check_tokens_stay_within_the_budget_of_any_counter)
each_check = pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.__name__.removeprefix("check_"))


@each_check
@settings(RELAXED, max_examples=60)
@given(data=st.data())
def test_a_trimmed_history(check: Callable[..., None], data: st.DataObject) -> None:
    check(data.draw(st.sampled_from(sorted(BODIES))), data)


@pytest.mark.slow
@pytest.mark.parametrize("name", BODIES)
@each_check
@settings(RELAXED, max_examples=150)
@given(data=st.data())
def test_a_trimmed_history_of_each_format(check: Callable[..., None], name: str, data: st.DataObject) -> None:
    check(name, data)


@RELAXED
@given(bodies=st.lists(chats(), min_size=1, max_size=3), most=st.integers(1, 8), data=st.data())
def test_logs_whose_sessions_alternate_are_trimmed_as_their_conversations(
    bodies: list[dict[str, Any]], most: int, data: st.DataObject
) -> None:
    left = [[{"session_id": n} | message for message in body["messages"]] for n, body in enumerate(bodies)]
    lines: list[dict[str, Any]] = []
    while any(left):
        lines.append(data.draw(st.sampled_from([log for log in left if log])).pop(0))
    try:
        with Trimming(io.BytesIO(jsonl(*lines)), "log.jsonl", TrimOptions(most, format="openai-chat")) as trimming:
            out = b"".join(record + b"\n" for piece in trimming.pieces() for record in piece.records)
    except CannotHold:
        return
    kept = [json.loads(line) for line in out.splitlines()]
    rest = iter(map(json.dumps, lines))
    assert all(any(json.dumps(line) == other for other in rest) for line in kept)
    for number, body in enumerate(bodies):
        log = [line for line in kept if line["session_id"] == number]
        try:
            wanted = trim(
                [{"session_id": number} | message for message in body["messages"]], most, format="openai-chat"
            ).value
        except CannotHold:
            wanted = []
        assert log == wanted


def test_untouched_records_and_the_rest_of_a_trimmed_one_keep_their_bytes(tmp_path: Path) -> None:
    whole = b'{"messages": [{"role": "user", "content": "a"}], "x": 1.10}'
    long = b'{ "n" : 1e3, "messages":[ {"role":"user","content":"a"} ,\t{"role":"assistant","content":"b"}, {"content":"\\u00e9","role":"user"} ] }'
    short = b'{ "n" : 1e3, "messages":[ {"content":"\\u00e9","role":"user"} ] }'
    with Trimming(io.BytesIO(whole + b"\n" + long + b"\n"), "f", TrimOptions(1)) as trimming:
        assert [piece.records for piece in trimming.pieces()] == [(whole,), (short,)]
        assert (trimming.conversations, trimming.trimmed, trimming.messages, trimming.removed) == (2, 1, 4, 2)
    path = tmp_path / "f.jsonl"
    path.write_bytes(whole + b"\n" + long + b"\n")
    trimmed = trim(path, 1)
    assert [listed(value) for value in trimmed.value] == [[user("a")], [user("é")]]
    assert {(loss.row, loss.filename) for loss in trimmed.losses} == {(2, str(path))}


def test_a_conversation_that_cannot_fit_is_left_out_unless_none_can() -> None:
    unfit, fit = {"messages": AGENT[3:]}, {"messages": [user("a"), user("b")]}
    with Trimming(io.BytesIO(jsonl(unfit, fit)), "f", TrimOptions(1)) as trimming:
        first, second = trimming.pieces()
        assert (trimming.unfit, trimming.removed) == (1, 1)
    assert (first.records, first.is_lost, [loss.path for loss in first.losses]) == ((), True, [""])
    assert not second.is_lost
    with pytest.raises(CannotHold, match=r"^f:1: no valid history fits 1 message: "):
        Trimming(io.BytesIO(jsonl(unfit, unfit)), "f", TrimOptions(1))
    both = trim([unfit, fit], 1)
    assert (both.value, [loss.path for loss in both.losses]) == ([{"messages": [user("b")]}], ["/0", "/1/messages/0"])


def test_messages_of_core_keep_their_kind() -> None:
    conversation = lighter.parse(AGENT)
    trimmed = trim(conversation, 5).value
    assert isinstance(trimmed, Conversation)
    assert trimmed.messages == lighter.parse(trim(AGENT, 5).value).messages
    assert lighter.convert(trimmed, "openai-chat").value == {"messages": trim(AGENT, 5).value}
    assert trim(list(conversation.messages), 5).value == list(trimmed.messages)
    assert trim([conversation], 5).value[0].messages == trimmed.messages
    assert trim((UserMessage("a"),), 1).value == (UserMessage("a"),)


def test_objects_of_an_sdk_stay_what_they_are() -> None:
    from openai.types.chat import ChatCompletionMessage

    said = ChatCompletionMessage(role="assistant", content="b")
    history = [user("a"), said, user("c"), said]
    assert trim(history, 2).value[1] is said
    assert trim({"messages": history}, 2).value["messages"] == history[2:]


def test_what_trim_messages_of_langchain_tears_stays_whole() -> None:
    """https://github.com/langchain-ai/langchain/issues/33245, still so in langchain-core 1.8.3."""
    pytest.importorskip("langchain_core")
    from langchain_core.messages import AIMessage, BaseMessage, HumanMessage, ToolMessage, trim_messages

    call = AIMessage("", tool_calls=[{"name": "f", "args": {}, "id": "c"}])
    history: list[BaseMessage] = [
        HumanMessage("a"),
        call,
        ToolMessage("1", tool_call_id="c"),
        AIMessage("b"),
        HumanMessage("c"),
    ]
    torn = trim_messages(history, max_tokens=3, token_counter=len, strategy="last")
    assert isinstance(torn[0], ToolMessage)
    kept = trim(history, 3).value
    assert [message.content for message in kept] == ["a", "b", "c"]
    assert kept[0] is history[0]


def test_a_loop_that_must_begin_with_thoughts_does() -> None:
    def turn(number: int, *first: dict[str, Any]) -> list[dict[str, Any]]:
        use = {"type": "tool_use", "id": f"toolu_{number}", "name": "f", "input": {}}
        back = {"type": "tool_result", "tool_use_id": f"toolu_{number}", "content": "ok"}
        return [{"role": "assistant", "content": [*first, use]}, {"role": "user", "content": [back]}]

    thought = {"type": "thinking", "thinking": "hm", "signature": "c2ln"}
    history = [user("go"), *turn(1, thought), *turn(2, thought), *turn(3)]
    body = {"thinking": {"type": "enabled", "budget_tokens": 1024}, "messages": history}
    assert listed(trim(body, 5).value) == [user("go"), *history[3:]]
    with pytest.raises(CannotHold):
        trim(body, 4)
    assert len(listed(trim(body | {"thinking": {"type": "disabled"}}, 4).value)) == 3


def test_a_counter_of_ones_own_also_counts_what_stands_beside_the_messages() -> None:
    body = {
        "system": "s" * 10,
        "tools": [{"name": "f", "input_schema": {}}],
        "messages": [user("a"), assistant("b"), user("c")],
    }
    seen: list[str] = []

    def count(message: Message) -> int:
        seen.append(message.content)
        return 10

    assert listed(trim(body, max_tokens=30, format="anthropic", count=count).value) == [user("c")]
    assert {"s" * 10, "f\n{}", "a", "b", "c"} == set(seen)


def test_streams_are_copied() -> None:
    chunk = {
        "object": "chat.completion.chunk",
        "id": "x",
        "choices": [{"index": 0, "delta": {"role": "assistant", "content": "a"}}],
    }
    data = jsonl(chunk, chunk)
    with Trimming(io.BytesIO(data), "f", TrimOptions(1)) as trimming:
        assert b"".join(record + b"\n" for piece in trimming.pieces() for record in piece.records) == data


@pytest.mark.slow
def test_time_goes_with_the_number_of_calls_of_one_message() -> None:
    calls = [{"id": f"c{n}", "type": "function", "function": {"name": "f", "arguments": "{}"}} for n in range(30_000)]
    results = [{"role": "tool", "tool_call_id": call["id"], "content": "r"} for call in calls]
    ask = {"role": "user", "content": "hi"}
    history = [ask, {"role": "assistant", "content": None, "tool_calls": calls}, *results, ask]
    with at_most(8):
        assert lighter.trim(history, max_messages=4).value == [ask]
