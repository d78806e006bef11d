"""A bound on work, wide enough for any machine, that only work of the wrong order exceeds."""

import time
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def at_most(seconds: float) -> Iterator[None]:
    """Fail when what is done inside takes more CPU time; what other processes do does not count."""
    start = time.process_time()
    yield
    used = time.process_time() - start
    assert used < seconds, f"{used:.1f} s of CPU"
