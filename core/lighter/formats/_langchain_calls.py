"""Reading the calls of a LangChain message: parsed ones, those that did not parse, and the copies that stand elsewhere in it.

A call may stand in `tool_calls` and once more as a provider's block in `content`, in `additional_kwargs` and in pieces: it is
one call, and the parsed one counts, as for the providers' packages (langchain_core/messages/block_translators/anthropic.py).
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from lighter.conversation import BlockOrigin
from lighter.formats._calls import CallForm, call_id_of, read_call
from lighter.formats._langchain import DIFFERS, FAMILY, SPELLING
from lighter.formats._langchain_merged import arguments_of, is_called_in_piece, text_cut_off
from lighter.formats._reading import Placed, extras
from lighter.formats.openai_responses.shapes import ITEM_ID
from lighter.jsontext import decode, encode_text, is_same, step
from lighter.messages import ABSENT, Block, Extra, Opaque, OpaqueBlock, ToolCall

PLACE = "langchain-place-spelling"
"""The format name of an extra that tells in which list a call stood, where its arguments do not tell that."""

COPY = "langchain-copy-spelling"
"""The format name of an extra that holds the block in `content` that is a copy of a call."""

OPENAI = CallForm(name=FAMILY, spelling=SPELLING)
"""How calls are spelled that stand as OpenAI's API gave them."""

ENTRY, INVALID_ENTRY, KEPT_ENTRY = "tool-calls-entry", "invalid-tool-calls-entry", "additional-kwargs-entry"
"""What entries are called that stand in a list of calls and are none."""

INVALID, KEPT, IN_CONTENT, FUNCTION = '"invalid_tool_calls"', '"additional_kwargs"', '"content"', '"function"'
IN_PIECES = '"tool_call_chunks"'
_FIELDS = {"call_id": "/id", "tool_name": "/name", "arguments": "/args"}
_LEGACY_FIELDS = {"tool_name": "/name", "arguments": "/arguments"}

CALL_BLOCKS = {"tool_use": ("id", "input"), "tool_call": ("id", "args"), "function_call": ("call_id", "arguments"),
           "invalid_tool_call": ("id", "args")}  # fmt: skip
"""The keys of id and arguments of blocks in `content` that are calls, by their types."""


ITEM_IDS = "__openai_function_call_ids__"
"""Under which key of `additional_kwargs` langchain-openai keeps the ids of items (`_FUNCTION_CALL_IDS_MAP_KEY`, _compat.py)."""

SIGNATURES = "__gemini_function_call_thought_signatures__"
"""Under which key of `additional_kwargs` the thought signatures of Gemini stand, by the ids of their calls (langchain-google-genai)."""


class Calls(Struct):
    """The calls of a message as they are read: those in its lists, and extras of the message about their copies.

    `known` and `kept_known`: which keys of the fields and of `additional_kwargs` were read.
    """

    placed: Placed
    ext: list[Extra]
    known: set[str]
    kept_known: set[str]

    def named(self, call_id: str, name: str) -> ToolCall | None:
        """Find a call by id and name."""
        calls = (block for block, _ in self.placed if isinstance(block, ToolCall))
        return next((call for call in calls if (call.call_id, call.tool_name) == (call_id, name)), None)


def no_calls() -> Calls:
    """Give the calls of a message that has none."""
    return Calls([], [], set(), set())


def read_calls(fields: Mapping[str, Any], base: str, name: str, made: str) -> Calls:
    """Read what stands in the lists of calls of a message, whose fields stand at `base`; `made` begins ids for calls without."""
    calls = no_calls()
    for key, read in (("tool_calls", _parsed), ("invalid_tool_calls", _unparsed)):
        for index, raw in enumerate(_items(fields, key, calls.known)):
            calls.placed.append(read(raw, f"{base}/{key}{step(index)}", f"{made}_{len(calls.placed)}", name))
    chunks = _items(fields, "tool_call_chunks", calls.known)
    if calls.placed:
        _take_as_they_came(calls, chunks, base)
    else:
        calls.placed += _in_pieces(chunks, f"{base}/tool_call_chunks", name, made)
    held = fields.get("additional_kwargs")
    _read_kept(calls, held if isinstance(held, dict) else {}, f"{base}/additional_kwargs", name, made)
    if chunks:
        _add_copies(calls, chunks, "/tool_call_chunks", _chunk_view)
    return calls


def _items(holder: Mapping[str, Any], key: str, known: set[str]) -> list[Any]:
    """List what stands under a key, and take note of that; nothing where there is no list, or an empty one."""
    listed = holder.get(key)
    if not isinstance(listed, list) or not listed:
        return []
    known.add(key)
    return listed


