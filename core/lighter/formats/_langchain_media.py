"""LangChain's own blocks for images, sound, films and files, of version 0 and 1 and in both spellings, both ways.

langchain_core/messages/content.py (1.8.3), @langchain/core/dist/messages/content (1.4.0).
"""

from collections.abc import Mapping
from typing import Any, Literal

from lighter.conversation import BlockOrigin
from lighter.formats._langchain import FAMILY, SPELLING, own_mark
from lighter.formats._reading import extras, media_source
from lighter.formats._writing import extra_at
from lighter.formats.anthropic.blocks import cache_control, cache_of
from lighter.jsontext import decode, encode_text, keys_of
from lighter.messages import Block, Extra, MediaBlock, MediaKind, MediaSource

Language = Literal["python", "js"]

_KINDS: Mapping[str, MediaKind] = {
    "image": "image",
    "audio": "audio",
    "video": "video",
    "file": "document",
    "text-plain": "document",
}
_TYPES = {kind: name for name, kind in _KINDS.items() if name != "text-plain"}
_KEYS: Mapping[Language, Mapping[MediaSource, str]] = {
    "python": {"base64": "base64", "url": "url", "file_id": "file_id", "text": "text"},
    "js": {"base64": "data", "url": "url", "file_id": "fileId", "text": "text"},
}
_MIME: Mapping[Language, str] = {"python": "mime_type", "js": "mimeType"}
_FOUND: tuple[tuple[str, MediaSource], ...] = (
    ("base64", "base64"),
    ("data", "base64"),
    ("url", "url"),
    ("file_id", "file_id"),
    ("fileId", "file_id"),
    ("text", "text"),
)
_OLD_KEYS: Mapping[str, tuple[str, MediaSource]] = {
    "base64": ("data", "base64"),
    "url": ("url", "url"),
    "id": ("id", "file_id"),
    "text": ("text", "text"),
}
"""What `source_type` says about blocks of version 0: the key of the data, and what they are."""

_NAMES = ("/extras/filename", "/filename", "/title", "/metadata/filename", "/metadata/name", "/metadata/title")
_DETAILS = ("/extras/detail", "/detail")


def read_media(part: Mapping[str, Any], path: str, name: str, language: Language) -> tuple[Block, BlockOrigin] | None:
    """Read a data block; None when it is none of LangChain's own, or holds its data in another way."""
    native = part.get("type")
    if not isinstance(native, str) or native not in _KINDS or (found := _source_of(part)) is None:
        return None
    key, source = found
    data, media_type = part[key], None
    mime_key = next((mime for mime in _MIME.values() if isinstance(part.get(mime), str)), None)
    marks: list[Extra] = []
    if source == "url":
        source, data, media_type = media_source(data)
        marks += [Extra(SPELLING, "/data", encode_text(key))] if source == "base64" else []
    if mime_key is not None and media_type in (None, part[mime_key]):
        media_type = part[mime_key]
    elif media_type is not None:
        marks.append(Extra(SPELLING, "/mime_type", "null"))  # the URL tells it
        mime_key = None
    cache, known = cache_of(part)
    known |= {"type", key, *([mime_key] if mime_key else [])}
    marks += [Extra(SPELLING, "/type", encode_text(native))] if (native == "text-plain") != (source == "text") else []
    marks += _old_marks(part, known) or _key_marks(name, language, source, key, mime_key)
    held = {"name": _first(part, _NAMES), "detail": _first(part, _DETAILS)}
    for field, usual in (("name", _usual_name(native)), ("detail", "/extras/detail")):
        if (place := held[field]) is not None and place[0] != usual:
            marks.append(Extra(SPELLING, f"/{field}", encode_text(place[0])))
    kept = _kept(part, known, [place[0] for place in held.values() if place is not None])
    name_at, detail_at = held["name"], held["detail"]
    block = MediaBlock(
        _KINDS[native],
        source,
        data,
        media_type,
        name_at[1] if name_at else None,
        detail_at[1] if detail_at else None,
        cache=cache,
        ext=(*kept, *marks),
    )
    fields = {"data": f"/{key}", "cache": "/cache_control", **({"media_type": f"/{mime_key}"} if mime_key else {})}
    return block, BlockOrigin(path, fields | {field: place[0] for field, place in held.items() if place})


