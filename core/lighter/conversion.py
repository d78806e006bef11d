"""Converting: conversations of one format as records of another, with every loss named; the same format is copied."""

import io
import re
from collections.abc import Iterable, Iterator
from functools import cache
from io import TextIOBase
from pathlib import Path
from typing import Any, BinaryIO

from msgspec import Struct
from msgspec.structs import replace

from lighter import jsontext
from lighter.conversation import LAYOUTS, Conversation, Layout
from lighter.diagnostics import Diagnostic
from lighter.envelope import open_value
from lighter.errors import CannotHold, NotRecognised, UnknownName
from lighter.files import bytes_into, whole_file
from lighter.formats import Written, get
from lighter.losses import Loss
from lighter.objects import parse_all
from lighter.providers import TARGETS
from lighter.reading import Reading, not_recognised
from lighter.records import LineFault, Record
from lighter.repeated import repeated_keys
from lighter.rule import Aim
from lighter.screen import Screen, is_sound

_HALF = re.compile(rb"\\u[dD][89a-fA-F]")


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
    screen = _refusal_screen(name)
    if screen is not None and screen.count_of_body(value, [], may_pend=False) >= 0:
        return []
    from lighter.linting import lint  # noqa: PLC0415 - rules are loaded only when there is something to judge

    return [found for found in lint(value, name, "request", name) if found.severity == "error"]


@cache
def _refusal_screen(name: str) -> Screen | None:
    """Give the screen of a target's requests; it looks for no texts, since what rules find in texts is no error."""
    from lighter.aiming import screen_for  # noqa: PLC0415 - as above

    wire_format = TARGETS[name].format
    return screen_for(Aim(name, "request", wire_format), wire_format, ()) if wire_format else None


def write(conversation: Conversation, to: str) -> Written:
    """Write one conversation in a format's own form; its own format gives its record back where it is a whole one."""
    target = get(to)
    if conversation.format == target.NAME and conversation.layout != "messages" and len(conversation.records) == 1:
        try:
            return Written(jsontext.value_at(conversation.records[0].value, conversation.place), ())
        except LookupError:
            pass
    return target.write(conversation)


def convert_stream(stream: BinaryIO, filename: str, options: ConvertOptions) -> Iterator[Piece]:
    """Convert a stream, one piece a conversation, in the order of the input.

    Raises UnknownFormat and NotRecognised before the first piece, CannotHold when the layout cannot hold the conversations.
    """
    target = get(options.to)
    reading = Reading(stream, filename=filename, format=options.format, is_joined=True)
    is_foreign_stream = reading.is_stream and reading.format != target.NAME
    if is_foreign_stream or (reading.format is None and reading.holds_values):
        raise NotRecognised(not_recognised(filename, reading.detection))
    is_copy = reading.format in (target.NAME, None) and options.layout is None and not reading.is_mixed
    pieces = _copies(reading) if is_copy else _pieces(reading, options)
    return (replace(piece, losses=tuple(replace(loss, filename=filename) for loss in piece.losses)) for piece in pieces)


_MENDED = ("invalid-utf8", "nonfinite-number")
"""Faults of lines that are read after a change of what they say."""


def _copies(reading: Reading) -> Iterator[Piece]:
    """Copy every record as it stands, those that are not understood included."""
    for item in reading.items():
        match item:
            case Record():
                yield Piece((item.data.strip(),), ())
            case LineFault():
                yield from _faulty(item)


def _faulty(fault: LineFault) -> Iterator[Piece]:
    """Tell what is lost with a line that could not be read, or not as it stands."""
    if fault.is_unreadable:
        yield _lost(fault.row, fault.kind, fault.message)
    elif fault.kind in _MENDED:
        yield Piece((), (Loss(fault.row, fault.path, fault.kind, "rewritten", fault.message),))


def _lost(row: int, feature: str, detail: str) -> Piece:
    return Piece((), (Loss(row, "", feature, "dropped", detail),), is_lost=True)


