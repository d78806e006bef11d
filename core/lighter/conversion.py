"""Converting: conversations of one format as records of another, with every loss named; the same format is copied."""

import io
import re
from collections.abc import Collection, Iterable, Iterator
from functools import cache
from io import TextIOBase
from itertools import chain
from pathlib import Path
from typing import Any, BinaryIO

from msgspec import Struct
from msgspec.structs import replace

from lighter import jsontext
from lighter.batches import losses_at_failure
from lighter.conversation import Conversation, Layout, layout_named
from lighter.diagnostics import Diagnostic
from lighter.displaced import displaced
from lighter.envelope import looks_like_message, open_value
from lighter.errors import CannotHold, NotRecognised
from lighter.files import bytes_into, whole_file
from lighter.formats import Format, Straight, Written, get, is_read_only, trait
from lighter.history import CARRIED_OUT
from lighter.live import live_losses
from lighter.losses import Loss
from lighter.objects import parse_all
from lighter.pieces import losses_at_home
from lighter.policies import DEFAULTS, Policies, apply, policies_of
from lighter.policies.tools import without_lost_choice
from lighter.providers import TARGETS
from lighter.reading import Reading, not_recognised
from lighter.records import LineFault, Record
from lighter.repeated import repeated_keys
from lighter.rule import Aim
from lighter.screen import Screen, is_sound
from lighter.streams import Streamed, pieces_of

OBJECTS = "langchain-objects"
"""What the library is asked for to give message objects of langchain-core; no format, since no file holds them."""

_HALF = re.compile(rb"\\u[dD][89a-fA-F]")
"""The escape of half a character."""

_MENDED = ("invalid-utf8", "nonfinite-number")
"""Faults of lines that are read after a change of what they say."""


class Conversion(Struct, frozen=True):
    """What `convert` gives: the written record, and what could not be carried unchanged.

    `value` is the record that `--layout conversations` writes, or a list of them for a file or several conversations.
    `refusals` are the errors for which the target would refuse it; their places are those in `value`.
    """

    value: Any
    losses: tuple[Loss, ...]
    refusals: tuple[Diagnostic, ...] = ()


class Converted(Struct, frozen=True):
    """What one conversation, or one record that could not be read, becomes: output records as JSON, and losses.

    `value` is the written value, where one was made; `is_copy`: the records stand as they were found. `refusals` are the errors
    for which the target would refuse it, at their places in `value`, or in the file for copies.
    """

    records: tuple[bytes, ...]
    losses: tuple[Loss, ...]
    value: Any = None
    is_lost: bool = False
    is_copy: bool = False
    refusals: tuple[Diagnostic, ...] = ()


class ConvertOptions(Struct, frozen=True):
    """What to convert to, from what (None: detect), and in which layout.

    Without a layout a log with one message a line stays one where the target can hold it so; all else becomes a record for
    each conversation.
    """

    to: str
    format: str | None = None
    layout: Layout | None = None
    policies: Policies = DEFAULTS


def convert(obj: Any, to: str, format: str | None = None, **policies: str) -> Conversion:
    """Convert an object (lists, dicts, SDK objects, LangChain or core messages) or a file (`str`, `Path`) to a format.

    `to="langchain-objects"` gives a list of langchain-core's own messages. `policies` are the choices of `lighter.policies` by
    name: `reasoning="text"`, `missing_results="placeholder"` …
    Raises UnknownFormat, UnknownName for a choice, NotRecognised, CannotHold, UnreadableInput for files, and LighterError where
    langchain-core is needed and not installed.
    """
    chosen = policies_of(policies)
    if to == OBJECTS:
        return _as_objects(obj, format, chosen)
    found = parse_all(obj, format)
    written = [write(conversation, to, chosen) for conversation in found]
    losses = tuple(loss for item in written for loss in item.losses)
    values = [item.value for item in written]
    name = get(to).NAME
    refusals = tuple(refusal for value in values for refusal in refusals_of(value, jsontext.encode(value), name))
    is_single = len(values) == 1 and not isinstance(obj, str | Path)
    return Conversion(values[0] if is_single else values, losses, refusals)


