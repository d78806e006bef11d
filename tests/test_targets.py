"""Who is judged how: what a target takes over from its kin, which formats it reads, and who is named as refusing a fault."""

import io
import json

import pytest
from chat import assistant, calls, result, user

import lighter
from lighter.aiming import aim_at
from lighter.linting import LintOptions, Report, lint_stream, report_on
from lighter.providers import OPENAI_CHATS, TARGETS, get_target
from lighter.reporting import targets_of
from lighter.rule import Aim, Rule, severity_for
from lighter.source import read_records


def rule(**more: object) -> Rule:
    return Rule(**{"code": "M999", "name": "some-fault", "summary": "", "severity": {}, **more})  # type: ignore[arg-type] # the fields of a rule


KIN = [
    ({"severity": {"generic": "error"}}, "error"),
    ({"severity": {"generic": "error", "groq": "warning"}}, "warning"),
    ({"severity": {"generic": "warning", "generic:openai-chat": "error"}}, "error"),
    ({"severity": {"generic": "info"}}, None),
    ({"severity": {"generic": "error"}, "spares": ("groq",)}, None),
    ({"severity": {"openai-chat": "error"}}, None),
    ({"severity": {"generic": "error"}, "modes": ("finetune",)}, None),
    ({"severity": {"generic": "error"}, "formats": ("anthropic",)}, None),
]


@pytest.mark.parametrize(("fields", "expected"), KIN)
def test_a_target_minds_what_its_kin_minds(fields: dict[str, object], expected: str | None) -> None:
    assert severity_for(rule(**fields), Aim("groq", "request", "openai-chat", "generic")) == expected


def test_without_kin_only_what_names_the_target_counts() -> None:
    assert severity_for(rule(severity={"generic": "error"}), Aim("openai-chat", "request", "openai-chat")) is None


def test_every_kin_is_a_target() -> None:
    assert {row.kin for row in TARGETS.values() if row.kin} <= TARGETS.keys()
    assert {get_target(name).kin for name in ("openai-finetune", "azure-finetune")} == {"openai-chat", "azure-openai"}
    assert {"openai-chat", "azure-openai", "openai-finetune", "azure-finetune"} == OPENAI_CHATS


@pytest.mark.parametrize(
    ("target", "found", "reads"),
    [
        ("generic", "anthropic", "anthropic"),
        ("azure-openai", "openai-responses", "openai-responses"),
        ("azure-openai", "anthropic", "openai-chat"),
        ("openai-chat", "openai-responses", "openai-chat"),
        ("deepseek", "anthropic", "openai-chat"),
    ],
)
def test_what_a_target_reads_is_judged_as_it_stands(target: str, found: str, reads: str) -> None:
    assert aim_at(target, "request", found).format == reads


def test_who_is_aimed_at_is_named_among_those_who_refuse() -> None:
    aim = Aim("groq", "request", "openai-chat", "generic")
    assert "groq" in targets_of(rule(severity={"generic": "error"}), aim)
    assert "groq" not in targets_of(rule(severity={"generic": "warning"}), aim)


def report(*rows: object, target: str, is_screened: bool = True) -> Report:
    data = "".join(json.dumps(row) + "\n" for row in rows).encode()
    records = read_records(io.BytesIO(data), filename="a.jsonl")
    return report_on(records, "a.jsonl", LintOptions(target), is_screened=is_screened)


ORDINARY = {"messages": [user(), calls("c"), result("c"), assistant("2.1 m")]}
ROLES = {"messages": [{"role": "developer", "content": "Briefly."}, user(), assistant("2.1 m")]}
REASONER = {"model": "deepseek-reasoner", "messages": [user(), user(), assistant("2.1 m")]}


@pytest.mark.parametrize("row", [ORDINARY, ROLES, REASONER])
@pytest.mark.parametrize("target", [name for name, row in TARGETS.items() if row.format == "openai-chat"])
def test_screens_change_nothing(row: dict[str, object], target: str) -> None:
    found, plain = report(row, target=target), report(row, target=target, is_screened=False)
    assert found.diagnostics == plain.diagnostics


def test_a_row_that_is_no_conversation_is_a_finding_and_not_passed_over() -> None:
    found = report({"prompt": "Tide?", "completion": "2.1 m"}, target="openai-finetune")
    assert found.is_recognised
    assert [(d.name, d.path) for d in found.diagnostics if d.severity == "error"] == [("ft-missing-messages", "")]


def test_rows_of_one_document_are_judged_one_by_one() -> None:
    rows = [{"messages": [user(), assistant("2.1 m")]}, {"messages": [user()]}]
    stream = io.BytesIO(json.dumps(rows).encode())
    found = lint_stream(stream, "a.json", LintOptions("azure-finetune")).diagnostics
    assert [(d.name, d.path) for d in found if d.severity == "error"] == [("ft-no-assistant", "/1/messages")]


def test_rows_are_no_matter_outside_training() -> None:
    assert lighter.lint([user(), assistant("2.1 m"), user()], target="openai-chat") == []


SHAREGPT = {"conversations": [{"from": "human", "value": "Tide?"}, {"from": "gpt", "value": "2.1 m"}]}
ALPACA = {"instruction": "Tide?", "input": "", "output": "2.1 m"}
CHAT = {"messages": [user("Tide?"), assistant("2.1 m")]}
UNTOLD = {"conversations": ["Tide?", "2.1 m"]}


@pytest.mark.parametrize(
    ("rows", "target", "read"),
    [
        ([SHAREGPT], "llamafactory", (True, 1, 0)),
        ([SHAREGPT, ALPACA, {"conversations": CHAT["messages"]}], "llamafactory", (True, 3, 0)),
        ([SHAREGPT, CHAT], "llamafactory", (True, 1, 1)),
        ([CHAT, SHAREGPT], "llamafactory", (True, 1, 1)),
        ([[SHAREGPT, ALPACA]], "llamafactory", (True, 2, 0)),
        ([[SHAREGPT, CHAT]], "llamafactory", (True, 1, 1)),
        ([UNTOLD], "llamafactory", (False, 0, 0)),
        ([{"conversations": []}], "llamafactory", (False, 0, 0)),
        ([SHAREGPT], "generic", (False, 0, 0)),
        ([SHAREGPT], "together-finetune", (False, 0, 0)),
    ],
)
def test_rows_that_no_format_reads_count_for_who_takes_them(
    rows: list[object], target: str, read: tuple[bool, int, int]
) -> None:
    data = b"".join(json.dumps(row).encode() + b"\n" for row in rows)
    report = lint_stream(io.BytesIO(data), "a", LintOptions(target))
    assert (report.is_recognised, report.rows, report.conversations) == read
    assert report.diagnostics == []


@pytest.mark.parametrize("target", ["anthropic", "gemini", "bedrock"])
def test_a_system_prompt_alone_is_told_as_such(target: str) -> None:
    [found] = lighter.lint([{"role": "system", "content": "Answer briefly."}], target=target)
    assert (found.path, found.message) == ("/0", "only a system prompt is here, and no message")


def test_an_empty_list_is_no_list_of_rows() -> None:
    report = lint_stream(io.BytesIO(b"[]"), "a", LintOptions("llamafactory"))
    assert (report.rows, report.conversations) == (0, 1)
