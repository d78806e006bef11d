"""Calls that share an id or a name: what names the function goes to its call, and a result is given to no other turn or lost."""

import json
from typing import Any

import pytest
from chat import USER, assistant, calls, result
from fixed import fixed

import lighter
from lighter.linting import LintOptions
from lighter.turns import WINDOW

SAID = (assistant("ok"), USER)


def shared(*names: str) -> dict[str, Any]:
    """Make a message of a chat whose calls share an id."""
    return {
        "role": "assistant",
        "content": None,
        "tool_calls": [
            {"id": "x", "type": "function", "function": {"name": name, "arguments": "{}"}} for name in names
        ],
    }


def called(*names: str, **ids: str) -> dict[str, Any]:
    """Make a content of Gemini's that calls tools."""
    parts = [{"functionCall": {"name": n, "args": {}, **({"id": ids[n]} if n in ids else {})}} for n in names]
    return {"role": "model", "parts": parts}


def answered(*results: tuple[str, str], **ids: str) -> dict[str, Any]:
    """Make a content of Gemini's that answers calls of some names, each with a text and with the id of that text."""
    return {
        "role": "user",
        "parts": [
            {"functionResponse": {"name": n, "response": {"output": t}, **({"id": ids[t]} if t in ids else {})}}
            for n, t in results
        ],
    }


def told(text: str, role: str = "user") -> dict[str, Any]:
    return {"role": role, "parts": [{"text": text}]}


def outputs(value: list[Any]) -> list[tuple[str, str, str]]:
    """List the texts of responses, with their names and ids."""
    responses = (part.get("functionResponse") for message in value for part in message["parts"])
    return [(r["response"].get("output", ""), r["name"], r.get("id", "")) for r in responses if r]


LAST = (told("ok", "model"), told("on"))


def test_the_name_of_a_result_says_which_call_of_a_shared_id_is_its_own() -> None:
    value = [USER, shared("tide", "wind"), result("x", "4 kn", name="wind"), result("x", "2 m", name="tide"), *SAID]
    done = lighter.fix(value, unsafe=True, target="openai-chat").value
    ids = {call["function"]["name"]: call["id"] for call in done[1]["tool_calls"]}
    assert len(set(ids.values())) == 2
    assert [message["tool_call_id"] for message in done[2:4]] == [ids["wind"], ids["tide"]]


@pytest.mark.parametrize("is_log", [True, False])
def test_many_calls_of_one_id_are_told_apart_at_once(is_log: bool) -> None:
    count = 9 * WINDOW
    value = [USER, shared(*["tide"] * count), *[result("x", f"R{n}") for n in range(count)], *SAID]
    text = "".join(json.dumps(message) + "\n" for message in value) if is_log else json.dumps(value)
    done = fixed(text, LintOptions("openai-chat"), name="a.jsonl" if is_log else "a.json")
    assert done.codes == ["P105"] * (count - 1)
    assert [one for one in done.left if one.severity != "info"] == []
    new = [json.loads(line) for line in done.data.splitlines()] if is_log else json.loads(done.data)
    assert [message["tool_call_id"] for message in new[2:-2]] == [call["id"] for call in new[1]["tool_calls"]]


@pytest.mark.parametrize("is_log", [True, False])
def test_a_turn_of_many_calls_is_open_while_its_results_come(is_log: bool) -> None:
    ids = [f"c{number}" for number in range(9 * WINDOW)]
    value = [USER, calls(*ids, arguments="{"), *map(result, reversed(ids)), *SAID]
    text = "".join(json.dumps(message) + "\n" for message in value) if is_log else json.dumps(value)
    found = fixed(text, LintOptions("openai-chat"), is_unsafe=False, name="a.jsonl" if is_log else "a.json").left
    assert {one.code for one in found} == {"A103"}


def test_names_that_are_crossed_are_set_right_and_nothing_is_lost() -> None:
    ids = {"tide": "1", "wind": "2"}
    crossed = answered(("wind", "4 kn"), ("tide", "2 m"), **{"4 kn": "1", "2 m": "2"})
    value = [told("?"), called("tide", "wind", **ids), crossed, *LAST]
    done = lighter.fix(value, unsafe=True, target="gemini")
    assert [found.code for found in lighter.lint(done.value, target="gemini")] == []
    assert outputs(done.value) == [("4 kn", "wind", "2"), ("2 m", "tide", "1")]
    assert lighter.fix(value, target="gemini").applied == ()


