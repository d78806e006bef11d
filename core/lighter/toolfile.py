"""Tool definitions that are given from outside: a file of them, or a list, in the shape of any provider."""

from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path
from typing import Any

from lighter import jsontext
from lighter.errors import NotRecognised, UnreadableInput
from lighter.inputs import Input, open_input
from lighter.records import Record
from lighter.source import read_records
from lighter.toolcheck import ToolCheck, schema_fault
from lighter.toolwire import DeclaredTool, read_tools
from lighter.wires import tools_of

_HOLDERS = ("tools", "functions", "toolConfig", "config", "result")
"""Keys of requests, and of the answer of an MCP server to `tools/list`, under which definitions stand."""


def tool_text(tools: Any) -> bytes:
    """Give definitions of tools, or what stands in the file that a `str` or `Path` names, as JSON text.

    Raises UnreadableInput for a file that cannot be read or is no JSON, NotRecognised when there are no definitions in it or
    one is of no use, and CannotHold for objects that are no JSON.
    """
    if isinstance(tools, str | Path):
        name = str(tools)
        value = _value_of(name, Path(tools))
    else:
        from lighter.objects import plain  # noqa: PLC0415 - files have no need of it

        name, value = "tools", plain(tools)
    _check(name, list(_definitions(value)))
    return jsontext.encode(value)


def _value_of(name: str, path: Path) -> Any:
    """Read a file's one value, or its lines as a list."""
    values: list[Any] = []
    with open_input(Input(name, path)) as stream:
        for item in read_records(stream, filename=name, decode=jsontext.decode):
            if isinstance(item, Record):
                values.append(item.value)
            elif item.is_unreadable or item.kind == "invalid-json":
                raise UnreadableInput(name, f"line {item.row}: {item.message}")
    return values[0] if len(values) == 1 else values


@lru_cache(maxsize=8)
def check_of(text: bytes) -> ToolCheck:
    """Give what checks calls against definitions that `tool_text` gave."""
    return ToolCheck(tuple(_definitions(jsontext.decode(text))), "openai-chat")


def _check(name: str, tools: list[DeclaredTool]) -> None:
    if not any(tool.name for tool in tools):
        raise NotRecognised(f"{name}: no tool definitions in it; a list of them is wanted, as requests have it")
    for tool in tools:
        if tool.name and isinstance(tool.schema, dict) and (fault := schema_fault(tool.schema, is_2020_12=False)):
            raise NotRecognised(f"{name}: the schema of {tool.name!r} is no JSON Schema: {fault.problem}")


def _definitions(value: Any) -> Iterator[DeclaredTool]:
    """Read definitions: a list of them, one of them, or what has them under one of the usual keys."""
    match value:
        case list():
            for entry in value:
                yield from _definition(entry)
        case dict() if holder := next((value[key] for key in _HOLDERS if key in value), None):
            yield from _definitions(holder)
        case dict():
            yield from _definition(value)
        case _:
            pass


def _definition(entry: Any) -> Iterator[DeclaredTool]:
    """Read an entry in the shape of Gemini (a group of declarations), Bedrock, MCP, or any that has its keys side by side.

    A schema alone, as pydantic and LangChain give it for a model of arguments, is the tool that its title names.
    """
    match entry:
        case {"functionDeclarations": _} | {"function_declarations": _}:
            yield from tools_of("gemini", {"tools": [entry]}) or ()
        case {"toolSpec": _} | {"cachePoint": _}:
            yield from tools_of("bedrock", {"toolConfig": {"tools": [entry]}}) or ()
        case {"name": str(), "inputSchema": dict(schema)}:
            yield DeclaredTool("", entry, "flat", {**entry, "input_schema": schema}, "", "input_schema")
        case {"title": str(name), "properties": dict()} if "name" not in entry:
            yield DeclaredTool("", entry, "flat", {"name": name, "parameters": entry}, "", "parameters")
        case _:
            yield from read_tools([entry], "")
