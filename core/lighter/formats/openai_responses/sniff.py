"""What speaks for OpenAI Responses in a list of items, a request body or an answer."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from lighter.formats.openai_responses.shapes import TELLING_KEYS, item_type, part_types


def sniff(
    messages: Sequence[Any], fields: Mapping[str, Any], response: Mapping[str, Any] | None
) -> Iterator[tuple[int, str]]:
    """Yield the evidence, strongest kinds first."""
    if response is not None and response.get("object") == "response":
        yield 10, "an answer with `object: response`"
    tools = fields.get("tools")
    if isinstance(tools, list) and any(_is_flat(tool) for tool in tools):
        yield 8, "tools with `parameters` beside `name`"
    yield from ((4, f"parameter `{key}`") for key in sorted(TELLING_KEYS & fields.keys() - {"store"}))
    for message in messages:
        if (kind := item_type(message)) is not None:
            yield 8, f"item type {kind}"
        else:
            yield from ((8, f"content part {kind}") for kind in part_types(message))


def _is_flat(tool: Any) -> bool:
    return isinstance(tool, dict) and tool.get("type") == "function" and "name" in tool and "parameters" in tool
