"""Gemini's Schema and JSON Schema, each as the other; what one does not know of the other is told."""

from typing import Any

from lighter.formats.gemini.shapes import snake
from lighter.jsontext import step

# google-genai 3.6.1, types.Schema
_LISTS_OF_SCHEMAS = {"anyOf": "anyOf"}
_MAPS_OF_SCHEMAS = {"properties": "properties", "defs": "$defs"}
_SCHEMAS = {"items": "items"}
_COUNTS = ("maxItems", "maxLength", "maxProperties", "minItems", "minLength", "minProperties")
_SAME = ("default", "description", "enum", "format", "maximum", "minimum", "pattern", "required", "title")
_ONLY_HERE = ("propertyOrdering", "example")
_KNOWN = frozenset({
    "type", "nullable", "ref", "additionalProperties", *_LISTS_OF_SCHEMAS, *_MAPS_OF_SCHEMAS, *_SCHEMAS, *_COUNTS, *_SAME,
    *_ONLY_HERE,
})  # fmt: skip
_TYPES = ("STRING", "NUMBER", "INTEGER", "BOOLEAN", "ARRAY", "OBJECT", "NULL")

Unknown = list[tuple[str, Any]]
"""What has no place in JSON Schema: pointers relative to the schema, and the values."""


def to_json_schema(schema: Any, path: str = "") -> tuple[Any, Unknown]:
    """Give a Schema as JSON Schema, and what of it that cannot say."""
    if not isinstance(schema, dict):
        return schema, []
    names = {key: next((name for name in _KNOWN if key in (name, snake(name))), key) for key in schema}
    result: dict[str, Any] = {}
    unknown: Unknown = []
    for key, value in schema.items():
        place, name = path + step(key), names[key]
        if name in _LISTS_OF_SCHEMAS and isinstance(value, list):
            inner = [to_json_schema(item, f"{place}/{n}") for n, item in enumerate(value)]
            result[_LISTS_OF_SCHEMAS[name]] = [item for item, _ in inner]
            unknown += [found for _, told in inner for found in told]
        elif name in _MAPS_OF_SCHEMAS and isinstance(value, dict):
            mapped = {key: to_json_schema(item, place + step(key)) for key, item in value.items()}
            result[_MAPS_OF_SCHEMAS[name]] = {key: item for key, (item, _) in mapped.items()}
            unknown += [found for _, told in mapped.values() for found in told]
        elif name in _SCHEMAS or (name == "additionalProperties" and isinstance(value, dict)):
            result[name], told = to_json_schema(value, place)
            unknown += told
        elif (leaf := _leaf(name, value)) is not None:
            result |= leaf
        else:
            unknown.append((place, value))
    return _nullable(result, schema, unknown, path), unknown


def _leaf(name: str, value: Any) -> dict[str, Any] | None:
    """Give a keyword without schemas in it; None for one that JSON Schema does not know."""
    match name, value:
        case "type", str() if value != "TYPE_UNSPECIFIED":
            # In either case, as the API takes them; what is no type goes along, to be found.
            return {"type": value.lower() if value.upper() in _TYPES else value}
        case "nullable", bool():
            return {}
        case "ref", str():
            return {"$ref": value.replace("#/defs/", "#/$defs/")}
        case (count, str()) if count in _COUNTS and value.isascii() and value.isdecimal():
            return {count: int(value)}
        case _ if name in (*_SAME, *_COUNTS, "additionalProperties"):
            return {name: value}
        case _:
            return None


def _nullable(result: dict[str, Any], schema: dict[str, Any], unknown: Unknown, path: str) -> dict[str, Any]:
    if schema.get("nullable") is True:
        if "type" in result:
            result["type"] = [result["type"], "null"]
        else:
            unknown.append((f"{path}/nullable", True))
    return result


def from_json_schema(schema: Any) -> Any:
    """Give JSON Schema as a Schema, as far as one can be told from `to_json_schema`."""
    if not isinstance(schema, dict):
        return schema
    result: dict[str, Any] = {}
    for key, value in schema.items():
        match key, value:
            case "type", [str(kind), "null"]:
                result |= {"type": kind.upper(), "nullable": True}
            case "type", str(kind):
                result["type"] = kind.upper()
            case "anyOf", list():
                result["anyOf"] = [from_json_schema(item) for item in value]
            case (("properties" | "$defs"), dict()):
                result[key.lstrip("$")] = {name: from_json_schema(item) for name, item in value.items()}
            case (("items" | "additionalProperties"), dict()):
                result[key] = from_json_schema(value)
            case "$ref", str():
                result["ref"] = value.replace("#/$defs/", "#/defs/")
            case _:
                result[key] = value
    return result
