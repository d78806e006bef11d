"""How many processors this process may use: by its affinity, and by the quota that a container has."""

import os
from contextlib import suppress
from pathlib import Path

QUOTA = Path("/sys/fs/cgroup/cpu.max")
"""Where Linux tells the quota of a container's control group, and the period that it is for ("max" for none)."""


def processors() -> int:
    """Count the processors that may be used; a quota counts as so many whole ones."""
    count = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    with suppress(OSError, ValueError):
        quota, period = map(int, QUOTA.read_text().split())
        count = min(count, -(-quota // period))
    return max(count, 1)
