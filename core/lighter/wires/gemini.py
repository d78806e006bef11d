"""Calls and results in Gemini's contents: parts, keys in camelCase or snake_case (google-genai 3.6.1 `FunctionCall`)."""

from collections.abc import Iterator, Mapping
from typing import Any

from msgspec import UNSET

from lighter.conversation import WireMessage
from lighter.jsontext import step
from lighter.toolwire import DeclaredTool, Keys, MalformedCall, WireCall, WireResult
from lighter.wire import key_of, placed_parts
from lighter.wires._arguments import object_or_nothing

RESULTS_STAND_TOGETHER = True
HAS_PLAIN_TEXT = False
IDS_ARE_OPTIONAL = True
_KEYS = Keys(arguments="args", is_id_inside=True)
_ASKING = (None, "user", "function", "tool")


def calls_of(message: WireMessage) -> Iterator[WireCall | MalformedCall]:
    """Read the function calls of one content of the model."""
    if not isinstance(message.raw, dict) or message.raw.get("role") != "model":
        return
    for path, part in placed_parts(message):
        key = key_of(part, "functionCall", "function_call")
        if key is None:
            continue
        match part[key]:
            case dict() as call:
                arguments = object_or_nothing(call.get("args", UNSET))
                yield WireCall(message, path, part, "block", call, path + step(key), arguments, _KEYS)
            case _:
                yield MalformedCall(message, path, "object")


def results_of(message: WireMessage) -> Iterator[WireResult]:
    """Read the function responses of one content that is not the model's."""
    if not isinstance(message.raw, dict) or message.raw.get("role") not in _ASKING:
        return
    for path, part in placed_parts(message):
        key = key_of(part, "functionResponse", "function_response")
        if key is not None and isinstance(part[key], dict):
            yield WireResult(message, path, part[key], path + step(key), "id", "name")


def nameless_strays(message: WireMessage) -> tuple[int, int]:
    """Count the calls without an id outside the model's contents, and the responses without one in them."""
    is_model = isinstance(message.raw, dict) and message.raw.get("role") == "model"
    keys = ("functionResponse", "function_response") if is_model else ("functionCall", "function_call")
    strays = (part[key] for _, part in placed_parts(message) if (key := key_of(part, *keys)) is not None)
    count = sum(isinstance(stray, dict) and not stray.get("id") for stray in strays)
    return (0, count) if is_model else (count, 0)


def tools_of(fields: Mapping[str, Any]) -> Iterator[DeclaredTool]:
    """Read the function declarations, also of a request as the SDK logs it (`config`); schemas are given as JSON Schema."""
    prefix, holder = "", fields
    if "tools" not in fields and isinstance(fields.get("config"), dict):
        prefix, holder = "/config", fields["config"]
    listed = holder.get("tools")
    for number, group in enumerate(listed if isinstance(listed, list) else ()):
        path = f"{prefix}/tools/{number}"
        if not isinstance(group, dict):
            yield DeclaredTool(path, group, "unknown")
            continue
        key = key_of(group, "functionDeclarations", "function_declarations")
        declared = group[key] if key is not None else None
        if key is None:
            yield DeclaredTool(path, group, "typed", group, path)
        for index, tool in enumerate(declared if isinstance(declared, list) else ()):
            yield _declared(tool, f"{path}{step(key or '')}/{index}")


def _declared(tool: Any, path: str) -> DeclaredTool:
    if not isinstance(tool, dict):
        return DeclaredTool(path, tool, "unknown")
    if key := key_of(tool, "parametersJsonSchema", "parameters_json_schema"):
        return DeclaredTool(path, tool, "flat", tool, path, key)
    if tool.get("parameters") is None:
        return DeclaredTool(path, tool, "flat", tool, path)
    from lighter.formats.gemini.schema import to_json_schema  # noqa: PLC0415 - only declared tools need it

    schema, _ = to_json_schema(tool["parameters"])
    return DeclaredTool(path, tool, "flat", {**tool, "parameters": schema}, path, "parameters")
