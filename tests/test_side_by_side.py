"""Of files linted side by side each gets its own result, whatever becomes of a process or of a file that was cut."""

import multiprocessing
import os
import signal
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from chat import assistant, calls, jsonl, user

from lighter import lint_files, ranges, side_by_side
from lighter.errors import UnreadableInput
from lighter.inputs import Input
from lighter.lint_files import Job, Linted, lint_all, lint_one
from lighter.linting import LintOptions
from lighter.ranges import plan_of, ranges_of

FAULTY = {"messages": [user(), calls("a"), assistant()]}
PLAIN = {"messages": [user(), assistant()]}
LARGE = jsonl(*[*[PLAIN] * 9, FAULTY] * 20)

pytestmark = pytest.mark.skipif(
    multiprocessing.get_start_method() != "fork", reason="processes have what is patched here"
)


@pytest.fixture(autouse=True)
def small_work(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let even small files be cut."""
    for module, name, value in ((lint_files, "WORTHWHILE", 1), (side_by_side, "BATCH_BYTES", 400), (side_by_side, "LARGE", 10_000), (ranges, "LARGE", 10_000), (ranges, "SMALLEST", 1000)):  # fmt: skip
        monkeypatch.setattr(module, name, value)


def jobs_of(folder: Path, *contents: bytes) -> list[Job]:
    jobs = []
    for number, data in enumerate(contents):
        path = folder / f"{number}.jsonl"
        path.write_bytes(data)
        jobs.append(Job(Input(path.name, path), LintOptions()))
    return jobs


def told(results: list[Linted]) -> list[object]:
    return [linted.report or (type(linted.error), str(linted.error)) for linted in results]


def killed(
    work: Callable[[Any], Any], is_meant: Callable[[Any], bool], once: Path | None = None
) -> Callable[[Any], Any]:
    """Make work that kills its process at one task, always or `once`."""

    def works(task: Any) -> Any:
        if is_meant(task) and not (once and once.exists()):
            if once:
                once.touch()
            os.kill(os.getpid(), signal.SIGKILL)
        return work(task)

    return works


def test_a_file_that_turns_out_to_be_no_lines_takes_no_part_of_the_next(tmp_path: Path) -> None:
    broken = LARGE[: len(LARGE) // 3] + b"{]\n" + LARGE
    jobs = jobs_of(tmp_path, LARGE, broken, LARGE + LARGE, jsonl(FAULTY), jsonl(PLAIN), LARGE)
    assert told(list(lint_all(jobs, 3))) == told([lint_one(job) for job in jobs])


@pytest.mark.parametrize("work", ["lint_range", "lint_one"])
def test_what_a_process_died_at_is_done_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, work: str) -> None:
    jobs = jobs_of(tmp_path, jsonl(FAULTY), jsonl(PLAIN), LARGE, jsonl(FAULTY))
    alone = told([lint_one(job) for job in jobs])
    monkeypatch.setattr(side_by_side, work, killed(getattr(side_by_side, work), lambda _: True, tmp_path / "died"))
    assert told(list(lint_all(jobs, 2))) == alone
    assert (tmp_path / "died").exists()


@pytest.mark.parametrize(
    ("work", "is_meant", "blamed"),
    [
        ("lint_range", lambda part: part.start > 0, 2),
        ("lint_one", lambda job: job.item.name == "1.jsonl", 1),
    ],
    ids=["a range", "a file among others"],
)
def test_what_kills_each_process_is_told_of_that_file_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, work: str, is_meant: Callable[[Any], bool], blamed: int
) -> None:
    jobs = jobs_of(tmp_path, jsonl(FAULTY), jsonl(PLAIN), LARGE, jsonl(FAULTY))
    expected = told([lint_one(job) for job in jobs])
    monkeypatch.setattr(side_by_side, work, killed(getattr(side_by_side, work), is_meant))
    found = list(lint_all(jobs, 2))
    assert isinstance(found[blamed].error, UnreadableInput)
    assert "SIGKILL" in str(found[blamed].error)
    assert told(found[:blamed] + found[blamed + 1 :]) == expected[:blamed] + expected[blamed + 1 :]


def test_ranges_become_small_where_little_is_left(tmp_path: Path) -> None:
    [job] = jobs_of(tmp_path, LARGE)
    assert job.item.path
    found = plan_of(str(job.item.path), "x", job.options)
    assert found
    cut = list(ranges_of(found[0], 2))
    sizes = [part.end - part.start for part in cut]
    assert [part.start for part in cut[1:]] == [part.end for part in cut[:-1]]
    assert (cut[0].start, cut[-1].end) == (0, len(LARGE))
    assert sizes[0] > 3 * sizes[-2]
    assert min(sizes[:-1]) >= 1000
    assert len(list(ranges_of(found[0], 2, 10 * len(LARGE)))) < len(cut)
