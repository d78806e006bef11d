"""The tools that a request declares, compiled once per distinct list: which names there are, and which arguments fit."""

from collections.abc import Iterator, Mapping
from functools import cached_property, lru_cache
from math import copysign, isfinite
from sys import float_info
from typing import Any, Protocol

import orjson
from msgspec import Struct

from lighter.excerpt import short
from lighter.jsontext import pointer, step
from lighter.passage import Passage
from lighter.plaintools import fits, lacks_properties, plain_schema
from lighter.toolwire import DeclaredTool, parse_json, read_tools
from lighter.wire import type_name
from lighter.wires import tools_of

DRAFT_2020_12 = "https://json-schema.org/draft/2020-12/schema"
KNOWN_DRAFTS = frozenset(
    {
        *(f"http://json-schema.org/draft-{number}/schema" for number in ("04", "06", "07")),
        *("https://json-schema.org/draft/2019-09/schema", DRAFT_2020_12),
    }
)
"""What the compiler knows without looking it up."""

LONGEST_MESSAGE = 160
"""Validators quote the faulty value, which may be of any length."""


class Mismatch(Struct, frozen=True):
    """Where arguments break their schema: the keys that lead to the value, and what is wrong with it."""

    keys: tuple[str | int, ...]
    keyword: str
    problem: str


class SchemaFault(Struct, frozen=True):
    """Why a value is no JSON Schema, with the place told; `path` points from the schema to that place."""

    path: str
    problem: str


class Checker(Protocol):
    """A compiled schema."""

    def is_valid(self, instance: Any) -> bool:
        """Say whether a value fits."""
        ...

    def iter_errors(self, instance: Any) -> Any:
        """Give what does not fit."""
        ...


BARRED_AT_TOP = frozenset({"oneOf", "anyOf", "allOf", "enum", "not"})
"""Keys that some providers take only inside a schema."""
_NO_OBJECT = ("array", "boolean", "integer", "null", "number", "string")


class ToolCheck:
    """The tools of one list. A lookup and a check of small arguments cost about half a microsecond.

    `names`: the names that may be called. `is_open`: the list holds something that may bring further tools, or one whose
    name cannot be told, so that a name outside `names` proves nothing. `is_sound`: no rule about tool definitions can have anything to say, for any target that
    reads the list's format.
    """

    def __init__(self, tools: tuple[DeclaredTool, ...], format: str) -> None:
        self.tools = tools
        self.names = frozenset(tool.name for tool in tools if tool.name)
        self.is_open = any(not tool.name for tool in tools)
        self.strict_names = frozenset(tool.name for tool in tools if tool.name and tool.is_strict)
        self._schemas: dict[str, Any] = {}
        for tool in tools:
            # Of a schema that takes no object at all, another rule tells: its calls are not wrong as well.
            if tool.name and isinstance(tool.schema, dict) and tool.schema.get("type") not in _NO_OBJECT:
                self._schemas.setdefault(tool.name, tool.schema)
        self._plain = {name: plain_schema(schema) for name, schema in self._schemas.items()}
        self._compiled: dict[str, Checker | None] = {}
        self._format = format

    @cached_property
    def is_sound(self) -> bool:
        """Whether the definitions are in order; see above."""
        return len(self.names) == len(self.tools) and all(_is_sound(tool, self._format) for tool in self.tools)

    def _checker(self, name: str) -> Checker | None:
        """Give the compiled schema of a tool, None when it has none that can be compiled."""
        if name not in self._compiled:
            self._compiled[name] = compile_schema(self._schemas.get(name))
        return self._compiled[name]

    def is_valid(self, name: str, arguments: Any) -> bool:
        """Say whether arguments (parsed) fit the tool's schema; true for a tool without one, and for an unknown name."""
        plain = self._plain.get(name)
        if plain is not None and fits(arguments, plain):
            return True
        checker = self._checker(name)
        try:
            return checker is None or checker.is_valid(_without_literals(arguments))
        except UnicodeEncodeError:  # half a character in them is a fault of its own
            return True

    def mismatches(self, name: str, arguments: Any) -> list[Mismatch]:
        """Give all that is wrong with the arguments of a call, outermost first."""
        checker = self._checker(name)
        if checker is None:
            return []
        try:
            found = [
                mismatch
                for error in checker.iter_errors(_without_literals(arguments))
                for mismatch in _mismatches(error)
            ]
        except UnicodeEncodeError:
            return []
        return sorted(found, key=lambda mismatch: [str(key) for key in mismatch.keys])


def checker_for(tools: list[Any], format: str = "openai-chat") -> ToolCheck:
    """Give the checker of a list of tools (`tools` or the legacy `functions`).

    A list seen before costs its serialisation (about 1 µs per kB) and a lookup. Schemas are compiled when arguments are met that
    `lighter.plaintools` cannot vouch for: 25 µs each, and 40 ms for the first, which loads the compiler. Holding the bytes of
    the list, use `checker_for_json`.
    """
    try:
        data = orjson.dumps(tools, default=float)
    except TypeError:  # integers over 64 bits, lone surrogates, nesting deeper than its limit
        return ToolCheck(tuple(read_tools(tools, "")), format)
    return checker_for_json(data, format)


@lru_cache(maxsize=64)
def checker_for_json(data: bytes, format: str) -> ToolCheck:
    """Give the checker of a list of tools as JSON text; only valid JSON may come here."""
    return ToolCheck(tuple(read_tools(orjson.loads(data), "")), format)


def checkers_of(passage: Passage) -> tuple[ToolCheck, ...]:
    """Give the checkers of the tools that a request declares, of `tools` and of the legacy `functions`; else the one given for it."""
    return _declared(passage.fields, passage.format) or ((passage.given_tools,) if passage.given_tools else ())


