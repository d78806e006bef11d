"""Measure the command as a whole process: CPU beyond that of a tiny file against the floor's, and how long it takes to start.

    python tests/bench/process.py A.jsonl B.jsonl …

Prints for each file the median over the rounds of (lint of the file minus lint of five messages) / (parsing the file minus
parsing five messages), and then the start-up: lint of five messages against `python -c "import typer"`.
"""

import os
import resource
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

ROUNDS = 7
ROOT = Path(__file__).parents[2]
LINT = "from lighter_cli.start import main; main()"
FLOOR = "import sys, orjson\nfor line in open(sys.argv[1], 'rb', buffering=1 << 20): orjson.loads(line)"
TINY = (
    b'{"role":"user","content":"hi"}\n{"role":"assistant","content":"ok"}\n' * 2 + b'{"role":"user","content":"hi"}\n'
)


def used(code: str, *words: str) -> float:
    """Give the CPU seconds of a Python process."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(ROOT / "core"), str(ROOT / "cli")])}
    environment.pop("PYTHONDONTWRITEBYTECODE", None)  # what is installed is compiled once, not at each start
    subprocess.run(
        [sys.executable, "-c", code, *words],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        check=False,
        env=environment,
    )
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def ratios(path: str, tiny: str) -> list[float]:
    """Compare lint with the floor, round after round."""
    return [
        (used(LINT, "lint", path) - used(LINT, "lint", tiny)) / (used(FLOOR, path) - used(FLOOR, tiny))
        for _ in range(ROUNDS)
    ]


def start_up(tiny: str) -> Sequence[float]:
    """Compare the lint of a tiny file with the import of Typer, round after round."""
    return [used(LINT, "lint", tiny) / used("import typer") for _ in range(ROUNDS)]


def main() -> None:
    """Measure the files that the command line names."""
    with tempfile.NamedTemporaryFile(suffix=".jsonl") as tiny:
        tiny.write(TINY)
        tiny.flush()
        used(LINT, "lint", tiny.name)
        for path in sys.argv[1:]:
            found = ratios(path, tiny.name)
            sys.stdout.write(
                f"{Path(path).name:24} {statistics.median(found):6.2f} {min(found):5.2f}-{max(found):5.2f}\n"
            )
        found = list(start_up(tiny.name))
        sys.stdout.write(f"{'start-up':24} {statistics.median(found):6.2f} {min(found):5.2f}-{max(found):5.2f}\n")


if __name__ == "__main__":
    main()
