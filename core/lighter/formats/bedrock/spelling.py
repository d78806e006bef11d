"""Spellings of Bedrock that are put back: bytes that were no base64, pieces of cited text, input that is no object."""

from typing import Any

from lighter.formats._writing import restore
from lighter.formats.bedrock.blobs import as_base64, encoded
from lighter.formats.bedrock.shapes import MEDIA_TYPES, NAME, SPELLING
from lighter.jsontext import decode
from lighter.messages import ABSENT, Block, Extra, MediaBlock, ReasoningBlock, TextBlock, ToolCall


def restored(value: Any, block: Block) -> Any:
    """Put back a block's own extras, and its spellings as far as they still say the same as the block."""
    current = [extra for extra in block.ext if extra.format == SPELLING and _is_current(extra, block)]
    return restore(restore(value, block.ext, NAME), current, SPELLING)


def _is_current(extra: Extra, block: Block) -> bool:
    """Say whether a spelling still is one of what the block holds: a conversation may have been edited in lighter's form."""
    if extra.json == ABSENT:
        return True
    held = decode(extra.json)
    match block:
        case TextBlock():
            text = "".join(piece["text"] for piece in held) if isinstance(held, list) else held
            return bool(text == block.text)
        case MediaBlock() if extra.path.endswith("/format"):
            return MEDIA_TYPES[block.kind].get(held) == block.media_type
        case MediaBlock():
            return as_base64(held) == block.data
        case ReasoningBlock():
            known = {opaque.data if opaque.provider == NAME else encoded(opaque.data) for opaque in block.opaque}
            return as_base64(held) in known
        case ToolCall():
            return extra.json == block.arguments
        case _:
            return True
