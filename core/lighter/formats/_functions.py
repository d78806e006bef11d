"""Definitions of functions, and the choice among them, as OpenAI Chat spells them and other chats copied it, both ways."""

from collections.abc import Mapping
from typing import Any

from msgspec.structs import replace

from lighter.conversation import Conversation, Tool
from lighter.formats import SPELLING
from lighter.formats._notes import Notes
from lighter.formats._noting import note_tool
from lighter.formats._reading import extras, listed, told_of, unknown_tool
from lighter.formats._writing import native_tool, place_in, restore
from lighter.jsontext import decode


def read_tools(name: str, fields: Mapping[str, Any], path: str) -> tuple[Tool, ...]:
    """Read the tools of a request body; rows of training data hold the list as JSON text."""
    tools = fields.get("tools")
    if isinstance(tools, str):
        try:
            fields = {"tools": decode(tools)}
        except (ValueError, RecursionError):
            return ()
    return listed(fields, "tools", path, lambda raw, place: _read_tool(name, raw, place))


def _read_tool(name: str, raw: Any, path: str) -> Tool:
    match raw:
        case {"type": "function", "function": {"name": str()} as function}:
            tool = read_function(name, function, path, "/function")
            return replace(tool, is_legacy=False, ext=(*extras(name, raw, {"type", "function"}), *tool.ext))
        case _:
            return unknown_tool(name, raw, path)


def read_function(name: str, raw: Any, path: str, prefix: str = "") -> Tool:
    """Read a function's definition, as it stands in the `functions` of old chats and inside a tool."""
    if not isinstance(raw, dict) or not isinstance(raw.get("name"), str):
        return replace(unknown_tool(name, raw, path), is_legacy=True)
    told, read = told_of(raw, "description", "strict", "parameters")
    return Tool(name=raw["name"], is_legacy=True, ext=extras(name, raw, {"name", *read}, prefix), path=path, **told)


def write_tools(
    conversation: Conversation, notes: Notes, *, has_strict: bool = True, needs_parameters: bool = False
) -> list[Any]:
    """Write definitions as `tools`, those of old chats among them; kinds that only another format knows are noted."""
    if any(extra.path == "/tools" and extra.format.endswith(SPELLING) for extra in conversation.ext):
        notes.rewritten(f"{conversation.path}/tools", "tools", "JSON text became a list", is_reversible=True)
    written = []
    for tool in conversation.tools:
        if tool.native is not None:
            value = native_tool(tool, tool.native, notes)
            written += [value] if value is not None else []
            continue
        if not has_strict and tool.is_strict is not None:
            detail = f"tools of {notes.target} have no such flag"
            notes.dropped(place_in(conversation, tool, "strict"), "strict", detail)
        if needs_parameters and tool.parameters is None:
            notes.synthesised(tool.path, "parameters", "a tool without parameters got an empty object schema")
        function = write_function(tool, notes, has_strict=has_strict)
        if needs_parameters:
            function.setdefault("parameters", {"type": "object", "properties": {}})
        written.append(restore({"type": "function", "function": function}, tool.ext, notes.target))
    return written


def write_function(tool: Tool, notes: Notes, *, has_strict: bool = True) -> dict[str, Any]:
    """Write the definition of a function."""
    function: dict[str, Any] = {"name": tool.name}
    if tool.description is not None:
        function["description"] = tool.description
    if tool.parameters is not None:
        function["parameters"] = decode(tool.parameters)
    if tool.is_strict is not None and has_strict:
        function["strict"] = tool.is_strict
    note_tool(tool, notes)
    return function


def function_choice(held: Any) -> Any:
    """Give a choice of tools in the spelling of today, also where it is that of old chats; None when it is neither."""
    match held:
        case "auto" | "none" | "required":
            return held
        case {"type": "function", "function": {"name": str()} as function, **more} if not more and len(function) == 1:
            return held
        case {"name": str(name), **more} if not more:
            return {"type": "function", "function": {"name": name}}
        case _:
            return None
