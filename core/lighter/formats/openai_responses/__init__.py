"""OpenAI Responses: a flat list of items, in which one assistant turn is several of them.

https://platform.openai.com/docs/api-reference/responses; shapes read off the openai SDK 3.57.0.
The assistant's items between two others are read as one message; items that only this API knows stay in it as opaque blocks.
A leading system message is `instructions` where it is plain text, which the way back restores; a system message that was an
item, that comes later, or that is more than text is an item.
Cannot hold: participant names, error flags of results, reasoning of other providers, server tools of other providers,
audio and video, `stop` texts.
"""

from lighter.formats.openai_responses.opening import open_record
from lighter.formats.openai_responses.read import read_body, read_messages
from lighter.formats.openai_responses.shapes import NAME, is_text_alone
from lighter.formats.openai_responses.sniff import sniff
from lighter.formats.openai_responses.strays import strays_of
from lighter.formats.openai_responses.write import write

TITLE = "OpenAI Responses"
ALIASES = ("responses",)
KEEPS_SYSTEM_IN_LIST = False
MESSAGES_KEY = "input"
JOINS_TURNS = True
PAIRS_BY_ID_ALONE = True
HAS_ITEMS = True
FIELDS = {
    "/call_id": "call_id",
    "/name": "tool_name",
    "/arguments": "arguments",
    "/input": "arguments",
    "/output": "content",
    "/text": "text",
    "/content": "content",
    "/role": "role",
}

__all__ = [
    "ALIASES",
    "FIELDS",
    "JOINS_TURNS",
    "KEEPS_SYSTEM_IN_LIST",
    "MESSAGES_KEY",
    "NAME",
    "PAIRS_BY_ID_ALONE",
    "TITLE",
    "is_text_alone",
    "open_record",
    "read_body",
    "read_messages",
    "sniff",
    "strays_of",
    "write",
]
