"""`lighter convert`: writes a transcript in another format, and says what could not be carried."""

import contextlib
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any, BinaryIO

import typer

from lighter.conversation import layout_named
from lighter.conversion import Converted, ConvertOptions, convert_stream, write_pieces
from lighter.errors import LighterError
from lighter.files import product, same_file
from lighter.formats import get
from lighter.inputs import Input, break_of, open_input
from lighter.losses import Loss
from lighter.policies import DEFAULTS, MODULES, Policies
from lighter_cli import exits
from lighter_cli.commands._product import one_input, standard_output
from lighter_cli.output._losses import LossTally, loss_line
from lighter_cli.terminal import Progress, complain

EXAMPLES = (
    "lighter convert conversation.jsonl --to anthropic",
    "lighter convert request.json --to openai -o request.openai.json",
    "lighter convert log.jsonl --to lighter --loss-report losses.jsonl --strict",
)


def _choice(policy: str) -> Any:
    """Make the option of a policy."""
    module = MODULES[policy]
    return typer.Option(metavar="|".join(module.CHOICES), help=module.HELP, rich_help_panel="Policies")


def convert(  # noqa: PLR0913 - one parameter for each flag
    path: Annotated[str, typer.Argument(metavar="PATH", help="A file; - is standard input.")],
    *,
    to: Annotated[str, typer.Option("--to", metavar="FORMAT", help="The format to write; see `lighter formats`.")],
    source_format: Annotated[
        str | None, typer.Option("--from", metavar="FORMAT", help="The format of the file, instead of detecting it.")
    ] = None,
    output_file: Annotated[
        Path | None, typer.Option("--output-file", "-o", metavar="FILE", help="Write to a file, whole or not at all.")
    ] = None,
    layout: Annotated[
        str | None,
        typer.Option(
            metavar="messages|conversations|array", help="One message or one conversation a line, or one array."
        ),
    ] = None,
    strict: Annotated[
        bool,
        typer.Option(
            "--strict",
            help="Exit 1 when something is dropped or cannot be undone, or the target would refuse the result.",
        ),
    ] = False,
    loss_report: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Write every loss as a line of JSON.")
    ] = None,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="No summary on the error stream.")] = False,
    reasoning: Annotated[str, _choice("reasoning")] = DEFAULTS.reasoning,
    system: Annotated[str, _choice("system")] = DEFAULTS.system,
    arguments: Annotated[str, _choice("arguments")] = DEFAULTS.arguments,
    missing_results: Annotated[str, _choice("missing_results")] = DEFAULTS.missing_results,
    ids: Annotated[str, _choice("ids")] = DEFAULTS.ids,
    tools: Annotated[str, _choice("tools")] = DEFAULTS.tools,
) -> int:
    """Write a transcript in another format.

    Nothing is lost silently: what the target cannot hold is summed up on the error stream, and listed by --loss-report. The
    exit status is 0, 1 when a record could not be read or --strict refuses, and 2 when nothing could be converted.
    """
    chosen = None if layout is None else layout_named(layout)
    policies = Policies(
        reasoning=reasoning,
        system=system,
        arguments=arguments,
        missing_results=missing_results,
        ids=ids,
        tools=tools,
    )
    options = ConvertOptions(to, source_format, chosen, policies)
    if loss_report is not None and same_file(output_file, loss_report):
        raise LighterError(f"{loss_report}: the conversation and the loss report cannot share a file")
    return _converted(one_input(path, "convert"), options, output_file, loss_report, strict=strict, is_told=not quiet)


def _converted(  # noqa: PLR0913 - what the flags say
    source: Input,
    options: ConvertOptions,
    output_file: Path | None,
    loss_report: Path | None,
    *,
    strict: bool,
    is_told: bool,
) -> int:
    """Convert a file, tell its losses, and give the exit status."""
    tally = LossTally(source.name, get(options.to).NAME)
    with contextlib.ExitStack() as stack:
        stream = stack.enter_context(open_input(source))
        pieces = convert_stream(stream, source.name, options)
        standard = standard_output()
        report = stack.enter_context(product(loss_report, standard)) if loss_report else None
        out = stack.enter_context(product(output_file, standard))
        write_pieces(_watched(pieces, tally, report, stream, is_told), out, options.layout)
        broken_off = break_of(stream)
        if is_told:
            sys.stderr.write(tally.summary())
        if tally.is_empty:  # raised before a file is put in the place of another
            raise LighterError(f"{source.name}: {broken_off or 'nothing in it could be converted'}")
    if broken_off is not None:
        complain(f"{source.name}: {broken_off}; only what stands before was read")
        return exits.FAILED
    return exits.FINDINGS if tally.lost or (strict and tally.is_refused) else exits.OK


def _watched(
    pieces: Iterator[Converted], tally: LossTally, report: BinaryIO | None, stream: BinaryIO, is_told: bool
) -> Iterator[Converted]:
    """Count losses and write them down while the pieces pass."""
    progress = Progress(is_wanted=is_told)
    for piece in pieces:
        tally.add(piece)
        if report is not None:
            _report(piece.losses, report)
        if progress.is_due:
            with contextlib.suppress(OSError, ValueError):
                progress.tell(tally.filename, stream.tell())
        yield piece
    progress.erase()


def _report(losses: tuple[Loss, ...], report: BinaryIO) -> None:
    report.writelines(loss_line(loss) for loss in losses)
