"""Calls of one turn that have the same id, told apart for forms in which order alone says which result answers which."""

from collections.abc import Sequence
from typing import Any

from msgspec.structs import replace

from lighter.conversation import Conversation
from lighter.formats._call_ids import CallIds, names_of_twins
from lighter.formats._writing import Item
from lighter.messages import AssistantMessage, Block, Message, ToolCall, ToolMessage, blocks_of, with_blocks


def told_apart(items: Sequence[Item], conversation: Conversation) -> Sequence[Item]:
    """Give calls ids that differ within their turn, and their results the same ones; takes results that follow their calls."""
    if not names_of_twins(conversation):
        return items
    ids = CallIds(bool, conversation, max_length=64, is_unique=False)
    return [Item(_with_ids(item.message, ids), item.origin, item.notes) for item in items]


def _with_ids(message: Message, ids: CallIds) -> Message:
    match message:
        case ToolMessage():
            return replace(message, call_id=ids.for_result(message.call_id))
        case AssistantMessage() if message.tool_calls:
            ids.open_turn()
            turn: set[str] = set()
            said: Any = message
            changed: Message = with_blocks(said, [_with_id(block, ids, turn) for block in blocks_of(message)])
            return changed
        case _:
            return message


def _with_id(block: Block, ids: CallIds, turn: set[str]) -> Block:
    if not isinstance(block, ToolCall) or block.kind == "server":
        return block
    return replace(block, call_id=ids.for_call(block.call_id, turn))
