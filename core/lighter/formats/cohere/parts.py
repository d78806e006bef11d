"""Cohere's content parts and blocks, both ways."""

from typing import Any

from msgspec.structs import replace

from lighter.conversation import BlockOrigin
from lighter.formats._chat_parts import IMAGE_FIELDS, read_image, write_image
from lighter.formats._reading import Placed, content_of, extras, holds_json, json_block, unknown_block
from lighter.formats.cohere.shapes import NAME
from lighter.jsontext import decode
from lighter.messages import Block, MediaBlock, OpaqueBlock, ReasoningBlock, RefusalBlock, TextBlock


def content_blocks(content: Any, path: str) -> Placed:
    """Read the value of `content`: text, a list of parts, or something else that is kept as it is."""
    return content_of(NAME, content, path, _read_part)


def _read_part(part: Any, path: str) -> tuple[Block, BlockOrigin]:
    """Read one content part; one that is not known is kept whole."""
    match part:
        case {"type": "text", "text": str(text)}:
            return TextBlock(text, ext=extras(NAME, part, {"type", "text"})), BlockOrigin(path, {"text": "/text"})
        case {"type": "thinking", "thinking": str(text)}:
            block: Block = ReasoningBlock(text, ext=extras(NAME, part, {"type", "thinking"}))
            return block, BlockOrigin(path, {"text": "/thinking"})
        case {"type": "image_url", "image_url": {"url": str(url)} as image}:
            return read_image(NAME, part, image, url), BlockOrigin(path, IMAGE_FIELDS)
        case {"type": "document", "document": {"data": dict(data)} as document}:
            inner = extras(NAME, document, {"data"}, "/document")
            held = json_block(data)
            block = replace(held, ext=(*held.ext, *extras(NAME, part, {"type", "document"}), *inner))
            return block, BlockOrigin(path, {"text": "/document/data"})
        case _:
            return unknown_block(NAME, part, path, "part")


def write_part(block: Block, role: str) -> dict[str, Any] | None:
    """Write a block as a content part of a message of a role; None when there is no such part."""
    match block:
        case TextBlock() if role == "tool" and (document := _document(block)) is not None:
            return {"type": "document", "document": {"data": document}}
        case TextBlock():
            return {"type": "text", "text": block.text}
        case RefusalBlock() if role != "system":
            return {"type": "text", "text": block.text}
        case ReasoningBlock() if role == "assistant" and (block.text or _is_own(block)):
            return {"type": "thinking", "thinking": block.text}
        case MediaBlock(kind="image", source="base64" | "url") if role in ("user", "other"):
            return write_image(NAME, block)
        case OpaqueBlock(format="cohere") if block.native_type not in ("tool_call", "content"):
            value = decode(block.json)
            return value if isinstance(value, dict) else None
        case _:
            return None


def _document(block: TextBlock) -> Any:
    """Give the object that a result was on the wire, which is a document here; None for any other text."""
    if not holds_json(block):
        return None
    value = decode(block.text)
    return value if isinstance(value, dict) else None


def _is_own(block: ReasoningBlock) -> bool:
    return any(extra.format == NAME for extra in block.ext)
