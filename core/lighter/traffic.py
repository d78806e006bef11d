"""Which calls a raw message of any format makes and answers, told without reading it: for cutting logs into passages."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

_CALL_ITEMS = {
    "function_call": ("call_id", "id"),
    "custom_tool_call": ("call_id",),
    "function.call": ("tool_call_id",),
    **dict.fromkeys(
        ("apply_patch_call", "computer_call", "local_shell_call", "shell_call", "tool_search_call"), ("call_id",)
    ),
}
"""Items without a role that are calls (Responses, Interactions, entries of Mistral), and the keys that may hold their id."""

_RESULT_ITEMS = {
    "function_call_output": ("call_id",),
    "custom_tool_call_output": ("call_id",),
    "function_result": ("call_id",),
    "function.result": ("tool_call_id",),
    **dict.fromkeys(
        ("apply_patch_call_output", "computer_call_output", "local_shell_call_output", "shell_call_output"),
        ("call_id",),
    ),
    "tool_search_output": ("call_id",),
}
"""The same for results."""


_LANGCHAIN_ROLES = {"human": "user", "ai": "assistant", "generic": "user", "chat": "user"}
"""Types of LangChain's messages whose role has another name; the others are called after their role."""


def traffic(raw: Any) -> tuple[list[str], list[str]]:
    """List the ids of the calls that a raw message of any format makes, and of the calls that it answers."""
    if not isinstance(raw, dict):
        return [], []
    if "type" in raw and "role" not in raw:
        wrapped = _langchain_message(raw)
        if wrapped is None:
            return list(_ids(raw, _CALL_ITEMS)), list(_ids(raw, _RESULT_ITEMS))
        return _langchain_traffic(*wrapped)
    calls, results = list(_listed_calls(raw)), list(_results_by_role(raw))
    for blocks in (raw.get("content"), raw.get("parts")):
        _add_blocks(blocks if isinstance(blocks, list) else (), calls, results)
    return calls, results


def role_in(raw: Any) -> str | None:
    """Tell the role of a raw message of any format, that of LangChain's messages by their type; None where none is told."""
    if not isinstance(raw, dict):
        return None
    role = raw.get("role")
    if role is None and "type" in raw and (wrapped := _langchain_message(raw)) is not None:
        return wrapped[0]
    return role if isinstance(role, str) else None


def _langchain_message(raw: Mapping[str, Any]) -> tuple[str, Mapping[str, Any]] | None:
    """Tell the role and the fields of a message of LangChain, whose forms `lighter.formats._langchain` knows; None for others."""
    match raw:
        case {"lc": _, "id": [*_, str(named)], "kwargs": dict(fields)}:
            kind = named.removesuffix("Chunk").removesuffix("Message").lower()
        case {"type": str(named), "data": dict(fields)} | ({"type": str(named), "content": _} as fields):
            kind = named.removesuffix("MessageChunk").lower()
        case _:
            return None
    role = _LANGCHAIN_ROLES.get(kind, kind)
    return (role, fields) if role in ("user", "assistant", "system", "tool", "function", "remove") else None


def _langchain_traffic(role: str, fields: Mapping[str, Any]) -> tuple[list[str], list[str]]:
    """List calls once, wherever copies of them stand; the same of results."""
    calls, results = list(_listed_calls(fields)), list(_results_by_role({**fields, "role": role}))
    kept = fields.get("additional_kwargs")
    calls += _listed_calls(kept if isinstance(kept, dict) else {})
    calls += _listed_calls({"tool_calls": fields.get("invalid_tool_calls")})
    _add_blocks(blocks if isinstance(blocks := fields.get("content"), list) else (), calls, results)
    return list(dict.fromkeys(calls)), list(dict.fromkeys(results))


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
