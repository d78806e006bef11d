"""Logs in which each line repeats the growing history of one session: each fault is told once, with how many lines repeat it."""

import io
import json
from typing import Any

import pytest
from chat import assistant, calls, jsonl, user

from lighter.diagnostics import Diagnostic
from lighter.linting import LintOptions, lint_stream
from lighter.rules import rules

FAULTY = [user("Tide?"), calls("c"), user("Well?")]
BAD_TOOLS = [{"type": "function", "function": {"name": "f", "parameters": {"type": "array"}}}]


def lint(*lines: Any, **options: Any) -> list[Diagnostic]:
    return lint_stream(io.BytesIO(jsonl(*lines)), "log.jsonl", LintOptions(**options)).diagnostics


def told(*lines: Any, **options: Any) -> list[tuple[str, int, str]]:
    return [
        (
            one.name,
            one.location.row,
            one.message.rpartition(" (and again in ")[2].rstrip(")") if "again" in one.message else "",
        )
        for one in lint(*lines, **options)
    ]


def grown(start: list[Any], many: int, **fields: Any) -> list[dict[str, Any]]:
    """Give the requests of a session, each with one more question than the one before."""
    tails = [
        [message for turn in range(count) for message in (assistant(f"{turn}"), user(f"and {turn}?"))]
        for count in range(many)
    ]
    return [{**fields, "messages": start + tail} for tail in tails]


@pytest.mark.parametrize("fields", [{}, {"session_id": "s1"}], ids=["no id", "session"])
def test_a_fault_is_told_once_with_a_count(fields: dict[str, Any]) -> None:
    assert told(*grown(FAULTY, 4, **fields)) == [("missing-tool-result", 1, "3 later lines")]
    assert told(*grown(FAULTY, 2, **fields)) == [("missing-tool-result", 1, "a later line")]


def test_a_fault_of_the_tools_is_told_once() -> None:
    assert told(*grown([user()], 3, tools=BAD_TOOLS)) == [("invalid-tool-schema", 1, "2 later lines")]


def test_a_new_fault_is_told_where_it_comes_first() -> None:
    lines = grown(FAULTY, 4)
    for line in lines[2:]:
        line["messages"] = [*line["messages"][:7], calls("d"), user("?"), *line["messages"][7:]]
    assert told(*lines) == [("missing-tool-result", 1, "3 later lines"), ("missing-tool-result", 3, "a later line")]


def test_what_comes_after_the_fault_may_be_edited_within_a_session() -> None:
    lines = grown(FAULTY, 3, session_id="s1")
    lines[2]["messages"][3] = assistant("I could not.")
    assert told(*lines) == [("missing-tool-result", 1, "2 later lines")]


def test_an_edit_before_the_fault_is_another_history() -> None:
    lines = grown(FAULTY, 2, session_id="s1")
    lines[1]["messages"][0] = user("And the wind?")
    assert told(*lines) == [("missing-tool-result", 1, ""), ("missing-tool-result", 2, "")]


@pytest.mark.parametrize(
    "lines",
    [
        grown(FAULTY, 1) * 3,
        [*grown(FAULTY, 1, session_id="a"), *grown(FAULTY, 1, session_id="b")],
        [{"messages": [*FAULTY, assistant(word), user(word)]} for word in ("a", "b", "c")],
    ],
    ids=["the same again", "two sessions", "the same beginning"],
)
def test_what_has_not_grown_is_told_for_each_line(lines: list[Any]) -> None:
    assert told(*lines) == [("missing-tool-result", row + 1, "") for row in range(len(lines))]


def test_sessions_may_be_interleaved() -> None:
    first, second = grown(FAULTY, 2, session_id="a"), grown([user("x"), calls("k"), user("y")], 2, session_id="b")
    assert told(first[0], second[0], first[1], second[1]) == [
        ("missing-tool-result", 1, "a later line"),
        ("missing-tool-result", 2, "a later line"),
    ]


def test_sessions_without_ids_may_be_interleaved() -> None:
    first, second = grown(FAULTY, 3), grown([user("x"), calls("c"), user("y")], 3)
    lines = [line for pair in zip(first, second, strict=True) for line in pair]
    assert told(*lines) == [("missing-tool-result", 1, "2 later lines"), ("missing-tool-result", 2, "2 later lines")]


def test_the_system_prompt_may_tell_the_time() -> None:
    lines = grown(FAULTY, 4)
    for hour, line in enumerate(lines):
        line["messages"] = [{"role": "system", "content": f"It is {hour} o'clock."}, *line["messages"]]
    assert told(*lines) == [("missing-tool-result", 1, "3 later lines")]


def test_training_rows_are_mended_one_by_one() -> None:
    rows = [{"messages": [*line["messages"], assistant("end")]} for line in grown(FAULTY, 3)]
    found = told(*rows, target="openai-finetune")
    assert [row for name, row, _ in found if name == "missing-tool-result"] == [1, 2, 3]


GROWING = [
    pytest.param(module.rule.name, example, json.loads(example.text), id=f"{module.rule.name}-{number}")
    for module in rules()
    for number, example in enumerate(module.invalid)
    if example.format in ("openai-chat", "anthropic")
    and example.mode != "finetune"
    and not example.target.endswith(("finetune", "factory"))
    and example.text.count("\n") < 2
    and '"messages": [{' in example.text
    and example.text.startswith("{")
]


@pytest.mark.parametrize(("name", "example", "body"), GROWING)
def test_no_rule_tells_more_of_a_session_that_goes_on(name: str, example: Any, body: dict[str, Any]) -> None:
    more = [[message for n in range(count) for message in (assistant(f"{n}"), user(f"{n}?"))] for count in range(1, 4)]
    lines = [{**body, "session_id": "s1", "messages": body["messages"] + tail} for tail in more]
    options = {"target": example.target, "mode": example.mode, "format": example.format}
    once = [one for one in lint(lines[0], **options) if one.name == name]
    assert len([one for one in lint(*lines, **options) if one.name == name]) == len(once)
