"""Which of the known names somebody may have meant by one that is unknown."""

from collections.abc import Collection

MOST = 200
"""Of more names than this none is proposed: to compare each fault of a long turn with each of its calls would take hours."""


def nearest(name: str, known: Collection[str]) -> str | None:
    """Give the known name that is most like another; None where none is much like it."""
    if not known or len(known) > MOST:
        return None
    from difflib import get_close_matches  # noqa: PLC0415 - rarely needed, and it costs start-up time

    return next(iter(get_close_matches(name, known, n=1)), None)
