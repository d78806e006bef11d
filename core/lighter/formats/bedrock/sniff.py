"""What speaks for Bedrock Converse in a list of messages, a request body or an answer."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from lighter.formats.bedrock.shapes import block_key

_FIELDS = {
    "inferenceConfig": 8,
    "additionalModelRequestFields": 8,
    "additionalModelResponseFieldPaths": 8,
    "guardrailConfig": 6,
    "performanceConfig": 6,
    "modelId": 6,
    "requestMetadata": 4,
    "promptVariables": 4,
}
_OWN = frozenset({"toolUse", "toolResult", "reasoningContent", "cachePoint", "guardContent", "citationsContent", "searchResult",
                  "toolAddition", "toolRemoval"})  # fmt: skip


def sniff(
    messages: Sequence[Any], fields: Mapping[str, Any], response: Mapping[str, Any] | None
) -> Iterator[tuple[int, str]]:
    """Yield the evidence, strongest kinds first."""
    if response is not None and "stopReason" in response:
        yield 10, "an answer with `stopReason`"
    yield from _fields(fields)
    contents = [message.get("content") for message in messages if isinstance(message, dict)]
    if any(isinstance(content, str) for content in contents):
        return  # a chat in which a part lost its type
    for content in contents:
        for block in content if isinstance(content, list) else ():
            yield from _block(block)


def _fields(fields: Mapping[str, Any]) -> Iterator[tuple[int, str]]:
    yield from ((weight, f"parameter `{key}`") for key, weight in _FIELDS.items() if key in fields)
    config = fields.get("toolConfig")
    tools = config.get("tools") if isinstance(config, dict) else None
    if isinstance(tools, list) and any(isinstance(tool, dict) and "toolSpec" in tool for tool in tools):
        yield 10, "tools with `toolSpec`"
    system = fields.get("system")
    if isinstance(system, list) and any(block_key(block) is not None for block in system):
        yield 8, "`system` with blocks that have one key and no `type`"


def _block(block: Any) -> Iterator[tuple[int, str]]:
    key = block_key(block)
    if key in _OWN:
        yield 10, f"content block {key}"
    elif key == "text" and len(block) == 1:
        yield 8, "content blocks with one key and no `type`"
    elif key is not None and isinstance(block[key], dict) and "source" in block[key]:
        yield 8, f"content block {key} without `type`"
