"""LangChain messages without a wrapping: `model_dump`, the state of LangGraph, spreads of JavaScript, and the shorthand.

Two things of langchain-core read them (measured with 1.8.3), and not alike:

* `TypeAdapter(list[AnyMessage])`, as the state of a graph may declare its messages, gives every field back.
* `convert_to_messages`, which `add_messages` of LangGraph calls, takes fields that it does not know for vendors' keys:
  `usage_metadata` and `invalid_tool_calls` end up in `additional_kwargs`, and the fields themselves are empty. It refuses the
  types of pieces (`Unexpected message type: 'AIMessageChunk'`), and roles of one's own (`Unexpected message type: 'critic'`).

Where usage and invalid calls must stay what they are, `langchain` (`load`) or `langchain-stored` (`messages_from_dict`) is the
form to write. Pieces and messages with a role of their own are written as messages of the class that their role tells.

Cannot hold what `langchain` cannot, and classes that only their name tells.
"""

from functools import partial
from typing import Any

from lighter.envelope import Opened
from lighter.formats import _langchain_opening as opening
from lighter.formats._langchain import is_text_alone
from lighter.formats._langchain_history import history_of
from lighter.formats._langchain_pieces import pieces_in
from lighter.formats._langchain_reading import read_conversation, read_entries
from lighter.formats._langchain_runs import open_batch
from lighter.formats._langchain_sniffing import sniff_all, sniff_form
from lighter.formats._langchain_strays import strays_of
from lighter.formats._langchain_writing import write_conversation

NAME = "langchain-dump"
TITLE = "LangChain flat messages, LangGraph state"
ALIASES = ("langgraph", "langchain-flat")
KEEPS_SYSTEM_IN_LIST = True
HAS_ERROR_FLAG = True
METADATA = "response_metadata"

sniff = partial(sniff_form, NAME)
read_messages = partial(read_entries, NAME)
read_body = partial(read_conversation, NAME)
write = partial(write_conversation, NAME)

__all__ = [
    "ALIASES",
    "HAS_ERROR_FLAG",
    "KEEPS_SYSTEM_IN_LIST",
    "METADATA",
    "NAME",
    "TITLE",
    "history_of",
    "is_text_alone",
    "open_record",
    "pieces_in",
    "read_body",
    "read_messages",
    "sniff",
    "sniff_all",
    "strays_of",
    "write",
]


def open_record(value: Any) -> Opened | None:
    """Open a message, a record that holds messages in this form, a list of lists, or a state without any; None for anything else."""
    return opening.open_record(NAME, value) or open_batch(value) or opening.open_interrupt(value)
