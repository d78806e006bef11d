"""Reading the content blocks of Bedrock; a cache point becomes the mark of the block before it."""

from collections.abc import Mapping
from typing import Any

from msgspec.structs import replace

from lighter.conversation import BlockOrigin
from lighter.formats._reading import Placed, extras, json_block, undivided
from lighter.formats.bedrock.blobs import as_base64, decoded_text, encoded
from lighter.formats.bedrock.media import read_media
from lighter.formats.bedrock.shapes import (
    BLOCK_KEYS,
    CITATIONS,
    GUARD,
    NAME,
    RESULT_KEYS,
    SPELLING,
    block_key,
    cache_point,
)
from lighter.jsontext import encode_text, step
from lighter.messages import (
    Block,
    CacheMark,
    Extra,
    MediaBlock,
    Message,
    Opaque,
    OpaqueBlock,
    ReasoningBlock,
    TextBlock,
    ToolCall,
    ToolResultBlock,
    blocks_of,
    with_blocks,
)

CLAUDE = "anthropic"
"""Whose signatures and redacted reasoning these are: Claude's are the same here as at Anthropic."""

CALL_FIELDS = {"call_id": "/toolUse/toolUseId", "tool_name": "/toolUse/name", "arguments": "/toolUse/input"}


def read_blocks(content: Any, path: str) -> Placed:
    """Read the value of `content` or `system`: a list of blocks, text in its place, or something else that is kept as it is."""
    if not isinstance(content, list):
        return undivided(NAME, content, path)
    placed: Placed = []
    for index, block in enumerate(content):
        place = path + step(index)
        if (point := cache_point(block)) is None or not mark_last(placed, point[0], place):
            placed.append(read_block(block, place))
    return placed


def mark_last(placed: Placed, ttl: str | None, path: str) -> bool:
    """Put the mark of the cache point at `path` on the last block; say whether that can carry one."""
    if not placed:
        return False
    block, origin = placed[-1]
    if block.cache is not None or not _is_held_by_all(block):
        return False
    marked = BlockOrigin(origin.path, origin.fields, {"cache": path if ttl is None else f"{path}/cachePoint"})
    placed[-1] = replace(block, cache=CacheMark(ttl)), marked
    return True


def _is_held_by_all(block: Block) -> bool:
    """Say whether other formats hold such a block: what one drops must not take a mark with it that stands elsewhere."""
    match block:
        case TextBlock():
            return bool(block.text.strip())
        case ToolCall():
            return block.kind == "function"
        case MediaBlock():
            return block.kind == "image" and block.source == "base64"
        case _:
            return False


def read_block(block: Any, path: str) -> tuple[Block, BlockOrigin]:
    """Read one block; one that is not known is kept whole."""
    key = block_key(block)
    read: tuple[Block, BlockOrigin] | None = None
    match key:
        case "text" if isinstance(text := block["text"], str):
            kept = extras(NAME, block, {"text"})
            blank = () if text.strip() else (Extra(SPELLING, "/text", encode_text(text)),)  # so that it is written back
            read = TextBlock(text, ext=(*kept, *blank)), BlockOrigin(path, {"text": "/text"})
        case "toolUse":
            read = _call(block, path)
        case "toolResult":
            read = _inner_result(block, path)
        case "reasoningContent":
            read = _reasoning(block, path)
        case "citationsContent":
            read = _cited(block, path)
        case "guardContent":
            read = _guarded(block, path)
        case "image" | "document" | "video" | "audio":
            read = read_media(block, key, path)
        case _:
            pass
    return read or (OpaqueBlock(NAME, key or _native_type(block), encode_text(block)), BlockOrigin(path))


def _native_type(block: Any) -> str:
    """Name a block that is not known: by its first key of the known ones, else by its only one."""
    if not isinstance(block, dict):
        return "block"
    return next((key for key in block if key in BLOCK_KEYS), next(iter(block)) if len(block) == 1 else "block")


def _call(block: Mapping[str, Any], path: str) -> tuple[Block, BlockOrigin] | None:
    match block["toolUse"]:
        case {"toolUseId": str(call_id), "name": str(name), "input": value} as raw if call_id:
            kept = (*extras(NAME, block, {"toolUse"}), *extras(NAME, raw, {"toolUseId", "name", "input"}, "/toolUse"))
            if not isinstance(value, dict):
                kept = (*kept, Extra(SPELLING, "/toolUse/input", encode_text(value)))
            kind: Any = "server" if raw.get("type") == "server_tool_use" else "function"
            return ToolCall(call_id, name, encode_text(value), kind, ext=kept), BlockOrigin(path, CALL_FIELDS)
        case _:
            return None


def _inner_result(block: Mapping[str, Any], path: str) -> tuple[Block, BlockOrigin] | None:
    """Read a result that stands in an assistant's turn: that of a tool which Bedrock itself ran."""
    match block["toolResult"]:
        case {"toolUseId": str(call_id), "content": content} as raw:
            kept = (*extras(NAME, block, {"toolResult"}), *extras(NAME, raw, {"toolUseId", "content"}, "/toolResult"))
            return ToolResultBlock(call_id, "toolResult", encode_text(content), ext=kept), BlockOrigin(path)
        case _:
            return None


