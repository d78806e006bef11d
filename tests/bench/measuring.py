"""What the benchmarks share: the floor, and work measured in a forked child of its own."""

import gc
import os
import resource
import time
from collections.abc import Callable

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
