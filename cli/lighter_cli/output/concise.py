"""Findings one a line, `path:row:column: CODE [severity] message (/json/pointer)`, as editors and grep like them."""

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from lighter.diagnostics import Diagnostic
from lighter.excerpt import harmless
from lighter_cli.terminal import Screen

if TYPE_CHECKING:
    from lighter.linting import Report

IS_MACHINE = False


def render(reports: "Iterable[Report]", screen: Screen) -> Iterator[str]:
    """Yield a line for each finding."""
    for report in reports:
        for diagnostic in report.diagnostics:
            yield line_of(diagnostic, screen) + "\n"


def line_of(diagnostic: Diagnostic, screen: Screen) -> str:
    """Tell one finding in one line."""
    place = f"{harmless(diagnostic.filename)}:{diagnostic.location.row}:{diagnostic.location.column}:"
    code = screen.paint(diagnostic.code, diagnostic.severity)
    path = screen.paint(f" ({harmless(diagnostic.path)})", "dim") if diagnostic.path else ""
    return f"{place} {code} [{diagnostic.severity}] {harmless(diagnostic.message)}{path}"
