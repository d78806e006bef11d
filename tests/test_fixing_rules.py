"""Every repair of every rule: it mends what it claims to, is made once, breaks nothing else, and leaves the rest as it is."""

import pytest
from fixed import data_of, fixed, linted, name_of

from lighter.excerpt import harmless
from lighter.linting import LintOptions
from lighter.repaired import change_of, shortest
from lighter.rule import Example
from lighter.rules import RuleModule, rules

FIXABLE = [module for module in rules() if module.rule.fix]
UNFIXABLE = [module for module in rules() if not module.rule.fix]
INVALID = [pytest.param(m, e, id=f"{m.rule.name}-{n}") for m in FIXABLE for n, e in enumerate(m.invalid)]
VALID = [pytest.param(m, e, id=f"{m.rule.name}-{n}") for m in FIXABLE for n, e in enumerate(m.valid)]
EVERY = [pytest.param(m, e, id=f"{m.rule.name}-{n}") for m in rules() for n, e in enumerate(m.invalid)]


def options_of(example: Example, *select: str) -> LintOptions:
    return LintOptions(example.target, example.mode, example.format, select)


@pytest.mark.parametrize(("module", "example"), INVALID)
@pytest.mark.parametrize("unanswered", ["error", "drop"])
def test_a_repair_mends_what_the_rule_finds(module: RuleModule, example: Example, unanswered: str) -> None:
    options = options_of(example, module.rule.code)
    data = data_of(example)
    name = name_of(data)
    fixable = [found for found in linted(data, options, name) if found.fix]
    if unanswered == "drop" and module.rule.code not in ("P101", "P103"):
        return
    once = fixed(data, options, name=name, unanswered="drop" if unanswered == "drop" else "error")
    assert bool(once.applied) == bool(fixable)
    assert [found.code for found in linted(once.data, options, name) if found.fix] == []
    again = fixed(once.data, options, name=name)
    assert (again.data, again.applied) == (once.data, [])


@pytest.mark.parametrize("module", FIXABLE, ids=lambda module: module.rule.name)
def test_a_rule_that_says_it_is_fixable_repairs_some_example(module: RuleModule) -> None:
    done = [
        fixed(data_of(example), options_of(example, module.rule.code), name=name_of(data_of(example))).applied
        for example in module.invalid
    ]
    assert any(done)


@pytest.mark.parametrize("module", FIXABLE, ids=lambda module: module.rule.name)
def test_a_rule_shows_what_its_repair_changes(module: RuleModule) -> None:
    shown = shortest(module)
    assert shown is not None
    assert {line[:1] for line in change_of(shown)} & {"-", "+"}
    kept, gone, come = ([line[1:] for line in change_of(shown) if line[0] == sign] for sign in " -+")
    before, after = (
        [
            harmless(line)
            for line in text.encode("utf-8", "surrogatepass").decode("utf-8", "backslashreplace").split("\n")
        ]
        for text in (shown.example.text, shown.after)
    )
    assert set(kept) | set(gone) <= set(before)
    assert set(kept) | set(come) <= set(after)


@pytest.mark.parametrize("module", UNFIXABLE, ids=lambda module: module.rule.name)
def test_no_other_rule_has_repairs(module: RuleModule) -> None:
    for example in module.invalid:
        data = data_of(example)
        assert [f.fix for f in linted(data, options_of(example, module.rule.code), name_of(data)) if f.fix] == []


@pytest.mark.parametrize(("module", "example"), VALID)
def test_a_valid_example_stays_as_it_is(module: RuleModule, example: Example) -> None:
    data = data_of(example)
    assert fixed(data, options_of(example, module.rule.code), name=name_of(data)).data == data


@pytest.mark.slow
@pytest.mark.parametrize(("module", "example"), EVERY)
def test_all_repairs_together_come_to_an_end_and_break_nothing(module: RuleModule, example: Example) -> None:
    data = data_of(example)
    name, options = name_of(data), options_of(example)
    before = {found.code for found in linted(data, options, name) if found.severity == "error"}
    for is_unsafe in (False, True):
        done = fixed(data, options, is_unsafe=is_unsafe, name=name)
        after = {found.code for found in done.left if found.severity == "error"}
        assert after <= before | FOLLOWING.get(module.rule.code, set())
        assert all(found.fix is None or (found.fix.applicability == "unsafe" and not is_unsafe) for found in done.left)
        assert fixed(done.data, options, is_unsafe=is_unsafe, name=name).applied == []


FOLLOWING: dict[str, set[str]] = {}
"""By rule: faults that come to light only when its own is repaired."""
