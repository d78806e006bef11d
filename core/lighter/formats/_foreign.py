"""Formats that lighter knows by sight but cannot read yet, so that a file of theirs is named instead of misread."""

from collections.abc import Callable, Iterator
from typing import Any

from lighter.envelope import decoded

_BEDROCK_BLOCKS = frozenset({"text", "image", "document", "video", "toolUse", "toolResult", "reasoningContent", "cachePoint",
                             "guardContent", "citationsContent"})  # fmt: skip
_LANGCHAIN_TYPES = frozenset({"human", "ai", "tool", "system", "function", "AIMessageChunk", "HumanMessageChunk"})


def _gemini(value: dict[str, Any]) -> str | None:
    for key in ("contents", "candidates", "systemInstruction", "usageMetadata"):
        if key in value:
            return f"`{key}`"
    if isinstance(value.get("parts"), list) and "content" not in value and value.get("role") in ("user", "model", None):
        return "`parts` without `content`"
    return None


def _bedrock(value: dict[str, Any]) -> str | None:
    for key in ("inferenceConfig", "toolConfig", "stopReason", "inputBodyJson"):
        if key in value:
            return f"`{key}`"
    messages = value.get("messages") if "messages" in value else [value]
    contents = (
        [message.get("content") for message in messages if isinstance(message, dict)]
        if isinstance(messages, list)
        else []
    )
    if any(isinstance(content, str) for content in contents):
        return None  # a chat in which a part lost its type
    for content in contents:
        if isinstance(content, list) and any(_is_converse_block(block) for block in content):
            return "content blocks with one key and no `type`"
    return None


def _is_converse_block(block: Any) -> bool:
    return isinstance(block, dict) and len(block) == 1 and not _BEDROCK_BLOCKS.isdisjoint(block)


def _langchain(value: dict[str, Any]) -> str | None:
    if value.get("lc") == 1:
        return "`lc: 1`"
    kind = value.get("type")
    if (
        isinstance(kind, str)
        and kind in _LANGCHAIN_TYPES
        and ("content" in value or "data" in value)
        and "role" not in value
    ):
        return f"message type {kind}"
    return None


def _claude_code(value: dict[str, Any]) -> str | None:
    return "`uuid`, `sessionId` and `message`" if {"uuid", "sessionId", "message"} <= value.keys() else None


def _sharegpt(value: dict[str, Any]) -> str | None:
    return "`conversations`" if isinstance(value.get("conversations"), list) else None


_SIGHTS: dict[str, Callable[[dict[str, Any]], str | None]] = {
    "gemini": _gemini,
    "bedrock": _bedrock,
    "langchain": _langchain,
    "claude-code": _claude_code,
    "sharegpt": _sharegpt,
}


def foreign_evidence(value: Any) -> Iterator[tuple[str, int, str]]:
    """Yield format, weight and reason for a record of a format that cannot be read yet."""
    pending = [value]
    if isinstance(value, dict):
        pending += [decoded(value[key]) for key in ("request", "response", "body", "input", "output") if key in value]
    elif isinstance(value, list):
        pending = list(value[:8])
    for item in pending:
        if isinstance(item, dict):
            for name, sight in _SIGHTS.items():
                if reason := sight(item):
                    yield name, 12, reason
