"""Where a finding stands, as services want it: a path from the root of the repository, and what is said in one line."""

import os
from collections import Counter
from pathlib import Path

from lighter.diagnostics import Diagnostic
from lighter.excerpt import harmless


def in_repository(filename: str, variable: str) -> str:
    """Give a file's path from the repository's root, with `/` on every system.

    `variable` is the environment variable in which a service tells that root; without it the working directory counts as the
    root. A file that lies elsewhere keeps its path.
    """
    path = os.path.normpath(filename)
    if root := os.environ.get(variable):
        whole, home = os.path.realpath(path), os.path.realpath(root)
        if Path(whole).is_relative_to(home):
            path = os.path.relpath(whole, home)
    return path.replace(os.sep, "/")


def sentence(diagnostic: Diagnostic) -> str:
    """Say in one line what is wrong, and at which place in the record."""
    path = f" ({harmless(diagnostic.path)})" if diagnostic.path else ""
    return harmless(diagnostic.message) + path


def advice(diagnostic: Diagnostic) -> list[str]:
    """Give the lines that follow: what would help, and the provider's own words."""
    helping = diagnostic.help or (diagnostic.fix.message if diagnostic.fix else "")
    lines = (("help", helping), ("note", diagnostic.note))
    return [f"{label}: {harmless(text)}" for label, text in lines if text]


class Numbered:
    """Tells findings with the same fingerprint apart: the first is number 1, its equal in the same file number 2."""

    def __init__(self) -> None:
        self._seen: Counter[tuple[str, str]] = Counter()

    def number(self, diagnostic: Diagnostic) -> int:
        """Give the number of a finding among its equals."""
        key = (diagnostic.filename, diagnostic.fingerprint)
        self._seen[key] += 1
        return self._seen[key]
