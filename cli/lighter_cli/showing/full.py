"""The full style, for a screen: numbers in the gutter, roles in colour, results under their calls, long content folded."""

import re

from rich.cells import cell_len
from rich.console import Console, RenderableType
from rich.text import Text

from lighter.excerpt import harmless
from lighter.jsontext import encode_text
from lighter.messages import AssistantMessage, Message, ToolMessage, ToolResultBlock, blocks_of
from lighter.naming import id_of
from lighter.passage import Entry, Passage
from lighter.records import LineFault, Record
from lighter_cli.showing.bodies import Bodies, Budget
from lighter_cli.showing.facts import model_of, number_of, speaker_of, time_of, usage_of, usage_text
from lighter_cli.showing.hanging import Hanging
from lighter_cli.showing.theme import ROLES, STATES
from lighter_cli.showing.turns import REMARKS, Call, Turn
from lighter_cli.showing.wrapping import Wrapped, hanging

GUTTER = 6
FAILURE_LOOK = 1000
"""Characters of a server tool's result in which an error code would stand."""
INDENT = "  "
ORDINARY_STOPS = (None, "stop", "end_turn", "tool_calls", "tool_use", "function_call")
"""Reasons to stop that are not worth a word."""

ROWS = {"system": 8, "user": 40, "assistant": 80}
"""Rows that a block may take by the role of its message, before it is folded."""
OTHER_ROWS = 40
RESULT_ROWS = 12
MOST_TOOLS = 8
"""Tools of a request that are told by name; the others are counted."""


