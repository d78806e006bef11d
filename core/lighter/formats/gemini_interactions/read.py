"""Reading steps as core messages: the model's steps between two others become one message."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from msgspec.structs import replace

from lighter.conversation import BlockOrigin, Origin, WireMessage
from lighter.formats._entries import Spoken, filled, folded
from lighter.formats._google import PROVIDER
from lighter.formats._reading import ENVELOPE, Placed, json_block, name_results, unread
from lighter.formats.gemini_interactions.contents import read_content, read_contents
from lighter.formats.gemini_interactions.shapes import (
    AS_CONTENTS,
    AS_ONE,
    AS_TEXT,
    AS_VALUE,
    NAME,
    SPELLING,
    STEP_SPELLING,
    is_step,
    is_step_content,
    kept,
)
from lighter.jsontext import encode_text, step
from lighter.messages import (
    ABSENT,
    PARAGRAPH,
    Block,
    Extra,
    Message,
    Opaque,
    OpaqueBlock,
    ReasoningBlock,
    TextBlock,
    ToolCall,
    ToolMessage,
    UserMessage,
)
from lighter.passage import Entry


def read_messages(messages: Sequence[WireMessage]) -> Iterator[Entry]:
    """Read steps, in order; any JSON value gives a message or a block of one."""
    return name_results(folded(messages, _spoken, _heard))


def _spoken(wire: WireMessage) -> Spoken | None:
    """Read a step of the model's turn, and keep what belongs to the step; None when it is the user's, or a result."""
    placed = _blocks(wire)
    return None if placed is None else (placed, _step_extras(wire))


def _blocks(wire: WireMessage) -> Placed | None:
    """Read a step of the model's turn as blocks.

    Steps that only this API knows count as the model's, so that they stay where they are between the others.
    """
    raw = wire.raw
    match raw:
        case {"type": "user_input"} | {"type": "function_result", "call_id": str(), "result": _}:
            return None
        case {"type": "function_call", "id": str(call_id), "name": str(name), "arguments": dict(arguments)} if call_id:
            ext = kept(raw, {"type", "id", "name", "arguments"})
            fields = {"call_id": "/id", "tool_name": "/name", "arguments": "/arguments"}
            return [(ToolCall(call_id, name, encode_text(arguments), ext=ext), BlockOrigin(wire.path, fields))]
        case {"type": "thought"} if (block := _thought(raw, wire.path)) is not None:
            return [block]
        case {"type": "model_output", "content": [_, *_] as contents}:
            return _said(contents, wire.path)
        case {"type": str(kind)} if "role" not in raw and not is_step_content(raw):
            return [(OpaqueBlock(NAME, kind, encode_text(raw)), BlockOrigin(wire.path))]
        case _:
            return None


def _thought(raw: Mapping[str, Any], path: str) -> tuple[Block, BlockOrigin] | None:
    """Read a thought: the texts of its summary, and its signature; None when the summary holds anything else."""
    summary, signature = raw.get("summary"), raw.get("signature")
    texts = []
    for item in summary if isinstance(summary, list) else ():
        match item:
            case {"type": "text", "text": str(text), **rest} if not rest:
                texts.append(text)
            case _:
                return None
    if not isinstance(summary, list | None) or not isinstance(signature, str | None):
        return None
    opaque = (Opaque(PROVIDER, "signature", signature),) if signature is not None else ()
    text = PARAGRAPH.join(texts)
    ext = kept(raw, {"type", "summary", "signature"})
    if texts != ([text] if text else []):
        ext += (Extra(SPELLING, "/summary", encode_text(summary)),)
    elif not texts:
        ext += (Extra(SPELLING, "/summary", encode_text(summary) if "summary" in raw else ABSENT),)
    if signature is None and "signature" in raw:
        ext += (Extra(SPELLING, "/signature", "null"),)
    fields = {"text": "/summary/0/text" if len(texts) == 1 else "/summary", "opaque": "/signature"}
    return ReasoningBlock(text, opaque, ext=ext), BlockOrigin(path, fields)


def _said(contents: Sequence[Any], path: str) -> Placed:
    """Read what the model said; the first block tells where the step began."""
    placed = [read_content(item, f"{path}/content{step(n)}") for n, item in enumerate(contents)]
    first, origin = placed[0]
    mark = Extra(STEP_SPELLING, "", encode_text(path))
    placed[0] = replace(first, ext=(*first.ext, mark)), origin
    return [
        placed[0],
        *((replace(block, ext=(*block.ext, Extra(STEP_SPELLING, "/more", "true"))), at) for block, at in placed[1:]),
    ]


def _step_extras(wire: WireMessage) -> tuple[Extra, ...]:
    """Keep what belongs to a step and not to its contents: pointers into the record."""
    match wire.raw:
        case {"type": "model_output", "content": [_, *_], **rest}:
            return tuple(Extra(ENVELOPE, wire.path + step(str(key)), encode_text(rest[key])) for key in rest)
        case _:
            return ()


def _heard(wire: WireMessage) -> tuple[Message, Origin]:
    """Read what is not the model's: an input, or the result of a function."""
    raw, row, path = wire.raw, wire.record.row, wire.path
    message: Any = UserMessage("")
    match raw:
        case {"type": "function_result"}:
            return _result(raw, wire)
        case {"type": "user_input"}:
            placed = read_contents(raw.get("content"), f"{path}/content")
            ext = kept(raw, {"type", "content"})
            if not placed:
                ext += (Extra(SPELLING, "/content", encode_text(raw["content"]) if "content" in raw else ABSENT),)
            return filled(replace(message, ext=ext), placed, row, path, {"content": f"{path}/content"})
        case str():
            said: Placed = [(TextBlock(raw), BlockOrigin(path))] if raw else []
            return filled(replace(message, ext=_input_as(AS_TEXT)), said, row, path, {"content": path})
        case list() if not any(map(is_step, raw)):
            return filled(replace(message, ext=_input_as(AS_CONTENTS)), read_contents(raw, path), row, path, {})
        case dict() if is_step_content(raw):
            return filled(replace(message, ext=_input_as(AS_ONE)), [read_content(raw, path)], row, path, {})
        case _:
            return unread(NAME, raw), Origin(row, path)


