"""Joining the events of Bedrock's ConverseStream to an answer of Converse.

https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_ConverseStreamOutput.html
"""

from collections.abc import Sequence
from typing import Any

from lighter.envelope import Body, Opened
from lighter.formats._streaming import (
    Assembled,
    Ledger,
    append,
    in_order,
    index_of,
    joined_input,
    mapping,
    object_at,
    renew,
    settled,
    take,
)
from lighter.formats.bedrock.shapes import NAME, is_event
from lighter.streams import CONVERSE_EVENTS, may_be_event

ARGUMENTS_ARE_VALUES = True
_FRAMING = ("contentBlockIndex", "delta", "start", "p")
"""Members that place a piece; `p` is padding."""


def is_chunk(value: Any) -> bool:
    """Say whether a value is an event with a piece of an answer: its one key names the event."""
    return isinstance(value, dict) and not value.keys() - {"p"} - CONVERSE_EVENTS and is_event(value)


def goes_on(value: Any) -> bool:
    """Say whether a value may go on with a stream that has begun: also errors, and events of a kind that is not known."""
    return is_chunk(value) or may_be_event(value)


def begins(chunk: Any, before: Sequence[Any]) -> bool:
    """Say whether an event is of another answer than those before it."""
    if "messageStart" in chunk:
        return True
    last = mapping(before[-1])
    return "metadata" in last or ("messageStop" in last and "metadata" not in chunk)


def assemble(chunks: Sequence[Any]) -> Assembled:
    """Join events to one answer; the input of a call that was cut off stays the text that came."""
    ledger = Ledger()
    value: dict[str, Any] = {"stopReason": None}
    message: dict[str, Any] = {"role": "assistant"}
    blocks: dict[int, dict[str, Any]] = {}
    is_begun = is_complete = False
    current: int | None = None
    for chunk in ledger.pieces(chunks):
        match chunk:
            case {"messageStart": dict(event)}:
                is_begun = True
                message |= {key: item for key, item in event.items() if key != "p"}
            case {"contentBlockStart": dict(event)}:
                current = _index(event, blocks)
                _start(blocks.setdefault(current, {}), mapping(event.get("start")))
            case {"contentBlockDelta": dict(event)}:
                current = _index(event, blocks)
                _add(blocks.setdefault(current, {}), mapping(event.get("delta")), ledger)
            case {"contentBlockStop": dict(event)}:
                current = None
                take(blocks.get(_index(event, blocks), {}), event, ledger, "/contentBlockStop", skip=_FRAMING)
            case {"messageStop": dict(event)}:
                is_complete = True
                renew(value, event, skip=("p",))
            case {"metadata": dict(event)}:
                renew(value, event, skip=("p",))
            case _:
                ledger.lose_between(chunk)
    cut = None if is_complete else blocks.get(current) if current is not None else None
    finished = (_finished(block, is_cut=block is cut) for block in in_order(blocks))
    message["content"] = [block for block in finished if block]
    return Assembled(settled({"output": {"message": message}, **value}), is_begun and is_complete, ledger.told())


def _index(event: dict[str, Any], blocks: dict[int, dict[str, Any]]) -> int:
    index = index_of(event, "contentBlockIndex")
    return max(blocks, default=0) if index is None else index


def _start(block: dict[str, Any], start: dict[str, Any]) -> None:
    for kind, item in start.items():
        block[kind] = dict(item) if isinstance(item, dict) else item


def _add(block: dict[str, Any], delta: dict[str, Any], ledger: Ledger) -> None:
    """Add a delta to its block."""
    path = "/contentBlockDelta/delta"
    for kind, item in delta.items():
        match kind, item:
            case "text", str():
                append(block, "text", item, ledger, path)
            case "toolUse", {"input": str(text)}:
                call = object_at(block, "toolUse")
                append(call, "input", text, ledger, f"{path}/toolUse")
                take(call, item, ledger, f"{path}/toolUse", skip=("input",))
            case "toolResult", list():
                append(object_at(block, "toolResult"), "content", item, ledger, path)
            case "reasoningContent", dict():
                _add_reasoning(object_at(block, "reasoningContent"), item, ledger, f"{path}/reasoningContent")
            case "citation", _:
                append(block, "citations", [item], ledger, path)
            case "image" | "toolUse", dict():
                take(object_at(block, kind), item, ledger, f"{path}/{kind}")
            case _:
                ledger.lose(f"{path}/{kind}", "stream-delta", "a piece of a kind that is not known")


def _add_reasoning(known: dict[str, Any], item: dict[str, Any], ledger: Ledger, path: str) -> None:
    for key, held in item.items():
        if key == "text":
            append(object_at(known, "reasoningText"), "text", held, ledger, path)
        elif key == "signature":
            append(object_at(known, "reasoningText"), "signature", held, ledger, path)
        else:
            take(known, {key: held}, ledger, path)


def _finished(block: dict[str, Any], *, is_cut: bool) -> dict[str, Any]:
    """Give a block as Converse does: input as a value, text with citations as `citationsContent`."""
    if isinstance(call := block.get("toolUse"), dict):
        text = settled(call.get("input"))
        if text is None or isinstance(text, str):
            call["input"] = joined_input(text or "", is_cut=is_cut)
    if "citations" in block:
        cited = {
            "content": [{"text": block.pop("text")}] if "text" in block else [],
            "citations": block.pop("citations"),
        }
        block["citationsContent"] = cited
    return block


def opened(value: dict[str, Any]) -> Opened:
    """Open a joined answer, also one that was cut off and has no stop reason."""
    rest = {key: held for key, held in value.items() if key != "output" and (key != "stopReason" or held is not None)}
    message = value["output"]["message"]
    return Opened("conversation", (Body((("/output/message", message, True),), response=rest, format=NAME),))
