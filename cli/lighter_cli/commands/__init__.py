"""The commands, found by listing this folder; a command's module is imported only when the command is asked for.

A command `name` is a module `name.py` with a function `name`, whose parameters are Typer options, whose docstring is its
help, and which returns its exit status (None for 0). `EXAMPLES`, a tuple of command lines, ends its help.
"""

from importlib import import_module
from pathlib import Path
from types import ModuleType


def names() -> tuple[str, ...]:
    """List the commands, in alphabetical order."""
    files = Path(__file__).parent.glob("[a-z]*.py")
    return tuple(sorted(file.stem for file in files))


def load(name: str) -> ModuleType:
    """Import the module of a command."""
    return import_module(f"{__name__}.{name}")
