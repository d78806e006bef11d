"""Findings summed up in Markdown, as for the summary of a CI job: a row for each rule, with the first place."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from lighter.diagnostics import SEVERITIES
from lighter.excerpt import harmless
from lighter_cli.output._places import sentence
from lighter_cli.output._summary import counted
from lighter_cli.terminal import Screen

if TYPE_CHECKING:
    from lighter.diagnostics import Diagnostic
    from lighter.linting import Report

IS_MACHINE = True
_SPECIAL = re.compile(r"([\\`*_{}\[\]()<>#+\-.!|~$@:&])")
"""Whatever could begin something else than text: links, mentions, HTML, formulas."""


def render(reports: "Iterable[Report]", screen: Screen) -> Iterator[str]:  # noqa: ARG001 - all formats are called alike
    """Yield the summary when everything is known."""
    counts: Counter[str] = Counter()
    firsts: dict[str, Diagnostic] = {}
    severities: Counter[str] = Counter()
    files = 0
    for report in reports:
        files += 1
        for found in report.diagnostics:
            counts[found.code] += 1
            severities[found.severity] += 1
            firsts.setdefault(found.code, found)
    words = {"error": "error", "warning": "warning", "info": "note"}
    told = ", ".join(counted(severities[one], words[one]) for one in SEVERITIES if severities[one])
    yield f"### lighter: {told or 'no findings'} in {counted(files, 'file')}\n"
    if not counts:
        return
    yield "\n| | rule | severity | first |\n|---:|---|---|---|\n"
    for code, count in sorted(
        counts.items(), key=lambda item: (SEVERITIES.index(firsts[item[0]].severity), -item[1], item[0])
    ):
        first = firsts[code]
        place = f"{first.filename}:{first.location.row}:{first.location.column}"
        text = f"{_text(harmless(place))}<br>{_text(sentence(first))}"
        yield f"| {count} | {code} {_text(first.name)} | {first.severity} | {text} |\n"


def _text(text: str) -> str:
    """Make text that Markdown shows as it is."""
    return _SPECIAL.sub(r"\\\1", text)
