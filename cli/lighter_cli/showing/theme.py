"""The colours of `show`: few, and only the terminal's own, so that they suit its background."""

import re
from collections.abc import Mapping
from typing import IO

from rich.console import Console
from rich.text import Text
from rich.theme import Theme

from lighter_cli.showing.turns import MISSING, CallState
from lighter_cli.terminal import Screen

ROLES = {"user": "green", "assistant": "cyan", "system": "magenta", "developer": "magenta", "tool": "yellow"}
"""The colour of each role; one that nobody knows is red."""

STATES: Mapping[CallState, tuple[str, str]] = {
    "pending": (f"… {MISSING['pending']}", "yellow"),
    "unanswered": (f"✗ {MISSING['unanswered']}", "bold red"),
}
"""What is said of a call without a result, and its colour."""

THEME = Theme({
    "value.key": "blue",
    "value.string": "green",
    "value.number": "cyan",
    "value.word": "magenta",
    "call.name": "bold yellow",
    "markdown.code": "cyan",
    "markdown.h1": "bold underline",
    "markdown.h2": "bold",
    "markdown.h3": "bold",
    "markdown.h4": "bold italic",
    "markdown.h5": "italic",
    "markdown.h6": "italic",
    "markdown.item.bullet": "dim",
    "markdown.item.number": "dim",
    "markdown.block_quote": "italic",
    "markdown.table.header": "bold",
})  # fmt: skip

_VALUES = re.compile(
    r"(?P<key>\"(?:[^\"\\]|\\.)*\"(?=:)|\b\w+(?==(?!=)))"
    r"|(?P<string>\"(?:[^\"\\]|\\.)*\")"
    r"|(?P<number>(?<![\w.])-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?(?![\w.]))"
    r"|(?P<word>\b(?:true|false|null)\b)"
)
"""The parts of JSON values and of `name=value` that have a colour; what lies inside a string is never looked at."""

HIGHLIGHT_LIMIT = 20_000
"""Characters beyond which values stay uncoloured: the patterns would cost more time than the colours save."""


def coloured(text: str) -> Text:
    """Give JSON text its colours."""
    held = Text(text)
    if len(text) <= HIGHLIGHT_LIMIT:
        for match in _VALUES.finditer(text):
            held.stylize(f"value.{match.lastgroup}", *match.span())
    return held


class _Console(Console):
    """A console that leaves a closed pipe to whoever opened it, where Rich would exit."""

    def on_broken_pipe(self) -> None:
        raise  # noqa: PLE0704 - Rich calls this while it handles the error


def console_on(out: IO[str], screen: Screen) -> Console:
    """Make a Rich console that guesses nothing: colour and width are decided, and no text is taken for markup."""
    return _Console(
        file=out,
        width=screen.width,
        force_terminal=screen.is_coloured,
        color_system="standard" if screen.is_coloured else None,
        no_color=not screen.is_coloured,
        theme=THEME,
        highlight=False,
        markup=False,
        emoji=False,
        legacy_windows=False,
        force_jupyter=False,
    )
