"""Reading single items of the Responses API: what the assistant said as blocks, everything else as a message."""

from collections.abc import Mapping
from typing import Any

from msgspec.structs import replace

from lighter.conversation import BlockOrigin, Origin, WireMessage
from lighter.formats._entries import Spoken, filled
from lighter.formats._reading import ENVELOPE, Placed, unread
from lighter.formats.openai_responses.parts import content_blocks, kept
from lighter.formats.openai_responses.shapes import AS_PARTS, AS_TEXT, CALLS, ITEM_SPELLING, NAME, OUTPUTS, SPELLING
from lighter.jsontext import encode_text, step
from lighter.messages import (
    ABSENT,
    PARAGRAPH,
    Block,
    Extra,
    Message,
    Opaque,
    OpaqueBlock,
    OtherMessage,
    ReasoningBlock,
    SystemMessage,
    TextBlock,
    ToolCall,
    ToolMessage,
    UserMessage,
    with_blocks,
)

PROVIDER = "openai"
"""Whose state encrypted reasoning is."""

_MESSAGE_KEYS = {"role", "content", "type"}
_ROLES = ("user", "system", "developer")


def spoken(wire: WireMessage) -> Spoken | None:
    """Read an item of the assistant's turn, and keep what belongs to the item; None for messages of others, and results."""
    placed = _blocks(wire)
    return None if placed is None else (placed, _item_extras(wire))


def _blocks(wire: WireMessage) -> Placed | None:
    """Read an item of the assistant's turn as blocks.

    Items that only this API knows count as the assistant's, so that they stay where they are between the others.
    """
    raw = wire.raw
    if not isinstance(raw, dict):
        return None
    match raw:
        case {"type": ("function_call" | "custom_tool_call") as kind, "call_id": str(call_id), "name": str(name)}:
            key = CALLS[kind]
            if call_id and isinstance(raw.get(key), str):
                return [_call(raw, kind, call_id, name, wire.path)]
        case {"type": "reasoning"}:
            if (block := _reasoning(raw, wire.path)) is not None:
                return [block]
        case {"type": ("function_call_output" | "custom_tool_call_output"), "output": _}:
            return None
        case {"role": "assistant", "content": str() | list() as content} if raw.get("type", "message") == "message":
            if _is_content(content):
                return _said(raw, content, wire.path)
        case {"role": role} if raw.get("type", "message") == "message" and role != "assistant":
            return None
    native = raw.get("type", "item_reference" if raw.keys() == {"id"} else "item")
    block_type = native if isinstance(native, str) else "item"
    return [(OpaqueBlock(NAME, block_type, encode_text(raw)), BlockOrigin(wire.path))]


def _call(raw: Mapping[str, Any], kind: str, call_id: str, name: str, path: str) -> tuple[Block, BlockOrigin]:
    key = CALLS[kind]
    call = ToolCall(
        call_id,
        name,
        raw[key],
        "custom" if kind == "custom_tool_call" else "function",
        ext=kept(raw, {"type", "call_id", "name", key}),
    )
    return call, BlockOrigin(path, {"call_id": "/call_id", "tool_name": "/name", "arguments": f"/{key}"})


def _reasoning(raw: Mapping[str, Any], path: str) -> tuple[Block, BlockOrigin] | None:
    """Read a reasoning item: its summary, or else its content, is the text; what that does not tell is kept."""
    summary, content = _texts(raw.get("summary"), "summary_text"), _texts(raw.get("content"), "reasoning_text")
    if summary is None:
        return None
    text = PARAGRAPH.join(summary or content or ())
    known = {"type"}
    if summary == ([text] if text else []):
        known.add("summary")
    encrypted = raw.get("encrypted_content")
    opaque = (Opaque(PROVIDER, "encrypted", encrypted),) if isinstance(encrypted, str) else ()
    known |= {"encrypted_content"} if opaque else set()
    ext = kept(raw, known)
    if "id" not in raw:
        ext += (Extra(SPELLING, "/id", ABSENT),)
    fields = {"text": "/summary" if summary else "/content", "opaque": "/encrypted_content"}
    return ReasoningBlock(text, opaque, ext=ext), BlockOrigin(path, fields)


def _texts(parts: Any, kind: str) -> list[str] | None:
    """List the texts of parts of one type; None when there is anything else among them."""
    texts = []
    for part in parts if isinstance(parts, list) else (None,):
        match part:
            case {"type": found, "text": str(text), **rest} if found == kind and not rest:
                texts.append(text)
            case _:
                return None
    return texts


def _item_extras(wire: WireMessage) -> tuple[Extra, ...]:
    """Keep what belongs to a message item of the assistant, whatever becomes of its parts: pointers into the record."""
    raw = wire.raw
    if raw.get("role") != "assistant" or raw.get("type", "message") != "message" or not _is_content(raw.get("content")):
        return ()
    return tuple(Extra(ENVELOPE, wire.path + step(key), encode_text(raw[key])) for key in _told(raw))