def _as_objects(obj: Any, format: str | None, policies: Policies) -> Conversion:
    """Convert to message objects: a list of them, or a list of lists for a file or several conversations."""
    from lighter.langchain_objects import written  # noqa: PLC0415 - few ask for objects

    found = [written(conversation, policies) for conversation in parse_all(obj, format)]
    losses = tuple(loss for item in found for loss in item.losses)
    is_single = len(found) == 1 and not isinstance(obj, str | Path)
    return Conversion(found[0].value if is_single else [item.value for item in found], losses)


def refusals_of(value: Any, body: bytes, name: str) -> list[Diagnostic]:
    """List the errors for which the provider of a format would refuse a request; none for formats without one.

    `body` is the JSON text of `value`; half characters are found there alone.
    """
    if name not in TARGETS:
        return []
    screen = _refusal_screen(name)
    is_ordinary = screen is not None and screen.count_of_body(value, [], may_pend=False) >= 0
    if is_ordinary and not (b"\\u" in body and _HALF.search(body)):
        return []
    from lighter.linting import LintOptions, lint_stream  # noqa: PLC0415 - loaded only when there is something to judge

    report = lint_stream(io.BytesIO(body), "", LintOptions(name, "request", name))
    return [diagnostic for diagnostic in report.diagnostics if diagnostic.severity == "error"]


@cache
def _refusal_screen(name: str) -> Screen | None:
    """Give the screen of a target's requests; it looks for no texts, since what rules find in texts is no error."""
    from lighter.aiming import screen_for  # noqa: PLC0415 - as above

    wire_format = TARGETS[name].format
    return screen_for(Aim(name, "request", wire_format), wire_format, (), only_errors=True) if wire_format else None


def write(conversation: Conversation, to: str, policies: Policies = DEFAULTS) -> Written:
    """Write one conversation in a format's own form; its own format gives its record back where it is a whole one."""
    target = get(to)
    is_whole = conversation.layout != "messages" and len(conversation.records) == 1
    if policies == DEFAULTS and conversation.format == target.NAME and is_whole:
        try:
            value = jsontext.value_at(conversation.records[0].value, conversation.place)
            if not (isinstance(value, list) and all(map(looks_like_message, value))):  # such a list becomes a body
                losses = losses_at_home(conversation, ())
                return Written(value, (*losses, *live_losses(conversation, losses)))
        except LookupError:
            pass
    written = _written(conversation, target, policies)
    losses = losses_at_home(conversation, written.losses)
    return Written(written.value, (*losses, *live_losses(conversation, losses)), written.places)


def convert_stream(stream: BinaryIO, filename: str, options: ConvertOptions) -> Iterator[Converted]:
    """Convert a stream, one piece a conversation, in the order of the input.

    Raises UnknownFormat and NotRecognised before the first piece, CannotHold when the layout cannot hold the conversations.
    """
    target = get(options.to)
    start = stream.tell() if stream.seekable() else None
    reading = Reading(stream, filename=filename, format=options.format, is_joined=True)
    if reading.holds_values and (reading.format is None or not reading.holds_conversations):
        raise NotRecognised(not_recognised(filename, reading.detection))
    is_free = options.layout is None and options.policies == DEFAULTS
    is_joined = reading.is_stream and not is_read_only(target)
    is_copy = reading.format in (target.NAME, None) and is_free and not (reading.is_mixed or is_joined)
    if not is_copy:
        _check_writable(target)
    may_hurry = not (is_copy or reading.is_mixed or reading.is_stream) and options.policies == DEFAULTS
    if may_hurry and reading.layout == "conversations" and options.layout != "messages":
        shortcut = trait(options.to, "shortcut", otherwise=_no_shortcut)(reading.format)
        if shortcut is not None:
            reading.use(shortcut)
    lost: set[tuple[int, str]] = set()
    pieces = (
        chain(_copies(reading, lost), _refused(stream, start, filename, target.NAME, lost))
        if is_copy
        else _pieces(reading, options)
    )
    return (_named(piece, filename) if piece.losses else piece for piece in pieces)


