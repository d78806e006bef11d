"""What the benchmarks share: the floor, work measured in a forked child of its own, and the table that compares the two."""

import gc
import os
import resource
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Iterable
from pathlib import Path

import orjson

BUFFER = 1 << 20


def floor(path: str) -> int:
    """Parse each line, and nothing else."""
    count = 0
    with open(path, "rb", buffering=BUFFER) as stream:  # noqa: PTH123 - as close to the metal as Python gets
        for line in stream:
            orjson.loads(line)
            count += 1
    return count


def copying(path: str) -> int:
    """Parse each line, write it again, and nothing else."""
    count = 0
    with open(path, "rb") as stream, tempfile.TemporaryFile("wb") as out:  # noqa: PTH123 - a plain pass
        for line in stream:
            out.write(orjson.dumps(orjson.loads(line)) + b"\n")
            count += 1
    return count


def measured(work: Callable[[str], int], path: str) -> tuple[float, int, int]:
    """Run work in a child; give its CPU seconds, its peak memory in kB, and its result."""
    inlet, outlet = os.pipe()
    child = os.fork()
    if child == 0:
        gc.collect()
        start = time.process_time()
        result = work(path)
        used = time.process_time() - start
        os.write(outlet, f"{used} {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss} {result}".encode())
        os._exit(0)
    os.close(outlet)
    told = os.read(inlet, 200).split()
    os.close(inlet)
    os.waitpid(child, 0)
    return float(told[0]), int(told[1]), int(told[2])


def compare(  # noqa: PLR0913 - two kinds of work, and how to show them
    work: Callable[[str], int],
    paths: Iterable[str],
    *,
    base: Callable[[str], int] = floor,
    rounds: int,
    bare: str,
    names: tuple[str, str],
) -> None:
    """Print for each file the CPU time of the base and of the work, their ratio, and the memory beyond that for a bare file.

    `names` head the columns of the work's seconds and of its results.
    """
    _, least, _ = measured(work, bare)
    seconds, results = names
    sys.stdout.write(f"{'file':24} {'base s':>8} {seconds:>8} {'ratio':>6} {'range':>12} {'MB more':>8} {results:>8}\n")
    for path in paths:
        pairs = [(measured(base, path), measured(work, path)) for _ in range(rounds)]
        ratios = [done[0] / least_work[0] for least_work, done in pairs]
        more = max(done[1] for _, done in pairs) - least
        sys.stdout.write(
            f"{Path(path).name:24} {statistics.median(pair[0][0] for pair in pairs):8.3f} "
            f"{statistics.median(done[0] for _, done in pairs):8.3f} {statistics.median(ratios):6.2f} "
            f"{min(ratios):5.2f}-{max(ratios):5.2f} {more / 1024:8.1f} {pairs[0][1][2]:8}\n"
        )
