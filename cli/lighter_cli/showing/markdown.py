"""Markdown as a model writes it, on a terminal: nothing in it is dropped, linked or fetched, and line breaks stay."""

from collections.abc import Iterable, Iterator
from typing import ClassVar

from markdown_it import MarkdownIt
from markdown_it.token import Token
from rich import box
from rich.console import Console, ConsoleOptions, RenderResult
from rich.markdown import (
    CodeBlock,
    Heading,
    HorizontalRule,
    Markdown,
    MarkdownContext,
    MarkdownElement,
    Paragraph,
    TableElement,
)
from rich.syntax import Syntax
from rich.table import Table
from rich.text import Text

from lighter.excerpt import harmless
from lighter_cli.showing.wrapping import Wrapped

NARROWEST = 30
"""Cells below which lists and quotes inside one another have no room left, so that Markdown stays as it was written."""

_PARSER = MarkdownIt("commonmark", {"html": False, "maxNesting": 8}).enable("strikethrough").enable("table")


class _Paragraph(Paragraph):
    """A paragraph that wraps in every script."""

    def on_enter(self, context: MarkdownContext) -> None:
        super().on_enter(context)
        self.text = Wrapped()


class _Heading(Heading):
    """A heading at the left, where reading starts."""

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        yield self.text


class _Code(CodeBlock):
    """Code in the terminal's own colours, on its own background."""

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        code = self.text.plain.rstrip("\n")
        yield Syntax(
            code, self.lexer_name, theme="ansi_dark", word_wrap=True, padding=(0, 2), background_color="default"
        )


class _Rule(HorizontalRule):
    """A short line: a full one would look like the end of the message."""

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        yield Text("────", style="dim")


class _Table(TableElement):
    """A table whose cells wrap instead of being cut."""

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        table = Table(box=box.SIMPLE_HEAD, pad_edge=False, border_style="dim", show_edge=False)
        if self.header is not None and self.header.row is not None:
            for cell in self.header.row.cells:
                table.add_column(cell.content, overflow="fold", justify=cell.content.justify or "default")
        for row in self.body.rows if self.body is not None else ():
            table.add_row(*(cell.content for cell in row.cells))
        yield table


class Prose(Markdown):
    """Markdown of a transcript; the text needs not be harmless yet."""

    elements: ClassVar[dict[str, type[MarkdownElement]]] = {
        **Markdown.elements,
        "paragraph_open": _Paragraph,
        "heading_open": _Heading,
        "fence": _Code,
        "code_block": _Code,
        "hr": _Rule,
        "table_open": _Table,
    }

    def __init__(self, text: str) -> None:
        super().__init__("", hyperlinks=False)
        self.markup = text
        self.parsed = list(_plain(_PARSER.parse(harmless(text, is_multiline=True))))


def _plain(tokens: Iterable[Token]) -> Iterator[Token]:
    """Turn what Rich would drop, join or link into text, and make harmless what entities (`&#x202e;`) stood for."""
    links: list[str] = []
    said = ""
    for token in tokens:
        match token.type:
            case "softbreak":
                token.type = "hardbreak"
            case "image":
                yield _text(f"![{token.content}]({token.attrs.get('src', '')})")
                continue
            case "link_open":
                links.append(str(token.attrs.get("href", "")))
                said = ""
                continue
            case "link_close":
                href = links.pop() if links else ""
                if href not in ("", said, f"mailto:{said}"):
                    yield _text(f" ({href})")
                continue
            case _:
                said += token.content
        if token.children:
            token.children = list(_plain(token.children))
        token.content = harmless(token.content, is_multiline=True)
        yield token


def _text(content: str) -> Token:
    token = Token("text", "", 0)
    token.content = harmless(content, is_multiline=True)
    return token
