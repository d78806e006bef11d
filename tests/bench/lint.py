"""Measure `lint` against the floor: the CPU time of `orjson.loads` for every line of the same file, in the same run.

    python tests/bench/lint.py A.jsonl B.jsonl …

Each measurement runs in a forked child of its own, floor and lint in turn, so that a busy machine slows both; start-up is not
counted. Prints the median ratio of the rounds, their range, and the memory that linting took beyond the interpreter's.
"""

import os
import sys
from pathlib import Path

sys.path[:0] = [str(Path(__file__).parents[2] / "core"), str(Path(__file__).parents[1])]

from bench.measuring import BUFFER, compare  # noqa: E402 - runs from a bare clone

from lighter.linting import LintOptions, lint_stream  # noqa: E402 - as above


def lint(path: str) -> int:
    """Lint a file as the command does."""
    with open(path, "rb", buffering=BUFFER) as stream:  # noqa: PTH123 - as the floor is read
        return len(lint_stream(stream, path, LintOptions()).diagnostics)


def main() -> None:
    """Measure the files that the command line names."""
    sample = Path(__file__).parents[2] / "sample_conversations" / "bad" / "missing-tool-result.jsonl"
    lint(str(sample))  # loads what every run loads that finds something
    compare(lint, sys.argv[1:], rounds=7, bare=os.devnull, names=("lint s", "findings"))


if __name__ == "__main__":
    main()
