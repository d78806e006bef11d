"""What other formats hold that Anthropic has, too: marks that routers take on messages, and what Bedrock spells differently."""

import base64
import binascii
from collections.abc import Iterable, Iterator
from typing import Any

from lighter.conversation import Conversation, Tool
from lighter.formats.anthropic.shapes import NAME, TTLS
from lighter.jsontext import decode
from lighter.messages import ABSENT, Block, Extra, MediaBlock, OpaqueBlock

BEDROCK = "bedrock"
CLAUDE_FIELDS = "/additionalModelRequestFields"
"""Where Bedrock's requests hold what is Claude's own."""

_HANDED_ON = ("/thinking", "/anthropic_beta", "/output_config")
_UNMARKED = frozenset({"thinking", "redacted_thinking"})
"""Blocks that carry no cache mark (anthropic SDK 2.14.0)."""


def routed_mark(ext: Iterable[Extra]) -> dict[str, Any] | None:
    """Give the cache mark of Anthropic that a chat holds for routers; None when there is none of the known shape."""
    found = (extra for extra in ext if extra.path == "/cache_control" and extra.format != NAME and extra.json != ABSENT)
    mark = next((decode(extra.json) for extra in found), None)
    return mark if isinstance(mark, dict) and mark.get("type") == "ephemeral" else None


def mark_before(content: list[Any], mark: dict[str, Any]) -> bool:
    """Put the mark of a cache point on the block before it; say whether that can carry one."""
    return bool(content) and content[-1].get("type") not in _UNMARKED and mark_last(content[-1:], mark)


def mark_last(content: list[Any], mark: dict[str, Any]) -> bool:
    """Put a cache mark on the last block that can carry one; say whether there was such a block without a mark."""
    for block in reversed(content):
        if isinstance(block, dict) and block.get("type") not in _UNMARKED:
            if "cache_control" in block:
                return False
            block["cache_control"] = mark
            return True
    return False


def search_result(block: OpaqueBlock) -> dict[str, Any] | None:
    """Write a search result of Bedrock; None when it is none, or holds more than Anthropic's does."""
    if (block.format, block.native_type) != (BEDROCK, "searchResult"):
        return None
    match decode(block.json):
        case {
            "searchResult": {"source": str(source), "title": str(title), "content": list(texts)} as found,
            **more,
        } if (
            not more
            and found.keys() <= {"source", "title", "content", "citations"}
            and all(_is_text(text) for text in texts)
        ):
            content = [{"type": "text", "text": text["text"]} for text in texts]
            cited = {"citations": found["citations"]} if "citations" in found else {}
            return {"type": "search_result", "source": source, "title": title, "content": content, **cited}
        case _:
            return None


def _is_text(block: Any) -> bool:
    return isinstance(block, dict) and block.keys() == {"text"} and isinstance(block["text"], str)


def document_fields(block: MediaBlock) -> Iterator[tuple[str, str, Any]]:
    """Give what a document of Bedrock tells beside its source: the extra's pointer, the key here, and the value."""
    for extra in block.ext:
        value = decode(extra.json) if extra.format == BEDROCK and extra.json != ABSENT else None
        match extra.path, value:
            case "/document/context", str():
                yield extra.path, "context", value
            case "/document/citations", {"enabled": bool(), **rest} if not rest:
                yield extra.path, "citations", value


def text_of_document(block: MediaBlock) -> str | None:
    """Give the text that the base64 of a text document stands for; None for other documents, and for what is no text."""
    if block.kind != "document" or block.source != "base64" or not (block.media_type or "").startswith("text/"):
        return None
    try:
        return base64.b64decode(block.data, validate=True).decode("utf-8") or None
    except (binascii.Error, ValueError):
        return None


def claude_fields(conversation: Conversation) -> Iterator[tuple[str, str, Any]]:
    """Give what a request to Bedrock asks of Claude as its own: the extra's pointer, the key here, and the value."""
    for extra in conversation.ext:
        key = extra.path.removeprefix(CLAUDE_FIELDS)
        if extra.format == BEDROCK and extra.path.startswith(CLAUDE_FIELDS) and key in _HANDED_ON:
            yield extra.path, key[1:], decode(extra.json)


def cache_point_mark(owner: Tool | Block) -> dict[str, Any] | None:
    """Give the cache mark that a cache point among Bedrock's tools or blocks stands for; None for anything else."""
    match owner:
        case Tool(native=Extra(format="bedrock", json=json)) | OpaqueBlock(format="bedrock", json=json):
            return _cache_point(decode(json))
        case _:
            return None


def _cache_point(value: Any) -> dict[str, Any] | None:
    match value:
        case {"cachePoint": {"type": "default", **more}, **rest} if not rest:
            if not more:
                return {"type": "ephemeral"}
            return {"type": "ephemeral", "ttl": more["ttl"]} if more.keys() == {"ttl"} and more["ttl"] in TTLS else None
        case _:
            return None


def routed_tool_mark(tool: Tool) -> tuple[str, dict[str, Any]] | None:
    """Give where a chat's tool holds a cache mark for routers, beside its function or in it, and the mark."""
    for extra in tool.ext:
        if extra.path in ("/cache_control", "/function/cache_control"):
            mark = routed_mark([Extra(extra.format, "/cache_control", extra.json)])
            if mark is not None:
                return extra.path, mark
    return None
