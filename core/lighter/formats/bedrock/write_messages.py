"""Writing the messages of Bedrock, one after the other: roles alternate, results stand in the user turn after their calls."""

from typing import Any

from lighter.conversation import Conversation
from lighter.formats._call_ids import called_names, is_of_twin, names_of_twins
from lighter.formats._noting import note_developer, note_id_and_name, note_joined, note_system_as_user, role_or_user
from lighter.formats._writing import Item, extra_at, feature_of, restore
from lighter.formats.bedrock.shapes import NAME, SPELLING, TURN
from lighter.formats.bedrock.write_blocks import BlockWriter, cache_value, routed_mark
from lighter.messages import (
    AssistantMessage,
    Extra,
    Message,
    OpaqueBlock,
    OtherMessage,
    SystemMessage,
    TextBlock,
    ToolMessage,
    UserMessage,
)


class MessageWriter:
    """Writes messages into `messages`; neighbours of one role become one message."""

    def __init__(self, conversation: Conversation, *, is_own: bool) -> None:
        self.messages: list[dict[str, Any]] = []
        self._blocks = BlockWriter(conversation, is_own=is_own)
        self._called = called_names(conversation)
        self._twins = names_of_twins(conversation)
        self._group: int | None = None
        self._last: Item | None = None
        self._opening: Item | None = None

    def system(self, items: list[Item]) -> dict[str, Any]:
        """Write the leading system messages as the system prompt."""
        blocks: list[Any] = []
        for item in items:
            written: list[Any] = []
            for block, origin in item.blocks:
                if isinstance(block, TextBlock) or (isinstance(block, OpaqueBlock) and block.format == NAME):
                    written += self._blocks.block(block, origin, item)
                else:
                    item.notes.dropped(origin.path, feature_of(block), "a system prompt holds text only")
            if not item.blocks:
                item.notes.emptied(item.message, item.origin)
                continue
            self._note_message(item, written)
            note_developer(item)
            blocks += written
        return {"system": blocks} if blocks else {}

    def add(self, item: Item) -> None:
        """Write one message."""
        match item.message:
            case ToolMessage() as message:
                self._append("user", self._blocks.result(item, message), item)
            case UserMessage():
                self._append("user", self._blocks.content(item), item)
            case SystemMessage() as message:
                self._append(self._system_role(item, message), self._blocks.content(item), item)
            case AssistantMessage():
                self._blocks.open_turn()
                self._append("assistant", self._blocks.content(item), item)
            case OtherMessage():
                self._append(role_or_user(item), self._blocks.content(item), item)

    def _system_role(self, item: Item, message: SystemMessage) -> str:
        """Choose the role of a system message in mid-conversation; few models take it there, so it becomes user text."""
        if extra_at(message.ext, NAME, "/role") is not None:
            return "system"
        if any(isinstance(block, TextBlock) and block.text.strip() for block, _ in item.blocks):
            note_system_as_user(item, message)
        return "user"

    def _note_message(self, item: Item, content: list[Any]) -> None:
        """Note what no message of Bedrock holds, and put a mark that routers take on messages behind the last block."""
        message = item.message
        if not is_of_twin(message, self._twins):
            item.notes.tool_name(message, item.origin, self._called)
        note_id_and_name(item)
        item.notes.unheld(message, item.origin, "model", "stop", "usage")
        held = ["/is_error"] if isinstance(message, ToolMessage) else []
        mark = routed_mark(message.ext)
        if mark is not None and content and "cachePoint" not in content[-1]:
            content.append(cache_value(mark))
            item.notes.moved(f"{item.origin.path}/cache_control", "cache-mark", "stands behind the last block now")
            held.append("/cache_control")
        item.notes.extras((extra for extra in message.ext if extra.format != TURN), item.origin.path, held=held)

    def _append(self, role: str, content: list[Any], item: Item) -> None:
        """Add a message, or join it to its neighbour of the same role; one that would be empty is left out."""
        message = item.message
        is_own = any(_is_of_turn(extra) for extra in message.ext)
        if not content and not is_own:
            item.notes.emptied(message, item.origin)
            return
        self._note_message(item, content)
        is_whole = is_own and not isinstance(message, ToolMessage)
        joins = bool(self.messages) and self.messages[-1].get("role") == role and not is_whole
        if joins and isinstance(self.messages[-1].get("content"), list):
            if not self._is_restored(message):
                note_joined(self._opening, item, "consecutive-messages", "message")
                self._opening = None
            self.messages[-1]["content"] += content
        else:
            written = restore({"role": role, "content": content}, _of_turn(message), NAME)
            self.messages.append(item.notes.placed(restore(written, message.ext, SPELLING, TURN), item.origin))
            self._opening = item
        self._group, self._last = message.group, item

    def _is_restored(self, message: Message) -> bool:
        """Say whether the way back tells a message from the one that it is joined to."""
        if isinstance(message, ToolMessage) or (self._last and isinstance(self._last.message, ToolMessage)):
            return True
        return message.group is not None and message.group == self._group


def _is_of_turn(extra: Extra) -> bool:
    return extra.format in (NAME, TURN)


def _of_turn(message: Message) -> tuple[Extra, ...]:
    """Give the extras that are relative to the message; those of a result are relative to its block."""
    return () if isinstance(message, ToolMessage) else message.ext
