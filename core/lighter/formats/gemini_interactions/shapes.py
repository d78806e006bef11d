"""The names of Gemini's Interactions API: its step types, and the keys of a request."""

from collections.abc import Collection, Iterable, Mapping
from typing import Any

from lighter.formats._reading import empty_as, extras
from lighter.formats._writing import restore
from lighter.messages import Extra

NAME = "gemini-interactions"
SPELLING = f"{NAME}-spelling"
"""The format name of extras that say how a value was spelled, where the API takes several spellings for one thing."""

STEP_SPELLING = f"{NAME}-step-spelling"
"""The same for the step that a block is a part of."""

AS_TEXT, AS_CONTENTS, AS_ONE, AS_VALUE = '"text"', '"contents"', '"one"', '"value"'
"""How an input that is no list of steps, or a result that is neither text nor an object, is spelled: JSON texts of spelling extras."""

# google-genai 3.6.1, interactions.Step, without those that are read.
OPAQUE_STEPS = frozenset({
    "code_execution_call", "code_execution_result", "file_search_call", "file_search_result", "google_maps_call",
    "google_maps_result", "google_search_call", "google_search_result", "mcp_server_tool_call", "mcp_server_tool_result",
    "processing_call", "processing_result", "retrieval_call", "retrieval_result", "tool_search_call", "tool_search_result",
    "url_context_call", "url_context_result",
})  # fmt: skip
_SHARED = frozenset({"file_search_call", "tool_search_call"})
"""Step types that name items of the Responses API, too, which have a status."""

CONTENT_TYPES = frozenset({"text", "image", "audio", "document", "video"})

# google-genai 3.6.1, CreateModelInteraction and CreateAgentInteraction.
REQUEST_KEYS = frozenset({
    "agent", "agent_config", "background", "cached_content", "continuation_token", "environment", "generation_config", "input",
    "labels", "model", "previous_interaction_id", "response_format", "response_mime_type", "response_modalities",
    "safety_settings", "service_tier", "store", "stream", "system_instruction", "tools", "webhook_config",
})  # fmt: skip
TELLING_KEYS = REQUEST_KEYS & {
    "agent", "agent_config", "generation_config", "previous_interaction_id", "response_modalities", "system_instruction",
}  # fmt: skip
"""Those of them that other APIs with an `input` do not know."""

ANSWER_KEYS = frozenset({
    "created", "errors", "id", "object", "output_audio", "output_image", "output_text", "output_video", "role", "status", "steps",
    "updated", "usage",
})  # fmt: skip
"""Keys that only an answer has."""


def is_step(value: Any) -> bool:
    """Say whether a value is a step of this API, and no item of the Responses API that is called so, too."""
    match value:
        case {"type": "user_input" | "model_output"}:
            return "role" not in value
        case {"type": "thought"}:
            return "signature" in value or "summary" in value or len(value) == 1
        case {"type": "function_call", "id": _, "name": _, "arguments": dict()}:
            return "call_id" not in value
        case {"type": "function_result", "call_id": _}:
            return "result" in value
        case {"type": str(kind)} if kind in OPAQUE_STEPS:
            return not (kind in _SHARED and ("status" in value or "queries" in value or "execution" in value))
        case _:
            return False


def is_step_content(value: Any) -> bool:
    """Say whether a value is a content of a step: typed, with its data beside the type."""
    match value:
        case {"type": "text", "text": str()}:
            return True
        case {"type": str(kind)} if kind in CONTENT_TYPES:
            return "data" in value or "uri" in value
        case _:
            return False


def kept(raw: Mapping[str, Any], known: Collection[str], prefix: str = "") -> tuple[Extra, ...]:
    """Keep the keys that a reader does not know; one that is null or an empty list says nothing, so it is spelling only."""
    return empty_as(SPELLING, extras(NAME, raw, known, prefix))


def own(value: Any, ext: tuple[Extra, ...]) -> Any:
    """Put back what was kept of a value: keys that only this API knows, and its spelling."""
    return restore(value, ext, NAME, SPELLING)


def is_own(ext: Iterable[Extra]) -> bool:
    """Say whether something was read from this format, and has more to it than its blocks say."""
    return any(extra.format.startswith(NAME) for extra in ext)


def is_text_alone(raw: Any) -> bool:
    """Say whether a step is certain to be text: an input or an output whose contents all are."""
    match raw:
        case {"type": "user_input" | "model_output", "content": list() as contents}:
            return all(isinstance(content, dict) and content.get("type") == "text" for content in contents)
        case _:
            return False