def _is_content(content: Any) -> bool:
    return isinstance(content, str) or (isinstance(content, list) and bool(content))


def _told(raw: Mapping[str, Any]) -> list[str]:
    return [key for key, value in raw.items() if key not in _MESSAGE_KEYS and value is not None]


def _said(raw: Mapping[str, Any], content: str | list[Any], path: str) -> Placed:
    """Read the parts of a message item of the assistant; the first block tells which item it was, and its spelling."""
    is_output = "id" in raw or "status" in raw
    ext = [Extra(ITEM_SPELLING, step(key), "null") for key, value in raw.items() if value is None]
    if _told(raw):
        ext.append(Extra(ITEM_SPELLING, "", encode_text(path)))
    if ("type" in raw) != is_output:
        ext.append(Extra(ITEM_SPELLING, "/type", '"message"' if "type" in raw else ABSENT))
    if isinstance(content, str):
        if is_output:
            ext.append(Extra(ITEM_SPELLING, "/content", AS_TEXT))
        return [(TextBlock(content, ext=tuple(ext)), BlockOrigin(f"{path}/content"))]
    if len(content) == 1 and not is_output:
        ext.append(Extra(ITEM_SPELLING, "/content", AS_PARTS))
    placed: Placed = []
    for index, (block, origin) in enumerate(content_blocks(content, f"{path}/content", "output_text", has_detail=True)):
        if index or isinstance(block, OpaqueBlock):
            ext.append(Extra(ITEM_SPELLING, f"/content{step(index)}", str(index)))
        placed.append((replace(block, ext=(*block.ext, *ext)), origin))
        ext = []
    return placed


def heard(wire: WireMessage) -> tuple[Message, Origin]:
    """Read an item that is not the assistant's: a message of another role, or the result of a call."""
    raw, row, path = wire.raw, wire.record.row, wire.path
    if isinstance(raw, str) and path.endswith("/input"):
        message: Any = UserMessage(raw, ext=(Extra(SPELLING, "/input", AS_TEXT),))
        return with_blocks(message, [TextBlock(raw)] if raw else []), Origin(row, path, {}, (BlockOrigin(path),))
    if not isinstance(raw, dict):
        return unread(NAME, raw), Origin(row, path)
    kind = raw.get("type")
    if isinstance(kind, str) and kind in OUTPUTS:
        return _result(raw, OUTPUTS[kind], wire)
    role = raw.get("role")
    placed = content_blocks(raw.get("content"), f"{path}/content", "input_text", has_detail=True)
    ext = (*kept(raw, {"role", "content", "type"}), *_form_of(raw, placed, "content"))
    if "type" in raw or role in ("system", "developer"):
        ext = (*ext, Extra(SPELLING, "/type", encode_text(raw["type"]) if "type" in raw else ABSENT))
    match role:
        case "user":
            message = UserMessage("", ext=ext)
        case "system" | "developer":
            message = SystemMessage("", is_developer=role == "developer", ext=ext)
        case str():
            message = OtherMessage(role, "", ext=ext)
        case _:
            message = OtherMessage("", "", ext=(*ext, Extra(NAME, "/role", encode_text(role))))
    fields = {"role": f"{path}/role", "content": f"{path}/content"}
    return filled(message, placed, row, path, fields)


def _form_of(raw: Mapping[str, Any], placed: Placed, key: str) -> tuple[Extra, ...]:
    """Remember how content was spelled where a writer would spell it otherwise."""
    if len(placed) == 1 and isinstance(raw[key], list):
        return (Extra(SPELLING, f"/{key}", AS_PARTS),)
    if placed or raw.get(key) == "":
        return ()
    return (Extra(SPELLING, f"/{key}", encode_text(raw[key]) if key in raw else ABSENT),)


def _result(raw: Mapping[str, Any], kind: Any, wire: WireMessage) -> tuple[Message, Origin]:
    path = wire.path
    placed = content_blocks(raw["output"], f"{path}/output", "input_text", has_detail=kind == "custom")
    given = raw.get("call_id")
    call_id = given if isinstance(given, str) and given else ""
    name = raw["name"] if isinstance(raw.get("name"), str) else None
    known = {"type", "output", *(("call_id",) if call_id else ()), *(("name",) if name is not None else ())}
    ext = (*kept(raw, known), *_form_of(raw, placed, "output"))
    if "call_id" not in raw:
        ext = (*ext, Extra(SPELLING, "/call_id", ABSENT))
    message = ToolMessage(
        call_id or f"call_{wire.index}",
        name or "",
        "",
        None,
        kind=kind,
        is_id_synthetic=not call_id,
        name=name,
        ext=ext,
    )
    fields = {"call_id": f"{path}/call_id", "content": f"{path}/output", "kind": f"{path}/type"}
    fields |= {"name": f"{path}/name", "tool_name": f"{path}/name"} if name is not None else {}
    return filled(message, placed, wire.record.row, path, fields)
