"""Files linted by several processes side by side: one queue of work for all files, in which large ones are cut into ranges."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby, tee
from typing import Any

from msgspec import Struct

from lighter.errors import LighterError, UnreadableInput
from lighter.inputs import COMPRESSED_SUFFIXES
from lighter.lint_files import Job, Linted, OnProgress, lint_one
from lighter.ranges import LARGE, Part, Plan, Range, lint_range, plan_of, ranges_of, report_of
from lighter.records import Record
from lighter.workers import Failed, WorkerDied, Workers

BATCH_BYTES, BATCH_FILES = 1 << 20, 64
"""How many bytes and files a process gets at a time; what is larger, and not cut, comes alone."""

Work = Range | tuple[Job, ...]
"""What a process does at a time: it lints a part of a file, or files one after the other."""


class Share(Struct, frozen=True):
    """Work on the file of a number, or on files from that number on."""

    number: int
    work: Work


class Cut(Struct):
    """A file that is cut, and its first record; `is_spoilt` once it is known that it must be linted in one go."""

    plan: Plan
    first: Record
    is_spoilt: bool = False


class SideBySide:
    """The linting of files by several processes."""

    def __init__(self, jobs: Sequence[Job], sizes: Sequence[int], workers: int, on_progress: OnProgress | None) -> None:
        self._jobs = jobs
        self._sizes = sizes
        self._workers = workers
        self._on_progress = on_progress
        self._cuts: dict[int, Cut] = {}

    def results(self) -> Iterator[Linted]:
        """Lint the files; the results come in their order. What no other process has a share of is linted by this one."""
        count = 0
        with Workers(self._workers) as pool:
            shares, given = tee(self._shares())
            done = zip(pool.in_order(_done, shares), given, strict=False)
            for number, results in groupby(done, key=lambda pair: pair[1].number):
                yield from map(self._lint, range(count, number))
                count = number
                for linted in self._joined(number, results):
                    yield linted
                    count += 1
            yield from map(self._lint, range(count, len(self._jobs)))

    def _shares(self) -> Iterator[Share]:
        """Divide the work up: small files together, large ones in ranges."""
        left = sum(self._sizes)
        batch: list[Job] = []
        room = BATCH_BYTES
        for number, (job, size) in enumerate(zip(self._jobs, self._sizes, strict=True)):
            left -= size
            cut = _cut_of(job, size)
            needed = BATCH_BYTES if job.fixing else size  # what died at its work is not done again with others
            is_apart = cut is not None or job.item.path is None
            if batch and (is_apart or needed > room or len(batch) == BATCH_FILES):
                yield Share(number - len(batch), tuple(batch))
                batch, room = [], BATCH_BYTES
            if cut is not None:
                self._cuts[number] = cut
                yield from self._ranges(number, cut, left)
            elif not is_apart:
                batch.append(job)
                room -= needed
        if batch:
            yield Share(len(self._jobs) - len(batch), tuple(batch))

    def _ranges(self, number: int, cut: Cut, after: int) -> Iterator[Share]:
        """Divide a file up, until it is known that it must not be."""
        try:
            for part in ranges_of(cut.plan, self._workers, after):
                if cut.is_spoilt:
                    return
                yield Share(number, part)
        except OSError:
            cut.is_spoilt = True  # linting will tell

    def _joined(self, number: int, results: Iterable[tuple[Any, Share]]) -> Iterator[Linted]:
        """Give what became of the files of shares with one number."""
        if number in self._cuts:
            yield self._of_ranges(number, self._cuts[number], results)
            return
        for result, share in results:
            if isinstance(result, list):
                yield from result
            elif isinstance(share.work, tuple):
                yield from map(_once_more, share.work)

    def _of_ranges(self, number: int, cut: Cut, results: Iterable[tuple[Any, Share]]) -> Linted:
        """Join the parts of a file; where it turns out that its lines cannot be told apart it is linted in one go."""
        parts: list[Part] = []
        dead: Linted | None = None
        for result, share in results:
            if cut.is_spoilt or not isinstance(share.work, Range):
                continue  # this had been given out before
            part = _in_own_process(share.work) if _is_death(result) else result
            if not isinstance(part, Part):
                cut.is_spoilt, dead = True, _death(part, cut.plan.name)
                continue
            parts.append(part)
            if self._on_progress is not None:
                self._on_progress(cut.plan.name, share.work.end, cut.plan.size)
            if share.work.end == cut.plan.size:
                break
        report = None if cut.is_spoilt else report_of(cut.plan, cut.first, parts)
        return dead or (Linted(report) if report else self._lint(number))

    def _lint(self, number: int) -> Linted:
        return lint_one(self._jobs[number], self._sizes[number], self._on_progress)


def _cut_of(job: Job, size: int) -> Cut | None:
    """Tell how a file is cut; None where it is not."""
    if job.fixing or job.item.path is None or size < LARGE or job.item.path.suffix in COMPRESSED_SUFFIXES:
        return None
    try:
        found = plan_of(str(job.item.path), job.item.name, job.options)
    except (OSError, LighterError):
        return None  # which linting will tell
    return Cut(*found) if found else None


def _done(share: Share) -> Part | list[Linted] | None:
    return _lint_work(share.work)


def _lint_work(work: Work) -> Part | list[Linted] | None:
    return lint_range(work) if isinstance(work, Range) else [lint_one(job) for job in work]


def _in_own_process(work: Work) -> Any:
    """Have work done again whose process died: another that it did may be to blame, or another process."""
    with Workers(1) as pool:
        [result] = pool.in_order(_lint_work, [work])
    return result


def _once_more(job: Job) -> Linted:
    """Lint a file again that a process died at, or at one of those it had together with it."""
    result = _in_own_process((job,))
    return result[0] if isinstance(result, list) else _death(result, job.item.name) or lint_one(job)


def _is_death(result: object) -> bool:
    return isinstance(result, Failed) and isinstance(result.error, WorkerDied)


def _death(result: object, name: str) -> Linted | None:
    """Tell of a process that died at its work; None where that is not what happened."""
    return (
        Linted(error=UnreadableInput(name, str(result.error)))
        if isinstance(result, Failed) and _is_death(result)
        else None
    )
