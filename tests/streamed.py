"""Streamed answers of every provider with the whole answers that they add up to, and the ways in which loggers keep them."""

import io
import json
from collections.abc import Iterator, Sequence
from importlib import import_module
from pathlib import Path
from typing import Any

from chat import jsonl
from msgspec import Struct

from lighter import jsontext
from lighter.conversion import ConvertOptions, convert_stream
from lighter.formats._streaming import Assembled
from lighter.linting import LintOptions, Report, lint_stream
from lighter.records import Record
from lighter.source import read_records
from lighter.streams import gathered


class Stream(Struct, frozen=True):
    """The pieces of an answer, and that answer as the provider gives it at once."""

    name: str
    format: str
    chunks: list[Any]
    whole: dict[str, Any]


def _streams(name: str) -> list[Stream]:
    return [
        Stream(**jsontext.decode(line)) for line in (Path(__file__).parent / "data" / name).read_bytes().splitlines()
    ]


STREAMS = _streams("streams.jsonl")
LANGCHAIN = _streams("langchain_streams.jsonl")
"""Streams of LangChain, which add up to messages of a log, and to states of graphs."""


def without_nulls(value: Any) -> Any:
    """Leave out what is null, at any depth: some servers write it, others leave the key out."""
    match value:
        case dict():
            return {key: without_nulls(item) for key, item in value.items() if item is not None}
        case list():
            return [without_nulls(item) for item in value]
        case _:
            return value


def lines(chunks: Sequence[Any]) -> bytes:
    """Write a piece a line."""
    return b"".join(jsontext.encode(chunk) + b"\n" for chunk in chunks)


def events(chunks: Sequence[Any]) -> bytes:
    """Write server-sent events as they come over the wire, with comments, ids and the names of events."""
    out = [b": stream\r\nretry: 3000\r\n\r\n"]
    for number, chunk in enumerate(chunks):
        kind = str(chunk.get("type", "message") if isinstance(chunk, dict) else "messages").encode()
        out.append(b"event: %s\r\nid: %d\r\ndata: %s\r\n\r\n" % (kind, number, jsontext.encode(chunk)))
    return b"".join((*out, b"data: [DONE]\r\n\r\n"))


def spread(chunks: Sequence[Any]) -> bytes:
    """Write server-sent events whose data stand on several lines."""
    printed = (json.dumps(json.loads(jsontext.encode(chunk)), indent=1) for chunk in chunks)
    return b"".join(b"".join(b"data: %s\n" % row.encode() for row in text.split("\n")) + b"\n" for text in printed)


def array(chunks: Sequence[Any]) -> bytes:
    """Write one list of pieces."""
    return jsontext.encode(list(chunks))


def wrapped(chunks: Sequence[Any]) -> bytes:
    """Write an object a line that holds the name of an event and its data."""
    return jsonl(*({"event": "message", "data": chunk} for chunk in json.loads(array(chunks))))


def quoted(chunks: Sequence[Any]) -> bytes:
    """Write an object a line that holds the data of an event as text, and when they came."""
    return jsonl(*({"data": jsontext.encode_text(chunk), "timestamp": 3} for chunk in chunks))


def pair(chunks: Sequence[Any], key: str = "response") -> bytes:
    """Write a request with the pieces of its answer."""
    return jsonl({"request": REQUEST, key: json.loads(array(chunks))})


def nested(chunks: Sequence[Any]) -> bytes:
    """Write a request with an answer that is the text of events, as proxies log it."""
    return jsonl({"request": REQUEST, "response": {"status": 200, "body": events(chunks).decode()}})


FILES = {"lines": lines, "events": events, "spread": spread, "array": array, "wrapped": wrapped, "quoted": quoted}
"""Files that hold one stream and nothing else."""

REQUEST = {"messages": [{"role": "user", "content": "How warm is it in Oslo?"}], "stream": True}


def texts(value: Any) -> Iterator[str]:
    """Walk the texts in a value."""
    match value:
        case str():
            yield value
        case dict():
            for item in value.values():
                yield from texts(item)
        case list():
            for item in value:
                yield from texts(item)


def assemble(format_name: str, chunks: list[Any]) -> Assembled:
    """Join pieces as a format does."""
    joined: Assembled = import_module(f"lighter.formats.{format_name.replace('-', '_')}.stream").assemble(chunks)
    return joined


def records(data: bytes) -> list[Record]:
    """Read a file with its streams joined."""
    found = read_records(io.BytesIO(data), decode=jsontext.decode)
    head = list(found)
    return [item for item in gathered(head, iter(())) or head if isinstance(item, Record)]


def linted(data: bytes, name: str = "log.jsonl", **options: Any) -> Report:
    """Lint a file."""
    return lint_stream(io.BytesIO(data), name, LintOptions(**options))


def places(report: Report) -> list[tuple[str, int, str]]:
    """List findings with their places."""
    return [(found.name, found.location.row, found.path) for found in report.diagnostics]


def written(data: bytes, to: str = "lighter") -> tuple[list[Any], list[Any]]:
    """Convert a file; gives the records and the losses."""
    pieces = list(convert_stream(io.BytesIO(data), "log.jsonl", ConvertOptions(to)))
    return (
        [json.loads(record) for piece in pieces for record in piece.records],
        [loss for piece in pieces for loss in piece.losses],
    )
