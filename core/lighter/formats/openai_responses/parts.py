"""Content parts of the Responses API, both ways."""

from collections.abc import Collection, Mapping
from typing import Any

from msgspec.structs import replace

from lighter.conversation import BlockOrigin
from lighter.formats._chat_parts import file_data_of, is_detailed, known_detail, read_file_data, url_of
from lighter.formats._openai import CACHE_KEY, CACHED, read_cache, with_cache
from lighter.formats._reading import Placed, content_of, empty_as, extras, media_source, unknown_block
from lighter.formats._writing import restore
from lighter.formats.openai_responses.shapes import NAME, SPELLING
from lighter.jsontext import decode, encode_text
from lighter.messages import (
    ABSENT,
    Block,
    Extra,
    MediaBlock,
    OpaqueBlock,
    RefusalBlock,
    TextBlock,
)


def kept(raw: Mapping[str, Any], known: Collection[str], spelling: str = SPELLING) -> tuple[Extra, ...]:
    """Keep the keys that a reader does not know; one that is null or an empty list says nothing, so it is spelling only."""
    return empty_as(spelling, extras(NAME, raw, known))


def own(value: Any, ext: tuple[Extra, ...]) -> Any:
    """Put back what was kept of a value: keys that only this API knows, and its spelling."""
    return restore(value, ext, NAME, SPELLING)


def content_blocks(content: Any, path: str, usual: str, *, has_detail: bool) -> Placed:
    """Read text or a list of parts; anything else is kept as it is.

    `usual` is the type that text has here, `has_detail` whether an image must tell its detail.
    """
    return content_of(NAME, content, path, lambda part, place: read_part(part, place, usual, has_detail=has_detail))


def read_part(part: Any, path: str, usual: str, *, has_detail: bool) -> tuple[Block, BlockOrigin]:
    """Read one content part; one that is not known is kept whole."""
    cache = read_cache(part) if isinstance(part, dict) else None
    known = {"type", CACHE_KEY} if cache else {"type"}
    match part:
        case {"type": ("input_text" | "output_text" | "text") as kind, "text": str(text)}:
            ext = _spelled(kind, usual) + kept(part, {*known, "text"})
            if kind == "output_text":
                ext = _annotated(part, ext)
            return TextBlock(text, cache=cache, ext=ext), BlockOrigin(path, {"text": "/text", **CACHED})
        case {"type": "refusal", "refusal": str(text)}:
            block: Block = RefusalBlock(text, ext=kept(part, {"type", "refusal"}))
            return block, BlockOrigin(path, {"text": "/refusal"})
        case {"type": ("input_image" | "input_file") as kind} if (found := _media(part, kind)) is not None:
            key, media = found
            known |= {key, "detail"} if media.detail is not None else {key}
            known |= {"filename"} if media.name is not None else set()
            ext = media.ext + _spelled(kind, kind if usual == "input_text" else usual) + kept(part, known)
            if has_detail and kind == "input_image" and "detail" not in part:
                ext += (Extra(SPELLING, "/detail", ABSENT),)
            fields = {"data": f"/{key}", "name": "/filename", "detail": "/detail", **CACHED}
            return replace(media, cache=cache, ext=ext), BlockOrigin(path, fields)
        case _:
            return unknown_block(NAME, part, path, "part")


def _spelled(kind: str, usual: str) -> tuple[Extra, ...]:
    return () if kind == usual else (Extra(SPELLING, "/type", encode_text(kind)),)


def _annotated(part: Mapping[str, Any], ext: tuple[Extra, ...]) -> tuple[Extra, ...]:
    """Take an empty list of annotations for granted, and keep their absence."""
    if "annotations" not in part:
        return (*ext, Extra(SPELLING, "/annotations", ABSENT))
    return tuple(extra for extra in ext if (extra.path, extra.json) != ("/annotations", "[]"))


def _media(part: Mapping[str, Any], kind: str) -> tuple[str, MediaBlock] | None:
    """Read an image or a file, and tell which key holds it; None when none or several of them do."""
    held = [key for key in ("image_url", "file_data", "file_url", "file_id") if part.get(key) is not None]
    detail = known_detail(NAME, part.get("detail"))
    name = part["filename"] if kind == "input_file" and isinstance(part.get("filename"), str) else None
    media: Any = "image" if kind == "input_image" else "document"
    if len(held) != 1 or not isinstance(value := part[held[0]], str):
        return None
    match kind, held[0]:
        case (_, "file_id"):
            return "file_id", MediaBlock(media, "file_id", value, name=name, detail=detail)
        case ("input_image", "image_url"):
            source, data, media_type = media_source(value)
            return "image_url", MediaBlock(media, source, data, media_type, detail=detail)
        case ("input_file", "file_data"):
            source, data, media_type, spelled = read_file_data(NAME, value)
            return "file_data", MediaBlock(media, source, data, media_type, name, detail, ext=spelled)
        case ("input_file", "file_url") if "://" in value:
            return "file_url", MediaBlock(media, "url", value, name=name, detail=detail)
        case _:
            return None


def write_part(block: Block, usual: str, *, has_detail: bool) -> dict[str, Any] | None:
    """Write a block as a content part; None when there is no such part. What was kept of it is put back by the caller."""
    part: dict[str, Any]
    match block:
        case TextBlock() if usual == "output_text":
            return {"type": usual, "text": block.text, "annotations": []}
        case TextBlock():
            part = {"type": usual, "text": block.text}
        case RefusalBlock():
            return {"type": "refusal", "refusal": block.text}
        case MediaBlock(kind="image", source="base64" | "url" | "file_id"):
            part = {"type": "input_image", **_source(block, "image_url")}
            if has_detail or is_detailed(NAME, block):
                part["detail"] = known_detail(NAME, block.detail) or "auto"
        case MediaBlock(kind="document", source="base64" | "url" | "file_id"):
            is_link = block.source == "url" and "://" in block.data
            part = {"type": "input_file", **_source(block, "file_url" if is_link else "file_data")}
            part |= {"filename": block.name} if block.name is not None else {}
            part |= {"detail": block.detail} if is_detailed(NAME, block) else {}
        case OpaqueBlock(format="openai-responses"):
            value = decode(block.json)
            return value if isinstance(value, dict) else None
        case _:
            return None
    return with_cache(part, block.cache)


def _source(block: MediaBlock, key: str) -> dict[str, str]:
    match block.source:
        case "file_id":
            return {"file_id": block.data}
        case _:
            return {key: file_data_of(NAME, block) if key == "file_data" else url_of(block)}
