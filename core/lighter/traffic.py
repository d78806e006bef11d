"""Which calls a raw message of any format makes and answers, told without reading it: for cutting logs into passages."""

from typing import Any


def traffic(raw: Any) -> tuple[list[str], list[str]]:
    """List the ids of the calls that a raw message of any format makes, and of the calls that it answers."""
    calls: list[str] = []
    results: list[str] = []
    if not isinstance(raw, dict):
        return calls, results
    if "type" in raw and "role" not in raw:
        return _item_traffic(raw)
    if raw.get("role") == "tool":
        results += [str(raw[key]) for key in ("tool_call_id", "callId") if key in raw]
    if raw.get("role") == "function":
        results.append("function")
    if isinstance(raw.get("function_call"), dict):
        calls.append("function")
    for key, name in (("tool_calls", "id"), ("toolCalls", "callId")):
        listed = raw.get(key)
        calls += [str(call.get(name)) for call in listed if isinstance(call, dict)] if isinstance(listed, list) else []
    content = raw.get("content")
    for block in content if isinstance(content, list) else ():
        match block:
            case {"type": "tool_use", "id": call_id}:
                calls.append(str(call_id))
            case {"type": "tool_result", "tool_use_id": call_id}:
                results.append(str(call_id))
            case _:
                pass
    return calls, results


def _item_traffic(item: dict[Any, Any]) -> tuple[list[str], list[str]]:
    """Do the same for an item of the Responses API, which has no role."""
    match item:
        case {"type": "function_call" | "custom_tool_call", "call_id": call_id}:
            return [str(call_id)], []
        case {"type": "function_call_output" | "custom_tool_call_output", "call_id": call_id}:
            return [], [str(call_id)]
        case _:
            return [], []
