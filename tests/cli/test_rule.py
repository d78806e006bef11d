"""A rule's page in the terminal and its JSON name the same targets, with the same severities."""

import json
import re

import pytest

from lighter.explaining_severity import severities
from lighter.rules import RuleModule, rules
from lighter_cli.commands.rule import rule


@pytest.mark.parametrize("module", rules(), ids=lambda module: module.rule.name)
def test_page_and_json_name_all_who_mind(module: RuleModule, capsys: pytest.CaptureFixture[str]) -> None:
    rule(module.rule.code, output_format="json")
    assert json.loads(capsys.readouterr().out)["severity"] == severities(module.rule)
    rule(module.rule.code)
    _, _, told = capsys.readouterr().out.partition("\nSeverity by target\n")
    assert listed(told.partition("\n  (modes ")[0]) == severities(module.rule)


def listed(text: str) -> dict[str, str]:
    """Read the severities back from a page."""
    parts = re.split(r"(?:^| )(error|warning|info) ", " ".join(text.split()))[1:]
    return {name: severity for severity, names in zip(parts[::2], parts[1::2], strict=True) for name in names_in(names)}


def names_in(names: str) -> list[str]:
    """Read a list of targets, and the formats that count without one."""
    spelled = re.sub(r"no target \(in (.*?)\)", lambda found: f"generic:{found[1].replace(', ', ', generic:')}", names)
    return spelled.replace("no target", "generic").split(", ")
