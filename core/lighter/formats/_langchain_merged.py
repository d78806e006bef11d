"""What the joined pieces of a LangChain message say: its calls with their arguments, and the blocks of version 1 that hold them."""

import json
from collections.abc import Mapping, Sequence
from typing import Any

from lighter import jsontext
from lighter.formats._streaming import mapping
from lighter.jsontext import Number, is_same

Fields = dict[str, Any]
"""The fields of a chunk: the `kwargs` of an envelope, the `data` of a stored message, or a flat dump."""


def calls_of(
    pieces: Sequence[Mapping[str, Any]], *, is_complete: bool = True, error: str | None = None
) -> tuple[list[Fields], list[Fields]]:
    """Give the calls that joined pieces say, and those whose arguments are no JSON object, with the text of these."""
    calls: list[Fields] = []
    invalid: list[Fields] = []
    for place, piece in enumerate(pieces, 1):
        name, text, call_id = piece.get("name"), piece.get("args"), piece.get("id")
        may_be_cut = not is_complete and place == len(pieces)
        arguments = arguments_of(text) if text or may_be_cut else {}
        if isinstance(arguments, dict):
            calls.append({"name": name or "", "args": arguments, "id": call_id, "type": "tool_call"})
        else:
            invalid.append({"name": name, "args": text, "id": call_id, "error": error, "type": "invalid_tool_call"})
    return calls, invalid


def arguments_of(text: Any) -> Any:
    """Parse the arguments of a call; None when they are no JSON, or break off. A line break in a text passes, as in Python."""
    if not isinstance(text, str):
        return None
    try:
        return jsontext.decode(text)
    except (ValueError, RecursionError):
        return _leniently(text)


def _leniently(text: str) -> Any:
    try:
        return json.loads(text, strict=False, parse_float=Number, parse_constant=_refuse)
    except (ValueError, RecursionError):
        return None


def _refuse(name: str) -> Any:
    raise ValueError(name)


def text_cut_off(call_id: Any, name: str, chunks: Sequence[Any]) -> str | None:
    """Find the arguments of a call, as pieces have them, that break off or are no JSON; None where they are whole."""
    for chunk in chunks:
        match chunk:
            case {"id": told, "name": named, "args": str(text)} if (told, named) == (call_id, name):
                if text and arguments_of(text) is None:
                    return text
            case _:
                pass
    return None


def is_called_in_piece(piece: Any) -> bool:
    """Say whether a piece may be a whole call: those that go on with another have no name."""
    match piece:
        case {"name": str(tool), "args": str() | None}:
            return tool != ""
        case _:
            return False


def settle_blocks(total: Fields) -> None:
    """Turn the pieces of calls among the blocks of an answer in v1 form into calls, once it has ended."""
    is_v1 = mapping(total.get("response_metadata")).get("output_version") == "v1"
    content = total.get("content")
    if not (is_v1 and total.get("chunk_position") == "last" and isinstance(content, list)):
        return
    known = {call["id"]: call for call in total["tool_calls"] if call["id"]}
    total["content"] = [_settled_block(block, known) for block in content]


def _says(text: Any, call: Fields | None) -> bool:
    """Say whether the pieces of a call among the blocks say the same as those beside them."""
    return call is not None and is_same(arguments_of(text or "{}"), call["args"])


def _settled_block(block: Any, known: Mapping[str, Fields]) -> Any:
    match block:
        case {"type": "tool_call_chunk", "id": str(call_id), "args": text} if _says(text, known.get(call_id)):
            extras = {"extras": block["extras"]} if "extras" in block else {}
            return {"type": "tool_call", **{key: known[call_id][key] for key in ("name", "args", "id")}, **extras}
        case {"type": "server_tool_call" | "server_tool_call_chunk"} if isinstance(
            text := block.get("args") or "{}", str
        ):
            arguments = arguments_of(text)
            return {**block, "type": "server_tool_call", "args": arguments} if isinstance(arguments, dict) else block
        case _:
            return block
