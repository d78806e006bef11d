"""The names of lighter's JSONL: how the fields of the core model are spelled on the wire, and which hold JSON text."""

from functools import cache
from typing import Any, cast

from msgspec import NODEFAULT, Struct, ValidationError, convert
from msgspec.structs import FieldInfo, fields

from lighter.jsontext import decode, encode_text
from lighter.messages import (
    ABSENT,
    Block,
    CacheMark,
    Extra,
    MediaBlock,
    Opaque,
    OpaqueBlock,
    ReasoningBlock,
    RefusalBlock,
    TextBlock,
    ToolCall,
    ToolResultBlock,
)

NAME = "lighter"
BLOCK_TYPES: dict[str, type[Block]] = {
    "text": TextBlock,
    "reasoning": ReasoningBlock,
    "toolCall": ToolCall,
    "media": MediaBlock,
    "refusal": RefusalBlock,
    "toolResult": ToolResultBlock,
    "opaque": OpaqueBlock,
}
TYPE_NAMES = {block: name for name, block in BLOCK_TYPES.items()}
JSON_TEXTS = {"json": "value", "usage": "usage", "parameters": "parameters"}
"""Fields that hold JSON text, and the key under which the value stands on the wire."""


def camel(name: str) -> str:
    """Spell a field on the wire."""
    first, *others = name.split("_")
    return JSON_TEXTS.get(name) or first + "".join(other.capitalize() for other in others)


def written(value: Any) -> Any:
    """Write a struct of the core model as an object, leaving out what is at its default."""
    match value:
        case Extra():
            held = {"format": value.format, "path": value.path}
            return held if value.json == ABSENT else held | {"value": decode(value.json)}
        case CacheMark():
            return {} if value.ttl is None else {"ttl": value.ttl}
        case Struct():
            kind = {"type": TYPE_NAMES[type(value)]} if type(value) in TYPE_NAMES else {}  # type: ignore[index]  # guarded
            return kind | members(value)
        case tuple():
            return [written(item) for item in value]
        case _:
            return value


def members(value: Struct, *, without: frozenset[str] = frozenset()) -> dict[str, Any]:
    """Write the fields of a struct that are not at their defaults."""
    found = {}
    for name, key, default in _plan(type(value)):
        held = getattr(value, name)
        if held is default or name in without or (default is not NODEFAULT and held == default):
            continue
        found[key] = decode(held) if name in JSON_TEXTS else written(held)
    return found


@cache
def _plan(kind: type[Struct]) -> tuple[tuple[str, str, Any], ...]:
    """List the fields of a kind of struct, with their names on the wire and their defaults."""
    return tuple((field.name, camel(field.name), field.default) for field in fields(kind))


def read_extra(raw: Any) -> Extra | None:
    """Read one kept key; None when it is none."""
    match raw:
        case {"format": str(name), "path": str(path)}:
            return Extra(name, path, encode_text(raw["value"]) if "value" in raw else ABSENT)
        case _:
            return None


@cache
def _fields_by_key(kind: Any) -> dict[str, FieldInfo]:
    return {camel(field.name): field for field in fields(kind)}


def read_struct(kind: type[Any], raw: dict[str, Any], *, known: frozenset[str] = frozenset()) -> Any:
    """Read a struct from its object; None when a member is missing, unknown or of the wrong type."""
    told: dict[str, Any] = {}
    names = _fields_by_key(cast("Any", kind))
    for key, value in raw.items():
        if key in known:
            continue
        if key not in names:
            return None
        held = _member(names[key].name, value)
        if held is None or not _fits(names[key].type, held):
            return None
        told[names[key].name] = held
    try:
        return kind(**told)
    except TypeError:
        return None


def _member(name: str, value: Any) -> Any:
    match name:
        case "ext":
            items = [read_extra(item) for item in value] if isinstance(value, list) else [None]
            return None if None in items else tuple(items)
        case "opaque":
            held = (
                [read_struct(Opaque, item) if isinstance(item, dict) else None for item in value]
                if isinstance(value, list)
                else [None]
            )
            return None if None in held else tuple(held)
        case "cache":
            return read_struct(CacheMark, value) if isinstance(value, dict) else None
        case "json" | "usage" | "parameters":
            return encode_text(value)
        case _:
            return value


def _fits(annotation: Any, value: Any) -> bool:
    """Check a plain member against its annotation, as far as strings and flags go."""
    try:
        convert(value, annotation, strict=True)
    except (ValidationError, TypeError):
        return isinstance(value, Struct | tuple)
    return True
