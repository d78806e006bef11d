"""Writes the fixtures of LangChain messages anew with the newest packages: `python tests/langchain_packages/regenerate.py`."""

import json
import sys
import tempfile
from collections.abc import Iterable
from pathlib import Path
from typing import Any

TESTS = Path(__file__).parent.parent
sys.path.insert(0, str(TESTS))

from langchain_packages import make_python, node  # noqa: E402 - the script stands in a folder of the tests

DATA = TESTS / "data"
CHUNKS = "langchain_js_chunks.jsonl"
COUNT = "80"
"""How many sequences of chunks are kept."""


def fixtures(folder: Path) -> dict[str, str]:
    """Make the text of each fixture; `folder` is an empty one for the packages."""
    there = node.newest(folder)
    return {
        "langchain_python.jsonl": _lines(map(json.loads, make_python.lines())),
        "langchain_js.jsonl": _lines(node.run("make_javascript.mjs", folder=there)),
        CHUNKS: _lines(node.run("make_chunks.mjs", COUNT, folder=there)),
    }


def _lines(values: Iterable[Any]) -> str:
    return "".join(json.dumps(value, separators=(",", ":")) + "\n" for value in values)


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        for name, text in fixtures(Path(folder)).items():
            (DATA / name).write_text(text, encoding="utf-8")
