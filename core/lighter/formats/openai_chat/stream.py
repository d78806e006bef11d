"""Joining `chat.completion.chunk` pieces to an answer of Chat Completions."""

from collections.abc import Sequence
from typing import Any

from lighter.formats import _chat_stream
from lighter.formats._streaming import Assembled
from lighter.streams import has_deltas


def is_chunk(value: Any) -> bool:
    """Say whether a value is a piece of a streamed answer."""
    if not isinstance(value, dict):
        return False
    return value.get("object") == "chat.completion.chunk" or has_deltas(value)


def begins(chunk: Any, before: Sequence[Any]) -> bool:
    """Say whether a piece is of another answer than those before it."""
    return _chat_stream.begins(chunk, before)


def resumes(chunk: Any, before: Sequence[Any]) -> bool:
    """Say whether a piece goes on with an answer after pieces of others."""
    return isinstance(chunk, dict) and "choices" in chunk and _chat_stream.resumes(chunk, before)


def assemble(chunks: Sequence[Any]) -> Assembled:
    """Join pieces to one answer."""
    return _chat_stream.assemble(chunks)
