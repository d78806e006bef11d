"""Which rules the screens spare: only those whose faults they look for, or that say what makes a message worth a look."""

import io
from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any

import pytest
from chat import calls, jsonl, result, user

from lighter import linting, screened
from lighter.formats import get
from lighter.linting import LintOptions, lint_stream
from lighter.passage import Passage
from lighter.records import Record
from lighter.rule import Aim, Finding, Rule, severity_for
from lighter.rules import FileFacts, RuleModule, rules
from lighter.screened import LOOKED_FOR, UNCONCERNED, rules_for_ordinary

LOG = [user(), calls("c"), result("c", name="f"), user("thanks")]


READERS = {"unmerged-stream-chunks": "pieces_in"}
"""What a format must have for a rule to read its passages."""


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
    monkeypatch.setattr(screened, "names", lambda: (*LOOKED_FOR, module.rule.name))
    monkeypatch.setattr(screened, "load", lambda _name: module)
    monkeypatch.setattr(linting, "selected", lambda *_: (module,))
    found = lint_stream(io.BytesIO(jsonl(*LOG)), "log.jsonl", LintOptions())
    assert [(item.name, item.location.row) for item in found.diagnostics] == [("named-tool-result", 3)]


def test_the_rules_that_are_not_loaded_for_ordinary_chats_have_nothing_to_say_of_them() -> None:
    """Those that are looked for give no further hints, the others read no passage, or nothing of this kind."""
    aim = Aim("generic", "log", "openai-chat")
    assert not LOOKED_FOR & UNCONCERNED
    assert {module.rule.name for module in rules()} >= UNCONCERNED
    facts = FileFacts(format="openai-chat", messages=2, rows=1, first=Record(1, b"{}", {}))
    for module in rules():
        if severity_for(module.rule, aim) is None:
            continue
        if module.rule.name in LOOKED_FOR:
            assert not {"KEYS", "NEEDLES", "is_suspect"} & vars(module.module).keys()
        if module.rule.name in UNCONCERNED and module.check:
            assert not hasattr(get("openai-chat"), READERS[module.rule.name])
        if module.rule.name in UNCONCERNED | LOOKED_FOR and module.check_file:
            assert list(module.check_file(facts)) == []


def test_few_rules_are_loaded_for_an_ordinary_log() -> None:
    """A rule that is in neither list is loaded: name it there, unless it says itself what makes a message worth a look."""
    asked = rules_for_ordinary(Aim("generic", "log", "openai-chat"))
    assert asked is not None
    assert len(asked) <= 8
    assert rules_for_ordinary(Aim("anthropic", "request", "anthropic")) is None
