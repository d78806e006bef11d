"""What is left out where folders are searched for transcripts: what settings and .gitignore name."""

import os
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from msgspec import Struct

from lighter.globs import is_placed, names

if TYPE_CHECKING:
    from lighter.config import FolderSettings

NEVER_SEARCHED = (
    ".git",
    ".hg",
    ".nox",
    ".svn",
    ".tox",
    ".venv",
    "__pypackages__",
    "node_modules",
    "site-packages",
    "venv",
)
"""What is excluded where no setting says what: folders that hold what others wrote."""


class Exclusion(Struct, frozen=True):
    """What is left out: patterns, each with the folder that it counts from; what `root` itself stands in is not asked about."""

    patterns: tuple[tuple[str, str], ...]
    root: str
    respects_gitignore: bool = True

    def names(self, path: str, *, is_folder: bool) -> bool:
        """Say whether a pattern names a file or folder itself, told by its absolute path."""
        here, _, base = path.rpartition(os.sep)
        for folder, pattern in self.patterns:
            if not is_placed(pattern):
                is_named = names(base, pattern, is_folder=is_folder)
            else:
                start = folder.rstrip(os.sep) + os.sep
                is_named = f"{here}{os.sep}".startswith(start) and names(
                    path[len(start) :].replace(os.sep, "/"), pattern, is_folder=is_folder
                )
            if is_named:
                return True
        return False

    def forbids(self, path: str) -> bool:
        """Say whether a file is left out even where it is named: a pattern names it, or a folder in which it stands."""
        is_folder = False
        while path != self.root and os.path.basename(path):  # noqa: PTH119 - a text is quicker
            if self.names(path, is_folder=is_folder):
                return True
            path, is_folder = os.path.dirname(path), True  # noqa: PTH120 - as above
        return False


def exclusion_of(
    settings: "FolderSettings | None" = None,
    folder: str = ".",
    *,
    exclude: Iterable[str] | None = None,
    extend_exclude: Iterable[str] = (),
    respect_gitignore: bool | None = None,
) -> Exclusion:
    """Give what is left out by the settings of a configuration that stands in `folder`, and by flags, which go before them.

    Patterns of flags count from the working directory.
    """
    here, root = os.path.abspath("."), os.path.abspath(folder)  # noqa: PTH100 - links stay, as in names of files
    patterns = list(_placed(extend_exclude, here))
    if exclude is not None:
        patterns += _placed(exclude, here)
    else:
        told = settings.exclude if settings else None
        patterns += _placed(NEVER_SEARCHED if told is None else told, root)
        patterns += _placed(settings.extend_exclude if settings else (), root)
    if respect_gitignore is None:
        respect_gitignore = settings.respect_gitignore if settings else None
    return Exclusion(tuple(patterns), root, respect_gitignore is not False)


def _placed(patterns: Iterable[str], folder: str) -> Iterator[tuple[str, str]]:
    """Give patterns with the folder that they count from; they may begin with it, written out or as a dot."""
    starts = (f"{folder.rstrip(os.sep)}{os.sep}", "./")
    for pattern in patterns:
        start = next((one for one in starts if pattern.startswith(one)), None)
        yield folder, pattern if start is None else f"/{pattern[len(start) :]}"
