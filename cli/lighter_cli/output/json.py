"""Findings as one JSON array, one finding a line."""

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any

from lighter.diagnostics import Diagnostic
from lighter.jsontext import encode_text
from lighter_cli.terminal import Screen

if TYPE_CHECKING:
    from lighter.linting import Report

IS_MACHINE = True


def render(reports: "Iterable[Report]", screen: Screen) -> Iterator[str]:  # noqa: ARG001 - all formats are called alike
    """Yield the array piece by piece, so that findings of many files need not be held."""
    yield from array(fields_of(diagnostic) for report in reports for diagnostic in report.diagnostics)


def array(items: Iterable[dict[str, Any]]) -> Iterator[str]:
    """Write objects as a JSON array with a line for each."""
    opening = "[\n"
    for item in items:
        yield f"{opening}  {text_of(item)}"
        opening = ",\n"
    yield "[]\n" if opening == "[\n" else "\n]\n"


def fields_of(diagnostic: Diagnostic) -> dict[str, Any]:
    """Give a finding's public fields, in their fixed order; what is added later stands behind them."""
    fix = diagnostic.fix
    return {
        "code": diagnostic.code,
        "name": diagnostic.name,
        "severity": diagnostic.severity,
        "message": diagnostic.message,
        "filename": diagnostic.filename,
        "location": {"row": diagnostic.location.row, "column": diagnostic.location.column},
        "path": diagnostic.path,
        "targets": list(diagnostic.targets),
        "fix": {"applicability": fix.applicability, "message": fix.message} if fix else None,
        "url": diagnostic.url,
        "fingerprint": diagnostic.fingerprint,
        "conversation": diagnostic.conversation,
        "help": diagnostic.help,
        "note": diagnostic.note,
    }


def text_of(value: dict[str, Any]) -> str:
    """Write one JSON object; characters that a terminal acts upon or hides are escaped, which changes no value."""
    return escaped(encode_text(value))


def escaped(text: str) -> str:
    """Escape what a terminal acts upon or hides in JSON text, which changes no value; line ends between values stay."""
    if text.isprintable():
        return text
    return "".join(char if char.isprintable() or char == "\n" else _escape(char) for char in text)


def _escape(char: str) -> str:
    units = char.encode("utf-16-be", "surrogatepass")
    return "".join(f"\\u{units[at]:02x}{units[at + 1]:02x}" for at in range(0, len(units), 2))
