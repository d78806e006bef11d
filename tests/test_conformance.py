"""The published score: what lighter finds in the corpus of defects and look-alikes, rule by rule, and what other checkers say of it.

`--update-golden` writes docs/conformance.md anew. The figures of others are stored; `tests/bench/peers.py` makes them.
"""

import json
from collections import Counter
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from conformance_corpus import CASE_FILES, cases, is_probe, probes
from test_lint_cases import findings

from lighter.rules import find, rules

pytestmark = pytest.mark.slow  # the cases are tests of their own; this counts them

PAGE = Path(__file__).parents[1] / "docs" / "conformance.md"
PEERS = Path(__file__).parent / "data" / "peers.json"
FAMILIES = {
    "F": "files",
    "P": "pairing",
    "A": "arguments",
    "M": "messages",
    "R": "reasoning",
    "T": "training",
    "S": "tools",
    "H": "hygiene",
}
REPORTED = "ew"
"""The letters of `tests/bench/peers.py` for having said something."""


@cache
def results() -> list[tuple[dict[str, Any], list[tuple[str, str, str]]]]:
    """Lint all cases."""
    return [(case, findings(case)) for case in cases()]


def expected(case: Mapping[str, Any]) -> list[tuple[str, str, str]]:
    return [(want["rule"], want["where"], want["severity"]) for want in case["expect"]]


def score() -> tuple[Counter[str], Counter[str], Counter[str]]:
    """Count by rule what must be found, what is found in its place and weight, and false alarms on look-alikes."""
    wanted, found, false = Counter[str](), Counter[str](), Counter[str]()
    for case, told in results():
        for item in expected(case):
            wanted[item[0]] += 1
            found[item[0]] += item in told
        if not case["expect"]:
            false.update(rule for rule, _, _ in told)
    return wanted, found, false


def page() -> str:
    """Write the page."""
    return "\n".join([*_head(), *_peers(), *_rules()])


def _head() -> Iterator[str]:
    wanted, found, false = score()
    sound = sum(not case["expect"] for case, _ in results())
    yield from (
        "# Conformance",
        "",
        "Written by the tests. The corpus is made of small histories, one a line, in",
        ", ".join(f"[`{name}`](../tests/{name})" for name in CASE_FILES) + ":",
        "an `input` (or the text or bytes of a file), the target and the mode that it is judged for, and what must be found: rule, place",
        "and severity. Each names its evidence, a public report mostly. Where nothing is expected, the history is sound and only looks",
        "like a fault.",
        "",
        "| | |",
        "|---|---|",
        f"| histories with a fault | {len(results()) - sound} |",
        f"| faults in them | {wanted.total()} |",
        f"| found by lighter, with rule, place and severity | {found.total()} |",
        f"| look-alikes | {sound} |",
        f"| false alarms of lighter on them | {false.total()} |",
        "",
    )


