"""Which content parts are certainly of one provider's format, whatever file they stand in."""

from collections.abc import Mapping
from typing import Any

_ANTHROPIC_TYPES = frozenset({"tool_use", "tool_result", "server_tool_use", "redacted_thinking"})
_OPENAI_TYPES = frozenset({"image_url", "input_audio"})


def is_anthropic_part(fields: Mapping[str, Any]) -> bool:
    """Say whether only Anthropic has such a part: Mistral thinks in lists, others have images without a source."""
    match fields:
        case {"type": "thinking", "thinking": str()} | {"type": "image" | "document", "source": dict()}:
            return True
        case {"type": str(kind)}:
            return kind in _ANTHROPIC_TYPES
        case _:
            return False


def is_openai_part(fields: Mapping[str, Any]) -> bool:
    """Say whether only OpenAI's chats have such a part."""
    kind = fields.get("type")
    return isinstance(kind, str) and kind in _OPENAI_TYPES
