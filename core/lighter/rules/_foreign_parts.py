"""Which content parts and messages are certainly of one provider's format, whatever file they stand in."""

from collections.abc import Mapping
from typing import Any

_ANTHROPIC_TYPES = frozenset({"tool_use", "tool_result", "server_tool_use", "redacted_thinking"})
_OPENAI_TYPES = frozenset({"image_url", "input_audio"})
_ITEM_TYPES = frozenset(
    {"function_call", "function_call_output", "custom_tool_call", "custom_tool_call_output", "reasoning"}
)
_GEMINI_PARTS = frozenset(
    {"text", "functionCall", "function_call", "functionResponse", "function_response", "inlineData", "inline_data"}
)
_CHAT_ROLES = ("user", "assistant", "system", "tool")


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


def is_item(fields: Mapping[str, Any]) -> bool:
    """Say whether only OpenAI's Responses have such an entry in their list."""
    kind = fields.get("type")
    return "role" not in fields and isinstance(kind, str) and kind in _ITEM_TYPES


def is_gemini_content(fields: Mapping[str, Any]) -> bool:
    """Say whether only Gemini has such a message; user interfaces have `parts` as well, and these have a type."""
    parts = fields.get("parts")
    if "content" in fields or not isinstance(parts, list):
        return False
    return any(isinstance(part, dict) and "type" not in part and not _GEMINI_PARTS.isdisjoint(part) for part in parts)


def is_chat_message(fields: Mapping[str, Any]) -> bool:
    """Say whether chats have such a message, and Gemini has none."""
    return "parts" not in fields and "content" in fields and fields.get("role") in _CHAT_ROLES