def _peers() -> Iterator[str]:
    stored = json.loads(PEERS.read_text(encoding="utf-8"))
    yield from (
        "## Other checkers",
        "",
        "Run over the histories of the corpus that stand in OpenAI's or Anthropic's wire form, by",
        "[`tests/bench/peers.py`](../tests/bench/peers.py), which tells how each is asked. Whatever a checker reports about a faulty",
        "history counts as reported, also where it says something else than what is wrong; errors about sound histories, and",
        "tracebacks, count against it. A checker is not to blame for faults that it does not claim to look for: the second table is by",
        "family, those that a checker's claims touch are **bold**. lighter's own row is judged as strictly: by its errors and warnings.",
        "Histories are sound for OpenAI or Anthropic as the case says; a trainer may rightly refuse some of them. lighter is developed",
        "against this corpus: its own row shows that it keeps what it promises, not how it does on histories that nobody has seen.",
        "",
        "| checker | version | claims to check | faulty: reported | sound: errors | tracebacks |",
        "|---|---|---|---|---|---|",
    )
    rows = [_own_row(), *stored["peers"]]
    faults = {f"{probe.format}/{probe.id}": probe.rules for probe in probes()}
    for row in rows:
        told = [(faults.get(name), letter) for name, letter in zip(stored["probes"], row["outcomes"], strict=True)]
        read = [(told_rules, letter) for told_rules, letter in told if told_rules is not None and letter != "-"]
        faulty = [letter for told_rules, letter in read if told_rules]
        sound = [letter for told_rules, letter in read if not told_rules]
        reported = sum(letter in REPORTED for letter in faulty)
        yield (
            f"| {row['name']} | {row['version']} | {row['claims']} | {reported} of {len(faulty)} "
            f"| {sound.count('e')} of {len(sound)} | {faulty.count('t') + sound.count('t')} |"
        )
    yield from (
        "",
        "All of these come from PyPI. On npm one package was found that claims to check histories, `tool-history-guard` 0.1.1 (pairing of",
        "calls and results); it could not be installed, so there are no figures of it. Looked for on 2026-11-30: among the descriptions",
        "of 227,000 packages, for words of checking beside those of models, agents, chats, tools and transcripts, and by a search of the web.",
        "Libraries that check only histories of their own making are left out.",
        "",
    )
    yield from (f"| checker | {' | '.join(FAMILIES.values())} |", "|---" * (len(FAMILIES) + 1) + "|")
    for row in rows:
        cells = [_cell(row, family, stored["probes"], faults) for family in FAMILIES]
        yield f"| {row['name']} | {' | '.join(cells)} |"
    yield ""


def _own_row() -> dict[str, Any]:
    """Give lighter's outcomes as those of the others are stored, for the histories that they were given."""
    stored = json.loads(PEERS.read_text(encoding="utf-8"))["probes"]
    told = {f"{case['format']}/{case['id']}": found for case, found in results() if is_probe(case)}
    return {
        "name": "**lighter**",
        "version": "this one",
        "claims": "everything on this page",
        "families": "".join(FAMILIES),
        "outcomes": "".join(_letter(told.get(name)) for name in stored),
    }


def _letter(found: list[tuple[str, str, str]] | None) -> str:
    if found is None:
        return "-"
    severities = {severity for _, _, severity in found}
    return "e" if "error" in severities else "w" if severities else "."


def _cell(row: Mapping[str, Any], family: str, names: list[str], faults: Mapping[str, tuple[str, ...]]) -> str:
    letters = [
        letter
        for name, letter in zip(names, row["outcomes"], strict=True)
        if letter != "-" and any(find(rule).rule.code[0] == family for rule in faults.get(name, ()))
    ]
    if not letters:
        return ""
    text = f"{sum(letter in REPORTED for letter in letters)} of {len(letters)}"
    return f"**{text}**" if family in row["families"] else text


def _rules() -> Iterator[str]:
    wanted, found, false = score()
    yield from (
        "## lighter, rule by rule",
        "",
        "| code | rule | faults | found | false alarms |",
        "|---|---|---|---|---|",
    )
    for module in rules():
        name = module.rule.name
        yield f"| {module.rule.code} | [`{name}`](rules/{name}.md) | {wanted[name]} | {found[name]} | {false[name]} |"
    yield from ("", "Rules without faults here are worth knowing only (`info`), which cases do not tell.", "")


def test_every_fault_is_found_and_nothing_else() -> None:
    wanted, found, false = score()
    assert found == wanted
    assert false == Counter()


def test_the_page_says_so(is_updating: bool) -> None:
    text = page()
    if is_updating:
        PAGE.write_text(text, encoding="utf-8")
    assert PAGE.read_text(encoding="utf-8") == text


def test_others_were_asked_about_the_corpus_as_it_is() -> None:
    """Nearly: a history that came since is not counted, but many would make the figures those of another corpus."""
    stored = set(json.loads(PEERS.read_text(encoding="utf-8"))["probes"])
    current = {f"{probe.format}/{probe.id}" for probe in probes()}
    assert len(current ^ stored) <= len(current) / 10
