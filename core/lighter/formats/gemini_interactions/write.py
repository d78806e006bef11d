"""Writing the Interactions API: a conversation as a request body, with one step for each part of a turn."""

from collections.abc import Sequence
from typing import Any

from lighter.conversation import Conversation, Param, Tool
from lighter.formats import Written
from lighter.formats._functions import function_choice
from lighter.formats._notes import Notes
from lighter.formats._noting import note_developer, note_old_choice, note_param, note_tool
from lighter.formats._result_media import arranged
from lighter.formats._writing import (
    Item,
    extra_at,
    items_of,
    native_tool,
    origin_format,
    param_values,
    place_in,
)
from lighter.formats.gemini_interactions.body import CHOICES, SETTINGS
from lighter.formats.gemini_interactions.shapes import AS_CONTENTS, AS_TEXT, NAME, SPELLING, own
from lighter.formats.gemini_interactions.write_steps import StepWriter
from lighter.jsontext import decode
from lighter.messages import PARAGRAPH, SystemMessage, TextBlock

_NAMES = {name: key for key, name in SETTINGS.items()} | {"max_completion_tokens": "max_output_tokens"}
_MODES = {choice: mode for mode, choice in CHOICES.items()}


def write(conversation: Conversation) -> Written:
    """Write a conversation as a request body; `model` is not invented."""
    notes = Notes.of(conversation, NAME)
    writer = StepWriter(conversation)
    items = items_of(conversation, notes)
    value: dict[str, Any] = {}
    leading = next((n for n, item in enumerate(items) if not isinstance(item.message, SystemMessage)), len(items))
    if texts := [text for item in items[:leading] for text in _instruction(item)]:
        value["system_instruction"] = PARAGRAPH.join(texts)
    for item in arranged(items[leading:], conversation, NAME):
        writer.add(item)
    if items[leading:] or not value:
        value["input"] = _input(writer.steps, items[leading:])
    tools = [written for tool in conversation.tools if (written := _tool(tool, conversation, notes)) is not None]
    if tools:
        value["tools"] = tools
    value |= _params(conversation.params, notes, is_own=origin_format(conversation) == NAME)
    notes.conversation(conversation)
    notes.extras(conversation.ext, conversation.path)
    return Written(own(value, conversation.ext), tuple(notes.losses), tuple(notes.places))


def _input(steps: list[Any], items: Sequence[Item]) -> Any:
    """Give the input: a list of steps, or in the shorter form that it had."""
    form = extra_at(items[0].message.ext, SPELLING, "/input") if len(items) == 1 else None
    if form is None or len(steps) != 1:
        return steps
    contents = steps[0]["content"]
    if form == AS_TEXT:
        return contents[0]["text"] if contents else ""
    return contents if form == AS_CONTENTS else contents[0]


def _instruction(item: Item) -> list[str]:
    """Write a leading system message: its texts, for a system instruction is a text."""
    notes, message = item.notes, item.message
    texts = []
    for block, origin in item.blocks:
        if block.cache is not None:
            notes.dropped(origin.at("cache"), "cache-mark", "an instruction carries no cache mark here")
        if isinstance(block, TextBlock):
            texts.append(block.text)
            notes.extras(block.ext, origin.path)
            if len(item.blocks) > 1:
                notes.rewritten(origin.path, "system-parts", "the parts of an instruction became one text")
        else:
            notes.dropped(origin.path, "in-system", "an instruction holds text only")
    if not item.blocks:
        notes.emptied(message, item.origin)
        return []
    note_developer(item)
    notes.unheld(message, item.origin, "id", "name")
    notes.extras(message.ext, item.origin.path, held=("/role",))
    return texts


def _tool(tool: Tool, conversation: Conversation, notes: Notes) -> Any:
    """Write a tool's definition; None for a kind of tool that only another format knows."""
    if tool.native is not None:
        return native_tool(tool, tool.native, notes)
    written: dict[str, Any] = {"type": "function", "name": tool.name}
    if tool.description is not None:
        written["description"] = tool.description
    if tool.parameters is not None:
        written["parameters"] = decode(tool.parameters)
    if tool.is_strict is not None:
        notes.dropped(place_in(conversation, tool, "strict"), "strict", "functions have no such flag here")
    note_tool(tool, notes)
    return own(written, tool.ext)


def _params(params: Sequence[Param], notes: Notes, *, is_own: bool) -> dict[str, Any]:
    """Write parameters under the names of this API; those that it does not have are noted."""
    value: dict[str, Any] = {}
    settings: dict[str, Any] = {}
    for param, held in param_values(params):
        key = _NAMES.get(param.name)
        match param.name, held:
            case "model", str(model) if is_own or model.startswith(("gemini", "gemma", "models/")):
                value["model"] = model
            case "stream", bool():
                value["stream"] = held
            case "stop", str():
                settings["stop_sequences"] = [held]
                notes.rewritten(param.path, "stop", "one stop text became a list", is_reversible=True)
            case (("tool_choice" | "function_call"), _) if "tool_choice" not in settings and (choice := _choice(held)):
                note_old_choice(param, notes)
                settings["tool_choice"] = choice
            case _ if key is not None and held is not None and key not in settings:
                settings[key] = held
                if param.name == "max_completion_tokens":
                    notes.rewritten(
                        param.path, "max-completion-tokens", "is max_output_tokens here", is_reversible=True
                    )
            case _:
                note_param(param, notes)
    return value | ({"generation_config": settings} if settings else {})


def _choice(held: Any) -> Any:
    """Write which tools may be called; None when this API has no way to say it."""
    match function_choice(held):
        case ("auto" | "none" | "required") as mode:
            return _MODES[mode]
        case {"function": {"name": str(name)}}:
            return {"allowed_tools": {"mode": "any", "tools": [name]}}
        case _:
            return None
