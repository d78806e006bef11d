"""Joining the pieces of answers in the shape of Chat Completions, with what vendors put into their deltas.

How the pieces add up: `accumulate_delta` of openai-python (lib/streaming/_deltas.py), and what real servers do otherwise: a name
that is null first (https://github.com/Effect-TS/effect-smol/issues/2338), an id that comes late or again, calls without index,
arguments as an object, content as a list.
"""

from collections.abc import Sequence
from typing import Any

from lighter.formats._streaming import (
    Assembled,
    Ledger,
    append,
    in_order,
    index_of,
    mapping,
    objects,
    renew,
    settled,
    take,
)
from lighter.jsontext import is_same, step

_FRAMING = frozenset({"choices", "object", "created", "usage", "obfuscation", "p", "type"})
"""Keys of a piece that do not say anything of the answer (`obfuscation` and `p` are padding), or are read on their own."""

_FIRST = 20
"""How many pieces are looked at for an id that comes late."""

_CUMULATIVE = ("citations", "search_results")
"""Keys whose last value is the whole (https://docs.perplexity.ai)."""

_ONCE = frozenset({"role", "name", "id", "type", "index", "format", "signature"})
"""Keys whose texts come once, and are not continued."""


def begins(chunk: Any, before: Sequence[Any]) -> bool:
    """Say whether a piece is of another answer than those before it: it has another id, or starts after the end."""
    name, known = chunk.get("id"), _name_of(before)
    if name and known:
        return bool(name != known)
    choices = [choice for _, choice in objects(chunk.get("choices"))]
    return bool(choices) and "choices" in mapping(before[-1]) and _is_over(before) and any(map(_says, choices))


def resumes(chunk: Any, before: Sequence[Any]) -> bool:
    """Say whether a piece goes on with an answer although pieces of others came since: it has its id.

    Servers give an id again, so that nothing is said after the end of an answer.
    """
    name = mapping(chunk).get("id")
    if not name or name != _name_of(before):
        return False
    listed = objects(mapping(before[-1]).get("choices"))
    ended = [choice.get("index") for _, choice in listed if choice.get("finish_reason")]
    said = [choice for _, choice in objects(chunk.get("choices")) if _says(choice)]
    is_over = mapping(before[-1]).get("choices") == []
    return not any(is_over or choice.get("index") in ended for choice in said)


def _name_of(before: Sequence[Any]) -> Any:
    """Give the id of an answer, which may come late."""
    return next((piece["id"] for piece in before[:_FIRST] if isinstance(piece, dict) and piece.get("id")), None)


def _says(choice: dict[str, Any]) -> bool:
    delta = mapping(choice.get("delta"))
    return bool(delta.get("role") or delta.get("content") or delta.get("tool_calls"))


def _is_over(before: Sequence[Any]) -> bool:
    """Say whether an answer without ids has ended: with its choices' last piece, or the usage after that."""
    last = mapping(before[-1])
    return last.get("choices") == [] or any(choice.get("finish_reason") for _, choice in objects(last.get("choices")))


def assemble(chunks: Sequence[Any]) -> Assembled:
    """Join pieces to one answer."""
    ledger = Ledger()
    value: dict[str, Any] = {"id": None, "object": "chat.completion", "created": None, "model": None, "choices": []}
    choices: dict[int, dict[str, Any]] = {}
    usage: dict[str, Any] = {}
    for chunk in ledger.pieces(chunks):
        if "choices" not in chunk:
            ledger.lose_between(chunk)
            continue
        renew(value, {key: chunk[key] for key in _CUMULATIVE if key in chunk})
        take(value, {"created": chunk.get("created")} if not value["created"] else {}, ledger, "")
        take(value, chunk, ledger, "", skip=(*_FRAMING, *_CUMULATIVE))
        if isinstance(chunk.get("usage"), dict):
            renew(usage, chunk["usage"])
        for place, choice in objects(chunk["choices"]):
            index = index_of(choice)
            known = choices.setdefault(index or 0, {"index": index or 0, "message": _new_message()})
            _add(known, choice, ledger, f"/choices/{place}")
    value["choices"] = [_finished(choice) for choice in in_order(choices)]
    if usage:
        value["usage"] = usage
    is_complete = bool(choices) and all(choice.get("finish_reason") is not None for choice in choices.values())
    kept = {key: item for key, item in value.items() if item is not None}
    return Assembled(settled(kept), is_complete, ledger.told())


