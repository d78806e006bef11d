"""What speaks for the Interactions API in a list of steps, a request body or an answer."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from lighter.formats.gemini_interactions.shapes import is_step


def sniff(
    messages: Sequence[Any], fields: Mapping[str, Any], response: Mapping[str, Any] | None
) -> Iterator[tuple[int, str]]:
    """Yield the evidence, strongest kinds first."""
    if response is not None and isinstance(usage := response.get("usage"), dict) and "total_input_tokens" in usage:
        yield 10, "an answer with `usage.total_input_tokens`"
    yield from ((6, f"parameter `{key}`") for key in ("previous_interaction_id", "agent_config") if key in fields)
    for message in messages:
        if is_step(message):
            yield 8, f"step type {message['type']}"
