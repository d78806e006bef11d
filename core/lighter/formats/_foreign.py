"""Formats that lighter knows by sight but cannot read yet, so that a file of theirs is named instead of misread."""

from collections.abc import Callable, Iterator
from typing import Any

from lighter.envelope import decoded

_LANGCHAIN_TYPES = frozenset({"human", "ai", "tool", "system", "function", "AIMessageChunk", "HumanMessageChunk"})


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
