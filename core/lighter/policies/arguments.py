"""What becomes of calls whose arguments are no object, for targets that take nothing else."""

from collections.abc import Iterable

from msgspec.structs import replace

from lighter.conversation import BlockOrigin, Conversation, Origin
from lighter.formats import Format
from lighter.losses import Loss
from lighter.messages import Block, ToolCall, ToolMessage
from lighter.policies._placed import PlacedBlock, placed_messages, rebuilt, told, with_spoken_blocks

CHOICES = ("wrap", "empty", "drop")
HELP = "Arguments that are no object, where the target wants one: wrap them, make them {}, or drop the call and its result."


def apply(conversation: Conversation, choice: str, target: Format) -> tuple[Conversation, tuple[Loss, ...]]:
    """Apply the choice.

    `wrap` leaves it to the target's writer: `{"_raw": …}` for text that is not JSON, `{"value": …}` for other JSON. `empty`
    writes `{}` instead, `drop` leaves out the call and its results.
    """
    refused = {(loss.row, loss.path) for loss in told(conversation, target, "arguments")}
    losses: list[Loss] = []
    gone: set[tuple[int, str]] = set()

    def change(block: Block, place: BlockOrigin, origin: Origin) -> Iterable[PlacedBlock] | None:
        if not isinstance(block, ToolCall) or (origin.row, place.at("arguments")) not in refused:
            return None
        if choice == "drop":
            losses.append(
                Loss(origin.row, place.path, "call", "dropped", "its arguments are no object; left out, as asked")
            )
            gone.add((origin.row, block.call_id))
            return ()
        losses.append(
            Loss(origin.row, place.at("arguments"), "arguments", "dropped", "no object; {} instead, as asked")
        )
        return ((replace(block, arguments="{}"), place),)

    changed = with_spoken_blocks(conversation, change)
    return (_without_results(changed, gone, losses), tuple(losses)) if gone else (changed, tuple(losses))


def _without_results(conversation: Conversation, gone: set[tuple[int, str]], losses: list[Loss]) -> Conversation:
    """Leave out the results of calls that are gone; a call answers to its id until another call takes it."""
    ids = {call_id for _, call_id in gone}
    kept = []
    for message, origin in placed_messages(conversation):
        if isinstance(message, ToolMessage) and message.call_id in ids:
            losses.append(Loss(origin.row, origin.path, "result", "dropped", "its call was left out"))
            continue
        called = {call.call_id for call in getattr(message, "tool_calls", ())}
        ids -= called
        kept.append((message, origin))
    return rebuilt(conversation, kept)
