"""The frame of a finding: its messages one a line, the faulty part underlined, the other end of the relationship marked."""

import re
from collections.abc import Iterator, Sequence

from lighter.diagnostics import Mark, Severity
from lighter.excerpt import ID_LIMIT, ROLE_WIDTH, harmless, short
from lighter_cli.output._cells import Span, elide, width_of, wrap
from lighter_cli.terminal import Screen


def gutter_of(marks: Sequence[Mark]) -> int:
    """Tell how many digits the index column of a frame has."""
    return max((len(str(mark.index)) for mark in marks), default=1)


def frame(marks: Sequence[Mark], severity: Severity, screen: Screen) -> Iterator[str]:
    """Yield the lines of the frame that shows some messages; none when there is nothing to show."""
    if not marks:
        return
    digits = gutter_of(marks)
    empty = screen.paint(" " * (digits + 2) + "|", "blue")
    room = screen.width - digits - 4
    ordered = sorted(marks, key=lambda mark: mark.index)
    yield empty
    last: int | None = None
    for index in dict.fromkeys(mark.index for mark in ordered):
        if last is not None and index > last + 1:
            yield screen.paint("...", "blue")
        last = index
        here = [mark for mark in ordered if mark.index == index]
        line, spans = _fitted(here, room)
        yield f"{screen.paint(f' {index:>{digits}} |', 'blue')} {line}".rstrip()
        for mark, span in zip(here, spans, strict=True):
            for under in _underline(line, span, mark, severity, screen, room):
                yield f"{empty} {under}"
    yield empty


def _fitted(marks: Sequence[Mark], room: int) -> tuple[str, list[Span]]:
    line = harmless(marks[0].line)
    return elide(line, [_span(line, mark) for mark in marks], room, ROLE_WIDTH)


def _span(line: str, mark: Mark) -> Span:
    """Find what a mark underlines: a whole word rather than a part of one; of several the faulty one is the last."""
    for wanted in (harmless(mark.text), short(mark.text, ID_LIMIT)):
        if not wanted:
            continue
        if line.startswith(wanted.ljust(ROLE_WIDTH - 1)):
            return Span(0, len(wanted))
        text = re.escape(wanted)
        for pattern in (rf"(?<![\w-]){text}(?![\w-])", text):
            found = [match.start() for match in re.finditer(pattern, line)]
            if found:
                at = found[-1 if mark.is_primary else 0]
                return Span(at, at + len(wanted))
    return Span(0, len(line))


def _underline(  # noqa: PLR0913, PLR0917 - a line, what to mark in it, and how
    line: str, span: Span, mark: Mark, severity: Severity, screen: Screen, room: int
) -> Iterator[str]:
    label = harmless(mark.label)
    is_whole = span.start == 0 and span.end == len(line)
    if is_whole and width_of(line) + 1 + width_of(label) > room:
        span = Span(0, max(len(line[:ROLE_WIDTH].rstrip()), 1))  # the role alone leaves room for the label
    before = width_of(line[: span.start])
    long = max(width_of(line[span.start : span.end]), 1)
    style: str = severity if mark.is_primary else "blue"
    strokes = screen.paint(("^" if mark.is_primary else "-") * long, style)
    if not label or before + long + 1 + width_of(label) <= room:
        yield " " * before + strokes + (" " + screen.paint(label, style) if label else "")
        return
    yield " " * before + strokes
    indent = max(min(before, room - width_of(label)), 0)
    for part in wrap(label, room):
        yield " " * indent + screen.paint(part, style)
