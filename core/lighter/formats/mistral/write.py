"""Writing Mistral's chat API: a conversation as a request body, with call ids of exactly nine letters and digits."""

import re
from collections.abc import Sequence
from typing import Any

from lighter.conversation import BlockOrigin, Conversation, Param
from lighter.formats import Written
from lighter.formats._call_ids import CallIds
from lighter.formats._chat_form import Turn, WriteForm, content_parts, note_media_type
from lighter.formats._chat_writing import finished, write_messages
from lighter.formats._functions import function_choice, write_tools
from lighter.formats._notes import Notes
from lighter.formats._noting import note_old_choice, note_param
from lighter.formats._response_format import as_openai, written_format
from lighter.formats._tool_names import with_legal_names
from lighter.formats._writing import Item, extra_at, origin_format, param_values
from lighter.formats.mistral.chunks import append_chunk, write_chunk
from lighter.formats.mistral.shapes import CALL, MODELS, NAME, OLD_WORD, PARAMS, SPELLING
from lighter.messages import Block, MediaBlock

_NAMES = {common: key for key, common in PARAMS.items()}

ID_LENGTH = 9
_LEGAL_ID = re.compile(rf"[a-zA-Z0-9]{{{ID_LENGTH}}}", re.ASCII)
# "Tool call id was … but must be a-z, A-Z, 0-9, with a length of 9", https://github.com/BerriAI/litellm/issues/9154


def write(conversation: Conversation) -> Written:
    """Write a conversation as a request body; `model` is not invented."""
    notes = Notes.of(conversation, NAME)
    conversation = with_legal_names(conversation, notes)
    value: dict[str, Any] = {"messages": write_messages(conversation, _FORM, notes)}
    if tools := write_tools(conversation, notes, needs_parameters=True):
        value["tools"] = tools
    is_own = origin_format(conversation) == NAME
    for param, held in param_values(conversation.params):
        value |= _param(param, held, notes, is_own=is_own)
    if value.get("tool_choice") == "required" and extra_at(conversation.ext, OLD_WORD, "/tool_choice") is not None:
        value["tool_choice"] = "any"
    asked, held = written_format(conversation, notes, as_openai, has_details=True)
    value |= {"response_format": asked} if asked is not None else {}
    return finished(value, conversation, notes, SPELLING, held)


def _param(param: Param, held: Any, notes: Notes, *, is_own: bool) -> dict[str, Any]:
    """Write one parameter; nothing when Mistral has none like it, which is noted."""
    match param.name:
        case "model" if not is_own and not str(held).startswith(MODELS):
            note_param(param, notes)
        case "tool_choice" | "function_call" if (choice := function_choice(held)) is not None:
            note_old_choice(param, notes)
            return {"tool_choice": choice}
        case "max_completion_tokens":
            notes.rewritten(param.path, "max-completion-tokens", "is called max_tokens there")
            return {"max_tokens": held}
        case name if name in _NAMES:
            return {_NAMES[name]: held}
        case _:
            note_param(param, notes)
    return {}


def _ids(conversation: Conversation) -> CallIds:
    return CallIds(
        lambda call_id: bool(_LEGAL_ID.fullmatch(call_id)),
        conversation,
        max_length=ID_LENGTH,
        is_unique=False,
        is_exact=True,
    )


def _shape(parts: Sequence[Any], turn: Turn, item: Item) -> dict[str, Any]:
    return content_parts(parts, turn, item, empty=None)


def _note(block: Block, origin: BlockOrigin, notes: Notes) -> None:
    """Note the media type of sound, which stands there as bare base64."""
    if isinstance(block, MediaBlock) and block.kind == "audio":
        note_media_type(block, origin, notes)


_FORM = WriteForm(
    name=NAME,
    spelling=SPELLING,
    call=CALL,
    part=write_chunk,
    ids=_ids,
    shape=_shape,
    note=_note,
    append=append_chunk,
    result_name="name",
    has_media_in_results=True,
)
