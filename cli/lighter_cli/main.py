"""The entry point: finds the command, runs it, and turns whatever goes wrong into one line and an exit status."""

import os
import signal
import sys
from collections.abc import Iterator, Mapping, Sequence
from io import TextIOWrapper
from pathlib import Path
from typing import Annotated, Any, NoReturn, cast

import typer
from typer._click.exceptions import ClickException, NoSuchOption  # Typer exports neither
from typer.core import TyperGroup

from lighter import __version__
from lighter.errors import LighterError
from lighter_cli import commands, exits
from lighter_cli.terminal import complain, report_crash

SETTINGS = {"help_option_names": ["-h", "--help"], "max_content_width": 100}


class Commands(Mapping[str, Any]):
    """The commands by name, each made from its module only when it is looked up, so that one does not load the others."""

    def __getitem__(self, name: str) -> Any:
        if name not in commands.names():
            raise KeyError(name)
        module = commands.load(name)
        app = typer.Typer(add_completion=False, rich_markup_mode=None, context_settings=SETTINGS)
        examples = getattr(module, "EXAMPLES", ())
        # \b keeps the lines of the paragraph that it opens
        epilog = "\n".join(["\b", "Examples:", *(f"  {line}" for line in examples)]) if examples else None
        app.command(name, epilog=epilog)(getattr(module, name))
        return typer.main.get_command(app)

    def __iter__(self) -> Iterator[str]:
        return iter(commands.names())

    def __len__(self) -> int:
        return len(commands.names())


class Group(TyperGroup):
    """A command group that imports what it is asked for."""

    def __init__(self, **attrs: Any) -> None:
        super().__init__(**attrs)
        self.commands = cast("Any", Commands())


app = typer.Typer(
    cls=Group,
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings=SETTINGS,
    epilog="Every command takes --help. Start with: lighter lint conversation.jsonl",
)


def _print_version(is_asked: bool) -> None:
    if is_asked:
        sys.stdout.write(f"lighter {__version__}\n")
        raise typer.Exit


@app.callback()
def lighter(
    version: Annotated[
        bool, typer.Option("--version", callback=_print_version, is_eager=True, help="Print the version and exit.")
    ] = False,
) -> None:
    """Lint, show and convert LLM conversation transcripts."""


def main() -> NoReturn:
    """Run the command line of this process and exit with its status."""
    if hasattr(signal, "SIGPIPE"):
        signal.signal(signal.SIGPIPE, signal.SIG_DFL)  # `lighter … | head` ends quietly, as `cat` does
    for name in ("SIGTERM", "SIGHUP"):
        number = getattr(signal, name, None)
        if number is not None and signal.getsignal(number) is signal.SIG_DFL:  # `nohup` ignores SIGHUP
            signal.signal(number, _end)
    for name in ("stdout", "stderr"):
        stream = getattr(sys, name)
        if stream is None:  # closed by `>&-`
            setattr(sys, name, Path(os.devnull).open("w"))  # noqa: SIM115 - open as long as the process lives
        elif isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")  # no file name or terminal encoding makes printing fail
    sys.exit(run(sys.argv[1:]))


def _end(number: int, _frame: object) -> NoReturn:
    """End by way of an exception, so that half-written files are cleared away."""
    sys.exit(128 + number)


def run(arguments: Sequence[str]) -> int:
    """Run one command line and give its exit status; nothing that goes wrong escapes as a traceback."""
    words = list(arguments) or ["--help"]
    try:
        status = typer.main.get_command(app).main(words, prog_name="lighter", standalone_mode=False)
        sys.stdout.flush()
    except ClickException as error:
        complain(_usage_line(error, words))
        return exits.FAILED
    except LighterError as error:
        complain(str(error))
        return exits.FAILED
    except (KeyboardInterrupt, typer.Abort):
        return exits.INTERRUPTED
    except OSError as error:
        complain(f"{error.filename or 'output'}: {error.strerror or error}")
        _give_up_output()
        return exits.FAILED
    except Exception as error:  # noqa: BLE001 - the last resort: no traceback ever reaches the user
        report_crash(error)
        return exits.FAILED
    return status if isinstance(status, int) else exits.OK


def _give_up_output() -> None:
    """Let what is still to be written go nowhere: at exit Python would try once more and fail with a traceback."""
    try:
        descriptor = sys.stdout.fileno()
    except (OSError, ValueError):
        return
    os.dup2(os.open(os.devnull, os.O_WRONLY), descriptor)


def _usage_line(error: ClickException, words: Sequence[str]) -> str:
    command = words[0] if words[0] in commands.names() else ""
    see = f"(see '{f'lighter {command}' if command else 'lighter'} --help')"
    text = " ".join(error.format_message().split()).rstrip(".")
    if not command and not words[0].startswith("-"):
        return f"unknown command '{words[0]}'{_nearest(words[0])} {see}"
    if isinstance(error, NoSuchOption):
        near = " or ".join(f"'{name}'" for name in (error.possibilities or ())[:2])
        return f"no such option '{error.option_name}'{f'; did you mean {near}?' if near else ''} {see}"
    return f"{text[:1].lower()}{text[1:]} {see}"


def _nearest(word: str) -> str:
    from difflib import get_close_matches  # noqa: PLC0415 - rarely needed, and it costs start-up time

    near = get_close_matches(word, commands.names(), n=1, cutoff=0.5)
    meant = f"lighter lint {word}" if Path(word).exists() else near[0] if near else ""
    return f"; did you mean '{meant}'?" if meant else ""
