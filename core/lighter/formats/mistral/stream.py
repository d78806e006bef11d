"""Joining the pieces of Mistral's chat completions, whose content may come as chunks of text and thinking."""

from collections.abc import Sequence
from typing import Any

from lighter.formats import _chat_stream
from lighter.formats._streaming import Assembled, mapping, objects
from lighter.streams import has_deltas

_MODELS = (
    "mistral-",
    "magistral-",
    "codestral-",
    "ministral-",
    "pixtral-",
    "devstral-",
    "open-mistral-",
    "open-mixtral-",
)
"""How Mistral's own API names its models (https://docs.mistral.ai/getting-started/models); others put an owner before them."""


def is_chunk(value: Any) -> bool:
    """Say whether a value is a piece of a streamed answer that is Mistral's by its model or its chunks of content."""
    if not isinstance(value, dict) or not has_deltas(value):
        return False
    if isinstance(model := value.get("model"), str) and model.startswith(_MODELS):
        return True
    return any(isinstance(mapping(choice["delta"]).get("content"), list) for _, choice in objects(value["choices"]))


def goes_on(value: Any) -> bool:
    """Say whether a value is the next piece of a stream that has begun; not all of them name the model."""
    return isinstance(value, dict) and has_deltas(value)


def begins(chunk: Any, before: Sequence[Any]) -> bool:
    """Say whether a piece is of another answer than those before it."""
    return _chat_stream.begins(chunk, before)


def resumes(chunk: Any, before: Sequence[Any]) -> bool:
    """Say whether a piece goes on with an answer after pieces of others."""
    return isinstance(chunk, dict) and "choices" in chunk and _chat_stream.resumes(chunk, before)


def assemble(chunks: Sequence[Any]) -> Assembled:
    """Join pieces to one answer."""
    return _chat_stream.assemble(chunks)
