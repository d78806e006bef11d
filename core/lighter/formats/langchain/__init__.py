"""LangChain messages as Python's `dumpd` writes them: `{"lc": 1, "type": "constructor", "id": […], "kwargs": {…}}`.

`load` of langchain-core reads them (1.8.3); with `allowed_objects="messages"` it refuses `FunctionMessage` and `ChatMessage`,
with `"core"` it takes them. `load` of @langchain/core refuses them ("Invalid namespace"): `langchain-js` is for that.

Cannot hold: tool definitions, request parameters, foreign keys of messages. What the package would refuse (calls that are none,
results without the id of their call, fields of another type) is written as it takes it, and named; only a file that was in this
form before gets it back as it was.
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

NAME = "langchain"
TITLE = "LangChain messages (Python)"
ALIASES = ("lc", "langchain-py", "langchain-python")
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
