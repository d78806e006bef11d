"""The names of the Responses API: its item types, and the keys of a request."""

from collections.abc import Mapping
from typing import Any

NAME = "openai-responses"

ITEM_ID = "openai-item-id-spelling"
"""The format name of extras that hold the id of an item, which another format keeps beside what the item says."""
SPELLING = f"{NAME}-spelling"
"""The format name of extras that say how a message or part was spelled, where the API takes several spellings for one thing."""

ITEM_SPELLING = f"{NAME}-item-spelling"
"""The same for the item that a block is a part of: pointers are relative to the item."""

AS_TEXT, AS_PARTS = '"text"', '"parts"'
"""How content is spelled where the usual spelling of the same would be the other: JSON texts of spelling extras."""

# openai 3.57.0, ResponseInputItemParam, without those that are read: messages, reasoning, calls of functions and their results.
OPAQUE_ITEMS = frozenset({
    "additional_tools", "apply_patch_call", "apply_patch_call_output", "code_interpreter_call", "compaction",
    "compaction_trigger", "computer_call", "computer_call_output", "configuration_update", "file_search_call",
    "image_generation_call", "item_reference", "local_shell_call", "local_shell_call_output", "mcp_approval_request",
    "mcp_approval_response", "mcp_call", "mcp_list_tools", "program", "program_output", "shell_call", "shell_call_output",
    "tool_search_call", "tool_search_output", "web_search_call",
})  # fmt: skip
_NEEDED = {
    "additional_tools": "tools", "compaction": "encrypted_content", "configuration_update": "reasoning",
    "mcp_approval_response": "approval_request_id", "program": "code", "program_output": "result", "tool_search_call": "arguments",
    "tool_search_output": "tools",
}  # fmt: skip
"""A key by which an item is told from what others call so, where that is not an id."""

CALLS = {"function_call": "arguments", "custom_tool_call": "input"}
"""The item types of calls, and the key that holds what the tool is called with."""

OUTPUTS = {"function_call_output": "function", "custom_tool_call_output": "custom"}
"""The item types of results, and the kind of call that they answer."""

CLIENT_CALLS = frozenset({"apply_patch_call", "computer_call", "local_shell_call", "shell_call", "tool_search_call"})
CLIENT_OUTPUTS = frozenset({
    "apply_patch_call_output", "computer_call_output", "local_shell_call_output", "shell_call_output", "tool_search_output",
})  # fmt: skip
"""Calls of OpenAI's own tools that the client runs, and their results: items whose forms no other format has."""

PART_TYPES = frozenset({"input_text", "output_text", "input_image", "input_file"})

# openai 3.57.0, ResponseCreateParams.
REQUEST_KEYS = frozenset({
    "background", "context_management", "conversation", "include", "input", "instructions", "max_output_tokens",
    "max_tool_calls", "metadata", "model", "parallel_tool_calls", "previous_response_id", "prompt", "prompt_cache_key",
    "prompt_cache_options", "prompt_cache_retention", "reasoning", "safety_identifier", "service_tier", "store", "stream",
    "stream_options", "temperature", "text", "tool_choice", "tools", "top_logprobs", "top_p", "truncation", "user",
})  # fmt: skip
TELLING_KEYS = REQUEST_KEYS & {
    "conversation", "include", "instructions", "max_output_tokens", "max_tool_calls", "previous_response_id", "reasoning",
    "store", "text", "truncation",
}  # fmt: skip
"""Those of them that other APIs do not know, or know under other names."""


def is_item(value: Any) -> bool:
    """Say whether a value is an item that only this API knows."""
    return item_type(value) is not None


def item_type(value: Any) -> str | None:
    """Give the type of an item that only this API knows; None for messages, and for what is no item."""
    if not isinstance(value, Mapping):
        return None
    match value:
        case {"type": ("function_call" | "custom_tool_call") as kind, "call_id": _, "name": _}:
            return str(kind)
        case {"type": ("function_call_output" | "custom_tool_call_output") as kind, "output": _}:
            return str(kind)
        case {"type": "reasoning", "summary": list()} | {"type": "reasoning", "encrypted_content": _}:
            return "reasoning"
        case {"type": str(kind)} if kind in OPAQUE_ITEMS:
            needed = _NEEDED.get(kind, "call_id" if "call_id" in value else "id")
            return kind if needed in value else None
        case _:
            return None


def part_types(message: Any) -> list[str]:
    """List the types of a message's content parts that only this API knows."""
    content = message.get("content") if isinstance(message, Mapping) else None
    kinds = (part.get("type") for part in content if isinstance(part, dict)) if isinstance(content, list) else ()
    return [kind for kind in kinds if isinstance(kind, str) and kind in PART_TYPES]


_SPEAKERS = ("user", "assistant", "system", "developer")
_SAYING = ("input_text", "output_text")


def is_text_alone(raw: Any) -> bool:
    """Say whether an item is certain to be text: a message whose parts all are, with no calls of a chat."""
    match raw:
        case {"role": str(role), "content": str() | list() as content} if role in _SPEAKERS:
            is_message = raw.get("type", "message") == "message" and "tool_calls" not in raw
            parts = content if isinstance(content, list) else ()
            return is_message and all(isinstance(part, dict) and part.get("type") in _SAYING for part in parts)
        case _:
            return False
