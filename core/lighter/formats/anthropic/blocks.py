"""Anthropic content blocks, both ways."""

from collections.abc import Mapping
from typing import Any

from lighter.conversation import BlockOrigin
from lighter.formats._reading import Placed, content_of, extras, unknown_block
from lighter.formats.anthropic.foreign import text_of_document
from lighter.formats.anthropic.shapes import NAME, SPELLING, TTLS
from lighter.jsontext import decode, encode_text
from lighter.media import head_bytes, media_type_of
from lighter.messages import (
    ABSENT,
    Block,
    CacheMark,
    CallKind,
    Extra,
    MediaBlock,
    Opaque,
    ReasoningBlock,
    TextBlock,
    ToolCall,
    ToolResultBlock,
)
from lighter.providers import IMAGE_TYPES

_CALLS: Mapping[str, CallKind] = {"tool_use": "function", "server_tool_use": "server", "mcp_tool_use": "server"}
_DOCUMENT_TYPES = ("application/pdf",)
_CACHED = {"cache": "/cache_control"}
CALL_FIELDS = {"call_id": "/id", "tool_name": "/name", "arguments": "/input", **_CACHED}


def content_blocks(content: Any, path: str) -> Placed:
    """Read the value of `content`: text, a list of blocks, or something else that is kept as it is."""
    return content_of(NAME, content, path, read_block)


def cache_of(block: Mapping[str, Any]) -> tuple[CacheMark | None, set[str]]:
    """Read the cache mark of a block, and tell which key it took."""
    match block.get("cache_control"):
        case {"type": "ephemeral", "ttl": str(ttl), **rest} if not rest:
            return CacheMark(ttl), {"type", "cache_control"}
        case {"type": "ephemeral", **rest} if not rest:
            return CacheMark(), {"type", "cache_control"}
        case _:
            return None, {"type"}


def read_block(block: Any, path: str) -> tuple[Block, BlockOrigin]:
    """Read one block; one that is not known is kept whole."""
    cache, known = cache_of(block) if isinstance(block, dict) else (None, set[str]())
    match block:
        case {"type": "text", "text": str(text)}:
            return (TextBlock(text, cache=cache, ext=extras(NAME, block, known | {"text"})),
                    BlockOrigin(path, {"text": "/text", **_CACHED}))  # fmt: skip
        case {"type": "thinking", "thinking": str(text)}:
            signature = block.get("signature")
            opaque = (Opaque(NAME, "signature", signature),) if isinstance(signature, str) else ()
            kept = extras(NAME, block, {"type", "thinking", *(("signature",) if opaque else ())})
            kept = kept if "signature" in block else (*kept, Extra(NAME, "/signature", ABSENT))
            return ReasoningBlock(text, opaque, ext=kept), BlockOrigin(
                path, {"text": "/thinking", "opaque": "/signature"}
            )
        case {"type": "redacted_thinking", "data": str(data)}:
            kept = extras(NAME, block, {"type", "data"})
            return ReasoningBlock("", (Opaque(NAME, "redacted", data),), ext=kept), BlockOrigin(
                path, {"opaque": "/data"}
            )
        case {"type": str(kind), "id": str(call_id), "name": str(name), "input": value} if kind in _CALLS:
            known = known - {"type"} if kind == "mcp_tool_use" else known  # the writer's own kind is `server_tool_use`
            kept = extras(NAME, block, known | {"id", "name", "input"})
            if kind == "tool_use" and not isinstance(value, dict):
                kept = (*kept, Extra(SPELLING, "/input", encode_text(value)))
            call = ToolCall(call_id, name, encode_text(value), _CALLS[kind], cache=cache, ext=kept)
            return call, BlockOrigin(path, CALL_FIELDS)
        case {"type": ("image" | "document") as kind, "source": dict(source)} if (told := _source(source)) is not None:
            place, key, data, media_type = told
            title = block.get("title")
            named = title if isinstance(title, str) else None
            keys = known | {"source"} | ({"title"} if named is not None else set())
            kept = (*extras(NAME, block, keys), *extras(NAME, source, {"type", "media_type", key}, "/source"))
            owner = NAME if place == "file_id" else None
            media = MediaBlock(kind, place, data, media_type, named, provider=owner, cache=cache, ext=kept)
            fields = {"data": f"/source/{key}", "media_type": "/source/media_type", "name": "/title", **_CACHED}
            return media, BlockOrigin(path, fields)
        case {"type": str(kind), "tool_use_id": str(call_id), "content": content} if kind.endswith("_tool_result"):
            kept = extras(NAME, block, {"type", "tool_use_id", "content"})
            return ToolResultBlock(call_id, kind, encode_text(content), ext=kept), BlockOrigin(path)
        case _:
            return unknown_block(NAME, block, path, "block")


