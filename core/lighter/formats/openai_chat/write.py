"""Writing OpenAI Chat: a conversation as a request body, with results after their calls and their media after the results."""

from collections.abc import Sequence
from typing import Any

from lighter.conversation import BlockOrigin, Conversation, Tool
from lighter.formats import Written
from lighter.formats._call_ids import CallIds
from lighter.formats._calls import note_call
from lighter.formats._chat_form import Turn, WriteForm, content_parts
from lighter.formats._chat_writing import finished, write_messages
from lighter.formats._functions import write_function
from lighter.formats._notes import Notes
from lighter.formats._noting import note_param
from lighter.formats._openai import TTLS, is_elsewhere, limit_name, other_custom_tool, parameters_of
from lighter.formats._response_format import as_openai, written_format
from lighter.formats._tool_names import with_legal_names
from lighter.formats._writing import Item, extra_at, native_tool, origin_format, param_values, restore
from lighter.formats.openai_chat.parts import is_in_content, write_part
from lighter.formats.openai_chat.reasoning import LIST_CARRIERS, TEXT_CARRIERS, write_reasoning
from lighter.formats.openai_chat.shapes import CALL, NAME, PARAMS, SPELLING
from lighter.jsontext import decode, is_same
from lighter.messages import Block, OpaqueBlock, ReasoningBlock, RefusalBlock, TextBlock, ToolCall

MAX_ID = 40
# "Invalid 'messages[2].tool_calls[0].id': string too long. Expected a string with maximum length 40",
# https://github.com/anomalyco/opencode/issues/12653


def write(conversation: Conversation) -> Written:
    """Write a conversation as a request body."""
    notes = Notes.of(conversation, NAME)
    conversation = with_legal_names(conversation, notes)
    value: dict[str, Any] = {"messages": write_messages(conversation, _FORM, notes)}
    is_own = origin_format(conversation) == NAME
    for tool in conversation.tools:
        if (written := _tool(tool, notes, is_own=is_own)) is not None:
            value.setdefault("functions" if tool.is_legacy else "tools", []).append(written)
    for param, held in param_values(conversation.params):
        if param.name not in PARAMS or (param.name == "model" and not is_own and is_elsewhere(held)):
            note_param(param, notes)
        else:
            value[limit_name(param.name, conversation)] = held
    if (text := _tools_text(conversation)) is not None and is_same(decode(text), value.get("tools")):
        value["tools"] = text
    asked, held = written_format(conversation, notes, as_openai, has_details=True)
    value |= {"response_format": asked} if asked is not None else {}
    return finished(value, conversation, notes, NAME, held)


def _tools_text(conversation: Conversation) -> Any:
    """Give the JSON text that the source's tools stood in, where it was one."""
    found = extra_at(conversation.ext, SPELLING, "/tools")
    return None if found is None else decode(found)


def _tool(tool: Tool, notes: Notes, *, is_own: bool) -> Any:
    """Write a tool's definition; None for a kind of tool that only another format knows."""
    if (custom := other_custom_tool(tool, notes)) is not None:
        return custom
    if tool.native is not None:
        return native_tool(tool, tool.native, notes)
    function = write_function(tool, notes)
    if (parameters := parameters_of(tool, notes, is_own=is_own)) is not None:
        function["parameters"] = parameters
    return restore(function if tool.is_legacy else {"type": "function", "function": function}, tool.ext, NAME)


def _part(block: Block, role: str) -> dict[str, Any] | None:
    """Write a block as a content part of a message, as far as its role takes such parts."""
    match role:
        case "assistant":
            is_taken = isinstance(block, TextBlock | OpaqueBlock | RefusalBlock)
        case "system" | "tool":
            is_taken = isinstance(block, TextBlock | OpaqueBlock)
        case _:
            is_taken = True
    return write_part(block) if is_taken else None


def _is_beside(block: Block) -> bool:
    """Say whether a block stands beside the content: a dialect's reasoning, audio, a refusal."""
    match block:
        case ReasoningBlock():
            return block.carrier in _FORM.carriers
        case RefusalBlock():
            return block.carrier is not None
        case OpaqueBlock(format="openai-chat", native_type="audio"):
            return True
        case _:
            return False


def _fields(blocks: Sequence[Block]) -> dict[str, Any]:
    """Write what stands beside the content."""
    fields: dict[str, Any] = {}
    for block in blocks:
        match block:
            case OpaqueBlock():
                fields["audio"] = decode(block.json)
            case RefusalBlock():
                fields["refusal"] = block.text
            case _:
                pass
    return fields | write_reasoning([block for block in blocks if isinstance(block, ReasoningBlock)])


def _shape(parts: Sequence[Any], turn: Turn, item: Item) -> dict[str, Any]:
    held = sum(is_in_content(block) for block, _ in item.blocks)
    return content_parts(parts, turn, item, empty=None, held=held)


def _ids(conversation: Conversation) -> CallIds:
    return CallIds(lambda call_id: 0 < len(call_id) <= MAX_ID, conversation, max_length=MAX_ID, is_unique=False)


def _other_call(call: ToolCall, call_id: str, origin: BlockOrigin, notes: Notes) -> dict[str, Any] | None:
    """Write a call of old chats, or one with free text; None for calls of functions."""
    match call.kind:
        case "legacy":
            written: dict[str, Any] = {"name": call.tool_name, "arguments": call.arguments}
        case "custom":
            custom = {"name": call.tool_name, "input": call.arguments}
            written = restore({"id": call_id, "type": "custom", "custom": custom}, call.ext, NAME)
        case _:
            return None
    note_call(call, origin, notes)
    return notes.placed(written, origin)  # type: ignore[no-any-return]  # it gives back what it is given


_FORM = WriteForm(
    name=NAME,
    spelling=SPELLING,
    call=CALL,
    part=_part,
    is_beside=_is_beside,
    fields=_fields,
    ids=_ids,
    shape=_shape,
    write_other_call=_other_call,
    carriers=(*TEXT_CARRIERS, *LIST_CARRIERS),
    no_reasoning=f"{NAME} takes no reasoning back",
    has_names=True,
    has_developer=True,
    has_legacy=True,
    has_custom=True,
    has_refusals=True,
    cache_ttls=TTLS,
    only_answers={"/annotations": "only answers have them"},  # openai SDK 3.57.0: ChatCompletionMessage, not its param
)
