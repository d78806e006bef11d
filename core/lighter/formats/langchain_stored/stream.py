"""Joining chunks of answers, and events of graphs, whose messages are `type` and `data`."""

from typing import Any

from lighter.envelope import Opened
from lighter.formats import _langchain_stream as streams
from lighter.formats._langchain_stream import assemble, begins, goes_on, resumes

__all__ = ["MAY_BE_MESSAGE", "MAY_BE_WHOLE", "assemble", "begins", "goes_on", "is_chunk", "opened", "resumes"]

MAY_BE_WHOLE = True
MAY_BE_MESSAGE = True

_NAME = "langchain-stored"


def is_chunk(value: Any) -> bool:
    """Say whether a value is a chunk of an answer, or an event of a graph with a message."""
    return streams.is_chunk(_NAME, value)


def opened(value: dict[str, Any]) -> Opened:
    """Open what was joined: a message, or the state of a graph."""
    return streams.opened(_NAME, value)
