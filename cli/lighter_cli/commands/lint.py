"""`lighter lint`: says what is wrong with transcripts, and whether a provider would accept them."""

import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING

from lighter.diagnostics import FAILING, FailOn
from lighter.errors import LighterError
from lighter.inputs import STDIN
from lighter.linting import Report
from lighter_cli import exits, output
from lighter_cli.commands import _lint_flags as flag
from lighter_cli.commands._run import Run
from lighter_cli.commands._settings import Settings
from lighter_cli.output._products import Product, kept, products_of, write_others
from lighter_cli.output._summary import fixes_summary, summary
from lighter_cli.terminal import Color, is_terminal, screen_of

if TYPE_CHECKING:
    from lighter_cli.commands._fixing import Fixer

EXAMPLES = (
    "lighter lint conversation.jsonl",
    "lighter lint logs/ --target anthropic",
    "cat request.json | lighter lint - --output-format json",
)


def lint(  # noqa: PLR0913 - one parameter for each flag
    paths: flag.Paths = None,
    *,
    source_format: flag.SourceFormat = None,
    target: flag.Target = None,
    mode: flag.AskedMode = None,
    select: flag.Select = None,
    ignore: flag.Ignore = None,
    extend_select: flag.ExtendSelect = None,
    extend_ignore: flag.ExtendIgnore = None,
    exclude: flag.Exclude = None,
    extend_exclude: flag.ExtendExclude = None,
    force_exclude: flag.ForceExclude = None,
    respect_gitignore: flag.RespectGitignore = None,
    tools: flag.Tools = None,
    output_format: flag.OutputFormat = None,
    output_file: flag.OutputFile = None,
    stdin_filename: flag.StdinFilename = STDIN,
    statistics: flag.Statistics = False,
    baseline: flag.BaselineFile = None,
    fail_on: flag.LeastSeverity = None,
    skip_unrecognised: flag.SkipUnrecognised = False,
    config: flag.ConfigFile = None,
    isolated: flag.Isolated = False,
    fix: flag.Fix = None,
    unsafe_fixes: flag.UnsafeFixes = None,
    diff: flag.Diff = False,
    unanswered: flag.AskedUnanswered = None,
    jobs: flag.Jobs = None,
    quiet: flag.Quiet = False,
    color: flag.ColorChoice = "auto",
) -> int:
    """Say what is wrong with transcripts.

    Each finding tells the message, why it matters and what would help. The exit status is 0 when nothing (of the --fail-on
    severity) was found, 1 when something was, and 2 when a file could not be read or is no transcript.
    """
    judged = {"target": target, "mode": mode, "format": source_format, "tools": str(tools) if tools else None}
    fixes = {"fix": True if diff else fix, "unsafe_fixes": unsafe_fixes, "unanswered": unanswered}
    flags = {**judged, **_selection(select, ignore, extend_select, extend_ignore), **fixes}
    search = _search(exclude, extend_exclude, respect_gitignore)
    settings = Settings(
        flags, str(config) if config else None, is_isolated=isolated, search=search, is_forced=force_exclude
    )
    of_run = settings.of_run()
    output_file = None if output_file is not None and str(output_file) == "-" else output_file
    usual = of_run.get("output_format") or ("full" if is_terminal(sys.stdout) and output_file is None else "concise")
    products = products_of(output_format or (), output_file, usual)
    known, skips = baseline or of_run.get("baseline"), skip_unrecognised or of_run.get("skip_unrecognised", False)
    _check_are_apart(products, [*(paths or ()), *(str(file) for file in (known, tools) if file)])
    asked = _asked(paths)
    fixer = _fixer(is_diff=diff) if fix or diff else None
    workers = of_run.get("jobs", 1) if jobs is None else jobs
    run = Run(settings, stdin_filename, workers, baseline=known, is_quiet=quiet, skips=skips, fixer=fixer)
    reports = run.reports(asked)
    if fixer and diff:
        return _told_as_patch(run, reports, fixer, is_quiet=quiet)
    _write(products, run, reports, color, is_quiet=quiet, is_counted=statistics, is_piped=bool(fixer) and "-" in asked)
    return _status(run, fail_on or of_run.get("fail_on", "error"))


def _status(run: Run, fail_on: FailOn) -> int:
    """End a run, and give its exit status."""
    run.close()
    if run.tally.failed:
        return exits.FAILED
    return exits.FINDINGS if any(run.tally.findings[severity] for severity in FAILING[fail_on]) else exits.OK