def _read_kept(calls: Calls, kept: Mapping[str, Any], base: str, name: str, made: str) -> None:
    """Read what providers left in `additional_kwargs`, which stands at `base`."""
    native = _items(kept, "tool_calls", calls.kept_known)
    if native and (calls.placed or "tool_call_chunks" in calls.known):
        _add_copies(calls, native, "/additional_kwargs/tool_calls", _openai_view)
    else:
        calls.placed += (
            _kept_call(raw, f"{base}/tool_calls{step(n)}", f"{made}_{n}", name) for n, raw in enumerate(native)
        )
    match kept.get("function_call"):
        case {"name": str(tool)} if any(isinstance(b, ToolCall) and b.tool_name == tool for b, _ in calls.placed):
            calls.kept_known.add("function_call")
            _add_last(calls, kept["function_call"], tool)
        case {"name": str(tool), "arguments": str(text)}:
            calls.kept_known.add("function_call")
            ext = extras(FAMILY, kept["function_call"], {"name", "arguments"})
            call = ToolCall(f"{made}_f", tool, text, "legacy", is_id_synthetic=True, ext=ext)
            calls.placed.append((call, BlockOrigin(f"{base}/function_call", _LEGACY_FIELDS)))
    match kept.get(ITEM_IDS):
        case dict() as ids if ids:
            calls.placed = [(_named_item(block, ids), origin) for block, origin in calls.placed]
    match kept.get(SIGNATURES):
        case dict() as signatures if signatures:
            calls.kept_known.add(SIGNATURES)
            _sign(calls, signatures, base)


def _named_item(block: Block, ids: Mapping[str, Any]) -> Block:
    """Give a call the id of its item, which langchain-openai keeps beside it; the whole of them stays where it is, too."""
    told = ids.get(block.call_id) if isinstance(block, ToolCall) else None
    if not (isinstance(block, ToolCall) and isinstance(told, str)):
        return block
    return replace(block, ext=(*block.ext, Extra(ITEM_ID, "", encode_text(told))))


def _sign(calls: Calls, signatures: Mapping[str, Any], base: str) -> None:
    """Give calls the signatures that stand beside them, and keep those of other calls."""
    left = dict(signatures)
    for index, (block, origin) in enumerate(calls.placed):
        signature = left.get(block.call_id) if isinstance(block, ToolCall) else None
        if isinstance(block, ToolCall) and isinstance(signature, str):
            del left[block.call_id]
            place = f"{base}/{SIGNATURES}{step(block.call_id)}"
            signed = replace(block, opaque=(Opaque("gemini", "signature", signature),))
            calls.placed[index] = signed, BlockOrigin(origin.path, origin.fields, {"opaque": place})
    calls.ext += extras(FAMILY, left, (), f"/additional_kwargs/{SIGNATURES}")


def _take_as_they_came(calls: Calls, chunks: Sequence[Any], base: str) -> None:
    """Give calls the text of their arguments where that breaks off: langchain-core closes brackets until it is JSON."""
    for number, (block, origin) in enumerate(calls.placed):
        if not (isinstance(block, ToolCall) and isinstance(arguments_of(block.arguments), dict)):
            continue
        text = text_cut_off(block.call_id, block.tool_name, chunks)
        if text is not None:
            kept = Extra(SPELLING, "/args", block.arguments)
            calls.placed[number] = replace(block, arguments=text, ext=(*block.ext, kept)), origin
            if block.arguments != "{}":
                calls.ext.append(Extra(DIFFERS, origin.at("arguments").removeprefix(base), block.arguments))


def _in_pieces(chunks: Sequence[Any], path: str, name: str, made: str) -> Iterator[tuple[ToolCall, BlockOrigin]]:
    """Read calls that only stand as pieces, of which both packages make calls (`init_tool_calls` of langchain-core)."""
    for index, raw in enumerate(chunks):
        if is_called_in_piece(raw):
            call_id, is_made = call_id_of(raw.get("id"), f"{made}_{index}")
            ext = (Extra(f"{name}-{PLACE}", "", IN_PIECES),)
            call = ToolCall(call_id, raw["name"], raw["args"] or "{}", is_id_synthetic=is_made, ext=ext)
            yield call, BlockOrigin(path + step(index), _FIELDS)


