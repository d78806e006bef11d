"""Mistral's chat API: content in chunks, thinking among them, call ids of nine characters; its Conversations API is read, too.

https://docs.mistral.ai/api/endpoint/chat; shapes read off the mistralai SDK 3.7.0.
Cannot hold: the order of text and calls within a turn, error flags, participant names, the developer role, refusals as
such, video, other providers' signatures, server tools, arguments that are no object, cache marks.
"""

from lighter.formats.mistral.entries import strays_of
from lighter.formats.mistral.opening import open_record
from lighter.formats.mistral.read import read_body, read_messages
from lighter.formats.mistral.shapes import NAME
from lighter.formats.mistral.sniff import sniff
from lighter.formats.mistral.write import write

TITLE = "Mistral chat and Conversations"
ALIASES = ("mistralai", "mistral-chat")
KEEPS_SYSTEM_IN_LIST = True
DIALECT_OF = "openai-chat"
STREAMS_LIKE = "openai-chat"
FIELDS = {
    "/id": "call_id",
    "/tool_call_id": "call_id",
    "/function/name": "tool_name",
    "/function/arguments": "arguments",
    "/name": "tool_name",
    "/text": "text",
    "/thinking": "text",
    "/image_url": "data",
    "/document_url": "data",
    "/input_audio": "data",
    "/content": "content",
    "/role": "role",
}

__all__ = [
    "ALIASES",
    "DIALECT_OF",
    "FIELDS",
    "KEEPS_SYSTEM_IN_LIST",
    "NAME",
    "STREAMS_LIKE",
    "TITLE",
    "open_record",
    "read_body",
    "read_messages",
    "sniff",
    "strays_of",
    "write",
]
