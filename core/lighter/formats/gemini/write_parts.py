"""Writing blocks as parts."""

from typing import Any

from lighter.conversation import BlockOrigin
from lighter.formats._chat_parts import no_place
from lighter.formats._google import USUAL_TYPES, is_by_address, note_thought, signature_of
from lighter.formats._notes import Notes
from lighter.formats._noting import note_number, note_refusal, note_text_document, written_object
from lighter.formats._writing import Item, extra_at, feature_of
from lighter.formats.gemini.parts import DETAILS, is_base64, type_of_uri
from lighter.formats.gemini.shapes import AS_TEXT, NAME, SPELLING, URL_SAFE, WRAP, is_own, own
from lighter.jsontext import decode
from lighter.messages import (
    Block,
    MediaBlock,
    OpaqueBlock,
    ReasoningBlock,
    RefusalBlock,
    TextBlock,
    ToolCall,
    ToolResultBlock,
)

_LEVELS = {detail: level for level, detail in DETAILS.items()}


def write_part(block: Block, origin: BlockOrigin, item: Item) -> Any:
    """Write one block of a message as a part; None when it has no place here, which is noted."""
    notes = item.notes
    notes.cache_mark(block.cache, origin, "parts")
    match block:
        case OpaqueBlock(format="gemini"):
            return notes.placed(decode(block.json), origin)
        case TextBlock():
            part = _text(block, origin, notes)
        case ReasoningBlock():
            part = _thought(block, origin, notes)
        case MediaBlock():
            part = write_media(block, origin, notes)
        case ToolCall() if block.kind != "server":
            part = _call(block, origin, item)
        case RefusalBlock():
            note_refusal(block, origin, item)
            part = {"text": block.text}
        case ToolCall() | ToolResultBlock():
            notes.dropped(origin.path, "server-tool", "only its own provider can hold it")
            return None
        case _:
            notes.dropped(origin.path, feature_of(block), f"{NAME} cannot hold it here")
            return None
    return None if part is None else notes.placed(part, origin)


def _own(part: Any, block: Block, origin: BlockOrigin, notes: Notes, held: tuple[str, ...] = ()) -> Any:
    notes.extras(block.ext, origin.path, held=held)
    return own(part, block.ext)


def _text(block: TextBlock, origin: BlockOrigin, notes: Notes) -> Any:
    """Write text; a part without any data is refused, so that empty text of another format is left out."""
    if not block.text and not is_own(block.ext):
        notes.dropped(origin.path, "empty-text", f"{NAME} refuses a part with nothing in it")
        return None
    written = _own({"text": block.text}, block, origin, notes)
    return block.text if extra_at(block.ext, WRAP, "") == AS_TEXT else written


def _thought(block: ReasoningBlock, origin: BlockOrigin, notes: Notes) -> Any:
    """Write reasoning as a thought; without text or signature there is nothing in it."""
    signature = signature_of(block)
    if not block.text and signature is None and not is_own(block.ext):
        notes.dropped(origin.path, "reasoning", "only its own provider can read it")
        return None
    note_thought(block, origin, notes, is_own=is_own(block.ext))
    signed = {} if signature is None else {"thoughtSignature": signature.data}
    return own({"text": block.text, "thought": True, **signed}, block.ext)


def _call(call: ToolCall, origin: BlockOrigin, item: Item) -> Any:
    notes = item.notes
    is_restored = any(extra.format == SPELLING and extra.path.endswith("/args") for extra in call.ext)
    value = written_object(call, origin, item, is_restored=is_restored)
    function: dict[str, Any] = {"name": call.tool_name, "args": value}
    if not call.is_id_synthetic:
        function["id"] = call.call_id
    part: dict[str, Any] = {"functionCall": function}
    for opaque in call.opaque:
        if opaque.provider == NAME:
            part["thoughtSignature"] = opaque.data
        else:
            notes.dropped(origin.at("opaque"), "signature", "only its own provider can read it")
    return _own(part, call, origin, notes, note_number(call, origin, notes))


def write_media(block: MediaBlock, origin: BlockOrigin, notes: Notes) -> Any:
    """Write media by value or by address; None when they have no place here, which is noted."""
    named = {} if block.name is None else {"displayName": block.name}
    part: dict[str, Any]
    if block.source == "base64":
        data = _as_spelled(block)
        if not is_own(block.ext) and not is_base64(data):
            notes.dropped(origin.path, feature_of(block), "what should be base64 is none, and is refused")
            return None
        part = {"inlineData": {**_typed(block, origin, notes), "data": data, **named}}
    elif is_by_address(block):
        part = {"fileData": {"fileUri": block.data, **_typed(block, origin, notes), **named}}
    elif block.source == "text":
        note_text_document(block, origin, notes)
        return {"text": block.data} if block.data else None
    else:
        why = "a file id of another provider" if block.source == "file_id" else no_place(block, NAME)
        notes.dropped(origin.path, "file-id" if block.source == "file_id" else feature_of(block), why)
        return None
    if block.detail is not None:
        if block.detail in _LEVELS:
            part["mediaResolution"] = {"level": _LEVELS[block.detail]}
        else:
            notes.dropped(origin.at("detail"), "image-detail", f"{NAME} has no resolution {block.detail}")
    return _own(part, block, origin, notes)


def _typed(block: MediaBlock, origin: BlockOrigin, notes: Notes) -> dict[str, str]:
    """Give the media type, by which media are told apart here."""
    if block.media_type is not None:
        return {"mimeType": block.media_type}
    if is_own(block.ext):
        return {}
    told = type_of_uri(block.data) if block.source != "base64" else None
    usual = told if told is not None and told.startswith(f"{block.kind}/") else USUAL_TYPES[block.kind]
    notes.synthesised(origin.path, "media-type", f"media must tell their type here; it is {usual}")
    return {"mimeType": usual}


def _as_spelled(block: MediaBlock) -> str:
    """Give base64 in the alphabet and with the padding that it had."""
    told = next((decode(extra.json) for extra in block.ext if extra.format == URL_SAFE), None)
    if told is None:
        return block.data
    is_url_safe, missing = told
    data = block.data[: len(block.data) - missing] if missing else block.data
    return data.replace("+", "-").replace("/", "_") if is_url_safe else data
