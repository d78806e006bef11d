"""Mistral's content chunks and blocks, both ways."""

from collections.abc import Mapping
from typing import Any

from lighter.conversation import BlockOrigin
from lighter.formats._calls import AS_TEXT
from lighter.formats._chat_parts import IMAGE_FIELDS, read_image, url_of, write_image
from lighter.formats._reading import Placed, content_of, extras, media_source, unknown_block
from lighter.formats._writing import extra_at
from lighter.formats.mistral.shapes import MARK, NAME, NESTED, SPELLING
from lighter.jsontext import decode, encode_text, keys_of, step
from lighter.media import head_bytes, media_type_of
from lighter.messages import Block, Extra, MediaBlock, Opaque, OpaqueBlock, ReasoningBlock, RefusalBlock, TextBlock

_WEB = ("http://", "https://")


def content_blocks(content: Any, path: str) -> Placed:
    """Read the value of `content`: text, a list of chunks, or something else that is kept as it is."""
    if not isinstance(content, list):
        return content_of(NAME, content, path, _read_chunk)
    placed: Placed = []
    for index, chunk in enumerate(content):
        place = path + step(index)
        match chunk:
            case {"type": "thinking", "thinking": list(parts)}:
                placed += _thought(chunk, parts, place)
            case _:
                placed.append(_read_chunk(chunk, place))
    return placed


def _read_chunk(chunk: Any, path: str) -> tuple[Block, BlockOrigin]:
    """Read one chunk that holds one thing; one that is not known is kept whole."""
    match chunk:
        case {"type": "text", "text": str(text)}:
            return TextBlock(text, ext=extras(NAME, chunk, {"type", "text"})), BlockOrigin(path, {"text": "/text"})
        case {"type": "image_url", "image_url": str(url)}:
            kept = (*extras(NAME, chunk, {"type", "image_url"}), Extra(MARK, "/image_url", AS_TEXT))
            return _media("image", url, kept), BlockOrigin(path, {"data": "/image_url"})
        case {"type": "image_url", "image_url": {"url": str(url)} as image}:
            return read_image(NAME, chunk, image, url), BlockOrigin(path, IMAGE_FIELDS)
        case {"type": "document_url", "document_url": str(url)}:
            name = chunk.get("document_name") if isinstance(chunk.get("document_name"), str) else None
            known = {"type", "document_url"} | ({"document_name"} if name is not None else set())
            fields = {"data": "/document_url", "name": "/document_name"}
            return _media("document", url, extras(NAME, chunk, known), name=name), BlockOrigin(path, fields)
        case {"type": "file", "file_id": str(file_id)}:
            kept = extras(NAME, chunk, {"type", "file_id"})
            return MediaBlock("document", "file_id", file_id, provider=NAME, ext=kept), BlockOrigin(
                path, {"data": "/file_id"}
            )
        case {"type": "input_audio", "input_audio": str(data)}:
            kept = extras(NAME, chunk, {"type", "input_audio"})
            return _audio(data, kept), BlockOrigin(path, {"data": "/input_audio"})
        case _:
            return unknown_block(NAME, chunk, path, "chunk")


def _media(kind: Any, url: str, kept: tuple[Extra, ...], **more: Any) -> MediaBlock:
    source, data, media_type = media_source(url)
    return MediaBlock(kind, source, data, media_type, ext=kept, **more)


def _audio(data: str, kept: tuple[Extra, ...]) -> MediaBlock:
    """Read sound: a URL, or base64, of which the first bytes tell what it is."""
    if data.startswith(("data:", *_WEB)):
        return _media("audio", data, kept)
    return MediaBlock("audio", "base64", data, media_type_of(head_bytes(data)), ext=kept)


