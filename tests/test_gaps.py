"""A line that cannot be read is one fault: what may have stood in it is not missed, and what cannot have is."""

import json
import re
from typing import Any

import pytest
from chat import assistant, calls, jsonl, result, user
from hypothesis import given, settings
from hypothesis import strategies as st
from screening import report

import lighter
from lighter.turns import WINDOW

ASK, SAID = user(), assistant()
CUT_CALL, CUT_RESULT, CUT_SAID = calls("a"), result("a"), assistant("hello")


def told(lines: list[Any], *, cut: Any = None, **options: Any) -> list[tuple[str, int]]:
    """Lint a log in which one of the lines (the very object) breaks off."""
    texts = [jsonl(line)[: -7 if line is cut else None].rstrip(b"\n") + b"\n" for line in lines]
    found = report(b"".join(texts), **options).diagnostics
    return [(item.code, item.location.row) for item in found if item.severity != "info"]


def uses(*ids: str) -> dict[str, Any]:
    return {"role": "assistant", "content": [{"type": "tool_use", "id": id_, "name": "f", "input": {}} for id_ in ids]}


def results(*ids: str) -> dict[str, Any]:
    return {"role": "user", "content": [{"type": "tool_result", "tool_use_id": id_, "content": "ok"} for id_ in ids]}


CUT_USE, CUT_RESULTS = uses("a"), results("a")

LOGS: dict[str, tuple[list[Any], Any, list[tuple[str, int]]]] = {
    "the result": ([ASK, calls("a"), CUT_RESULT, SAID], CUT_RESULT, [("F101", 3)]),
    "one of two results": ([ASK, calls("a", "b"), result("b"), CUT_RESULT, SAID], CUT_RESULT, [("F101", 4)]),
    "the call": ([ASK, CUT_CALL, result("a"), SAID], CUT_CALL, [("F101", 2)]),
    "the call, first of all": ([CUT_CALL, result("a"), SAID], CUT_CALL, [("F101", 1)]),
    "two calls": ([ASK, CUT_CALL, result("a"), result("b"), SAID], CUT_CALL, [("F101", 2)]),
    "a call whose id was used before": (
        [ASK, calls("a"), result("a"), ASK, CUT_CALL, result("a"), SAID],
        CUT_CALL,
        [("F101", 5)],
    ),
    "Anthropic's results": ([ASK, uses("a"), CUT_RESULTS, SAID], CUT_RESULTS, [("F101", 3)]),
    "Anthropic's calls": ([ASK, CUT_USE, results("a"), SAID], CUT_USE, [("F101", 2)]),
    "after another message": (
        [ASK, calls("a"), ASK, CUT_SAID, SAID],
        CUT_SAID,
        [("P101", 2), ("F101", 4)],
    ),
    "before another message": ([ASK, CUT_SAID, ASK, result("a"), SAID], CUT_SAID, [("F101", 2), ("P102", 4)]),
    "after the orphan": ([ASK, result("a"), CUT_SAID, ASK], CUT_SAID, [("P102", 2), ("F101", 3)]),
    "another turn's call is missed": (
        [ASK, calls("a"), CUT_RESULT, SAID, ASK, calls("b"), ASK],
        CUT_RESULT,
        [("F101", 3), ("P101", 6)],
    ),
}


@pytest.mark.parametrize("target", ["generic", "openai-chat", "anthropic", "bedrock", "ollama"])
@pytest.mark.parametrize(("lines", "cut", "expected"), LOGS.values(), ids=LOGS)
def test_a_line_that_breaks_off_is_one_fault(
    lines: list[Any], cut: Any, expected: list[tuple[str, int]], target: str
) -> None:
    assert told(lines, cut=cut, target=target) == expected


@pytest.mark.parametrize("options", [{"target": "openai-chat"}, {"mode": "request"}, {"target": "anthropic"}, {}])
def test_a_cut_last_result_is_not_waited_for(options: dict[str, Any]) -> None:
    assert told([ASK, calls("a"), CUT_RESULT], cut=CUT_RESULT, **options) == [("F102", 3)]


def test_a_readable_line_hides_nothing() -> None:
    glued = jsonl(ASK) + jsonl(calls("a")) + jsonl(SAID).rstrip(b"\n") + jsonl(ASK)
    assert [item.code for item in report(glued).diagnostics] == ["P101", "F103"]


def test_a_line_that_is_no_object_is_one_fault_too() -> None:
    assert told([ASK, calls("a"), json.dumps(result("a")), SAID]) == [("F114", 3)]
    array = jsonl([ASK, calls("a"), None, SAID])
    assert [item.code for item in report(array, "array.json").diagnostics] == ["M120"]


def test_sessions_of_one_file_may_all_have_lost_the_line() -> None:
    lines = [calls("a", session_id="x"), calls("b", session_id="y"), CUT_RESULT]
    lines += [assistant(session_id="x"), assistant(session_id="y"), calls("c", session_id="y"), user(session_id="y")]
    assert told(lines, cut=CUT_RESULT) == [("F101", 3), ("P101", 6)]


def test_a_lost_line_is_forgotten() -> None:
    lines = [CUT_SAID, *[user(session_id="x") for _ in range(WINDOW)], result("a", session_id="y")]
    assert told(lines, cut=CUT_SAID) == [("F101", 1), ("P102", WINDOW + 2)]


