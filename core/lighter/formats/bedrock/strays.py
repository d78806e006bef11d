"""Calls and results in Bedrock logs that stand where no reader looks for them."""

from typing import Any

from lighter.passage import Entry
from lighter.strays import StrayBlock, Strays, block_strays


def strays_of(entry: Entry) -> Strays:
    """List the strays of the wire message that an entry was read from."""
    return block_strays(entry, _look)


def _look(block: dict[str, Any]) -> StrayBlock | None:
    match block:
        case {"toolUse": call}:
            return StrayBlock("call", call if isinstance(call, dict) else {}, "toolUseId")
        case {"toolResult": dict(result)}:
            return StrayBlock("result", result, "toolUseId")
        case _:
            return None
