"""Patterns that name files, as in .gitignore."""

import re
from functools import lru_cache


def matches(name: str, pattern: str) -> bool:
    """Say whether a pattern names a file; `name` is its path from the folder that patterns count from, with `/`.

    `*` and `?` stand for anything but a slash, `**` for folders at any depth, `[…]` for one of some characters. Without a slash
    a pattern fits names at any depth, and one that names a folder fits all in it. Raises re.error for a faulty `[…]`.
    """
    return _compiled(pattern).fullmatch(name) is not None


@lru_cache(maxsize=256)
def _compiled(pattern: str) -> re.Pattern[str]:
    body = pattern.strip("/")
    anywhere = "" if "/" in body or pattern.startswith("/") else "(?:.*/)?"
    parts = re.findall(r"\*\*/|\*\*|\*|\?|\[!?\]?[^]]*\]|.", body)
    return re.compile(anywhere + "".join(map(_part, parts)) + "(?:/.*)?", re.DOTALL)


def _part(part: str) -> str:
    match part:
        case "**/":
            return "(?:.*/)?"
        case "**":
            return ".*"
        case "*":
            return "[^/]*"
        case "?":
            return "[^/]"
        case _ if len(part) > 1:
            inner = part[1:-1].replace("\\", "\\\\").replace("[", "\\[")
            return f"[^/{inner[1:]}]" if inner.startswith("!") else f"[{inner}]"
        case _:
            return re.escape(part)