def _source_of(part: Mapping[str, Any]) -> tuple[str, MediaSource] | None:
    """Tell under which key the data stand, and what they are."""
    if (kind := part.get("source_type")) is not None:
        key, source = _OLD_KEYS.get(kind, ("", "url")) if isinstance(kind, str) else ("", "url")
        return (key, source) if isinstance(part.get(key), str) else None
    return next(((key, source) for key, source in _FOUND if isinstance(part.get(key), str)), None)


def _old_marks(part: Mapping[str, Any], known: set[str]) -> list[Extra]:
    if "source_type" not in part:
        return []
    known.add("source_type")
    return [Extra(SPELLING, "/source_type", encode_text(part["source_type"]))]


def _key_marks(name: str, language: Language, source: MediaSource, key: str, mime_key: str | None) -> list[Extra]:
    """Remember keys that are not those of the language; only the own form spells them so again."""
    marks = []
    if _KEYS[language].get(source) != key and key != "url":
        marks.append(Extra(own_mark(name), "/data", encode_text(key)))
    if mime_key not in (None, _MIME[language]):
        marks.append(Extra(own_mark(name), "/mime_type", encode_text(mime_key)))
    return marks


def _usual_name(native: str) -> str:
    return "/title" if native == "text-plain" else "/extras/filename"


def _first(part: Mapping[str, Any], places: tuple[str, ...]) -> tuple[str, str] | None:
    for place in places:
        holder: Any = part
        for key in keys_of(place):
            holder = holder.get(key) if isinstance(holder, dict) else None
        if isinstance(holder, str):
            return place, holder
    return None


def _kept(part: Mapping[str, Any], known: set[str], taken: list[str]) -> tuple[Extra, ...]:
    """Keep what else a block holds, key by key where a part of an object was read."""
    kept: list[Extra] = []
    for extra in extras(FAMILY, part, known):
        inside = [place for place in taken if place.startswith(f"{extra.path}/")]
        if inside:
            value = part[keys_of(extra.path)[0]]
            kept += extras(FAMILY, value, {keys_of(place)[-1] for place in inside}, extra.path)
        elif extra.path not in taken:
            kept.append(extra)
    return tuple(kept)


def write_media(block: MediaBlock, name: str, language: Language) -> dict[str, Any] | None:
    """Write a medium as a data block; None for what only another provider's block holds."""
    if block.source == "blocks":
        return None
    native = "text-plain" if block.source == "text" and block.kind == "document" else _TYPES[block.kind]
    native = native if (told := extra_at(block.ext, SPELLING, "/type")) is None else decode(told)
    old = extra_at(block.ext, SPELLING, "/source_type")
    own = own_mark(name)
    part: dict[str, Any] = {"type": native}
    if extra_at(block.ext, SPELLING, "/data") == '"url"' and block.source == "base64":
        part["url"] = f"data:{block.media_type};base64,{block.data}"
    elif old is not None:
        part |= {"source_type": decode(old), _old_key(decode(old)): block.data}
    else:
        key = extra_at(block.ext, own, "/data")
        part[_KEYS[language][block.source] if key is None else decode(key)] = block.data
    if block.media_type is not None and extra_at(block.ext, SPELLING, "/mime_type") is None:
        mime = extra_at(block.ext, own, "/mime_type")
        part["mime_type" if old is not None else _MIME[language] if mime is None else decode(mime)] = block.media_type
    for field, value, usual in (("name", block.name, _usual_name(native)), ("detail", block.detail, "/extras/detail")):
        if value is not None:
            place = extra_at(block.ext, SPELLING, f"/{field}")
            _put(part, usual if place is None else decode(place), value)
    return part | cache_control(block.cache)


def _old_key(kind: str) -> str:
    return _OLD_KEYS[kind][0] if kind in _OLD_KEYS else "data"


def _put(part: dict[str, Any], place: str, value: str) -> None:
    *above, last = keys_of(place)
    holder = part
    for key in above:
        holder = holder.setdefault(key, {})
    holder[last] = value