def _new_message() -> dict[str, Any]:
    return {"role": "assistant", "content": None}


def _add(known: dict[str, Any], choice: dict[str, Any], ledger: Ledger, path: str) -> None:
    """Add a piece of a choice."""
    for key, item in choice.items():
        match key, item:
            case "delta", dict():
                _add_delta(known["message"], item, ledger, f"{path}/delta")
            case "index" | "delta", _:
                pass
            case "logprobs", dict():
                kept = known["logprobs"] = dict(mapping(known.get("logprobs")))
                for kind, listed in item.items():
                    append(kept, kind, listed, ledger, f"{path}/logprobs")
            case _:
                take(known, {key: item}, ledger, path)


def _add_delta(message: dict[str, Any], delta: dict[str, Any], ledger: Ledger, path: str) -> None:
    """Add a delta; texts that nobody knows are joined as the SDK joins them."""
    for key, item in delta.items():
        match key, item:
            case "role", _:
                if item and item != message["role"]:
                    message["role"] = item
            case "content", list() | str() if isinstance(item, list) or type(message["content"]) is list:
                _add_parts(message, item)
            case "tool_calls", list():
                _add_calls(message, item, ledger, f"{path}/tool_calls")
            case "function_call" | "audio", dict():
                _add_fields(message, key, item, ledger, path)
            case "reasoning_details" | "thinking_blocks", list():
                message[key] = _grown(message.get(key) or [], item)
            case _ if key in _ONCE:
                take(message, {key: item}, ledger, path)
            case _:
                append(message, key, item, ledger, path)


def _add_fields(holder: dict[str, Any], key: str, item: dict[str, Any], ledger: Ledger, path: str) -> None:
    """Add to an object whose fields come in pieces."""
    known = holder[key] = dict(mapping(holder.get(key)))
    for name, held in item.items():
        _add_field(known, name, held, ledger, path + step(key))


def _add_field(known: dict[str, Any], key: str, item: Any, ledger: Ledger, path: str) -> None:
    """Add to a field of a call: arguments, input and transcripts are continued, what else there is comes once."""
    if key in ("arguments", "input", "data", "transcript") and (isinstance(item, str) or item is None):
        if item or known.get(key) is None:
            append(known, key, item, ledger, path)
    elif key == "name" and isinstance(item, str) and isinstance(known.get(key), str) and item != known[key]:
        known[key] += item
    else:
        take(known, {key: item}, ledger, path)


def _add_calls(message: dict[str, Any], pieces: list[Any], ledger: Ledger, path: str) -> None:
    calls = message.get("tool_calls")
    if type(calls) is not list:
        calls = message["tool_calls"] = []
    for place, piece in objects(pieces):
        _add_call(calls, piece, ledger, f"{path}/{place}")


def _add_call(calls: list[dict[str, Any]], piece: dict[str, Any], ledger: Ledger, path: str) -> None:
    """Add a piece of a tool call to the call that it continues, or begin another one."""
    call = _continued(calls, piece)
    if call is None:
        call = {"index": index_of(piece)}
        calls.append(call)
    for key, item in piece.items():
        match key, item:
            case "index", _:
                pass
            case "function" | "custom", dict():
                _add_fields(call, key, item, ledger, path)
            case _:
                take(call, {key: item}, ledger, path)


