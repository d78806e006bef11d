"""Media of results in chats whose results hold text alone: they follow the results in a user message, each under a line of text."""

from collections.abc import Iterator, Sequence
from typing import Any

from msgspec.structs import replace

from lighter.conversation import Conversation
from lighter.formats._writing import Item, PlacedBlock, origin_format, results_after_calls
from lighter.messages import MediaBlock, Message, TextBlock, ToolMessage, UserMessage, with_blocks

_BEGINNING, _END = "Media in the result of call ", ":"


def label(call_id: str) -> str:
    """Say which call's result the media behind this line belong to."""
    return f"{_BEGINNING}{call_id}{_END}"


def arranged(items: Sequence[Item], conversation: Conversation, target: str) -> list[Item]:
    """Put results after their calls and, unless the target itself wrote the conversation, their media into them."""
    ordered = results_after_calls(items)
    return ordered if origin_format(conversation) == target else with_own_media(ordered)


def with_own_media(items: Sequence[Item]) -> list[Item]:
    """Put media that follow results under such lines back into the results, for forms in which results hold media."""
    held: list[Item] = []
    results: dict[str, int] = {}
    for item in items:
        message = item.message
        if isinstance(message, ToolMessage):
            results[message.call_id] = len(held)
        elif results:
            media = _labelled(item, results) if isinstance(message, UserMessage) else None
            for call_id, placed in (media or {}).items():
                at = results[call_id]
                held[at] = _with_more(held[at], placed)
            results = {}
            if media is not None:
                continue
        held.append(item)
    return held


def _labelled(item: Item, results: dict[str, int]) -> dict[str, list[PlacedBlock]] | None:
    """Give the media of a message by the calls to which its lines assign them; None when it says anything else."""
    found: dict[str, list[PlacedBlock]] = {}
    if item.message.ext or item.message.name is not None or not item.blocks:
        return None
    for block, placed in _under_lines(item):
        if block is None or block not in results or not placed or block in found:
            return None
        found[block] = placed
    return found


def _under_lines(item: Item) -> Iterator[tuple[str | None, list[PlacedBlock]]]:
    """Give the media under each line with the call that it names; None as the call for anything that is not so."""
    called: str | None = None
    media: list[PlacedBlock] = []
    for block, origin in item.blocks:
        match block:
            case MediaBlock():
                media.append((block, origin))
                continue
            case TextBlock(text=text) if text.startswith(_BEGINNING) and text.endswith(_END) and not block.ext:
                if called is not None or media:
                    yield called, media
                called, media = text[len(_BEGINNING) : -len(_END)], []
            case _:
                yield None, []
    yield called, media


def _with_more(item: Item, placed: Sequence[PlacedBlock]) -> Item:
    blocks = [*item.blocks, *placed]
    result: Any = item.message
    message: Message = with_blocks(result, [block for block, _ in blocks])
    origin = replace(item.origin, blocks=tuple(origin for _, origin in blocks))
    return Item(message, origin, item.notes)
