"""Contents of the steps of the Interactions API, both ways."""

from typing import Any

from lighter.conversation import BlockOrigin
from lighter.formats._google import PROVIDER, USUAL_TYPES, is_by_address, is_own_file
from lighter.formats._reading import Placed, unknown_block
from lighter.formats.gemini_interactions.shapes import NAME, SPELLING, kept, own
from lighter.jsontext import decode, encode_text, step
from lighter.messages import ABSENT, Block, Extra, MediaBlock, OpaqueBlock, RefusalBlock, TextBlock

DETAILS = ("low", "high")
"""The resolutions that are called as the details of images are elsewhere."""


def read_contents(content: Any, path: str) -> Placed:
    """Read a list of contents; what is no list is kept as it is."""
    match content:
        case None:
            return []
        case list():
            return [read_content(item, path + step(n)) for n, item in enumerate(content)]
        case _:
            return [(OpaqueBlock(NAME, "contents", encode_text(content)), BlockOrigin(path))]


_OFFICE = "application/vnd.openxmlformats-officedocument"
_OPEN = "application/vnd.oasis.opendocument"
_DOCUMENT_TYPES = frozenset({
    "application/pdf", "text/csv", "application/msword", "application/vnd.ms-excel", "application/vnd.ms-powerpoint",
    f"{_OFFICE}.presentationml.presentation", f"{_OFFICE}.wordprocessingml.document", f"{_OFFICE}.wordprocessingml.template",
    f"{_OFFICE}.spreadsheetml.sheet", f"{_OPEN}.presentation", f"{_OPEN}.text", f"{_OPEN}.spreadsheet",
})  # fmt: skip
"""The documents that the API takes (google-genai 3.6.1, `DocumentContentMimeType`)."""


def read_content(raw: Any, path: str) -> tuple[Block, BlockOrigin]:
    """Read one content; one that is not known is kept whole."""
    match raw:
        case {"type": "text", "text": str(text)}:
            nothing = () if text else (Extra(SPELLING, "/text", '""'),)
            return TextBlock(text, ext=(*kept(raw, {"type", "text"}), *nothing)), BlockOrigin(path, {"text": "/text"})
        case {"type": ("image" | "audio" | "video" | "document") as kind}:
            held = [key for key in ("data", "uri") if raw.get(key) is not None]
            if len(held) == 1 and isinstance(data := raw[held[0]], str):
                return _media(raw, kind, held[0], data, path)
        case _:
            pass
    return unknown_block(NAME, raw, path, "content")


def _media(raw: dict[Any, Any], kind: Any, key: str, data: str, path: str) -> tuple[Block, BlockOrigin]:
    media_type = raw["mime_type"] if isinstance(raw.get("mime_type"), str) else None
    name = raw["name"] if isinstance(raw.get("name"), str) else None
    detail = raw["resolution"] if raw.get("resolution") in DETAILS else None
    source: Any = "base64" if key == "data" else "file_id" if is_own_file(data) else "url"
    told = {"mime_type": media_type, "name": name, "resolution": detail}
    known = {"type", key, *(field for field, value in told.items() if value is not None)}
    ext = kept(raw, known)
    if media_type is None and "mime_type" not in raw:
        ext += (Extra(SPELLING, "/mime_type", ABSENT),)
    owner = PROVIDER if source == "file_id" else None
    fields = {"data": f"/{key}", "media_type": "/mime_type", "name": "/name", "detail": "/resolution"}
    return MediaBlock(kind, source, data, media_type, name, detail, owner, ext=ext), BlockOrigin(path, fields)


def write_content(block: Block) -> dict[str, Any] | None:
    """Write a block as a content; None when there is none like it. What was kept of it is put back."""
    content: dict[str, Any]
    match block:
        case OpaqueBlock(format="gemini-interactions"):
            value = decode(block.json)
            return value if isinstance(value, dict) else None
        case TextBlock() | RefusalBlock():
            content = {"type": "text", "text": block.text}
        case MediaBlock(kind="document") if not _is_taken(block):
            return None
        case MediaBlock() if block.source == "base64" or is_by_address(block):
            content = _written(block)
        case _:
            return None
    written: dict[str, Any] = own(content, block.ext)
    return written


def _is_taken(block: MediaBlock) -> bool:
    """Say whether a document is of a type that the API takes, or stood there already."""
    is_known = block.media_type is None or block.media_type in _DOCUMENT_TYPES
    return is_known or any(extra.format in (NAME, SPELLING) for extra in block.ext)


def _written(block: MediaBlock) -> dict[str, Any]:
    content: dict[str, Any] = {"type": block.kind}
    if block.media_type is not None or block.source == "base64":
        content["mime_type"] = block.media_type or USUAL_TYPES[block.kind]
    content["data" if block.source == "base64" else "uri"] = block.data
    if block.detail in DETAILS and block.kind != "audio":
        content["resolution"] = block.detail
    if block.name is not None and has_name(block):
        content["name"] = block.name
    return content


def has_name(block: MediaBlock) -> bool:
    """Say whether such media carry a name here (google-genai 3.6.1: VideoContent alone), or carried one."""
    return block.kind == "video" or any(extra.format == SPELLING for extra in block.ext)
