"""As many processors are counted as may be used."""

import os
from pathlib import Path

import pytest

from lighter import processors


@pytest.mark.parametrize(
    ("quota", "count"),
    [("max 100000", 4), ("100000 100000", 1), ("150000 100000", 2), ("1000 100000", 1), ("900000 100000", 4), ("", 4), (None, 4)],
)  # fmt: skip
def test_a_quota_counts_as_whole_processors(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, quota: str | None, count: int
) -> None:
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: {0, 1, 2, 5}, raising=False)
    monkeypatch.setattr(processors, "QUOTA", tmp_path / "cpu.max")
    if quota is not None:
        (tmp_path / "cpu.max").write_text(f"{quota}\n")
    assert processors.processors() == count


def test_where_no_affinity_is_told_all_count(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr(os, "sched_getaffinity", raising=False)
    monkeypatch.setattr(os, "cpu_count", lambda: 3)
    monkeypatch.setattr(processors, "QUOTA", tmp_path / "none")
    assert processors.processors() == 3