def _check_writable(target: Format) -> None:
    if is_read_only(target):
        raise CannotHold(f"{target.NAME} is only read, and nothing else can be written as it")


def _named(piece: Converted, filename: str) -> Converted:
    return replace(piece, losses=tuple([replace(loss, filename=filename) for loss in piece.losses]))


def _no_shortcut(_source: str) -> None:
    return None


def _copies(reading: Reading, lost: set[tuple[int, str]]) -> Iterator[Converted]:
    """Copy every record as it stands, those that are not understood included; add the faults of lines that are not in the copy to `lost`."""
    for item in reading.items():
        match item:
            case Record():
                yield Converted(tuple(piece.data.strip() for piece in pieces_of(item)), (), is_copy=True)
            case LineFault() if item.kind != "nonfinite-number":  # such a number is copied as it stands
                lost |= {(item.row, item.kind)} if item.is_unreadable or item.kind == "glued-records" else set()
                yield from faulty(item)
            case LineFault():
                pass


def _refused(
    stream: BinaryIO, start: int | None, filename: str, name: str, lost: Collection[tuple[int, str]]
) -> Iterator[Converted]:
    """Tell for what the provider would refuse what was copied of a file, if it can be read again."""
    if name not in TARGETS or start is None:
        return
    from lighter.linting import LintOptions, lint_stream  # noqa: PLC0415 - as above

    stream.seek(start)
    report = lint_stream(stream, filename, LintOptions(name, "request", name))
    errors = (found for found in report.diagnostics if found.severity == "error")
    if refusals := tuple(found for found in errors if (found.location.row, found.name) not in lost):
        yield Converted((), (), refusals=refusals)


def faulty(fault: LineFault) -> Iterator[Converted]:
    """Tell what is lost with a line of a file that could not be read, or not as it stands."""
    if fault.is_unreadable:
        yield _lost(fault.row, fault.kind, fault.message)
    elif fault.kind in _MENDED:
        yield Converted((), (Loss(fault.row, fault.path, fault.kind, "rewritten", fault.message),))


def _lost(row: int, feature: str, detail: str) -> Converted:
    return Converted((), (Loss(row, "", feature, "dropped", detail),), is_lost=True)


def _pieces(reading: Reading, options: ConvertOptions) -> Iterator[Converted]:
    count = strangers = 0
    for item in reading.conversations():
        match item:
            case Record(value=Straight() as straight):
                count += 1
                losses = tuple([replace(loss, row=item.row) for loss in straight.losses])
                yield Converted((straight.data,), losses)
            case Conversation():
                count += 1
                if options.layout == "messages" and count > 1:
                    raise CannotHold(f"one message a line cannot hold a second conversation (at row {item.row})")
                yield _piece(item, options, is_alone=not reading.has_sessions)
            case Record():
                strangers += 1
                loss = Loss(item.row, "", "not-a-conversation", "dropped", "the record holds no conversation")
                is_chunk = open_value(item.value).kind == "chunk"
                yield Converted((), (loss,), is_lost=is_chunk)  # no failure else: it is a header line or the like
            case LineFault():
                yield from faulty(item)
    if strangers and not count:
        raise NotRecognised(not_recognised(reading.filename or "<stream>", reading.detection))


