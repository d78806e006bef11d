"""LangChain messages without a wrapping: `model_dump`, the state of LangGraph, spreads of JavaScript, and the shorthand.

`convert_to_messages` of langchain-core 1.8.3 reads them. Cannot hold what `langchain` cannot.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from lighter.conversation import Conversation, WireMessage
from lighter.envelope import Body, Opened
from lighter.formats import Written, _langchain_history, _langchain_pieces
from lighter.formats import _langchain_opening as opening
from lighter.formats._langchain_reading import read_conversation, read_entries
from lighter.formats._langchain_sniffing import sniff_form
from lighter.formats._langchain_writing import write_conversation
from lighter.passage import Entry

NAME = "langchain-dump"
TITLE = "LangChain flat messages, LangGraph state"
ALIASES = ("langgraph", "langchain-flat")
KEEPS_SYSTEM_IN_LIST = True
HAS_ERROR_FLAG = True
history_of = _langchain_history.history_of
pieces_in = _langchain_pieces.pieces_in


def open_record(value: Any) -> Opened | None:
    """Open a message, or a record that holds messages in this form; None for anything else."""
    return opening.open_record(NAME, value) or opening.open_batch(value)


def sniff(
    messages: Sequence[Any], fields: Mapping[str, Any], response: Mapping[str, Any] | None
) -> Iterator[tuple[int, str]]:
    """Yield the evidence."""
    del fields, response
    return sniff_form(NAME, messages)


def read_messages(messages: Sequence[WireMessage]) -> Iterator[Entry]:
    """Read wire messages, in order; any JSON value gives a message."""
    return read_entries(NAME, messages)


def read_body(body: Body, messages: Sequence[WireMessage]) -> Conversation:
    """Read a list of messages with what stands beside it."""
    return read_conversation(NAME, body, messages)


def write(conversation: Conversation) -> Written:
    """Write a conversation as a list of messages."""
    return write_conversation(NAME, conversation)
