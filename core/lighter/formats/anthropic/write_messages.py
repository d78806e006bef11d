"""Writing the messages of Anthropic, one after the other: results first in the user turn after their calls."""

import re
from typing import Any

from lighter.conversation import BlockOrigin, Conversation
from lighter.formats._call_ids import CallIds, called_names
from lighter.formats._reading import TURN
from lighter.formats._writing import Item, PlacedBlock, arguments_object, feature_of, note_number, restore, shortened
from lighter.formats.anthropic.blocks import cache_control, media_block
from lighter.formats.anthropic.shapes import NAME, TTLS
from lighter.jsontext import decode
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
from lighter.repeated import repeated_keys

# "tool_use.id: String should match pattern '^[a-zA-Z0-9_-]+$'", https://github.com/maximhq/bifrost/issues/5097
_LEGAL_ID = re.compile(r"[a-zA-Z0-9_-]{1,64}", re.ASCII)


class MessageWriter:
    """Writes messages into `messages`; results of one turn, and what shares their group, go into one user message."""

    def __init__(self, conversation: Conversation) -> None:
        self.messages: list[dict[str, Any]] = []
        self._ids = CallIds(
            lambda call_id: bool(_LEGAL_ID.fullmatch(call_id)), conversation, max_length=64, is_unique=True
        )
        self._called = called_names(conversation)
        self._group: int | None = None
        self._takes_results = False
        self._last: Item | None = None

    def system(self, items: list[Item]) -> dict[str, Any]:
        """Write the leading system messages as the system prompt."""
        blocks: list[Any] = []
        for item in items:
            for block, origin in item.blocks:
                if isinstance(block, TextBlock | OpaqueBlock):
                    blocks += [written] if (written := self._block(block, origin, item)) is not None else []
                else:
                    item.notes.dropped(origin.path, _feature(block), "a system prompt holds text only")
            if not item.blocks:
                item.notes.emptied(item.message, item.origin)
                continue
            self._note_message(item)
            if isinstance(item.message, SystemMessage) and item.message.is_developer:
                item.notes.rewritten(item.origin.at("role"), "developer-role", "developer became system")
        return {"system": shortened(blocks, is_whole=True)} if blocks else {}

    def add(self, item: Item) -> None:
        """Write one message."""
        message = item.message
        if self._add_plain(item, message):
            return
        if not isinstance(message, ToolMessage | UserMessage):
            self._takes_results = False
        match message:
            case ToolMessage():
                self._add_result(item, message)
            case UserMessage() if self._takes_results and message.group is not None and message.group == self._group:
                self._note_message(item)
                self.messages[-1]["content"] += self._blocks(item)
            case UserMessage():
                self._add_turn("user", item)
            case SystemMessage():
                self._add_system(item, message)
            case AssistantMessage():
                self._add_assistant(item, message)
            case OtherMessage():
                self._add_turn(message.role or "user", item)
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

    def _note_message(self, item: Item) -> None:
        """Note what no Anthropic message holds: names and foreign keys."""
        message = item.message
        item.notes.identity(message, item.origin, self._called)
        if message.name is not None and not (isinstance(message, ToolMessage) and message.name == message.tool_name):
            item.notes.dropped(item.origin.at("name"), "name", "participants have no names here")
        held = ("/is_error",) if isinstance(message, ToolMessage) else ()
        item.notes.extras((extra for extra in message.ext if extra.format != TURN), item.origin.path, held=held)

    def _append(self, role: str, content: list[Any], item: Item) -> None:
        """Add a message; one that would be empty is left out, unless Anthropic itself wrote it so."""
        is_own = any(extra.format == NAME for extra in item.message.ext)
        written = restore(
            {"role": role, "content": shortened(content, is_whole=len(item.blocks) == 1)}, item.message.ext, NAME
        )
        if content or is_own:
            self._note_message(item)
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
            feature = "developer-role" if message.is_developer else "system-in-the-middle"
            item.notes.rewritten(item.origin.at("role"), feature, "became user text")
        self._add_turn("user", item)

    def _add_assistant(self, item: Item, message: AssistantMessage) -> None:
        turn: set[str] = set()
        self._ids.open_turn()
        content = [written for placed in item.blocks if (written := self._spoken(placed, item, turn)) is not None]
        item.notes.answer(message, item.origin)
        self._append("assistant", content, item)

    def _spoken(self, placed: PlacedBlock, item: Item, turn: set[str]) -> Any:
        """Write one block of an assistant message; None when it has no place here, which is noted."""
        block, origin = placed
        match block:
            case ReasoningBlock():
                return self._reasoning(block, origin, item)
            case ToolCall(kind="server"):
                value = {"type": "server_tool_use", "id": block.call_id, "name": block.tool_name}
                value |= {"input": decode(block.arguments), **cache_control(block.cache)}
            case ToolCall():
                return self._call(block, origin, item, turn)
            case ToolResultBlock():
                value = {"type": block.native_type, "tool_use_id": block.call_id, "content": decode(block.json)}
            case RefusalBlock():
                item.notes.rewritten(origin.at("text"), "refusal", "a refusal became text")
                if block.carrier is not None:
                    item.notes.rewritten(item.origin.at("content"), "refusal", "holds the refusal now")
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
        notes.call_id(call, origin, call_id)
        value, change = arguments_object(call)
        if change is None:
            for path in repeated_keys(call.arguments.encode("utf-8", "surrogatepass"), value):
                detail = "the key occurs again, and the last value counts"
                notes.dropped(origin.at("arguments") + path, "repeated-key", detail)
        if call.kind in ("custom", "legacy"):
            is_inside = origin.path.startswith(f"{item.origin.path}/")  # else the call is an item of its own
            place = origin.path if is_inside else origin.at("arguments")
            notes.rewritten(place, f"{call.kind}-call", change or "became an ordinary call")
        elif change is not None and not any(extra.format == NAME and extra.path == "/input" for extra in call.ext):
            notes.rewritten(origin.at("arguments"), "arguments", change)
        written = {"type": "tool_use", "id": call_id, "name": call.tool_name, "input": value}
        return notes.placed(restore(written | cache_control(call.cache), call.ext, NAME), origin)

    def _add_result(self, item: Item, message: ToolMessage) -> None:
        origin, notes = item.origin, item.notes
        call_id = self._ids.for_result(message.call_id)
        notes.call_id(message, origin, call_id)
        if message.kind == "legacy":
            for field in ("role", "tool_name"):
                notes.rewritten(origin.at(field), "function-message", "became a tool result")
        self._note_message(item)
        value: dict[str, Any] = {"type": "tool_result", "tool_use_id": call_id}
        if content := self._blocks(item):
            value["content"] = shortened(content, is_whole=True)
        if message.is_error or (message.is_error is False and "is_error" in origin.fields):
            value["is_error"] = message.is_error
        written = notes.placed(restore(value, message.ext, NAME), origin)
        if self._takes_results and message.group == self._group:
            self.messages[-1]["content"].append(written)
        else:
            self.messages.append(restore({"role": "user", "content": [written]}, message.ext, TURN))
        self._takes_results, self._group = True, message.group

    def _blocks(self, item: Item) -> list[Any]:
        written = (self._block(block, origin, item) for block, origin in item.blocks)
        return [block for block in written if block is not None]

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
                if block.detail is not None:
                    notes.dropped(origin.at("detail"), "image-detail", "images have no detail here")
                if block.name is not None and block.kind == "image":
                    notes.dropped(origin.at("name"), "media-name", "images carry no name here")
            case OpaqueBlock(format="anthropic") if block.native_type != "content":
                return notes.placed(decode(block.json), origin)
            case _:
                notes.dropped(origin.path, _feature(block), f"{NAME} cannot hold it here")
                return None
        routed = next((extra for extra in block.ext if extra.path == "/cache_control" and extra.format != NAME), None)
        if routed is not None and "cache_control" not in value:  # routers take Anthropic's own marks in chats
            value["cache_control"] = decode(routed.json)
        notes.extras(block.ext, origin.path, held=("/cache_control",) if routed is not None else ())
        notes.cache_ttl(block.cache, origin, TTLS)
        return notes.placed(restore(value, block.ext, NAME), origin)

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
            self._last.notes.rewritten(path, "trailing-whitespace", "a final assistant text must not end in whitespace")
            holder[key] = text.rstrip()


def _tells_more(message: Any) -> bool:
    """Say whether an assistant's message holds more than text."""
    is_answer = message.model is not None or message.stop is not None or message.usage is not None
    return bool(message.tool_calls) or message.reasoning is not None or is_answer


def _feature(block: Block) -> str:
    """Name a block in a loss; what only another format knows is told apart by its place."""
    return "opaque" if isinstance(block, OpaqueBlock) else feature_of(block)