def _pieces(reading: Reading, options: ConvertOptions) -> Iterator[Piece]:
    count = strangers = 0
    for item in reading.conversations():
        match item:
            case Conversation():
                count += 1
                if options.layout == "messages" and count > 1:
                    raise CannotHold(f"one message a line cannot hold a second conversation (at row {item.row})")
                yield _piece(item, options, is_alone=not reading.has_sessions)
            case Record():
                strangers += 1
                loss = Loss(item.row, "", "not-a-conversation", "dropped", "the record holds no conversation")
                is_chunk = (
                    open_value(item.value).kind == "chunk"
                )  # else a header line or the like: named, but no failure
                yield Piece((), (loss,), is_lost=is_chunk)
            case LineFault():
                yield from _faulty(item)
    if strangers and not count:
        raise NotRecognised(not_recognised(reading.filename or "<stream>", reading.detection))


def _piece(conversation: Conversation, options: ConvertOptions, *, is_alone: bool = True) -> Piece:
    """Write one conversation; `is_alone`: no other one of the output would run into its messages."""
    target = get(options.to)
    if conversation.format == target.NAME and options.layout is None and _is_record(conversation):
        return Piece((conversation.records[0].data.strip(),), ())
    try:
        written = target.write(conversation)
        body = jsontext.encode(written.value)
        refusals = (*refusals_of(written.value, target.NAME), *_surrogates(body, target.NAME))
    except (RecursionError, CannotHold):
        return _lost(conversation.row, "deep-nesting", "nested too deeply to be written")
    holds_messages_only = isinstance(written.value, dict) and written.value.keys() == {"messages"}
    layout = options.layout
    if layout is None:
        is_log = conversation.layout == "messages" and is_alone and target.KEEPS_SYSTEM_IN_LIST and holds_messages_only
        layout = "messages" if is_log else "conversations"
    if layout == "messages" and not holds_messages_only:
        more = ", ".join(sorted(written.value.keys() - {"messages"}))
        raise CannotHold(f"one message a line cannot hold {more} of the conversation at row {conversation.row}")
    records = tuple(map(jsontext.encode, written.value["messages"])) if layout == "messages" else (body,)
    losses = (*written.losses, *_repeated(conversation))
    return Piece(records, losses, written.value, refusals=refusals)


def _is_record(conversation: Conversation) -> bool:
    """Say whether a conversation is the whole of one record."""
    return conversation.layout != "messages" and len(conversation.records) == 1 and not conversation.place


def _repeated(conversation: Conversation) -> Iterator[Loss]:
    """Name the values that are lost because their key occurs again in the same object."""
    for record in conversation.records:
        if is_sound(record.value, record.data):
            continue
        for path in repeated_keys(record.data, record.value):
            yield Loss(record.row, path, "repeated-key", "dropped", "the key occurs again, and the last value counts")


def _surrogates(body: bytes, name: str) -> Iterator[Diagnostic]:
    """Report half characters, which no provider takes."""
    if name in TARGETS and b"\\u" in body and _HALF.search(body):
        from lighter.linting import LintOptions, lint_stream  # noqa: PLC0415 - hardly ever needed

        report = lint_stream(io.BytesIO(body), "", LintOptions(name, "request", name, select=("lone-surrogate",)))
        yield from report.diagnostics


def dump(
    found: Conversation | Iterable[Conversation],
    target: str | Path | BinaryIO | TextIOBase,
    format: str = "lighter",
    layout: Layout | None = None,
) -> list[Loss]:
    """Write conversations to a file (whole or not at all) or to a stream of bytes or text; gives the losses.

    Raises UnknownFormat, UnknownName for a layout, CannotHold, UnreadableInput when the file cannot be written.
    """
    if layout not in (None, *LAYOUTS):
        raise UnknownName("layout", str(layout), LAYOUTS)
    listed = [found] if isinstance(found, Conversation) else list(found)
    options = ConvertOptions(format, layout=layout)
    pieces = [_piece(conversation, options) for conversation in listed]
    if isinstance(target, str | Path):
        with whole_file(Path(target)) as stream:
            write_pieces(pieces, stream, layout)
    else:
        write_pieces(pieces, bytes_into(target), layout)
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
