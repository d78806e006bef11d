"""Calls and results are paired turn by turn, and each cause is one fact."""

from collections.abc import Iterator
from typing import Any

import pytest
from chat import assistant, calls, result, user
from hypothesis import given
from hypothesis import strategies as st
from passages import passage_of

from lighter.pairing import pair
from lighter.pairs import Pairing
from lighter.turns import WINDOW


def uses(*ids: str) -> dict[str, Any]:
    return {"role": "assistant", "content": [{"type": "tool_use", "id": id_, "name": "f", "input": {}} for id_ in ids]}


def results(*ids: str) -> dict[str, Any]:
    return {"role": "user", "content": [{"type": "tool_result", "tool_use_id": id_, "content": "ok"} for id_ in ids]}


def facts(found: Pairing) -> Iterator[str]:
    """Tell the faults in a pairing as short lines."""
    yield from (f"missing {call.path}" for call in found.unanswered)
    yield from (f"pending {call.path}" for call in found.pending)
    yield from (f"orphan {orphan.result.path}" for orphan in found.orphans)
    yield from (
        f"duplicate call {r.call.id_path} {'here' if r.is_same_turn else 'earlier'}" for r in found.repeated_calls
    )
    yield from (f"duplicate result {repeated.result.path}" for repeated in found.repeated_results)
    yield from (f"intruder {intrusion.message.path}" for intrusion in found.intrusions)
    yield from (f"split {split.message.path}" for split in found.splits)


ASSISTANT = assistant()
LEGACY = {"role": "assistant", "content": None, "function_call": {"name": "f", "arguments": "{}"}}
FUNCTION = {"role": "function", "name": "f", "content": "ok"}

CHATS: dict[str, tuple[list[Any], list[str]]] = {
    "answered": ([user(), calls("a"), result("a"), ASSISTANT], []),
    "answered in another order": ([calls("a", "b"), result("b"), result("a"), user()], []),
    "never answered": ([calls("a"), user()], ["missing /0/tool_calls/0"]),
    "one of two": ([calls("a", "b"), result("a"), user()], ["missing /0/tool_calls/1"]),
    "still open": ([user(), calls("a")], ["pending /1/tool_calls/0"]),
    "one of two still open": ([calls("a", "b"), result("b")], ["pending /0/tool_calls/0"]),
    "two turns open": ([calls("a"), calls("b")], ["missing /0/tool_calls/0", "pending /1/tool_calls/0"]),
    "orphan": ([result("z"), user()], ["orphan /0"]),
    "mismatch": ([calls("a"), result("b"), user()], ["missing /0/tool_calls/0", "orphan /1"]),
    "mismatch at the end": ([calls("a"), result("b")], ["pending /0/tool_calls/0", "orphan /1"]),
    "result before its call": ([user(), result("a"), calls("a"), user()], ["orphan /1"]),
    "results before their calls": ([result("a"), result("b"), calls("a", "b"), user()], ["orphan /0", "orphan /1"]),
    "late": ([calls("a"), user(), result("a")], ["intruder /1"]),
    "late, two in between": ([calls("a"), user(), ASSISTANT, result("a")], ["intruder /1"]),
    "late, another turn in between": ([calls("a"), calls("b"), result("a"), result("b")], ["intruder /1"]),
    "late, one of two": ([calls("a", "b"), result("a"), user(), result("b")], ["intruder /2"]),
    "twice": ([calls("a"), result("a"), result("a"), user()], ["duplicate result /2"]),
    "twice, later": ([calls("a"), result("a"), user(), ASSISTANT, result("a")], ["duplicate result /4"]),
    "id used again": (
        [calls("a"), result("a"), calls("a"), result("a")],
        ["duplicate call /2/tool_calls/0/id earlier"],
    ),
    "id used again, first unanswered": (
        [calls("a"), user(), calls("a"), result("a")],
        ["missing /0/tool_calls/0", "duplicate call /2/tool_calls/0/id earlier"],
    ),
    "one id twice in a turn": ([calls("a", "a"), result("a"), user()], ["duplicate call /0/tool_calls/1/id here"]),
    "one id twice, answered twice": (
        [calls("a", "a"), result("a"), result("a"), user()],
        ["duplicate call /0/tool_calls/1/id here"],
    ),
    "one id twice, answered three times": (
        [calls("a", "a"), result("a"), result("a"), result("a"), user()],
        ["duplicate call /0/tool_calls/1/id here", "duplicate result /3"],
    ),
    "no ids": ([calls(None), result(None), user()], []),
    "empty ids": ([calls(""), result(""), user()], []),
    "no id on the result": ([calls("a", "b"), result("b"), result(None), user()], []),
    "no id on the call": ([calls(None), result("a"), user()], []),
    "no id on the call, no result": ([calls(None), user()], ["missing /0/tool_calls/0"]),
    "number and text": ([calls(7), result("7"), user()], []),
    "old kind": ([LEGACY, FUNCTION, ASSISTANT], []),
    "old kind, unanswered": ([LEGACY, user()], ["missing /0/function_call"]),
    "old kind, answered by a tool": ([LEGACY, {"role": "tool", "content": "ok"}, user()], []),
    "broken call": ([{**calls("a"), "tool_calls": [{"id": "a"}]}, result("a"), user()], []),
    "broken call without id": ([{**calls("a"), "tool_calls": ["a"]}, result("a"), user()], []),
    "calls that are no list": ([{**calls("a"), "tool_calls": {"id": "a"}}, result("a"), user()], []),
    "call without a name": (
        [
            {**calls("a"), "tool_calls": [{"id": "a", "type": "function", "function": {"name": None}}]},
            result("a"),
            user(),
        ],
        [],
    ),
    "calls of a user": ([{**calls("a"), "role": "user"}, result("a"), user()], []),
    "answer in a wrong role": ([calls("a"), {**result("a"), "role": "user"}, user()], []),
    "answer in an unknown role": ([calls("a"), {**result("a"), "role": "tool_result"}, user()], []),
    "answer in another format": ([calls("a"), results("a"), user()], []),
    "too late": (
        [calls("a"), *[user()] * WINDOW, result("a")],
        ["missing /0/tool_calls/0", f"orphan /{WINDOW + 1}"],
    ),
    "just in time": ([calls("a"), *[user()] * (WINDOW - 1), result("a")], ["intruder /1"]),
    "no messages at all": ([3, None, "x", []], []),
}

