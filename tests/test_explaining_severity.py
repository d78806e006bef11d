"""Who is said to mind a rule's fault, and how much, is who the linter tells of it, and as what."""

import io

import pytest

from lighter.diagnostics import SEVERITIES
from lighter.explaining_severity import by_severity, severities
from lighter.linting import LintOptions, lint_stream
from lighter.providers import TARGETS
from lighter.rule import Example
from lighter.rules import RuleModule, rules

each_rule = pytest.mark.parametrize("module", rules(), ids=lambda module: module.rule.name)

SHARPER = {("arguments-not-object", "mistral"), ("mixed-formats", "openai-responses")}
"""Of whose examples each finding says how bad it is."""


def found_in(module: RuleModule, example: Example, target: str) -> dict[str, set[str]]:
    """Lint an example for a target; give the severities of the rule's findings if the target reads the format of the file."""
    row, told = TARGETS[target], severities(module.rule)
    if row.format and example.format not in (None, row.format, *row.also_reads):
        return {}  # without linting, which would find nothing else
    data = example.text.encode("utf-8", "surrogatepass")
    mode = example.mode if target == example.target else None
    report = lint_stream(io.BytesIO(data), "example", LintOptions(target, mode, example.format))
    found = {item.severity for item in report.diagnostics if item.name == module.rule.name}
    if not found or (row.format and report.format not in (row.format, *row.also_reads)):
        return {}
    return {target if target in told or row.format else f"{target}:{report.format}": set(found)}


@each_rule
def test_nobody_is_told_of_a_fault_who_is_not_said_to_mind_it(module: RuleModule) -> None:
    found = {name for target in TARGETS for name in found_in(module, module.invalid[0], target)}
    assert found <= severities(module.rule).keys()


@each_rule
def test_a_fault_is_told_as_is_said(module: RuleModule) -> None:
    """Single findings may weigh less or more, but not all of them."""
    found: dict[str, set[str]] = {}
    for example in module.invalid:
        for name, told in found_in(module, example, example.target).items():
            found.setdefault(name, set()).update(told)
    for name, told in found.items():
        assert severities(module.rule)[name] in told or (module.rule.name, name) in SHARPER, name


@each_rule
def test_the_groups_hold_all_who_mind(module: RuleModule) -> None:
    grouped = by_severity(module.rule)
    assert list(grouped) == [severity for severity in SEVERITIES if severity in grouped]
    assert {name: severity for severity, names in grouped.items() for name in names} == severities(module.rule)
