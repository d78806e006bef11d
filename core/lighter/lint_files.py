"""Linting values and files, also by several processes; what is found, and its order, is the same with one."""

import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import tee
from pathlib import Path
from typing import TYPE_CHECKING, Any

from msgspec import Struct

from lighter.diagnostics import Diagnostic
from lighter.errors import LighterError, NotRecognised, UnreadableInput
from lighter.inputs import COMPRESSED_SUFFIXES, Input, break_of, open_input
from lighter.linting import LintOptions, Report, lint_stream, options_of, report_on
from lighter.rule import Mode

if TYPE_CHECKING:
    from lighter.fixing_plan import Fixing
    from lighter.ranges import Plan
    from lighter.records import Record
    from lighter.workers import Workers

WORTHWHILE = 16 << 20
"""Bytes from which on a second process is worth its start."""

BATCH_BYTES, BATCH_FILES = 1 << 20, 64
"""How many bytes and files a process gets at a time; a large file comes alone."""

OnProgress = Callable[[str, int, int | None], None]


def lint(  # noqa: PLR0913, PLR0917 - every flag of the command is a keyword here
    obj: Any,
    target: str | None = None,
    mode: Mode | None = None,
    format: str | None = None,
    select: Iterable[str] = (),
    ignore: Iterable[str] = (),
    tools: Any = None,
    baseline: str | Path | Iterable[Diagnostic] | None = None,
    jobs: int = 1,
) -> list[Diagnostic]:
    """Lint messages, a request body, a list of either, SDK objects, or the file that a `str` or `Path` names.

    Places are told inside the value as given. `tools` are definitions of tools, or the path of a file of them, that calls are
    checked against where a record declares none. `baseline` is an earlier result, or the path of a JSON report; findings that
    are in it are left out. `jobs` processes share the work on a large file (0: one for each processor). Raises what
    `lint_stream` raises, NotRecognised when nothing in it is a conversation (or a tool), and CannotHold for objects that are no
    JSON.
    """
    chosen, left_out = ((names,) if isinstance(names, str) else tuple(names) for names in (select, ignore))
    options = options_of(target=target, mode=mode, format=format, select=chosen, ignore=left_out, tools=tools)
    if isinstance(obj, str | Path):
        report = lint_file(obj, options, jobs)
    else:
        from lighter.objects import records_of  # noqa: PLC0415 - files have no need of it

        report = report_on(records_of(obj), "", options)
    if not report.is_recognised:
        raise NotRecognised(report.reason)
    if baseline is None:
        return report.diagnostics
    from lighter.baseline import Baseline, known_findings  # noqa: PLC0415 - loaded only when it is asked for

    return Baseline(known_findings(baseline), (report.filename,)).new(report.diagnostics)


class Job(Struct, frozen=True):
    """A file to lint, and what for; with `fixing` it is fixed before, in its place."""

    item: Input
    options: LintOptions
    fixing: "Fixing | None" = None


class Linted(Struct):
    """What became of a job: a report, or the error for which there is none.

    `break_` tells where compressed data break off, `aside` is the file into which went what could not be read.
    """

    report: Report | None = None
    break_: str | None = None
    error: Exception | None = None
    aside: str | None = None


def lint_all(jobs: Sequence[Job], workers: int, on_progress: OnProgress | None = None) -> Iterator[Linted]:
    """Lint or fix files by so many processes at once (0: one for each processor); the results come in the order of the files.

    Whatever keeps a file from being linted is its result. `on_progress` is told the name of a file, how many of its bytes were read, and its size where that is known.
    """
    sizes = [_size_of(job.item) for job in jobs]
    workers = workers or os.cpu_count() or 1
    if workers < 2 or sum(sizes) < WORTHWHILE:
        for job, size in zip(jobs, sizes, strict=True):
            yield lint_one(job, size, on_progress)
        return
    yield from _side_by_side(jobs, sizes, workers, on_progress)


def lint_file(path: str | Path, options: LintOptions, workers: int = 1) -> Report:
    """Lint one file; raises what keeps it from being linted."""
    [linted] = lint_all([Job(Input(str(path), Path(path)), options)], workers)
    if linted.error is not None:
        raise linted.error
    assert linted.report is not None  # noqa: S101 - there is one where there is no error
    return linted.report


def lint_one(job: Job, size: int = 0, on_progress: OnProgress | None = None) -> Linted:
    """Lint a file in this process, or fix it."""
    if job.fixing is not None:
        return _fixed_one(job, job.fixing)
    name = job.item.name
    is_packed = job.item.path is None or job.item.path.suffix in COMPRESSED_SUFFIXES

    def tell(done: int) -> None:
        if on_progress is not None:
            on_progress(name, done, None if is_packed else size)

    try:
        with open_input(job.item) as stream:
            may_set_aside = job.item.path is not None
            report = lint_stream(stream, name, job.options, tell if on_progress else None, may_set_aside=may_set_aside)
            if reason := break_of(stream):
                from lighter.fixable import unfixable  # noqa: PLC0415 - what breaks off in its packing is not written anew

                report.diagnostics = unfixable(report.diagnostics)
            return Linted(report, reason)
    except Exception as error:  # noqa: BLE001 - what is wrong with one file must not hide what others hold
        return Linted(error=error)


