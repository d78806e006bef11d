"""Which configuration file holds for a folder: found by looking upwards, without parsing any."""

import os
import re
from collections.abc import MutableMapping

NAMES = (".lighter.toml", "lighter.toml", "pyproject.toml")
"""The names of configuration files, the first that is there holds; `pyproject.toml` only with a table `[tool.lighter]`."""

_TABLE = re.compile(rb"""tool["']?\s*\.\s*["']?lighter\b|^\s*(\[\s*)?tool\s*[]=]""", re.MULTILINE)
"""Whether a `pyproject.toml` may have the table."""


def find_config(folder: str, known: MutableMapping[str, str | None] | None = None) -> str | None:
    """Give the configuration file that holds for a folder: its own, or that of the nearest folder above it.

    The search ends at the root of a repository and at the user's home. A `pyproject.toml` that merely may have a table
    `[tool.lighter]` is parsed to be sure; raises InvalidConfig when it is no TOML. `known`: what was found for other folders, which
    is looked up and added to.
    """
    known = {} if known is None else known
    here, home = os.path.abspath(folder), os.path.expanduser("~")  # noqa: PTH100, PTH111 - pathlib costs start-up time
    passed = []
    while here not in known:
        passed.append(here)
        found, above = _own_config(here), os.path.dirname(here)  # noqa: PTH120 - as above
        if found or here in (above, home) or os.path.exists(os.path.join(here, ".git")):  # noqa: PTH110, PTH118 - as above
            known[here] = found
        else:
            here = above
    known.update(dict.fromkeys(passed, known[here]))
    return known[here]


def _own_config(folder: str) -> str | None:
    for name in NAMES:
        path = os.path.join(folder, name)  # noqa: PTH118 - as above
        if os.path.isfile(path) and (name != NAMES[-1] or _has_table(path)):  # noqa: PTH113 - as above
            return path
    return None


def _has_table(path: str) -> bool:
    try:
        with open(path, "rb") as stream:  # noqa: PTH123 - as above
            data = stream.read()
    except OSError:
        return False  # a project's file that nobody may read says nothing about transcripts
    if not _TABLE.search(data):
        return False
    from lighter.config import table_of  # noqa: PLC0415 - only a project that may mention lighter needs it

    return table_of(path, data) is not None
