"""The names of Bedrock Converse that its readers and writers share."""

import re
from collections.abc import Mapping
from typing import Any

from lighter.formats._notes import CITED, GUARDED

NAME = "bedrock"
SPELLING = f"{NAME}-spelling"
CITATIONS, GUARD = f"{NAME}{CITED}", f"{NAME}{GUARDED}"
TURN = f"{NAME}-turn"
"""The format name of extras that stand on the message that holds a result, while their owner is the result."""

TTLS = ("5m", "1h")
"""The cache lifetimes that Bedrock knows (`CacheTTL`)."""

BLOCK_KEYS = frozenset({
    "text", "image", "document", "video", "audio", "toolUse", "toolResult", "guardContent", "cachePoint",
    "reasoningContent", "citationsContent", "searchResult", "toolAddition", "toolRemoval",
})  # fmt: skip
"""The members of the union `ContentBlock`."""

RESULT_KEYS = frozenset({"json", "text", "image", "document", "video", "searchResult"})
"""The members of the union `ToolResultContentBlock`."""


def block_key(block: Any, keys: frozenset[str] = BLOCK_KEYS) -> str | None:
    """Tell the one key that says what a block is; None when there is none, several, or a `type` as in other formats."""
    if not isinstance(block, dict) or "type" in block:
        return None
    found = [key for key in block if key in keys and block[key] is not None]
    return found[0] if len(found) == 1 else None


def cache_point(block: Any) -> tuple[str | None] | None:
    """Give the lifetime that a cache point asks for (None: the usual one), in a tuple; None for what is no plain cache point."""
    match block:
        case {"cachePoint": {"type": "default", **more}, **rest} if not rest:
            match more:
                case {"ttl": str(ttl), **others} if not others:
                    return (ttl,)
                case _:
                    return None if more else (None,)
        case _:
            return None


def is_event(value: Mapping[str, Any]) -> bool:
    """Say whether an object is an event of a stream, by the members that each kind of them has."""
    match value:
        case (
            {"metadata": {"usage": {"inputTokens": _}}}
            | {"messageStart": {"role": _}}
            | {"messageStop": {"stopReason": _}}
        ):
            return True
        case (
            {"contentBlockStart": dict(event)} | {"contentBlockDelta": dict(event)} | {"contentBlockStop": dict(event)}
        ):
            return "contentBlockIndex" in event
        case _:
            return False


MEDIA_TYPES: Mapping[str, Mapping[str, str]] = {
    "image": {"png": "image/png", "jpeg": "image/jpeg", "gif": "image/gif", "webp": "image/webp"},
    "document": {
        "pdf": "application/pdf",
        "csv": "text/csv",
        "doc": "application/msword",
        "docx": "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
        "xls": "application/vnd.ms-excel",
        "xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
        "html": "text/html",
        "txt": "text/plain",
        "md": "text/markdown",
    },
    "video": {
        "mkv": "video/x-matroska",
        "mov": "video/quicktime",
        "mp4": "video/mp4",
        "webm": "video/webm",
        "flv": "video/x-flv",
        "mpeg": "video/mpeg",
        "mpg": "video/mpeg",
        "wmv": "video/x-ms-wmv",
        "three_gp": "video/3gpp",
    },
    "audio": {
        "mp3": "audio/mpeg",
        "opus": "audio/opus",
        "wav": "audio/wav",
        "aac": "audio/aac",
        "flac": "audio/flac",
        "mp4": "audio/mp4",
        "ogg": "audio/ogg",
        "mkv": "audio/x-matroska",
        "mka": "audio/x-matroska",
        "x-aac": "audio/x-aac",
        "m4a": "audio/mp4",
        "mpeg": "audio/mpeg",
        "mpga": "audio/mpeg",
        "pcm": "audio/pcm",
        "webm": "audio/webm",
    },
}
"""The media types of Bedrock's formats (`ImageFormat`, `DocumentFormat`, `VideoFormat`, `AudioFormat`)."""

_SAME_TYPES = {
    "image/jpg": "image/jpeg",
    "audio/mp3": "audio/mpeg",
    "audio/x-wav": "audio/wav",
    "audio/wave": "audio/wav",
    "audio/x-m4a": "audio/mp4",
    "text/x-markdown": "text/markdown",
}


def format_of(kind: str, media_type: str) -> str | None:
    """Give Bedrock's name of a media type, the first of several; None when it has none."""
    media_type = media_type.partition(";")[0].strip().lower()
    wanted = _SAME_TYPES.get(media_type, media_type)
    return next((name for name, known in MEDIA_TYPES.get(kind, {}).items() if known == wanted), None)


_VENDOR = re.compile(r"(?:^|/)(?:[a-z-]{2,7}\.)?([a-z0-9]+)\.[a-z]", re.IGNORECASE)
"""Whose a model at Bedrock is: `deepseek.r1-v1:0`, in a region's profile `us.deepseek.r1-v1:0`, or at the end of an ARN."""


def is_foreign_to_claude(model: str) -> bool:
    """Say whether a model at Bedrock is certainly another vendor's than Claude's; names that tell no vendor could be anybody's."""
    found = _VENDOR.search(model)
    return found is not None and found[1].lower() != "anthropic" and "claude" not in model.lower()


_SAYING = frozenset({"text", "cachePoint", "reasoningContent"})
"""The keys of a block that says something, or nothing."""


def is_text_alone(raw: Any) -> bool:
    """Say whether a message is certain to be text: all of its blocks say something, and it has no calls of a chat."""
    blocks = raw.get("content") if isinstance(raw, dict) and "tool_calls" not in raw else None
    return isinstance(blocks, list) and all(isinstance(block, dict) and block.keys() <= _SAYING for block in blocks)
