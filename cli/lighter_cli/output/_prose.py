"""Paragraphs of a rule's page fitted to the screen; lists stay as they are, and examples lose their fences."""

from collections.abc import Iterator, Sequence

from lighter_cli.output._cells import wrap

WIDEST = 100
"""Cells that a line of prose takes at most: longer ones are hard to read."""


def prose(text: str, width: int) -> Iterator[str]:
    """Yield the lines of a section, its paragraphs fitted to a width, with an empty line between two of them."""
    for number, paragraph in enumerate(text.split("\n\n")):
        if number:
            yield ""
        lines = paragraph.strip("\n").split("\n")
        is_list = any(line.startswith((" ", "-", "*")) for line in lines)
        yield from lines if is_list else wrap(" ".join(lines), width)


def example(text: str) -> Iterator[str]:
    """Yield the lines of a section with examples: what Markdown puts between fences is indented, the fences left out."""
    yield from _without_fences(text.split("\n"))


def _without_fences(lines: Sequence[str]) -> Iterator[str]:
    indent = ""
    for line in lines:
        if line.startswith("```"):
            indent = "" if indent else "  "
        else:
            yield indent + line
