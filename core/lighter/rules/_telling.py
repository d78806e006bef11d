"""How the rules speak of calls, results and messages, and which they show."""

import json
from functools import lru_cache
from typing import Any

from lighter.conversation import WireMessage
from lighter.excerpt import short
from lighter.pairs import CallAt, ResultAt
from lighter.passage import Passage
from lighter.rule import Mention
from lighter.strays import blocks_in
from lighter.toolwire import WireCall, is_missing

LIMIT = 60
"""Characters of an id, a name or another value that a message shows."""


def shown(value: Any, limit: int = LIMIT) -> str:
    """Quote an id, a name or another value, shortened and harmless."""
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, default=str)
    return f"`{short(text, limit)}`"


def tell_call(call: CallAt) -> str:
    """Name a call by its tool and its id, as far as it has them."""
    name = shown(call.tool_name) if call.tool_name else "a tool without a name"
    return f"{name} ({shown(call.call_id)})" if call.call_id else name


def of_call(call: WireCall) -> str:
    """Name the call that something belongs to, by its tool and its id, as far as it has them: ` of `read_tide` (`call_1`)`."""
    name = f" of {shown(call.name)}" if isinstance(call.name, str) and call.name else ""
    return f"{name} ({shown(call.id)})" if name and not is_missing(call.id) else name


def tell_result(result: ResultAt) -> str:
    """Name what a result says it answers: an id, or a function's name."""
    if result.call_id:
        return shown(result.call_id)
    return shown(result.tool_name) if result.tool_name else "no call by id"


def tell_message(message: WireMessage) -> str:
    """Name a wire message by its role: `user message`, or `message` when it has none to speak of."""
    role = message.raw.get("role") if isinstance(message.raw, dict) else None
    return f"{short(role, LIMIT)} message" if isinstance(role, str) and role else "message"


def tell_answer(call: CallAt, where: str = "") -> str:
    """Tell what a call lacks that nothing answers, and where that belongs."""
    answer = f"a result for {shown(call.call_id)}" if call.call_id else "its result"
    if call.kind == "native":
        return f"{answer}{where} in the form of its tool's own output"
    return f"{answer}{where} (an error result if it is lost)"


def mention_call(call: CallAt, label: str) -> Mention:
    """Show the message of a call, its id underlined."""
    return Mention(call.wire, call.call_id or call.tool_name, label)


def mention_wire_call(call: WireCall, label: str) -> Mention:
    """Show the message of a call as it stands on the wire, its tool's name underlined."""
    return Mention(call.message, call.name if isinstance(call.name, str) else "", label)


def mention_result(result: ResultAt, label: str) -> Mention:
    """Show the message of a result, its id underlined."""
    return Mention(result.wire, result.call_id, label)


def mention_next(passage: Passage, message: WireMessage, label: str) -> tuple[Mention, ...]:
    """Show the message after the results that follow a message, if the passage reaches so far."""
    other = _next_said(passage, message.index)
    return () if other is None else (Mention(other, "", label),)


@lru_cache(maxsize=1)
def _next_said(passage: Passage, index: int) -> WireMessage | None:
    """Give the first message after another one that holds no result; asked for each call of it, of which there may be thousands."""
    return next((other for other in passage.messages if other.index > index and not _holds_result(other)), None)


def _holds_result(message: WireMessage) -> bool:
    is_result = isinstance(message.raw, dict) and message.raw.get("role") in ("tool", "function")
    return is_result or any(block.get("type") == "tool_result" for _, block in blocks_in(message.raw))