def _thought(chunk: Mapping[str, Any], parts: list[Any], path: str) -> Placed:
    """Read a thinking chunk: a block for each of its parts, of which the first one stands for the whole chunk."""
    signature = chunk.get("signature")
    is_signed = isinstance(signature, str)
    outer = extras(NAME, chunk, {"type", "thinking", *(("signature",) if is_signed else ())})
    opaque = (Opaque(NAME, "signature", signature),) if isinstance(signature, str) else ()
    placed: Placed = []
    for index, part in enumerate(parts):
        place = f"/thinking{step(index)}"
        nested = (Extra(NESTED, "", str(index)),) if index else ()
        match part:
            case {"type": "text", "text": str(text)} if index:
                block: Block = ReasoningBlock(text, ext=(*extras(NAME, part, {"type", "text"}), *nested))
                placed.append((block, BlockOrigin(path + place, {"text": "/text"})))
            case {"type": "text", "text": str(text)}:
                block = ReasoningBlock(text, opaque, ext=(*outer, *extras(NAME, part, {"type", "text"}, place)))
                placed.append((block, BlockOrigin(path, {"text": f"{place}/text", "opaque": "/signature"})))
            case _ if index:
                kind = part.get("type") if isinstance(part, dict) else None
                native = kind if isinstance(kind, str) else "chunk"
                placed.append((OpaqueBlock(NAME, native, encode_text(part), ext=nested), BlockOrigin(path + place)))
            case _:  # without a text at its beginning the chunk is kept whole
                return [(OpaqueBlock(NAME, "thinking", encode_text(chunk)), BlockOrigin(path))]
    if not placed:
        block = ReasoningBlock("", opaque, ext=(*outer, Extra(SPELLING, "/thinking", "[]")))
        return [(block, BlockOrigin(path, {"opaque": "/signature"}))]
    return placed


def write_chunk(block: Block, role: str) -> dict[str, Any] | None:
    """Write a block as a chunk of a message of a role; None when there is no such chunk."""
    chunk: dict[str, Any]
    match block:
        case TextBlock() | RefusalBlock():
            chunk = {"type": "text", "text": block.text}
        case ReasoningBlock() if (
            block.text or any(e.format in (NAME, SPELLING) for e in block.ext) or _signature(block)
        ):
            said = {"type": "text", "text": block.text, **_kept_inside(block)}
            chunk = said if is_nested(block) else {"type": "thinking", "thinking": [said], **_signature(block)}
        case OpaqueBlock(format="mistral") if block.native_type not in ("tool_call", "content"):
            value = decode(block.json)
            return value if isinstance(value, dict) else None
        case MediaBlock() if role != "system":
            return _media_chunk(block)
        case _:
            return None
    return chunk


def _signature(block: ReasoningBlock) -> dict[str, Any]:
    return next(({"signature": opaque.data} for opaque in block.opaque if opaque.provider == NAME), {})


def _kept_inside(block: ReasoningBlock) -> dict[str, Any]:
    """Give the foreign keys of the first part of a thinking chunk, whose extras are those of the chunk."""
    found = ((keys_of(extra.path), extra) for extra in block.ext if extra.format == NAME)
    return {keys[2]: decode(extra.json) for keys, extra in found if keys[:2] == ["thinking", "0"]}


def _media_chunk(block: MediaBlock) -> dict[str, Any] | None:
    match block.kind, block.source:
        case "image", ("base64" | "url"):
            is_text = extra_at(block.ext, MARK, "/image_url") == AS_TEXT
            return {"type": "image_url", "image_url": url_of(block)} if is_text else write_image(NAME, block)
        case "document", ("base64" | "url"):
            named = {"document_name": block.name} if block.name is not None else {}
            return {"type": "document_url", "document_url": url_of(block), **named}
        case "document", "file_id" if block.provider == NAME:
            return {"type": "file", "file_id": block.data}
        case "audio", ("base64" | "url"):
            return {"type": "input_audio", "input_audio": block.data}
        case _:
            return None


def is_nested(block: Block) -> bool:
    """Say whether a block was a further part of the thinking chunk before it."""
    return any(extra.format == NESTED for extra in block.ext)


def append_chunk(parts: list[Any], chunk: Any, block: Block) -> None:
    """Add a chunk, or a part of the thinking chunk before it to that one."""
    match parts:
        case [*_, {"type": "thinking", "thinking": list(inner)}] if is_nested(block):
            inner.append(chunk)
        case _ if is_nested(block) and isinstance(block, ReasoningBlock):
            parts.append({"type": "thinking", "thinking": [chunk]})
        case _:
            parts.append(chunk)