def _parsed(raw: Any, path: str, made: str, name: str) -> tuple[Any, BlockOrigin]:
    match raw:
        case {"name": str(tool), "args": args} if "function" not in raw:
            call_id, is_made, ext = _identity(raw, made, "tool_call", {"name", "args"})
            if not isinstance(args, dict):
                ext += (Extra(SPELLING, "/args", encode_text(args)),)
            call = ToolCall(call_id, tool, encode_text(args), is_id_synthetic=is_made, ext=ext)
            return call, BlockOrigin(path, _FIELDS)
        case {"function": dict()}:
            block, origin = read_call(OPENAI, raw, path, made)
            mark = Extra(f"{name}-{PLACE}", "", FUNCTION)
            return (replace(block, ext=(*block.ext, mark)) if isinstance(block, ToolCall) else block), origin
        case _:
            return OpaqueBlock(FAMILY, ENTRY, encode_text(raw)), BlockOrigin(path)


def _unparsed(raw: Any, path: str, made: str, name: str) -> tuple[Any, BlockOrigin]:
    del name  # it is an entry in all forms
    match raw:
        case {"name": (str() | None) as tool, "args": (str() | None) as args}:
            call_id, is_made, ext = _identity(raw, made, "invalid_tool_call", {"name", "args", "error"})
            ext += (Extra(PLACE, "", INVALID),)
            ext += tuple(Extra(SPELLING, step(key), "null") for key in ("name", "args") if raw[key] is None)
            if "error" not in raw or raw["error"] is None:
                ext += (Extra(SPELLING, "/error", "null" if "error" in raw else ABSENT),)
            else:
                ext += (Extra(FAMILY, "/error", encode_text(raw["error"])),)
            call = ToolCall(call_id, tool or "", args or "", is_id_synthetic=is_made, ext=ext)
            return call, BlockOrigin(path, _FIELDS)
        case _:
            return OpaqueBlock(FAMILY, INVALID_ENTRY, encode_text(raw)), BlockOrigin(path)


def _identity(raw: Mapping[str, Any], made: str, kind: str, known: set[str]) -> tuple[str, bool, tuple[Extra, ...]]:
    """Read the id of a call, and keep what it holds besides the known keys."""
    call_id, is_made = call_id_of(raw.get("id"), made)
    known = known | ({"type"} if raw.get("type") == kind else set())
    known |= {"id"} if is_made or isinstance(raw.get("id"), str) else set()
    ext = extras(FAMILY, raw, known)
    if is_made:
        ext += (Extra(SPELLING, "/id", encode_text(raw["id"]) if "id" in raw else ABSENT),)
    return call_id, is_made, ext if "type" in raw else (*ext, Extra(SPELLING, "/type", ABSENT))


def _kept_call(raw: Any, path: str, made: str, name: str) -> tuple[Any, BlockOrigin]:
    """Read a call that only stands in `additional_kwargs`, where old versions left it; both packages parse it."""
    block, origin = read_call(OPENAI, raw, path, made)
    mark = Extra(f"{name}-{PLACE}", "", KEPT)
    if isinstance(block, OpaqueBlock):
        return replace(block, native_type=KEPT_ENTRY), origin
    return replace(block, ext=(*block.ext, mark)) if isinstance(block, ToolCall) else block, origin


def _add_copies(calls: Calls, listed: Sequence[Any], place: str, view: Any) -> None:
    """Keep a list of copies, and tell where they say something else than the calls."""
    calls.ext.append(Extra(SPELLING, place, encode_text(listed)))
    found = [block for block, _ in calls.placed if isinstance(block, ToolCall)]
    for index, raw in enumerate(listed):
        here = f"{place}{step(index)}"
        shown = next((seen for seen in (view(call, raw, index) for call in found) if seen is not None), None)
        calls.ext += [Extra(DIFFERS, path, text) for path, text in differences(raw, shown, here)]


def _add_last(calls: Calls, raw: Mapping[str, Any], tool: str) -> None:
    """Keep the copy of a call that langchain-google-genai (`_parse_response_candidate`) leaves of the last one."""
    place, text = "/additional_kwargs/function_call", raw.get("arguments")
    calls.ext.append(Extra(SPELLING, place, encode_text(raw)))
    found = [block for block, _ in calls.placed if isinstance(block, ToolCall) and block.tool_name == tool]
    told = {has_same_value(text, call.arguments) for call in found} if isinstance(text, str) else set()
    shown = {"name": tool, "arguments": text if True in told else found[-1].arguments}
    calls.ext += [Extra(DIFFERS, path, value) for path, value in differences(raw, shown, place)]


def differences(raw: Any, shown: Any, here: str) -> Iterator[tuple[str, str]]:
    """Point at what a copy says that its original does not; `shown` is what it would be, None where there is no original."""
    if shown is None or not isinstance(raw, dict) or not isinstance(shown, dict):
        if not (isinstance(shown, type(raw)) and is_same(raw, shown)):
            yield here, encode_text(raw)
        return
    for key, value in raw.items():
        if value is None or (key in shown and is_same(value, shown[key])):
            continue
        if isinstance(value, dict) and isinstance(shown.get(key), dict) and key == "function":
            yield from differences(value, shown[key], here + step(key))
        else:
            yield here + step(key), encode_text(value)


