"""LangChain messages as JavaScript's `JSON.stringify` writes them, with the ids that `load` of @langchain/core looks up.

@langchain/core 1.4.0; it reads no dump of Python, whose ids begin otherwise. Cannot hold what `langchain` cannot.
"""

from functools import partial

from lighter.formats import _langchain_opening as opening
from lighter.formats._langchain import is_text_alone
from lighter.formats._langchain_history import history_of
from lighter.formats._langchain_pieces import pieces_in
from lighter.formats._langchain_reading import read_conversation, read_entries
from lighter.formats._langchain_sniffing import sniff_form
from lighter.formats._langchain_strays import strays_of
from lighter.formats._langchain_writing import write_conversation

NAME = "langchain-js"
TITLE = "LangChain messages (JavaScript)"
ALIASES = ("langchainjs", "langchain-javascript")
KEEPS_SYSTEM_IN_LIST = True
HAS_ERROR_FLAG = True
METADATA = "response_metadata"

open_record = partial(opening.open_record, NAME)
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
    "strays_of",
    "write",
]
