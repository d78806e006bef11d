"""Writing Cohere's chat API: a conversation as a request body."""

from collections.abc import Sequence
from typing import Any

from lighter.conversation import Conversation, Param
from lighter.formats import Written
from lighter.formats._call_ids import CallIds
from lighter.formats._chat_form import Turn, WriteForm, content_parts
from lighter.formats._chat_writing import finished, write_messages
from lighter.formats._functions import function_choice, write_tools
from lighter.formats._notes import Notes
from lighter.formats._noting import note_old_choice, note_param
from lighter.formats._response_format import as_object, written_format
from lighter.formats._writing import Item, origin_format, param_values
from lighter.formats.cohere.parts import write_part
from lighter.formats.cohere.shapes import CALL, CHOICES, MODELS, NAME, PARAMS, PLAN, SPELLING
from lighter.messages import PARAGRAPH, Block, ReasoningBlock

_NAMES = {common: key for key, common in PARAMS.items()}


def write(conversation: Conversation) -> Written:
    """Write a conversation as a request body; `model` is not invented."""
    notes = Notes.of(conversation, NAME)
    value: dict[str, Any] = {"messages": write_messages(conversation, _FORM, notes)}
    if tools := write_tools(conversation, notes, has_strict=False, needs_parameters=True):
        value["tools"] = tools
    is_own = origin_format(conversation) == NAME
    for param, held in param_values(conversation.params):
        only = conversation.tools[0].name if len(conversation.tools) == 1 else None
        value |= _param(param, held, notes, is_own=is_own, only=only)
    asked, held = written_format(conversation, notes, as_object, has_details=False)
    value |= {"response_format": asked} if asked is not None else {}
    return finished(value, conversation, notes, SPELLING, held)


def _param(param: Param, held: Any, notes: Notes, *, is_own: bool, only: str | None) -> dict[str, Any]:
    """Write one parameter; nothing when Cohere has none like it, which is noted. `only`: the name of the one tool there is."""
    match param.name, held:
        case "model", _ if not is_own and not str(held).startswith(MODELS):
            note_param(param, notes)
        case (("tool_choice" | "function_call"), str()) if held in CHOICES:
            note_old_choice(param, notes)
            return {"tool_choice": CHOICES[held]}
        case (("tool_choice" | "function_call"), _) if only is not None and _chosen(held) == only:
            notes.rewritten(param.path, "tool-choice", "the one tool there is must be called")
            return {"tool_choice": CHOICES["required"]}
        case (("tool_choice" | "function_call"), "auto"):
            notes.dropped(param.path, "tool-choice", "the model chooses where nothing is said")
        case "stop", str():
            notes.rewritten(param.path, "stop", "one stop text became a list", is_reversible=True)
            return {"stop_sequences": [held]}
        case "max_completion_tokens", _:
            notes.rewritten(param.path, "max-completion-tokens", "is called max_tokens there")
            return {"max_tokens": held}
        case name, _ if name in _NAMES:
            return {_NAMES[name]: held}
        case _:
            note_param(param, notes)
    return {}


def _chosen(held: Any) -> str | None:
    """Give the name of the one tool that must be called."""
    match function_choice(held):
        case {"function": {"name": str(name)}}:
            return name
        case _:
            return None


def _ids(conversation: Conversation) -> CallIds:
    return CallIds(bool, conversation, max_length=64, is_unique=False)


def _shape(parts: Sequence[Any], turn: Turn, item: Item) -> dict[str, Any]:
    if not parts and turn.role == "assistant":
        return {}
    return content_parts(parts, turn, item)


def _is_plan(block: Block) -> bool:
    return isinstance(block, ReasoningBlock) and block.carrier == PLAN


def _fields(blocks: Sequence[Block]) -> dict[str, Any]:
    plans = [block.text for block in blocks if isinstance(block, ReasoningBlock)]
    return {PLAN: PARAGRAPH.join(plans)} if plans else {}


_FORM = WriteForm(
    name=NAME,
    spelling=SPELLING,
    call=CALL,
    part=write_part,
    is_beside=_is_plan,
    fields=_fields,
    ids=_ids,
    shape=_shape,
    carriers=(PLAN,),
    has_media_names=False,
)
