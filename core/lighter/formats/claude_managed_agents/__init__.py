"""Sessions of Claude's managed agents: their events, one a line, in a list, in pages, or as LangSmith recorded the calls of the SDK.

https://platform.claude.com/docs/en/managed-agents/events-and-streaming; shapes read off the anthropic SDK 2.14.0. They are read
only: no API takes the events of an agent. What the agent says and calls between two others is read as one message. An event
that was sent and came back in the stream is one event; what tells how the session went, and thinking, which holds no text, is
named as a loss.
"""

from typing import NoReturn

from lighter.conversation import Conversation
from lighter.errors import CannotHold
from lighter.formats.claude_managed_agents.body import read_body, sniff
from lighter.formats.claude_managed_agents.read import ended_calls, read_messages
from lighter.formats.claude_managed_agents.shapes import NAME

TITLE = "Claude Managed Agents sessions"
ALIASES = ("managed-agents",)
KEEPS_SYSTEM_IN_LIST = False
IS_READ_ONLY = True
HAS_ERROR_FLAG = True
JOINS_TURNS = True
PAIRS_BY_ID_ALONE = True

__all__ = [
    "ALIASES",
    "HAS_ERROR_FLAG",
    "IS_READ_ONLY",
    "JOINS_TURNS",
    "KEEPS_SYSTEM_IN_LIST",
    "NAME",
    "PAIRS_BY_ID_ALONE",
    "TITLE",
    "ended_calls",
    "read_body",
    "read_messages",
    "sniff",
    "write",
]


def write(_conversation: Conversation) -> NoReturn:
    """Refuse: what is in this form already is copied without it."""
    raise CannotHold(f"{NAME} is only read: no API takes the events of an agent")
