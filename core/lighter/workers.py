"""A few processes that work side by side: tasks go in one by one, results come out in the order of the tasks."""

import contextlib
import multiprocessing
import os
import pickle
import signal
import sys
import threading
import traceback
from collections.abc import Callable, Iterable, Iterator, Sequence
from multiprocessing.connection import Connection, wait
from typing import Any, Self, TypeVar

from msgspec import Struct

AHEAD = 4
"""Tasks for each process that may be given out before the result of the first of them is taken."""

ALIVE_EVERY = 1.0
"""Seconds between two looks of a process at whether the one that began it is alive."""

GRACE = 2.0
"""Seconds in which a process that is to end takes away what it has half written, before it is killed."""

T = TypeVar("T")
R = TypeVar("R")


class Failed(Struct, frozen=True):
    """What comes in place of a result: the error that the work raised, or one that tells of what its process died."""

    error: Exception


class WorkerDied(Exception):
    """A process ended in the middle of its work; the text says of what."""


class _Worker(Struct, eq=False):
    """A process, the way to it, and the number of the task that it is at."""

    process: Any
    connection: Connection
    task: int = -1


class Workers:
    """At most so many processes, begun when they are needed. Whoever leaves the context ends them.

    There are no threads here, neither on this side nor on that. Where this is the only thread of its process the others are
    forked from it, which costs next to nothing; else they are begun anew, since a fork takes over locks that nobody opens again.
    """

    def __init__(self, most: int) -> None:
        self._most = most
        is_safe_to_fork = sys.platform == "linux" and threading.active_count() == 1
        self._method = "fork" if is_safe_to_fork else "spawn"
        self._all: list[_Worker] = []

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        for worker in self._all:
            worker.process.terminate()
        for worker in self._all:
            worker.process.join(GRACE)
            worker.process.kill()
            worker.process.join()
            worker.connection.close()
        self._all.clear()

    def in_order(self, work: Callable[[T], R], tasks: Iterable[T]) -> Iterator[R | Failed]:
        """Have work done on each task, and give the results in order; whatever goes wrong with a task is its result.

        `work` must be a function of a module. Tasks are asked for as processes get free.
        """
        waiting = iter(tasks)
        results: dict[int, R | Failed] = {}
        given = told = 0
        is_all = False
        while True:
            while not is_all and given - told < AHEAD * self._most and (worker := self._free()) is not None:
                task = next(waiting, results)
                if task is results:  # no task can be that
                    is_all = True
                    break
                worker.task = given
                given += 1
                with contextlib.suppress(OSError):  # it has died, which the answer will tell
                    worker.connection.send((work, task))
            if told in results:
                yield results.pop(told)
                told += 1
            elif told < given:
                self._take(results)
            elif is_all:
                return

    def _free(self) -> _Worker | None:
        """Give a process that has nothing to do, a new one if there may be more; None while all are at work."""
        for worker in self._all:
            if worker.task < 0:
                return worker
        return self._begin() if len(self._all) < self._most else None

    def _begin(self) -> _Worker:
        context: Any = multiprocessing.get_context(self._method)
        here, there = context.Pipe()
        # A forked process has the ends of all pipes, and would not see that this one is closed when this process dies.
        inherited = [here, *(worker.connection for worker in self._all)] if self._method == "fork" else []
        process = context.Process(target=_serve, args=(there, inherited), daemon=True)
        process.start()
        there.close()
        worker = _Worker(process, here)
        self._all.append(worker)
        return worker

    def _take(self, results: dict[int, Any]) -> None:
        """Wait for results, and take those that are there."""
        busy = {worker.connection: worker for worker in self._all if worker.task >= 0}
        for connection in wait(list(busy)):
            worker = busy[connection]  # type: ignore[index] # what is waited for is what comes
            try:
                results[worker.task] = worker.connection.recv()
            except (EOFError, OSError):
                results[worker.task] = Failed(WorkerDied(self._bury(worker)))
            worker.task = -1

    def _bury(self, worker: _Worker) -> str:
        """Take a dead process out; tell of what it died."""
        self._all.remove(worker)
        worker.connection.close()
        worker.process.join()
        code = worker.process.exitcode
        with contextlib.suppress(ValueError):
            return f"the process that worked on it was killed ({signal.Signals(-code).name})"
        return f"the process that worked on it ended with status {code}"


def _serve(connection: Connection, inherited: Sequence[Connection]) -> None:
    """Work on what comes until nothing more can come; an interrupt is the business of the process that began this one."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, _ended)
    for other in inherited:
        other.close()
    _end_with_parent()
    with contextlib.suppress(EOFError, OSError):
        while True:
            work, task = connection.recv()
            connection.send(_done(work, task))


def _end_with_parent() -> None:
    """Look now and then, also in the middle of work, whether the process that began this one is still there to take it."""
    parent = multiprocessing.parent_process()
    if parent is None or not hasattr(signal, "setitimer"):
        return

    def look(_number: int, _frame: object) -> None:
        if os.getppid() != parent.pid:
            raise SystemExit(1)

    signal.signal(signal.SIGALRM, look)
    signal.setitimer(signal.ITIMER_REAL, ALIVE_EVERY, ALIVE_EVERY)


def _ended(_number: int, _frame: object) -> None:
    raise SystemExit(1)


def _done(work: Callable[[Any], Any], task: Any) -> Any:
    try:
        return work(task)
    except Exception as error:  # noqa: BLE001 - it is raised where the result is wanted
        error.add_note("".join(traceback.format_exception(error)))
        try:
            pickle.loads(pickle.dumps(error))  # noqa: S301 - what was written here
        except Exception:  # noqa: BLE001 - errors may hold anything
            return Failed(RuntimeError(f"{type(error).__name__}: {error}"))
        return Failed(error)
