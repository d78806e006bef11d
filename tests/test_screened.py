"""Which rules the screens spare: only those whose faults they look for, or that say what makes a message worth a look."""

import io
from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any

import pytest
from chat import calls, jsonl, result, user

from lighter import linting
from lighter.linting import LintOptions, lint_stream
from lighter.passage import Passage
from lighter.rule import Aim, Finding, Rule
from lighter.rules import RuleModule, rules
from lighter.screened import LOOKED_FOR

LOG = [user(), calls("c"), result("c", name="f"), user("thanks")]


def test_every_name_is_that_of_a_rule() -> None:
    assert {module.rule.name for module in rules()} >= LOOKED_FOR


def invented_rule(**hints: Any) -> RuleModule:
    """Make a rule that finds fault with every result that has a name, and says by hints when it wants to be asked."""

    def check(passage: Passage, _aim: Aim) -> Iterator[Finding]:
        for message in passage.messages:
            if message.raw.get("role") == "tool" and "name" in message.raw:
                yield Finding(message.record, f"{message.path}/name", "named")

    rule = Rule(code="P199", name="named-tool-result", summary="", severity={"generic": "error"})
    module = SimpleNamespace(__name__="named", RULE=rule, check=check, **hints)
    return RuleModule(rule, module, check=check)


@pytest.mark.parametrize(
    "hints",
    [{}, {"KEYS": frozenset({"tool_call_id", "name"})}, {"NEEDLES": (b'"name"',)}],
    ids=["no hint", "keys", "needles"],
)
def test_a_new_rule_is_asked_whatever_the_screen_thinks(hints: dict[str, Any], monkeypatch: pytest.MonkeyPatch) -> None:
    module = invented_rule(**hints)
    monkeypatch.setattr(linting, "selected", lambda *_: (module,))
    found = lint_stream(io.BytesIO(jsonl(*LOG)), "log.jsonl", LintOptions())
    assert [(item.name, item.location.row) for item in found.diagnostics] == [("named-tool-result", 3)]
