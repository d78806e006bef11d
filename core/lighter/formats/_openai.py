"""What the two APIs of OpenAI have in common: cache breakpoints on content parts, custom tools, and which models are not theirs."""

import re
from collections.abc import Callable, Mapping
from typing import Any

from lighter.conversation import Conversation, Tool
from lighter.formats._notes import Notes
from lighter.formats._writing import origin_format
from lighter.jsontext import decode, step
from lighter.messages import CacheMark
from lighter.plaintools import lacks_properties

CACHE_KEY = "prompt_cache_breakpoint"
TTLS = ("30m", "12h")
"""The cache lifetimes that OpenAI knows."""

CACHED = {"cache": f"/{CACHE_KEY}"}
"""Where a part's cache mark stands, from the part on."""


def read_cache(part: Mapping[str, Any]) -> CacheMark | None:
    """Read the cache mark of a content part; None when there is none, or one that says more."""
    match part.get(CACHE_KEY):
        case {"mode": "explicit", "ttl": str(ttl), **rest} if not rest:
            return CacheMark(ttl)
        case {"mode": "explicit", **rest} if not rest:
            return CacheMark()
        case _:
            return None


def with_cache(part: dict[str, Any], cache: CacheMark | None) -> dict[str, Any]:
    """Put a cache mark on a content part; lifetimes that OpenAI does not know are left out."""
    if cache is not None:
        part[CACHE_KEY] = {"mode": "explicit"} | ({"ttl": cache.ttl} if cache.ttl in TTLS else {})
    return part


def other_custom_tool(tool: Tool, notes: Notes) -> dict[str, Any] | None:
    """Write the definition of a tool with free text as input for the other of the two APIs; None for any other tool.

    OpenAI Chat has name, description and format under `custom`, and a grammar under `grammar`; Responses has neither
    (openai 3.57.0, `ChatCompletionCustomToolParam` and `CustomToolParam`). What the target does not know is noted.
    """
    native = tool.native
    if native is None or native.format == notes.target:
        return None
    match native.format, decode(native.json):
        case "openai-chat", {"type": "custom", "custom": {"name": str()} as held, **more}:
            _note_rest(more, tool.path, notes)
            return {"type": "custom", **_custom(held, f"{tool.path}/custom", notes, _flat)}
        case "openai-responses", {"type": "custom", "name": str(name), **more}:
            return {"type": "custom", "custom": _custom(more | {"name": name}, tool.path, notes, _nested)}
        case _:
            return None


def _custom(
    held: Mapping[Any, Any], path: str, notes: Notes, spelled: Callable[[Any], dict[str, Any] | None]
) -> dict[str, Any]:
    """Write what both APIs tell of such a tool, with its format as `spelled` spells it."""
    written = {key: held[key] for key in ("name", "description") if isinstance(held.get(key), str)}
    if (form := spelled(held.get("format"))) is not None:
        written["format"] = form
    _note_rest({key: value for key, value in held.items() if key not in written}, path, notes)
    return written


def _note_rest(rest: Mapping[Any, Any], path: str, notes: Notes) -> None:
    for key in rest:
        notes.dropped(path + step(key), key.replace("_", "-"), f"{notes.target} has no place for it")


def _flat(form: Any) -> dict[str, Any] | None:
    """Spell a format as Responses does; None when it is none that both APIs know."""
    match form:
        case {"type": "text", **rest} if not rest:
            return {"type": "text"}
        case {"type": "grammar", "grammar": {"definition": str(text), "syntax": str(syntax), **more}, **rest} if not (
            more or rest
        ):
            return {"type": "grammar", "definition": text, "syntax": syntax}
        case _:
            return None


def _nested(form: Any) -> dict[str, Any] | None:
    """Spell a format as OpenAI Chat does; None when it is none that both APIs know."""
    match form:
        case {"type": "text", **rest} if not rest:
            return {"type": "text"}
        case {"type": "grammar", "definition": str(text), "syntax": str(syntax), **rest} if not rest:
            return {"type": "grammar", "grammar": {"definition": text, "syntax": syntax}}
        case _:
            return None


def limit_name(name: str, conversation: Conversation) -> str:
    """Give the name that a parameter of a conversation has in OpenAI Chat.

    The limit of Responses counts reasoning as well, as `max_completion_tokens` does, and models that reason refuse `max_tokens`:
    https://platform.openai.com/docs/api-reference/chat/create
    """
    is_limit = name == "max_tokens" and origin_format(conversation) == "openai-responses"
    return "max_completion_tokens" if is_limit else name


def parameters_of(tool: Tool, notes: Notes, *, is_own: bool) -> Any:
    """Give the schema of a tool's arguments, with the `properties` without which OpenAI refuses the schema of an object."""
    schema: Any = None if tool.parameters is None else decode(tool.parameters)
    if is_own or not lacks_properties(schema):
        return schema
    notes.synthesised(tool.path, "properties", "the schema of an object must have properties; there are none")
    return {**schema, "properties": {}}


_ELSEWHERE = re.compile(
    # Anthropic, Gemini, Cohere (https://docs.cohere.com/docs/models), Mistral (https://docs.mistral.ai/getting-started/models).
    r"claude|gemini-|models/|tunedModels/|publishers/|projects/|command(?:-[a-z]|$)|c4ai-"
    r"|(?:magistral|ministral|codestral|devstral|pixtral|voxtral|mistral-(?:tiny|small|medium|large)|open-mi[sx]tral)[\w-]*$"
    # Bedrock: a vendor and a model, in a region's profile or not, or an ARN.
    r"|arn:aws|(?:(?:us|us-gov|eu|apac|jp|au|ca|global)\.)?(?:ai21|amazon|anthropic|cohere|deepseek|meta|mistral|openai|qwen"
    r"|stability|writer|luma|twelvelabs|minimax|moonshotai?|google|nvidia|zai)\.[a-z]",
    re.IGNORECASE,
)
"""How the names begin that models have at other providers' own APIs alone; any other name may be that of a compatible server."""


def is_elsewhere(model: Any) -> bool:
    """Say whether a name is certainly that of a model at another provider, whom no request in OpenAI's form reaches."""
    return isinstance(model, str) and _ELSEWHERE.match(model) is not None
