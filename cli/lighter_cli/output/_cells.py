"""Text measured in terminal cells: width, wrapping, and eliding that keeps what matters."""

from collections.abc import Iterable, Sequence

from msgspec import Struct

ELLIPSIS = "…"
AROUND = 24
"""Characters kept on both sides of a span that is pointed at."""


def width_of(text: str) -> int:
    """Count the cells that text takes."""
    if text.isascii():
        return len(text)
    from rich.cells import cell_len  # noqa: PLC0415 - the width tables are loaded only for text that needs them

    return cell_len(text)


def wrap(text: str, width: int, indent: int = 0) -> list[str]:
    """Break text at spaces into lines of at most `width` cells, all but the first indented; a longer word stays whole."""
    lines: list[str] = []
    line = ""
    for word in text.split(" "):
        longer = f"{line} {word}" if line else word
        if line.strip() and width_of(longer) > width:
            lines.append(line)
            line = " " * indent + word
        else:
            line = longer
    return [*lines, line]


class Span(Struct, frozen=True):
    """A stretch of a line, in characters: from `start` up to, not including, `end`."""

    start: int
    end: int


def elide(line: str, spans: Sequence[Span], width: int, head: int) -> tuple[str, list[Span]]:
    """Leave out parts of a line until it fits `width` cells; give what is left, and the spans in that.

    Kept before all else are the spans, then the first `head` characters, then what surrounds the spans, then the beginning.
    """
    if width_of(line) <= width:
        return line, list(spans)
    most_gaps = 3 * len(spans) + 1  # on both sides of each span and within it, and one may close the line
    tried = (_without_others(line, _chosen(line, spans, width - gaps, head)) for gaps in range(1, most_gaps + 1))
    text, places = next(found for found in tried if width_of(found[0]) <= width)
    return text, [Span(places[span.start], max(places[span.end], places[span.start] + 1)) for span in spans]


def _without_others(line: str, kept: set[int]) -> tuple[str, list[int]]:
    """Put an ellipsis where characters are not kept; give the new place of each character, and of the end."""
    text = ""
    places: list[int] = []
    for at, char in enumerate(line):
        if at in kept:
            places.append(len(text))
            text += char
        else:
            if at == 0 or at - 1 in kept:
                text += ELLIPSIS
            places.append(len(text) - 1)
    return text, [*places, len(text)]


def _chosen(line: str, spans: Sequence[Span], budget: int, head: int) -> set[int]:
    kept: set[int] = set()
    for at in _by_importance(line, spans, budget, head):
        if at in kept:
            continue
        cost = width_of(line[at])
        if cost > budget:
            break
        budget -= cost
        kept.add(at)
    return kept


def _by_importance(line: str, spans: Sequence[Span], budget: int, head: int) -> Iterable[int]:
    share = max(budget // (len(spans) + 1), 8)
    for span in spans:
        both = [
            at for step in range((span.end - span.start + 1) // 2) for at in (span.start + step, span.end - 1 - step)
        ]
        yield from both[:share]
    yield from range(min(head, len(line)))
    for distance in range(1, AROUND + 1):
        for span in spans:
            yield from (at for at in (span.start - distance, span.end - 1 + distance) if 0 <= at < len(line))
    yield from range(len(line))