def _continued(calls: list[dict[str, Any]], piece: dict[str, Any]) -> dict[str, Any] | None:
    """Find the call that a piece continues.

    A piece of the same index begins another call only when it has both another id and a name: Gemini's compatible endpoint
    gives all calls the index 0, and older vLLM gives each piece an id of its own.
    """
    index, call_id = index_of(piece), piece.get("id")
    named = any(mapping(piece.get(key)).get("name") for key in ("function", "custom"))
    for call in reversed(calls):
        if index is None or call["index"] == index:
            is_other = named and call_id and call.get("id") and call_id != call["id"]
            return None if is_other else call
    return None


def _add_parts(message: dict[str, Any], said: list[Any] | str) -> None:
    """Add parts of content, or a text to them; texts and thoughts that follow one another are one part."""
    parts = [{"type": "text", "text": said}] * bool(said) if isinstance(said, str) else said
    known = message["content"]
    if type(known) is not list:
        text = settled(known)
        known = message["content"] = [{"type": "text", "text": text}] if text else []
    for part in parts:
        _add_part(known, part)


def _add_part(known: list[Any], part: Any) -> None:
    last: Any = known[-1] if known else None
    match last, part:
        case {"type": "text", "text": _}, {"type": "text", "text": str(text)} if last.keys() == part.keys():
            append(last, "text", text, Ledger(), "")
        case {"type": "thinking", "thinking": list(inner)}, {"type": "thinking", "thinking": list(more)} if not (
            last.get("closed") or last.get("signature")
        ):
            for item in more:
                _add_part(inner, item)
            last.update({key: item for key, item in part.items() if key != "thinking" and item is not None})
        case _, {"type": "thinking", "thinking": list(inner)}:
            thought = {**part, "thinking": []}
            for item in inner:
                _add_part(thought["thinking"], item)
            known.append(thought)
        case _:
            known.append(dict(part) if isinstance(part, dict) else part)


def _grown(known: Any, items: list[Any]) -> list[Any]:
    """Add blocks of reasoning as OpenRouter and litellm stream them: those of one kind and index are one block.

    https://openrouter.ai/docs/use-cases/reasoning-tokens#streaming-response
    """
    grown: list[Any] = known if type(known) is list else []
    for item in items:
        last = grown[-1] if grown else None
        if not isinstance(item, dict) or not isinstance(last, dict) or not _continues(last, item):
            grown.append(dict(item) if isinstance(item, dict) else item)
            continue
        for name, held in item.items():
            if name in _ONCE:
                take(last, {name: held}, Ledger(), "")
            else:
                append(last, name, held, Ledger(), "")
    return grown


def _continues(last: dict[str, Any], item: dict[str, Any]) -> bool:
    """Say whether a block of reasoning goes on: nothing that comes once differs, and it was not signed before."""
    is_alike = last.get("type") == item.get("type") and last.get("index") == item.get("index")
    is_text = any(isinstance(item.get(name), str) for name in ("text", "summary", "thinking"))
    is_open = not last.get("signature") and "data" not in item
    is_one = all(
        not (last.get(name) and item.get(name)) or is_same(last[name], item[name]) for name in ("id", "format")
    )
    return is_alike and is_open and is_one and (is_text or bool(item.get("signature")))


def _finished(choice: dict[str, Any]) -> dict[str, Any]:
    """Put the keys of a choice in their usual order; its calls by their index."""
    message = choice["message"]
    if message.get("tool_calls"):
        listed = sorted(message["tool_calls"], key=lambda call: call["index"] or 0)
        message["tool_calls"] = [_finished_call(call) for call in listed]
    rest = {key: item for key, item in choice.items() if key not in ("index", "message", "finish_reason")}
    return {
        "index": choice["index"],
        "message": message,
        "finish_reason": choice.get("finish_reason"),
        **rest,
    }


def _finished_call(call: dict[str, Any]) -> dict[str, Any]:
    return {key: item for key, item in call.items() if key != "index"}
