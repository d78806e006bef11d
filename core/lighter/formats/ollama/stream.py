"""Joining the lines of Ollama's chat streams (https://docs.ollama.com/api/streaming): texts are appended, calls come whole."""

from collections.abc import Sequence
from typing import Any

from lighter.envelope import Opened
from lighter.formats._opening import opened_answer
from lighter.formats._streaming import Assembled, Ledger, append, mapping, settled, take
from lighter.formats.ollama.shapes import NAME

MAY_BE_WHOLE = True

_TEXTS = ("content", "thinking")
_LISTS = ("tool_calls", "images")


def is_chunk(value: Any) -> bool:
    """Say whether a value is a line of a stream; the last one looks like a whole answer."""
    match value:
        case {"message": dict(), "done": bool(), **rest}:
            return "choices" not in rest and "type" not in rest
        case _:
            return False


def begins(_chunk: Any, before: Sequence[Any]) -> bool:
    """Say whether a line is of another answer than those before it."""
    return mapping(before[-1]).get("done") is True


def assemble(chunks: Sequence[Any]) -> Assembled:
    """Join lines to one answer; what stands beside the message is that of the last line."""
    ledger = Ledger()
    message: dict[str, Any] = {}
    value: dict[str, Any] = {}
    for chunk in ledger.pieces(chunks):
        if "message" not in chunk:
            ledger.lose_between(chunk)
            continue
        for key, item in chunk.items():
            if key == "logprobs":
                append(value, key, item, ledger, "")
            elif item is not None or key not in value:
                value[key] = item
        for key, item in mapping(chunk["message"]).items():
            if key in _TEXTS or (key in _LISTS and isinstance(item, list)):
                append(message, key, item, ledger, "/message")
            else:
                take(message, {key: item}, ledger, "/message")
    value["message"] = message
    return Assembled(settled(value), value.get("done") is True, ledger.told())


def opened(value: dict[str, Any]) -> Opened:
    """Open a joined answer, also one that was cut off, which says itself that it is not done."""
    return opened_answer(NAME, value)
