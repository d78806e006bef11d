"""A rule that is switched off is missed: its examples, its sample and the cases of others give something else then."""

from collections.abc import Iterator
from functools import cache
from typing import Any

import pytest
from msgspec.structs import replace
from test_lint_cases import cases_of, findings
from test_rules import places

from lighter import rules as registry
from lighter.checking import Checks
from lighter.explaining_severity import severities
from lighter.providers import TARGETS
from lighter.rules import RuleModule, rules

each_rule = pytest.mark.parametrize("module", rules(), ids=lambda module: module.rule.name)
CHECKS = ("check", "check_record", "check_file", "check_row")
CASE_FILES = (
    "lint_cases.jsonl",
    "lint_cases_more.jsonl",
    "lint_cases_providers.jsonl",
    "lint_cases_compatible.jsonl",
    "lint_cases_traps.jsonl",
)


@cache
def cases_by_rule() -> dict[str, list[dict[str, Any]]]:
    """List the cases that expect each rule."""
    found: dict[str, list[dict[str, Any]]] = {}
    for name in CASE_FILES:
        for case in cases_of(name):
            for want in case["expect"]:
                found.setdefault(want["rule"], []).append(case)
    return found


def nothing(*_: Any) -> Iterator[Any]:
    """Find nothing, as a check that is switched off."""
    return iter(())


def switch_off(module: RuleModule, monkeypatch: pytest.MonkeyPatch) -> None:
    """Leave a rule in the registry, but let its checks find nothing; what the reader finds for it is not told either."""
    stubs = {name: nothing for name in CHECKS if getattr(module, name) is not None}
    dull = replace(module, **stubs)
    mutated = tuple(dull if other is module else other for other in rules())
    monkeypatch.setattr(registry, "rules", lambda: mutated)
    names = {key: other for other in mutated for key in (other.rule.name, other.rule.code)}
    monkeypatch.setattr(registry, "_by_name", lambda: names)
    tell = Checks.tell_fault
    monkeypatch.setattr(
        Checks, "tell_fault", lambda self, fault: None if fault.kind == module.rule.name else tell(self, fault)
    )


@each_rule
def test_examples_miss_a_rule_that_is_switched_off(module: RuleModule, monkeypatch: pytest.MonkeyPatch) -> None:
    switch_off(module, monkeypatch)
    still = [example.text for example in module.invalid if places(module, example) == list(example.where)]
    assert still == []


@pytest.mark.parametrize(
    "module",
    [module for module in rules() if set(module.rule.severity.values()) != {"info"}],
    ids=lambda module: module.rule.name,
)
def test_a_case_misses_a_rule_that_is_switched_off(module: RuleModule, monkeypatch: pytest.MonkeyPatch) -> None:
    """So that not only the author's own examples notice; cases tell nothing of what is merely worth knowing."""
    name = module.rule.name
    cases = cases_by_rule().get(name, [])
    assert cases, f"no case expects {name}"
    switch_off(module, monkeypatch)
    assert name not in [rule for rule, _, _ in findings(cases[0])]


@each_rule
def test_a_rule_says_who_minds(module: RuleModule) -> None:
    """Each target on its own: at least one minds, and so does everyone who is quoted as refusing the fault."""
    minding = severities(module.rule)
    assert minding
    quoted = {name for refusal in module.rule.refusals for name in refusal.targets}
    assert (quoted & set(TARGETS)) - set(minding) == set()
