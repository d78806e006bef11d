"""Findings as GitHub's workflow commands: annotations of a pull request's lines, and lines of the log.

The form and its escapes: https://docs.github.com/actions/reference/workflow-commands-for-github-actions and
https://github.com/actions/toolkit/blob/main/packages/core/src/command.ts.
"""

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from lighter.diagnostics import Diagnostic
from lighter.excerpt import harmless
from lighter_cli.output._places import advice, in_repository, sentence
from lighter_cli.terminal import Screen

if TYPE_CHECKING:
    from lighter.linting import Report

IS_MACHINE = True
_COMMANDS = {"error": "error", "warning": "warning", "info": "notice"}


def render(reports: "Iterable[Report]", screen: Screen) -> Iterator[str]:  # noqa: ARG001 - all formats are called alike
    """Yield a command for each finding."""
    for report in reports:
        for diagnostic in report.diagnostics:
            yield _command(diagnostic) + "\n"


def _command(diagnostic: Diagnostic) -> str:
    place = diagnostic.location
    properties = {
        "title": f"lighter {diagnostic.code} {diagnostic.name}",
        "file": harmless(in_repository(diagnostic.filename, "GITHUB_WORKSPACE")),
        "line": str(place.row),
        "col": str(place.column),
    }
    # The log of a job shows the message alone, so that it tells the place too.
    where = f"{harmless(diagnostic.filename)}:{place.row}:{place.column}: {diagnostic.code}"
    text = "\n".join([f"{where} {sentence(diagnostic)}", *advice(diagnostic)])
    listed = ",".join(f"{key}={_property(value)}" for key, value in properties.items())
    return f"::{_COMMANDS[diagnostic.severity]} {listed}::{_data(text)}"


def _data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")
