"""Calls and results in Anthropic logs that stand where no reader looks for them."""

from typing import Any

from lighter.passage import Entry
from lighter.strays import StrayBlock, Strays, block_strays


def strays_of(entry: Entry) -> Strays:
    """List the strays of the wire message that an entry was read from."""
    return block_strays(entry, _look)


def _look(block: dict[str, Any]) -> StrayBlock | None:
    match block.get("type"):
        case "tool_use":
            return StrayBlock("call", block, "id")
        case "tool_result":
            return StrayBlock("result", block, "tool_use_id")
        case _:
            return None
