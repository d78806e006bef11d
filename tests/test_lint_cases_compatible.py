"""Histories for OpenAI's Responses, for those who speak OpenAI's chats, and training rows: each with what it must give, or nothing."""

from typing import Any

import pytest
from test_lint_cases import cases_of, findings

from lighter.providers import TARGETS

CASES = [
    *cases_of("lint_cases_compatible.jsonl"),
    *(case for case in cases_of("lint_cases.jsonl") if case["format"] == "openai-responses"),
]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["id"])
def test_a_history_gives_what_it_must(case: dict[str, Any]) -> None:
    expected = sorted((want["rule"], want["where"], want["severity"]) for want in case["expect"])
    found = findings(case)
    assert [item for item in found if item in expected] == expected
    assert [item for item in found if item not in expected and (item[2] == "error" or not expected)] == []


def test_every_target_of_this_kind_has_faults_and_look_alikes() -> None:
    kin = {
        name
        for name, row in TARGETS.items()
        if row.kin is not None and row.format in ("openai-chat", "openai-responses")
    }
    assert {case["target"] for case in CASES if case["expect"]} >= kin
    assert {case["target"] for case in CASES if not case["expect"]} >= kin
