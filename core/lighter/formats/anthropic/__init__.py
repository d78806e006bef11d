"""Anthropic Messages: content blocks, results in user turns, the system prompt beside the messages.

https://docs.anthropic.com/en/api/messages; shapes read off the anthropic SDK 2.14.0.
Cannot hold: participant names, the developer role, image detail, refusals as such, audio and video, reasoning without an
Anthropic signature, sampling parameters, arguments that are no object, empty text.
"""

from lighter.formats.anthropic.from_chat import shortcut
from lighter.formats.anthropic.read import read_body, read_messages
from lighter.formats.anthropic.shapes import NAME
from lighter.formats.anthropic.sniff import sniff
from lighter.formats.anthropic.strays import strays_of
from lighter.formats.anthropic.write import write
from lighter.messages import Extra

TITLE = "Anthropic Messages"
ALIASES = ("claude", "anthropic-messages")
KEEPS_SYSTEM_IN_LIST = False
HAS_ERROR_FLAG = True
NATIVE_SYSTEM = Extra(NAME, "/role", '"system"')
BATCH_BODY = "params"
JOINS_TURNS = True
# "consecutive user or assistant turns in your request will be combined into a single turn", Messages API reference

FIELDS = {
    "/id": "call_id",
    "/tool_use_id": "call_id",
    "/name": "tool_name",
    "/input": "arguments",
    "/text": "text",
    "/thinking": "text",
    "/signature": "opaque",
    "/source": "data",
    "/content": "content",
    "/role": "role",
}

__all__ = [
    "ALIASES",
    "BATCH_BODY",
    "FIELDS",
    "HAS_ERROR_FLAG",
    "JOINS_TURNS",
    "KEEPS_SYSTEM_IN_LIST",
    "NAME",
    "NATIVE_SYSTEM",
    "TITLE",
    "read_body",
    "read_messages",
    "shortcut",
    "sniff",
    "strays_of",
    "write",
]