NEIGHBOURS = {
    "same role twice": ("vllm", [ASK, CUT_SAID, ASK, SAID], CUT_SAID),
    "begins with the assistant": ("bedrock", [ASK, SAID, ASK], ASK),
    "begins with a call": ("gemini", [ASK, calls("a"), result("a")], ASK),
    "the user after a tool": ("mistral", [ASK, calls("a" * 9), result("a" * 9), CUT_SAID, ASK], CUT_SAID),
}


@pytest.mark.parametrize(("target", "lines", "cut"), NEIGHBOURS.values(), ids=NEIGHBOURS)
def test_nobody_knows_what_stood_beside_a_message(target: str, lines: list[Any], cut: Any) -> None:
    lines = [line if line is not cut or place == lines.index(cut) else dict(line) for place, line in enumerate(lines)]
    assert [code for code, _ in told(lines, cut=cut, target=target)] == ["F101"]


def test_nobody_knows_what_stood_after_the_last_message() -> None:
    assert told([ASK, SAID, CUT_SAID], cut=CUT_SAID, target="gemini") == [("F102", 3)]


@settings(max_examples=60, deadline=None)
@given(st.data(), st.sampled_from(["generic", "openai-chat", "anthropic"]))
def test_whichever_line_breaks_off_it_is_the_only_fault(data: st.DataObject, target: str) -> None:
    log = [user("Ahoy")]
    for turn in range(data.draw(st.integers(1, 4))):
        ids = [f"c{turn}_{number}" for number in range(data.draw(st.integers(0, 3)))]
        log += [calls(*ids), *map(result, ids)] if ids else []
        log += [assistant(f"ok {turn}"), user(f"and {turn}?")]
    cut = data.draw(st.sampled_from(log[:-1]))
    assert told(log, cut=cut, target=target) == [("F101", log.index(cut) + 1)]


BLOCKS: dict[str, tuple[str, Any, Any, Any, Any]] = {
    "anthropic": (
        "assistant",
        lambda *parts, role: {"role": role, "content": list(parts)},
        lambda id_: {"type": "tool_use", "id": id_, "name": f"f_{id_}", "input": {}},
        lambda id_: {"type": "tool_result", "tool_use_id": id_, "content": "ok"},
        {"type": "text", "text": "Aye."},
    ),
    "gemini": (
        "model",
        lambda *parts, role: {"role": role, "parts": list(parts)},
        lambda id_: {"functionCall": {"name": f"f_{id_}", "args": {}}},
        lambda id_: {"functionResponse": {"name": f"f_{id_}", "response": {"output": "ok"}}},
        {"text": "Aye."},
    ),
}
HIDING: dict[str, tuple[list[tuple[str, str]], list[str]]] = {
    # `c` and `r` are calls and results, `t` a text, `?` what nobody can read.
    "the result": ([("user", "t"), ("model", "ca"), ("user", "?"), ("model", "t")], ["?"]),
    "the call": ([("user", "t"), ("model", "?"), ("user", "ra"), ("model", "t")], ["?"]),
    "no result: who calls does not answer": (
        [("user", "t"), ("model", "ca"), ("model", "t?"), ("user", "t"), ("model", "t")],
        ["P101", "?"],
    ),
    "no result: it stands beside the call": (
        [("user", "t"), ("model", "ca?"), ("user", "t"), ("model", "t")],
        ["P101", "?"],
    ),
    "no call: who answers does not call": (
        [("user", "t"), ("user", "?"), ("user", "ra"), ("model", "t")],
        ["P102", "?"],
    ),
    "a message of nobody that may hold the result": (
        [("user", "t"), ("model", "ca"), ("nobody", "?"), ("model", "t")],
        ["M103", "?"],
    ),
    "no result: nobody says a text": (
        [("user", "t"), ("model", "ca"), ("nobody", "t"), ("user", "t"), ("model", "t")],
        ["M103", "P101"],
    ),
    "no split beside nobody": (
        [("user", "t"), ("model", "cacb"), ("nobody", "t"), ("user", "ra"), ("user", "rb"), ("model", "t")],
        ["M103", "P104", "P108"],
    ),
    "nobody splits the results": (
        [("user", "t"), ("model", "cacb"), ("user", "ra"), ("nobody", "t"), ("user", "rb"), ("model", "t")],
        ["M103", "P104"],
    ),
}


@pytest.mark.parametrize("format_name", BLOCKS)
@pytest.mark.parametrize(("turns", "expected"), HIDING.values(), ids=HIDING)
def test_a_part_that_cannot_be_read_hides_what_it_may_have_been(
    turns: list[tuple[str, str]], expected: list[str], format_name: str
) -> None:
    model, message, call, answer, text = BLOCKS[format_name]
    makers = {"c": call, "r": answer, "t": lambda _: text, "?": lambda _: None}
    value = [
        message(
            *(makers[kind](id_) for kind, id_ in re.findall(r"([crt?])([ab]?)", parts)),
            role=role.replace("model", model),
        )
        for role, parts in [*turns, ("user", "t")]
    ]
    found = [one.code for one in lighter.lint(value, target=format_name, format=format_name) if one.severity != "info"]
    assert sorted(found) == sorted("M106" if code == "?" else code for code in expected)
