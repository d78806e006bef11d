"""Calls and results in Ollama's chats: arguments as an object, no ids, results that name their tool (ollama 0.6.3 `Message`)."""

from collections.abc import Iterator

from lighter.conversation import WireMessage
from lighter.toolwire import MalformedCall, WireCall, WireResult
from lighter.wires._arguments import object_or_nothing
from lighter.wires._chat import calls_in, results_in

IDS_ARE_OPTIONAL = True


def calls_of(message: WireMessage) -> Iterator[WireCall | MalformedCall]:
    """Read the calls of one message."""
    return calls_in(message, object_or_nothing)


def results_of(message: WireMessage) -> Iterator[WireResult]:
    """Read the tool results of one message."""
    return results_in(message, "tool_name")
