"""Writing lighter's own JSONL, which holds everything."""

from typing import Any

from lighter.conversation import Conversation
from lighter.formats import Written
from lighter.formats._writing import restore
from lighter.formats.lighter.wire import NAME, members, written
from lighter.jsontext import decode
from lighter.messages import AssistantMessage, Extra, Message, OtherMessage, ToolMessage

_NOT_MEMBERS = frozenset(
    {"content", "reasoning", "tool_calls", "blocks", "call_id", "tool_name", "tool_output", "is_error", "role", "ext"}
)


def write(conversation: Conversation) -> Written:
    """Write a conversation; nothing is lost."""
    value: dict[str, Any] = {"messages": [write_message(message) for message in conversation.messages]}
    if conversation.id is not None:
        value["id"] = conversation.id
    if conversation.tools:
        value["tools"] = [_tool(tool) for tool in conversation.tools]
    if conversation.params:
        value["params"] = {param.name: decode(param.json) for param in conversation.params}
    source = conversation.source_format if conversation.format == NAME else conversation.format
    if source is not None and _is_worth_telling(conversation):
        value["source"] = {"format": source}
    if foreign := [extra for extra in conversation.ext if extra.format != NAME]:
        value["ext"] = [written(extra) for extra in foreign]
    return Written(restore(value, conversation.ext, NAME), ())


def _is_worth_telling(conversation: Conversation) -> bool:
    """Say whether the record holds more than messages, so that naming its source costs no simple layout."""
    return bool(conversation.source_format or conversation.tools or conversation.params or conversation.ext)


def _tool(tool: Any) -> Any:
    if tool.native is not None and tool.native.format == NAME:
        return decode(tool.native.json)
    value = members(tool, without=frozenset({"path", "native", "ext"}))
    if tool.native is not None:
        value["native"] = written(tool.native)
        del value["name"]
    if tool.ext:
        value["ext"] = written(tool.ext)
    return value


def write_message(message: Message) -> Any:
    """Write one message: the short fields always, `blocks` where they cannot hold it, further keys where there is more."""
    value: dict[str, Any] = {"role": message.role}
    match message:
        case ToolMessage():
            value |= {"callId": message.call_id, "toolName": message.tool_name, "toolOutput": message.tool_output}
            if message.is_error is not None:
                value["isError"] = message.is_error
        case AssistantMessage():
            value["content"] = message.content
            if message.reasoning is not None:
                value["reasoning"] = message.reasoning
            if message.tool_calls:
                value["toolCalls"] = [_short_call(call) for call in message.tool_calls]
        case OtherMessage(role=""):
            value = {"content": message.content}
        case _:
            value["content"] = message.content
    if message.blocks:
        value["blocks"] = written(message.blocks)
    value |= members(message, without=_NOT_MEMBERS)
    foreign: list[Extra] = [extra for extra in message.ext if extra.format != NAME]
    if foreign:
        value["ext"] = [written(extra) for extra in foreign]
    return restore(value, message.ext, NAME)


def _short_call(call: Any) -> dict[str, Any]:
    value: dict[str, Any] = written(call)
    del value["type"]
    return value
