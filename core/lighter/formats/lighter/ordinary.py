"""The messages that nearly all of lighter's own files consist of, read the short way: text, calls and results alone."""

from collections.abc import Mapping
from functools import cache
from typing import Any

from lighter.conversation import BlockOrigin
from lighter.formats.lighter.wire import camel
from lighter.jsontext import step
from lighter.messages import AssistantMessage, Message, SystemMessage, ToolCall, ToolMessage, UserMessage

CALL_FIELDS = {name: f"/{camel(name)}" for name in ("call_id", "tool_name", "arguments", "opaque", "cache")}
_FIELDS = ("role", "content", "tool_calls", "call_id", "tool_name", "tool_output", "is_error")


def read_ordinary(raw: Mapping[str, Any], role: Any) -> Message | None:
    """Read a message that holds nothing but the short form's usual fields; None for any other."""
    content = raw.get("content")
    match role:
        case "user" if len(raw) == 2 and type(content) is str:
            return UserMessage(content)
        case "assistant" if type(content) is str:
            return AssistantMessage(content) if len(raw) == 2 else _calling(content, raw)
        case "tool":
            return _result(raw)
        case "system" if len(raw) == 2 and type(content) is str:
            return SystemMessage(content)
        case _:
            return None


def _calling(content: str, raw: Mapping[str, Any]) -> AssistantMessage | None:
    listed = raw.get("toolCalls")
    if type(listed) is not list or not listed or len(raw) != 3:
        return None
    calls = [_call(call) for call in listed]
    whole = tuple(call for call in calls if call is not None)
    return AssistantMessage(content, tool_calls=whole) if len(whole) == len(calls) else None


def _call(raw: Any) -> ToolCall | None:
    match raw:
        case {"callId": str(call_id), "toolName": str(name), "arguments": str(text)} if len(raw) == 3:
            return ToolCall(call_id, name, text)
        case _:
            return None


def _result(raw: Mapping[str, Any]) -> ToolMessage | None:
    match raw:
        case {"callId": str(call_id), "toolName": str(name), "toolOutput": str(text), **rest} if name:
            flag = raw.get("isError")
            keys = {"role", "isError"} if type(flag) is bool else {"role"}
            return ToolMessage(call_id, name, text, flag) if rest.keys() == keys else None
        case _:
            return None


def fields_of(raw: Mapping[str, Any]) -> Mapping[str, str]:
    """Tell where the fields of such a message stand, from the message on."""
    return _fields_of(tuple(raw))


@cache
def _fields_of(keys: tuple[str, ...]) -> Mapping[str, str]:
    return {name: f"/{camel(name)}" for name in _FIELDS if camel(name) in keys}


def places_of(message: Message, path: str) -> tuple[BlockOrigin, ...]:
    """Tell where the blocks of such a message stand."""
    if type(message) is ToolMessage:
        return (BlockOrigin(f"{path}/toolOutput"),) if message.tool_output else ()
    text = (BlockOrigin(f"{path}/content"),) if message.content else ()
    if type(message) is not AssistantMessage or not message.tool_calls:
        return text
    calls = range(len(message.tool_calls))
    return (*text, *(BlockOrigin(f"{path}/toolCalls{step(index)}", CALL_FIELDS) for index in calls))