def _piece(conversation: Conversation, options: ConvertOptions, *, is_alone: bool = True) -> Converted:
    """Write one conversation; `is_alone`: no other one of the output would run into its messages."""
    target = get(options.to)
    is_free = options.layout is None and options.policies == DEFAULTS
    if conversation.format == target.NAME and is_free and _is_record(conversation):
        record = conversation.records[0]
        is_as_found = not isinstance(record, Streamed) or record.is_within
        losses = () if is_as_found else losses_at_home(conversation, ())
        return Converted((record.data.strip(),), (*losses, *live_losses(conversation, losses)), is_copy=True)
    _check_writable(target)
    try:
        written = _written(conversation, target, options.policies)
        body = jsontext.encode(written.value)
        refusals = tuple(refusals_of(written.value, body, target.NAME))
    except (RecursionError, CannotHold):
        return _lost(conversation.row, "deep-nesting", "nested too deeply to be written")
    key = trait(target.NAME, "MESSAGES_KEY", otherwise="messages")
    holds_messages_only = isinstance(written.value, dict) and written.value.keys() == {key}
    layout = options.layout
    if layout is None:
        is_log = conversation.layout == "messages" and is_alone and target.KEEPS_SYSTEM_IN_LIST and holds_messages_only
        layout = "messages" if is_log else "conversations"
    if layout == "messages" and not holds_messages_only:
        more = ", ".join(sorted(written.value.keys() - {key}))
        raise CannotHold(f"one message a line cannot hold {more} of the conversation at row {conversation.row}")
    records = tuple(map(jsontext.encode, written.value[key])) if layout == "messages" else (body,)
    losses = losses_at_home(conversation, (*written.losses, *_repeated(conversation)))
    losses = (*losses, *live_losses(conversation, losses))
    return Converted(records, losses, written.value, refusals=refusals)


def _written(conversation: Conversation, target: Format, policies: Policies) -> Written:
    """Write a conversation after the policies were applied, and name what its own edits took back."""
    changed, losses = (conversation, ()) if policies == DEFAULTS else apply(conversation, policies, target)
    written = target.write(changed)
    choosing, more = without_lost_choice(changed, written.losses)
    if more:
        written = target.write(choosing)
    losses = (*losses, *written.losses, *more)
    gone = (loss for loss in conversation.undone if loss.feature != CARRIED_OUT)
    pieces = (loss for joined in conversation.joined for loss in joined.losses)
    told = (*conversation.undone, *pieces, *losses, *displaced(conversation, (*gone, *losses)))
    metadata = trait(conversation.format, "METADATA", otherwise=None)
    if metadata is not None:
        from lighter.grouped import grouped  # noqa: PLC0415 - few formats have such an object

        told = grouped(conversation, told, metadata)
    return Written(written.value, losses_at_failure(conversation, told), written.places)


def _is_record(conversation: Conversation) -> bool:
    """Say whether a conversation is the whole of one record."""
    return conversation.layout != "messages" and len(conversation.records) == 1 and not conversation.place


def _repeated(conversation: Conversation) -> Iterator[Loss]:
    """Name the values that are lost because their key occurs again in the same object."""
    for record in chain.from_iterable(map(pieces_of, conversation.records)):
        if is_sound(record.value, record.data):
            continue
        for path in repeated_keys(record.data, record.value):
            yield Loss(record.row, path, "repeated-key", "dropped", "the key occurs again, and the last value counts")


def dump(
    found: Conversation | Iterable[Conversation],
    target: str | Path | BinaryIO | TextIOBase,
    format: str = "lighter",
    layout: Layout | None = None,
) -> list[Loss]:
    """Write conversations to a file (whole or not at all) or to a stream of bytes or text; gives the losses.

    Raises UnknownFormat, UnknownName for a layout, CannotHold, UnreadableInput when the file cannot be written.
    """
    if layout is not None:
        layout_named(layout)
    listed = [found] if isinstance(found, Conversation) else list(found)
    options = ConvertOptions(format, layout=layout)
    pieces = [_piece(conversation, options) for conversation in listed]
    if isinstance(target, str | Path):
        with whole_file(Path(target)) as stream:
            write_pieces(pieces, stream, layout)
    else:
        write_pieces(pieces, bytes_into(target), layout)
    return [loss for piece in pieces for loss in piece.losses]


def write_pieces(pieces: Iterable[Converted], stream: BinaryIO, layout: Layout | None) -> None:
    """Write pieces a record a line, or as one JSON array."""
    if layout != "array":
        for piece in pieces:
            for record in piece.records:
                stream.write(record)
                stream.write(b"\n")
        return
    separator = b"["
    for piece in pieces:
        for record in piece.records:
            stream.write(separator + record)
            separator = b",\n"
    stream.write(b"]\n" if separator != b"[" else b"[]\n")