class Full:
    """Writes turns to a Rich console; `pattern` is marked, `is_folded` shortens what is long."""

    def __init__(self, console: Console, *, is_folded: bool = True, pattern: re.Pattern[str] | None = None) -> None:
        self._console = console
        self._bodies = Bodies(is_folded=is_folded, pattern=pattern)
        self._day = ""

    def heading(self, passage: Passage, number: int, *, is_again: bool) -> None:
        """Begin a conversation: which one, its format, model and tools."""
        told = [f"conversation {number}", harmless(id_of(passage) or ""), passage.format]
        told += ["continued"] if is_again else [harmless(passage.model or ""), _tools(passage)]
        line = Wrapped(" · ".join(filter(None, told)), style="dim")
        line.stylize("bold", 0, len(told[0]))
        self._hang(line, 0)
        self._console.print()
        self._day = ""

    def turn(self, turn: Turn) -> None:
        """Show a message and, under its calls, their results."""
        entry, message = turn.entry, turn.entry.message
        self._print(self._title(turn), _number(entry), Text(" " * GUTTER))
        rows = ROWS.get(message.role, OTHER_ROWS)
        is_empty = True
        for part in turn.parts:
            if isinstance(part, Call):
                self._call(part, shows_answers=turn.shows_answers)
            elif turn.shows_text:
                for body in self._bodies.of(part, Budget(rows, self._room(GUTTER)), is_prose=_is_prose(message)):
                    self._hang(body, GUTTER)
            is_empty = False
        if is_empty:
            unread = "".join(extra.json for extra in message.ext if not extra.path)
            self._hang(self._bodies.aside(unread or "(empty)", self._room(GUTTER)), GUTTER)
        self._console.print()

    def fault(self, fault: LineFault) -> None:
        """Say in its place that a line could not be read."""
        line = Wrapped(f"line {fault.row}: could not be read ", style="red")
        line.append(f"({fault.kind}) {harmless(fault.message)}", style="dim")
        self._hang(line, GUTTER)
        self._console.print()

    def stray(self, record: Record) -> None:
        """Show in its place a record that holds no message."""
        self._hang(Text(f"line {record.row}: no message", style="dim bold"), GUTTER)
        self._hang(self._bodies.aside(encode_text(record.value), self._room(GUTTER)), GUTTER)
        self._console.print()

    def _title(self, turn: Turn) -> Text:
        message = turn.entry.message
        speaker = speaker_of(message)
        title = Wrapped()
        title.append(harmless(speaker), style=f"bold {ROLES.get(speaker, 'red')}")
        for told in (message.name, model_of(message)):
            title.append(f"  {harmless(told)}" if told else "", style="dim")
        if isinstance(message, ToolMessage):
            title.append(f"  {harmless(message.tool_name)}" if message.tool_name else "", style="call.name")
            title.append(f"  {harmless(message.call_id)}" if message.call_id else "", style="dim")
        if stop := _odd_stop(message):
            title.append(f"  stopped: {harmless(stop)}", style="yellow")
        if turn.place in REMARKS:
            title.append(f"  {REMARKS[turn.place]}", style="bold red" if turn.place == "orphan" else "yellow")
        if isinstance(message, ToolMessage) and message.is_error:
            title.append("  ✗ error", style="bold red")
        self._at_right(title, self._when_and_cost(turn.entry))
        return title

    def _when_and_cost(self, entry: Entry) -> str:
        time, usage = time_of(entry), usage_of(entry.message)
        told = [self._clock(time)] if time else []
        return " · ".join([*told, *([usage_text(usage)] if usage is not None else [])])

    def _clock(self, time: str) -> str:
        """Tell the day only when it is another than before."""
        day, _, clock = time.partition(" ")
        told = clock if day == self._day else time
        self._day = day
        return told

    def _at_right(self, text: Text, aside: str) -> None:
        """Put a dim aside at the right edge; below the text when the row has no room for both."""
        if aside:
            free = self._room(GUTTER) - text.cell_len - cell_len(aside)
            text.append(" " * free + aside if free >= 2 else f"\n{aside}", style="dim")

    def _call(self, call: Call, *, shows_answers: bool) -> None:
        lines = self._bodies.call(call.call, self._room(GUTTER + 2))
        aside = "" if call.call.is_id_synthetic else harmless(call.call.call_id)
        free = self._room(GUTTER + 2) - lines[0].cell_len - cell_len(aside)
        if aside and free < 2:
            lines[-1].append(f"  {aside}", style="dim")
        elif aside:
            lines[0].append(" " * free + aside, style="dim")
        self._print(hanging(Text("\n").join(lines)), _blank("→ "), _blank("  "))
        if not shows_answers:
            return
        for at, entry in enumerate(call.answers):
            self._answer(entry, is_again=at > 0)
        for result in call.results:
            first = _blank("  ✗ ", "bold red") if _is_failure(result) else _blank("  ← ")
            for body in self._bodies.of(result, Budget(RESULT_ROWS, self._room(GUTTER + 4))):
                self._print(body, first, _blank("    "))
                first = _blank("    ")
        if call.state in STATES:
            told, style = STATES[call.state]
            self._hang(Text(told, style=style), GUTTER + 2)

    def _answer(self, entry: Entry, *, is_again: bool) -> None:
        """Show a result behind its own number."""
        message = entry.message
        is_error = isinstance(message, ToolMessage) and bool(message.is_error)
        first = _number(entry).append("  ").append("✗ " if is_error else "← ", style="bold red" if is_error else "dim")
        rest = _blank("    ")
        bodies: list[RenderableType] = [Text("a second result for this call", style="yellow")] if is_again else []
        for block in blocks_of(message):
            bodies += self._bodies.of(block, Budget(RESULT_ROWS, self._room(GUTTER + 4)))
        for body in bodies or [Text("(empty)", style="dim")]:
            self._print(body, first, rest)
            first = rest

    def _hang(self, body: RenderableType, indent: int) -> None:
        self._print(body, Text(" " * indent), Text(" " * indent))

    def _print(self, body: RenderableType, first: Text, following: Text) -> None:
        self._console.print(Hanging(body, first, following), end="")

    def _room(self, indent: int) -> int:
        return max(self._console.width - indent, 10)


def _number(entry: Entry) -> Text:
    number = number_of(entry)
    return Text(f"{number:>{GUTTER - 2}}" if number >= 0 else " " * (GUTTER - 2), style="dim").append(INDENT)


def _blank(mark: str, style: str = "dim") -> Text:
    return Text(" " * GUTTER).append(mark, style=style)


def _is_failure(result: ToolResultBlock) -> bool:
    """Say whether a server tool failed: Anthropic's results then hold an error code in place of content."""
    return '"error_code"' in result.json[:FAILURE_LOOK]


def _is_prose(message: Message) -> bool:
    return isinstance(message, AssistantMessage)


def _odd_stop(message: Message) -> str | None:
    stop = message.stop if isinstance(message, AssistantMessage) else None
    return None if stop in ORDINARY_STOPS else stop


def _tools(passage: Passage) -> str:
    tools = passage.fields.get("tools")
    if not isinstance(tools, list) or not tools:
        return ""
    names = [_tool_name(tool) for tool in tools]
    shown = ", ".join(map(harmless, names[:MOST_TOOLS]))
    return f"tools {shown}" + (f" and {len(names) - MOST_TOOLS} more" if len(names) > MOST_TOOLS else "")


def _tool_name(tool: object) -> str:
    match tool:
        case (
            {"function": {"name": str(name)}}
            | {"custom": {"name": str(name)}}
            | {"name": str(name)}
            | {"type": str(name)}
        ):
            return name
    return "?"
