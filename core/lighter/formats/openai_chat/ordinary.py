"""The messages that nearly all of a chat consists of, read the short way: text, calls and results with nothing else on them."""

from collections.abc import Mapping
from typing import Any

from lighter.conversation import BlockOrigin
from lighter.formats._calls import CALL_FIELDS
from lighter.jsontext import step
from lighter.messages import AssistantMessage, Message, SystemMessage, ToolCall, ToolMessage, UserMessage

MESSAGE_FIELDS = {"name": "/name", "content": "/content", "is_error": "/is_error", "call_id": "/tool_call_id",
                  "tool_name": "/name", "role": "/role"}  # fmt: skip
"""Where the fields of a message stand, from the message on."""

_RESULT = frozenset({"role", "content", "tool_call_id"})


def read_ordinary(raw: Mapping[str, Any], role: Any) -> Message | None:
    """Read a message that the short form holds, and nothing is to be remembered of; None for any other."""
    content = raw.get("content")
    if type(content) is not str or not content:
        return _calling("", raw, 3) if content is None and "content" in raw and role == "assistant" else None
    match role:
        case "user" if len(raw) == 2:
            return UserMessage(content)
        case "assistant":
            return AssistantMessage(content) if len(raw) == 2 else _calling(content, raw, 3)
        case "tool" if raw.keys() == _RESULT and type(call_id := raw["tool_call_id"]) is str and call_id:
            return ToolMessage(call_id, "", content, None)
        case "system" | "developer" if len(raw) == 2:
            return SystemMessage(content, is_developer=role == "developer")
        case _:
            return None


def _calling(content: str, raw: Mapping[str, Any], count: int) -> AssistantMessage | None:
    """Read an assistant's message with role, content and plain calls."""
    listed = raw.get("tool_calls")
    if type(listed) is not list or not listed or len(raw) != count:
        return None
    calls = [_call(call) for call in listed]
    whole = tuple(call for call in calls if call is not None)
    return AssistantMessage(content, tool_calls=whole) if len(whole) == len(calls) else None


def _call(raw: Any) -> ToolCall | None:
    match raw:
        case {
            "id": str(call_id),
            "type": "function",
            "function": {"name": str(name), "arguments": str(text)} as function,
        }:
            return ToolCall(call_id, name, text) if call_id and len(raw) == 3 and len(function) == 2 else None
        case _:
            return None


def places_of(message: Message, path: str) -> tuple[BlockOrigin, ...]:
    """Tell where the blocks of such a message stand."""
    text = (BlockOrigin(f"{path}/content"),) if message.content else ()
    if type(message) is not AssistantMessage or not message.tool_calls:
        return text
    calls = range(len(message.tool_calls))
    return (*text, *(BlockOrigin(f"{path}/tool_calls{step(index)}", CALL_FIELDS) for index in calls))
