"""Writing OpenAI Chat: a conversation as a request body, with results after their calls and their media after the results."""

from typing import Any

from lighter.conversation import Conversation, Tool
from lighter.formats import Written
from lighter.formats._notes import Notes
from lighter.formats._writing import items_of, native_tool, param_values, restore, results_after_calls
from lighter.formats.openai_chat.shapes import NAME, PARAMS
from lighter.formats.openai_chat.write_messages import MessageWriter
from lighter.jsontext import decode


def write(conversation: Conversation) -> Written:
    """Write a conversation as a request body."""
    notes = Notes.of(conversation, NAME)
    writer = MessageWriter(conversation)
    for item in results_after_calls(items_of(conversation, notes)):
        writer.add(item)
    writer.flush_media()
    value: dict[str, Any] = {"messages": writer.messages}
    for tool in conversation.tools:
        if (written := _tool(tool, notes)) is not None:
            value.setdefault("functions" if tool.is_legacy else "tools", []).append(written)
    for param, held in param_values(conversation.params):
        if param.name not in PARAMS:
            notes.dropped(param.path, param.name.replace("_", "-"), f"{NAME} has no parameter {param.name}")
        elif param.name == "model" and str(held).startswith("claude"):
            notes.dropped(param.path, "model", "a model of another provider")
        else:
            value[param.name] = held
    restore(value, conversation.ext, NAME)
    notes.conversation(conversation)
    notes.extras(conversation.ext, conversation.path)
    return Written(value, tuple(notes.losses), tuple(notes.places))


def _tool(tool: Tool, notes: Notes) -> Any:
    """Write a tool's definition; None for a kind of tool that only another format knows."""
    if tool.native is not None:
        return native_tool(tool, tool.native, notes)
    function: dict[str, Any] = {"name": tool.name}
    if tool.description is not None:
        function["description"] = tool.description
    if tool.parameters is not None:
        function["parameters"] = decode(tool.parameters)
    if tool.is_strict is not None:
        function["strict"] = tool.is_strict
    if tool.cache is not None:
        notes.dropped(f"{tool.path}/cache_control", "cache-mark", "tools carry no cache mark here")
    notes.extras(tool.ext, tool.path)
    return restore(function if tool.is_legacy else {"type": "function", "function": function}, tool.ext, NAME)
