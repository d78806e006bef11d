"""What speaks for OpenAI Chat in a list of messages, a request body or an answer."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

_PART_TYPES = frozenset({"image_url", "input_audio", "file", "refusal"})
_DIALECT = ("reasoning_content", "reasoning_details", "refusal", "function_call", "audio", "annotations")


def sniff(
    messages: Sequence[Any], fields: Mapping[str, Any], response: Mapping[str, Any] | None
) -> Iterator[tuple[int, str]]:
    """Yield the evidence, strongest kinds first."""
    if response is not None and "choices" in response:
        yield 10, "an answer with `choices`"
    yield from _fields(fields)
    if messages and isinstance(messages[0], dict) and messages[0].get("role") == "system":
        yield 4, "a system message at the beginning"
    for message in messages:
        if isinstance(message, dict):
            yield from _message(message)


def _fields(fields: Mapping[str, Any]) -> Iterator[tuple[int, str]]:
    tools = fields.get("tools")
    if isinstance(tools, list) and any(isinstance(tool, dict) and "function" in tool for tool in tools):
        yield 8, "tools with `function`"
    if isinstance(model := fields.get("model"), str) and model.startswith(("gpt-", "o1", "o3", "o4", "chatgpt-")):
        yield 4, f"model {model}"
    for key in ("max_completion_tokens", "response_format", "parallel_tool_calls", "functions"):
        if key in fields:
            yield 4, f"parameter `{key}`"


def _message(message: Mapping[str, Any]) -> Iterator[tuple[int, str]]:
    role, content = message.get("role"), message.get("content")
    if role == "tool" and "tool_call_id" in message:
        yield 8, "role tool with `tool_call_id`"
    elif role in ("developer", "function"):
        yield 6, f"role {role}"
    elif role in ("system", "tool"):
        yield 2, f"role {role} in the list"
    if "tool_calls" in message:
        yield from _calls(message["tool_calls"])
    yield from ((5, f"`{key}`") for key in _DIALECT if key in message)
    if isinstance(content, list):
        kinds = (part.get("type") for part in content if isinstance(part, dict))
        yield from ((6, f"content part {kind}") for kind in kinds if isinstance(kind, str) and kind in _PART_TYPES)
    elif role in ("user", "assistant", "system") and (isinstance(content, str) or content is None):
        yield 1, "plain messages (the same in every chat format)"


def _calls(calls: Any) -> Iterator[tuple[int, str]]:
    if isinstance(calls, list) and any(isinstance(call, dict) and "function" in call for call in calls):
        yield 8, "`tool_calls` with `function`"
    else:
        yield 3, "`tool_calls`"