CLAUDE: dict[str, tuple[list[Any], list[str]]] = {
    "answered": ([user(), uses("a"), results("a"), ASSISTANT], []),
    "rows of one turn": ([uses("a"), ASSISTANT, uses("b"), results("a", "b")], []),
    "never answered": ([uses("a"), user()], ["missing /0/content/0"]),
    "spoken on": ([user(), uses("a"), ASSISTANT], ["missing /1/content/0"]),
    "spoken on, then called": ([uses("a"), ASSISTANT, uses("b")], ["missing /0/content/0", "pending /2/content/0"]),
    "called twice": ([uses("a"), uses("b")], ["pending /0/content/0", "pending /1/content/0"]),
    "what is no message": ([uses("a"), 3, results("a"), ASSISTANT], []),
    "what is no message, for a result": ([uses("a"), 3, ASSISTANT], []),
    "steered": ([uses("a"), user(), results("a")], ["intruder /1"]),
    "split": ([uses("a", "b"), results("a"), results("b"), user()], ["split /2"]),
    "split in three": ([uses("a", "b", "c"), results("a"), results("b"), results("c")], ["split /2"]),
    "split with an intruder": ([uses("a", "b"), results("a"), user(), results("b")], ["intruder /2"]),
    "twice in one message": ([uses("a"), results("a", "a")], ["duplicate result /1/content/1"]),
    "id used again": (
        [uses("a"), results("a"), uses("a"), results("a")],
        ["duplicate call /2/content/0/id earlier"],
    ),
    "orphan": ([results("z")], ["orphan /0/content/0"]),
    "text before the result": (
        [uses("a"), {"role": "user", "content": [{"type": "text", "text": "x"}, *results("a")["content"]]}],
        [],
    ),
    "call of the user": ([{**uses("a"), "role": "user"}, results("a")], []),
    "result of the assistant": (
        [{"role": "assistant", "content": [*uses("a")["content"], *results("a")["content"]]}, user()],
        [],
    ),
    "server tool": (
        [
            {
                "role": "assistant",
                "content": [{"type": "server_tool_use", "id": "s", "name": "web_search", "input": {}}],
            },
            user(),
        ],
        [],
    ),
}


@pytest.mark.parametrize(("messages", "expected"), CHATS.values(), ids=CHATS)
def test_chat(messages: list[Any], expected: list[str]) -> None:
    assert list(facts(pair(passage_of(messages)))) == expected


@pytest.mark.parametrize(("messages", "expected"), CLAUDE.values(), ids=CLAUDE)
def test_claude(messages: list[Any], expected: list[str]) -> None:
    assert list(facts(pair(passage_of(messages, "anthropic")))) == expected


def test_answers_are_told_beside_their_calls() -> None:
    found = pair(passage_of([calls("a", "b"), result("b"), result("a")]))
    assert [(call.call_id, answer.path) for call, answer in found.answers] == [("a", "/2"), ("b", "/1")]


def test_a_passage_before_the_last_has_nothing_pending() -> None:
    found = pair(passage_of([user(), calls("a")], is_last=False))
    assert list(facts(found)) == ["missing /1/tool_calls/0"]


def test_ids_of_earlier_passages_are_known() -> None:
    found = pair(passage_of([result("a"), calls("b"), result("b")], earlier_ids=frozenset({"a", "b"})))
    assert list(facts(found)) == ["duplicate call /1/tool_calls/0/id earlier", "duplicate result /0"]


IDS = st.sampled_from(["a", "b", "c", "", None, 7])
MESSAGES = st.one_of(
    st.builds(user),
    st.just(ASSISTANT),
    st.lists(IDS, min_size=1, max_size=3).map(lambda ids: calls(*ids)),
    IDS.map(result),
    st.just(LEGACY),
    st.just(FUNCTION),
    st.sampled_from([uses("a"), results("a"), {"role": "assistant", "tool_calls": [{"id": "a"}]}, 3, {}]),
)


@given(st.lists(MESSAGES, max_size=12), st.sampled_from(["openai-chat", "anthropic", "lighter"]))
def test_each_end_is_told_at_most_once(messages: list[Any], name: str) -> None:
    found = pair(passage_of(messages, name))
    calls_told = [call.path for call in (*found.unanswered, *found.pending)] + [call.path for call, _ in found.answers]
    assert len(calls_told) == len(set(calls_told))
    ends = [*(o.result.path for o in found.orphans), *(r.result.path for r in found.repeated_results)]
    ends += [answer.path for _, answer in found.answers]
    assert len(ends) == len(set(ends))


@given(st.lists(st.lists(st.sampled_from("abcd"), min_size=1, max_size=3, unique=True), max_size=6), st.randoms())
def test_a_proper_chat_has_no_fault(turns: list[list[str]], random: Any) -> None:
    messages: list[Any] = []
    for ids in turns:
        messages += [user(), calls(*ids), *(result(id_) for id_ in random.sample(ids, len(ids)))]
    assert [fact for fact in facts(pair(passage_of(messages))) if not fact.startswith("duplicate call")] == []
