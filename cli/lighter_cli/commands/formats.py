"""`lighter formats`: lists the formats that lighter reads and writes, and says what a file was taken for and why."""

import sys
from collections.abc import Iterator, Mapping, Sequence
from typing import Annotated, Any, Literal

import typer

from lighter import formats as known
from lighter.conversation import Layout
from lighter.detection import Detection
from lighter.errors import UnreadableInput
from lighter.excerpt import harmless
from lighter.inputs import Input, expand, open_input
from lighter.jsontext import encode_text
from lighter.reading import Reading
from lighter_cli import exits
from lighter_cli.output.json import text_of
from lighter_cli.terminal import Screen, complain, screen_of

EXAMPLES = ("lighter formats", "lighter formats --explain conversation.jsonl")
LAYOUT_NAMES: Mapping[Layout, str] = {
    "messages": "one message a line",
    "conversations": "one conversation a record",
    "array": "an array of conversations",
}


def formats(
    explain: Annotated[
        str | None, typer.Option(metavar="FILE", help="Say what a file is taken for, and why; - is standard input.")
    ] = None,
    output_format: Annotated[Literal["text", "json"], typer.Option(help="How to print.")] = "text",
) -> int:
    """List the formats, or explain what a file is taken for."""
    screen = screen_of(sys.stdout)
    if explain is not None:
        return _explain(explain, output_format, screen)
    rows = [
        {
            "name": name,
            "title": known.get(name).TITLE,
            "aliases": list(known.get(name).ALIASES),
            "read_only": name not in known.writable(),
        }
        for name in known.names()
    ]
    if output_format == "json":
        sys.stdout.write(encode_text(rows) + "\n")
    else:
        sys.stdout.writelines(_listing(rows, screen))
    return exits.OK


def _listing(rows: Sequence[dict[str, Any]], screen: Screen) -> Iterator[str]:
    widest = max(len(row["name"]) for row in rows)
    for row in rows:
        also = f" (also {', '.join(row['aliases'])})" if row["aliases"] else ""
        only = ", only read" if row["read_only"] else ""
        yield f"{screen.paint(row['name'].ljust(widest), 'bold')}  {row['title']}{also}{only}\n"
    yield "\nEach is read and, unless it says otherwise, written. `lighter formats --explain FILE` says what a file is taken for, and why.\n"


def _explain(word: str, output_format: str, screen: Screen) -> int:
    inputs, errors = expand([word])
    is_told = False
    for item in inputs:
        try:
            reading = _begun(item)
        except UnreadableInput as error:
            errors.append(error)
            continue
        is_told = True
        if output_format == "json":
            sys.stdout.write(text_of({"filename": item.name, **_fields_of(reading.detection)}) + "\n")
        else:
            sys.stdout.writelines(_explanation(item.name, reading, screen))
    for problem in errors:
        complain(str(problem))
    if is_told and output_format == "text":
        sys.stdout.write(
            "Numbers weigh the evidence; --from FORMAT overrides it, `lighter formats` lists the formats.\n"
        )
    return exits.FAILED if errors else exits.OK


def _begun(item: Input) -> Reading:
    """Read the beginning of a file, by which its format is told."""
    with open_input(item) as stream:
        return Reading(stream, filename=item.name)


def _fields_of(found: Detection) -> dict[str, Any]:
    evidence = [{"format": e.format, "weight": e.weight, "reason": e.reason, "row": e.row} for e in found.evidence]
    return {
        "format": found.format,
        "layout": found.layout,
        "foreign": found.foreign,
        "stream": found.stream,
        "evidence": evidence,
    }


def _explanation(name: str, reading: Reading, screen: Screen) -> Iterator[str]:
    found = reading.detection
    verdict = (
        _verdict(found) if reading.holds_values else "nothing to recognise, it holds no JSON value that can be read"
    )
    yield f"{harmless(name)}: {screen.paint(verdict, 'bold')}\n"
    evidence = [item for item in found.evidence if item.weight]
    widest = max((len(item.format) for item in evidence), default=0)
    digits = max((len(str(item.row)) for item in evidence), default=0)
    for item in evidence:
        yield f"  row {item.row:>{digits}}  {item.format:<{widest}}  {item.weight:>2}  {harmless(item.reason)}\n"
    if found.others:
        yield f"  some records look like {', '.join(found.others)}: the formats are mixed\n"


def _verdict(found: Detection) -> str:
    if found.stream:
        return f"{found.format}, streamed answers in pieces, which are joined"
    if found.format:
        return f"{found.format}, {LAYOUT_NAMES[found.layout or 'conversations']}"
    if found.foreign:
        return f"{found.foreign}, which lighter does not read yet"
    return "not recognised"
