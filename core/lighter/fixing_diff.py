"""The difference of two files as a unified patch, made as they are read; long files need no more memory than short ones."""

from collections import deque
from collections.abc import Iterator
from typing import BinaryIO

from lighter.excerpt import harmless

CONTEXT = 3
"""Unchanged lines shown on either side of a change."""
WINDOW = 1000
"""Lines looked at for the place from which two files agree again; beyond, all of them are told as changed."""

_Op = tuple[bytes, bytes]
"""A line, and what became of it: ` ` kept, `-` gone, `+` new."""


def patch(old: BinaryIO, new: BinaryIO, name: str) -> Iterator[bytes]:
    """Yield the lines of a unified patch; nothing when the files are the same. It is one that `patch -p0` takes."""
    is_begun = False
    for hunk in _hunks(_operations(iter(old), iter(new))):
        if not is_begun:
            header = _header(name)
            yield b"--- " + header + b"\n"
            yield b"+++ " + header + b"\n"
            is_begun = True
        yield from _told(*hunk)


def _header(name: str) -> bytes:
    """Spell a file's name so that it is one: in quotes, as Git and `patch` know them, when it has spaces or control characters."""
    spelt = name.encode("utf-8", "surrogateescape")
    if harmless(name) == name and not any(char in name for char in ' "\\'):
        return spelt
    return b'"%s"' % b"".join(
        b"%c" % byte if 32 <= byte < 127 and byte not in b'"\\' else b"\\%03o" % byte for byte in spelt
    )


def _operations(old: Iterator[bytes], new: Iterator[bytes]) -> Iterator[_Op]:
    """Compare two files line by line."""
    rest_old: deque[bytes] = deque()
    rest_new: deque[bytes] = deque()
    unended: list[bytes] = []
    while True:
        one = rest_old.popleft() if rest_old else next(old, None)
        other = rest_new.popleft() if rest_new else next(new, None)
        if one is None and other is None:
            yield from ((b"+", line) for line in unended)
            return
        if one == other and one is not None:
            yield b" ", one
            continue
        gone, come = _apart(one, other, (rest_old, old), (rest_new, new))
        yield from ((b"-", line) for line in gone)
        # The last line of the new file, when it has no end, stands behind all that is gone.
        unended += (line for line in come if not line.endswith(b"\n"))
        yield from ((b"+", line) for line in come if line.endswith(b"\n"))


_Side = tuple[deque[bytes], Iterator[bytes]]


def _apart(one: bytes | None, other: bytes | None, old: _Side, new: _Side) -> tuple[list[bytes], list[bytes]]:
    """Give the lines up to the place from which the files agree again, and put back what was read beyond."""
    gone, come = ([line] if line is not None else [] for line in (one, other))
    seen_gone = {line: at for at, line in enumerate(gone) if line.strip()}
    seen_come = {line: at for at, line in enumerate(come) if line.strip()}
    while len(gone) < WINDOW and len(come) < WINDOW:
        added = [_taken(old, gone, seen_gone), _taken(new, come, seen_come)]
        if added[0] is not None and added[0] in seen_come:
            return _cut(gone, len(gone) - 1, old[0]), _cut(come, seen_come[added[0]], new[0])
        if added[1] is not None and added[1] in seen_gone:
            return _cut(gone, seen_gone[added[1]], old[0]), _cut(come, len(come) - 1, new[0])
        if added == [None, None]:
            break
    return gone, come


def _taken(side: _Side, lines: list[bytes], seen: dict[bytes, int]) -> bytes | None:
    rest, stream = side
    line = rest.popleft() if rest else next(stream, None)
    if line is not None:
        lines.append(line)
        if line.strip():
            seen.setdefault(line, len(lines) - 1)
    return line


def _cut(lines: list[bytes], at: int, rest: deque[bytes]) -> list[bytes]:
    """Give the lines before a place, and put the others back."""
    rest.extendleft(reversed(lines[at:]))
    return lines[:at]


def _hunks(operations: Iterator[_Op]) -> Iterator[tuple[int, int, list[_Op]]]:
    """Group changes that stand near each other: the rows where a group starts in both files, and its lines."""
    before: deque[_Op] = deque(maxlen=CONTEXT)
    hunk: list[_Op] = []
    row_old = row_new = 1
    kept = 0
    is_split = False
    for operation in operations:
        is_kept = operation[0] == b" "
        if not hunk and is_kept:
            if len(before) == CONTEXT:
                row_old, row_new = row_old + 1, row_new + 1
            before.append(operation)
            continue
        if not hunk:
            hunk, kept = [*before], 0
            before.clear()
        hunk.append(operation)
        kept = kept + 1 if is_kept else 0
        if kept <= 2 * CONTEXT and (is_kept or len(hunk) < 4 * WINDOW):
            continue
        is_long = kept == 0
        yield from _closed(row_old, row_new, hunk, kept, is_bare=is_split or is_long)
        is_split = is_long
        before.extend(hunk[len(hunk) - kept :])
        passed = hunk[: len(hunk) - len(before)]
        row_old += sum(kind != b"+" for kind, _ in passed)
        row_new += sum(kind != b"-" for kind, _ in passed)
        hunk = []
    yield from _closed(row_old, row_new, hunk, kept, is_bare=is_split)


def _closed(
    row_old: int, row_new: int, hunk: list[_Op], kept: int, *, is_bare: bool
) -> Iterator[tuple[int, int, list[_Op]]]:
    """Give a group with its context; a part of a long one has none, for `patch` takes a context on one side for an end."""
    if not hunk:
        return
    if not is_bare:
        yield row_old, row_new, hunk[: len(hunk) - max(kept - CONTEXT, 0)]
        return
    start = next(at for at, (kind, _) in enumerate(hunk) if kind != b" ")
    yield row_old + start, row_new + start, hunk[start : len(hunk) - kept]


def _told(row_old: int, row_new: int, hunk: list[_Op]) -> Iterator[bytes]:
    ranges = (_range(row, sum(kind != other for kind, _ in hunk)) for row, other in ((row_old, b"+"), (row_new, b"-")))
    yield b"@@ -%s +%s @@\n" % tuple(ranges)
    for kind, line in hunk:
        yield kind + line if line.endswith(b"\n") else kind + line + b"\n\\ No newline at end of file\n"


def _range(row: int, count: int) -> bytes:
    if count == 1:
        return b"%d" % row
    return b"%d,%d" % (row if count else row - 1, count)
