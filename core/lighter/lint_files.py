"""Linting values and files, also by several processes; what is found, and its order, is the same with one."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from msgspec import Struct

from lighter.diagnostics import Diagnostic
from lighter.errors import NotRecognised
from lighter.inputs import COMPRESSED_SUFFIXES, Input, break_of, open_input
from lighter.linting import LintOptions, Report, lint_stream, options_of, report_on
from lighter.rule import Mode

if TYPE_CHECKING:
    from lighter.fixing_plan import Fixing

WORTHWHILE = 4 << 20
"""Bytes to lint for which a process is worth its start."""

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
    if not workers:
        from lighter.processors import processors  # noqa: PLC0415 - loaded only when it is asked for

        workers = processors()
    workers = min(workers, sum(sizes) // WORTHWHILE)
    if workers < 2:
        for job, size in zip(jobs, sizes, strict=True):
            yield lint_one(job, size, on_progress)
        return
    from lighter.rules import rules  # noqa: PLC0415 - loaded by whoever lints
    from lighter.side_by_side import SideBySide  # noqa: PLC0415 - loaded only for several processes

    rules()  # once, before the processes begin
    yield from SideBySide(jobs, sizes, workers, on_progress).results()


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
        return Linted(fixed.report, aside=str(aside) if aside else None)


def _size_of(item: Input) -> int:
    """Tell the size of a file; 0 where there is none to be told."""
    try:
        return item.path.stat().st_size if item.path else 0
    except (OSError, ValueError):  # the latter for texts that no system takes for a path
        return 0
