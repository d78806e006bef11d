"""Results stand under their calls in whatever order they came, and a selection cuts turns down to what is asked for."""

import json
from collections.abc import Mapping, Sequence
from io import BytesIO
from typing import Any

import pytest

from lighter.errors import LighterError
from lighter.messages import AssistantMessage, ToolMessage
from lighter.naming import id_of
from lighter.passage import Passage
from lighter.reading import read_passages
from lighter_cli.showing.facts import Usage, number_of, time_of, told_entries, usage_of, usage_text
from lighter_cli.showing.plain import Plain
from lighter_cli.showing.presenting import Presentation
from lighter_cli.showing.selection import Selection, pattern_from, roles_from, select, turns_from
from lighter_cli.showing.turns import Turn, system_turn, turns_of

Raw = dict[str, Any]


def call(call_id: str, name: str = "f", arguments: str = "{}") -> Raw:
    return {"id": call_id, "type": "function", "function": {"name": name, "arguments": arguments}}


def calls(*listed: Raw, content: str | None = None) -> Raw:
    return {"role": "assistant", "content": content, "tool_calls": list(listed)}


def result(call_id: str, content: str = "ok") -> Raw:
    return {"role": "tool", "tool_call_id": call_id, "content": content}


def said(role: str, content: str) -> Raw:
    return {"role": role, "content": content}


def passages(values: Sequence[Any]) -> list[Passage]:
    data = "".join(json.dumps(value) + "\n" for value in values).encode()
    return [piece for piece in read_passages(BytesIO(data)) if isinstance(piece, Passage)]


def body(messages: Sequence[Raw]) -> Passage:
    (passage,) = passages([{"messages": list(messages)}])
    return passage


def shape(turns: Sequence[Turn]) -> list[Any]:
    """Tell turns briefly: the number of each, its place when it is odd, and for each call its results' numbers or its state."""
    told: list[Any] = []
    for turn in turns:
        held = {one.call.call_id: [number_of(entry) for entry in one.answers] or one.state for one in turn.calls}
        told.append((number_of(turn.entry), held or turn.place))
    return told


@pytest.mark.parametrize(
    ("messages", "expected"),
    [
        ([calls(call("a"), call("b")), result("b"), result("a")], [(0, {"a": [2], "b": [1]})]),
        ([calls(call("a")), result("a"), result("a")], [(0, {"a": [1, 2]})]),
        ([calls(call("a")), said("user", "x"), result("a")], [(0, {"a": [2]}), (1, "own")]),
        ([calls(call("a")), said("user", "x")], [(0, {"a": "unanswered"}), (1, "own")]),
        ([calls(call("a"), call("b")), result("a")], [(0, {"a": [1], "b": "pending"})]),
        ([said("user", "x"), result("z")], [(0, "own"), (1, "orphan")]),
        ([calls(call("a")), result("a"), calls(call("a")), result("a")], [(0, {"a": [1]}), (2, {"a": [3]})]),
    ],
)
def test_results_stand_under_their_calls(messages: list[Raw], expected: list[Any]) -> None:
    assert shape(list(turns_of(body(messages)))) == expected


def test_two_calls_with_one_id_get_one_result_each() -> None:
    (turn,) = turns_of(body([calls(call("a", "g"), call("a", "h")), result("a", "1"), result("a", "2")]))
    assert [[number_of(entry) for entry in one.answers] for one in turn.calls] == [[1], [2]]


def test_a_result_of_an_earlier_passage_is_late_and_named() -> None:
    (turn,) = turns_of(body([result("a", "42")]), {"a": "clock"})
    message = turn.entry.message
    assert isinstance(message, ToolMessage)
    assert (turn.place, message.tool_name) == ("late", "clock")


def test_the_system_prompt_of_a_request_is_a_turn() -> None:
    blocks = [{"type": "text", "text": "Be kind."}, {"type": "odd"}]
    (passage,) = passages([{"system": blocks, "max_tokens": 9, "messages": [said("user", "x")]}])
    turn = system_turn(passage)
    assert turn is not None
    assert turn.entry.message.content == "Be kind."
    assert len(turn.parts) == 2
    assert system_turn(body([said("user", "x")])) is None


LOG = [
    said("system", "You are terse."),
    said("user", "Weather?"),
    calls(call("a", "weather", '{"city":"Oslo"}'), call("b", "clock"), content="Looking."),
    result("b", "noon"),
    result("a", "rain"),
    said("assistant", "Rain at noon."),
    said("user", "Thanks"),
]


@pytest.mark.parametrize(
    ("selection", "expected"),
    [
        (Selection(), [0, 1, 2, 5, 6]),
        (Selection(roles_from(["user"])), [1, 6]),
        (Selection(roles_from(["human", "system"])), [0, 1, 6]),
        (Selection(roles_from(["tool"])), [2]),
        (Selection(turns=turns_from("1:2")), [1, 2]),
        (Selection(turns=turns_from("3")), [2]),
        (Selection(turns=turns_from("5:")), [5, 6]),
        (Selection(turns=turns_from(":0")), [0]),
        (Selection(tool="clock"), [2]),
        (Selection(tool="none"), []),
        (Selection(pattern=pattern_from("(?i)rain")), [2, 5]),
        (Selection(pattern=pattern_from("Oslo")), [2]),
        (Selection(roles_from(["assistant"]), pattern=pattern_from("noon")), [2, 5]),
    ],
)
def test_a_selection_picks_turns(selection: Selection, expected: list[int]) -> None:
    chosen = (select(selection, turn) for turn in turns_of(body(LOG)))
    assert [number_of(turn.entry) for turn in chosen if turn is not None] == expected


