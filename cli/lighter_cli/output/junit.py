"""Findings as JUnit XML: a suite for each file, a failed test for each finding, a passed one for a file without any.

There is no standard; written is what https://github.com/jenkinsci/xunit-plugin (junit-10.xsd), GitLab and others read alike.
"""

from collections.abc import Iterable, Iterator
from html import escape
from typing import TYPE_CHECKING

from lighter.diagnostics import Diagnostic
from lighter.excerpt import harmless
from lighter_cli.output._places import Numbered, advice, sentence
from lighter_cli.terminal import Screen

if TYPE_CHECKING:
    from lighter.linting import Report

IS_MACHINE = True


def render(reports: "Iterable[Report]", screen: Screen) -> Iterator[str]:  # noqa: ARG001 - all formats are called alike
    """Yield the document, a suite at a time."""
    yield '<?xml version="1.0" encoding="UTF-8"?>\n<testsuites name="lighter">\n'
    for report in reports:
        yield from _suite(report)
    yield "</testsuites>\n"


def _suite(report: "Report") -> Iterator[str]:
    name = _text(report.filename)
    failures = sum(_is_failure(found) for found in report.diagnostics)
    tests = max(len(report.diagnostics), 1)
    yield f'  <testsuite name="{name}" tests="{tests}" failures="{failures}" errors="0" skipped="0">\n'
    numbered = Numbered()
    for found in report.diagnostics:
        yield from _case(found, name, numbered.number(found))
    if not report.diagnostics:
        yield f'    <testcase classname="{name}" name="lighter"/>\n'
    yield "  </testsuite>\n"


def _case(diagnostic: Diagnostic, classname: str, number: int) -> Iterator[str]:
    """Tell a finding as a test, whose name stays when lines move; what is merely worth knowing fails nothing."""
    again = f" {number}" if number > 1 else ""
    name = f"{diagnostic.code} {diagnostic.name} [{diagnostic.fingerprint}{again}]"
    place = f"{diagnostic.filename}:{diagnostic.location.row}:{diagnostic.location.column}"
    lines = [f"{harmless(place)}: {diagnostic.code} {sentence(diagnostic)}", *advice(diagnostic)]
    text = escape("\n".join(lines))
    yield f'    <testcase classname="{classname}" name="{name}">\n'
    if _is_failure(diagnostic):
        yield f'      <failure type="{diagnostic.severity}" message="{_text(diagnostic.message)}">{text}</failure>\n'
    else:
        yield f"      <system-out>{text}</system-out>\n"
    yield "    </testcase>\n"


def _is_failure(diagnostic: Diagnostic) -> bool:
    return diagnostic.severity != "info"


def _text(text: str) -> str:
    """Make text an attribute's value; XML 1.0 has no way at all to write most control characters."""
    return escape(harmless(text))
