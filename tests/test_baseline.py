"""A baseline silences what it knows, once each, wherever it has moved, and nothing else."""

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

import lighter
from lighter.baseline import Baseline, known_findings
from lighter.diagnostics import Diagnostic, Location
from lighter.errors import UnreadableInput

FOUND = Diagnostic(
    code="P101", name="x", severity="error", message="m", filename="a.jsonl", location=Location(1, 1), path=""
)


def finding(fingerprint: str, filename: str = "a.jsonl", row: int = 1) -> Diagnostic:
    return replace(FOUND, fingerprint=fingerprint, filename=filename, location=Location(row, 1))


def entries(*found: Diagnostic) -> list[tuple[str, str]]:
    return known_findings(found)


@given(st.lists(st.sampled_from("abc")), st.lists(st.sampled_from("abc")))
def test_each_known_finding_silences_one(before: list[str], now: list[str]) -> None:
    baseline = Baseline(entries(*map(finding, before)), ["a.jsonl"])
    new = baseline.new([finding(mark, row=row) for row, mark in enumerate(now, 1)])
    for mark in "abc":
        fresh = [found for found in new if found.fingerprint == mark]
        assert len(fresh) == max(now.count(mark) - before.count(mark), 0)
    assert baseline.silenced == len(now) - len(new)
    assert baseline.gone == len(before) - baseline.silenced


def test_a_finding_of_another_linted_file_does_not_count() -> None:
    baseline = Baseline(entries(finding("x", "b.jsonl")), ["a.jsonl", "b.jsonl"])
    assert len(baseline.new([finding("x", "a.jsonl")])) == 1
    assert baseline.new([finding("x", "./b.jsonl")]) == []
    assert baseline.gone == 0


def test_a_renamed_file_keeps_what_is_known_of_it() -> None:
    baseline = Baseline(entries(finding("x", "old.jsonl"), finding("y", "old.jsonl")), ["new.jsonl"])
    assert baseline.new([finding("x", "new.jsonl")]) == []
    assert baseline.gone == 0  # nobody has looked into old.jsonl


def test_a_copy_of_a_file_that_is_still_there_is_not_taken_for_it(tmp_path: Path) -> None:
    (tmp_path / "old.jsonl").touch()
    known = entries(finding("x", str(tmp_path / "old.jsonl")))
    copied = Baseline(known, ["new.jsonl"])
    assert len(copied.new([finding("x", "new.jsonl")])) == 1
    assert copied.gone == 0
    (tmp_path / "old.jsonl").unlink()
    assert Baseline(known, ["new.jsonl"]).new([finding("x", "new.jsonl")]) == []


def user(text: str) -> dict[str, Any]:
    return {"role": "user", "content": text}


def call(call_id: str) -> dict[str, Any]:
    function = {"name": "read_tide", "arguments": "{}"}
    return {
        "role": "assistant",
        "content": None,
        "tool_calls": [{"id": call_id, "type": "function", "function": function}],
    }


BROKEN = [user("Tide?"), call("call_1"), user("Hello?")]


@pytest.mark.parametrize(
    "later",
    [
        [user("before"), *BROKEN],
        [[user("another conversation")], BROKEN],
        [{"messages": [user("before"), *BROKEN, user("after")]}],
        {"messages": BROKEN, "model": "gpt-4o"},
    ],
    ids=["messages", "conversations", "rows", "request"],
)
def test_what_moves_within_a_record_stays_known(later: Any) -> None:
    known = lighter.lint(BROKEN)
    assert [found.code for found in known] == ["P101"]
    assert lighter.lint(later, baseline=known) == []


def test_a_fault_of_the_whole_stays_known_while_the_conversation_grows() -> None:
    rules: dict[str, Any] = {"select": ["ft-no-assistant"], "mode": "finetune", "target": "openai-finetune"}
    body = {"messages": [user("Tide?")]}
    known = lighter.lint(body, **rules)
    assert [found.path for found in known] == ["/messages"]
    body["messages"].append(user("Hello?"))
    assert len(lighter.lint(body, **rules)) == 1
    assert lighter.lint(body, **rules, baseline=known) == []


def test_a_fault_stays_known_when_it_is_told_in_other_words() -> None:
    """Counts in a message grow with the log."""
    tools = [{"name": "read_wind", "parameters": {"type": "object"}}]
    once = [*BROKEN[:2], {"role": "tool", "tool_call_id": "call_1", "content": "2.1 m"}]
    known = lighter.lint(once, tools=tools, select=["S101"])
    twice = [*once, call("call_2"), {"role": "tool", "tool_call_id": "call_2", "content": "2.1 m"}]
    [later] = lighter.lint(twice, tools=tools, select=["S101"])
    assert [found.fingerprint for found in known] == [later.fingerprint]
    assert known[0].message != later.message


def test_a_new_fault_beside_a_known_one_is_told() -> None:
    known = lighter.lint(BROKEN)
    later = [*BROKEN, call("call_2"), user("And now?")]
    assert [found.path for found in lighter.lint(later, baseline=known)] == ["/3/tool_calls/0"]


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("[]\n", 0),
        ("", 0),
        ("\ufeff[]", 0),
        ('[{"filename":"a","fingerprint":"x"}]', 1),
        ('{"filename":"a","fingerprint":"x"}\n\n{"filename":"a\\udcff","fingerprint":"y"}\n', 2),
    ],
)
def test_reports_are_read(text: str, count: int, tmp_path: Path) -> None:
    (tmp_path / "report").write_text(text, encoding="utf-8")
    assert len(known_findings(tmp_path / "report")) == count


@pytest.mark.parametrize(
    "text",
    [
        '{"role":"user","content":"hi"}',
        "[1]",
        "[",
        "nonsense",
        '[{"filename":"a"}]',
        '[{"filename":1,"fingerprint":2}]',
        "{}",
        pytest.param("[" * 100_000, id="deep"),
    ],
)
def test_what_is_no_report_is_refused(text: str, tmp_path: Path) -> None:
    (tmp_path / "report").write_text(text, encoding="utf-8")
    with pytest.raises(UnreadableInput, match="is no report of lighter"):
        known_findings(tmp_path / "report")
