"""What speaks for Cohere in a list of messages, a request body or an answer, beyond what all chats have."""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from lighter.formats.cohere.shapes import MODELS, PLAN

_API_MODEL = re.compile(r"-\d{2}-20\d{2}$", re.ASCII)
"""How the names of models end at Cohere itself; others who run them name them otherwise."""

_PARAMS = ("citation_options", "strict_tools", "safety_mode", "documents")
_REASONS = frozenset({"COMPLETE", "STOP_SEQUENCE", "MAX_TOKENS", "TOOL_CALL", "ERROR", "TIMEOUT"})


def sniff(
    messages: Sequence[Any], fields: Mapping[str, Any], response: Mapping[str, Any] | None
) -> Iterator[tuple[int, str]]:
    """Yield the evidence, strongest kinds first."""
    match response:
        case {"usage": {"billed_units": _}} | {"usage": {"tokens": dict()}}:
            yield 10, "an answer with `billed_units` or `tokens` as its usage"
        case {"finish_reason": str(reason)} if reason in _REASONS:
            yield 8, f"finish_reason {reason}"
        case _:
            pass
    if isinstance(model := fields.get("model"), str) and model.startswith(MODELS) and _API_MODEL.search(model):
        yield 6, f"model {model}"
    if fields.get("tool_choice") in ("REQUIRED", "NONE"):
        yield 6, "`tool_choice` in capitals"
    yield from ((4, f"parameter `{key}`") for key in _PARAMS if key in fields)
    for message in messages:
        if isinstance(message, dict):
            yield from _message(message)


def _message(message: Mapping[str, Any]) -> Iterator[tuple[int, str]]:
    role, content, citations = message.get("role"), message.get("content"), message.get("citations")
    if role == "assistant" and isinstance(message.get(PLAN), str):
        yield 10, "`tool_plan` on an assistant's message"
    if isinstance(citations, list) and any(isinstance(found, dict) and "sources" in found for found in citations):
        yield 8, "`citations` with `sources` on a message"
    for part in content if isinstance(content, list) else ():
        match part:
            case {"type": "document", "document": {"data": dict()}}:
                yield 8, "content part document with `data`"
            case {"type": "thinking", "thinking": str()} if role == "assistant" and "signature" not in part:
                yield 3, "content part thinking without a signature"  # or an old log of Anthropic
            case _:
                pass
