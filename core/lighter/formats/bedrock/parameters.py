"""Writing the parameters of a request for Bedrock: `inferenceConfig`, the choice of tools, and what is a model's own."""

import re
from collections.abc import Mapping, Sequence
from typing import Any

from msgspec import Struct

from lighter.conversation import Param
from lighter.formats._functions import function_choice
from lighter.formats._notes import Notes
from lighter.formats._noting import note_old_choice
from lighter.formats._writing import param_values
from lighter.formats.bedrock.shapes import NAME

CLAUDE_FIELDS = frozenset({"thinking", "anthropic_beta", "output_config"})
"""Keys of Anthropic's requests that Claude takes as `additionalModelRequestFields`.

https://docs.aws.amazon.com/bedrock/latest/userguide/claude-messages-extended-thinking.html
"""

_INFERENCE = {
    "max_tokens": "maxTokens",
    "max_completion_tokens": "maxTokens",
    "temperature": "temperature",
    "top_p": "topP",
}
_SHARES = ("temperature", "top_p")
"""Parameters between 0 and 1 (`InferenceConfiguration`)."""

_MODEL_ID = re.compile(r"arn:aws\S*:(?:bedrock|sagemaker):\S+|(?:[a-z-]{2,7}\.)?(?:ai21|amazon|anthropic|cohere|deepseek|meta|mistral"
                       r"|openai|qwen|stability|writer|luma|twelvelabs|minimax|moonshotai?|google|nvidia|zai)\.[\w.:-]+")  # fmt: skip
"""What models are called at Bedrock: `anthropic.claude-…`, in a region's profile `us.anthropic.claude-…`, or by an ARN."""


class Aims(Struct):
    """What parameters are written for: `is_own` when they are from a request to Bedrock, `has_tools` when tools are declared."""

    notes: Notes
    is_own: bool
    has_tools: bool


def written_params(params: Sequence[Param], aims: Aims) -> dict[str, Any]:
    """Write parameters under Bedrock's names; those that it does not have are noted."""
    notes = aims.notes
    value: dict[str, Any] = {}
    for param, held in param_values(params):
        written = _param(param, held, aims)
        key = next(iter(written), "")
        inner = written[key] if key in ("inferenceConfig", "additionalModelRequestFields") else {}
        if not written or inner.keys() & value.get(key, {}).keys() or (key in value and not inner):
            why = (
                "a model of another provider"
                if param.name == "model"
                else f"{NAME} has no parameter like it, or not this value"
            )
            why = f"{NAME} has only one limit of tokens" if written else why
            notes.dropped(param.path, param.name.replace("_", "-"), why)
        else:
            merge(value, written)
            if param.name == "max_completion_tokens":
                notes.rewritten(param.path, "max-completion-tokens", "is maxTokens here", is_reversible=True)
    return value


def merge(value: dict[str, Any], more: Mapping[str, Any]) -> None:
    """Add keys to a request, and to the objects that it holds."""
    for key, held in more.items():
        value[key] = {**value.get(key, {}), **held} if isinstance(held, dict) else held


def _param(param: Param, held: Any, aims: Aims) -> dict[str, Any]:
    """Write one parameter; nothing when Bedrock has none like it."""
    match param.name, held:
        case "model", str(model) if aims.is_own or _MODEL_ID.fullmatch(model):
            return {"modelId": model}
        case "stop", list() if aims.is_own or all(isinstance(text, str) and text for text in held):
            return {"inferenceConfig": {"stopSequences": held}}
        case "stop", str(text) if text:
            aims.notes.rewritten(param.path, "stop", "one stop text became a list", is_reversible=True)
            return {"inferenceConfig": {"stopSequences": [held]}}
        case "top_k", _:
            return {"additionalModelRequestFields": {"top_k": held}}
        case (("tool_choice" | "function_call"), _) if aims.has_tools and (choice := _choice(held)):
            note_old_choice(param, aims.notes)
            return {"toolConfig": {"toolChoice": choice}}
        case (name, _) if name in _INFERENCE and (aims.is_own or _is_taken(name, held)):
            return {"inferenceConfig": {_INFERENCE[name]: held}}
        case _:
            return {}


def _is_taken(name: str, held: Any) -> bool:
    """Say whether a number lies where Bedrock takes it."""
    if isinstance(held, bool) or not isinstance(held, int | float):
        return False
    return 0 <= held <= 1 if name in _SHARES else isinstance(held, int) and held >= 1


def _choice(held: Any) -> dict[str, Any] | None:
    """Write a choice of tools; None when Bedrock has none like it (it cannot be told to call none)."""
    match function_choice(held):
        case "auto":
            return {"auto": {}}
        case "required":
            return {"any": {}}
        case {"function": {"name": str(name)}}:
            return {"tool": {"name": name}}
        case _:
            return None
