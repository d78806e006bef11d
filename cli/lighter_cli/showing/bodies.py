"""The blocks of a message as Rich renderables: Markdown, reasoning, values, media; folded where they are long."""

import re
from collections.abc import Iterator

from msgspec import Struct
from rich.console import RenderableType
from rich.text import Text

from lighter.excerpt import harmless
from lighter.messages import (
    Block,
    MediaBlock,
    OpaqueBlock,
    ReasoningBlock,
    RefusalBlock,
    TextBlock,
    ToolCall,
    ToolResultBlock,
)
from lighter_cli.showing.arguments import lay_out
from lighter_cli.showing.folding import Folded, fold, unfolded
from lighter_cli.showing.hanging import Hanging
from lighter_cli.showing.placeholder import media_line, opaque_line
from lighter_cli.showing.theme import coloured
from lighter_cli.showing.values import pretty
from lighter_cli.showing.wrapping import Wrapped, hanging

CALL_ROWS = 14
REASONING_ROWS = 4
OPAQUE_ROWS = 3
MARK = "reverse"


class Budget(Struct, frozen=True):
    """How many rows a block may take, and how many cells a row has."""

    rows: int
    width: int


class Bodies:
    """Makes renderables of blocks; `pattern` is marked in them, and `is_folded` shortens what is long."""

    def __init__(self, *, is_folded: bool = True, pattern: re.Pattern[str] | None = None) -> None:
        self._is_folded = is_folded
        self._pattern = pattern

    def of(self, block: Block | ToolCall, budget: Budget, *, is_prose: bool = False) -> Iterator[RenderableType]:
        """Give what a block looks like; prose is Markdown."""
        match block:
            case TextBlock() if is_prose:
                yield from self._prose(block.text, budget)
            case TextBlock():
                yield from self._text(block.text, budget)
            case ReasoningBlock():
                yield from self._reasoning(block, budget.width)
            case MediaBlock():
                yield Wrapped(f"▣ {media_line(block)}", style="magenta")
                if block.source in ("text", "blocks"):
                    yield from self._text(block.data, budget)
            case RefusalBlock():
                yield Text("refused", style="bold red")
                yield from self._text(block.text, budget)
            case ToolResultBlock():
                yield from self._text(block.json, budget)
            case OpaqueBlock():
                yield Wrapped(f"▢ {harmless(block.native_type) or 'unknown block'}", style="dim")
                yield from self._text(block.json, Budget(OPAQUE_ROWS, budget.width))
            case ToolCall():
                yield from self.call(block, budget.width)

    def call(self, call: ToolCall, width: int) -> list[Text]:
        """Give the lines of a call: its name, its arguments in colour, and what is wrong with them."""
        laid = lay_out(call, width)
        lines = [coloured(line.text) if line.is_json else Text(line.text) for line in laid.lines]
        lines[0].stylize("call.name", 0, len(lines[0].plain.partition("(")[0]))
        kept = self._fold("\n".join(line.text for line in laid.lines), CALL_ROWS, width)
        if kept.note:
            lines = lines[: kept.text.count("\n") + 1]
            if kept.characters:
                lines[-1] = lines[-1][: len(kept.text.rpartition("\n")[2])]
            lines.append(_note(kept.note))
        for line in lines:
            self._mark(line)
        if laid.is_broken:
            lines.append(Text("arguments are no JSON object", style="bold red"))
        if call.kind != "function":
            lines[0].append(f"  {call.kind}", style="dim")
        return lines

    def aside(self, text: str, width: int) -> RenderableType:
        """Give something that nobody said, as far as it fits a few rows."""
        return Wrapped(self._fold(text, OPAQUE_ROWS, width).text, style="dim")

    def _prose(self, text: str, budget: Budget) -> Iterator[RenderableType]:
        from lighter_cli.showing.markdown import NARROWEST, Prose  # noqa: PLC0415 - pygments and markdown-it are heavy

        is_searched = self._pattern is not None and self._pattern.search(text) is not None
        if not text.strip() or budget.width < NARROWEST or is_searched or pretty(text, budget.width) is not None:
            yield from self._text(text, budget)
            return
        folded = self._fold(text, budget.rows, budget.width)
        yield Prose(folded.text)
        yield from _noted(folded)

    def _text(self, text: str, budget: Budget) -> Iterator[RenderableType]:
        """Give plain text, or JSON laid out and coloured."""
        if not text.strip():
            yield _note("(blank)")
            return
        laid = pretty(text, budget.width)
        folded = self._fold(text if laid is None else laid, budget.rows, budget.width)
        if folded.note_before:
            yield _note(folded.note_before)
        yield self._mark(Wrapped(folded.text) if laid is None else hanging(coloured(folded.text)))
        yield from _noted(folded)

    def _reasoning(self, block: ReasoningBlock, width: int) -> Iterator[RenderableType]:
        told = Wrapped("reasoning", style="dim bold")
        folded = self._fold(block.text, REASONING_ROWS, width - 2)
        for opaque in block.opaque if not block.text else ():
            told.append(f" ({opaque_line(opaque)})", style="dim not bold")
        if block.text:
            told.append("  ").append(self._mark(Text(folded.text, style="dim italic not bold")))
        bar = Text("┊ ", style="dim")
        yield Hanging(told, bar, bar)
        if folded.note:
            yield Hanging(_note(folded.note), bar, bar)

    def _fold(self, text: str, rows: int, width: int) -> Folded:
        return fold(text, rows, width, self._pattern) if self._is_folded else unfolded(text)

    def _mark(self, text: Text) -> Text:
        if self._pattern is not None:
            for match in self._pattern.finditer(text.plain):
                text.stylize(MARK, *match.span())
        return text


def _note(told: str) -> Text:
    return Wrapped(told, style="dim")


def _noted(folded: Folded) -> Iterator[RenderableType]:
    if folded.note:
        yield _note(folded.note)
