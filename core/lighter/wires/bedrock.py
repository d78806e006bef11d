"""Calls and results in Bedrock Converse: `toolUse` and `toolResult` blocks (botocore 1.44.8 `ToolUseBlock`, `ToolResultBlock`)."""

from collections.abc import Iterator, Mapping
from typing import Any

from msgspec import UNSET

from lighter.conversation import WireMessage
from lighter.toolwire import DeclaredTool, Keys, MalformedCall, WireCall, WireResult
from lighter.wire import placed_blocks
from lighter.wires._arguments import object_wanted

RESULTS_STAND_TOGETHER = True
HAS_PLAIN_TEXT = False
_KEYS = Keys(id="toolUseId", arguments="input", is_id_inside=True)


def calls_of(message: WireMessage) -> Iterator[WireCall | MalformedCall]:
    """Read the `toolUse` blocks of one message of the assistant; those of tools that Bedrock itself runs are none."""
    if not isinstance(message.raw, dict) or message.raw.get("role") != "assistant":
        return
    for path, block in placed_blocks(message):
        match block:
            case {"toolUse": {"type": "server_tool_use"}}:
                continue
            case {"toolUse": {"name": _} as call} | {"toolUse": {"input": _} as call}:
                arguments = object_wanted(call.get("input", UNSET))
                yield WireCall(message, path, block, "block", call, f"{path}/toolUse", arguments, _KEYS)
            case {"toolUse": dict()}:
                yield MalformedCall(message, path, "hollow")
            case {"toolUse": held} if held is not None:
                yield MalformedCall(message, path, "object")
            case _:
                pass


def results_of(message: WireMessage) -> Iterator[WireResult]:
    """Read the `toolResult` blocks of one message of the user."""
    if not isinstance(message.raw, dict) or message.raw.get("role") != "user":
        return
    for path, block in placed_blocks(message):
        match block:
            case {"toolResult": dict(result)}:
                yield WireResult(message, path, result, f"{path}/toolResult", "toolUseId")
            case _:
                pass


def tools_of(fields: Mapping[str, Any]) -> Iterator[DeclaredTool]:
    """Read the tools of `toolConfig`; cache points among them are none."""
    config = fields.get("toolConfig")
    listed = config.get("tools") if isinstance(config, dict) else None
    for index, tool in enumerate(listed if isinstance(listed, list) else ()):
        path = f"/toolConfig/tools/{index}"
        match tool:
            case {"toolSpec": {"inputSchema": {"json": _} as schema} as spec}:
                holder = {**spec, "json": schema["json"]}
                yield DeclaredTool(path, tool, "flat", holder, f"{path}/toolSpec", "json", "/inputSchema")
            case {"toolSpec": dict(spec)}:
                yield DeclaredTool(path, tool, "flat", spec, f"{path}/toolSpec")
            case {"toolSpec": held}:
                yield DeclaredTool(f"{path}/toolSpec", held, "unknown")
            case {"cachePoint": _}:
                pass
            case dict():
                yield DeclaredTool(path, tool, "typed", tool, path)
            case _:
                yield DeclaredTool(path, tool, "unknown")
