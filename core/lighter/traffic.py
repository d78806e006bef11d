"""Which calls a raw message of any format makes and answers, told without reading it: for cutting logs into passages."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

_CALL_ITEMS = {
    "function_call": ("call_id", "id"),
    "custom_tool_call": ("call_id",),
    "function.call": ("tool_call_id",),
}
"""Items without a role that are calls (Responses, Interactions, entries of Mistral), and the keys that may hold their id."""

_RESULT_ITEMS = {
    "function_call_output": ("call_id",),
    "custom_tool_call_output": ("call_id",),
    "function_result": ("call_id",),
    "function.result": ("tool_call_id",),
}
"""The same for results."""


def traffic(raw: Any) -> tuple[list[str], list[str]]:
    """List the ids of the calls that a raw message of any format makes, and of the calls that it answers."""
    if not isinstance(raw, dict):
        return [], []
    if "type" in raw and "role" not in raw:
        return list(_ids(raw, _CALL_ITEMS)), list(_ids(raw, _RESULT_ITEMS))
    calls, results = list(_listed_calls(raw)), list(_results_by_role(raw))
    for blocks in (raw.get("content"), raw.get("parts")):
        _add_blocks(blocks if isinstance(blocks, list) else (), calls, results)
    return calls, results


def _ids(item: Mapping[str, Any], kinds: Mapping[str, tuple[str, ...]]) -> Iterator[str]:
    """Give the id of an item, if it is of one of these kinds and has one."""
    kind = item["type"]
    keys = kinds.get(kind, ()) if isinstance(kind, str) else ()
    yield from [str(item[key]) for key in keys if key in item][:1]


def _listed_calls(raw: Mapping[str, Any]) -> Iterator[str]:
    """Give the calls beside the content of a chat message, in lighter's spelling, too."""
    if isinstance(raw.get("function_call"), dict):
        yield "function"
    for key, name in (("tool_calls", "id"), ("toolCalls", "callId")):
        listed = raw.get(key)
        yield from (
            str(call.get(name)) for call in (listed if isinstance(listed, list) else ()) if isinstance(call, dict)
        )


def _results_by_role(raw: Mapping[str, Any]) -> Iterator[str]:
    """Give the call that a chat's tool message answers, in lighter's spelling, too."""
    match raw.get("role"):
        case "tool":
            yield from (str(raw[key]) for key in ("tool_call_id", "callId") if key in raw)
        case "function":
            yield "function"
        case _:
            pass


def _add_blocks(blocks: Iterable[Any], calls: list[str], results: list[str]) -> None:
    """Add what the blocks of Anthropic and Bedrock and the parts of Gemini call and answer."""
    for block in blocks:
        match block:
            case {"type": "tool_use"}:
                calls.append(str(block.get("id")))
            case {"type": "tool_result"}:
                results.append(str(block.get("tool_use_id")))
            case {"toolUse": dict(call)}:
                calls.append(str(call.get("toolUseId")))
            case {"toolResult": dict(result)}:
                results.append(str(result.get("toolUseId")))
            case {"functionCall": dict(call)} | {"function_call": dict(call)}:
                calls.append(str(call.get("id")))
            case {"functionResponse": dict(result)} | {"function_response": dict(result)}:
                results.append(str(result.get("id")))
            case _:
                pass
