"""How often each rule was broken, instead of each finding; as a table for people, as JSON for programs."""

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any

from lighter_cli.output import json
from lighter_cli.terminal import Screen

if TYPE_CHECKING:
    from lighter.linting import Report

FORMATS = ("full", "concise", "json", "jsonl")
"""The output formats that have counts; what services read does not."""

Rows = list[tuple[int, str, str]]


def render(reports: "Iterable[Report]", screen: Screen, format_name: str) -> Iterator[str]:
    """Yield the counts, the most frequent rule first, in the style of one of FORMATS."""
    counts = Counter((found.code, found.name) for report in reports for found in report.diagnostics)
    rows = sorted(((count, code, name) for (code, name), count in counts.items()), key=lambda row: (-row[0], row[1:]))
    objects: list[dict[str, Any]] = [{"count": count, "code": code, "name": name} for count, code, name in rows]
    match format_name:
        case "json":
            yield from json.array(objects)
        case "jsonl":
            yield from (json.text_of(item) + "\n" for item in objects)
        case _:
            yield from _table(rows, screen)


def _table(rows: Rows, screen: Screen) -> Iterator[str]:
    digits = max((len(str(count)) for count, _, _ in rows), default=0)
    for count, code, name in rows:
        yield f"{count:>{digits}}  {screen.paint(code, 'bold')}  {name}\n"
