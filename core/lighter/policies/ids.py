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

    A result is that of the last turn's call with its id, in order where several share it; one that answers no call keeps its
    id, made unlike all others.
    """
    losses: list[Loss] = []
    current: dict[str, list[str]] = {}
    count = 0
    kept: list[Placed] = []
    for item in placed_messages(conversation):
        message, origin = item
        if isinstance(message, AssistantMessage) and message.tool_calls:
            blocks: list[PlacedBlock] = []
            turn: dict[str, list[str]] = {}
            for block, place in blocks_with_places(item):
                if isinstance(block, ToolCall) and block.kind != "server":
                    count += 1
                    new = f"call_{count}"
                    turn.setdefault(block.call_id, []).append(new)
                    losses += _loss(origin.row, place.at("call_id"), block.call_id, new)
                    blocks.append((replace(block, call_id=new, is_id_synthetic=False), place))
                else:
                    blocks.append((block, place))
            current |= turn
            kept.append(with_placed_blocks(message, origin, blocks))
        elif isinstance(message, ToolMessage):
            named = current.get(message.call_id, [f"orphan_{message.call_id}"])
            new = named.pop(0) if len(named) > 1 else named[0]
            losses += _loss(origin.row, origin.at("call_id"), message.call_id, new)
            kept.append((replace(message, call_id=new, is_id_synthetic=False), origin))
        else:
            kept.append(item)
    return rebuilt(conversation, kept), tuple(losses)


def _loss(row: int, path: str, old: str, new: str) -> Iterator[Loss]:
    if old != new:
        yield Loss(row, path, "call-id", "rewritten", f"{old!r} is now {new!r}, as asked", is_reversible=True)
