"""Calls and results in Anthropic's Messages: blocks of their own, results in the user's turn."""

from collections.abc import Iterator

from msgspec import UNSET

from lighter.conversation import WireMessage
from lighter.toolwire import MalformedCall, WireCall, WireResult
from lighter.wire import placed_blocks
from lighter.wires._arguments import object_wanted
from lighter.wires._chat import is_of_model

RESULTS_STAND_TOGETHER = True


def calls_of(message: WireMessage) -> Iterator[WireCall | MalformedCall]:
    """Read the `tool_use` blocks of one message."""
    if not is_of_model(message):
        return
    for path, block in placed_blocks(message):
        if block.get("type") != "tool_use":
            continue
        if "name" in block or "input" in block:
            arguments = object_wanted(block.get("input", UNSET))
            yield WireCall(message, path, block, "block", block, path, arguments)
        else:
            yield MalformedCall(message, path, "hollow")


def results_of(message: WireMessage) -> Iterator[WireResult]:
    """Read the `tool_result` blocks of one message."""
    for path, block in placed_blocks(message):
        if block.get("type") == "tool_result":
            yield WireResult(message, path, block, path, "tool_use_id")