def _openai_view(call: ToolCall, raw: Any, _place: int) -> Any:
    """Show a call as OpenAI's API would have it, with the arguments of a copy where these have the same value."""
    match raw:
        case {"id": call.call_id, "function": {"name": call.tool_name} as function}:
            shown = {"name": call.tool_name, "arguments": _same_text(call, function.get("arguments"))}
            return {"id": call.call_id, "type": "function", "function": shown}
        case _:
            return None


def _chunk_view(call: ToolCall, raw: Any, place: int) -> Any:
    """Show a call as a piece; its index says nothing where it is its place."""
    match raw:
        case {"id": call.call_id, "name": call.tool_name}:
            args = _same_text(call, raw.get("args"))
            return {"id": call.call_id, "name": call.tool_name, "args": args, "index": place, "type": "tool_call_chunk"}
        case _:
            return None


def _same_text(call: ToolCall, text: Any) -> Any:
    """Give another text of a call's arguments where it has the same value, else the call's own."""
    if not isinstance(text, str):
        return call.arguments
    return text if has_same_value(text, call.arguments) else call.arguments


def has_same_value(text: str, arguments: str) -> bool:
    """Say whether two texts are the same JSON value, or the same text."""
    if text == arguments:
        return True
    try:
        return is_same(decode(text), decode(arguments))
    except (ValueError, RecursionError):
        return False


def is_call_block(part: Any) -> bool:
    """Say whether a block in `content` is a call that somebody else than the provider answers."""
    match part:
        case {"type": str(kind), "name": str() | None} if kind in CALL_BLOCKS:
            return isinstance(part.get(CALL_BLOCKS[kind][0]), str | None)
        case _:
            return False


def read_call_block(part: Mapping[str, Any], path: str, here: str, calls: Calls, made: str) -> Placed:
    """Read a block in `content` that is a call: the call of which it is a copy, in its place, or a call by itself.

    `path` points into the record, `here` from the fields of the message on.
    """
    kind = part["type"]
    id_key, key = CALL_BLOCKS[kind]
    found = calls.named(part.get(id_key) or "", part.get("name") or "")
    if found is None:
        return [_alone(part, path, kind, made)]
    index = next(n for n, (block, _) in enumerate(calls.placed) if block is found)
    origin = calls.placed.pop(index)[1]
    shown = {"type": kind, "name": found.tool_name, id_key: found.call_id, key: part.get(key)}
    text = part.get(key) if isinstance(part.get(key), str) else encode_text(part.get(key))
    if part.get(key) not in (None, "", {}) and not has_same_value(str(text), found.arguments):
        shown[key] = None
    if isinstance(whole := part.get("partial_json"), str) and has_same_value(whole, found.arguments):
        shown["partial_json"] = whole
    calls.ext += [Extra(DIFFERS, place, text) for place, text in differences(part, shown, here)]
    return [(replace(found, ext=(*found.ext, Extra(COPY, "", encode_text(part)), *_item_of(part))), origin)]


def _item_of(part: Mapping[str, Any]) -> tuple[Extra, ...]:
    """Give the id of the item that a call was in OpenAI's Responses, beside that of the call."""
    held = part.get("id") if part["type"] == "function_call" else None
    return (Extra(ITEM_ID, "", encode_text(held)),) if isinstance(held, str) and held.startswith("fc_") else ()


def _alone(part: Mapping[str, Any], path: str, kind: str, made: str) -> tuple[Any, BlockOrigin]:
    """Read a call that stands in `content` alone."""
    id_key, key = CALL_BLOCKS[kind]
    call_id, is_made = call_id_of(part.get(id_key), made)
    value = part.get(key)
    is_text = isinstance(value, str) and kind in ("function_call", "invalid_tool_call")
    known = {"type", "name", key, *((id_key,) if is_made or isinstance(part.get(id_key), str) else ())}
    ext = (*extras(FAMILY, part, known), Extra(COPY, "", encode_text(part)), Extra(PLACE, "", IN_CONTENT))
    arguments = str(value) if is_text else encode_text(value if value not in (None, "") else {})
    call = ToolCall(call_id, part.get("name") or "", arguments, is_id_synthetic=is_made, ext=ext)
    return call, BlockOrigin(path, {"call_id": f"/{id_key}", "tool_name": "/name", "arguments": f"/{key}"})
