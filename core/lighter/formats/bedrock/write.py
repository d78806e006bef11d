"""Writing Bedrock Converse: a conversation as a request body, the leading system messages as its system prompt."""

from typing import Any

from lighter.conversation import Conversation, Tool
from lighter.formats import Written
from lighter.formats._notes import Notes
from lighter.formats._noting import note_legacy_tool
from lighter.formats._result_media import arranged
from lighter.formats._tool_names import with_legal_names
from lighter.formats._writing import (
    extra_at,
    items_of,
    native_tool,
    origin_format,
    place_in,
    restore,
)
from lighter.formats.bedrock.parameters import CLAUDE_FIELDS, Aims, merge, written_params
from lighter.formats.bedrock.shapes import NAME, TTLS
from lighter.formats.bedrock.write_blocks import cache_value, routed_mark
from lighter.formats.bedrock.write_messages import MessageWriter
from lighter.jsontext import decode
from lighter.messages import Extra, SystemMessage


def write(conversation: Conversation) -> Written:
    """Write a conversation as a request body; `modelId` is not invented."""
    notes = Notes.of(conversation, NAME)
    conversation = with_legal_names(conversation, notes)
    is_own = origin_format(conversation) == NAME
    writer = MessageWriter(conversation, is_own=is_own)
    items = items_of(conversation, notes)
    leading = next((n for n, item in enumerate(items) if not _is_leading(item.message)), len(items))
    value: dict[str, Any] = writer.system(items[:leading])
    for item in arranged(items[leading:], conversation, NAME):
        writer.add(item)
    value["messages"] = writer.messages
    if tools := _tools(conversation, notes):
        value["toolConfig"] = {"tools": tools}
    merge(value, written_params(conversation.params, Aims(notes, is_own, bool(tools))))
    held = _claude_fields(conversation, value)
    notes.conversation(conversation)
    restore(value, conversation.ext, NAME)
    notes.extras(conversation.ext, conversation.path, held=held)
    return Written(value, tuple(notes.losses), tuple(notes.places))


def _is_leading(message: Any) -> bool:
    """Say whether a message is part of the system prompt; one that stood among the messages stays there."""
    return isinstance(message, SystemMessage) and extra_at(message.ext, NAME, "/role") is None


def _claude_fields(conversation: Conversation, value: dict[str, Any]) -> tuple[str, ...]:
    """Hand on what Anthropic's own requests ask of Claude, as Bedrock does with fields that are a model's own."""
    taken: list[Extra] = [
        e for e in conversation.ext if e.format == "anthropic" and e.path.lstrip("/") in CLAUDE_FIELDS
    ]
    if taken:
        merge(value, {"additionalModelRequestFields": {extra.path[1:]: decode(extra.json) for extra in taken}})
    return tuple(extra.path for extra in taken)


def _tools(conversation: Conversation, notes: Notes) -> list[Any]:
    """Write the tools' definitions, each followed by its cache point."""
    written: list[Any] = []
    for tool in conversation.tools:
        value = _tool(tool, conversation, notes)
        if value is None:
            continue
        written.append(value)
        mark = tool.cache or routed_mark(tool.ext)
        if mark is not None:
            if mark.ttl is not None and mark.ttl not in TTLS:
                notes.dropped(f"{tool.path}/cache_control/ttl", "cache-ttl", "cache lifetimes differ between providers")
            written.append(cache_value(mark))
    return [] if all("cachePoint" in value for value in written if isinstance(value, dict)) else written


def _tool(tool: Tool, conversation: Conversation, notes: Notes) -> Any:
    """Write a tool's definition; None for a kind of tool that only another format knows."""
    if tool.native is not None:
        return native_tool(tool, tool.native, notes)
    note_legacy_tool(tool, notes)
    written: dict[str, Any] = {"name": tool.name}
    if tool.description:
        written["description"] = tool.description
    elif tool.description is not None:
        place = place_in(conversation, tool, "description")
        notes.dropped(place, "empty-description", f"{NAME} refuses an empty description")
    if tool.parameters is None:
        notes.synthesised(tool.path, "input-schema", "a tool without parameters got an empty object schema")
    schema = {"type": "object", "properties": {}} if tool.parameters is None else decode(tool.parameters)
    written["inputSchema"] = {"json": schema}
    if tool.is_strict is not None:
        written["strict"] = tool.is_strict
    notes.extras(tool.ext, tool.path, held=("/cache_control",) if routed_mark(tool.ext) is not None else ())
    return restore({"toolSpec": written}, tool.ext, NAME)
