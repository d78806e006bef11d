"""What readers of several formats share: content, tools, kept extras, media sources, the naming of results after their calls."""

import re
from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from typing import Any

from msgspec.structs import replace

from lighter.conversation import BlockOrigin, Conversation, Origin, Param, Tool
from lighter.envelope import Body
from lighter.formats._answering import answered_by_order
from lighter.jsontext import encode_text, step
from lighter.messages import (
    AssistantMessage,
    Block,
    Extra,
    MediaSource,
    Message,
    OpaqueBlock,
    OtherMessage,
    TextBlock,
    ToolMessage,
)
from lighter.passage import Entry

Placed = list[tuple[Block, BlockOrigin]]
"""Blocks, each with where it stands."""

ENVELOPE = "envelope"
"""The format name of extras that stand outside the request body."""

JSON_VALUE = "json-spelling"
"""The format name of an extra on text that the wire held as a JSON value, so that forms which can hold one give it back as such."""

_TOOL_FIELDS: dict[str, tuple[str, type]] = {
    "description": ("description", str),
    "strict": ("is_strict", bool),
    "parameters": ("parameters", dict),
    "input_schema": ("parameters", dict),
}
"""The fields of a tool and the kinds of their values, by the keys of its definition."""

_NOTHING = ("null", "[]")
_DATA_URL = re.compile(r"data:([\w.+-]+/[\w.+-]+);base64,([A-Za-z0-9+/_=-]*)", re.ASCII)


def content_of(name: str, content: Any, path: str, read: Callable[[Any, str], tuple[Block, BlockOrigin]]) -> Placed:
    """Read the value of `content`: text, a list of parts of which `read` reads one, or something else that is kept as it is."""
    if isinstance(content, list):
        return [read(part, path + step(index)) for index, part in enumerate(content)]
    return undivided(name, content, path)


def undivided(name: str, content: Any, path: str) -> Placed:
    """Read the value of `content` where it is no list of parts: a text, or something else that is kept as it is."""
    match content:
        case "" | None:
            return []
        case str():
            return [(TextBlock(content), BlockOrigin(path))]
        case _:
            return [(OpaqueBlock(name, "content", encode_text(content)), BlockOrigin(path))]


def unknown_block(name: str, raw: Any, path: str, otherwise: str) -> tuple[Block, BlockOrigin]:
    """Keep a block or part that a reader does not know whole: by its type, or called `otherwise` when it tells none."""
    kind = raw.get("type") if isinstance(raw, dict) else None
    return OpaqueBlock(name, kind if isinstance(kind, str) else otherwise, encode_text(raw)), BlockOrigin(path)


def extras(name: str, raw: Mapping[str, Any], known: Container[str], prefix: str = "") -> tuple[Extra, ...]:
    """Keep the keys that a reader does not know, as JSON text under their pointers."""
    return tuple(Extra(name, prefix + step(key), encode_text(value)) for key, value in raw.items() if key not in known)


def empty_as(spelling: str, found: Iterable[Extra]) -> tuple[Extra, ...]:
    """Take kept keys that are null or an empty list, and so say nothing, for spelling only."""
    return tuple(Extra(spelling, extra.path, extra.json) if extra.json in _NOTHING else extra for extra in found)


def json_block(value: Any) -> TextBlock:
    """Hold a JSON value that stands where others have text (the result of a call) as its JSON text."""
    return TextBlock(encode_text(value), ext=(Extra(JSON_VALUE, "", "true"),))


def holds_json(block: Block) -> bool:
    """Say whether the text of a block is that of a JSON value that was one on the wire."""
    return isinstance(block, TextBlock) and any(extra.format == JSON_VALUE for extra in block.ext)


def media_source(url: str) -> tuple[MediaSource, str, str | None]:
    """Take a URL apart: base64 data with its media type when it is such a data URL, else the URL itself."""
    if match := _DATA_URL.fullmatch(url):
        return "base64", match[2], match[1]
    return "url", url, None


def unread(name: str, raw: Any) -> Message:
    """Hold a value that is no message of the format at all."""
    role = raw.get("role") if isinstance(raw, dict) else None
    return OtherMessage(role if isinstance(role, str) else "", "", ext=(Extra(name, "", encode_text(raw)),))


