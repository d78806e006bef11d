"""Images, sounds, films and documents of Bedrock, both ways."""

from collections.abc import Mapping
from typing import Any

from msgspec import Struct

from lighter.conversation import BlockOrigin
from lighter.formats._reading import extras
from lighter.formats.bedrock.blobs import as_base64
from lighter.formats.bedrock.shapes import MEDIA_TYPES, NAME, SPELLING, format_of
from lighter.jsontext import decode, encode_text
from lighter.media import head_bytes, media_type_of
from lighter.messages import Extra, MediaBlock, MediaSource

_S3 = "s3://"


class _Source(Struct, frozen=True):
    """A source taken apart: what kind it is, the key of its data, the data as lighter holds it, the value of the wire."""

    kind: MediaSource
    key: str
    data: str
    raw: Any


def read_media(block: Mapping[str, Any], kind: Any, path: str) -> tuple[MediaBlock, BlockOrigin] | None:
    """Read a medium; None when its format or source is not one that is known."""
    raw = block[kind]
    if not isinstance(raw, dict) or not isinstance(source := raw.get("source"), dict):
        return None
    told, form, types = _source(source), raw.get("format"), MEDIA_TYPES[kind]
    is_known = form in types if isinstance(form, str) else kind == "document" and "format" not in raw
    if told is None or not is_known:
        return None
    media_type = types[form] if form is not None else None
    name = raw.get("name") if kind == "document" else None
    named = name if isinstance(name, str) else None
    known = {"source", *(("format",) if form is not None else ()), *(("name",) if named is not None else ())}
    kept = (*extras(NAME, block, {kind}), *extras(NAME, raw, known, f"/{kind}"), *_inner(source, told, f"/{kind}"))
    if media_type is not None and format_of(kind, media_type) != form:
        kept = (*kept, Extra(SPELLING, f"/{kind}/format", encode_text(form)))
    fields = {
        "data": f"/{kind}/source{'/s3Location/uri' if told.key == 's3Location' else '/' + told.key}",
        "media_type": f"/{kind}/format",
        "name": f"/{kind}/name",
    }
    media = MediaBlock(kind, told.kind, told.data, media_type, named, ext=kept)
    return media, BlockOrigin(path, fields)


def _source(source: Mapping[str, Any]) -> _Source | None:
    match source:
        case {"bytes": str(data)}:
            return _Source("base64", "bytes", as_base64(data), data)
        case {"s3Location": {"uri": str(uri)} as place} if uri.startswith(_S3):
            return _Source("url", "s3Location", uri, place)
        case {"text": str(text)}:
            return _Source("text", "text", text, text)
        case {"content": list(blocks)} if all(_is_text(block) for block in blocks):
            held = [{"type": "text", "text": block["text"]} for block in blocks]
            return _Source("blocks", "content", encode_text(held), blocks)
        case _:
            return None


def _is_text(block: Any) -> bool:
    return isinstance(block, dict) and block.keys() == {"text"} and isinstance(block["text"], str)


def _inner(source: Mapping[str, Any], told: _Source, base: str) -> tuple[Extra, ...]:
    """Keep what a source holds besides its data, and the text of bytes that were no base64."""
    kept = extras(NAME, source, {told.key}, f"{base}/source")
    if told.key == "s3Location":
        kept += extras(NAME, told.raw, {"uri"}, f"{base}/source/s3Location")
    if told.key == "bytes" and told.data != told.raw:
        kept += (Extra(SPELLING, f"{base}/source/bytes", encode_text(told.raw)),)
    return kept


def media_value(block: MediaBlock, *, is_own: bool) -> dict[str, Any] | None:
    """Write a medium without its name; None when Bedrock cannot hold it. `is_own`: Bedrock wrote it, and knows its format."""
    source = _written_source(block)
    if source is None or (block.kind != "document" and source.keys() & {"text", "content"}):
        return None
    media_type = block.media_type
    if media_type is None and block.source == "base64" and not is_own:
        media_type = media_type_of(head_bytes(block.data))
    form = format_of(block.kind, media_type) if media_type is not None else None
    if form is None and block.source == "url":
        form = _format_by_name(block)
    is_needed = block.source != "blocks" and not (is_own and block.kind == "document")
    if form is None and (is_needed or media_type is not None):
        return None
    return {block.kind: ({"format": form} if form is not None else {}) | {"source": source}}


def _format_by_name(block: MediaBlock) -> str | None:
    """Tell the format of a file in _S3 by the end of its name."""
    ending = block.data.rpartition("/")[2].rpartition(".")[2].lower()
    ending = {"jpg": "jpeg", "3gp": "three_gp"}.get(ending, ending)
    return ending if ending in MEDIA_TYPES.get(block.kind, {}) else None


def _written_source(block: MediaBlock) -> dict[str, Any] | None:
    match block.source:
        case "base64" if block.data:
            return {"bytes": block.data}
        case "url" if block.data.startswith(_S3):
            return {"s3Location": {"uri": block.data}}
        case "text":
            return {"text": block.data}
        case "blocks":
            return _written_blocks(decode(block.data))
        case _:
            return None


def _written_blocks(content: Any) -> dict[str, Any] | None:
    """Write the blocks of a document, which Bedrock holds where they are plain text."""
    match content:
        case str():
            return {"content": [{"text": content}]}
        case list() if all(
            isinstance(block, dict) and block.keys() == {"type", "text"} and block["type"] == "text"
            for block in content
        ):
            return {"content": [{"text": block["text"]} for block in content]}
        case _:
            return None