def _reasoning(block: Mapping[str, Any], path: str) -> tuple[Block, BlockOrigin] | None:
    kept = extras(NAME, block, {"reasoningContent"})
    base = "/reasoningContent"
    match block["reasoningContent"]:
        case {"reasoningText": {"text": str(text)} as inner} as held if "redactedContent" not in held:
            signature = inner.get("signature")
            signed = isinstance(signature, str)
            kept += extras(NAME, held, {"reasoningText"}, base)
            kept += extras(NAME, inner, {"text", *(("signature",) if signed else ())}, f"{base}/reasoningText")
            opaque = (Opaque(CLAUDE, "signature", signature),) if isinstance(signature, str) else ()
            fields = {"text": f"{base}/reasoningText/text", "opaque": f"{base}/reasoningText/signature"}
            return ReasoningBlock(text, opaque, ext=kept), BlockOrigin(path, fields)
        case {"redactedContent": str(raw)} as held if "reasoningText" not in held:
            kept += extras(NAME, held, {"redactedContent"}, base)
            data = as_base64(raw)
            if data != raw:
                kept = (*kept, Extra(SPELLING, f"{base}/redactedContent", encode_text(raw)))
            told = decoded_text(data)
            own = Opaque(NAME, "redacted", data) if told is None else Opaque(CLAUDE, "redacted", told)
            return ReasoningBlock("", (own,), ext=kept), BlockOrigin(path, {"opaque": f"{base}/redactedContent"})
        case _:
            return None


def of_another_model(message: Message) -> Message:
    """Give a message whose reasoning is not Claude's: only Bedrock, which holds all its models, can take the signatures back."""
    blocks = blocks_of(message)
    if not any(isinstance(block, ReasoningBlock) and block.opaque for block in blocks):
        return message
    own: Any = message
    return with_blocks(own, [_retagged(block) for block in blocks])  # type: ignore[no-any-return]  # a message of the same class


def _retagged(block: Block) -> Block:
    if not isinstance(block, ReasoningBlock):
        return block
    return replace(block, opaque=tuple(map(_as_own, block.opaque)))


def _as_own(opaque: Opaque) -> Opaque:
    is_text = opaque.kind == "redacted" and opaque.provider == CLAUDE
    return replace(opaque, provider=NAME, data=encoded(opaque.data) if is_text else opaque.data)


def _cited(block: Mapping[str, Any], path: str) -> tuple[Block, BlockOrigin] | None:
    """Read text with citations as text; how it is divided, and what it cites, is kept beside it."""
    match block["citationsContent"]:
        case {"content": [*pieces]} as raw if pieces and all(_is_plain_text(piece) for piece in pieces):
            base = "/citationsContent"
            kept = (*extras(NAME, block, {"citationsContent"}), *extras(NAME, raw, {"content"}, base))
            kept = (*kept, Extra(SPELLING, f"{base}/content", encode_text(pieces)), Extra(CITATIONS, "", "true"))
            place = f"{base}/content/0/text" if len(pieces) == 1 else f"{base}/content"
            text = "".join(piece["text"] for piece in pieces)
            return TextBlock(text, ext=kept), BlockOrigin(path, {"text": place})
        case _:
            return None


def _guarded(block: Mapping[str, Any], path: str) -> tuple[Block, BlockOrigin] | None:
    """Read text that a guardrail is to look at as text; what it is looked at for is kept beside it."""
    match block["guardContent"]:
        case {"text": {"text": str(text)} as inner} as held if "image" not in held and text.strip():
            base = "/guardContent/text"
            kept = (*extras(NAME, block, {"guardContent"}), *extras(NAME, held, {"text"}, "/guardContent"))
            kept = (*kept, *extras(NAME, inner, {"text"}, base), Extra(GUARD, "", "true"))
            return TextBlock(text, ext=kept), BlockOrigin(path, {"text": f"{base}/text"})
        case _:
            return None


def _is_plain_text(piece: Any) -> bool:
    return isinstance(piece, dict) and piece.keys() == {"text"} and isinstance(piece["text"], str)


def read_result_blocks(content: Any, path: str) -> Placed:
    """Read the content of a result, which may hold JSON values."""
    if not isinstance(content, list):
        return read_blocks(content, path)
    return [_result_block(block, path + step(index)) for index, block in enumerate(content)]


def _result_block(block: Any, path: str) -> tuple[Block, BlockOrigin]:
    if block_key(block, RESULT_KEYS) == "json" or (isinstance(block, dict) and block.keys() == {"json"}):
        held = json_block(block["json"])
        kept = (*held.ext, *extras(NAME, block, {"json"}))
        return replace(held, ext=kept), BlockOrigin(path, {"text": "/json"})
    return read_block(block, path)
