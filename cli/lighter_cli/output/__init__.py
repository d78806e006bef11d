"""The output formats of `lint`, found by listing this folder, and the writing of a product to the terminal or a file.

A format `name` is a module `name.py` with `IS_MACHINE` (a program reads it) and `render(reports, screen)`, which yields text as
the reports come in. Modules whose name begins with `_` are parts of formats.
"""

import sys
from collections.abc import Iterable
from importlib import import_module
from io import TextIOWrapper
from pathlib import Path
from types import ModuleType

from lighter.errors import UnknownName


def names() -> tuple[str, ...]:
    """List the output formats, in alphabetical order."""
    files = Path(__file__).parent.glob("[a-z]*.py")
    return tuple(sorted(file.stem for file in files))


def load(name: str) -> ModuleType:
    """Import an output format; raises UnknownName."""
    if name not in names():
        raise UnknownName("output format", name, names())
    return import_module(f"{__name__}.{name}")


def write(chunks: Iterable[str], file: Path | None, *, is_machine: bool) -> None:
    """Write a product to standard output (None) as it is made, or to a file, which appears whole or not at all."""
    if file is None:
        if is_machine and isinstance(sys.stdout, TextIOWrapper):
            sys.stdout.reconfigure(encoding="utf-8")  # JSON is UTF-8 whatever the terminal speaks
        for chunk in chunks:
            sys.stdout.write(chunk)
        return
    from lighter.files import whole_file  # noqa: PLC0415 - not needed for the terminal

    with whole_file(file) as stream:
        for chunk in chunks:
            stream.write(chunk.encode("utf-8", "backslashreplace"))
