"""Calls and results in Mistral's chats: arguments as JSON text or as an object (mistralai 3.7.0 `FunctionCall`)."""

from collections.abc import Iterator

from lighter.conversation import WireMessage
from lighter.toolwire import MalformedCall, WireCall, WireResult
from lighter.wires._arguments import text_or_object
from lighter.wires._chat import calls_in, results_in


def calls_of(message: WireMessage) -> Iterator[WireCall | MalformedCall]:
    """Read the calls of one message."""
    return calls_in(message, text_or_object)


def results_of(message: WireMessage) -> Iterator[WireResult]:
    """Read the tool results of one message."""
    return results_in(message, "name")
