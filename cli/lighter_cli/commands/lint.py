"""`lighter lint`: says what is wrong with transcripts, and whether a provider would accept them."""

import sys
from collections.abc import Callable, Iterator, Sequence
from itertools import chain
from pathlib import Path
from typing import Annotated, Literal

import typer

from lighter.errors import LighterError
from lighter.inputs import STDIN
from lighter.linting import LintOptions
from lighter.rule import Mode
from lighter_cli import exits, output
from lighter_cli.commands._run import Run
from lighter_cli.output._summary import summary
from lighter_cli.terminal import Color, is_terminal, screen_of

EXAMPLES = (
    "lighter lint conversation.jsonl",
    "lighter lint logs/ --target anthropic",
    "cat request.json | lighter lint - --output-format json",
)
FailOn = Literal["error", "warning", "never"]
FAILING: dict[FailOn, tuple[str, ...]] = {"error": ("error",), "warning": ("error", "warning"), "never": ()}

Paths = Annotated[
    list[str] | None, typer.Argument(metavar="PATH...", help="Files, folders or globs; - is standard input.")
]
SourceFormat = Annotated[
    str | None, typer.Option("--from", metavar="FORMAT", help="The format of the files, instead of detecting it.")
]
Target = Annotated[str, typer.Option(metavar="TARGET", help="Who would receive the history: openai-chat, anthropic …")]
AskedMode = Annotated[Mode | None, typer.Option(help="What the files are: a record, a request or training rows.")]
Select = Annotated[
    list[str] | None, typer.Option(metavar="RULE,…", help="Check only these rules (codes, prefixes or names).")
]
Ignore = Annotated[list[str] | None, typer.Option(metavar="RULE,…", help="Leave these rules out.")]
OutputFormat = Annotated[
    str | None,
    typer.Option(
        metavar="full|concise|json|jsonl|github|gitlab|junit|sarif",
        envvar="LIGHTER_OUTPUT_FORMAT",
        show_envvar=True,
        help="How to print findings; full on a terminal, else concise.",
    ),
]
OutputFile = Annotated[
    Path | None,
    typer.Option(
        "--output-file", "-o", metavar="FILE", help="Write to a file, whole or not at all; - is standard output."
    ),
]
StdinFilename = Annotated[str, typer.Option(metavar="NAME", help="The name that findings give to standard input.")]
Statistics = Annotated[bool, typer.Option("--statistics", help="Count findings by rule instead of listing them.")]
LeastSeverity = Annotated[FailOn, typer.Option(help="The least severity that makes the exit status 1.")]
SkipUnrecognised = Annotated[
    bool, typer.Option("--skip-unrecognised", help="Skip files that are no transcripts instead of failing.")
]
Quiet = Annotated[bool, typer.Option("--quiet", "-q", help="Print findings only.")]
ColorChoice = Annotated[Color, typer.Option(help="When to use colour.")]


def lint(  # noqa: PLR0913 - one parameter for each flag
    paths: Paths = None,
    *,
    source_format: SourceFormat = None,
    target: Target = "generic",
    mode: AskedMode = None,
    select: Select = None,
    ignore: Ignore = None,
    output_format: OutputFormat = None,
    output_file: OutputFile = None,
    stdin_filename: StdinFilename = STDIN,
    statistics: Statistics = False,
    fail_on: LeastSeverity = "error",
    skip_unrecognised: SkipUnrecognised = False,
    quiet: Quiet = False,
    color: ColorChoice = "auto",
) -> int:
    """Say what is wrong with transcripts.

    Each finding tells the message, why it matters and what would help. The exit status is 0 when nothing (of the --fail-on
    severity) was found, 1 when something was, and 2 when a file could not be read or is no transcript.
    """
    output_file = None if output_file is not None and str(output_file) == "-" else output_file
    _check_is_apart(output_file, paths or ())
    layout = output.load(output_format or ("full" if is_terminal(sys.stdout) and output_file is None else "concise"))
    screen = screen_of(None if output_file else sys.stdout, color)
    options = LintOptions(target, mode, source_format, _selected(select), _listed(ignore))
    run = Run(options, stdin_filename, is_quiet=quiet, skips_unrecognised=skip_unrecognised)
    reports = run.reports(_asked(paths))
    if statistics:
        from lighter_cli.output import _statistics  # noqa: PLC0415 - loaded only when it is asked for

        chunks = _statistics.render(reports, screen, output_format or "concise")
    else:
        chunks = layout.render(reports, screen)
    if not layout.IS_MACHINE and not quiet:
        chunks = chain(chunks, _last(lambda: summary(run.tally, screen)))
    output.write(chunks, output_file, is_machine=layout.IS_MACHINE)
    run.close()
    if run.tally.failed:
        return exits.FAILED
    return exits.FINDINGS if any(run.tally.findings[severity] for severity in FAILING[fail_on]) else exits.OK


def _check_is_apart(output_file: Path | None, paths: Sequence[str]) -> None:
    """Refuse to write the report over a transcript that is to be linted."""
    if output_file is None:
        return
    from lighter.files import same_file  # noqa: PLC0415 - not needed for the terminal

    if any(path != "-" and same_file(output_file, Path(path)) for path in paths):
        raise LighterError(f"{output_file}: is to be linted, and the report would replace it")


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


def _selected(values: Sequence[str] | None) -> tuple[str, ...]:
    """List what is selected; raises LighterError where nothing is, since none at all stands for every rule."""
    names = _listed(values)
    if values and not names:
        raise LighterError("--select names no rule (see 'lighter rule --all')")
    return names


def _listed(values: Sequence[str] | None) -> tuple[str, ...]:
    return tuple(name.strip() for value in values or () for name in value.split(",") if name.strip())
