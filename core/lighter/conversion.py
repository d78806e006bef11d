"""Converting: conversations of one format as records of another, with every loss named; the same format is copied."""

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, BinaryIO

from msgspec import Struct
from msgspec.structs import replace

from lighter import jsontext
from lighter.conversation import Conversation, Layout
from lighter.diagnostics import Diagnostic
from lighter.errors import CannotHold, NotRecognised
from lighter.files import whole_file
from lighter.formats import Written, get
from lighter.losses import Loss
from lighter.objects import parse_all
from lighter.providers import TARGETS
from lighter.reading import Reading, not_recognised
from lighter.records import LineFault, Record


class Conversion(Struct, frozen=True):
    """What `convert` gives: the written record, and what could not be carried unchanged.

    `value` is the record that `--layout conversations` writes, or a list of them for a file or several conversations.
    `refusals` are the errors for which the target would refuse it; their places are those in `value`.
    """

    value: Any
    losses: tuple[Loss, ...]
    refusals: tuple[Diagnostic, ...] = ()


class Piece(Struct, frozen=True):
    """What one conversation, or one record that could not be read, becomes: output records as JSON, and losses.

    `value` is the written record, None for a copy or where nothing is written; `refusals` are the errors for which the
    target would refuse it, at their places in `value`.
    """

    records: tuple[bytes, ...]
    losses: tuple[Loss, ...]
    value: Any = None
    is_lost: bool = False
    refusals: tuple[Diagnostic, ...] = ()


class ConvertOptions(Struct, frozen=True):
    """What to convert to, from what (None: detect), and in which layout (None: as design of the formats suggests)."""

    to: str
    format: str | None = None
    layout: Layout | None = None


def convert(obj: Any, to: str, format: str | None = None) -> Conversion:
    """Convert an object (lists, dicts, SDK objects, core messages) or a file (`str`, `Path`) to a format.

    Raises UnknownFormat, NotRecognised, CannotHold, and UnreadableInput for files.
    """
    found = parse_all(obj, format)
    written = [write(conversation, to) for conversation in found]
    losses = tuple(loss for item in written for loss in item.losses)
    values = [item.value for item in written]
    refusals = tuple(refusal for value in values for refusal in refusals_of(value, get(to).NAME))
    is_single = len(values) == 1 and not isinstance(obj, str | Path)
    return Conversion(values[0] if is_single else values, losses, refusals)


def refusals_of(value: Any, name: str) -> list[Diagnostic]:
    """List the errors for which the provider of a format would refuse a request body; none for formats without one."""
    if name not in TARGETS:
        return []
    from lighter.linting import lint  # noqa: PLC0415 - rules are loaded only when there is something to judge

    return [found for found in lint(value, name, "request", name) if found.severity == "error"]


def write(conversation: Conversation, to: str) -> Written:
    """Write one conversation in a format's own form; its own format gives its record back where it is a whole one."""
    target = get(to)
    if conversation.format == target.NAME and conversation.layout != "messages" and len(conversation.records) == 1:
        try:
            return Written(jsontext.value_at(conversation.records[0].value, _whole(conversation)), ())
        except LookupError:
            pass
    return target.write(conversation)


def _whole(conversation: Conversation) -> str:
    """Point at the conversation's own value inside its record: the record itself unless it holds several."""
    return conversation.place


def convert_stream(stream: BinaryIO, filename: str, options: ConvertOptions) -> Iterator[Piece]:
    """Convert a stream, one piece a conversation, in the order of the input.

    Raises UnknownFormat and NotRecognised before the first piece, CannotHold when the layout cannot hold a conversation.
    """
    target = get(options.to)
    reading = Reading(stream, filename=filename, format=options.format, is_joined=True)
    if reading.format is None:
        raise NotRecognised(not_recognised(filename, reading.detection))
    is_copy = reading.format == target.NAME and options.layout is None
    pieces = _copies(reading) if is_copy else _pieces(reading, options)
    return (replace(piece, losses=tuple(replace(loss, filename=filename) for loss in piece.losses)) for piece in pieces)


def _copies(reading: Reading) -> Iterator[Piece]:
    """Copy every record as it stands, those that are not understood included."""
    for item in reading.items():
        match item:
            case Record():
                yield Piece((item.data.strip(),), ())
            case LineFault(is_unreadable=True):
                yield _lost(item.row, item.kind, item.message)
            case _:
                pass


def _lost(row: int, feature: str, detail: str) -> Piece:
    return Piece((), (Loss(row, "", feature, "dropped", detail),), is_lost=True)


def _pieces(reading: Reading, options: ConvertOptions) -> Iterator[Piece]:
    for item in reading.conversations():
        match item:
            case Conversation():
                yield _piece(item, options)
            case Record():
                yield _lost(item.row, "not-a-conversation", "the record holds no conversation")
            case LineFault(is_unreadable=True):
                yield _lost(item.row, item.kind, item.message)
            case _:
                pass


def _piece(conversation: Conversation, options: ConvertOptions) -> Piece:
    target = get(options.to)
    written = target.write(conversation)
    holds_messages_only = isinstance(written.value, dict) and written.value.keys() == {"messages"}
    layout = options.layout
    if layout is None:
        is_log = conversation.layout == "messages" and target.KEEPS_SYSTEM_IN_LIST and holds_messages_only
        layout = "messages" if is_log else "conversations"
    if layout == "messages":
        if not holds_messages_only:
            more = ", ".join(sorted(written.value.keys() - {"messages"}))
            raise CannotHold(f"one message a line cannot hold {more} of the conversation at row {conversation.row}")
        records = tuple(map(jsontext.encode, written.value["messages"]))
    else:
        records = (jsontext.encode(written.value),)
    return Piece(records, written.losses, written.value, refusals=tuple(refusals_of(written.value, target.NAME)))


def dump(
    found: Conversation | Iterable[Conversation],
    target: str | Path | BinaryIO,
    format: str = "lighter",
    layout: Layout | None = None,
) -> list[Loss]:
    """Write conversations to a file (whole or not at all) or a binary stream; gives the losses.

    Raises UnknownFormat, CannotHold, UnreadableInput when the file cannot be written.
    """
    listed = [found] if isinstance(found, Conversation) else list(found)
    options = ConvertOptions(format, layout=layout)
    pieces = [_piece(conversation, options) for conversation in listed]
    if isinstance(target, str | Path):
        with whole_file(Path(target)) as stream:
            write_pieces(pieces, stream, layout)
    else:
        write_pieces(pieces, target, layout)
    return [loss for piece in pieces for loss in piece.losses]


def write_pieces(pieces: Iterable[Piece], stream: BinaryIO, layout: Layout | None) -> None:
    """Write pieces a record a line, or as one JSON array."""
    if layout != "array":
        for piece in pieces:
            stream.writelines(record + b"\n" for record in piece.records)
        return
    separator = b"["
    for piece in pieces:
        for record in piece.records:
            stream.write(separator + record)
            separator = b",\n"
    stream.write(b"]\n" if separator != b"[" else b"[]\n")
