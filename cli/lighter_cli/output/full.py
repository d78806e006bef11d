"""Findings for people: what is wrong, where, the messages concerned with the fault underlined, what helps, and who says so."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from lighter.diagnostics import Diagnostic
from lighter.excerpt import harmless
from lighter_cli.output._cells import width_of, wrap
from lighter_cli.output._frame import frame, gutter_of
from lighter_cli.terminal import Screen

if TYPE_CHECKING:
    from lighter.linting import Report

IS_MACHINE = False
MOST = 20
"""Findings of one rule that are shown for one file; the others are counted."""


def render(reports: "Iterable[Report]", screen: Screen) -> Iterator[str]:
    """Yield the findings of each file, and how many more there are of rules with very many."""
    for report in reports:
        yield from _file(report.diagnostics, screen)


def _file(diagnostics: Sequence[Diagnostic], screen: Screen) -> Iterator[str]:
    shown: Counter[str] = Counter()
    told: set[tuple[str, str]] = set()
    for diagnostic in diagnostics:
        shown[diagnostic.code] += 1
        if shown[diagnostic.code] > MOST:
            continue
        note = (diagnostic.code, diagnostic.note)
        yield "\n".join(_finding(diagnostic, screen, has_note=note not in told)) + "\n\n"
        told.add(note)
    for code, count in shown.items():
        if count > MOST:
            yield screen.paint(f"… {count - MOST} more {code} (use --statistics)", "dim") + "\n\n"


def _finding(diagnostic: Diagnostic, screen: Screen, *, has_note: bool) -> Iterator[str]:
    yield from _header(diagnostic, screen)
    yield from _place(diagnostic, screen)
    yield from frame(diagnostic.marks, diagnostic.severity, screen)
    advice = diagnostic.help or (diagnostic.fix.message if diagnostic.fix else "")
    if advice:
        yield from _labelled("help", advice, "cyan", screen)
    if has_note:  # said once for each rule and file: the same words again would only hide the next finding
        see = f"see `lighter rule {diagnostic.code}`"
        yield from _labelled("note", f"{diagnostic.note}; {see}" if diagnostic.note else see, "bold", screen)


def _header(diagnostic: Diagnostic, screen: Screen) -> Iterator[str]:
    weight = "" if diagnostic.severity == "error" else f" [{diagnostic.severity}]"
    title = f"{diagnostic.code} {diagnostic.name}{weight}:"
    first, *others = wrap(f"{title} {harmless(diagnostic.message)}", screen.width, indent=2)
    rest = first.removeprefix(title)
    yield screen.paint(title, diagnostic.severity) + screen.paint(rest, "bold")
    yield from (screen.paint(line, "bold") for line in others)


def _place(diagnostic: Diagnostic, screen: Screen) -> Iterator[str]:
    margin = " " * (gutter_of(diagnostic.marks) + 1)
    place = f"{harmless(diagnostic.filename)}:{diagnostic.location.row}:{diagnostic.location.column}"
    details = [harmless(diagnostic.path)] if diagnostic.path else []
    if diagnostic.conversation:
        details.append(f"(conversation {harmless(diagnostic.conversation)})")
    line = "  ".join([place, *details])
    arrow = margin + screen.paint("-->", "blue")
    if width_of(line) + len(margin) + 4 <= screen.width:
        yield f"{arrow} {line}"
        return
    yield f"{arrow} {place}"
    yield from (f"{margin}    {detail}" for detail in details)


def _labelled(label: str, text: str, style: str, screen: Screen) -> Iterator[str]:
    indent = len(label) + 2
    first, *others = wrap(f"{label}: {harmless(text)}", screen.width, indent)
    yield screen.paint(f"{label}:", style) + first.removeprefix(f"{label}:")
    yield from others
