"""Tools as most requests declare them, checked without a schema compiler: object schemas of typed properties, also nested.

Loading the compiler costs more than linting a megabyte. What is not as plain as this is left to `lighter.toolcheck`; what is
accepted here would be accepted there.
"""

import re
from collections.abc import Mapping
from typing import Any

from msgspec import Struct

_NAME = re.compile(r"[a-zA-Z0-9_-]{1,64}")
_TYPES: Mapping[str, tuple[type, ...]] = {
    "string": (str,),
    "integer": (int,),
    "number": (int, float),
    "boolean": (bool,),
    "object": (dict,),
    "array": (list,),
}
_FUNCTION_KEYS = frozenset({"name", "description", "parameters"})
_TOOL_KEYS = frozenset({"name", "description", "input_schema"})
_NOTE_KEYS = frozenset({"type", "description", "title", "default"})
_KEYS: Mapping[str, frozenset[str]] = {
    "string": _NOTE_KEYS | {"enum"},
    "object": _NOTE_KEYS | {"properties", "required", "additionalProperties"},
    "array": _NOTE_KEYS | {"items"},
}
_DESCRIBING = frozenset({"properties", "patternProperties", "$ref", "anyOf", "oneOf", "allOf"})
DEEPEST = 16


class PlainSchema(Struct, frozen=True):
    """A schema of one type.

    `types` are those of Python, `values` all that an `enum` allows, `items` the schema of a list's members. `is_closed`: an
    object takes no further keys.
    """

    types: tuple[type, ...]
    values: frozenset[str] | None = None
    items: "PlainSchema | None" = None
    properties: Mapping[str, "PlainSchema"] = {}
    required: frozenset[str] = frozenset()
    is_closed: bool = False


class PlainTools:
    """The names of a list of tools, and for each the schema of its arguments."""

    def __init__(self, schemas: Mapping[str, PlainSchema]) -> None:
        self.schemas = schemas
        self.names = schemas.keys()
        self.strict_names = frozenset[str]()
        self.is_sound = True

    def is_valid(self, name: str, arguments: Any) -> bool:
        """Say whether arguments certainly fit a tool's schema."""
        return fits(arguments, self.schemas[name])


def fits(value: Any, schema: PlainSchema) -> bool:
    """Say whether a value certainly fits a schema."""
    if type(value) not in schema.types:
        return False
    if schema.values is not None:
        return value in schema.values
    if schema.items is not None:
        items = schema.items
        return all(fits(item, items) for item in value)
    properties = schema.properties
    if not properties and not schema.required and not schema.is_closed:
        return True
    if not schema.required <= value.keys() or (schema.is_closed and not value.keys() <= properties.keys()):
        return False
    return all(fits(item, properties[key]) for key, item in value.items() if key in properties)


def plain_tools(tools: Any, format: str = "openai-chat") -> PlainTools | None:
    """Read a list of tools; None when any of them is not plain, or not certainly in order."""
    if type(tools) is not list or not tools:
        return None
    schemas: dict[str, PlainSchema] = {}
    for tool in tools:
        found = _flat(tool) if format == "anthropic" else _wrapped(tool)
        if found is None or found[0] in schemas or not _NAME.fullmatch(found[0]):
            return None
        schemas[found[0]] = found[1]
    return PlainTools(schemas)


def _wrapped(tool: Any) -> tuple[str, PlainSchema] | None:
    match tool:
        case {"type": "function", "function": {"name": str(name), "parameters": dict(schema)} as function, **rest} if (
            not rest and function.keys() <= _FUNCTION_KEYS and isinstance(function.get("description", ""), str)
        ):
            plain = plain_schema(schema) if "properties" in schema else None  # without them OpenAI refuses a tool
            return (name, plain) if plain is not None and dict in plain.types else None
        case _:
            return None


def _flat(tool: Any) -> tuple[str, PlainSchema] | None:
    match tool:
        case {"name": str(name), "input_schema": dict(schema)} if tool.keys() <= _TOOL_KEYS and isinstance(
            tool.get("description", ""), str
        ):
            plain = plain_schema(schema)
            return (name, plain) if plain is not None and dict in plain.types else None
        case _:
            return None


def plain_schema(schema: Any, depth: int = DEEPEST) -> PlainSchema | None:
    """Read a schema; None when it is not plain, and so not certainly valid by every draft."""
    if type(schema) is not dict or type(kind := schema.get("type")) is not str or kind not in _TYPES or depth == 0:
        return None
    if not schema.keys() <= _KEYS.get(kind, _NOTE_KEYS):
        return None
    if type(schema.get("description", "")) is not str or type(schema.get("title", "")) is not str:
        return None
    types = _TYPES[kind]
    match kind:
        case "object":
            return _plain_object(schema, types, depth)
        case "array":
            items = plain_schema(schema.get("items"), depth - 1)
            return PlainSchema(types, items=items) if items is not None else None
        case "string" if "enum" in schema:
            return PlainSchema(types, values=frozenset(schema["enum"])) if _are_names(schema["enum"]) else None
        case _:
            return PlainSchema(types)


def _plain_object(schema: Mapping[str, Any], types: tuple[type, ...], depth: int) -> PlainSchema | None:
    named, required = schema.get("properties", {}), schema.get("required", [])
    is_open = schema.get("additionalProperties", True)
    if type(named) is not dict or type(is_open) is not bool or (required != [] and not _are_names(required)):
        return None
    properties = {key: plain_schema(inner, depth - 1) for key, inner in named.items()}
    known = {key: plain for key, plain in properties.items() if plain is not None}
    if len(known) < len(properties):
        return None
    return PlainSchema(types, properties=known, required=frozenset(required), is_closed=not is_open)


def _are_names(names: Any) -> bool:
    """Say whether a value is a list of different texts, and not empty."""
    return (
        type(names) is list
        and bool(names)
        and all(type(name) is str for name in names)
        and len(set(names)) == len(names)
    )


def lacks_properties(schema: Any) -> bool:
    """Say whether a schema is that of an object, and in no way tells its properties."""
    return (
        isinstance(schema, dict)
        and schema.get("type") == "object"
        and schema.keys().isdisjoint(_DESCRIBING)
        and not isinstance(schema.get("additionalProperties"), dict)
    )
