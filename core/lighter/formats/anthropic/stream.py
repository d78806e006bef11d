"""Joining the events of Anthropic's streams to a message (https://docs.anthropic.com/en/docs/build-with-claude/streaming)."""

from collections.abc import Sequence
from typing import Any

from lighter.formats._streaming import (
    Assembled,
    Ledger,
    append,
    in_order,
    index_of,
    joined_input,
    mapping,
    renew,
    settled,
    take,
)
from lighter.streams import EVENTS, may_be_event

ARGUMENTS_ARE_VALUES = True
_FRAMING = ("type", "index")
_TEXTS = {"text_delta": "text", "thinking_delta": "thinking", "compaction_delta": "content"}
_INPUT = "input_json"


def is_chunk(value: Any) -> bool:
    """Say whether a value is an event with a piece of a message."""
    kind = value.get("type") if isinstance(value, dict) else None
    return isinstance(kind, str) and kind in EVENTS


def goes_on(value: Any) -> bool:
    """Say whether a value may go on with a stream that has begun: also events of a kind that is not known."""
    return is_chunk(value) or may_be_event(value)


def begins(chunk: Any, before: Sequence[Any]) -> bool:
    """Say whether an event is of another message than those before it."""
    return chunk.get("type") == "message_start" or mapping(before[-1]).get("type") == "message_stop"


def assemble(chunks: Sequence[Any]) -> Assembled:
    """Join events to one message; the input of a call that was cut off stays the text that came."""
    ledger = Ledger()
    message: dict[str, Any] = {}
    blocks: dict[int, dict[str, Any]] = {}
    is_begun = is_complete = False
    current: int | None = None
    for chunk in ledger.pieces(chunks):
        match chunk:
            case {"type": "message_start", "message": dict(start)}:
                is_begun = True
                message |= start
                listed = start.get("content")
                opening = listed if isinstance(listed, list) else []
                blocks |= {index: dict(block) for index, block in enumerate(opening) if isinstance(block, dict)}
            case {"type": "content_block_start", "content_block": dict(block)}:
                current = _index(chunk, blocks)
                blocks[current] = dict(block)
            case {"type": "content_block_delta", "delta": dict(delta)}:
                current = _index(chunk, blocks)
                _add(blocks.setdefault(current, _unopened(delta)), delta, ledger)
            case {"type": "message_delta"}:
                renew(message, mapping(chunk.get("delta")), skip=("type",))
                renew(message, {key: item for key, item in chunk.items() if key not in ("type", "delta")})
            case {"type": "message_stop"}:
                is_complete = True
                take(message, chunk, ledger, "", skip=_FRAMING)
            case {"type": "content_block_stop"}:
                current = None
                take(blocks.get(_index(chunk, blocks), {}), chunk, ledger, "", skip=_FRAMING)
            case _:
                ledger.lose_between(chunk)
    message.setdefault("stop_reason", None)
    is_complete |= message["stop_reason"] is not None
    cut = None if is_complete else blocks.get(current) if current is not None else None
    message["content"] = [_finished(block, is_cut=block is cut) for block in in_order(blocks)]
    message = {"type": "message", "role": "assistant", **message} if "role" not in message else message
    return Assembled(settled(message), is_begun and is_complete, ledger.told())


def _index(chunk: dict[str, Any], blocks: dict[int, dict[str, Any]]) -> int:
    """Tell which block an event is of; the last one when it does not say."""
    index = index_of(chunk)
    return max(blocks, default=0) if index is None else index


def _unopened(delta: dict[str, Any]) -> dict[str, Any]:
    """Begin a block of which the start is missing."""
    match delta.get("type"):
        case "thinking_delta" | "signature_delta":
            return {"type": "thinking", "thinking": "", "signature": ""}
        case "input_json_delta":
            return {"type": "tool_use"}
        case "compaction_delta":
            return {"type": "compaction"}
        case _:
            return {"type": "text", "text": ""}


def _add(block: dict[str, Any], delta: dict[str, Any], ledger: Ledger) -> None:
    """Add a delta to its block."""
    match delta:
        case {"type": str(kind)} if kind in _TEXTS:
            append(block, _TEXTS[kind], delta.get(_TEXTS[kind]), ledger, "/delta")
            take(block, delta, ledger, "/delta", skip=("type", _TEXTS[kind]))
        case {"type": "input_json_delta", "partial_json": str(text)}:
            append(block, _INPUT, text, ledger, "/delta")
        case {"type": "signature_delta", "signature": signature}:
            block["signature"] = signature
        case {"type": "citations_delta", "citation": citation}:
            append(block, "citations", [citation], ledger, "/delta")
        case _:
            ledger.lose("/delta", "stream-delta", "a piece of a kind that is not known")


def _finished(block: dict[str, Any], *, is_cut: bool) -> dict[str, Any]:
    """Give a block with the input that its pieces say; the empty one that a call begins with says nothing."""
    is_open_call = is_cut and str(block.get("type")).endswith("tool_use")
    if _INPUT not in block and not is_open_call:
        return block
    text = settled(block.pop(_INPUT, ""))
    if text or block.get("input") in (None, "", {}):
        block["input"] = joined_input(text, is_cut=is_cut)
    return block
