"""Tools as most requests declare them, checked without a schema compiler: object schemas whose properties have plain types.

Loading the compiler costs more than linting a megabyte. What is not as plain as this is left to `lighter.toolcheck`; what is
accepted here would be accepted there.
"""

import re
from collections.abc import Mapping
from typing import Any

_NAME = re.compile(r"[a-zA-Z0-9_-]{1,64}")
_TYPES: Mapping[str, tuple[type, ...]] = {
    "string": (str,),
    "integer": (int,),
    "number": (int, float),
    "boolean": (bool,),
}
_FUNCTION_KEYS = frozenset({"name", "description", "parameters"})
_SCHEMA_KEYS = frozenset({"type", "properties", "required", "description"})
_PROPERTY_KEYS = frozenset({"type", "description"})


class PlainTools:
    """The names of a list of tools, and for each the types of its arguments and which of them are required."""

    def __init__(self, schemas: Mapping[str, tuple[Mapping[str, tuple[type, ...]], frozenset[str]]]) -> None:
        self.schemas = schemas
        self.names = schemas.keys()
        self.is_sound = True

    def is_valid(self, name: str, arguments: Mapping[str, Any]) -> bool:
        """Say whether arguments certainly fit a tool's schema."""
        types, required = self.schemas[name]
        if not required <= arguments.keys():
            return False
        return all(type(value) in types[key] for key, value in arguments.items() if key in types)


def plain_tools(tools: Any) -> PlainTools | None:
    """Read a list of tools; None when any of them is not plain, or not certainly in order."""
    if type(tools) is not list or not tools:
        return None
    schemas: dict[str, tuple[Mapping[str, tuple[type, ...]], frozenset[str]]] = {}
    for tool in tools:
        match tool:
            case {
                "type": "function",
                "function": {"name": str(name), "parameters": dict(schema)} as function,
                **rest,
            } if not rest:
                types = _types_of(schema)
                is_good = isinstance(function.get("description", ""), str) and function.keys() <= _FUNCTION_KEYS
                if types is None or not is_good or name in schemas or not _NAME.fullmatch(name):
                    return None
                required = schema.get("required", [])
                schemas[name] = types, frozenset(required)
            case _:
                return None
    return PlainTools(schemas)


def _types_of(schema: Mapping[str, Any]) -> Mapping[str, tuple[type, ...]] | None:
    """Read the types of an object schema's properties; None when the schema says anything else."""
    properties, required = schema.get("properties", {}), schema.get("required", [])
    if (
        schema.get("type") != "object"
        or not schema.keys() <= _SCHEMA_KEYS
        or not isinstance(schema.get("description", ""), str)
    ):
        return None
    if (
        type(required) is not list
        or not all(type(key) is str for key in required)
        or len(set(required)) != len(required)
    ):
        return None
    if type(properties) is not dict:
        return None
    types: dict[str, tuple[type, ...]] = {}
    for key, schema_of_key in properties.items():
        match schema_of_key:
            case {"type": str(kind), **rest} if kind in _TYPES and rest.keys() <= _PROPERTY_KEYS:
                if not isinstance(rest.get("description", ""), str):
                    return None
                types[key] = _TYPES[kind]
            case _:
                return None
    return types
