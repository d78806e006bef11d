"""Formats that lighter knows by sight but cannot read yet, so that a file of theirs is named instead of misread."""

from collections.abc import Callable, Iterator
from typing import Any

from lighter.envelope import decoded
from lighter.formats._langchain_sniffing import form_of


def _claude_code(value: dict[str, Any]) -> str | None:
    return "`uuid`, `sessionId` and `message`" if {"uuid", "sessionId", "message"} <= value.keys() else None


def _sharegpt(value: dict[str, Any]) -> str | None:
    return "`conversations`" if isinstance(value.get("conversations"), list) else None


def _gemini_cli(value: dict[str, Any]) -> str | None:
    if {"sessionId", "projectHash"} <= value.keys():
        return "`sessionId` and `projectHash`"
    is_said = value.get("type") == "gemini" and "role" not in value and {"id", "content"} <= value.keys()
    return "message type gemini" if is_said else None


def _openhands(value: dict[str, Any]) -> str | None:
    kind = next((key for key in ("action", "observation") if isinstance(value.get(key), str)), None)
    is_event = kind is not None and "role" not in value and value.get("source") in ("agent", "user", "environment")
    return f"`source` and `{kind}`" if is_event and value.keys() & {"message", "args", "extras"} else None


def _grok(value: dict[str, Any]) -> str | None:
    if "role" in value or value.get("type") not in ("user", "assistant", "tool_result", "backend_tool_call"):
        return None
    key = next((key for key in ("prompt_index", "synthetic_reason", "model_fingerprint") if key in value), None)
    return f"message type {value['type']} with `{key}`" if key else None


_SIGHTS: dict[str, Callable[[dict[str, Any]], str | None]] = {
    "claude-code": _claude_code,
    "sharegpt": _sharegpt,
    "gemini-cli": _gemini_cli,
    "openhands": _openhands,
    "grok": _grok,
}


_WRAPPERS = ("request", "response", "body", "input", "output")
_HEAD = 8
"""How many items of a list are looked at."""

_DEPTH = 4
"""How many lists and objects may lie around what is looked at: pairs of event and state in a list, say."""


def foreign_evidence(value: Any) -> Iterator[tuple[str, int, str]]:
    """Yield format, weight and reason for a record of a format that cannot be read yet."""
    for item in _within(value, _DEPTH):
        for name, sight in _SIGHTS.items():
            if reason := sight(item):
                yield name, 12, reason


def _within(value: Any, depth: int) -> Iterator[dict[str, Any]]:
    """List the objects that may tell a record's format: itself, what it wraps, and the messages that it lists."""
    match value:
        case dict():
            yield value
            inner = [decoded(value[key]) for key in _WRAPPERS if key in value]
            if are_strangers(listed := value.get("messages")):
                inner.append(listed)
        case list():
            inner = value[:_HEAD]
        case _:
            return
    for item in inner if depth else ():
        yield from _within(item, depth - 1)


_SPEAKERS = frozenset({
    "human", "ai", "user", "assistant", "gemini", "model", "bot", "agent", "system", "tool", "function", "info", "error",
    "constructor", "AIMessageChunk", "HumanMessageChunk",
})  # fmt: skip
"""What logs of other worlds have under `type` where a chat has its role."""

_STRANGE_KEYS = frozenset(
    {"parts", "action", "observation", "kwargs", "lc", "source", "from", "author", "sender", "speaker"}
)
"""Keys that no chat has on its messages, and that say who speaks, or what was done, in other logs."""


def are_strangers(messages: Any) -> bool:
    """Say whether a list holds objects that are messages in no chat: none has a role, and each has what other logs have.

    A message of a chat that lacks its role has nothing else to tell whose it is, so it is none of these.
    """
    return isinstance(messages, list) and bool(messages) and all(map(_is_stranger, messages))


def _is_stranger(message: Any) -> bool:
    if not isinstance(message, dict) or "role" in message or form_of(message) is not None:
        return False
    kind = message.get("type")
    return (isinstance(kind, str) and kind in _SPEAKERS) or not _STRANGE_KEYS.isdisjoint(message)
