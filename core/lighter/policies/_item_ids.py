"""The ids of the items of OpenAI's Responses, which it refuses without the reasoning that led to them."""

from collections.abc import Collection, Iterator

from msgspec.structs import replace

from lighter.conversation import Conversation
from lighter.jsontext import decode
from lighter.losses import Loss
from lighter.messages import AssistantMessage, Block, Extra, ReasoningBlock, ToolMessage, with_blocks
from lighter.policies._placed import Placed, blocks_with_places, placed_messages, rebuilt


def without_item_ids(conversation: Conversation) -> tuple[Conversation, list[Loss]]:
    """Leave out the ids of what follows reasoning in its turn, since the provider looks for that reasoning by them.

    "Item 'fc_…' of type 'function_call' was provided without its required 'reasoning' item: 'rs_…'",
    https://github.com/VRSEN/agency-swarm/issues/367. The id of a message goes with its status: neither is asked for alone.
    """
    losses: list[Loss] = []
    is_led = False
    changed: list[Placed] = []
    for placed in placed_messages(conversation):
        message, origin = placed
        if not isinstance(message, AssistantMessage):
            is_led = is_led and isinstance(message, ToolMessage)
            changed.append(placed)
            continue
        blocks = blocks_with_places(placed)
        is_led = is_led or any(isinstance(block, ReasoningBlock) for block, _ in blocks)
        gone = [(place.path, extra) for block, place in blocks for extra in _ids_of(block)] if is_led else []
        gone += [("", extra) for extra in _told_outside(message, [block for block, _ in blocks])] if is_led else []
        if not gone:
            changed.append(placed)
            continue
        losses += [_loss(origin.row, base, extra) for base, extra in gone]
        extras = [extra for _, extra in gone]
        bare = with_blocks(message, [_freed(block, extras) for block, _ in blocks])
        changed.append((replace(bare, ext=_others(message.ext, extras)), origin))
    return (rebuilt(conversation, changed), losses) if losses else (conversation, losses)


def _loss(row: int, base: str, extra: Extra) -> Loss:
    return Loss(row, base + extra.path, "item-id", "dropped", "it is refused without the reasoning that led to it")


def _freed(block: Block, gone: Collection[Extra]) -> Block:
    kept = _others(block.ext, gone)
    return block if len(kept) == len(block.ext) else replace(block, ext=kept)


def _others(ext: Collection[Extra], gone: Collection[Extra]) -> tuple[Extra, ...]:
    return tuple(extra for extra in ext if not any(extra is other for other in gone))


def _ids_of(block: Block) -> Iterator[Extra]:
    """Yield the id of the item that a block is; reasoning takes its own along."""
    from lighter.formats.openai_responses.shapes import NAME  # noqa: PLC0415 - few conversions need it

    if not isinstance(block, ReasoningBlock):
        yield from (extra for extra in block.ext if (extra.format, extra.path) == (NAME, "/id"))


def _told_outside(message: AssistantMessage, blocks: Collection[Block]) -> Iterator[Extra]:
    """Yield id and status of the message items that the blocks were parts of, which stand on the message."""
    from lighter.formats._reading import ENVELOPE  # noqa: PLC0415 - as above
    from lighter.formats.openai_responses.shapes import ITEM_SPELLING  # noqa: PLC0415 - as above

    held = [extra for block in blocks for extra in block.ext if (extra.format, extra.path) == (ITEM_SPELLING, "")]
    items = [decode(extra.json) for extra in held]
    for extra in message.ext:
        item, _, key = extra.path.rpartition("/")
        if extra.format == ENVELOPE and key in ("id", "status") and item in items:
            yield extra
