"""Patterns that name files, as in .gitignore.

pathspec knows them too, but raises for `[z-a]` in a .gitignore, which git takes, and loading it takes three quarters of the time that Typer takes.
"""

import re
from collections.abc import Iterable
from functools import lru_cache

_PART = re.compile(
    r"""(?<![^/])\*\*+(?P<folders>/|\Z)  # asterisks with nothing but slashes beside them
      | (?P<any>\*+)
      | (?P<one>\?)
      | \[(?P<no>[!^]?)(?P<chars>\]?(?:\\.|[^]])*)\]
      | \\?(?P<char>.)""",
    re.DOTALL | re.VERBOSE,
)


def matches(name: str, pattern: str) -> bool:
    """Say whether a pattern names a file; `name` is its path from the folder that patterns count from, with `/`.

    `*` and `?` stand for anything but a slash, `**` for folders at any depth, `[…]` for one of some characters; a backslash makes
    the next character mean itself. Without a slash a pattern fits names at any depth, and one that names a folder fits all in it.
    Raises re.error for a faulty `[…]`.
    """
    return _compiled(pattern, "/.+" if pattern.endswith("/") else "(?:/.*)?").fullmatch(name) is not None


def names(name: str, pattern: str, *, is_folder: bool) -> bool:
    """Say whether a pattern names this file or folder itself, whatever it stands in; otherwise as `matches`."""
    return (is_folder or not pattern.endswith("/")) and _compiled(pattern, "").fullmatch(name) is not None


def is_placed(pattern: str) -> bool:
    """Say whether a pattern counts from a folder, and fits nothing elsewhere."""
    return "/" in pattern.removesuffix("/")


def faults(patterns: Iterable[str]) -> list[str]:
    """Say of each pattern that is none what is wrong with it."""
    found = []
    for pattern in patterns:
        try:
            matches("", pattern)
        except re.error as error:
            found.append(f"{pattern!r} is no pattern: {error.msg}")
    return found


@lru_cache(maxsize=1024)
def _compiled(pattern: str, tail: str) -> re.Pattern[str]:
    anywhere = "" if is_placed(pattern) else "(?:.*/)?"
    body = pattern.removesuffix("/").removeprefix("/")
    return re.compile(anywhere + _PART.sub(_meant, body) + tail, re.DOTALL)


def _meant(found: re.Match[str]) -> str:
    match found.lastgroup:
        case "folders":
            return "(?:.*/)?" if found["folders"] else ".*"
        case "any":
            return "[^/]*"
        case "one":
            return "[^/]"
        case "chars":
            inner = re.sub(r"\\(.)|(\[)", lambda char: re.escape(char[1] or char[2]), found["chars"])
            return f"[^/{inner}]" if found["no"] else f"(?!/)[{inner}]"
        case _:
            return re.escape(found["char"])
