"""Anthropic Messages: content blocks, results in user turns, the system prompt beside the messages.

https://docs.anthropic.com/en/api/messages; shapes read off the anthropic SDK 2.14.0.
Cannot hold: participant names, image detail, refusals as such, audio, reasoning without an Anthropic signature, arguments
that are no object, empty text.
"""

from lighter.formats.anthropic.read import read_body, read_messages
from lighter.formats.anthropic.shapes import NAME
from lighter.formats.anthropic.sniff import sniff
from lighter.formats.anthropic.write import write

TITLE = "Anthropic Messages"
ALIASES = ("claude", "anthropic-messages")
KEEPS_SYSTEM_IN_LIST = False

__all__ = ["ALIASES", "KEEPS_SYSTEM_IN_LIST", "NAME", "TITLE", "read_body", "read_messages", "sniff", "write"]
