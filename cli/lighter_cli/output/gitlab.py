"""Findings as a Code Quality report of GitLab, for `artifacts: reports: codequality`.

The form: https://docs.gitlab.com/ci/testing/code_quality/#code-quality-report-format; GitLab itself checks it against
https://gitlab.com/gitlab-org/gitlab/-/blob/master/app/validators/json_schemas/codeclimate.json.
"""

from collections.abc import Iterable, Iterator
from hashlib import sha256
from typing import TYPE_CHECKING, Any

from lighter.diagnostics import Diagnostic
from lighter.excerpt import harmless
from lighter_cli.output import json
from lighter_cli.output._places import Numbered, advice, in_repository, sentence
from lighter_cli.terminal import Screen

if TYPE_CHECKING:
    from lighter.linting import Report

IS_MACHINE = True
_SEVERITIES = {"error": "major", "warning": "minor", "info": "info"}


def render(reports: "Iterable[Report]", screen: Screen) -> Iterator[str]:  # noqa: ARG001 - all formats are called alike
    """Yield the array piece by piece."""
    numbered = Numbered()
    yield from json.array(_issue(found, numbered) for report in reports for found in report.diagnostics)


def _issue(diagnostic: Diagnostic, numbered: Numbered) -> dict[str, Any]:
    path = harmless(in_repository(diagnostic.filename, "CI_PROJECT_DIR"))
    begin = {"line": diagnostic.location.row, "column": diagnostic.location.column}
    return {
        "check_name": diagnostic.name,
        "description": f"{diagnostic.code}: {sentence(diagnostic)}",
        "severity": _SEVERITIES[diagnostic.severity],
        "fingerprint": _fingerprint(path, diagnostic, numbered.number(diagnostic)),
        "location": {"path": path, "positions": {"begin": begin, "end": begin}},
        "content": {"body": "\n".join(advice(diagnostic))},
    }


def _fingerprint(path: str, diagnostic: Diagnostic, number: int) -> str:
    """Identify a finding among all of the project: GitLab shows but one of those that share a fingerprint."""
    text = f"{path}\0{diagnostic.fingerprint}\0{number}"
    return sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:32]
