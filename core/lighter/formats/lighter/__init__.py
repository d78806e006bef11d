"""lighter's own JSONL: the core model in camelCase; the one format that can hold every other one.

One message a line while there is nothing to say at conversation level, else one conversation a line:
`{"messages": […], "tools": […], "params": {…}, "source": {…}, "ext": […]}`.
"""

from lighter.formats.lighter.read import read_body, read_messages
from lighter.formats.lighter.sniff import sniff
from lighter.formats.lighter.wire import NAME
from lighter.formats.lighter.write import write

TITLE = "lighter's own JSONL"
ALIASES = ()
KEEPS_SYSTEM_IN_LIST = True
HAS_ERROR_FLAG = True

__all__ = [
    "ALIASES",
    "HAS_ERROR_FLAG",
    "KEEPS_SYSTEM_IN_LIST",
    "NAME",
    "TITLE",
    "read_body",
    "read_messages",
    "sniff",
    "write",
]