def _declared(fields: Mapping[str, Any], format: str) -> tuple[ToolCheck, ...]:
    if (own := tools_of(format, fields)) is not None:
        tools = tuple(own)
        return (ToolCheck(tools, format),) if tools else ()
    lists = (_list_of(fields.get(key)) for key in ("tools", "functions"))
    return tuple(checker_for(tools, format) for tools in lists if tools)


def _list_of(tools: Any) -> list[Any]:
    if isinstance(tools, str):
        try:
            tools = parse_json(tools)
        except ValueError:
            return []
    return tools if isinstance(tools, list) else []


def schema_fault(schema: Any, *, is_2020_12: bool) -> SchemaFault | None:
    """Say why a value is no JSON Schema; by draft 2020-12, or by the draft that it names."""
    if plain_schema(schema) is not None:
        return None
    if not isinstance(schema, dict):
        return SchemaFault("", f"{type_name(schema)} is no JSON Schema object")
    import jsonschema_rs  # noqa: PLC0415 - 40 ms, and few tools are not plain

    try:
        jsonschema_rs.meta.validate(_with_known_draft(_without_literals(schema), is_2020_12=is_2020_12))
    except jsonschema_rs.ValidationError as error:
        path = pointer(error.instance_path)
        return SchemaFault(path, (f"{path}: " if path else "") + _clean(error.message))
    except (ValueError, jsonschema_rs.ReferencingError):
        return None
    return None


_SCHEMAS_BY_NAME = ("properties", "patternProperties", "$defs", "definitions", "dependentSchemas")
_SCHEMAS_IN_LISTS = ("anyOf", "oneOf", "allOf", "prefixItems", "items")
_ITEMS = frozenset({"items", "prefixItems", "$ref"})
_SCHEMAS = ("items", "additionalProperties", "not", "if", "then", "else", "contains")


def arrays_without_items(schema: Any) -> Iterator[str]:
    """Give the pointers of the subschemas that allow an array and do not say what is in it."""
    waiting = [("", schema)]
    while waiting:
        path, here = waiting.pop()
        if not isinstance(here, dict):
            continue
        kind = here.get("type")
        if (kind == "array" or (isinstance(kind, list) and "array" in kind)) and here.keys().isdisjoint(_ITEMS):
            yield path
        inner = [(f"{path}/{key}", here[key]) for key in _SCHEMAS if key in here]
        for key in _SCHEMAS_BY_NAME:
            if isinstance(named := here.get(key), dict):
                inner += [(f"{path}/{key}{step(name)}", one) for name, one in named.items()]
        for key in _SCHEMAS_IN_LISTS:
            if isinstance(listed := here.get(key), list):
                inner += [(f"{path}/{key}/{index}", one) for index, one in enumerate(listed)]
        waiting += reversed(inner)


def compile_schema(schema: Any) -> Checker | None:
    """Compile a schema; None when there is none, or none that can be compiled without reading other documents."""
    if not isinstance(schema, dict):
        return None
    import jsonschema_rs  # noqa: PLC0415 - 40 ms, and only calls of tools that are not plain need it

    try:
        compiled: Checker = jsonschema_rs.validator_for(
            _with_known_draft(_without_literals(schema), is_2020_12=False), validate_formats=False, retriever=_never
        )
    except (ValueError, jsonschema_rs.ReferencingError):
        return None
    return compiled


def _never(uri: str) -> Any:
    raise ValueError(f"nothing is fetched: {uri}")


def _with_known_draft(schema: dict[str, Any], *, is_2020_12: bool) -> dict[str, Any]:
    """Replace a `$schema` that is not to be looked up."""
    draft = schema.get("$schema")
    is_known = isinstance(draft, str) and draft.removesuffix("#") in KNOWN_DRAFTS
    return schema if is_known and not is_2020_12 else {**schema, "$schema": DRAFT_2020_12}


def _without_literals(value: Any) -> Any:
    """Give a value with ordinary floats in place of those that know their literals, which the compiler does not take.

    Numbers beyond floats become the largest one: the compiler would read infinity as null.
    """
    match value:
        case dict():
            return {key: _without_literals(item) for key, item in value.items()}
        case list():
            return [_without_literals(item) for item in value]
        case float():
            return float(value) if isfinite(value) else copysign(float_info.max, value)
        case _:
            return value


def _clean(message: str) -> str:
    return short(message, LONGEST_MESSAGE)


def _mismatches(error: Any) -> list[Mismatch]:
    keys = tuple(error.instance_path)
    keyword = error.kind.name
    if keyword in ("additionalProperties", "unevaluatedProperties"):
        extra = getattr(error.kind, "unexpected", ())
        return [Mismatch((*keys, key), keyword, "the tool's schema allows no such key") for key in extra]
    return [Mismatch(keys, keyword, _clean(error.message))]


def _is_sound(tool: DeclaredTool, format: str) -> bool:
    name = tool.name
    if name is None or len(name) > 64 or not name.isascii() or not name.replace("_", "a").replace("-", "a").isalnum():
        return False
    if tool.shape != ("flat" if format == "anthropic" else "wrapped"):
        return tool.shape == "typed" and format == "anthropic"
    if format != "anthropic" and (tool.raw.get("type") != "function" or tool.holder_path.count("/function") != 1):
        return False
    schema = tool.schema
    is_object = isinstance(schema, dict) and schema.get("type") == "object"
    if format != "anthropic" and lacks_properties(schema):
        return False
    is_bare = isinstance(schema, dict) and BARRED_AT_TOP.isdisjoint(schema)
    return (
        is_object
        and is_bare
        and schema_fault(schema, is_2020_12=True) is None
        and not any(arrays_without_items(schema))
    )
