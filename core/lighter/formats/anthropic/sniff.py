"""What speaks for Anthropic Messages in a list of messages, a request body or an answer."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

_BLOCKS = frozenset(
    {"tool_use", "tool_result", "server_tool_use", "redacted_thinking", "mcp_tool_use", "mcp_tool_result"}
)


def sniff(
    messages: Sequence[Any], fields: Mapping[str, Any], response: Mapping[str, Any] | None
) -> Iterator[tuple[int, str]]:
    """Yield the evidence, strongest kinds first."""
    yield from _fields(fields)
    for message in messages:
        if isinstance(message, dict):
            if message.get("type") == "message" and "stop_reason" in message:
                yield 10, "an answer with `type: message` and `stop_reason`"
            content = message.get("content")
            for block in content if isinstance(content, list) else ():
                yield from _block(block)
            if response is None and isinstance(content, str) and message.get("role") in ("user", "assistant"):
                yield 0, "plain messages"


def _fields(fields: Mapping[str, Any]) -> Iterator[tuple[int, str]]:
    if "system" in fields:
        yield 6, "`system` beside the messages"
    tools = fields.get("tools")
    if isinstance(tools, list) and any(isinstance(tool, dict) and "input_schema" in tool for tool in tools):
        yield 8, "tools with `input_schema`"
    # Routers write `anthropic/claude-…`.
    if isinstance(model := fields.get("model"), str) and model.startswith("claude"):
        yield 6, f"model {model}"
    for key in ("thinking", "stop_sequences", "anthropic_version", "anthropic_beta", "output_config"):
        if key in fields:
            yield 4, f"parameter `{key}`"
    if isinstance(choice := fields.get("tool_choice"), dict) and choice.get("type") in ("auto", "any", "tool", "none"):
        yield 6, "`tool_choice` as an object with `type`"


def _block(block: Any) -> Iterator[tuple[int, str]]:
    kind = block.get("type") if isinstance(block, dict) else None
    if not isinstance(kind, str):
        return
    if kind in _BLOCKS or kind.endswith("_tool_result"):
        yield 10, f"content block {kind}"
    elif kind == "thinking" and isinstance(block.get("thinking"), str):
        yield 6, "content block thinking"
    elif kind in ("image", "document") and "source" in block:
        yield 8, f"content block {kind} with `source`"
    elif "citations" in block:
        yield 4, "`citations` on a block"
    elif "cache_control" in block:  # routers take it in chats, too
        yield 1, "`cache_control` on a block"
