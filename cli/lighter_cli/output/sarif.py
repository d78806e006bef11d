"""Findings as SARIF 2.1.0, which code scanning services and editors read.

The form: https://docs.oasis-open.org/sarif/sarif/v2.1.0/sarif-v2.1.0.html; what GitHub makes of it:
https://docs.github.com/code-security/reference/code-scanning/sarif-support-for-code-scanning.
"""

from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from lighter import __version__
from lighter.diagnostics import Diagnostic
from lighter.excerpt import harmless
from lighter.rules import find
from lighter_cli.output import json
from lighter_cli.output._places import Numbered, advice, in_repository, sentence
from lighter_cli.output._summary import counted
from lighter_cli.terminal import Screen

if TYPE_CHECKING:
    from lighter.linting import Report

IS_MACHINE = True
_SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"
_LEVELS = {"error": "error", "warning": "warning", "info": "note"}
MOST = {"error": 13_000, "warning": 7_000, "info": 5_000}
"""Results of each severity that are told: GitHub refuses a run with more than 25,000 (it shows 5,000 of them).

https://docs.github.com/code-security/reference/code-scanning/sarif-files/troubleshoot-sarif-uploads/results-exceed-limit
"""


def render(reports: "Iterable[Report]", screen: Screen) -> Iterator[str]:  # noqa: ARG001 - all formats are called alike
    """Yield the log piece by piece: the results as they come in, then the rules that they are about."""
    rules: dict[str, dict[str, Any]] = {}
    numbered = Numbered()
    counts: Counter[str] = Counter()
    yield f'{{"$schema":"{_SCHEMA}","version":"2.1.0","runs":[{{"columnKind":"unicodeCodePoints","results":'
    yield from json.array(_result(found, rules, numbered) for found in _most(reports, counts))
    if left := sum(max(count - MOST[severity], 0) for severity, count in counts.items()):
        yield f',"invocations":[{json.text_of(_told_less(left))}]'
    driver = {"name": "lighter", "version": __version__, "rules": list(rules.values())}
    yield f',"tool":{{"driver":{json.text_of(driver)}}}}}]}}\n'


def _most(reports: "Iterable[Report]", counts: Counter[str]) -> Iterator[Diagnostic]:
    """Yield the findings that are told, and count all of them by severity."""
    for report in reports:
        for found in report.diagnostics:
            counts[found.severity] += 1
            if counts[found.severity] <= MOST[found.severity]:
                yield found


def _told_less(left: int) -> dict[str, Any]:
    text = f"{counted(left, 'further finding')} left out, since GitHub refuses a run of more than 25000 results"
    notification = {"level": "warning", "message": {"text": text}}
    return {"executionSuccessful": True, "toolExecutionNotifications": [notification]}


def _result(diagnostic: Diagnostic, rules: dict[str, dict[str, Any]], numbered: Numbered) -> dict[str, Any]:
    """Tell one finding, and add its rule to those that the log describes."""
    if diagnostic.code not in rules:
        rules[diagnostic.code] = _rule(diagnostic)
    region = {"startLine": diagnostic.location.row, "startColumn": diagnostic.location.column}
    location: dict[str, Any] = {
        "physicalLocation": {"artifactLocation": _artifact(diagnostic.filename), "region": region}
    }
    if diagnostic.path:
        location["logicalLocations"] = [{"fullyQualifiedName": harmless(diagnostic.path), "kind": "value"}]
    fingerprint = diagnostic.fingerprint
    return {
        "ruleId": diagnostic.code,
        "level": _LEVELS[diagnostic.severity],
        "message": {"text": "\n".join([sentence(diagnostic), *advice(diagnostic)])},
        "locations": [location],
        "partialFingerprints": {
            "lighter/v1": fingerprint,
            # The one that GitHub reads: https://github.com/github/codeql-action/blob/main/src/fingerprints.ts
            "primaryLocationLineHash": f"{fingerprint}:{numbered.number(diagnostic)}",
        },
    }


def _artifact(filename: str) -> dict[str, str]:
    path = in_repository(filename, "GITHUB_WORKSPACE")
    if Path(path).is_absolute():
        return {"uri": Path(path).as_uri()}
    return {"uri": quote(_bytes_of(path)), "uriBaseId": "%SRCROOT%"}


def _bytes_of(path: str) -> bytes:
    """Give the bytes of a name, also of one that is no UTF-8; another half of a character as if it were one."""
    try:
        return path.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError:
        return path.encode("utf-8", "surrogatepass")


def _rule(diagnostic: Diagnostic) -> dict[str, Any]:
    """Describe a finding's rule from its page, which is Markdown."""
    module = find(diagnostic.code)
    page = module.page.strip()
    return {
        "id": diagnostic.code,
        "name": diagnostic.name,
        "shortDescription": {"text": module.rule.summary},
        "fullDescription": {"text": page.split("\n\n")[0].replace("\n", " ")},
        "help": {"text": page, "markdown": page},  # all that a `helpUri` would lead to, which must be absolute
    }