def _source(source: Mapping[str, Any]) -> tuple[Any, str, str, str | None] | None:
    """Take a source apart: kind, the key of its data, the data, the media type."""
    media_type = source.get("media_type")
    told = media_type if isinstance(media_type, str) else None
    match source:
        case {"type": "base64", "data": str(data)}:
            return "base64", "data", data, told
        case {"type": "url", "url": str(url)}:
            return "url", "url", url, told
        case {"type": "file", "file_id": str(file_id)}:
            return "file_id", "file_id", file_id, told
        case {"type": "text", "data": str(data)}:
            return "text", "data", data, told
        case {"type": "content", "content": content}:
            return "blocks", "content", encode_text(content), told
        case _:
            return None


def cache_control(cache: CacheMark | None) -> dict[str, Any]:
    """Write a cache mark as the member of a block; lifetimes that Anthropic does not know are left out."""
    if cache is None:
        return {}
    return {"cache_control": {"type": "ephemeral"} | ({"ttl": cache.ttl} if cache.ttl in TTLS else {})}


def media_block(block: MediaBlock) -> dict[str, Any] | None:
    """Write media as an image or document block; None when Anthropic has no such block.

    Images are jpeg, png, gif or webp, documents PDF or plain text (anthropic SDK 2.14.0); URLs are fetched by the provider, so
    only those of the web are of use.
    """
    if not _is_taken(block):
        return None
    source: dict[str, Any]
    is_own = any(extra.format == NAME for extra in block.ext)
    match block.source:
        case "base64" if not is_own and (text := text_of_document(block)) is not None:
            source = {"type": "text", "media_type": "text/plain", "data": text}
        case "base64":
            source = {"type": "base64", "media_type": _media_type(block), "data": block.data}
        case "url":
            source = {"type": "url", "url": block.data}
        case "file_id":
            source = {"type": "file", "file_id": block.data}
        case "text":
            source = {"type": "text", "media_type": "text/plain", "data": block.data}
        case "blocks":
            source = {"type": "content", "content": decode(block.data)}
    if block.kind == "image":
        return {"type": "image", "source": source, **cache_control(block.cache)}
    if block.kind == "document":
        title = {"title": block.name} if block.name is not None else {}
        return {"type": "document", "source": source, **title, **cache_control(block.cache)}
    return None


def _is_taken(block: MediaBlock) -> bool:
    """Say whether Anthropic takes such media, or wrote them itself."""
    if any(extra.format == NAME for extra in block.ext):
        return True
    match block.source:
        case "base64":
            taken = IMAGE_TYPES if block.kind == "image" else _DOCUMENT_TYPES
            return block.media_type is None or block.media_type in taken or text_of_document(block) is not None
        case "url":
            return block.data.startswith(("https://", "http://"))
        case "file_id":
            return block.provider == NAME
        case _:
            return True


def _media_type(block: MediaBlock) -> str:
    """Tell the media type of base64: the one it came with, the one that its first bytes show, or the usual one."""
    if block.media_type:
        return block.media_type
    usual, taken = ("image/png", IMAGE_TYPES) if block.kind == "image" else ("application/pdf", _DOCUMENT_TYPES)
    found = media_type_of(head_bytes(block.data))
    return found if found is not None and found in taken else usual
