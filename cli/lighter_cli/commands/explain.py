"""`lighter explain`: says which faults are behind a provider's error message, what to do, and where in a file they are."""

import os
import sys
from collections.abc import Iterator, Sequence
from typing import Annotated, Literal

import typer

from lighter import formats
from lighter.errors import LighterError, NotRecognised, NotText, UnreadableInput
from lighter.explaining import Explanation, beyond_rules
from lighter.explaining import explain as explained
from lighter.explaining_places import find_places
from lighter.inputs import Input, expand
from lighter.providers import get_target
from lighter.rule import Mode
from lighter_cli import exits
from lighter_cli.output._explained import Found, beyond_page, fields, in_files, page
from lighter_cli.output.json import text_of
from lighter_cli.terminal import Color, complain, is_terminal, note, screen_of

EXAMPLES = (
    'lighter explain "messages.3.content.1.tool_use.id: String should match pattern"',
    'lighter explain "$ERROR" request.json --target anthropic',
    'lighter explain "$ERROR" logs/',
    "tail -50 agent.log | lighter explain - history.jsonl",
)


def explain(  # noqa: PLR0913 - one parameter for each flag
    error: Annotated[
        str | None, typer.Argument(metavar="ERROR", help="The provider's error message; - is standard input.")
    ] = None,
    files: Annotated[
        list[str] | None,
        typer.Argument(metavar="PATH...", help="Transcripts, one of which was refused: files, folders or globs."),
    ] = None,
    *,
    source_format: Annotated[
        str | None, typer.Option("--from", metavar="FORMAT", help="The format of the files, instead of detecting it.")
    ] = None,
    target: Annotated[
        str | None, typer.Option(metavar="TARGET", help="Who sent the error, instead of telling it from the words.")
    ] = None,
    mode: Annotated[Mode | None, typer.Option(help="What the files are: a record, a request or training rows.")] = None,
    output_format: Annotated[Literal["text", "json"], typer.Option(help="How to print.")] = "text",
    color: Annotated[Color, typer.Option(help="When to use colour.")] = "auto",
) -> int:
    """Explain a provider's error message.

    Says which fault of a history is behind it and what to do, and shows the places in files. The message may be pasted as it
    came: in JSON, with a traceback around it, cut short. What is not about the history but about limits, keys or models is told as
    that. The exit status is 0, or 1 when the fault is found in a file, and 2 when the message is about no history, or unknown, or
    a file could not be read.
    """
    if target is not None:
        get_target(target)
    if source_format is not None:
        formats.get(source_format)
    text = _asked(error, files or ())
    if not text.strip():
        raise LighterError("the error message is empty (see 'lighter explain --help')")
    explanations = explained(text, target=target)
    beyond = None if explanations else beyond_rules(text)
    search = _Search(files or (), explanations, text)
    found = search.found(target, mode, source_format)
    screen = screen_of(sys.stdout, color)
    if output_format == "json":
        sys.stdout.write(text_of(fields(explanations, beyond, found)) + "\n")
    elif explanations:
        sys.stdout.writelines(line + "\n" for line in page(explanations, screen))
        sys.stdout.writelines(in_files(found, screen, is_alone=search.is_alone))
    elif beyond:
        sys.stdout.writelines(line + "\n" for line in beyond_page(beyond, screen))
    if not explanations and not beyond:
        complain(_unknown(text))
    if search.has_failed or (not explanations and not (beyond and beyond.is_about_history)):
        return exits.FAILED
    return exits.FINDINGS if search.has_findings else exits.OK


class _Search:
    """The looking for a fault in files; what cannot be read is told and passed over."""

    def __init__(self, words: Sequence[str], explanations: Sequence[Explanation], text: str) -> None:
        inputs, errors = expand(words)
        for error in errors:
            complain(str(error))
        self._inputs = sorted(inputs, key=lambda item: item.name)
        self._explanations = explanations
        self._text = text
        self.is_alone = len(inputs) == 1
        self.has_failed = bool(errors)
        self.has_findings = False

    def found(self, target: str | None, mode: Mode | None, source_format: str | None) -> Iterator[Found]:
        """Find the places in each file; where nothing is explained there are none to be found."""
        for item in self._inputs if self._explanations else ():
            try:
                places = find_places(
                    self._explanations,
                    self._text,
                    item,
                    target=target,
                    mode=mode,
                    format=source_format,
                    is_refused=self.is_alone,
                )
            except (NotRecognised, UnreadableInput) as error:
                self._pass_over(item, error)
                continue
            self.has_findings |= bool(places.findings)
            yield item.name, places

    def _pass_over(self, item: Input, error: LighterError) -> None:
        if item.is_walked and isinstance(error, NotRecognised | NotText):
            note(f"skipped {error}")
            return
        complain(str(error))
        self.has_failed = True


def _asked(error: str | None, files: Sequence[str]) -> str:
    """Give the text of the error message, from the command line or from standard input."""
    if error is not None and error != "-":
        return error
    if error is None and (sys.stdin is None or is_terminal(sys.stdin)):
        raise LighterError("paste an error message in quotes, or pipe one in (see 'lighter explain --help')")
    if "-" in files:
        raise LighterError("standard input can be the error message or a file, not both")
    if sys.stdin is None:
        raise LighterError("standard input is closed")
    return sys.stdin.buffer.read().decode("utf-8", "replace")


def _unknown(text: str) -> str:
    if os.path.isfile(text):  # noqa: PTH113 - any text may be asked about, and pathlib raises for one that is too long
        return f"{text} is a file: give the error message itself, or pipe the file in with 'lighter explain -'"
    return (
        "no rule is known for this error: it is not about a history, or nobody has recorded its words yet."
        " `lighter lint FILE --target TARGET` says what TARGET would refuse"
    )
