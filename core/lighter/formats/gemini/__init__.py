"""Gemini generateContent: contents of parts, results in the user's turn, the system instruction beside the contents.

https://ai.google.dev/api/generate-content; shapes read off the google-genai SDK 3.6.1. Keys are read in camelCase, as the API
has them, and in snake_case, as the Python SDK logs them. A thought is reasoning, and so is a signature on a part without text;
a signature on visible text is kept beside it. Calls and results without an id pair by their order and their names.
Cannot hold: participant names, the developer role, refusals as such, cache marks, signatures of other providers, server
tools of other providers, strict tools, arguments that are no object, several texts in a result, empty text, a flag for
errors (they stand under `error`).
"""

from lighter.formats.gemini.body import read_body
from lighter.formats.gemini.opening import open_record
from lighter.formats.gemini.read import read_messages
from lighter.formats.gemini.shapes import NAME, is_text_alone
from lighter.formats.gemini.sniff import sniff
from lighter.formats.gemini.strays import strays_of
from lighter.formats.gemini.write import write

TITLE = "Gemini generateContent"
ALIASES = ("google", "google-genai", "vertex")
KEEPS_SYSTEM_IN_LIST = False
MESSAGES_KEY = "contents"
HAS_ERROR_FLAG = True
FIELDS = {
    "/functionCall/id": "call_id",
    "/functionCall/name": "tool_name",
    "/functionCall/args": "arguments",
    "/functionResponse/id": "call_id",
    "/functionResponse/name": "tool_name",
    "/functionResponse/response": "content",
    "/thoughtSignature": "opaque",
    "/inlineData": "data",
    "/fileData": "data",
    "/text": "text",
    "/role": "role",
}
HOLDS_JSON_RESULTS = True

__all__ = [
    "ALIASES",
    "FIELDS",
    "HAS_ERROR_FLAG",
    "HOLDS_JSON_RESULTS",
    "KEEPS_SYSTEM_IN_LIST",
    "MESSAGES_KEY",
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
