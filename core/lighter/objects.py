"""Python objects as JSON values and conversations: plain lists and dicts, SDK and LangChain objects, core messages, paths."""

import io
import json
from collections.abc import Iterator, Mapping, Sequence
from math import isfinite
from pathlib import Path
from typing import Any, NoReturn

from msgspec import Struct, field
from msgspec.structs import replace

from lighter import jsontext
from lighter.conversation import Conversation
from lighter.detection import Detection, detect_records
from lighter.envelope import Body
from lighter.errors import CannotHold, NotRecognised
from lighter.formats import get
from lighter.inputs import Input, open_input
from lighter.jsontext import step
from lighter.live import Live, dumper, is_langchain, plain_object
from lighter.losses import Loss
from lighter.messages import Message
from lighter.reading import Reading, load, opened_of, passage_of
from lighter.records import LineFault, Record
from lighter.source import read_records
from lighter.streams import Streamed, whole


class _Plainly(Struct):
    """What making a JSON value of an object told; `may_hold_nonfinite`: NaN and the like become what Python writes for them."""

    may_hold_nonfinite: bool = False
    holds_nonfinite: bool = False
    losses: list[Loss] = field(default_factory=list)


def plain(value: Any) -> Any:
    """Give a JSON value for an object: SDK objects (`to_dict` or `model_dump`), LangChain's, tuples and mappings.

    Raises CannotHold for what JSON cannot say, and names its place. What a LangChain message holds besides (the artifact of a
    tool may be anything) becomes what `dumpd` writes for it.
    """
    return _plain_of(value, _Plainly())


def _plain_of(value: Any, told: _Plainly) -> Any:
    try:
        return _plain(value, "", told)
    except RecursionError as error:
        raise CannotHold("the object is nested too deeply, or holds itself") from error


def _plain(value: Any, path: str, told: _Plainly) -> Any:
    """Give a JSON value, and take down what it says otherwise than LangChain's objects."""
    match value:
        case None | bool() | int() | jsontext.Number():  # a Number's literal is JSON, however large
            return value
        case str():
            return value if type(value) is str else str.__str__(value)
        case float() if isfinite(value):
            return value
        case float() if told.may_hold_nonfinite:
            told.holds_nonfinite = True
            return jsontext.Number(json.dumps(value))
        case Mapping():
            return {str(key): _plain(item, path + step(str(key)), told) for key, item in value.items()}
        case Sequence() if not isinstance(value, bytes | bytearray):
            return [_plain(item, path + step(index), told) for index, item in enumerate(value)]
        case _ if is_langchain(value):
            return plain_object(value, path, told.losses)
        case _ if (method := dumper(value)) is not None:
            return _plain(method(), path, told)
        case _:
            return _refuse(value, path)


def _refuse(value: Any, path: str) -> NoReturn:
    if isinstance(value, float):
        raise CannotHold(f"{path or 'the value'}: {value} is no JSON number")
    what = f"{type(value).__name__} is no JSON value and has neither to_dict nor model_dump"
    raise CannotHold(f"{path}: {what}" if path else what)


def record_of(value: Any) -> Record:
    """Make the record that a value would be in a file."""
    data = jsontext.encode(value)
    return Record(1, data, jsontext.decode(data))


def plain_record(source: Any, *, may_hold_nonfinite: bool = False) -> Record:
    """Make the record that an object would be in a file; that of LangChain's objects knows them.

    Where it may hold numbers that JSON has not, and does, its value is None: what is left of it is for those who read files.
    """
    told = _Plainly(may_hold_nonfinite)
    value = _plain_of(source, told)
    if told.holds_nonfinite:
        return Record(1, jsontext.encode(value), None)
    record = record_of(value)
    if not (told.losses or _holds_langchain(source)):
        return record
    return Live(record.row, record.data, record.value, source=source, losses=tuple(told.losses))


def _holds_langchain(source: Any) -> bool:
    """Say whether messages of LangChain are among what a list, or a state, holds."""
    match source:
        case {"messages": list() as listed} | (list() | tuple() as listed):
            return any(map(is_langchain, listed))
        case _:
            return is_langchain(source)


def records_of(source: Any) -> Iterator[Record | LineFault]:
    """Give what reading an object's JSON would give: its record, the half characters in it, and the numbers that are none.

    lighter's own messages and conversations are in lighter's own form; that an answer in them broke off stays known.
    """
    record = _record_of(source)
    is_faulty = record.value is None or b"\\ud" in record.data
    return read_records(io.BytesIO(record.data)) if is_faulty else iter([record])


def written_as_file(source: Any) -> bytes:
    """Write an object as the JSON that `records_of` reads."""
    return _record_of(source).data


def _record_of(source: Any) -> Record:
    match source:
        case Conversation() | [Struct(), *_]:
            found = parse_all(source)
            written = [get("lighter").write(conversation).value for conversation in found]
            return _as_written(record_of(written[0] if len(written) == 1 else written), found)
        case _:
            return plain_record(source, may_hold_nonfinite=True)


def _as_written(record: Record, conversations: Sequence[Conversation]) -> Record:
    """Give the record into which conversations were written, with the places of those whose answers broke off."""
    is_one = len(conversations) == 1
    places = ("" if is_one else jsontext.step(index) for index in range(len(conversations)))
    cuts = tuple(place for place, found in zip(places, conversations, strict=True) if _is_cut(found))
    if not cuts:
        return record
    return Streamed(
        record.row, record.data, record.value, pieces=(record,), provider="lighter", cuts=cuts, is_within=True
    )


def _is_cut(conversation: Conversation) -> bool:
    """Say whether the answer in a conversation broke off."""
    record = conversation.records[0] if conversation.records else None
    if not isinstance(record, Streamed) or not record.cuts:
        return False
    return record.is_within or record.home(conversation.place) in record.cuts


def detect(source: Any) -> Detection:
    """Tell which format an object or a file (`str` or `Path`) is in, and why; raises UnreadableInput for the latter."""
    if isinstance(source, str | Path):
        with open_input(Input(str(source), Path(source))) as stream:
            return Reading(stream, filename=str(source)).detection
    return detect_records([whole(plain_record(source))])


def parse(source: Any, format: str | None = None) -> Conversation:
    """Read one conversation from lists and dicts, SDK objects, LangChain messages and what it takes for such, core messages or a path.

    Raises NotRecognised when there is none, CannotHold when there are several.
    """
    found = parse_all(source, format)
    if len(found) != 1:
        raise CannotHold(f"{len(found)} conversations where one is wanted")
    return found[0]


def parse_all(source: Any, format: str | None = None) -> list[Conversation]:
    """Read all conversations of an object or a path; see `parse`."""
    match source:
        case Conversation():
            return [source]
        case str() | Path():
            return list(load(source, format))
        case list() | tuple() if source and all(isinstance(item, Conversation) for item in source):
            return list(source)
        case list() | tuple() if source and all(isinstance(item, Message) for item in source):
            return [Conversation(tuple(source))]
        case Struct() if isinstance(source, Message):
            return [Conversation((source,))]
    record = whole(plain_record(source))
    opened = opened_of(record)
    bodies = (Body((("", record.value, False),)),) if opened.kind == "message" else opened.bodies
    name = get(format).NAME if format else detect_records([record]).format
    if name is None or not bodies:
        raise NotRecognised("no conversation recognised in the object")
    found = (get(name).read_body(body, passage_of(name, record, body).messages) for body in bodies)
    return [
        conversation if conversation.records else replace(conversation, records=(record,)) for conversation in found
    ]
