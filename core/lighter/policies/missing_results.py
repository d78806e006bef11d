"""What becomes of calls without a result, which most providers refuse."""

from lighter.conversation import BlockOrigin, Conversation, Origin
from lighter.formats import Format, trait
from lighter.losses import Loss
from lighter.messages import AssistantMessage, ToolCall, ToolMessage
from lighter.pairs import NO_RESULT
from lighter.policies._placed import Placed, blocks_with_places, placed_messages, rebuilt

CHOICES = ("report", "placeholder")
HELP = "Calls without a result: leave them and say so, or add a result that says there is none."


def apply(conversation: Conversation, _choice: str, target: Format) -> tuple[Conversation, tuple[Loss, ...]]:
    """Add an error result for each call that has none, behind the results of its turn.

    A call is answered by a result that names it before another turn of the assistant makes calls.
    """
    placed = placed_messages(conversation)
    is_error = True if trait(target.NAME, "HAS_ERROR_FLAG", otherwise=False) else None
    losses: list[Loss] = []
    kept: list[Placed] = []
    open_calls: list[tuple[ToolCall, BlockOrigin, Origin]] = []
    at = 0

    def close() -> None:
        for offset, (call, place, origin) in enumerate(open_calls):
            losses.append(
                Loss(origin.row, place.path, "missing-result", "synthesised", "a result that says there is none")
            )
            result = ToolMessage(call.call_id, call.tool_name, NO_RESULT, is_error, kind=call.kind)
            kept.insert(at + offset, (result, Origin(origin.row, place.path, {}, (BlockOrigin(place.path),))))
        open_calls.clear()

    for item in placed:
        message, origin = item
        if isinstance(message, AssistantMessage) and any(call.kind != "server" for call in message.tool_calls):
            close()
            kept.append(item)
            at = len(kept)
            open_calls += [
                (block, place, origin)
                for block, place in blocks_with_places(item)
                if isinstance(block, ToolCall) and block.kind != "server"
            ]
            continue
        kept.append(item)
        if isinstance(message, ToolMessage):
            answered = next((call for call in open_calls if call[0].call_id == message.call_id), None)
            if answered is not None:
                open_calls.remove(answered)
                at = len(kept)
    close()
    return rebuilt(conversation, kept), tuple(losses)
