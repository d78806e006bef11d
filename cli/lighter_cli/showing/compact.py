"""The compact style: a line for each thing said, called or answered, to skim a long log by."""

import re
from collections.abc import Iterator

from rich.console import Console
from rich.text import Text

from lighter.excerpt import harmless
from lighter.jsontext import encode_text
from lighter.messages import (
    Block,
    MediaBlock,
    Message,
    OpaqueBlock,
    ReasoningBlock,
    RefusalBlock,
    TextBlock,
    ToolCall,
    ToolMessage,
    ToolResultBlock,
    blocks_of,
)
from lighter.naming import id_of
from lighter.passage import Entry, Passage
from lighter.records import LineFault, Record
from lighter_cli.showing.arguments import one_line
from lighter_cli.showing.facts import number_of, speaker_of
from lighter_cli.showing.placeholder import media_line
from lighter_cli.showing.theme import ROLES, STATES, coloured
from lighter_cli.showing.turns import REMARKS, Call, Turn

NUMBER = 5
ROLE = 10
MARGIN = 8
"""Characters read beyond the width, since escapes only make text longer."""


class Compact:
    """Writes turns to a Rich console, a line for each part; lines are cut at the width unless it is None."""

    def __init__(self, console: Console, *, width: int | None, pattern: re.Pattern[str] | None = None) -> None:
        self._console = console
        self._width = width
        self._pattern = pattern

    def heading(self, passage: Passage, number: int, *, is_again: bool) -> None:
        """Begin a conversation."""
        told = [f"conversation {number}", harmless(id_of(passage) or ""), harmless(passage.model or "")]
        told += ["continued"] if is_again else []
        self._put(Text(" · ".join(filter(None, told)), style="dim"))

    def turn(self, turn: Turn) -> None:
        """Show a message and, under its calls, their results."""
        entry, message = turn.entry, turn.entry.message
        role = speaker_of(message)
        start = _start(_number(entry), harmless(role), ROLES.get(role, "red"))
        for part in turn.parts:
            if isinstance(part, Call):
                self._put(start.append("→ ", style="dim").append_text(_cut(self._call(part.call), self._width)))
                self._answers(part, shows_answers=turn.shows_answers)
            elif turn.shows_text:
                self._put(start.append_text(self._block(part, turn)))
            else:
                continue
            start = _start("", "", "")
        if not turn.parts:
            self._put(start.append("(empty)", style="dim"))

    def fault(self, fault: LineFault) -> None:
        """Say in its place that a line could not be read."""
        told = f"line {fault.row}: could not be read ({fault.kind}) {harmless(fault.message)}"
        self._put(_start("", "", "").append(told, style="red"))

    def stray(self, record: Record) -> None:
        """Show in its place a record that holds no message."""
        line = _start("", "", "").append(f"line {record.row}: no message ", style="dim")
        self._put(line.append_text(self._line(encode_text(record.value))))

    def _answers(self, call: Call, *, shows_answers: bool) -> None:
        if not shows_answers:
            return
        for entry in call.answers:
            message = entry.message
            is_error = isinstance(message, ToolMessage) and bool(message.is_error)
            line = _start(_number(entry), "", "")
            line.append("✗ " if is_error else "← ", style="bold red" if is_error else "dim")
            self._put(line.append_text(self._line(" ".join(_texts(message)) or "(empty)")))
        for result in call.results:
            self._put(_start("", "", "").append("← ", style="dim").append_text(self._line(result.json)))
        if call.state in STATES:
            told, style = STATES[call.state]
            self._put(_start("", "", "").append(told, style=style))

    def _call(self, call: ToolCall) -> Text:
        line = coloured(one_line(call))
        line.stylize("call.name", 0, len(line.plain.partition("(")[0]))
        return line

    def _block(self, block: Block | ToolCall, turn: Turn) -> Text:
        remark = f"{REMARKS[turn.place]}: " if turn.place in REMARKS else ""
        line = Text().append(remark, style="bold red")
        return line.append_text(self._line(_text_of(block), dim=isinstance(block, ReasoningBlock)))

    def _line(self, text: str, *, dim: bool = False) -> Text:
        if self._width is not None:
            limit = 4 * self._width + MARGIN
            text = " ".join(text[:limit].split()) + (" …" if len(text) > limit else "")
        return Text(harmless(text), style="dim italic" if dim else "")

    def _put(self, line: Text) -> None:
        if self._pattern is not None:
            for match in self._pattern.finditer(line.plain):
                line.stylize("reverse", *match.span())
        if self._width is not None:
            line.truncate(self._width, overflow="ellipsis")
        self._console.print(line, no_wrap=True, overflow="ignore", crop=False, soft_wrap=True)


def _cut(text: Text, width: int | None) -> Text:
    return text if width is None else text[: 4 * width]


def _start(number: str, role: str, style: str) -> Text:
    return Text(f"{number:>{NUMBER}} ", style="").append(f"{role:<{ROLE}} ", style=style)


def _number(entry: Entry) -> str:
    number = number_of(entry)
    return str(number) if number >= 0 else ""


def _texts(message: Message) -> Iterator[str]:
    return (_text_of(block) for block in blocks_of(message))


def _text_of(block: Block | ToolCall) -> str:
    match block:
        case TextBlock():
            return block.text
        case ReasoningBlock():
            return block.text or "(hidden reasoning)"
        case RefusalBlock():
            return f"refused: {block.text}"
        case MediaBlock():
            return f"▣ {media_line(block)}"
        case ToolResultBlock() | OpaqueBlock():
            return f"▢ {block.native_type} {block.json}"
        case ToolCall():
            return one_line(block)
