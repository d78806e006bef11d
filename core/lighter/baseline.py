"""A baseline: the findings of an earlier report, which later runs leave out so that only new ones are told."""

import os
from codecs import BOM_UTF8
from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from pathlib import Path
from typing import Any

from lighter import jsontext
from lighter.diagnostics import Diagnostic
from lighter.errors import UnreadableInput
from lighter.inputs import Input, open_input


class Baseline:
    """Known findings, each good for one finding of a run.

    A finding is told by its fingerprint, not by its row. One of the same file comes first; those of files that are neither among
    `names` (all that the run lints) nor there any more may have been renamed, and stand for findings of any file.
    """

    def __init__(self, entries: Iterable[tuple[str, str]], names: Collection[str]) -> None:
        self._here = {_place(name) for name in names}
        self._known: Counter[tuple[str | None, str]] = Counter()
        for name, fingerprint in entries:
            place = _place(name)
            is_there = place in self._here or os.path.lexists(place)
            self._known[place if is_there else None, fingerprint] += 1
        self.silenced = 0

    def new(self, diagnostics: Sequence[Diagnostic]) -> list[Diagnostic]:
        """Give those of some findings that are not known."""
        return [diagnostic for diagnostic in diagnostics if not self._knows(diagnostic)]

    @property
    def gone(self) -> int:
        """How many known findings of the files that were to be linted have not come up."""
        return sum(count for (place, _), count in self._known.items() if place in self._here)

    def _knows(self, diagnostic: Diagnostic) -> bool:
        for key in ((_place(diagnostic.filename), diagnostic.fingerprint), (None, diagnostic.fingerprint)):
            if self._known[key] > 0:
                self._known[key] -= 1
                self.silenced += 1
                return True
        return False


def known_findings(source: str | Path | Iterable[Diagnostic]) -> list[tuple[str, str]]:
    """Give the file name and the fingerprint of each finding of an earlier run, or of its report (`--output-format json`, `jsonl`).

    Raises UnreadableInput when a report cannot be read, or is none.
    """
    if not isinstance(source, str | Path):
        return [(diagnostic.filename, diagnostic.fingerprint) for diagnostic in source]
    path = Path(source)
    with open_input(Input(str(path), path)) as stream:
        data = stream.read().removeprefix(BOM_UTF8)
    try:
        items = jsontext.decode(data) if data.lstrip().startswith(b"[") else _lines(data)
        entries = [(item["filename"], item["fingerprint"]) for item in items]
    except (ValueError, TypeError, LookupError, RecursionError) as error:
        raise _no_report(path) from error
    if not all(isinstance(value, str) for entry in entries for value in entry):
        raise _no_report(path)
    return entries


def _lines(data: bytes) -> list[Any]:
    return [jsontext.decode(line) for line in data.splitlines() if line.strip()]


def _no_report(path: Path) -> UnreadableInput:
    return UnreadableInput(str(path), "is no report of lighter; make one with `lighter lint --output-format json`")


def _place(name: str) -> str:
    return os.path.abspath(name)  # noqa: PTH100 - resolving links would part a file from its earlier name
