"""Writing the calls of a LangChain message where they stood; `_langchain_calls` reads them."""

from typing import Any

from lighter.formats._langchain import FAMILY, SPELLING
from lighter.formats._langchain_calls import CALL_BLOCKS, COPY, FUNCTION, IN_CONTENT, PLACE
from lighter.formats._writing import extra_at, restore
from lighter.jsontext import decode
from lighter.messages import Extra, ToolCall


def restored_block(call: ToolCall) -> dict[str, Any] | None:
    """Give the block in `content` that was a copy of a call, as long as it still names that call; None when there was none."""
    held = extra_at(call.ext, COPY, "")
    part = None if held is None else decode(held)
    if not isinstance(part, dict) or part.get("type") not in CALL_BLOCKS:
        return None
    id_key, key = CALL_BLOCKS[part["type"]]
    if extra_at(call.ext, PLACE, "") == IN_CONTENT or part.get(key) in (None, "", {}):
        return part
    changed = dict(part)
    if not call.is_id_synthetic:
        changed |= {id_key: call.call_id}
    return changed


def written_call(call: ToolCall, call_id: str, arguments: Any, name: str) -> dict[str, Any]:
    """Write an entry of `tool_calls`; `arguments` are an object. One that OpenAI spelled goes back to the form it was read from."""
    ext = call.ext
    if extra_at(ext, f"{name}-{PLACE}", "") == FUNCTION:
        entry = {"id": call_id, "type": "function", "function": {"name": call.tool_name, "arguments": call.arguments}}
    else:
        entry = {"name": call.tool_name, "args": arguments, "id": call_id, "type": "tool_call"}
        ext = tuple(extra for extra in ext if not is_of_function(extra))
    written: dict[str, Any] = restore(entry, ext, FAMILY, SPELLING)
    return written


def is_of_function(extra: Extra) -> bool:
    """Say whether an extra belongs into the `function` of a call as OpenAI spells it."""
    return extra.format == FAMILY and extra.path.startswith("/function/")


def written_invalid(call: ToolCall, call_id: str) -> dict[str, Any]:
    """Write an entry of `invalid_tool_calls`."""
    entry = {"name": call.tool_name, "args": call.arguments, "id": call_id, "error": None, "type": "invalid_tool_call"}
    ext = [extra for extra in call.ext if extra.path != "/function/arguments"]
    written: dict[str, Any] = restore(entry, ext, FAMILY, SPELLING)
    return written


def written_kept(call: ToolCall, call_id: str) -> dict[str, Any]:
    """Write an entry of `additional_kwargs.tool_calls`."""
    entry = {"id": call_id, "type": "function", "function": {"name": call.tool_name, "arguments": call.arguments}}
    written: dict[str, Any] = restore(entry, call.ext, SPELLING, FAMILY)
    return written
