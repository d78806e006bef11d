"""Messages with their places, taken apart and put together again."""

from collections.abc import Callable, Iterable, Iterator, Sequence

from msgspec.structs import replace

from lighter.conversation import BlockOrigin, Conversation, Origin, origins_of
from lighter.formats import Format
from lighter.losses import Loss
from lighter.messages import AssistantMessage, Block, Message, blocks_of, with_blocks

Placed = tuple[Message, Origin]
"""A message, and where it stands."""

PlacedBlock = tuple[Block, BlockOrigin]


def placed_messages(conversation: Conversation) -> list[Placed]:
    """List the messages of a conversation with their places."""
    return list(zip(conversation.messages, origins_of(conversation), strict=True))


def rebuilt(conversation: Conversation, placed: Iterable[Placed]) -> Conversation:
    """Give a conversation other messages."""
    messages, origins = [], []
    for message, origin in placed:
        messages.append(message)
        origins.append(origin)
    return replace(conversation, messages=tuple(messages), origins=tuple(origins))


def blocks_with_places(placed: Placed) -> list[PlacedBlock]:
    """List the blocks of a message with their places."""
    message, origin = placed
    return list(zip(blocks_of(message), origin.blocks, strict=False))


def with_placed_blocks(message: AssistantMessage, origin: Origin, blocks: Sequence[PlacedBlock]) -> Placed:
    """Give an assistant's message other blocks."""
    filled = with_blocks(message, [block for block, _ in blocks])
    return filled, Origin(origin.row, origin.path, origin.fields, tuple(place for _, place in blocks))


def with_spoken_blocks(
    conversation: Conversation, change: Callable[[Block, BlockOrigin, Origin], Iterable[PlacedBlock] | None]
) -> Conversation:
    """Change the blocks of the assistant's messages: `change` gives what stands for one, None to leave it as it is."""
    return rebuilt(conversation, map(_changing(change), placed_messages(conversation)))


def _changing(
    change: Callable[[Block, BlockOrigin, Origin], Iterable[PlacedBlock] | None],
) -> Callable[[Placed], Placed]:
    def changed(placed: Placed) -> Placed:
        message, origin = placed
        if not isinstance(message, AssistantMessage):
            return placed
        before = blocks_with_places(placed)
        after: list[PlacedBlock] = []
        is_changed = False
        for block, place in before:
            found = change(block, place, origin)
            is_changed |= found is not None
            after += [(block, place)] if found is None else found
        return with_placed_blocks(message, origin, after) if is_changed else placed

    return changed


def told(conversation: Conversation, target: Format, feature: str) -> Iterator[Loss]:
    """Yield what the target's writer would say of a feature; nobody else knows what it can hold."""
    return (loss for loss in target.write(conversation).losses if loss.feature == feature)
