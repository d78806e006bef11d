"""Findings as JSON Lines: each on a line of its own, as soon as it is known."""

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from lighter_cli.output.json import fields_of, text_of
from lighter_cli.terminal import Screen

if TYPE_CHECKING:
    from lighter.linting import Report

IS_MACHINE = True


def render(reports: "Iterable[Report]", screen: Screen) -> Iterator[str]:  # noqa: ARG001 - all formats are called alike
    """Yield a line for each finding."""
    for report in reports:
        for diagnostic in report.diagnostics:
            yield text_of(fields_of(diagnostic)) + "\n"
