"""Writing the steps of the Interactions API, one message after the other."""

from typing import Any

from lighter.conversation import BlockOrigin, Conversation
from lighter.formats._call_ids import CallIds
from lighter.formats._chat_parts import no_place
from lighter.formats._google import note_thought, signature_of
from lighter.formats._noting import (
    note_beside_results,
    note_id_and_name,
    note_number,
    note_refusal,
    note_result_kind,
    note_system_as_user,
    note_text_document,
    written_object,
)
from lighter.formats._reading import ENVELOPE
from lighter.formats._writing import Item, PlacedBlock, extra_at, feature_of
from lighter.formats.gemini_interactions.contents import DETAILS, has_name, write_content
from lighter.formats.gemini_interactions.shapes import (
    AS_CONTENTS,
    AS_VALUE,
    NAME,
    SPELLING,
    STEP_SPELLING,
    is_own,
    own,
)
from lighter.jsontext import decode, keys_of
from lighter.messages import (
    AssistantMessage,
    Block,
    Extra,
    MediaBlock,
    OpaqueBlock,
    OtherMessage,
    ReasoningBlock,
    RefusalBlock,
    SystemMessage,
    TextBlock,
    ToolCall,
    ToolMessage,
    ToolResultBlock,
)


class StepWriter:
    """Writes messages into `steps`: one step for each call, each thought and each output of a model's turn."""

    def __init__(self, conversation: Conversation) -> None:
        self.steps: list[Any] = []
        self._ids = CallIds(bool, conversation, max_length=64, is_unique=False)
        self._group: int | None = None
        self._output: dict[str, Any] | None = None

    def add(self, item: Item) -> None:
        """Write one message."""
        match item.message:
            case AssistantMessage() as message:
                self._add_turn(item, message)
            case ToolMessage() as message:
                self._add_result(item, message)
            case OtherMessage() as message:
                self._add_stranger(item, message)
            case _:
                self._add_input(item)
        self._output, self._group = None, item.message.group

    def _add_stranger(self, item: Item, message: OtherMessage) -> None:
        """Put a value back that is no step; a role of another format becomes the user's."""
        whole = extra_at(message.ext, NAME, "")
        if whole is not None:
            self.steps.append(item.notes.placed(decode(whole), item.origin))
        elif message.role:
            item.notes.rewritten(item.origin.at("role"), "role", "became the user's")
            self._add_input(item)
        else:
            item.notes.extras(message.ext, item.origin.path)
            item.notes.dropped(item.origin.path, "message", "it has no role")

    def _add_input(self, item: Item) -> None:
        message, notes = item.message, item.notes
        contents = [content for placed in item.blocks if (content := self._content(placed, item)) is not None]
        if not contents and not is_own(message.ext):
            notes.emptied(message, item.origin)
            return
        if isinstance(message, SystemMessage):
            note_system_as_user(item, message)
        note_beside_results(item, self._group)
        notes.unheld(message, item.origin, "id", "name")
        notes.extras(message.ext, item.origin.path, held=("/role",) if isinstance(message, SystemMessage) else ())
        written: dict[str, Any] = {"type": "user_input", "content": contents}
        match item.blocks:
            case ((OpaqueBlock(format="gemini-interactions", native_type="contents"), _),):
                written["content"] = contents[0]
        ext = tuple(extra for extra in message.ext if extra.path != "/input")
        self.steps.append(notes.placed(own(written, ext), item.origin))

    def _content(self, placed: PlacedBlock, item: Item) -> Any:
        """Write one block as a content; None when there is none for it, which is noted."""
        block, origin = placed
        notes = item.notes
        if isinstance(block, OpaqueBlock) and block.format == NAME:
            return notes.placed(decode(block.json), origin)
        if isinstance(block, MediaBlock) and block.source == "text" and block.data:
            note_text_document(block, origin, notes)
            return notes.placed({"type": "text", "text": block.data}, origin)
        if isinstance(block, TextBlock) and not block.text and not is_own(block.ext):
            notes.dropped(origin.path, "empty-text", "there is nothing in it")
            return None
        content = write_content(block)
        if content is None:
            notes.dropped(origin.path, feature_of(block), no_place(block, NAME))
            return None
        self._note_fields(block, origin, item)
        return notes.placed(content, origin)

    def _note_fields(self, block: Block, origin: BlockOrigin, item: Item) -> None:
        """Note what a content does not hold of its block, and what is added."""
        notes = item.notes
        notes.extras(block.ext, origin.path)
        notes.cache_mark(block.cache, origin, "contents")
        if isinstance(block, RefusalBlock):
            note_refusal(block, origin, item)
        if not isinstance(block, MediaBlock):
            return
        if block.name is not None and not has_name(block):
            notes.dropped(origin.at("name"), "media-name", "such media carry no name here")
        if block.detail is not None and (block.detail not in DETAILS or block.kind == "audio"):
            notes.dropped(origin.at("detail"), "image-detail", f"there is no resolution {block.detail}")
        if block.source == "base64" and block.media_type is None and not is_own(block.ext):
            notes.synthesised(origin.path, "media-type", "data must tell their type here; it is the usual one")

    def _add_turn(self, item: Item, message: AssistantMessage) -> None:
        notes, start = item.notes, len(self.steps)
        turn: set[str] = set()
        self._ids.open_turn()
        for placed in item.blocks:
            self._add_block(placed, item, turn)
        notes.unheld(message, item.origin, "id", "name", "model", "stop", "usage")
        held = {id(extra) for block, _ in item.blocks for extra in _of_step(block, message.ext)}
        notes.extras((extra for extra in message.ext if id(extra) not in held), item.origin.path)
        if len(self.steps) == start:
            notes.dropped(item.origin.path, "empty-message", "nothing of the message is left")

    def _add_block(self, placed: PlacedBlock, item: Item, turn: set[str]) -> None:
        """Write one block of a model's turn, as a step or as a content of one."""
        block, origin = placed
        match block:
            case OpaqueBlock() if block.format == NAME and not _is_in_step(block):
                self._append(decode(block.json), item, origin)
            case ReasoningBlock():
                self._add_thought(block, origin, item)
            case ToolCall(kind="server") | ToolResultBlock():
                item.notes.dropped(origin.path, "server-tool", "only its own provider can hold it")
            case ToolCall():
                self._append(self._call(block, origin, item, turn), item, origin)
            case _:
                content = self._content(placed, item)
                if content is not None:
                    self._say(content, block, item, origin)

    def _append(self, value: Any, item: Item, origin: BlockOrigin) -> None:
        self._output = None
        self.steps.append(item.notes.placed(value, origin))

    def _say(self, content: Any, block: Block, item: Item, origin: BlockOrigin) -> None:
        """Add a content to the output that it continues, or begin another."""
        begins = extra_at(block.ext, STEP_SPELLING, "") is not None
        if self._output is None or begins:
            more = {keys_of(extra.path)[-1]: decode(extra.json) for extra in _of_step(block, item.message.ext)}
            output: dict[str, Any] = {"type": "model_output", "content": [], **more}
            self._append(output, item, origin)
            self._output = output
        self._output["content"].append(content)

    def _add_thought(self, block: ReasoningBlock, origin: BlockOrigin, item: Item) -> None:
        """Write reasoning as a thought; without text or signature there is nothing in it."""
        notes, signature = item.notes, signature_of(block)
        if not block.text and signature is None and not is_own(block.ext):
            notes.dropped(origin.path, "reasoning", "only its own provider can read it")
            return
        note_thought(block, origin, notes, is_own=is_own(block.ext))
        written: dict[str, Any] = {"type": "thought"}
        if signature is not None:
            written["signature"] = signature.data
        if block.text:
            written["summary"] = [{"type": "text", "text": block.text}]
        self._append(own(written, block.ext), item, origin)

    def _call(self, call: ToolCall, origin: BlockOrigin, item: Item, turn: set[str]) -> Any:
        notes = item.notes
        notes.extras(call.ext, origin.path, held=note_number(call, origin, notes))
        notes.cache_mark(call.cache, origin, "calls")
        if call.opaque:
            notes.dropped(origin.at("opaque"), "signature", "calls carry no signature here")
        value = written_object(call, origin, item)
        call_id = self._ids.for_call(call.call_id, turn)
        notes.call_id(call, origin, call_id)
        return own({"type": "function_call", "id": call_id, "name": call.tool_name, "arguments": value}, call.ext)

    def _add_result(self, item: Item, message: ToolMessage) -> None:
        origin, notes = item.origin, item.notes
        call_id = self._ids.for_result(message.call_id)
        given = "" if message.is_id_synthetic and is_own(message.ext) else call_id
        written: dict[str, Any] = {"type": "function_result", "call_id": given, "result": self._outcome(item, message)}
        notes.call_id(message, origin, call_id, is_restored=not given)
        if message.tool_name:
            written["name"] = message.tool_name
        if message.is_error is not None and (message.is_error or "is_error" in origin.fields):
            written["is_error"] = message.is_error
        note_result_kind(message, origin, notes, "the result of a call")
        note_id_and_name(item)
        notes.extras(message.ext, origin.path, held=("/is_error",))
        ext = tuple(extra for extra in message.ext if not (extra.format == SPELLING and extra.path == "/result"))
        self.steps.append(notes.placed(own(written, ext), origin))

    def _outcome(self, item: Item, message: ToolMessage) -> Any:
        """Write what the function gave: a text, a value, or a list of contents."""
        match item.blocks:
            case ():
                return ""
            case ((TextBlock() as block, origin),) if extra_at(message.ext, SPELLING, "/result") != AS_CONTENTS:
                item.notes.cache_mark(block.cache, origin, "results")
                if extra_at(message.ext, SPELLING, "/result") == AS_VALUE:
                    return decode(block.text)
                item.notes.extras(block.ext, origin.path)
                return block.text  # google-genai 3.6.1 types a value here as an object without members
            case _:
                return [content for placed in item.blocks if (content := self._content(placed, item)) is not None]


def _is_in_step(block: Block) -> bool:
    return any(extra.format == STEP_SPELLING for extra in block.ext)


def _of_step(block: Block, ext: tuple[Extra, ...]) -> tuple[Extra, ...]:
    """Give those of a message's extras that belong to the step whose first content a block was."""
    places = [decode(extra.json) for extra in block.ext if (extra.format, extra.path) == (STEP_SPELLING, "")]
    return tuple(e for e in ext if e.format == ENVELOPE and e.path.rpartition("/")[0] in places)
