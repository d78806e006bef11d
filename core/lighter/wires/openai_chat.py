"""Calls and results in OpenAI's chats: arguments as JSON text, the `function_call` of old chats among them."""

from collections.abc import Iterator

from lighter.conversation import WireMessage
from lighter.toolwire import MalformedCall, WireCall
from lighter.wires._chat import calls_in, legacy_call
from lighter.wires._chat import results_in as results_of

__all__ = ["calls_of", "results_of"]


def calls_of(message: WireMessage) -> Iterator[WireCall | MalformedCall]:
    """Read the calls of one message."""
    yield from calls_in(message)
    yield from legacy_call(message)
