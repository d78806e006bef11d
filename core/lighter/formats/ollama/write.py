"""Writing Ollama's chat API: content as one text with images beside it, results told apart by name and order."""

from collections.abc import Sequence
from typing import Any

from lighter.conversation import BlockOrigin, Conversation, Param
from lighter.formats import Written
from lighter.formats._chat_form import Turn, WriteForm, note_media_type
from lighter.formats._chat_writing import finished, write_messages
from lighter.formats._functions import write_tools
from lighter.formats._notes import Notes
from lighter.formats._noting import note_param
from lighter.formats._response_format import as_schema, written_format
from lighter.formats._writing import Item, calls_of, items_of, origin_format, param_values, results_after_calls
from lighter.formats.ollama.shapes import CALL, ELSEWHERE, NAME, OPTIONS, PARAMS, SPELLING
from lighter.jsontext import decode
from lighter.messages import (
    PARAGRAPH,
    Block,
    MediaBlock,
    OpaqueBlock,
    ReasoningBlock,
    RefusalBlock,
    TextBlock,
    ToolMessage,
)

_NAMES = {common: key for key, common in OPTIONS.items()}


def write(conversation: Conversation) -> Written:
    """Write a conversation as a request body; `model` is not invented."""
    notes = Notes.of(conversation, NAME)
    value: dict[str, Any] = {"messages": write_messages(conversation, _FORM, notes)}
    _note_mistakable(results_after_calls(items_of(conversation, Notes.of(conversation, NAME))), notes)
    if tools := write_tools(conversation, notes, has_strict=False):
        value["tools"] = tools
    is_own = origin_format(conversation) == NAME
    for param, held in param_values(conversation.params):
        _add_param(value, param, held, notes, is_own=is_own)
    asked, held = written_format(conversation, notes, as_schema, has_details=False)
    value |= {"format": asked} if asked is not None else {}
    return finished(value, conversation, notes, SPELLING, held)


def _note_mistakable(items: Sequence[Item], notes: Notes) -> None:
    """Note results that would seem to answer an earlier call of the same tool, which never was answered."""
    for index, item in enumerate(items):
        calls = calls_of(item)
        if len(calls) < 2:
            continue
        results = {}
        for after in items[index + 1 :]:
            if not isinstance(after.message, ToolMessage):
                break
            results[after.message.call_id] = after
        open_names = set[str]()
        for call in calls:
            if call.call_id not in results:
                open_names.add(call.tool_name)
            elif call.tool_name in open_names:
                result = results[call.call_id]
                detail = "without ids it seems to answer the call of the same tool before its own"
                notes.at_row(result.origin.row).dropped(result.origin.at("call_id"), "call-id", detail)


def _add_param(value: dict[str, Any], param: Param, held: Any, notes: Notes, *, is_own: bool) -> None:
    """Write one parameter; one that Ollama has none like is noted."""
    match param.name, held:
        case "model", _ if not is_own and str(held).startswith(ELSEWHERE):
            note_param(param, notes)
        case "stop", str() if not is_own:
            notes.rewritten(param.path, "stop", "one stop text became a list", is_reversible=True)
            value.setdefault("options", {})["stop"] = [held]
        case "max_completion_tokens", _:
            notes.rewritten(param.path, "max-completion-tokens", "is called num_predict there")
            value.setdefault("options", {})["num_predict"] = held
        case name, _ if name in _NAMES:
            value.setdefault("options", {})[_NAMES[name]] = held
        case name, _ if name in PARAMS:
            value[name] = held
        case _:
            note_param(param, notes)


def _part(block: Block, role: str) -> dict[str, Any] | None:
    """Write a block as text or as an image, of which `_shape` makes the content; None when there is no place for it."""
    match block:
        case TextBlock() | RefusalBlock():
            return {"type": "text", "text": block.text}
        case MediaBlock(kind="image", source="base64") if role != "system":
            return {"type": "image", "image": block.data}
        case OpaqueBlock(format="ollama", native_type="image"):
            return {"type": "image", "image": decode(block.json)}
        case _:
            return None


def _shape(parts: Sequence[Any], turn: Turn, item: Item) -> dict[str, Any]:
    """Join texts to one, and put images beside it; that a text has lost its place among others is noted."""
    texts = [part["text"] for part in parts if part["type"] == "text"]
    images = [part["image"] for part in parts if part["type"] == "image"]
    if len(texts) > 1:
        _note_joined(item, TextBlock | RefusalBlock, "several texts became one")
    if len(turn.beside) > 1:
        _note_joined(item, ReasoningBlock, "several thoughts became one")
    if images:
        _note_interleaving(item)
    content = {"content": PARAGRAPH.join(texts)}
    return content | {"images": images} if images else content


def _note_interleaving(item: Item) -> None:
    """Note images that stood before text, and that text, for then nothing tells which stood where."""
    passed: list[BlockOrigin] = []
    for block, origin in item.blocks:
        if isinstance(block, MediaBlock) and (block.kind, block.source) == ("image", "base64"):
            passed.append(origin)
        elif isinstance(block, TextBlock | RefusalBlock) and passed:
            for image in passed:
                item.notes.moved(image.path, "interleaving", "images stand beside the text now")
            passed = []
            item.notes.moved(origin.path, "interleaving", "text that followed an image now stands before it")


def _note_joined(item: Item, kinds: Any, detail: str) -> None:
    for block, origin in item.blocks:
        if isinstance(block, kinds):
            place = origin.at("text") if isinstance(block, ReasoningBlock) else origin.path
            item.notes.rewritten(place, "several-blocks", detail)


def _is_thought(block: Block) -> bool:
    return isinstance(block, ReasoningBlock) and bool(block.text)


def _fields(blocks: Sequence[Block]) -> dict[str, Any]:
    thoughts = [block.text for block in blocks if isinstance(block, ReasoningBlock)]
    return {"thinking": PARAGRAPH.join(thoughts)} if thoughts else {}


_FORM = WriteForm(
    name=NAME,
    spelling=SPELLING,
    call=CALL,
    part=_part,
    is_beside=_is_thought,
    fields=_fields,
    ids=None,
    shape=_shape,
    note=note_media_type,
    result_name="tool_name",
    has_media_in_results=True,
    has_urls=False,
    has_media_names=False,
)
