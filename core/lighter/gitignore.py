"""What the .gitignore files of a repository leave out."""

import os
import re
from collections.abc import Iterable, Iterator

from msgspec import Struct

from lighter.globs import names


class Ignored(Struct, frozen=True):
    """The patterns of one file, the last first, and the folder that they count from; `is_kept`: the pattern takes back others."""

    folder: str
    patterns: tuple[tuple[str, bool], ...]

    def says(self, path: str, *, is_folder: bool) -> bool | None:
        """Say whether a file or folder below is left out; None where no pattern names it."""
        name = path[len(self.folder.rstrip(os.sep)) + 1 :].replace(os.sep, "/")
        return next(
            (not is_kept for pattern, is_kept in self.patterns if names(name, pattern, is_folder=is_folder)), None
        )


class GitIgnore:
    """The .gitignore files that hold for the folders of a walk; outside a repository none does."""

    def __init__(self) -> None:
        self._known: dict[str, tuple[Ignored, ...] | None] = {}

    def ignores(self, path: str, *, is_folder: bool) -> bool:
        """Say whether a file or folder is left out, told by its absolute path alone: nothing is asked about what it stands in."""
        said = (one.says(path, is_folder=is_folder) for one in self._of(os.path.dirname(path)) or ())  # noqa: PTH120 - a text is quicker
        return next((one for one in said if one is not None), False)

    def _of(self, folder: str) -> tuple[Ignored, ...] | None:
        """Give what holds in a folder, the nearest first."""
        if folder not in self._known:
            self._known[folder] = self._read(folder)
        return self._known[folder]

    def _read(self, folder: str) -> tuple[Ignored, ...] | None:
        own = Ignored(folder, tuple(_patterns(os.path.join(folder, ".gitignore"))))  # noqa: PTH118 - a text is quicker
        git = os.path.join(folder, ".git")  # noqa: PTH118 - as above
        if os.path.exists(git):  # noqa: PTH110 - as above
            above: tuple[Ignored, ...] | None = (
                Ignored(folder, tuple(_patterns(f"{git}{os.sep}info{os.sep}exclude"))),
            )
        else:
            parent = os.path.dirname(folder)  # noqa: PTH120 - as above
            above = self._of(parent) if parent != folder else None
        return None if above is None else (own, *above) if own.patterns else above


def _patterns(path: str) -> Iterator[tuple[str, bool]]:
    """Read a file of patterns; one that is not there, or that nobody may read, has none."""
    if not os.path.isfile(path):  # noqa: PTH113 - as above
        return  # a pipe of that name would be waited for
    try:
        with open(path, encoding="utf-8", errors="surrogateescape") as stream:  # noqa: PTH123 - as above
            lines = stream.read().removeprefix("\ufeff").split("\n")
    except OSError:
        return
    yield from _parsed(reversed(lines))


def _parsed(lines: Iterable[str]) -> Iterator[tuple[str, bool]]:
    for line in lines:
        text = re.sub(r"(?<!\\) +$", "", line.removesuffix("\r"))
        is_kept = text.startswith("!")
        pattern = text.removeprefix("!")
        if not pattern or (pattern.startswith("#") and not is_kept):
            continue
        try:
            names("", pattern, is_folder=True)
        except re.error:
            continue  # git finds that such a pattern fits nothing
        yield pattern, is_kept
