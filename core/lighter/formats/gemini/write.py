"""Writing Gemini's generateContent: a conversation as a request body, the leading system messages as its system instruction."""

from collections.abc import Sequence
from typing import Any

from lighter.conversation import Conversation, Param
from lighter.formats import Written
from lighter.formats._functions import function_choice
from lighter.formats._notes import Notes
from lighter.formats._noting import note_old_choice, note_param
from lighter.formats._response_format import as_settings, written_format
from lighter.formats._result_media import arranged
from lighter.formats._tool_names import with_legal_names
from lighter.formats._writing import (
    Item,
    extra_at,
    items_of,
    origin_format,
    param_values,
    results_in_call_order,
)
from lighter.formats.gemini.body import CHOICES, PARAMS
from lighter.formats.gemini.shapes import AS_ONE, IN_CONFIG, NAME, WRAP, own
from lighter.formats.gemini.tools import write_tools
from lighter.formats.gemini.write_contents import ContentWriter
from lighter.messages import SystemMessage

_NAMES = {name: key for key, name in PARAMS.items()} | {"max_completion_tokens": "maxOutputTokens"}
_MODES = {choice: mode for mode, choice in CHOICES.items()}
_OWN_MODELS = ("gemini", "gemma", "models/", "tunedModels/", "publishers/google/", "projects/")
"""How the names of models that this API serves begin."""


def write(conversation: Conversation) -> Written:
    """Write a conversation as a request body; `model` is not invented."""
    notes = Notes.of(conversation, NAME)
    conversation = with_legal_names(conversation, notes)
    writer = ContentWriter(conversation)
    items = items_of(conversation, notes)
    leading = next((n for n, item in enumerate(items) if not _is_instruction(item)), len(items))
    value: dict[str, Any] = {}
    instructions = [written for item in items[:leading] if (written := writer.system(item)) is not None]
    if instructions:
        value["systemInstruction"] = _joined(instructions)
    is_own = origin_format(conversation) == NAME
    rest = items[leading:]  # what Gemini wrote itself stays as it is
    for item in rest if is_own else results_in_call_order(arranged(rest, conversation, NAME)):
        writer.add(item)
    value["contents"] = writer.contents
    if tools := write_tools(conversation, notes):
        value["tools"] = tools
    can_call = is_own or any("functionDeclarations" in group for group in tools or ())
    value |= _params(conversation.params, notes, is_own=is_own, can_call=can_call)
    asked, held = written_format(conversation, notes, as_settings, has_details=False)
    if asked is not None:
        value["generationConfig"] = value.get("generationConfig", {}) | asked
    notes.conversation(conversation)
    notes.extras(conversation.ext, conversation.path, held=held)
    return Written(_spelled(value, conversation), tuple(notes.losses), tuple(notes.places))


def _is_instruction(item: Item) -> bool:
    """Say whether a message is a system message that was none of the contents."""
    message = item.message
    return isinstance(message, SystemMessage) and extra_at(message.ext, NAME, "/role") is None


def _joined(instructions: Sequence[Any]) -> Any:
    """Give the one system instruction; of several the parts of all."""
    if len(instructions) == 1:
        return instructions[0]
    parts = (written["parts"] if isinstance(written, dict) else [{"text": written}] for written in instructions)
    return {"parts": [part for listed in parts for part in listed]}


def _spelled(value: dict[str, Any], conversation: Conversation) -> dict[str, Any]:
    """Put a request into the form that it had: that of the API, or that of the Python SDK."""
    ext = conversation.ext
    if extra_at(ext, WRAP, "/contents") == AS_ONE and len(value["contents"]) == 1:
        value["contents"] = value["contents"][0]
    if extra_at(ext, WRAP, "") == IN_CONFIG:
        inner = {key: value.pop(key) for key in ("systemInstruction", "tools", "toolConfig") if key in value}
        if config := inner | value.pop("generationConfig", {}):
            value["config"] = config
    written: dict[str, Any] = own(value, ext)
    return written


def _params(params: Sequence[Param], notes: Notes, *, is_own: bool, can_call: bool) -> dict[str, Any]:
    """Write parameters under Gemini's names; those that it does not have are noted, and a choice where nothing can be called."""
    value: dict[str, Any] = {}
    settings: dict[str, Any] = {}
    for param, held in param_values(params):
        key = _NAMES.get(param.name)
        match param.name, held:
            case "model", str(model) if is_own or model.startswith(_OWN_MODELS):
                value["model"] = model
            case "stop", str() if "stopSequences" not in settings:
                settings["stopSequences"] = [held]
                notes.rewritten(param.path, "stop", "one stop text became a list", is_reversible=True)
            case (("tool_choice" | "function_call"), _) if not can_call and held is not None and held != "none":
                notes.dropped(param.path, "tool-choice", "no function is declared, and gemini refuses a choice then")
            case (("tool_choice" | "function_call"), _) if "toolConfig" not in value and (choice := _choice(held)):
                note_old_choice(param, notes)
                value["toolConfig"] = {"functionCallingConfig": choice}
            case _ if key is not None and held is not None and key not in settings:
                settings[key] = held
                if param.name == "max_completion_tokens":
                    notes.rewritten(param.path, "max-completion-tokens", "is maxOutputTokens here", is_reversible=True)
            case _:
                note_param(param, notes)
    return value | ({"generationConfig": settings} if settings else {})


def _choice(held: Any) -> dict[str, Any] | None:
    """Write which tools may be called; None when Gemini has no way to say it."""
    match function_choice(held):
        case ("auto" | "none" | "required") as mode:
            return {"mode": _MODES[mode]}
        case {"function": {"name": str(name)}}:
            return {"mode": "ANY", "allowedFunctionNames": [name]}
        case _:
            return None
