"""`lighter show`: a transcript as a person reads it, results under their calls, on a screen or through a pipe."""

import os
import re
import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import IO, Annotated, BinaryIO, Literal

import typer
from msgspec import Struct

from lighter.errors import LighterError, NotRecognised
from lighter.history import told
from lighter.inputs import COMPRESSED_SUFFIXES, STDIN, Input, break_of, open_input
from lighter.reading import Piece, Reading, not_recognised
from lighter.records import LineFault
from lighter_cli import exits
from lighter_cli.showing.follow import follow as follow_log
from lighter_cli.showing.paging import paged
from lighter_cli.showing.plain import Plain
from lighter_cli.showing.presenting import Presentation
from lighter_cli.showing.selection import Selection, pattern_from, role_hint, roles_from, turns_from
from lighter_cli.showing.style import Style
from lighter_cli.terminal import Color, Screen, complain, note, screen_of

StyleName = Literal["full", "compact", "plain"]

EXAMPLES = (
    "lighter show conversation.jsonl",
    "lighter show log.jsonl --role user --turns 3:10",
    "lighter show log.jsonl --tool get_weather --grep 'timeout|refused'",
    "lighter show -f log.jsonl",
    "lighter show log.jsonl | grep -n error",
)


def show(  # noqa: PLR0913, PLR0917 - one parameter for each option
    path: Annotated[str, typer.Argument(metavar="PATH|-", help="The transcript; - reads standard input.")],
    source_format: Annotated[
        str | None, typer.Option("--from", metavar="FORMAT", help="Its format, when detection errs.")
    ] = None,
    role: Annotated[
        list[str] | None,
        typer.Option("-r", "--role", metavar="ROLE", help="Only messages of this role; may be repeated."),
    ] = None,
    turns: Annotated[
        str | None,
        typer.Option(metavar="3:10", help="Only messages with these numbers, as shown (from 0, as in lint)."),
    ] = None,
    tool: Annotated[
        str | None, typer.Option(metavar="NAME", help="Only calls of this tool, with their results.")
    ] = None,
    grep: Annotated[str | None, typer.Option(metavar="RE", help="Only what matches this regular expression.")] = None,
    conversation: Annotated[
        str | None, typer.Option(metavar="N|ID", help="Only this conversation: its number, from 1, or its id.")
    ] = None,
    style: Annotated[
        StyleName | None, typer.Option(help="full: for a screen; compact: a line each; plain: every word, for pipes.")
    ] = None,
    full: Annotated[bool, typer.Option("--full", help="Fold nothing.")] = False,
    width: Annotated[int | None, typer.Option(min=20, metavar="N", help="Cells in a row.")] = None,
    color: Annotated[Color, typer.Option(help="Whether to colour.")] = "auto",
    no_pager: Annotated[bool, typer.Option("--no-pager", help="Write straight to the terminal.")] = False,
    follow: Annotated[bool, typer.Option("-f", "--follow", help="Keep showing what is added to the file.")] = False,
) -> int:
    """Show a transcript: who said what, each tool result under its call.

    On a terminal long content is folded and a pager opens; through a pipe every word is written, without colour. The exit
    status is 0, 1 when not a single line could be read, and 2 when the file could not, or is no transcript.
    """
    selection = Selection(
        roles_from(role or []), turns_from(turns), tool or None, pattern_from(grep), conversation or None
    )
    screen = screen_of(sys.stdout, color, width)
    chosen = style or ("full" if screen.is_terminal else "plain")
    is_paged = screen.is_terminal and not no_pager and not follow and os.environ.get("TERM") != "dumb"
    look = Look(screen, selection.pattern, is_folded=screen.is_terminal and not full, is_wide=width is None)
    source = Input(STDIN, None) if path == "-" else Input(path, Path(path))
    with closing(_opened(source, is_followed=follow)) as stream:
        pieces = _pieces(stream, source, source_format, is_followed=follow)
        with paged(is_wanted=is_paged) as out:
            shown = Presentation(_make_style(chosen, out, look), selection, is_live=follow)
            shown.show_all(pieces)
            out.flush()
            if reason := break_of(stream):
                complain(f"{source.name}: {reason}; only what stands before was read")
                return exits.FAILED
            if remark := told(shown.undone):
                note(f"{source.name}: {remark}")
            return _status(shown, source.name)
    return exits.OK  # the reader has left the pager


class Look(Struct, frozen=True):
    """How things look: the screen, what is marked, whether long content is folded, whether a pipe may have long lines."""

    screen: Screen
    pattern: re.Pattern[str] | None
    is_folded: bool
    is_wide: bool


def _opened(source: Input, *, is_followed: bool) -> BinaryIO:
    if is_followed and source.path is not None and source.path.suffix in COMPRESSED_SUFFIXES:
        raise LighterError(f"{source.name}: a compressed file cannot be followed")
    return open_input(source)


def _pieces(stream: BinaryIO, source: Input, format_name: str | None, *, is_followed: bool) -> Iterator[Piece]:
    """Read what is to be shown; raises NotRecognised when neither a conversation nor a broken line is in it."""
    if is_followed and stream.seekable():
        return follow_log(stream, source.name, format_name, source.path)
    reading = Reading(stream, filename=source.name, format=format_name)
    pieces = iter(reading)
    if reading.format is not None:
        return pieces
    faults = [piece for piece in pieces if isinstance(piece, LineFault)]
    if not faults:
        raise NotRecognised(not_recognised(source.name, reading.detection))
    return iter(faults)


def _make_style(name: StyleName, out: IO[str], look: Look) -> Style:
    """Make a style; Rich is loaded only for those that need it."""
    if name == "plain":
        return Plain(out.write)
    from lighter_cli.showing import compact, full  # noqa: PLC0415 - as above
    from lighter_cli.showing.theme import console_on  # noqa: PLC0415 - as above

    console = console_on(out, look.screen)
    if name == "full":
        return full.Full(console, is_folded=look.is_folded, pattern=look.pattern)
    is_cut = look.screen.is_terminal or not look.is_wide
    return compact.Compact(console, width=look.screen.width if is_cut else None, pattern=look.pattern)


def _status(done: Presentation, name: str) -> int:
    """Give the exit status, and say why nothing was shown when nothing was."""
    if done.shown:
        return exits.OK
    if done.passages and done.selection != Selection():
        note(f"{name}: nothing matches{role_hint(done.selection)}")
        return exits.OK
    if done.faults:
        complain(f"{name}: no conversation could be read")
        return exits.FINDINGS
    note(f"{name}: nothing to show")
    return exits.OK
