"""Files that hold nothing but the pieces of streamed answers: whose they are. They are not assembled, only named."""

from collections.abc import Sequence
from typing import Any

_CHAT, _ANTHROPIC = "openai-chat", "anthropic"
EVENTS = frozenset({
    "message_start", "message_delta", "message_stop", "content_block_start", "content_block_delta", "content_block_stop",
})  # fmt: skip
"""The events of Anthropic's streams that hold a piece of an answer."""

_BETWEEN = frozenset({"ping", "error"})
"""Events that come in streams and hold no piece of an answer (https://docs.anthropic.com/en/docs/build-with-claude/streaming)."""


def stream_of(values: Sequence[Any]) -> str | None:
    """Name the format of a stream when the values are its pieces and nothing else, one by one or in lists."""
    kinds: set[str] = set()
    for value in values:
        for item in value if isinstance(value, list) else (value,):
            kind = _kind_of(item)
            if kind is None:
                return None
            kinds.add(kind)
    kinds.discard("")
    return " and ".join(sorted(kinds)) or None


def _kind_of(value: Any) -> str | None:
    """Name the format that a value is a piece of; "" for what says nothing, None for what is no piece."""
    match value:
        case {"object": "chat.completion.chunk"} | {"choices": [{"delta": _}, *_]}:
            return _CHAT
        case {"type": str(kind)} if kind in EVENTS:
            return _ANTHROPIC
        case {"type": str(kind)} if kind in _BETWEEN and "role" not in value:
            return ""
        case _:
            return None
