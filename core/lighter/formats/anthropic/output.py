"""The form that a request asks the answer to have, as Anthropic spells it, and which schemas it takes there.

Structured outputs take a part of JSON Schema alone: https://platform.claude.com/docs/en/build-with-claude/structured-outputs; the
part is the one to which the anthropic SDK 2.14.0 cuts schemas down (`transform_schema`).
"""

from typing import Any

from lighter.formats._response_format import Asked

_ANYWHERE = frozenset({"$defs", "type", "anyOf", "allOf", "enum", "const", "description", "title"})
_OF_TYPES = {
    "object": frozenset({"properties", "additionalProperties", "required"}),
    "array": frozenset({"items", "minItems"}),
    "string": frozenset({"format"}),
}
_FORMATS = (None, "date-time", "time", "date", "duration", "email", "hostname", "uri", "ipv4", "ipv6", "uuid")


def as_output_config(asked: Asked) -> dict[str, Any] | None:
    """Spell it as Anthropic does; None for JSON without a schema, and for a schema that would be refused."""
    if asked.schema is None or not _is_taken(asked.schema):
        return None
    return {"format": {"type": "json_schema", "schema": asked.schema}}


def _is_taken(schema: Any) -> bool:
    """Say whether a schema has nothing but what structured outputs take, and closes its objects, as it must."""
    match schema:
        case {"$ref": str(), **rest}:
            return rest.keys() <= {"$defs"} and all(map(_is_taken, _within(rest)))
        case dict():
            kind = schema.get("type")
            known = _ANYWHERE | (_OF_TYPES.get(kind, frozenset()) if isinstance(kind, str) else frozenset())
            is_told = isinstance(kind, str) or any(key in schema for key in ("anyOf", "allOf", "enum", "const"))
            return is_told and schema.keys() <= known and _is_closed(schema) and all(map(_is_taken, _within(schema)))
        case _:
            return False


def _is_closed(schema: dict[Any, Any]) -> bool:
    match schema.get("type"):
        case "object":
            return schema.get("additionalProperties") is False
        case "array":
            return schema.get("minItems", 0) in (0, 1)
        case "string":
            return schema.get("format") in _FORMATS
        case kind:
            return kind is None or isinstance(kind, str)


def _within(schema: dict[Any, Any]) -> list[Any]:
    """List the schemas inside a schema; what should be a list or an object of them and is none counts as one."""
    found: list[Any] = []
    for key in ("properties", "$defs"):
        held = schema.get(key, {})
        found += held.values() if isinstance(held, dict) else [held]
    for key in ("anyOf", "allOf"):
        held = schema.get(key, [])
        found += held if isinstance(held, list) else [held]
    return found + ([schema["items"]] if "items" in schema else [])
