"""Fixing a text as the file that it would be, for tests."""

import io
from typing import BinaryIO

from msgspec import Struct

from lighter.diagnostics import Diagnostic, Unanswered
from lighter.fixing import fix_stream
from lighter.fixing_plan import Fixing
from lighter.linting import LintOptions, lint_stream
from lighter.rule import Example


class Outcome(Struct):
    """What came of fixing a text: the new one, what was repaired, what is still found, and what was set aside."""

    data: bytes
    applied: list[Diagnostic]
    left: list[Diagnostic]
    aside: bytes = b""

    @property
    def codes(self) -> list[str]:
        """The codes of what was repaired."""
        return [diagnostic.code for diagnostic in self.applied]


def fixed(  # noqa: PLR0913 - one argument for each thing that the user may decide
    data: bytes | str,
    options: LintOptions | None = None,
    *,
    is_unsafe: bool = True,
    unanswered: Unanswered = "error",
    may_set_aside: bool = True,
    name: str = "a.jsonl",
) -> Outcome:
    """Fix a text."""
    text = data.encode("utf-8", "surrogatepass") if isinstance(data, str) else data
    fixing = Fixing(is_unsafe, unanswered, may_set_aside)
    with fix_stream(lambda: io.BytesIO(text), name, options or LintOptions(), fixing) as found:
        new, aside = (None if stream is None else _content_of(stream) for stream in (found.content, found.set_aside))
        return Outcome(text if new is None else new, found.applied, found.report.diagnostics, aside or b"")


def _content_of(stream: BinaryIO) -> bytes:
    stream.seek(0)
    return stream.read()


def linted(data: bytes, options: LintOptions, name: str = "a.jsonl", *, may_set_aside: bool = True) -> list[Diagnostic]:
    """Lint a text as a file."""
    return lint_stream(io.BytesIO(data), name, options, may_set_aside=may_set_aside).diagnostics


def data_of(example: Example) -> bytes:
    """Give an example as the bytes of a file."""
    return example.text.encode("utf-8", "surrogatepass")


def name_of(data: bytes) -> str:
    """Give the name of the file that an example would be."""
    return "example.jsonl" if data.endswith(b"\n") else "example.json"
