"""What becomes of the model's reasoning: kept where the target takes it back, or made visible text, or left out."""

from collections.abc import Iterable

from lighter.conversation import BlockOrigin, Conversation, Origin
from lighter.formats import Format
from lighter.losses import Loss
from lighter.messages import Block, ReasoningBlock, TextBlock
from lighter.policies._item_ids import without_item_ids
from lighter.policies._placed import PlacedBlock, told, with_spoken_blocks

CHOICES = ("keep", "text", "drop")
HELP = "Reasoning: keep it where the target takes it back, write what it does not take as text, or drop all of it."
FEATURE = "reasoning"


def apply(conversation: Conversation, choice: str, target: Format) -> tuple[Conversation, tuple[Loss, ...]]:
    """Apply the choice.

    `text` puts readable reasoning that the target would not take back between `<thinking>` tags, as models that write their
    reasoning out do; what only its provider can read is dropped as before. `drop` leaves all reasoning out, and the ids of
    items that are refused without it.
    """
    losses: list[Loss] = []
    refused = {(loss.row, loss.path) for loss in told(conversation, target, FEATURE) if loss.action == "dropped"}

    def change(block: Block, place: BlockOrigin, origin: Origin) -> Iterable[PlacedBlock] | None:
        if not isinstance(block, ReasoningBlock):
            return None
        if choice == "drop":
            losses.append(Loss(origin.row, place.path, FEATURE, "dropped", "left out, as asked"))
            return ()
        if not block.text.strip() or (origin.row, place.path) not in refused:
            return None
        losses.append(
            Loss(origin.row, place.at("text"), FEATURE, "rewritten", "reasoning became visible text, as asked")
        )
        if block.opaque:
            detail = "only its own provider can read it"
            losses.append(Loss(origin.row, place.at("opaque"), "signature", "dropped", detail))
        written = TextBlock(f"<thinking>\n{block.text}\n</thinking>", cache=block.cache, ext=block.ext)
        return ((written, place),)

    bare, ids = without_item_ids(conversation) if choice == "drop" else (conversation, [])
    changed = with_spoken_blocks(bare, change)
    return changed, (*losses, *ids)
