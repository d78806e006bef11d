"""LangChain messages without a wrapping: `model_dump`, the state of LangGraph, spreads of JavaScript, and the shorthand.

`convert_to_messages` of langchain-core 1.8.3 reads them. Cannot hold what `langchain` cannot.
"""

from functools import partial
from typing import Any

from lighter.envelope import Opened
from lighter.formats import _langchain_opening as opening
from lighter.formats._langchain_history import history_of
from lighter.formats._langchain_pieces import pieces_in
from lighter.formats._langchain_reading import read_conversation, read_entries
from lighter.formats._langchain_sniffing import sniff_form
from lighter.formats._langchain_writing import write_conversation

NAME = "langchain-dump"
TITLE = "LangChain flat messages, LangGraph state"
ALIASES = ("langgraph", "langchain-flat")
KEEPS_SYSTEM_IN_LIST = True
HAS_ERROR_FLAG = True

sniff = partial(sniff_form, NAME)
read_messages = partial(read_entries, NAME)
read_body = partial(read_conversation, NAME)
write = partial(write_conversation, NAME)

__all__ = [
    "ALIASES",
    "HAS_ERROR_FLAG",
    "KEEPS_SYSTEM_IN_LIST",
    "NAME",
    "TITLE",
    "history_of",
    "open_record",
    "pieces_in",
    "read_body",
    "read_messages",
    "sniff",
    "write",
]


def open_record(value: Any) -> Opened | None:
    """Open a message, a record that holds messages in this form, or a list of lists; None for anything else."""
    return opening.open_record(NAME, value) or opening.open_batch(value)
