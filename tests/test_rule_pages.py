"""The pages about rules say what the rules say: an index, the error texts of all providers, and one page for each rule."""

from collections.abc import Iterator, Sequence
from itertools import groupby
from pathlib import Path

import pytest

from lighter.beyond import all_beyond
from lighter.excerpt import harmless
from lighter.explaining import how_to_fix
from lighter.explaining_severity import by_severity
from lighter.providers import TARGETS
from lighter.repaired import change_of, shortest
from lighter.rule import MODES, Example, Refusal, Rule
from lighter.rules import RuleModule, find, rules

DOCS = Path(__file__).parents[1] / "docs" / "rules"
FAMILIES = {
    "F": "Files",
    "P": "Tool calls and their results",
    "A": "Arguments and results",
    "M": "Messages, roles and content",
    "R": "Reasoning",
    "T": "Training rows",
    "S": "Tool definitions",
    "H": "Hygiene",
}
LONGEST = 600
"""Characters of a line of an example that are shown; what is longer is a blob."""

MOST_EXAMPLES = 3
"""Examples of either kind that a page shows."""


def index() -> str:
    """Write the page that lists the rules."""
    parts = [
        "# Rules",
        "",
        "Written by the tests from the rules themselves. `lighter rule NAME` prints the same in the terminal,",
        "[errors.md](errors.md) leads from a provider's words to the rule, as `lighter explain` does.",
        "",
    ]
    for family, members in groupby(rules(), key=lambda module: module.rule.code[0]):
        parts += [f"## {FAMILIES[family]}", "", "| code | rule | what is wrong | fix |", "|---|---|---|---|"]
        parts += [_row(module.rule) for module in members]
        parts += [""]
    return "\n".join(parts)


def _row(rule: Rule) -> str:
    fix = rule.fix.applicability if rule.fix else ""
    return f"| {rule.code} | [`{rule.name}`]({rule.name}.md) | {_cell(rule.summary)} | {fix} |"


def errors() -> str:
    """Write the page of all error texts, by who says them."""
    said: dict[str, dict[str, list[str]]] = {}
    for module in rules():
        for refusal in module.rule.refusals:
            names = said.setdefault(_speakers(refusal), {}).setdefault(refusal.text, [])
            names.append(module.rule.name) if refusal.is_rarer else names.insert(_usual(names), module.rule.name)
    parts = [
        "# What providers say",
        "",
        "Written by the tests from what the rules record. `…` stands for anything; ids, names and numbers are those of the",
        "reports. `lighter explain` takes an error as it was pasted, and shows the place in a file.",
        "",
    ]
    for who, texts in sorted(said.items()):
        parts += [f"## {who}", ""]
        for text, names in sorted(texts.items()):
            parts += ["```", text, "```", "", " · ".join(f"[`{name}`]({name}.md)" for name in names), ""]
    parts += ["## What no rule finds", ""]
    for entry in all_beyond():
        parts += [f"### {entry.title[0].upper()}{entry.title[1:]}", ""]
        for refusal in entry.refusals:
            parts += [f"{_speakers(refusal)} ([seen]({refusal.source})):", "", "```", refusal.text, "```", ""]
        parts += [entry.meaning, "", entry.remedy, ""]
    return "\n".join(parts)


def _usual(names: Sequence[str]) -> int:
    """Tell where in a list of rules the next usual cause goes: behind the others, before the rarer ones."""
    return sum(not any(r.is_rarer for r in find(name).rule.refusals) for name in names)


def page_of(module: RuleModule) -> str:
    """Write the page of a rule."""
    rule = module.rule
    sections = module.sections
    parts = [f"# {rule.code} `{rule.name}`", "", sections[""], ""]
    if rule.refusals:
        parts += ["## Error messages", ""]
        for refusal in rule.refusals:
            seen = f" ([seen]({refusal.source}))" if "://" in refusal.source else f" (seen in {refusal.source})"
            parts += [f"{_speakers(refusal)}{seen if refusal.source else ''}:", "", "```", refusal.text, "```", ""]
    for heading in ("What", "Why it is refused", "Example", "Fix"):
        parts += [f"## {heading}", "", sections[heading], ""]
    if rule.fix:
        parts += [how_to_fix(rule), "", *_change(module)]
    parts += ["## Who minds", "", *_minding(rule), ""]
    parts += ["## Reported", "", *_examples(module.invalid)]
    parts += ["## Not reported", "", *_examples(module.valid)]
    if rule.source:
        parts += ["## Source", "", f"<{rule.source}>" if "://" in rule.source else rule.source, ""]
    return "\n".join(parts)


def _change(module: RuleModule) -> Iterator[str]:
    """Show an example before and after its repair."""
    one = shortest(module)
    if one is not None:
        yield from ("```diff", *map(_cut, change_of(one)), "```", "")


def _minding(rule: Rule) -> Iterator[str]:
    yield "| severity | targets |"
    yield "|---|---|"
    for severity, names in by_severity(rule).items():
        yield f"| {severity} | {', '.join(f'`{name}`' for name in names)} |"
    yield ""
    modes = "in every mode" if rule.modes == MODES else f"in mode {', '.join(f'`{mode}`' for mode in rule.modes)}"
    formats = f" Formats: {', '.join(f'`{name}`' for name in rule.formats)}." if rule.formats else ""
    yield f"It is asked {modes}.{formats} Since {rule.since}."


def _examples(examples: Sequence[Example]) -> Iterator[str]:
    for example in examples[:MOST_EXAMPLES]:
        told = [f"target `{example.target}`"] if example.target != "generic" else []
        told += [f"mode `{example.mode}`"] if example.mode else []
        told += [f"format `{example.format}`"] if example.format else []
        places = ", ".join(f"`{place}`" if place else "the whole" for place in example.where)
        told += [f"at {places}"] if places else []
        line = ", ".join(told)
        yield from ([f"{line[0].upper()}{line[1:]}:", ""] if told else [])
        yield from ("```jsonl", *_lines(example.text), "```", "")


def _lines(text: str) -> Iterator[str]:
    for line in text.removesuffix("\n").split("\n"):
        yield _cut(harmless(line))


def _cut(shown: str) -> str:
    half = LONGEST // 2
    return shown if len(shown) <= LONGEST else f"{shown[:half]} … {len(shown) - LONGEST} more … {shown[-half:]}"


def _speakers(refusal: Refusal) -> str:
    return ", ".join(TARGETS[key].title if (key := name.lower()) in TARGETS else name for name in refusal.targets)


def _cell(text: str) -> str:
    return text.replace("|", "\\|").replace("<", "&lt;")


PAGES = ["README", "errors", *(module.rule.name for module in rules())]


@pytest.mark.parametrize("name", PAGES)
def test_pages_say_what_the_rules_say(name: str, is_updating: bool) -> None:
    """`--update-golden` writes them anew."""
    page = DOCS / f"{name}.md"
    text = {"README": index, "errors": errors}[name]() if name in ("README", "errors") else page_of(find(name))
    if is_updating:
        page.parent.mkdir(exist_ok=True)
        page.write_text(text, encoding="utf-8")
    assert page.read_text(encoding="utf-8") == text


def test_no_page_is_left_over() -> None:
    assert {page.stem for page in DOCS.glob("*.md")} == set(PAGES)


def test_every_error_text_stands_there_as_it_is() -> None:
    """So that who searches for their error finds it."""
    text = (DOCS / "errors.md").read_text(encoding="utf-8")
    missing = [r.text for module in rules() for r in module.rule.refusals if f"\n{r.text}\n" not in text]
    assert missing == []