def _input_as(form: str) -> tuple[Extra, ...]:
    return (Extra(SPELLING, "/input", form),)


def _result(raw: Mapping[str, Any], wire: WireMessage) -> tuple[Message, Origin]:
    """Read a function result: a text, a list of contents, or any other value."""
    path, is_error, name = wire.path, raw.get("is_error"), raw.get("name")
    known = {"type", "call_id", "result"}
    known |= {"is_error"} if isinstance(is_error, bool) else set()
    known |= {"name"} if isinstance(name, str) else set()
    ext = kept(raw, known)
    if "name" not in raw:
        ext += (Extra(SPELLING, "/name", ABSENT),)
    match raw["result"]:
        case "":
            placed: Placed = []
        case str(text):
            placed = [(TextBlock(text), BlockOrigin(f"{path}/result"))]
        case [*items] if items and all(map(is_step_content, items)):
            placed = read_contents(items, f"{path}/result")
            ext += (Extra(SPELLING, "/result", AS_CONTENTS),)
        case value:
            placed = [(json_block(value), BlockOrigin(f"{path}/result"))]
            ext += (Extra(SPELLING, "/result", AS_VALUE),)
    message = ToolMessage(
        raw["call_id"] or f"call_{wire.index}",
        name if isinstance(name, str) else "",
        "",
        is_error if isinstance(is_error, bool) else None,
        is_id_synthetic=not raw["call_id"],
        ext=ext,
    )
    fields = {"call_id": f"{path}/call_id", "content": f"{path}/result"}
    fields |= {"tool_name": f"{path}/name"} if isinstance(name, str) else {}
    fields |= {"is_error": f"{path}/is_error"} if isinstance(is_error, bool) else {}
    return filled(message, placed, wire.record.row, path, fields)
