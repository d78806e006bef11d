"""Every rule finds nothing in its valid examples, and exactly the places that its invalid ones name."""

import io
import json

import pytest
from chat import calls, result, user

from lighter.errors import UnknownRule
from lighter.lint_files import lint
from lighter.linting import LintOptions, lint_stream
from lighter.rule import Example
from lighter.rules import RuleModule, find, rules, selected

VALID = [pytest.param(m, e, id=f"{m.rule.name}-valid-{n}") for m in rules() for n, e in enumerate(m.valid)]
INVALID = [pytest.param(m, e, id=f"{m.rule.name}-invalid-{n}") for m in rules() for n, e in enumerate(m.invalid)]


def places(module: RuleModule, example: Example) -> list[str]:
    """Lint an example, and give the places of the rule's findings as examples write them."""
    options = LintOptions(example.target, example.mode, example.format)
    data = example.text.encode("utf-8", "surrogatepass")
    report = lint_stream(io.BytesIO(data), "example.jsonl" if data.endswith(b"\n") else "example.json", options)
    found = [d for d in report.diagnostics if d.name == module.rule.name]
    is_whole = is_one_value(data) or "" in example.where
    return [d.path if is_whole else f"/{d.location.row - 1}{d.path}" for d in found]


def is_one_value(data: bytes) -> bool:
    """Say whether a text is one JSON value (not a file of lines)."""
    try:
        json.loads(data)
    except ValueError:
        return False
    return not data.endswith(b"\n") or b"\n" in data.rstrip(b"\n")


@pytest.mark.parametrize(("module", "example"), VALID)
def test_nothing_is_found_in_a_valid_example(module: RuleModule, example: Example) -> None:
    assert places(module, example) == []


@pytest.mark.parametrize(("module", "example"), INVALID)
def test_the_fault_of_an_invalid_example_is_found_in_its_place(module: RuleModule, example: Example) -> None:
    assert places(module, example) == list(example.where)


BROKEN_ARGUMENTS = {
    "{'a': None}": "a Python literal",
    '{"a": "b\nc"}': "a raw control character at character ",
    '{"a": 1}{"b": 2}': "two values stand one after another",
    '{"a": 1} ok': "something follows after character 8",
}


@pytest.mark.parametrize("text", BROKEN_ARGUMENTS)
def test_broken_arguments_are_told_by_what_they_are(text: str) -> None:
    (found,) = lint([user(), calls("c", arguments=text), result("c")], select=["arguments-invalid-json"])
    assert BROKEN_ARGUMENTS[text] in found.message
    assert found.help


def test_rules_are_found_by_code_and_by_name() -> None:
    assert find("P102") is find("p102") is find("orphan-tool-result") is find("ORPHAN-TOOL-RESULT")


def test_an_unknown_rule_is_told_with_near_names() -> None:
    with pytest.raises(UnknownRule, match="did you mean 'orphan-tool-result'"):
        find("orphaned-tool-result")


def test_letters_in_a_code_that_look_like_digits_are_meant_as_such() -> None:
    with pytest.raises(UnknownRule, match=r"did you mean 'P101'\?"):
        find("P1O1")


@pytest.mark.parametrize(
    ("select", "ignore", "expected"),
    [
        (["P102"], [], {"P102"}),
        (["orphan-tool-result", "F101"], [], {"P102", "F101"}),
        (["ALL"], ["F", "P", "A", "M", "R", "S", "H", "T"], set()),
        (["P102"], ["P"], {"P102"}),
        (["P10"], ["P102", "P103"], {"P101", "P104", "P105", "P106", "P107", "P108", "P109"}),
    ],
)
def test_selectors(select: list[str], ignore: list[str], expected: set[str]) -> None:
    assert {module.rule.code for module in selected(select, ignore)} == expected


def test_no_selector_selects_all() -> None:
    assert selected() == rules()


def test_a_selector_that_names_nothing_is_an_error() -> None:
    with pytest.raises(UnknownRule):
        selected(["Q1"])
