"""Measure `lint` against the floor: the CPU time of `orjson.loads` for every line of the same file, in the same run.

    python tests/bench/lint.py A.jsonl B.jsonl …

Each measurement runs in a forked child of its own, floor and lint in turn, so that a busy machine slows both; start-up is not
counted. Prints the median ratio of the rounds, their range, and the memory that linting took beyond the interpreter's.
"""

import io
import os
import statistics
import sys
from pathlib import Path

sys.path[:0] = [str(Path(__file__).parents[2] / "core"), str(Path(__file__).parents[1])]

from bench.measuring import BUFFER, floor, measured  # noqa: E402 - runs from a bare clone

from lighter.linting import LintOptions, lint_stream  # noqa: E402 - as above

ROUNDS = 7


def lint(path: str) -> int:
    """Lint a file as the command does."""
    with open(path, "rb", buffering=BUFFER) as stream:  # noqa: PTH123 - as above
        return len(lint_stream(stream, path, LintOptions()).diagnostics)


def main() -> None:
    """Measure the files that the command line names."""
    lint_stream(
        io.BytesIO(b'{"role":"user","content":"hi"}\n'), "small.jsonl", LintOptions()
    )  # loads what every run loads
    bare = measured(lint, os.devnull)
    sys.stdout.write(
        f"{'file':24} {'floor s':>8} {'lint s':>8} {'ratio':>6} {'range':>12} {'MB more':>8} {'findings':>8}\n"
    )
    for path in sys.argv[1:]:
        rounds = [(measured(floor, path), measured(lint, path)) for _ in range(ROUNDS)]
        ratios = [one[0] / base[0] for base, one in rounds]
        more = max(one[1] for _, one in rounds) - bare[1]
        seconds = [statistics.median(times) for times in zip(*((b[0], o[0]) for b, o in rounds), strict=True)]
        sys.stdout.write(
            f"{Path(path).name:24} {seconds[0]:8.3f} {seconds[1]:8.3f} {statistics.median(ratios):6.2f} "
            f"{min(ratios):5.2f}-{max(ratios):5.2f} {more / 1024:8.1f} {rounds[0][1][2]:8}\n"
        )


if __name__ == "__main__":
    main()
