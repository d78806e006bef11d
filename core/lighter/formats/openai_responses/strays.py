"""Calls and results among the items of Responses that no reader takes for such: those that lack a part, and those of OpenAI's own tools."""

from collections.abc import Mapping
from typing import Any

from lighter import jsontext
from lighter.formats.openai_responses.shapes import CALLS, CLIENT_CALLS, CLIENT_OUTPUTS, OUTPUTS
from lighter.messages import OpaqueBlock, blocks_of
from lighter.passage import Entry
from lighter.strays import NONE, NativeCall, NativeResult, Strays, chat_strays, id_text

_LOOKED_AT = frozenset({*CALLS, *OUTPUTS, *CLIENT_CALLS, *CLIENT_OUTPUTS})


def strays_of(entry: Entry) -> Strays:
    """List the broken calls and results of a turn and those of OpenAI's own tools, or what stands in a chat's form."""
    calls, results = set[str](), set[str]()
    nameless, native_calls, native_results = list[tuple[str, str, str]](), list[NativeCall](), list[NativeResult]()
    blanks = 0
    for block, origin in zip(blocks_of(entry.message), entry.origin.blocks, strict=False):
        if not isinstance(block, OpaqueBlock) or block.native_type not in _LOOKED_AT:
            continue
        item, kind = jsontext.decode(block.json), block.native_type
        call_id, own_id, name = id_text(item.get("call_id")), id_text(item.get("id")), item.get("name")
        if kind in CLIENT_CALLS:
            if call_id and _is_run_by_client(item):
                native_calls.append(NativeCall(origin.path, call_id, own_id, kind.removesuffix("_call")))
            calls.add(call_id)
        elif kind in CLIENT_OUTPUTS:
            # The SDK has no `call_id` in the result of a local shell, and says of its `id` that it is the call's (openai 3.57.0).
            is_vague = not call_id or item.get("execution") == "server"
            native_results.append(NativeResult(origin.path, call_id or own_id, is_vague))
        elif kind in OUTPUTS:
            results.add(call_id)
        elif call_id:
            nameless.append((origin.path, call_id, name if isinstance(name, str) else ""))
        else:
            blanks += 1
    calls -= {"", *(call.call_id for call in native_calls)}
    if calls or results - {""} or nameless or blanks or native_calls or native_results:
        found = frozenset(calls), frozenset(results - {""}), blanks, tuple(nameless)
        return Strays(*found, tuple(native_calls), tuple(native_results))
    return chat_strays(entry) if isinstance(entry.wire.raw, dict) else NONE


def _is_run_by_client(item: Mapping[str, Any]) -> bool:
    """Say whether a call waits for the client; OpenAI runs a shell in its containers and some searches for tools itself."""
    match item:
        case {"type": "shell_call", "environment": {"type": str(kind)}}:
            return kind == "local"
        case {"type": "tool_search_call"}:
            return item.get("execution") == "client"
        case _:
            return True
