"""What becomes of the ids of calls: kept where the target takes them, or all made anew."""

from collections.abc import Iterator

from msgspec.structs import replace

from lighter.conversation import Conversation
from lighter.formats import Format
from lighter.losses import Loss
from lighter.messages import AssistantMessage, ToolCall, ToolMessage
from lighter.policies._placed import (
    Placed,
    PlacedBlock,
    blocks_with_places,
    placed_messages,
    rebuilt,
    with_placed_blocks,
)

CHOICES = ("keep", "rewrite")
HELP = "Ids of calls: keep those that the target takes, or number all calls anew."


def apply(conversation: Conversation, _choice: str, _target: Format) -> tuple[Conversation, tuple[Loss, ...]]:
    """Give the calls the ids `call_1`, `call_2` …, and their results the same; one history always gets the same ids.

    A result is that of the last call with its id; one that answers no call keeps its id, made unlike all others.
    """
    losses: list[Loss] = []
    current: dict[str, str] = {}
    count = 0
    kept: list[Placed] = []
    for item in placed_messages(conversation):
        message, origin = item
        if isinstance(message, AssistantMessage) and message.tool_calls:
            blocks: list[PlacedBlock] = []
            for block, place in blocks_with_places(item):
                if isinstance(block, ToolCall) and block.kind != "server":
                    count += 1
                    current[block.call_id] = new = f"call_{count}"
                    losses += _loss(origin.row, place.at("call_id"), block.call_id, new)
                    blocks.append((replace(block, call_id=new, is_id_synthetic=False), place))
                else:
                    blocks.append((block, place))
            kept.append(with_placed_blocks(message, origin, blocks))
        elif isinstance(message, ToolMessage):
            new = current.get(message.call_id, f"orphan_{message.call_id}")
            losses += _loss(origin.row, origin.at("call_id"), message.call_id, new)
            kept.append((replace(message, call_id=new, is_id_synthetic=False), origin))
        else:
            kept.append(item)
    return rebuilt(conversation, kept), tuple(losses)


def _loss(row: int, path: str, old: str, new: str) -> Iterator[Loss]:
    if old != new:
        yield Loss(row, path, "call-id", "rewritten", f"{old!r} is now {new!r}, as asked", is_reversible=True)
