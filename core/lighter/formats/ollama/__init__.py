"""Ollama's chat API: content as text with images beside it, thinking in a field, calls with objects and without ids.

https://docs.ollama.com/api/chat; shapes read off the ollama SDK 0.6.3.
Cannot hold: call ids, several texts in a message, the order of text and images or calls, arguments that are no object,
URLs, files, audio and video, error flags, participant names, the developer role, refusals as such, signatures, server
tools, strict tools, the choice of a tool, cache marks.
"""

from lighter.formats._chat_strays import strays_of
from lighter.formats.ollama.opening import open_record
from lighter.formats.ollama.read import read_body, read_messages
from lighter.formats.ollama.shapes import NAME, is_text_alone
from lighter.formats.ollama.sniff import sniff
from lighter.formats.ollama.write import write

TITLE = "Ollama chat"
ALIASES = ("ollama-chat",)
KEEPS_SYSTEM_IN_LIST = True
DIALECT_OF = "openai-chat"
FIELDS = {
    "/tool_name": "tool_name",
    "/function/name": "tool_name",
    "/function/arguments": "arguments",
    "/content": "content",
    "/role": "role",
}

__all__ = [
    "ALIASES",
    "DIALECT_OF",
    "FIELDS",
    "KEEPS_SYSTEM_IN_LIST",
    "NAME",
    "TITLE",
    "is_text_alone",
    "open_record",
    "read_body",
    "read_messages",
    "sniff",
    "strays_of",
    "write",
]
