"""What looks like a fault and is none: the known traps, training rows of Hugging Face's kind, and plain chats, for many targets."""

from typing import Any

import pytest
from test_lint_cases import cases_of, findings

CASES = cases_of("lint_cases_traps.jsonl")
TRAPS = frozenset(range(1, 16)) - {14}
"""The traps by number; 14 is about logs of Claude Code."""


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["id"])
def test_what_looks_like_a_fault_is_none(case: dict[str, Any]) -> None:
    assert findings(case) == [(want["rule"], want["where"], want["severity"]) for want in case["expect"]]


def test_no_trap_is_left_out() -> None:
    assert {case["trap"] for case in CASES} >= TRAPS
