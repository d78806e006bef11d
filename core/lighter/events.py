"""Server-sent events in a file: which part of a line is data (https://html.spec.whatwg.org/multipage/server-sent-events.html)."""

import re
from collections.abc import Callable

from lighter.lines import Line, Lines

_FIELD = re.compile(rb"(data: ?)|(?:event|id|retry)?:")
_CUT_FIELD = re.compile(rb"(?:da?t?a?|ev?e?n?t?|id?|re?t?r?y?)\Z")
_END = b"[DONE]"
DATA = b"data:"
NAMED = re.compile(rb"event: ?[\w.-]+\s*\Z")
"""A line that names an event, and nothing else in the world."""

_MOST_LINES = 100
"""How many lines the data of one event may stand on."""


def start_of_data(data: bytes, *, is_begun: bool) -> int | None:
    """Tell where the data of a line start: behind its end when it holds none, None when it is no line of a stream of events.

    `is_begun`: lines of events came before, so that a name that breaks off is one, too.
    """
    field = _FIELD.match(data)
    if field is None:
        return len(data) if is_begun and _CUT_FIELD.match(data) else None
    text = data[field.end() :].strip()
    has_data = field[1] and not (text and _END.startswith(text))
    return field.end() if has_data else len(data)


def joined_data(text: bytes, lines: Lines, is_whole: Callable[[bytes], bool]) -> bytes:
    """Join the data of an event that goes on in the next lines, when that makes a value of it; else give what there is."""
    taken: list[Line] = []
    parts = [text]
    while len(taken) < _MOST_LINES and (line := lines.take()) is not None:
        taken.append(line)
        if not line.data.startswith(DATA) or is_whole(line.data[len(DATA) :]):
            break
        parts.append(line.data[len(DATA) :])
    if len(parts) > 1 and is_whole(whole := b"".join(parts)):
        lines.put_back(taken[len(parts) - 1 :])
        return whole
    lines.put_back(taken)
    return text