def name_results(entries: Iterable[Entry], *, is_paired: bool = False) -> Iterator[Entry]:
    """Give each result the tool name of the call that it answers, where the wire does not tell it.

    Results without an id are paired first, unless they were (`is_paired`). Calls of one id in one turn are answered in order.
    """
    called: dict[str, list[str]] = {}
    for entry in entries if is_paired else answered_by_order(entries):
        message = entry.message
        match message:
            case AssistantMessage() if message.tool_calls:
                called.update(_names_by_id(message))
            case ToolMessage() if message.call_id in called:
                names = called[message.call_id]
                name = names.pop(0) if len(names) > 1 else names[0]
                if not message.tool_name:
                    yield Entry(replace(message, tool_name=name), entry.origin, entry.wire)
                    continue
            case _:
                pass
        yield entry


def _names_by_id(message: AssistantMessage) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for call in message.tool_calls:
        found.setdefault(call.call_id, []).append(call.tool_name)
    return found


def listed(fields: Mapping[str, Any], key: str, path: str, read: Callable[[Any, str], Tool]) -> tuple[Tool, ...]:
    """Read the tools that a request body at `path` lists under a key; an empty list, and what is no list, is left alone."""
    found = fields.get(key)
    return (
        tuple(read(tool, path + step(key) + step(n)) for n, tool in enumerate(found)) if isinstance(found, list) else ()
    )


def told_of(raw: Mapping[str, Any], *keys: str) -> tuple[dict[str, Any], set[str]]:
    """Read these keys of a definition as fields of a tool, where their values are of the right kind; also tell which were."""
    told: dict[str, Any] = {}
    read: set[str] = set()
    for key in keys:
        field, kind = _TOOL_FIELDS[key]
        value = raw.get(key)
        if isinstance(value, kind):
            told[field] = encode_text(value) if kind is dict else value
            read.add(key)
    return told, read


def unknown_tool(name: str, raw: Any, path: str) -> Tool:
    """Keep the definition of a tool that only its own format knows whole."""
    return Tool(name="", native=Extra(name, "", encode_text(raw)), path=path)


def conversation_of(
    name: str, body: Body, entries: Sequence[Entry], *, params: tuple[Param, ...] = (), **parts: Any
) -> Conversation:
    """Put a conversation together; everything of the record that is no part of the request body is kept as envelope."""
    ext: tuple[Extra, ...] = parts.pop("ext", ())
    outside = [*body.rest, *body.branches, *_answer_rest(body)]
    envelope = tuple(Extra(ENVELOPE, path, encode_text(value)) for path, value in outside)
    records = {id(entry.wire.record): entry.wire.record for entry in entries}
    return Conversation(
        messages=tuple([entry.message for entry in entries]),
        params=params,
        ext=(*ext, *envelope),
        format=name,
        origins=tuple([entry.origin for entry in entries]),
        records=tuple(records.values()),
        path=body.path,
        place=body.place,
        **parts,
    )


def _answer_rest(body: Body) -> Iterator[tuple[str, Any]]:
    """List what an answer's envelope holds besides its message, model, usage and stop reason."""
    for key, value in (body.response or {}).items():
        path = body.response_path + step(key)
        if key == "choices" and isinstance(value, list) and value and isinstance(value[0], dict):
            yield from ((f"{path}/0{step(k)}", v) for k, v in value[0].items() if k not in ("message", "finish_reason"))
        elif key not in ("model", "usage", "choices"):
            yield path, value


def answered(message: Message, origin: Origin, body: Body) -> tuple[Message, Origin]:
    """Add what an answer's envelope tells of its message: model, usage, stop reason."""
    if not isinstance(message, AssistantMessage) or body.response is None:
        return message, origin
    told, fields = {}, dict(origin.fields)
    choices = body.response.get("choices")
    places = {"model": ("model", body.response.get("model")), "usage": ("usage", body.response.get("usage"))}
    if isinstance(choices, list) and choices and isinstance(choices[0], dict):
        places["stop"] = ("choices/0/finish_reason", choices[0].get("finish_reason"))
    for field, (key, value) in places.items():
        if field == "usage" and value is not None:
            told[field] = encode_text(value)
        elif isinstance(value, str):
            told[field] = value
        if field in told:
            fields[field] = f"{body.response_path}/{key}"
    return replace(message, **told), Origin(origin.row, origin.path, fields, origin.blocks)
