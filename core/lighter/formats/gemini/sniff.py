"""What speaks for Gemini's generateContent in a list of contents, a request body or an answer."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from lighter.formats.gemini.shapes import has_key, is_part


def sniff(
    messages: Sequence[Any], fields: Mapping[str, Any], response: Mapping[str, Any] | None
) -> Iterator[tuple[int, str]]:
    """Yield the evidence, strongest kinds first."""
    has_parts = any(isinstance(message, dict) and "parts" in message for message in messages)
    for key in ("systemInstruction", "generationConfig"):
        if key in fields or (has_parts and has_key(fields, key)):  # the Interactions API has them in snake_case, too
            yield 8, f"`{key}` beside the contents"
    tools = fields.get("tools")
    if isinstance(tools, list) and any(
        isinstance(tool, dict) and has_key(tool, "functionDeclarations") for tool in tools
    ):
        yield 8, "tools with `functionDeclarations`"
    for key in ("candidates", "usageMetadata"):
        if response is not None and has_key(response, key):
            yield 10, f"an answer with `{key}`"
    for message in messages:
        if not isinstance(message, dict) or "content" in message:
            continue
        parts = message.get("parts")
        if isinstance(parts, list) and any(map(is_part, parts)):
            yield 10, "`parts` without `content`"
        if message.get("role") == "model":
            yield 8, "role model"
