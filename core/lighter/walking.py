"""Searching folders for transcripts: which files are taken, and which are passed over."""

import os
from collections.abc import Iterable, Iterator
from pathlib import Path

from lighter.errors import UnreadableInput
from lighter.excluding import exclusion_of as by_settings
from lighter.gitignore import GitIgnore
from lighter.inputs import ExclusionOf, Input, is_special, system_reason

_SUFFIXES = (".jsonl", ".ndjson", ".json", ".jsonl.gz", ".jsonl.zst", ".ndjson.gz", ".ndjson.zst")
_LOOKED_FOR = "*.jsonl, *.jsonl.gz, *.jsonl.zst, *.ndjson and *.json"


def walk(folder: str, exclusion_of: ExclusionOf | None = None) -> Iterator[Input]:
    """Find the transcripts in a folder and in those below it, in the order of their names; what is hidden is passed over.

    Raises UnreadableInput when there are none, and, after all that was found, for a folder that cannot be read.
    """
    usual = by_settings()
    search = _Search(exclusion_of or (lambda _: usual))
    problems: list[OSError] = []
    is_empty = True
    for place, folders, files in os.walk(folder, onerror=problems.append):
        folders[:] = sorted(search.taken(place, folders, is_folder=True))
        for name in sorted(search.taken(place, filter(_is_wanted, files), is_folder=False)):
            path = Path(place, name)
            if not is_special(path):
                is_empty = False
                yield Input(str(path), path, is_walked=True)
    for problem in problems:
        raise UnreadableInput(str(problem.filename), system_reason(problem))
    if is_empty:
        raise UnreadableInput(
            folder, f"no transcripts in this directory (looked for {_LOOKED_FOR}, in its folders too{search.told()})"
        )


class _Search:
    """The passing over of what is left out, which is counted."""

    def __init__(self, exclusion_of: ExclusionOf) -> None:
        self._exclusion_of = exclusion_of
        self._gitignore = GitIgnore()
        self._excluded = self._ignored = 0

    def taken(self, place: str, names: Iterable[str], *, is_folder: bool) -> Iterator[str]:
        """Give those names of a folder that are not left out."""
        here, exclusion = os.path.abspath(place), self._exclusion_of(place)  # noqa: PTH100 - as find_config
        for name in names:
            path = os.path.join(here, name)  # noqa: PTH118 - a text is quicker
            if name.startswith("."):
                continue
            if exclusion.names(path, is_folder=is_folder):
                self._excluded += 1
            elif exclusion.respects_gitignore and self._gitignore.ignores(path, is_folder=is_folder):
                self._ignored += 1
            else:
                yield name

    def told(self) -> str:
        """Say what was left out."""
        counts = (
            (self._excluded, "excluded"),
            (self._ignored, "left out by .gitignore, unless --no-respect-gitignore"),
        )
        return "".join(f"; {count} {what}" for count, what in counts if count)


def _is_wanted(name: str) -> bool:
    return name.lower().endswith(_SUFFIXES)
