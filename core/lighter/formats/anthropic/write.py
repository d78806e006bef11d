"""Writing Anthropic Messages: a conversation as a request body, the leading system messages as its system prompt."""

from collections.abc import Sequence
from typing import Any

from lighter.conversation import Conversation, Param, Tool
from lighter.formats import Written
from lighter.formats._functions import function_choice
from lighter.formats._notes import Notes
from lighter.formats._noting import note_legacy_tool, note_old_choice
from lighter.formats._response_format import written_format
from lighter.formats._result_media import arranged
from lighter.formats._tool_names import with_legal_names
from lighter.formats._writing import items_of, native_tool, origin_format, param_values, restore
from lighter.formats.anthropic.blocks import cache_control
from lighter.formats.anthropic.foreign import cache_point_mark, claude_fields, mark_last, routed_tool_mark
from lighter.formats.anthropic.output import as_output_config
from lighter.formats.anthropic.shapes import NAME
from lighter.formats.anthropic.write_messages import MessageWriter
from lighter.jsontext import decode
from lighter.messages import SystemMessage

_SAME = {"max_tokens": "max_tokens", "max_completion_tokens": "max_tokens", "stream": "stream"}
_SAMPLING = ("temperature", "top_p", "top_k")
"""Parameters that the request type of the anthropic SDK 2.14.0 has no more; kept where Anthropic's own request had them."""

_REASONS = {
    "model": "a model of another provider",
    **dict.fromkeys(_SAMPLING, "the newest requests have no sampling parameters"),
}
_CHOICES = {"auto": "auto", "none": "none", "required": "any"}


def write(conversation: Conversation) -> Written:
    """Write a conversation as a request body; `max_tokens` and `model` are not invented."""
    notes = Notes.of(conversation, NAME)
    conversation = with_legal_names(conversation, notes)
    writer = MessageWriter(conversation)
    items = items_of(conversation, notes)
    leading = next((n for n, item in enumerate(items) if not isinstance(item.message, SystemMessage)), len(items))
    value: dict[str, Any] = writer.system(items[:leading])
    for item in arranged(items[leading:], conversation, NAME):
        writer.add(item)
    writer.finish()
    value["messages"] = writer.messages
    tools: list[Any] = []
    for tool in conversation.tools:
        if (mark := cache_point_mark(tool)) is not None and mark_last(tools[-1:], mark):
            continue
        tools += [written] if (written := _tool(tool, notes)) is not None else []
    if tools:
        value["tools"] = tools
    value |= _params(conversation.params, notes, is_own=origin_format(conversation) == NAME)
    notes.conversation(conversation)
    handed = {path: (key, held) for path, key, held in claude_fields(conversation)}
    value |= dict(handed.values())
    asked, held = written_format(conversation, notes, as_output_config, has_details=False)
    value |= {"output_config": asked} if asked is not None else {}
    restore(value, conversation.ext, NAME)
    notes.extras(conversation.ext, conversation.path, held=(*handed, *held))
    return Written(value, tuple(notes.losses), tuple(notes.places))


def _tool(tool: Tool, notes: Notes) -> Any:
    """Write a tool's definition; None for a kind of tool that only another format knows."""
    if tool.native is not None:
        return native_tool(tool, tool.native, notes)
    note_legacy_tool(tool, notes)
    written: dict[str, Any] = {"name": tool.name}
    if tool.description is not None:
        written["description"] = tool.description
    if tool.parameters is None:
        notes.synthesised(tool.path, "input-schema", "a tool without parameters got an empty object schema")
    written["input_schema"] = (
        {"type": "object", "properties": {}} if tool.parameters is None else decode(tool.parameters)
    )
    if tool.is_strict is not None:
        written["strict"] = tool.is_strict
    written |= cache_control(tool.cache)
    held: tuple[str, ...] = ()
    if (routed := routed_tool_mark(tool)) is not None and "cache_control" not in written:
        held, written["cache_control"] = (routed[0],), routed[1]
    notes.extras(tool.ext, tool.path, held=held)
    return restore(written, tool.ext, NAME)


def _params(params: Sequence[Param], notes: Notes, *, is_own: bool) -> dict[str, Any]:
    """Write parameters under Anthropic's names; those that it does not have are noted."""
    value: dict[str, Any] = {}
    for param, held in param_values(params):
        written = {param.name: held} if is_own and param.name in _SAMPLING else _param(param, held, notes)
        if not written or (written.keys() & value.keys() - {"tool_choice"}):
            why = _REASONS.get(param.name, f"{NAME} has no parameter like it")
            why = f"{NAME} has only one limit of tokens" if written else why
            notes.dropped(param.path, param.name.replace("_", "-"), why)
        elif "tool_choice" in written:
            value["tool_choice"] = value.get("tool_choice", {}) | written["tool_choice"]
        else:
            value |= written
    if value.get("tool_choice", {}).get("type") == "none" and len(value["tool_choice"]) > 1:
        path = next(param.path for param in params if param.name == "parallel_tool_calls")
        notes.dropped(path, "parallel-tool-calls", "without tools to call it means nothing, and is refused")
        value["tool_choice"] = {"type": "none"}
    if "tool_choice" in value and "type" not in value["tool_choice"]:
        path = next(param.path for param in params if param.name == "parallel_tool_calls")
        notes.synthesised(path, "tool-choice", "tool_choice auto, to hold disable_parallel_tool_use")
        value["tool_choice"] = {"type": "auto", **value["tool_choice"]}
    return value


def _param(param: Param, held: Any, notes: Notes) -> dict[str, Any]:
    """Write one parameter; nothing when Anthropic has none like it."""
    match param.name, held:
        case "model", str(model) if "claude" in model:
            return {"model": model}
        case "stop", list():
            return {"stop_sequences": held}
        case "stop", str():
            notes.rewritten(param.path, "stop", "one stop text became a list", is_reversible=True)
            return {"stop_sequences": [held]}
        case "user", str():
            return {"metadata": {"user_id": held}}
        case (("tool_choice" | "function_call"), _) if (choice := _choice(held)) is not None:
            note_old_choice(param, notes)
            return {"tool_choice": choice}
        case "parallel_tool_calls", bool():
            return {"tool_choice": {"disable_parallel_tool_use": not held}}
        case (name, _) if name in _SAME and held is not None:
            return {_SAME[name]: held}
        case _:
            return {}


def _choice(held: Any) -> dict[str, Any] | None:
    """Write a choice of tools, also in the spelling of the `function_call` of old chats; None when Anthropic has none like it."""
    match function_choice(held):
        case "auto" | "none" | "required":
            return {"type": _CHOICES[held]}
        case {"function": {"name": str(name)}}:
            return {"type": "tool", "name": name}
        case _:
            return None