@pytest.mark.parametrize(
    ("selection", "names", "shows_text", "shows_answers"),
    [
        (Selection(tool="clock"), ["clock"], False, True),
        (Selection(pattern=pattern_from("rain")), ["weather"], False, True),
        (Selection(pattern=pattern_from("Looking")), ["weather", "clock"], True, True),
        (Selection(roles_from(["assistant"])), ["weather", "clock"], True, False),
        (Selection(roles_from(["tool"])), ["weather", "clock"], False, True),
    ],
)
def test_a_turn_is_cut_down(selection: Selection, names: list[str], shows_text: bool, shows_answers: bool) -> None:
    turn = select(selection, list(turns_of(body(LOG)))[2])
    assert turn is not None
    assert [one.call.tool_name for one in turn.calls] == names
    assert (turn.shows_text, turn.shows_answers) == (shows_text, shows_answers)


@pytest.mark.parametrize("text", ["x", "3-5", "::", "-1", "1:2:3"])
def test_bad_ranges_are_refused(text: str) -> None:
    with pytest.raises(LighterError, match="--turns takes a range"):
        turns_from(text)


def test_a_bad_pattern_is_refused() -> None:
    with pytest.raises(LighterError, match="no regular expression"):
        pattern_from("(")


@pytest.mark.parametrize(
    ("keys", "time"),
    [
        ({"timestamp": "2026-03-14T08:45:00Z"}, "2026-03-14 08:45:00"),
        ({"created_at": "2026-03-14 08:45:00+01:00"}, "2026-03-14 08:45:00"),
        ({"ts": 1773477903}, "2026-03-14 08:45:03"),
        ({"time": 1773477903123.0}, "2026-03-14 08:45:03"),
        ({"created": 7}, None),
        ({"timestamp": "soon"}, None),
        ({"timestamp": True}, None),
        ({"timestamp": 1e400}, None),
        ({}, None),
    ],
)
def test_times_are_read_in_the_usual_forms(keys: Mapping[str, Any], time: str | None) -> None:
    (passage,) = passages([{**said("user", "x"), **keys}])
    assert time_of(passage.entries[0]) == time


def test_an_answer_has_the_time_model_and_cost_of_its_envelope() -> None:
    usage = {"prompt_tokens": 1204, "completion_tokens": 88, "prompt_tokens_details": {"cached_tokens": 1024}}
    choice = {"index": 0, "finish_reason": "length", "message": said("assistant", "cut o")}
    response = {"created": 1773477903, "model": "m-2", "choices": [choice], "usage": usage}
    (passage,) = passages([{"request": {"model": "m", "messages": [said("user", "x")]}, "response": response}])
    asked, answered = told_entries(passage)
    assert time_of(asked) is None
    assert time_of(answered) == "2026-03-14 08:45:03"
    message = answered.message
    assert isinstance(message, AssistantMessage)
    assert (message.model, message.stop) == ("m-2", "length")
    cost = usage_of(message)
    assert cost is not None
    assert cost == Usage(1204, 88, 1024)
    assert usage_text(cost) == "1,204 → 88 tokens, 1,024 cached"


@pytest.mark.parametrize("usage", [None, "", "x", "[]", "{}", '{"prompt_tokens": "many"}', '{"prompt_tokens": true}'])
def test_no_usage_is_none(usage: str | None) -> None:
    assert usage_of(AssistantMessage("", usage=usage)) is None


@pytest.mark.parametrize(
    ("value", "name"),
    [
        ({**said("user", "x"), "session_id": "s1"}, "s1"),
        ({"custom_id": "r1", "params": {"messages": [said("user", "x")]}}, "r1"),
        ({"messages": [said("user", "x")], "thread_id": "t1", "id": "i"}, "t1"),
        ([said("user", "x")], None),
    ],
)
def test_conversations_have_the_names_that_the_log_gives(value: Any, name: str | None) -> None:
    assert id_of(passages([value])[0]) == name


def shown(values: Sequence[Any], selection: Selection) -> list[str]:
    lines: list[str] = []
    presentation = Presentation(Plain(lines.append), selection)
    data = "".join(json.dumps(value) + "\n" for value in values).encode()
    presentation.show_all(read_passages(BytesIO(data)))
    return [line.split("\n")[0] for line in lines]


INTERLEAVED = [
    {**said("user", "one"), "session_id": "s1"},
    {**said("user", "two"), "session_id": "s2"},
    {**said("assistant", "one"), "session_id": "s1"},
]


@pytest.mark.parametrize("wanted", ["1", "s1"])
def test_one_of_several_sessions_is_shown(wanted: str) -> None:
    assert shown(INTERLEAVED, Selection(conversation=wanted)) == [
        "conversation 1 s1 (openai-chat)",
        "0 user",
        "1 assistant",
    ]


def test_sessions_that_alternate_are_headed_again() -> None:
    assert shown([*INTERLEAVED, {**said("user", "more"), "session_id": "s2"}], Selection())[:4] == [
        "conversation 1 s1 (openai-chat)",
        "0 user",
        "conversation 2 s2 (openai-chat)",
        "0 user",
    ]


def test_a_missing_conversation_shows_nothing() -> None:
    assert shown(INTERLEAVED, Selection(conversation="s9")) == []
