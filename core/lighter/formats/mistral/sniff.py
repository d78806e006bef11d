"""What speaks for Mistral in a list of messages or entries, a request body or an answer, beyond what all chats have."""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from lighter.formats.mistral.entries import is_entry
from lighter.formats.mistral.shapes import MODELS

_ID = re.compile(r"[a-zA-Z0-9]{9}", re.ASCII)
_API_MODEL = re.compile(r"-(latest|\d{4})$", re.ASCII)
"""How the names of models end at Mistral itself; others who run them name them otherwise."""

_PARAMS = ("safe_prompt", "random_seed", "prompt_mode", "guardrails", "completion_args")
_CHUNKS = ("document_url", "reference", "resource", "resource_link")


def sniff(
    messages: Sequence[Any], fields: Mapping[str, Any], response: Mapping[str, Any] | None
) -> Iterator[tuple[int, str]]:
    """Yield the evidence, strongest kinds first."""
    for model in (fields.get("model"), (response or {}).get("model")):
        if isinstance(model, str) and model.startswith(MODELS) and _API_MODEL.search(model):
            yield 6, f"model {model}"
    yield from ((4, f"parameter `{key}`") for key in _PARAMS if key in fields)
    for message in messages:
        if isinstance(message, dict):
            yield from _message(message)


def _message(message: Mapping[str, Any]) -> Iterator[tuple[int, str]]:
    if is_entry(message):
        yield 10, f"entry {message['type']}"
    content = message.get("content")
    for part in content if isinstance(content, list) else ():
        yield from _chunk(part)
    if message.get("role") == "assistant" and isinstance(message.get("prefix"), bool):
        yield 2, "`prefix` on an assistant's message"  # or DeepSeek's
    calls = message.get("tool_calls")
    for call in calls if isinstance(calls, list) else ():
        call_id = call.get("id") if isinstance(call, dict) else None
        if isinstance(call_id, str) and _ID.fullmatch(call_id):
            yield 1, "call ids of nine letters and digits"
    if message.get("role") == "tool" and message.get("name") and _ID.fullmatch(str(message.get("tool_call_id"))):
        yield 1, "results with `name` and an id of nine letters and digits"


def _chunk(part: Any) -> Iterator[tuple[int, str]]:
    match part:
        case {"type": "thinking", "thinking": list()}:
            yield 10, "content chunk thinking with a list"
        case {"type": ("image_url" | "input_audio") as kind} if isinstance(part.get(kind), str):
            yield 6, f"content chunk {kind} with text"
        case {"type": "file", "file_id": str()}:
            yield 6, "content chunk file with `file_id`"
        case {"type": "document_url", "document_url": str()}:
            yield 8, "content chunk document_url"
        case {"type": str(kind)} if kind in _CHUNKS and ("reference_ids" in part or "uri" in part):
            yield 8, f"content chunk {kind}"
        case _:
            pass
