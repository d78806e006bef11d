"""Gemini's Interactions API: a flat list of steps, in which one turn of the model is several of them.

https://ai.google.dev/api/interactions-api; shapes read off the google-genai SDK 3.6.1. The model's steps between two others are
read as one message; steps that only this API knows stay in it as opaque blocks.
Cannot hold: participant names, the developer role, refusals as such, cache marks, names of media other than videos,
signatures of calls, signatures and server tools of other providers, strict tools, arguments that are no object, a system
prompt that is more than text.
"""

from lighter.formats.gemini_interactions.body import read_body
from lighter.formats.gemini_interactions.opening import open_record
from lighter.formats.gemini_interactions.read import read_messages
from lighter.formats.gemini_interactions.shapes import NAME, is_text_alone
from lighter.formats.gemini_interactions.sniff import sniff
from lighter.formats.gemini_interactions.write import write

TITLE = "Gemini Interactions"
ALIASES = ("interactions",)
KEEPS_SYSTEM_IN_LIST = False
MESSAGES_KEY = "input"
HAS_ERROR_FLAG = True
JOINS_TURNS = True
PAIRS_BY_ID_ALONE = True
HAS_ITEMS = True
FIELDS = {
    "/call_id": "call_id",
    "/id": "call_id",
    "/name": "tool_name",
    "/arguments": "arguments",
    "/result": "content",
    "/signature": "opaque",
    "/summary": "text",
    "/text": "text",
    "/data": "data",
    "/uri": "data",
    "/is_error": "is_error",
    "/content": "content",
}

__all__ = [
    "ALIASES",
    "FIELDS",
    "HAS_ERROR_FLAG",
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
    "write",
]
