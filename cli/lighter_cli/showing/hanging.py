"""A renderable that hangs behind a prefix: one for its first row, another for the rows that follow."""

from collections.abc import Iterable, Iterator

from rich.console import Console, ConsoleOptions, RenderableType, RenderResult
from rich.segment import Segment
from rich.text import Text


class Hanging:
    """Something in the column right of a prefix; both prefixes are equally wide."""

    def __init__(self, body: RenderableType, first: Text, following: Text) -> None:
        self.body = body
        self.first = first
        self.following = following

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        """Render the rows of the body, each behind its prefix."""
        room = options.update(width=max(options.max_width - self.first.cell_len, 1), height=None)
        first, following = (list(prefix.render(console, end="")) for prefix in (self.first, self.following))
        bare = list(_without_end(self.following).render(console, end=""))
        line = Segment.line()
        for at, row in enumerate(without_padding(console.render_lines(self.body, room, pad=False))):
            yield from (first if not at else following if row else bare)
            yield from row
            yield line


def _without_end(text: Text) -> Text:
    bare = text.copy()
    bare.rstrip()
    return bare


def without_padding(lines: Iterable[list[Segment]]) -> Iterator[list[Segment]]:
    """Take the blanks off the ends of rendered lines, and empty lines off both ends."""
    waiting: list[list[Segment]] = []
    is_started = False
    for line in lines:
        kept = list(line)
        while kept and not kept[-1].text.strip():
            kept.pop()
        if not kept:
            waiting.append([])
            continue
        yield from waiting if is_started else ()
        waiting.clear()
        is_started = True
        yield [*kept[:-1], kept[-1]._replace(text=kept[-1].text.rstrip())]