def _write(  # noqa: PLR0913 - what is written, and how
    products: Sequence[Product],
    run: Run,
    reports: Iterator[Report],
    color: Color,
    *,
    is_quiet: bool,
    is_counted: bool,
    is_piped: bool,
) -> None:
    """Write the reports as they come in, and what goes to files afterwards.

    `is_piped`: standard output has what was piped in, fixed, so that the report goes to the error stream.
    """
    first, *others = products
    layout, *_ = [output.load(product.format) for product in products]
    screen = screen_of(None if first.file else sys.stdout, color)
    store: list[Report] = []
    if others:
        reports = kept(reports, store)
    if is_counted:
        from lighter_cli.output import _statistics  # noqa: PLC0415 - loaded only when it is asked for

        if first.format not in _statistics.FORMATS:
            raise LighterError(
                f"--statistics counts for {', '.join(_statistics.FORMATS)}; {first.format} has no counts"
            )
        chunks = _statistics.render(reports, screen, first.format)
    else:
        chunks = layout.render(reports, screen)
    if not layout.IS_MACHINE and not is_quiet:
        chunks = chain(chunks, _last(lambda: summary(run.tally, screen)))
    if is_piped and first.file is None:
        sys.stderr.writelines(chunks)
    else:
        output.write(chunks, first.file, is_machine=layout.IS_MACHINE)
    write_others(others, store)


def _fixer(*, is_diff: bool) -> "Fixer":
    from lighter_cli.commands._fixing import Fixer  # noqa: PLC0415 - loaded only when something is to be fixed

    return Fixer(is_diff=is_diff)


def _told_as_patch(run: Run, reports: Iterable[Report], fixer: "Fixer", *, is_quiet: bool) -> int:
    """Print patches alone; what they would repair is told on the error stream."""
    for _ in reports:
        pass
    run.close()
    if not is_quiet:
        sys.stderr.write(fixes_summary(run.tally, is_done=False))
    if run.tally.failed:
        return exits.FAILED
    return exits.FINDINGS if fixer.has_changes else exits.OK


def _check_are_apart(products: Sequence[Product], read: Sequence[str]) -> None:
    """Refuse to write a report over a transcript that is to be linted, the baseline, the tools, or another report."""
    files = [product.file for product in products if product.file is not None]
    if not files:
        return
    from lighter.files import same_file  # noqa: PLC0415 - not needed for the terminal

    for index, file in enumerate(files):
        if any(path != "-" and same_file(file, Path(path)) for path in read):
            raise LighterError(f"{file}: is to be read, and a report would replace it")
        if any(same_file(file, other) for other in files[:index]):
            raise LighterError(f"{file}: two reports would go to this file")


def _last(text: Callable[[], str]) -> Iterator[str]:
    """Make a text only when all that comes before it is written."""
    yield text()


def _asked(paths: Sequence[str] | None) -> Sequence[str]:
    """Give the inputs that the command line names; standard input when it names none and something is piped in."""
    if paths:
        return paths
    if sys.stdin is None or is_terminal(sys.stdin):
        raise LighterError("name a file, a folder or a glob, or pipe a transcript in (see 'lighter lint --help')")
    return ("-",)


def _selection(
    select: Sequence[str] | None,
    ignore: Sequence[str] | None,
    extend_select: Sequence[str] | None,
    extend_ignore: Sequence[str] | None,
) -> dict[str, tuple[str, ...] | None]:
    """Give the flags that say which rules are asked."""
    return {
        "select": _selected(select),
        "ignore": _listed(ignore) or None,
        "extend_select": _listed(extend_select),
        "extend_ignore": _listed(extend_ignore),
    }


def _search(
    exclude: Sequence[str] | None, extend_exclude: Sequence[str] | None, respect_gitignore: bool | None
) -> dict[str, tuple[str, ...] | bool | None]:
    """Give the flags that say what is passed over in folders; raises LighterError for a pattern that is none."""
    said = {"exclude": None if exclude is None else _listed(exclude), "extend_exclude": _listed(extend_exclude)}
    if patterns := [pattern for listed in said.values() for pattern in listed or ()]:
        from lighter.globs import faults  # noqa: PLC0415 - only where there are patterns

        for fault in faults(patterns):
            raise LighterError(fault)
    return {**said, "respect_gitignore": respect_gitignore}


def _selected(values: Sequence[str] | None) -> tuple[str, ...] | None:
    """List what is selected; raises LighterError where nothing is, since none at all stands for every rule."""
    names = _listed(values)
    if values and not names:
        raise LighterError("--select names no rule (see 'lighter rule --all')")
    return names or None


def _listed(values: Sequence[str] | None) -> tuple[str, ...]:
    return tuple(name.strip() for value in values or () for name in value.split(",") if name.strip())
