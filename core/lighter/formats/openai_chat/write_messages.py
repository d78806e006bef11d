"""Writing the messages of OpenAI Chat, one after the other."""

from collections.abc import Sequence
from typing import Any

from msgspec import Struct

from lighter.conversation import BlockOrigin, Conversation
from lighter.formats._call_ids import CallIds, called_names
from lighter.formats._openai import TTLS
from lighter.formats._writing import Item, PlacedBlock, feature_of, note_number, restore, shortened
from lighter.formats.openai_chat.parts import is_in_content, write_part
from lighter.formats.openai_chat.reasoning import write_reasoning
from lighter.formats.openai_chat.shapes import COPIES, NAME
from lighter.jsontext import decode
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
    UserMessage,
)

MAX_ID = 40
# "Invalid 'messages[2].tool_calls[0].id': string too long. Expected a string with maximum length 40",
# https://github.com/anomalyco/opencode/issues/12653


class _Turn(Struct):
    """The parts of an assistant message while it is written."""

    parts: list[Any]
    calls: list[Any]
    legacy: list[Any]
    reasoning: list[ReasoningBlock]
    fields: dict[str, Any]
    ids: set[str]


class MessageWriter:
    """Writes messages into `messages`; media of results wait until the last result of the turn is written."""

    def __init__(self, conversation: Conversation) -> None:
        self.messages: list[dict[str, Any]] = []
        self._media: list[tuple[str, list[Any]]] = []
        self._group: int | None = None
        self._called = called_names(conversation)
        self._ids = CallIds(
            lambda call_id: 0 < len(call_id) <= MAX_ID, conversation, max_length=MAX_ID, is_unique=False
        )

    def add(self, item: Item) -> None:
        """Write one message."""
        message = item.message
        if not isinstance(message, ToolMessage):
            self.flush_media()
        written = self._written(item)
        self._group = message.group
        if message.name is not None:
            written["name"] = message.name
        ext = tuple(extra for extra in message.ext if not _is_of_answers(extra))
        own = restore(restore(written, ext, COPIES), ext, NAME)
        if _is_empty(written, item):
            item.notes.emptied(message, item.origin)
            return
        held = ("/role",) if isinstance(message, SystemMessage) else ()
        item.notes.extras(ext, item.origin.path, held=held)
        if len(ext) != len(message.ext):
            item.notes.dropped(f"{item.origin.path}/annotations", "annotations", "only answers have them")
        item.notes.identity(message, item.origin, self._called)
        self.messages.append(item.notes.placed(own, item.origin))

    def _written(self, item: Item) -> dict[str, Any]:
        match item.message:
            case SystemMessage() as message:
                role = "developer" if message.is_developer else "system"
                return {"role": role, "content": self._content(item, are_texts_only=True)}
            case UserMessage() as message:
                if message.group is not None and message.group == self._group:
                    for _, origin in item.blocks:
                        item.notes.moved(origin.path, "beside-results", "what shared a turn with results follows them")
                return {"role": "user", "content": self._content(item)}
            case AssistantMessage() as message:
                return self._assistant(item, message)
            case ToolMessage() as message:
                return self._result(item, message)
            case OtherMessage() as message:
                return {"role": message.role, "content": self._content(item)}

    def _content(self, item: Item, *, are_texts_only: bool = False) -> Any:
        """Write blocks as text where that is all, else as parts."""
        parts = (self._part(block, origin, item, is_text_only=are_texts_only) for block, origin in item.blocks)
        return _shortened([part for part in parts if part is not None], item)

    def _part(self, block: Block, origin: BlockOrigin, item: Item, *, is_text_only: bool) -> Any:
        """Write one block as a content part; None when there is none for it, which is noted."""
        if isinstance(block, OpaqueBlock) and block.format == NAME and block.native_type == "content":
            return None  # put back by the message's own extras
        part = write_part(block) if not is_text_only or isinstance(block, TextBlock | OpaqueBlock) else None
        if part is None and isinstance(block, MediaBlock) and block.source == "text" and not is_text_only:
            item.notes.rewritten(origin.path, "document", "a text document became text")
            item.notes.extras(block.ext, origin.path)
            if block.name is not None:
                item.notes.dropped(origin.at("name"), "media-name", "texts carry no title here")
            return item.notes.placed({"type": "text", "text": block.data}, origin)
        if part is None:
            item.notes.dropped(origin.path, feature_of(block), f"{NAME} cannot hold it here")
            return None
        self._note_fields(block, origin, item)
        own = part if isinstance(block, OpaqueBlock) else restore(part, block.ext, NAME)
        return item.notes.placed(own, origin)

    def _note_fields(self, block: Block, origin: BlockOrigin, item: Item) -> None:
        """Note what a part does not hold of its block."""
        item.notes.extras(block.ext, origin.path)
        item.notes.cache_ttl(block.cache, origin, TTLS)
        if isinstance(block, MediaBlock) and block.name is not None and block.kind == "image":
            item.notes.dropped(origin.at("name"), "media-name", "images carry no name here")

    def _assistant(self, item: Item, message: AssistantMessage) -> dict[str, Any]:
        turn = _Turn([], [], [], [], {}, set())
        self._ids.open_turn()
        for placed in item.blocks:
            self._add_block(placed, item, turn)
        written = {"role": "assistant", "content": _shortened(turn.parts, item) or None, **turn.fields}
        written |= write_reasoning(turn.reasoning)
        if turn.legacy:
            written["function_call"] = turn.legacy[0]
        if turn.calls:
            written["tool_calls"] = turn.calls
        item.notes.answer(message, item.origin)
        return written

    def _add_block(self, placed: PlacedBlock, item: Item, turn: _Turn) -> None:
        """Put one block of an assistant message where a chat holds it."""
        block, origin = placed
        match block:
            case ReasoningBlock(carrier=str()):
                turn.reasoning.append(block)
            case ReasoningBlock():
                item.notes.dropped(origin.path, "reasoning", f"{NAME} takes no reasoning back")
            case ToolCall(kind="server") | ToolResultBlock():
                item.notes.dropped(origin.path, "server-tool", "only its own provider can hold it")
            case ToolCall():
                calls = turn.legacy if block.kind == "legacy" else turn.calls
                calls.append(self._call(block, origin, item, turn))
            case OpaqueBlock(format="openai-chat", native_type="tool_call"):
                turn.calls.append(item.notes.placed(decode(block.json), origin))
            case OpaqueBlock(format="openai-chat", native_type="audio"):
                turn.fields["audio"] = decode(block.json)
            case RefusalBlock(carrier=str()):
                turn.fields["refusal"] = block.text
            case _:
                part = self._part(block, origin, item, is_text_only=not isinstance(block, RefusalBlock))
                if part is not None:
                    turn.parts.append(part)
                    if turn.calls or turn.legacy:
                        item.notes.moved(origin.path, "interleaving", "text that followed a call now precedes it")

    def _call(self, call: ToolCall, origin: BlockOrigin, item: Item, turn: _Turn) -> Any:
        notes = item.notes
        notes.extras(call.ext, origin.path, held=note_number(call, origin, notes))
        if call.cache is not None:
            notes.dropped(origin.at("cache"), "cache-mark", "calls carry no cache mark here")
        if call.opaque:
            notes.dropped(origin.at("opaque"), "signature", "only its own provider can read it")
        if call.kind == "legacy":
            return notes.placed({"name": call.tool_name, "arguments": call.arguments}, origin)
        call_id = self._ids.for_call(call.call_id, turn.ids)
        notes.call_id(call, origin, call_id, is_restored=_has_own_id(call.ext, "/id"))
        if call.kind == "custom":
            written = {"id": call_id, "type": "custom", "custom": {"name": call.tool_name, "input": call.arguments}}
        else:
            function = {"name": call.tool_name, "arguments": call.arguments}
            written = {"id": call_id, "type": "function", "function": function}
        return notes.placed(restore(written, call.ext, NAME), origin)

    def _result(self, item: Item, message: ToolMessage) -> dict[str, Any]:
        content = self._result_content(item, message)
        is_flag_own = any(extra.path == "/is_error" and extra.format == NAME for extra in message.ext)
        if not is_flag_own:
            item.notes.error_flag(message, item.origin)
        if message.kind == "legacy":
            return {"role": "function", "name": message.tool_name, "content": content}
        call_id = self._ids.for_result(message.call_id)
        item.notes.call_id(message, item.origin, call_id, is_restored=_has_own_id(message.ext, "/tool_call_id"))
        return {"role": "tool", "tool_call_id": call_id, "content": content}

    def _result_content(self, item: Item, message: ToolMessage) -> Any:
        """Write a result's text, and keep its media for the user message after the turn's results."""
        texts: list[Any] = []
        media: list[Any] = []
        for block, origin in item.blocks:
            part = write_part(block) if isinstance(block, MediaBlock) and block.source != "text" else None
            if part is not None:
                self._note_fields(block, origin, item)
                item.notes.moved(origin.path, "media-in-result", "media of results follow them in a user message")
                if not media:
                    item.notes.synthesised(
                        origin.path, "media-label", "a line that says which call the media belong to"
                    )
                media.append(item.notes.placed(part, origin))
            else:
                text = self._part(block, origin, item, is_text_only=not isinstance(block, MediaBlock))
                texts += [text] if text is not None else []
        if media:
            self._media.append((message.call_id, media))
        return _shortened(texts, item)

    def flush_media(self) -> None:
        """Write the media of the turn's results as one user message, each labelled with its call."""
        if not self._media:
            return
        parts: list[Any] = []
        for call_id, media in self._media:
            parts.append({"type": "text", "text": f"Media in the result of call {call_id}:"})
            parts += media
        self.messages.append({"role": "user", "content": parts})
        self._media = []


def _has_own_id(ext: Sequence[Extra], path: str) -> bool:
    """Say whether the id, or its absence, is put back as it was."""
    return any(extra.format == NAME and extra.path == path for extra in ext)


def _is_of_answers(extra: Extra) -> bool:
    """Say whether only answers have a key, not requests (openai SDK 3.57.0: ChatCompletionMessage, not its param)."""
    return extra.format == NAME and extra.path == "/annotations"


def _is_empty(written: dict[str, Any], item: Item) -> bool:
    """Say whether what was written is no message at all; what a chat itself wrote so is kept."""
    if any(extra.format == NAME for extra in item.message.ext):
        return False
    match item.message:
        case AssistantMessage():
            return written.keys() <= {"role", "content"} and not written.get("content")
        case OtherMessage(role=""):
            return True
        case _:
            return False


def _shortened(parts: Sequence[Any], item: Item) -> Any:
    """Write content parts as text where they were, or can be, a text."""
    return shortened(parts, is_whole=sum(is_in_content(block) for block, _ in item.blocks) == 1)