def _fixed_one(job: Job, fixing: "Fixing") -> Linted:
    from lighter.fixing_files import fix_file  # noqa: PLC0415 - loaded only when something is to be fixed

    try:
        fixed, aside = fix_file(job.item, job.options, fixing)
    except Exception as error:  # noqa: BLE001 - as above
        return Linted(error=error)
    with fixed:
        fixed.report.applied = tuple(fixed.applied)
        return Linted(fixed.report, aside=str(aside) if aside else None)


def _size_of(item: Input) -> int:
    """Tell the size of a file; 0 where there is none to be told."""
    try:
        return item.path.stat().st_size if item.path else 0
    except OSError:
        return 0


def _side_by_side(
    jobs: Sequence[Job], sizes: Sequence[int], workers: int, on_progress: OnProgress | None = None
) -> Iterator[Linted]:
    from lighter.rules import rules  # noqa: PLC0415 - loaded by whoever lints
    from lighter.workers import Workers  # noqa: PLC0415 - loaded only for several processes

    rules()  # once, before the processes begin
    start = 0
    with Workers(workers) as pool:
        while start < len(jobs):
            end, cut = start, None
            while end < len(jobs) and (cut := _cut_of(jobs[end], sizes[end])) is None and jobs[end].item.path:
                end += 1
            yield from _in_batches(jobs[start:end], sizes[start:end], pool)
            if end < len(jobs):
                linted = _in_ranges(*cut, pool, workers, on_progress) if cut else None
                yield linted or lint_one(jobs[end], sizes[end], on_progress)
            start = end + 1


def _cut_of(job: Job, size: int) -> "tuple[Plan, Record] | None":
    """Tell how a file is cut; None where it is not."""
    from lighter.ranges import LARGE, plan_of  # noqa: PLC0415 - as above

    if job.fixing or job.item.path is None or size < LARGE or job.item.path.suffix in COMPRESSED_SUFFIXES:
        return None
    try:
        return plan_of(str(job.item.path), job.item.name, job.options)
    except (OSError, LighterError):
        return None  # which linting will tell


def _in_ranges(
    plan: "Plan", first: "Record", pool: "Workers", workers: int, on_progress: OnProgress | None
) -> Linted | None:
    """Lint a file in ranges; None where it turns out that its lines cannot be told apart."""
    from lighter.ranges import Part, lint_range, ranges_of, report_of  # noqa: PLC0415 - as above

    parts: list[Part] = []
    ranges, given = tee(ranges_of(plan, workers))
    for part in pool.in_order(lint_range, ranges):
        if not isinstance(part, Part):
            return _death(part, plan.name)
        parts.append(part)
        done = next(given).end
        if on_progress is not None:
            on_progress(plan.name, done, plan.size)
    report = report_of(plan, first, parts)
    return Linted(report) if report else None


def _in_batches(jobs: Sequence[Job], sizes: Sequence[int], pool: "Workers") -> Iterator[Linted]:
    """Lint files that are not cut, several small ones in one go."""
    batches = list(_batches(jobs, sizes))
    for batch, result in zip(batches, pool.in_order(_lint_batch, batches), strict=True):
        if isinstance(result, list):
            yield from result
        elif len(batch) == 1:
            yield _death(result, batch[0].item.name) or lint_one(batch[0])
        else:  # one of them is to blame
            yield from _in_batches(batch, [BATCH_BYTES] * len(batch), pool)


def _batches(jobs: Sequence[Job], sizes: Sequence[int]) -> Iterator[tuple[Job, ...]]:
    batch: list[Job] = []
    left = BATCH_BYTES
    for job, known in zip(jobs, sizes, strict=True):
        size = BATCH_BYTES if job.fixing else known  # what died at its work is not done again with others
        if batch and (size > left or len(batch) == BATCH_FILES):
            yield tuple(batch)
            batch, left = [], BATCH_BYTES
        batch.append(job)
        left -= size
    if batch:
        yield tuple(batch)


def _lint_batch(batch: tuple[Job, ...]) -> list[Linted]:
    return [lint_one(job) for job in batch]


def _death(result: object, name: str) -> Linted | None:
    """Tell of a process that died at its work; None where that is not what happened."""
    from lighter.workers import Failed, WorkerDied  # noqa: PLC0415 - as above

    if isinstance(result, Failed) and isinstance(result.error, WorkerDied):
        return Linted(error=UnreadableInput(name, str(result.error)))
    return None
