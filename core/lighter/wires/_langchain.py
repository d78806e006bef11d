"""Calls and results in LangChain's messages: parsed ones, those that did not parse, and those that providers left as they came."""

from collections.abc import Iterator, Mapping
from typing import Any

from msgspec import UNSET

from lighter.conversation import WireMessage
from lighter.formats._langchain import unwrap
from lighter.formats._langchain_merged import is_called_in_piece
from lighter.jsontext import step
from lighter.toolwire import Arguments, Keys, MalformedCall, WireCall, WireResult, arguments_of
from lighter.wires._arguments import object_wanted, text_or_object

_PARSED = Keys(arguments="args")
_BLOCKS = {"tool_use": Keys(arguments="input"), "tool_call": _PARSED, "function_call": Keys(id="call_id")}


def calls_of(message: WireMessage) -> Iterator[WireCall | MalformedCall]:
    """Read the calls of one message, each once: those in its lists, else those that stand elsewhere alone."""
    unwrapped = unwrap(message.raw)
    if unwrapped is None or unwrapped.kind != "ai":
        return
    fields, base = unwrapped.fields, message.path + unwrapped.prefix
    count = 0
    ids: set[Any] = set()
    for key, read in (("tool_calls", _parsed), ("invalid_tool_calls", _unparsed)):
        match fields.get(key):
            case list() as entries:
                for index, entry in enumerate(entries):
                    ids.add(entry.get("id") if isinstance(entry, dict) and isinstance(entry.get("id"), str) else None)
                    yield read(message, f"{base}/{key}/{index}", entry)
                    count += 1
            case None:
                pass
            case _:
                yield MalformedCall(message, f"{base}/{key}", "list")
    chunks = fields.get("tool_call_chunks")
    for index, piece in enumerate(chunks if isinstance(chunks, list) and not count else ()):
        if is_called_in_piece(piece):
            place = f"{base}/tool_call_chunks/{index}"
            ids.add(piece.get("id"))
            # That they break off has a rule of its own.
            yield WireCall(message, place, piece, "function", piece, place, Arguments("free"), _PARSED)
    kept = fields.get("additional_kwargs")
    if isinstance(kept, dict):
        yield from _kept(message, kept, f"{base}/additional_kwargs", is_parsed=bool(count or chunks))
    yield from _blocks(message, fields, message.path + unwrapped.content_at, ids)


def _parsed(message: WireMessage, path: str, entry: Any) -> WireCall | MalformedCall:
    match entry:
        case {"function": {"name": _} as function}:
            read = text_or_object(function.get("arguments", UNSET))
            return WireCall(message, path, entry, "function", function, f"{path}/function", read)
        case {"name": _} | {"args": _}:
            return WireCall(
                message, path, entry, "function", entry, path, object_wanted(entry.get("args", UNSET)), _PARSED
            )
        case dict():
            return MalformedCall(message, path, "hollow")
        case _:
            return MalformedCall(message, path, "object")


def _unparsed(message: WireMessage, path: str, entry: Any) -> WireCall | MalformedCall:
    """Read a call whose arguments did not parse: that they are none is what its list says."""
    if not isinstance(entry, dict):
        return MalformedCall(message, path, "object")
    return WireCall(message, path, entry, "function", entry, path, Arguments("free"), _PARSED)


def _kept(
    message: WireMessage, kept: Mapping[str, Any], path: str, *, is_parsed: bool
) -> Iterator[WireCall | MalformedCall]:
    listed = kept.get("tool_calls")
    for index, entry in enumerate(listed if isinstance(listed, list) and not is_parsed else ()):
        match entry:
            case {"function": {"name": _} as function}:
                place = f"{path}/tool_calls/{index}"
                read = text_or_object(function.get("arguments", UNSET))
                yield WireCall(message, place, entry, "function", function, f"{place}/function", read)
            case _:
                yield MalformedCall(message, f"{path}/tool_calls/{index}", "hollow")
    legacy = kept.get("function_call")
    if isinstance(legacy, dict):
        place = f"{path}/function_call"
        yield WireCall(message, place, legacy, "legacy", legacy, place, arguments_of(legacy.get("arguments", UNSET)))


def _blocks(message: WireMessage, fields: Mapping[str, Any], path: str, ids: set[Any]) -> Iterator[WireCall]:
    """Read the blocks that are calls, and copies of none in the lists."""
    content = fields.get(path.rpartition("/")[2])
    for index, block in enumerate(content if isinstance(content, list) else ()):
        kind = block.get("type") if isinstance(block, dict) else None
        keys = _BLOCKS.get(kind) if isinstance(kind, str) else None
        if keys is None or not isinstance(block, dict) or block.get(keys.id) in ids:
            continue
        value = block.get(keys.arguments, UNSET)
        read = arguments_of(value) if kind == "function_call" else object_wanted(value)
        yield WireCall(message, path + step(index), block, "function", block, path + step(index), read, keys)


def results_of(message: WireMessage) -> Iterator[WireResult]:
    """Read the tool results of one message: itself, or blocks in the content of a human message."""
    unwrapped = unwrap(message.raw)
    if unwrapped is None:
        return
    fields, base = unwrapped.fields, message.path + unwrapped.prefix
    if unwrapped.kind == "tool":
        yield WireResult(message, message.path, fields, base, "tool_call_id", "name")
    elif unwrapped.kind == "human" and isinstance(content := fields.get("content"), list):
        for index, block in enumerate(content):
            if isinstance(block, dict) and block.get("type") == "tool_result":
                place = message.path + unwrapped.content_at + step(index)
                yield WireResult(message, place, block, place, "tool_use_id")
