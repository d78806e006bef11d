"""Bedrock Converse: blocks without `type`, each named by its one key; roles alternate, and the system prompt stands beside.

https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_Converse.html; shapes read off the service model of
botocore 1.44.8. Claude's signatures are those of Anthropic Messages; redacted reasoning is the base64 of Anthropic's text.
Cannot hold: participant names, the developer role, URLs of media (they are never fetched), file ids, image detail, names
of media other than documents, refusals as such, signatures of others than Anthropic, server tools of other providers,
arguments that are no object, blank text.
"""

from lighter.formats.bedrock.opening import open_record
from lighter.formats.bedrock.read import read_body, read_messages
from lighter.formats.bedrock.shapes import NAME, is_text_alone
from lighter.formats.bedrock.sniff import sniff
from lighter.formats.bedrock.strays import strays_of
from lighter.formats.bedrock.write import write
from lighter.messages import Extra

TITLE = "Bedrock Converse"
ALIASES = ("converse", "bedrock-converse")
KEEPS_SYSTEM_IN_LIST = False
HAS_ERROR_FLAG = True
NATIVE_SYSTEM = Extra(NAME, "/role", '"system"')
FIELDS = {
    "/toolUse/toolUseId": "call_id",
    "/toolUse/name": "tool_name",
    "/toolUse/input": "arguments",
    "/toolResult/toolUseId": "call_id",
    "/toolResult/content": "content",
    "/toolResult/status": "is_error",
    "/reasoningContent/reasoningText/text": "text",
    "/reasoningContent/reasoningText/signature": "opaque",
    "/reasoningContent/redactedContent": "opaque",
    "/image/source": "data",
    "/image/format": "media_type",
    "/audio/source": "data",
    "/audio/format": "media_type",
    "/video/source": "data",
    "/video/format": "media_type",
    "/document/source": "data",
    "/document/format": "media_type",
    "/document/name": "name",
    "/text": "text",
    "/content": "content",
    "/role": "role",
}
HOLDS_JSON_RESULTS = True

__all__ = [
    "ALIASES",
    "FIELDS",
    "HAS_ERROR_FLAG",
    "HOLDS_JSON_RESULTS",
    "KEEPS_SYSTEM_IN_LIST",
    "NAME",
    "NATIVE_SYSTEM",
    "TITLE",
    "is_text_alone",
    "open_record",
    "read_body",
    "read_messages",
    "sniff",
    "strays_of",
    "write",
]
