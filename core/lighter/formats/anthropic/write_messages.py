"""Writing the messages of Anthropic, one after the other: results first in the user turn after their calls."""

import re
from typing import Any

from lighter.conversation import BlockOrigin, Conversation
from lighter.formats import SPELLING as ANY_SPELLING
from lighter.formats._call_ids import CallIds, called_names, is_of_twin, names_of_twins
from lighter.formats._noting import (
    note_developer,
    note_id_and_name,
    note_number,
    note_refusal,
    note_result_kind,
    note_system_as_user,
    note_type_of_address,
    role_or_user,
    written_object,
)
from lighter.formats._writing import Item, PlacedBlock, extra_at, feature_of, restore, shortened
from lighter.formats.anthropic.blocks import cache_control, media_block
from lighter.formats.anthropic.foreign import (
    cache_point_mark,
    document_fields,
    mark_before,
    mark_last,
    routed_mark,
    search_result,
)
from lighter.formats.anthropic.shapes import ANSWER_KEYS, NAME, SPELLING, TTLS, TURN
from lighter.jsontext import decode
from lighter.losses import Action
from lighter.messages import (
    AssistantMessage,
    Block,
    MediaBlock,
    Message,
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

# "tool_use.id: String should match pattern '^[a-zA-Z0-9_-]+$'", https://github.com/maximhq/bifrost/issues/5097
_LEGAL_ID = re.compile(r"[a-zA-Z0-9_-]{1,64}", re.ASCII)


TRAILING_WHITESPACE: tuple[str, Action, str] = (
    "trailing-whitespace",
    "rewritten",
    "a final assistant text must not end in whitespace",
)
"""What becomes of white space at the end: feature, action and detail of the loss."""


class MessageWriter:
    """Writes messages into `messages`; results of one turn, and what shares their group, go into one user message."""

    def __init__(self, conversation: Conversation) -> None:
        self.messages: list[dict[str, Any]] = []
        self._ids = CallIds(
            lambda call_id: bool(_LEGAL_ID.fullmatch(call_id)), conversation, max_length=64, is_unique=True
        )
        self._called = called_names(conversation)
        self._twins = names_of_twins(conversation)
        self._group: int | None = None
        self._takes_results = False
        self._last: Item | None = None

    def system(self, items: list[Item]) -> dict[str, Any]:
        """Write the leading system messages as the system prompt."""
        blocks: list[Any] = []
        for item in items:
            content: list[Any] = []
            for block, origin in item.blocks:
                if isinstance(block, TextBlock | OpaqueBlock):
                    content += [written] if (written := self._block(block, origin, item)) is not None else []
                else:
                    item.notes.dropped(origin.path, feature_of(block), "a system prompt holds text only")
            if not item.blocks:
                item.notes.emptied(item.message, item.origin)
                continue
            self._note_message(item, content)
            blocks += content
            note_developer(item)
        return {"system": shortened(blocks, is_whole=True)} if blocks else {}

    def add(self, item: Item) -> None:
        """Write one message."""
        message = item.message
        if self._add_plain(item, message):
            return
        written = len(item.notes.places)
        if not isinstance(message, ToolMessage | UserMessage):
            self._takes_results = False
        match message:
            case ToolMessage():
                self._add_result(item, message)
            case UserMessage() if self._takes_results and message.group is not None and message.group == self._group:
                content = self._blocks(item)
                self._note_message(item, content)
                self.messages[-1]["content"] += content
            case UserMessage():
                self._add_turn("user", item)
            case SystemMessage():
                self._add_system(item, message)
            case AssistantMessage():
                self._add_assistant(item)
            case OtherMessage():
                self._add_turn(role_or_user(item), item)
        if len(item.notes.places) > written:
            self._last = item

    def _add_plain(self, item: Item, message: Message) -> bool:
        """Write a message that is nothing but visible text; say whether it was one."""
        kind = type(message)
        if kind is UserMessage:
            role = "user"
        elif kind is AssistantMessage and not _tells_more(message):
            role = "assistant"
        else:
            return False
        text = message.content
        is_named = message.name is not None or message.id is not None
        if message.blocks or message.ext or is_named or message.group is not None or not text.strip():
            return False
        self._takes_results = False
        self.messages.append(item.notes.placed({"role": role, "content": text}, item.origin))
        self._last = item
        return True

    def _note_message(self, item: Item, content: list[Any]) -> None:
        """Note what no Anthropic message holds: names, foreign keys, and cache marks, which move to the last block."""
        message = item.message
        if not is_of_twin(message, self._twins):
            item.notes.tool_name(message, item.origin, self._called)
        note_id_and_name(item)
        item.notes.unheld(message, item.origin, "model", "stop", "usage")
        held = ["/is_error"] if isinstance(message, ToolMessage) else []
        if (mark := routed_mark(message.ext)) is not None and mark_last(content, mark):
            item.notes.moved(f"{item.origin.path}/cache_control", "cache-mark", "stands on the last block now")
            held.append("/cache_control")
        item.notes.extras((extra for extra in message.ext if extra.format != TURN), item.origin.path, held=held)

    def _append(self, role: str, content: list[Any], item: Item) -> None:
        """Add a message; one that would be empty is left out, unless Anthropic itself wrote it so."""
        own = [extra for extra in item.message.ext if extra.format == NAME]
        kept = [extra for extra in own if role != "assistant" or extra.path not in ANSWER_KEYS]
        if content or kept:
            self._note_message(item, content)
            for extra in own:
                if extra not in kept:
                    feature = extra.path[1:].replace("_", "-")
                    item.notes.dropped(item.origin.path + extra.path, feature, "only answers have it")
            shown = shortened(content, is_whole=len(item.blocks) == 1)
            written = restore({"role": role, "content": shown}, kept, NAME)
            self.messages.append(item.notes.placed(written, item.origin))
        else:
            item.notes.emptied(item.message, item.origin)

    def _add_turn(self, role: str, item: Item) -> None:
        self._takes_results = False
        self._append(role, self._blocks(item), item)

    def _add_system(self, item: Item, message: SystemMessage) -> None:
        """Write a system message in mid-conversation; only newer models take the role there, so it becomes user text."""
        if any(extra.format == NAME for extra in message.ext):
            self._add_turn("system", item)
            return
        if any(isinstance(block, TextBlock) and block.text.strip() for block, _ in item.blocks):
            note_system_as_user(item, message)
        self._add_turn("user", item)

    def _add_assistant(self, item: Item) -> None:
        turn: set[str] = set()
        self._ids.open_turn()
        content: list[Any] = []
        for placed in item.blocks:
            mark = cache_point_mark(placed[0])
            if mark is None or not mark_before(content, mark):
                content += [written] if (written := self._spoken(placed, item, turn)) is not None else []
        self._append("assistant", content, item)

    def _spoken(self, placed: PlacedBlock, item: Item, turn: set[str]) -> Any:
        """Write one block of an assistant message; None when it has no place here, which is noted."""
        block, origin = placed
        match block:
            case ReasoningBlock():
                return self._reasoning(block, origin, item)
            case ToolCall(kind="server") | ToolResultBlock() if _is_foreign(block):
                item.notes.dropped(origin.path, "server-tool", "only its own provider can hold it")
                return None
            case ToolCall(kind="server"):
                value = {"type": "server_tool_use", "id": block.call_id, "name": block.tool_name}
                value |= {"input": decode(block.arguments), **cache_control(block.cache)}
            case ToolCall():
                return self._call(block, origin, item, turn)
            case ToolResultBlock():
                value = {"type": block.native_type, "tool_use_id": block.call_id, "content": decode(block.json)}
            case RefusalBlock():
                note_refusal(block, origin, item)
                value = {"type": "text", "text": block.text}
            case _:
                return self._block(block, origin, item)
        item.notes.extras(block.ext, origin.path)
        return item.notes.placed(restore(value, block.ext, NAME), origin)

    def _reasoning(self, block: ReasoningBlock, origin: BlockOrigin, item: Item) -> Any:
        """Write reasoning that Anthropic itself signed, or wrote without a signature; anything else it would refuse."""
        own = next((opaque for opaque in block.opaque if opaque.provider == NAME), None)
        if own is None and not any(extra.format == NAME for extra in block.ext):
            item.notes.dropped(origin.path, "reasoning", "reasoning without a signature of this provider is refused")
            return None
        if own is not None and own.kind == "redacted":
            value = {"type": "redacted_thinking", "data": own.data}
        else:
            value = {"type": "thinking", "thinking": block.text, "signature": own.data if own is not None else ""}
        item.notes.extras(block.ext, origin.path)
        return item.notes.placed(restore(value, block.ext, NAME), origin)

    def _call(self, call: ToolCall, origin: BlockOrigin, item: Item, turn: set[str]) -> Any:
        notes = item.notes
        notes.extras(call.ext, origin.path, held=note_number(call, origin, notes))
        if call.opaque:
            notes.dropped(origin.at("opaque"), "signature", "only its own provider can read it")
        call_id = self._ids.for_call(call.call_id, turn)
        notes.call_id(call, origin, call_id, is_restored=extra_at(call.ext, SPELLING, "/id") is not None)
        is_restored = extra_at(call.ext, SPELLING, "/input") == call.arguments
        value = written_object(call, origin, item, is_restored=is_restored)
        if is_restored:
            value = decode(call.arguments)  # Anthropic's own log holds input that is no object
        written = {"type": "tool_use", "id": call_id, "name": call.tool_name, "input": value}
        ext = [extra for extra in call.ext if (extra.format, extra.path) != (SPELLING, "/input")]
        return notes.placed(restore(written | cache_control(call.cache), ext, NAME, SPELLING), origin)

    def _add_result(self, item: Item, message: ToolMessage) -> None:
        origin, notes = item.origin, item.notes
        call_id = self._ids.for_result(message.call_id)
        notes.call_id(message, origin, call_id, is_restored=extra_at(message.ext, SPELLING, "/tool_use_id") is not None)
        note_result_kind(message, origin, notes, "a tool result")
        value: dict[str, Any] = {"type": "tool_result", "tool_use_id": call_id}
        if content := self._blocks(item):
            value["content"] = shortened(content, is_whole=True)
        if message.is_error or (message.is_error is False and "is_error" in origin.fields):
            value["is_error"] = message.is_error
        self._note_message(item, [value])
        written = notes.placed(restore(value, message.ext, NAME, SPELLING), origin)
        if self._takes_results and message.group == self._group:
            self.messages[-1]["content"].append(written)
        else:
            self.messages.append(restore({"role": "user", "content": [written]}, message.ext, TURN))
        self._takes_results, self._group = True, message.group

    def _blocks(self, item: Item) -> list[Any]:
        content: list[Any] = []
        is_after_results = (
            self._takes_results and isinstance(item.message, UserMessage) and item.message.group == self._group
        )
        for block, origin in item.blocks:
            before = content if content or not is_after_results else self.messages[-1]["content"]
            mark = cache_point_mark(block)
            if mark is None or not mark_before(before, mark):
                content += [written] if (written := self._block(block, origin, item)) is not None else []
        return content

    def _block(self, block: Block, origin: BlockOrigin, item: Item) -> Any:
        """Write one block; None when it has no place here, which is noted."""
        notes = item.notes
        match block:
            case TextBlock() if not block.text.strip() and not isinstance(item.message, ToolMessage):
                notes.dropped(origin.path, "empty-text", f"{NAME} refuses text without visible characters")
                return None
            case TextBlock():
                value: dict[str, Any] = {"type": "text", "text": block.text, **cache_control(block.cache)}
            case MediaBlock() if (media := media_block(block)) is not None:
                value = media
                self._note_source(media["source"], block, origin, item)
                if block.detail is not None:
                    notes.dropped(origin.at("detail"), "image-detail", "images have no detail here")
                if block.name is not None and block.kind == "image":
                    notes.dropped(origin.at("name"), "media-name", "images carry no name here")
            case OpaqueBlock(format="anthropic") if block.native_type != "content":
                return notes.placed(decode(block.json), origin)
            case OpaqueBlock() if (found := search_result(block)) is not None:
                value = found | cache_control(block.cache)
            case _:
                notes.dropped(origin.path, feature_of(block), f"{NAME} cannot hold it here")
                return None
        held: list[str] = []
        if (mark := routed_mark(block.ext)) is not None and "cache_control" not in value:
            value["cache_control"] = mark  # routers take Anthropic's own marks in chats
            held.append("/cache_control")
        for path, key, told in document_fields(block) if isinstance(block, MediaBlock) else ():
            value[key] = told
            held.append(path)
        notes.extras(block.ext, origin.path, held=held)
        notes.cache_ttl(block.cache, origin, TTLS)
        return notes.placed(restore(value, block.ext, NAME), origin)

    def _note_source(self, source: dict[str, Any], block: MediaBlock, origin: BlockOrigin, item: Item) -> None:
        """Note what became of the source of a medium."""
        note_type_of_address(block, origin, item.notes)
        if source["type"] == "base64" and block.media_type is None:
            told = source["media_type"]
            item.notes.synthesised(origin.path, "media-type", f"media must tell their type here; it is {told}")
        if source["type"] != "text":
            return
        if block.source == "base64":
            detail = "base64 became the text that it stands for"
            place = origin.at("data")  # the key in `source` tells base64 from text
            item.notes.rewritten(place.removesuffix("/bytes"), "document", detail, is_reversible=True)
        if block.media_type not in (None, source["media_type"]) and "media_type" in origin.fields:
            item.notes.rewritten(origin.at("media_type"), "media-type", "texts are text/plain here")

    def finish(self) -> None:
        """Cut trailing whitespace of a final assistant text, which Anthropic refuses in a prefill."""
        if not self.messages or self.messages[-1]["role"] != "assistant" or self._last is None:
            return
        holder, key = self.messages[-1], "content"
        if isinstance(holder["content"], list):
            holder, key = holder["content"][-1], "text"
        text = holder.get(key) if isinstance(holder, dict) else None
        if isinstance(text, str) and text != text.rstrip():
            path = self._last.blocks[-1][1].at("text") if self._last.blocks else self._last.origin.path
            feature, _, detail = TRAILING_WHITESPACE
            self._last.notes.rewritten(path, feature, detail)
            holder[key] = text.rstrip()


def _tells_more(message: Any) -> bool:
    """Say whether an assistant's message holds more than text."""
    is_answer = message.model is not None or message.stop is not None or message.usage is not None
    return bool(message.tool_calls) or message.reasoning is not None or is_answer


def _is_foreign(block: ToolCall | ToolResultBlock) -> bool:
    """Say whether a server tool's call or result is another provider's."""
    if isinstance(block, ToolResultBlock) and not block.native_type.endswith("_tool_result"):
        return True
    return any(extra.format != NAME and not extra.format.endswith(ANY_SPELLING) for extra in block.ext)
