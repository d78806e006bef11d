"""`lighter trim`: removes the oldest turns of a transcript, tool calls only together with their results."""

import sys
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Annotated, BinaryIO

import typer

from lighter.budgets import TrimOptions
from lighter.conversion import Converted, write_pieces
from lighter.errors import LighterError
from lighter.excerpt import harmless
from lighter.files import product, same_file
from lighter.inputs import Input, break_of, open_input
from lighter.trimming import Trimming
from lighter_cli import exits
from lighter_cli.commands._product import one_input, standard_output
from lighter_cli.output._losses import loss_line
from lighter_cli.output._summary import counted
from lighter_cli.terminal import complain

EXAMPLES = (
    "lighter trim conversation.jsonl --max-messages 20",
    "lighter trim request.json --max-tokens 100000 -o shorter.json",
)


def trim(  # noqa: PLR0913 - one parameter for each flag
    path: Annotated[str, typer.Argument(metavar="PATH", help="A file; - is standard input.")],
    *,
    max_messages: Annotated[
        int | None,
        typer.Option(metavar="N", min=1, help="Keep at most so many messages, with a system prompt in the list."),
    ] = None,
    max_tokens: Annotated[
        int | None, typer.Option(metavar="N", min=1, help="Keep at most about so many tokens; they are estimated.")
    ] = None,
    source_format: Annotated[
        str | None, typer.Option("--from", metavar="FORMAT", help="The format of the file, instead of detecting it.")
    ] = None,
    output_file: Annotated[
        Path | None, typer.Option("--output-file", "-o", metavar="FILE", help="Write to a file, whole or not at all.")
    ] = None,
    loss_report: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Write a line of JSON for every message that is removed.")
    ] = None,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="No summary on the error stream.")] = False,
) -> int:
    """Remove the oldest turns of each conversation until it fits.

    The system prompt stays, and the history then starts on a turn of the user; a tool call is removed only with its results.
    Of a turn that is too long to stay whole the newest rounds of calls and results stay, behind the user's message that opens
    it. The file keeps its format, and every record that is not trimmed its bytes. The exit status is 0, 1 when a record could
    not be read or no valid history of a conversation fits (it is then left out), and 2 when that is so for all of them.
    """
    if max_messages is None and max_tokens is None:
        raise LighterError("nothing to trim to: give --max-messages or --max-tokens")
    if loss_report is not None and same_file(output_file, loss_report):
        raise LighterError(f"{loss_report}: the conversation and the loss report cannot share a file")
    options = TrimOptions(max_messages, max_tokens, format=source_format)
    return _trimmed(one_input(path, "trim"), options, output_file, loss_report, is_told=not quiet)


def _trimmed(
    source: Input, options: TrimOptions, output_file: Path | None, loss_report: Path | None, *, is_told: bool
) -> int:
    """Trim a file, say what was removed, and give the exit status."""
    lost: list[str] = []
    with ExitStack() as stack:
        stream = stack.enter_context(open_input(source))
        trimming = stack.enter_context(Trimming(stream, source.name, options))
        standard = standard_output()
        report = stack.enter_context(product(loss_report, standard)) if loss_report else None
        out = stack.enter_context(product(output_file, standard))
        write_pieces(_reported(trimming.pieces(), lost, report), out, None)
        broken_off = break_of(stream)
    if is_told:
        sys.stderr.write(_summary(source.name, trimming, lost))
    if broken_off is not None:
        complain(f"{source.name}: {broken_off}; only what stands before was read")
        return exits.FAILED
    return exits.FINDINGS if lost else exits.OK


def _reported(pieces: Iterator[Converted], lost: list[str], report: BinaryIO | None) -> Iterator[Converted]:
    """Write losses down while the pieces pass, and note what gave no record."""
    for piece in pieces:
        if report is not None:
            report.writelines(loss_line(loss) for loss in piece.losses)
        if piece.is_lost:
            lost += [f"{loss.row}: {loss.detail}" for loss in piece.losses[:1]]
        yield piece


def _summary(filename: str, trimming: Trimming, lost: list[str]) -> str:
    """Sum up how much was removed, and what is missing in the output."""
    done = f"{trimming.removed} of {counted(trimming.messages, 'message')} removed"
    where = f", in {trimming.trimmed} of {trimming.conversations} conversations" if trimming.conversations > 1 else ""
    lines = [f"{harmless(filename)}: {done}{where}", *(f"  not written  {harmless(reason)}" for reason in lost)]
    return "".join(line + "\n" for line in lines)
