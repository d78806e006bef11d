"""Joining the events of Cohere's chat streams, version 2 (https://docs.cohere.com/v2/docs/streaming), to an answer."""

from collections.abc import Sequence
from typing import Any

from lighter.envelope import Opened
from lighter.formats._opening import opened_answer
from lighter.formats._streaming import Assembled, Ledger, append, in_order, index_of, mapping, renew, settled, take
from lighter.formats.cohere.shapes import NAME
from lighter.streams import COHERE_EVENTS, may_be_event

_LISTS = ("content", "tool_calls", "citations")
_FRAMING = ("type", "index", "delta", "id")


def is_chunk(value: Any) -> bool:
    """Say whether a value is an event with a piece of an answer."""
    kind = value.get("type") if isinstance(value, dict) else None
    return isinstance(kind, str) and kind in COHERE_EVENTS


def goes_on(value: Any) -> bool:
    """Say whether a value may go on with a stream that has begun: also events of a kind that is not known."""
    return is_chunk(value) or may_be_event(value)


def begins(chunk: Any, before: Sequence[Any]) -> bool:
    """Say whether an event is of another answer than those before it."""
    return chunk.get("type") == "message-start" or mapping(before[-1]).get("type") == "message-end"


def assemble(chunks: Sequence[Any]) -> Assembled:
    """Join events to one answer; the arguments of a call that was cut off stay as far as they came."""
    ledger = Ledger()
    value: dict[str, Any] = {}
    message: dict[str, Any] = {"role": "assistant"}
    found: dict[str, dict[int, dict[str, Any]]] = {kind: {} for kind in _LISTS}
    is_begun = is_complete = False
    for chunk in ledger.pieces(chunks):
        delta = mapping(chunk.get("delta"))
        said = mapping(delta.get("message"))
        match chunk.get("type"):
            case "message-start":
                is_begun = True
                take(value, {"id": chunk.get("id")}, ledger, "")
                take(message, said, ledger, "/delta/message", skip=_LISTS)
            case "message-end":
                is_complete = True
                take(value, {"id": chunk.get("id")}, ledger, "")
                renew(value, delta)
            case "tool-plan-delta":
                append(message, "tool_plan", said.get("tool_plan"), ledger, "/delta/message")
            case str(kind) if kind in COHERE_EVENTS:
                if isinstance(chunk.get("logprobs"), dict):
                    append(value, "logprobs", [chunk["logprobs"]], ledger, "")
                _add(found, chunk, said, ledger)
            case _:
                ledger.lose_between(chunk)
    message |= {kind: in_order(items) for kind, items in found.items() if items}
    order = ("id", "message", "finish_reason")
    whole = {"id": value.get("id"), "message": message, **{k: v for k, v in value.items() if k not in order}}
    whole |= {"finish_reason": value["finish_reason"]} if "finish_reason" in value else {}
    return Assembled(settled(whole), is_begun and is_complete, ledger.told())


def _add(
    found: dict[str, dict[int, dict[str, Any]]], chunk: dict[str, Any], said: dict[str, Any], ledger: Ledger
) -> None:
    """Add to a part of content, a call or a citation what an event says of it."""
    for kind, item in said.items():
        path = f"/delta/message/{kind}"
        if kind not in found or not isinstance(item, dict):
            if item not in (None, [], ""):
                ledger.lose(path, "stream-delta", "a piece of a kind that is not known")
            continue
        index = index_of(chunk)
        known = found[kind].setdefault(max(found[kind], default=0) if index is None else index, {})
        if kind == "content" and "type" not in known and "type" not in item:
            known["type"] = "thinking" if "thinking" in item else "text"
        for key, held in item.items():
            if key == "function" and isinstance(held, dict):
                function = known[key] = dict(mapping(known.get(key)))
                append(function, "arguments", held.get("arguments"), ledger, f"{path}/function")
                take(function, held, ledger, f"{path}/function", skip=("arguments",))
            elif key in ("text", "thinking") and kind == "content":
                append(known, key, held, ledger, path)
            else:
                take(known, {key: held}, ledger, path)


def opened(value: dict[str, Any]) -> Opened:
    """Open a joined answer, also one that was cut off and has no reason why it ended."""
    return opened_answer(NAME, value)