def test_responses_of_one_function_with_other_ids_are_kept() -> None:
    calling = {"role": "model", "parts": [{"functionCall": {"name": "tide", "id": i, "args": {}}} for i in "12"]}
    value = [told("?"), calling, answered(("tide", "A"), ("tide", "B"), A="8", B="9"), *LAST]
    done = lighter.fix(value, unsafe=True, target="gemini").value
    assert outputs(done) == [("A", "tide", "1"), ("B", "tide", "2")]


@pytest.mark.parametrize("name", ["", None])
def test_a_call_without_a_name_in_a_later_round_is_one_fault(name: str | None) -> None:
    nameless = {"role": "model", "parts": [{"functionCall": {"name": name, "args": {}}}]}
    value = [told("?"), called("tide"), answered(("tide", "A")), nameless, answered(("tide", "B")), *LAST]
    found = lighter.lint(value, target="gemini", format="gemini")
    assert [one.code for one in found if one.severity != "info"] == ["P114"]


@pytest.mark.parametrize("first", [[answered(("tide", "A"))], [told("No."), told("Aye.", "model"), told("?")]])
def test_one_result_too_many_is_not_given_to_an_earlier_round(first: list[Any]) -> None:
    value = [told("?"), called("tide"), *first, called("tide"), answered(("tide", "B"), ("tide", "C")), *LAST]
    done = lighter.fix(value, unsafe=True, target="gemini").value
    at = value.index(called("tide"), 2)
    assert outputs(done[: done.index(called("tide"), 2)]) == (
        [("A", "tide", "")] if len(first) == 1 else [("", "tide", "")]
    )
    assert outputs(value[at:])[0] in outputs(done)


TEXT = {"type": "text", "text": "2 m"}
CACHED = {"cache_control": {"type": "ephemeral"}}
SPELLINGS: tuple[tuple[dict[str, Any], dict[str, Any], bool], ...] = (
    ({"content": "2 m"}, {"content": "2 m", **CACHED}, True),
    ({"content": "2 m"}, {"content": [TEXT]}, True),
    ({"content": [TEXT]}, {"content": [{**TEXT, **CACHED}]}, True),
    ({"content": "2 m"}, {"content": "2 m", "is_error": False}, True),
    ({"content": ""}, {"content": []}, True),
    ({"content": "2 m"}, {"content": "2 m", "is_error": True}, False),
    ({"content": "2 m"}, {"content": [TEXT, TEXT]}, False),
    ({"content": "2 m"}, {"content": [{**TEXT, "citations": [1]}]}, False),
)


@pytest.mark.parametrize(("one", "other", "are_equal"), SPELLINGS)
def test_one_of_two_results_is_dropped_where_they_differ_in_spelling_only(
    one: dict[str, Any], other: dict[str, Any], are_equal: bool
) -> None:
    call = {"role": "assistant", "content": [{"type": "tool_use", "id": "t1", "name": "tide", "input": {}}]}
    for pair in ((one, other), (other, one)):
        results = [{"type": "tool_result", "tool_use_id": "t1", **more} for more in pair]
        value = [USER, call, {"role": "user", "content": results}, *SAID]
        done = lighter.fix(value, target="anthropic", format="anthropic")
        assert done.value[2]["content"] == (results[:1] if are_equal else results)


ID, OTHER_ID = "aaaa11112", "aaaa11113"
BEHIND_RESULTS: dict[str, tuple[list[Any], list[str]]] = {
    "of no call": ([USER, result(OTHER_ID), USER], ["P102"]),
    "some of no call": ([USER, calls(ID), result(ID), result(OTHER_ID), USER], ["P102", "M126"]),
    "of no call long before": (
        [USER, result(OTHER_ID), assistant("."), USER, calls(ID), result(ID), USER],
        ["P102", "M126"],
    ),
    "one of two": ([USER, calls(ID, OTHER_ID), result(ID), USER, *SAID], ["P101", "M126"]),
    "none": ([USER, calls(ID), USER, *SAID], ["P101"]),
}


@pytest.mark.parametrize(("value", "expected"), BEHIND_RESULTS.values(), ids=BEHIND_RESULTS)
def test_the_user_behind_results_is_told_unless_these_are_of_no_call(value: list[Any], expected: list[str]) -> None:
    found = lighter.lint(value, target="mistral", format="openai-chat")
    assert [one.code for one in found if one.severity != "info"] == expected
