"""Cohere's chat API (v2): a plan beside the content, thinking among it, citations, documents as results.

https://docs.cohere.com/reference/chat; shapes read off the cohere SDK 7.3.1.
Cannot hold: the order of text and calls within a turn, error flags and media of results, participant names, the developer
role, documents as files, audio and video, refusals as such, signatures, server tools, strict tools, the choice of one
tool, arguments that are no object, cache marks.
"""

from lighter.formats._chat_strays import strays_of
from lighter.formats.cohere.opening import open_record
from lighter.formats.cohere.read import read_body, read_messages
from lighter.formats.cohere.shapes import NAME
from lighter.formats.cohere.sniff import sniff
from lighter.formats.cohere.write import write

TITLE = "Cohere chat (v2)"
ALIASES = ("cohere-v2", "cohere-chat")
KEEPS_SYSTEM_IN_LIST = True
DIALECT_OF = "openai-chat"
FIELDS = {
    "/id": "call_id",
    "/tool_call_id": "call_id",
    "/function/name": "tool_name",
    "/function/arguments": "arguments",
    "/text": "text",
    "/thinking": "text",
    "/image_url/url": "data",
    "/document/data": "text",
    "/content": "content",
    "/role": "role",
}
HOLDS_JSON_RESULTS = True

__all__ = [
    "ALIASES",
    "DIALECT_OF",
    "FIELDS",
    "HOLDS_JSON_RESULTS",
    "KEEPS_SYSTEM_IN_LIST",
    "NAME",
    "TITLE",
    "open_record",
    "read_body",
    "read_messages",
    "sniff",
    "strays_of",
    "write",
]
