"""Joining chunks of answers, and events of graphs, whose messages are `type` and `data`."""

from functools import partial

from lighter.formats import _langchain_stream as streams
from lighter.formats._langchain_stream import assemble, begins, goes_on, resumes

__all__ = ["MAY_BE_MESSAGE", "MAY_BE_WHOLE", "assemble", "begins", "goes_on", "is_chunk", "opened", "resumes"]

MAY_BE_WHOLE = True
MAY_BE_MESSAGE = True

_NAME = "langchain-stored"

is_chunk = partial(streams.is_chunk, _NAME)
opened = partial(streams.opened, _NAME)
