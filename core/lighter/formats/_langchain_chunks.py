"""Chunks that LangChain streams (`AIMessageChunk` and those of other kinds), joined to their message.

https://docs.langchain.com/oss/python/langchain/streaming
"""

from collections.abc import Mapping, Sequence
from typing import Any

from lighter.formats import _langchain_merging as python
from lighter.formats import _langchain_merging_js as javascript
from lighter.formats._langchain import Unwrapped, content_key, is_escaped_here, unwrap
from lighter.formats._langchain_copies import keep_calls, lose_ids, lose_repeated, own_fields
from lighter.formats._langchain_escaping import escaped
from lighter.formats._langchain_merged import Fields, arguments_of
from lighter.formats._langchain_merging import Chunk, Notes
from lighter.formats._streaming import Ledger, mapping, objects, take

_STOPS = ("finish_reason", "stop_reason", "finishReason", "stopReason", "done_reason")
_ENDED = ("completed", "incomplete", "failed")


def joined(pieces: Sequence[tuple[int, Any]], ledger: Ledger, path: str) -> tuple[dict[str, Any], bool]:
    """Join the chunks of one message, given with their indices in the stream; says also whether it came to its end.

    `path` points at the message inside of each piece.
    """
    found = [(index, unwrap(raw)) for index, raw in pieces]
    chunks: list[Chunk] = [(index, own_fields(one.fields)) for index, one in found if one is not None]
    first, raw = found[0][1], pieces[0][1]
    if first is None:
        return raw, True
    has_ended = _ends(chunks) if first.kind == "ai" else True
    module = javascript if _is_javascript(first) else python
    ledger.index = chunks[0][0]
    fields = module.add_chunks(chunks, ledger, path + first.prefix, kind=first.kind, is_complete=has_ended is not False)
    if has_ended is None:
        has_ended = not _breaks_off(fields)
    around = dict(first.outer)
    for ledger.index, one in found:
        if one is not None:
            take(around, one.outer, ledger, path)
            lose_repeated(one.fields, fields, Notes(ledger, path + one.prefix))
    keep_calls(chunks, fields, ledger, path + first.prefix)
    lose_ids(chunks, fields.get("id"), ledger, path + first.prefix)
    key = content_key(first.fields)
    if key != "content" and "content" in fields:
        fields = {key if name == "content" else name: held for name, held in fields.items()}
        ledger.respell(f"{path}{first.prefix}/content", f"{path}{first.prefix}/{key}")
    is_escaped = all(one.is_escaped for _, one in found if one is not None)
    return _wrapped({**raw, **around}, first, fields, is_escaped=is_escaped), has_ended


def _is_javascript(first: Unwrapped) -> bool:
    """Say whether a chunk was written in JavaScript, where types and not classes are told outside of envelopes."""
    return first.shape == "js" or (first.shape in ("stored", "dump") and not first.is_chunk)


def _ends(chunks: Sequence[Chunk]) -> bool | None:
    """Say whether a stream of chunks came to its end; None where none of them would tell."""
    for _, fields in reversed(chunks):
        metadata = mapping(fields.get("response_metadata"))
        if fields.get("chunk_position") == "last" or metadata.get("status") in _ENDED:
            return True
        if any(metadata.get(key) is not None for key in _STOPS):
            return True
    return False if any("chunk_position" in fields or _is_of_run(fields.get("id")) for _, fields in chunks) else None


def _is_of_run(name: Any) -> bool:
    """Say whether an id is one that langchain-core gives since 1.0, whose streams end with a chunk that says so.

    `dumpd` leaves `chunk_position` out of all others (`stream` in langchain_core/language_models/chat_models.py, `LC_ID_PREFIX`).
    """
    return isinstance(name, str) and name.startswith("lc_run-")


def _breaks_off(fields: Mapping[str, Any]) -> bool:
    """Say whether a call has no whole arguments."""
    return any(arguments_of(call.get("args")) is None for _, call in objects(fields.get("invalid_tool_calls")))


def _wrapped(raw: dict[str, Any], first: Unwrapped, fields: Fields, *, is_escaped: bool) -> dict[str, Any]:
    """Put the fields of a message into the wrapping of its first chunk."""
    match first.shape:
        case "lc" | "js":
            told = {key: held for key, held in fields.items() if first.shape == "js" or not _is_mute(key, held)}
            return {**raw, "kwargs": escaped(told) if is_escaped else told}
        case "stored":
            is_wrapped = is_escaped and is_escaped_here("stored", fields)
            return {**raw, "data": escaped(fields) if is_wrapped else fields}
        case _:
            return fields


def _is_mute(key: str, held: Any) -> bool:
    """Say whether `dumpd` would leave a field out."""
    return held is None or held == {} or (key == "tool_call_chunks" and held == [])
