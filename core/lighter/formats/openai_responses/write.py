"""Writing the Responses API: a conversation as a request body, with one item for each part of a turn."""

from typing import Any

from lighter.conversation import Conversation, Param, Tool
from lighter.formats import Written
from lighter.formats._functions import function_choice
from lighter.formats._notes import Notes
from lighter.formats._noting import note_old_choice, note_param, note_tool
from lighter.formats._openai import is_elsewhere, other_custom_tool, parameters_of
from lighter.formats._response_format import as_flat, written_format
from lighter.formats._result_media import arranged
from lighter.formats._tool_names import with_legal_names
from lighter.formats._writing import Item, extra_at, items_of, native_tool, origin_format, param_values
from lighter.formats.openai_responses.parts import own
from lighter.formats.openai_responses.shapes import NAME, SPELLING
from lighter.formats.openai_responses.write_items import ItemWriter
from lighter.messages import SystemMessage

_SAME = {"model": "model", "max_tokens": "max_output_tokens", "max_completion_tokens": "max_output_tokens",
         "temperature": "temperature", "top_p": "top_p", "stream": "stream", "parallel_tool_calls": "parallel_tool_calls",
         "user": "user"}  # fmt: skip


def write(conversation: Conversation) -> Written:
    """Write a conversation as a request body; `model` is not invented."""
    notes = Notes.of(conversation, NAME)
    conversation = with_legal_names(conversation, notes)
    writer = ItemWriter(conversation)
    items = items_of(conversation, notes)
    value: dict[str, Any] = {}
    if len(items) > 1 and _is_instructions(items[0]):
        value["instructions"] = items[0].message.content
        items[0].notes.extras(items[0].message.ext, items[0].origin.path)
        items[0].notes.unheld(items[0].message, items[0].origin, "id")
        items = items[1:]
    is_own = origin_format(conversation) == NAME  # then results may stand anywhere
    for item in items if is_own else arranged(items, conversation, NAME):
        writer.add(item)
    is_text = len(items) == 1 and extra_at(items[0].message.ext, SPELLING, "/input") is not None
    value["input"] = items[0].message.content if is_text else writer.items
    tools = [written for tool in conversation.tools if (written := _tool(tool, notes, is_own=is_own)) is not None]
    if tools:
        value["tools"] = tools
    value |= _params(conversation, notes, is_own=is_own)
    asked, held = written_format(conversation, notes, as_flat, has_details=True)
    value |= {"text": {"format": asked}} if asked is not None else {}
    value = own(value, conversation.ext)
    notes.conversation(conversation)
    notes.extras(conversation.ext, conversation.path, held=held)
    return Written(value, tuple(notes.losses), tuple(notes.places))


def _is_instructions(item: Item) -> bool:
    """Say whether a leading message fits into `instructions`: plain text of the system that was no item of this API."""
    message = item.message
    if not isinstance(message, SystemMessage) or message.is_developer or message.name is not None:
        return False
    is_item = extra_at(message.ext, SPELLING, "/type") is not None
    return bool(message.content) and not message.blocks and not is_item


def _tool(tool: Tool, notes: Notes, *, is_own: bool) -> Any:
    """Write a tool's definition; None for a kind of tool that only another format knows."""
    if (custom := other_custom_tool(tool, notes)) is not None:
        return custom
    if tool.native is not None:
        return native_tool(tool, tool.native, notes)
    written: dict[str, Any] = {"type": "function", "name": tool.name}
    if tool.description is not None:
        written["description"] = tool.description
    written["parameters"] = parameters_of(tool, notes, is_own=is_own)
    written["strict"] = bool(tool.is_strict)
    if tool.is_strict is None and extra_at(tool.ext, SPELLING, "/strict") is None:
        notes.synthesised(tool.path, "strict", "strict is false, since it would be true here where nothing is said")
    note_tool(tool, notes)
    return own(written, tool.ext)


def _params(conversation: Conversation, notes: Notes, *, is_own: bool) -> dict[str, Any]:
    """Write parameters under the names of this API; those that it does not have are noted."""
    value: dict[str, Any] = {}
    other_limit = "max_tokens" if origin_format(conversation) == "openai-chat" else "max_completion_tokens"
    for param, held in param_values(conversation.params):
        name, written = _param(param, held, is_own=is_own)
        if name is None or name in value:
            note_param(param, notes)
            continue
        value[name] = written
        note_old_choice(param, notes)
        if param.name == other_limit:  # the other of the two names is the one that the way back gives
            notes.rewritten(param.path, other_limit.replace("_", "-"), "is max_output_tokens here", is_reversible=True)
    return value


def _param(param: Param, held: Any, *, is_own: bool) -> tuple[str | None, Any]:
    """Give a parameter's name and value here; no name when there is none like it."""
    match param.name, held:
        case "model", _ if not is_own and is_elsewhere(held):
            return None, held
        case (("tool_choice" | "function_call"), _) if (choice := _choice(held)) is not None:
            return "tool_choice", choice
        case (name, _) if name in _SAME and held is not None:
            return _SAME[name], held
        case _:
            return None, held


def _choice(held: Any) -> Any:
    """Write which tools may be called, those with free text among them; None when this API has no way to say it."""
    match function_choice(held):
        case ("auto" | "none" | "required") as mode:
            return mode
        case {"function": {"name": str(name)}}:
            return {"type": "function", "name": name}
    match held:
        case {"type": "custom", "custom": {"name": str(name), **rest}, **more} if not rest and not more:
            return {"type": "custom", "name": name}
        case {"type": "allowed_tools", "allowed_tools": {"mode": str(mode), "tools": [*tools], **rest}, **more} if not (
            rest or more
        ):
            allowed = list(map(_choice, tools))
            are_written = all(isinstance(tool, dict) for tool in allowed)
            return {"type": "allowed_tools", "mode": mode, "tools": allowed} if are_written else None
        case _:
            return None
