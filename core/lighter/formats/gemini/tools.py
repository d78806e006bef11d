"""Tools of Gemini, both ways: function declarations in groups, and the tools that the provider runs."""

from collections.abc import Iterator, Sequence
from typing import Any

from lighter.conversation import Conversation, Tool
from lighter.formats._notes import DIALECT, Notes
from lighter.formats._noting import note_tool
from lighter.formats._writing import extra_at, native_tool, place_in
from lighter.formats.gemini.schema import from_json_schema, to_json_schema
from lighter.formats.gemini.shapes import NAME, Keyed, keyed, own
from lighter.jsontext import decode, encode_text, is_same, step
from lighter.messages import Extra

_GROUP = f"{NAME}-group-spelling"
"""The format name of extras that say in which of the tool objects a tool stood, and under which key."""

_SCHEMA = f"{NAME}{DIALECT}"
"""The format name of extras of parameters that were a Schema: the whole of it where it cannot be made of the JSON Schema again."""


def read_tools(raw: Sequence[Any], path: str) -> tuple[Tool, ...]:
    """Read the list of tools, which stands at `path`; each function is one, and each tool that the provider runs."""
    return tuple(tool for n, item in enumerate(raw) for tool in _group(item, path + step(n), n))


def _group(raw: Any, path: str, number: int) -> Iterator[Tool]:
    if not isinstance(raw, dict) or not raw:
        yield Tool(
            name="",
            native=Extra(NAME, "", encode_text(raw)),
            ext=(Extra(_GROUP, "", encode_text([number])),),
            path=path,
        )
        return
    group = keyed(raw, ("functionDeclarations",))
    wire = group.wire.get("functionDeclarations", "")
    for key, value in raw.items():
        place = path + step(key)
        if key == wire and isinstance(value, list) and value:
            mark = Extra(_GROUP, "", encode_text([number, key]))
            yield from (_function(item, place + step(n), mark) for n, item in enumerate(value))
        elif value is not None:
            mark = Extra(_GROUP, "", encode_text([number, None]))
            yield Tool(name="", native=Extra(NAME, "", encode_text({key: value})), ext=(mark,), path=place)


def _function(raw: Any, path: str, mark: Extra) -> Tool:
    if not isinstance(raw, dict) or not isinstance(raw.get("name"), str):
        return Tool(name="", native=Extra(NAME, "", encode_text(raw)), ext=(mark,), path=path)
    function = keyed(raw, ("name", "description", "parameters", "parametersJsonSchema"))
    description = function.values.get("description")
    taken = {"name", *(("description",) if isinstance(description, str) else ())}
    parameters, ext = _parameters(function, taken)
    return Tool(
        name=raw["name"],
        description=description if isinstance(description, str) else None,
        parameters=parameters,
        ext=(mark, *function.renamed, *ext, *function.kept(taken)),
        path=path,
    )


def _parameters(function: Keyed, taken: set[str]) -> tuple[str | None, list[Extra]]:
    """Read parameters in either dialect as JSON Schema; what that cannot say is kept, and named where it gets lost."""
    schema, json_schema = function.values.get("parameters"), function.values.get("parametersJsonSchema")
    if isinstance(json_schema, dict) and schema is None:
        taken.add("parametersJsonSchema")
        return encode_text(json_schema), []
    if not isinstance(schema, dict) or json_schema is not None:
        return None, []
    taken.add("parameters")
    found, unknown = to_json_schema(schema)
    is_plain = is_same(from_json_schema(found), schema)
    ext = [Extra(_SCHEMA, "/parameters", "true" if is_plain else encode_text(schema))]
    return encode_text(found), ext + [Extra(NAME, f"/parameters{path}", encode_text(value)) for path, value in unknown]


def write_tools(conversation: Conversation, notes: Notes) -> list[Any]:
    """Write tools: as they were grouped, else all functions in one group."""
    groups: dict[Any, Any] = {}
    for tool in conversation.tools:
        if tool.is_strict is not None:
            notes.dropped(place_in(conversation, tool, "strict"), "strict", "functions have no such flag here")
        written = _tool(tool, notes)
        if written is None:
            continue
        number, *rest = decode(extra_at(tool.ext, _GROUP, "") or '["functions", "functionDeclarations"]')
        if not rest:
            groups[number] = written
        elif rest[0] is None:
            groups.setdefault(number, {}).update(written)
        else:
            groups.setdefault(number, {}).setdefault(rest[0], []).append(written)
    return list(groups.values())


def _tool(tool: Tool, notes: Notes) -> Any:
    """Write a tool's definition; None for a kind of tool that only another format knows."""
    if tool.native is not None:
        return native_tool(tool, tool.native, notes)
    written: dict[str, Any] = {"name": tool.name}
    if tool.description is not None:
        written["description"] = tool.description
    schema = extra_at(tool.ext, _SCHEMA, "/parameters")
    if tool.parameters is not None and schema is None:
        written["parametersJsonSchema"] = decode(tool.parameters)
    elif tool.parameters is not None:
        written["parameters"] = from_json_schema(decode(tool.parameters)) if schema == "true" else decode(schema or "")
    note_tool(tool, notes)
    return own(
        written, tuple(e for e in tool.ext if not (schema and e.format == NAME and e.path.startswith("/parameters/")))
    )
