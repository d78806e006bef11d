"""What shape the definition of a tool must have in each API, and what is wrong with one that has another."""

from collections.abc import Mapping
from typing import Any

from msgspec import UNSET, Struct
from msgspec.structs import replace

from lighter.diagnostics import Severity
from lighter.rule import Aim
from lighter.toolwire import DeclaredTool, place

FOR_DATA_SETS = ("generic", "llamafactory")
"""Who takes tools as data sets keep them: bare, and in JSON text."""


class ToolFault(Struct, frozen=True):
    """A place in the body, what is wrong there, what would help, what tells the providers' words for it, and how much it matters."""

    path: str
    message: str
    remedy: str
    words: str = ""
    severity: Severity | None = None
    value: Any = UNSET
    """What belongs at the place instead."""
    is_safe: bool = True
    key: str = ""
    """The key that is to be added there."""
    name: str = ""
    """The name that is refused."""


def shape_fault(tool: DeclaredTool, aim: Aim) -> ToolFault | None:
    """Tell a definition that is not in the shape of the API that it would be sent to."""
    match aim.format:
        case "anthropic":
            return _anthropic_fault(tool)
        case "bedrock" if tool.shape == "flat" and tool.schema is UNSET:
            remedy = 'add `"inputSchema": {"json": {"type": "object"}}`'
            schema = {"json": {"type": "object"}}
            return ToolFault(
                tool.holder_path,
                "the tool has no `inputSchema`",
                remedy,
                value=schema,
                key="inputSchema",
                is_safe=False,
            )
        case "bedrock" | "gemini":
            return None
        case "openai-responses":
            return _responses_fault(tool)
        case _:
            pass
    return _openai_fault(tool, is_generic=aim.target in FOR_DATA_SETS)


def _openai_fault(tool: DeclaredTool, *, is_generic: bool) -> ToolFault | None:
    if tool.path.startswith("/functions"):
        return None
    if tool.shape == "flat":
        wrap = 'wrap it: `{"type": "function", "function": {…}}`'
        if is_generic and tool.name:
            return None
        value = {"type": "function", "function": _as_function(tool.raw)} if tool.name else UNSET
        return ToolFault(tool.path, "the tool has no `function`", wrap, "].function'", value=value)
    if tool.holder_path.count("/function") > 1:
        value = dict(tool.holder)
        return ToolFault(f"{tool.path}/function", "the tool is wrapped twice", "unwrap it once", value=value)
    if tool.shape == "wrapped" and tool.raw.get("type") != "function" and not is_generic:
        words = "" if "type" in tool.raw else "].type'"
        where = place(tool.raw, tool.path, "type")
        key = "" if "type" in tool.raw else "type"
        remedy = 'set `"type": "function"`'
        return ToolFault(where, "the tool has no known `type`", remedy, words, value="function", key=key)
    return None


def _responses_fault(tool: DeclaredTool) -> ToolFault | None:
    """Tell a tool of Responses in the shape of the chats, and one without a type."""
    if tool.shape == "wrapped" or (tool.shape == "custom" and not tool.raw.get("name")):
        value = {"type": tool.raw.get("type", "function"), **tool.holder} if tool.name else UNSET
        remedy = "put what the wrapper holds beside the `type`"
        return ToolFault(tool.path, "the tool is in the shape of Chat Completions", remedy, "[0].name'", value=value)
    kind = tool.raw.get("type")
    if isinstance(kind, str) and kind:
        return None
    is_function = "type" not in tool.raw and tool.name is not None
    where = place(tool.raw, tool.path, "type")
    fault = ToolFault(where, "the tool has no known `type`", 'set `"type": "function"`', "].type'")
    return replace(fault, key="type", value="function") if is_function else fault


def _anthropic_fault(tool: DeclaredTool) -> ToolFault | None:
    if tool.shape in ("wrapped", "custom"):
        remedy = "unwrap it, and call its `parameters` `input_schema`"
        value = _as_anthropic(tool) if tool.shape == "wrapped" and tool.name else UNSET
        return ToolFault(tool.path, "the tool is in OpenAI's shape", remedy, "input_schema", value=value)
    if tool.shape == "flat" and tool.name and "input_schema" not in tool.holder:
        remedy = 'add `"input_schema": {"type": "object"}`'
        fault = "the tool has no `input_schema`"
        schema = {"type": "object"}
        return ToolFault(tool.path, fault, remedy, "input_schema", value=schema, key="input_schema", is_safe=False)
    return None


def _as_function(flat: Mapping[str, Any]) -> dict[str, Any]:
    """Give a flat definition as OpenAI has it under `function`."""
    return {"parameters" if key == "input_schema" else key: item for key, item in flat.items() if key != "type"}


def _as_anthropic(tool: DeclaredTool) -> dict[str, Any]:
    """Give a definition in OpenAI's shape as Anthropic has it."""
    held = {key: item for key, item in tool.holder.items() if key != "parameters"}
    return {**held, "input_schema": tool.holder.get("parameters") or {"type": "object"}}
