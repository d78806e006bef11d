"""Work done by several processes comes back in order, whatever happens to one of them."""

import multiprocessing
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from lighter.errors import UnknownFormat
from lighter.workers import Failed, WorkerDied, Workers

CORE = Path(__file__).parents[1] / "core"


def square(number: int) -> int:
    """Do the easy ones last, so that results come out of order."""
    time.sleep(0.002 * max(5 - number, 0))
    return number * number


def troublesome(number: int) -> int:
    """Raise, die, or answer."""
    if number == 2:
        raise UnknownFormat("format", "opnai", ["openai-chat"])
    if number == 4:
        os.kill(os.getpid(), signal.SIGKILL)
    if number == 6:
        os._exit(3)
    return number


def slow_after_the_first(number: int) -> int:
    time.sleep(60 if number else 0)
    return number


def unspeakable(_: int) -> None:
    error = ValueError("x")
    error.lock = threading.Lock()  # type: ignore[attr-defined] # what cannot be sent to another process
    raise error


@pytest.mark.parametrize("count", [1, 2, 5])
def test_results_come_in_the_order_of_the_tasks(count: int) -> None:
    with Workers(count) as pool:
        assert list(pool.in_order(square, range(20))) == [number * number for number in range(20)]
        assert list(pool.in_order(square, [])) == []
        assert list(pool.in_order(square, iter([7]))) == [49]


def test_where_there_are_threads_nothing_is_forked(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(threading, "active_count", lambda: 2)
    with Workers(1) as pool:
        assert list(pool.in_order(os.path.basename, ["a/b"])) == ["b"]


def test_what_goes_wrong_with_one_task_is_its_result() -> None:
    with Workers(2) as pool:
        results: list[Any] = list(pool.in_order(troublesome, range(9)))
    assert [result for result in results if not isinstance(result, Failed)] == [0, 1, 3, 5, 7, 8]
    unknown, killed, ended = (results[place].error for place in (2, 4, 6))
    assert isinstance(unknown, UnknownFormat)
    assert str(unknown) == "unknown format 'opnai'; did you mean 'openai-chat'?"
    assert unknown.suggestions == ("openai-chat",)
    assert "troublesome" in unknown.__notes__[0]
    assert isinstance(killed, WorkerDied)
    assert "SIGKILL" in str(killed)
    assert isinstance(ended, WorkerDied)
    assert "status 3" in str(ended)


def test_an_error_that_cannot_be_sent_is_told_all_the_same() -> None:
    with Workers(1) as pool:
        [result] = pool.in_order(unspeakable, [0])
    assert isinstance(result, Failed)
    assert str(result.error) == "ValueError: x"


def test_few_tasks_are_asked_for_ahead() -> None:
    asked: list[int] = []

    def tasks() -> Iterator[int]:
        for number in range(1000):
            asked.append(number)
            yield number

    with Workers(2) as pool:
        next(iter(pool.in_order(square, tasks())))
        assert len(asked) <= 20


def test_whoever_leaves_ends_what_is_at_work() -> None:
    before = multiprocessing.active_children()
    with Workers(3) as pool:
        results = pool.in_order(slow_after_the_first, range(3))
        assert next(results) == 0
        assert len(multiprocessing.active_children()) == len(before) + 3
    assert multiprocessing.active_children() == before


ORPHANS = f"""
import sys, time
sys.path[:0] = [{str(CORE)!r}]
from lighter.workers import Workers
with Workers(2) as pool:
    results = pool.in_order(time.sleep, [0, 0, *map(int, sys.argv[1:])])
    next(results)
    next(results)
    print("ready", *(worker.process.pid for worker in pool._all), flush=True)
    time.sleep(60)
"""


@pytest.mark.parametrize("words", [[], ["60"]], ids=["idle", "at work"])
def test_processes_end_with_the_one_that_began_them(words: list[str]) -> None:
    with subprocess.Popen([sys.executable, "-c", ORPHANS, *words], stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout
        _, *pids = process.stdout.readline().split()
        process.kill()
    deadline = time.monotonic() + 10
    while any(_is_alive(int(pid)) for pid in pids):
        assert time.monotonic() < deadline
        time.sleep(0.02)


def _is_alive(pid: int) -> bool:
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except OSError:
        return False
    return state != "Z"
