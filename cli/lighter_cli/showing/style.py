"""What a style of showing is: how it puts down each thing that a transcript holds."""

from typing import Protocol

from lighter.passage import Passage
from lighter.records import LineFault, Record
from lighter_cli.showing.turns import Turn


class Style(Protocol):
    """A way to put a transcript before a person; each call writes what it is given at once."""

    def heading(self, passage: Passage, number: int, *, is_again: bool) -> None:
        """Begin a conversation (the `number`-th, from 1), or come back to one that was interrupted."""
        ...

    def turn(self, turn: Turn) -> None:
        """Show a message and, under its calls, their results."""
        ...

    def fault(self, fault: LineFault) -> None:
        """Say in its place that a line could not be read."""
        ...

    def stray(self, record: Record) -> None:
        """Show in its place a record that holds no message."""
        ...
