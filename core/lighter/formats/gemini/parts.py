"""Reading the parts of a content as blocks; one that is not known is kept whole."""

import binascii
import re
from typing import Any

from lighter.conversation import BlockOrigin
from lighter.formats._google import is_own_file
from lighter.formats._reading import Placed
from lighter.formats.gemini.shapes import DATA_KEYS, NAME, SPELLING, URL_SAFE, Keyed, absent, keyed
from lighter.jsontext import encode_text
from lighter.messages import ABSENT, Block, Extra, MediaBlock, Opaque, OpaqueBlock, ReasoningBlock, TextBlock, ToolCall

_PART_KEYS = (*DATA_KEYS, "thought", "thoughtSignature", "mediaResolution")
DETAILS = {"MEDIA_RESOLUTION_LOW": "low", "MEDIA_RESOLUTION_HIGH": "high"}
"""The resolutions that have a counterpart among the details of other providers."""

TYPES = {
    "png": "image/png", "jpg": "image/jpeg", "jpeg": "image/jpeg", "webp": "image/webp", "gif": "image/gif", "heic": "image/heic",
    "mp3": "audio/mpeg", "wav": "audio/wav", "ogg": "audio/ogg", "flac": "audio/flac", "mp4": "video/mp4", "mov": "video/quicktime",
    "webm": "video/webm", "pdf": "application/pdf", "txt": "text/plain",
}  # fmt: skip
"""Media types by the endings of file names."""

_FILM = re.compile(r"https?://(?:www\.|m\.)?(?:youtube\.com|youtu\.be)/")


def read_part(raw: Any, path: str, made_id: str, *, is_model: bool = True) -> tuple[Block, BlockOrigin]:
    """Read one part; `made_id` is for a call that has none, and calls count as such when the model makes them only."""
    part = keyed(raw if isinstance(raw, dict) else {}, _PART_KEYS)
    if isinstance(raw, dict) and (block := _read(part, path, made_id, is_model=is_model)) is not None:
        return block
    held = [key for key in DATA_KEYS if part.values.get(key) is not None]
    return OpaqueBlock(NAME, held[0] if len(held) == 1 else "part", encode_text(raw)), BlockOrigin(path)


def _read(part: Keyed, path: str, made_id: str, *, is_model: bool) -> tuple[Block, BlockOrigin] | None:
    held = [key for key in DATA_KEYS if part.values.get(key) is not None]
    match held:
        case ["text"] if isinstance(part.values["text"], str):
            return _text(part, path)
        case [] if isinstance(part.values.get("thoughtSignature"), str):
            return _text(part, path)
        case ["inlineData" | "fileData" as key] if isinstance(part.values[key], dict):
            return read_media(part, key, path)
        case ["functionCall"] if is_model and isinstance(part.values["functionCall"], dict):
            return _call(part, path, made_id)
        case _:
            return None


def _signature(part: Keyed) -> tuple[Opaque, ...]:
    signature = part.values.get("thoughtSignature")
    return (Opaque(NAME, "signature", signature),) if isinstance(signature, str) else ()


def _text(part: Keyed, path: str) -> tuple[Block, BlockOrigin]:
    """Read text: a thought as reasoning, and a signature without text, too, since it is nothing that anybody said."""
    text, thought, opaque = part.values.get("text") or "", part.values.get("thought"), _signature(part)
    fields = {"opaque": part.at("thoughtSignature")} | ({"text": part.at("text")} if "text" in part.values else {})
    not_thought = (Extra(SPELLING, part.at("thought"), "false"),) if thought is False else ()
    if thought is not True and (text or not opaque):
        nothing = () if text else (Extra(SPELLING, part.at("text"), '""'),)
        known = {"text", *(("thought",) if not_thought else ())}
        return TextBlock(text, ext=(*part.renamed, *part.kept(known), *not_thought, *nothing)), BlockOrigin(
            path, fields
        )
    spelling = not_thought
    if thought is not True and not not_thought:
        spelling = (Extra(SPELLING, "/thought", ABSENT),)
    taken = ["thoughtSignature"] if opaque else []
    taken += ["thought"] if thought is True or not_thought else []
    taken += ["text"] if isinstance(part.values.get("text"), str) else []
    ext = (*part.renamed, *spelling, *absent(part.raw, "text"), *part.kept(taken))
    return ReasoningBlock(text, opaque, ext=ext), BlockOrigin(path, fields)


def _call(part: Keyed, path: str, made_id: str) -> tuple[Block, BlockOrigin] | None:
    """Read a function call; one without a name is none."""
    raw = part.values["functionCall"]
    call = keyed(raw, ("id", "name", "args"), "/functionCall")
    name, given = call.values.get("name"), call.values.get("id")
    if not isinstance(name, str):
        return None
    holder, opaque = part.at("functionCall"), _signature(part)
    call_id = given if isinstance(given, str) and given else ""
    taken = {"name", "args", *(("id",) if call_id or given == "" else ())}
    spelling = [Extra(SPELLING, f"{holder}/id", '""')] if given == "" else []
    args = call.values.get("args")
    if not isinstance(args, dict):
        spelling.append(Extra(SPELLING, f"{holder}/args", encode_text(args) if "args" in raw else ABSENT))
    ext = (
        *part.renamed, *call.renamed, *spelling, *part.kept({"functionCall", *(("thoughtSignature",) if opaque else ())}),
        *call.kept(taken, holder),
    )  # fmt: skip
    fields = {"tool_name": f"{holder}/name", "arguments": f"{holder}/args", "opaque": part.at("thoughtSignature")}
    fields |= {"call_id": f"{holder}/id"} if call_id else {}
    arguments = "{}" if args is None else encode_text(args)
    block = ToolCall(call_id or made_id, name, arguments, is_id_synthetic=not call_id, opaque=opaque, ext=ext)
    return block, BlockOrigin(path, fields)


def read_media(part: Keyed, key: str, path: str) -> tuple[Block, BlockOrigin] | None:
    """Read an image, sound, film or document, in the part or by its address."""
    source_key = "data" if key == "inlineData" else "fileUri"
    inner = keyed(part.values[key], (source_key, "mimeType", "displayName"), f"/{key}")
    data = inner.values.get(source_key)
    if not isinstance(data, str):
        return None
    texts = {
        name: inner.values[name] for name in ("mimeType", "displayName") if isinstance(inner.values.get(name), str)
    }
    media_type, holder = texts.get("mimeType"), part.at(key)
    source: Any = "base64" if key == "inlineData" else "file_id" if is_own_file(data) else "url"
    spelling: tuple[Extra, ...] = ()
    if source == "base64":
        data, spelling = _standard(data, f"/{key}/data")
    if media_type is None and "mimeType" not in inner.values:
        spelling = (*spelling, Extra(SPELLING, f"{holder}/mimeType", ABSENT))
    detail = _detail(part.values.get("mediaResolution"))
    ext = (
        *part.renamed, *inner.renamed, *spelling, *part.kept({key, *(("mediaResolution",) if detail else ())}),
        *inner.kept({source_key, *texts}, holder),
    )  # fmt: skip
    fields = {"data": holder + inner.at(source_key), "media_type": holder + inner.at("mimeType"),
              "name": holder + inner.at("displayName"), "detail": f"{part.at('mediaResolution')}/level"}  # fmt: skip
    owner = NAME if source == "file_id" else None
    kind = _kind(media_type, data if key == "fileData" else "")
    return MediaBlock(kind, source, data, media_type, texts.get("displayName"), detail, owner, ext=ext), BlockOrigin(
        path, fields
    )


def type_of_uri(uri: str) -> str | None:
    """Tell the media type of a file from the ending of its address."""
    return TYPES.get(uri.partition("?")[0].partition("#")[0].rpartition(".")[2].lower())


def _kind(media_type: str | None, uri: str) -> Any:
    start = (media_type or type_of_uri(uri) or "").partition("/")[0]
    if start in ("image", "audio", "video"):
        return start
    return "video" if _FILM.match(uri) else "document"


def _detail(resolution: Any) -> str | None:
    match resolution:
        case {"level": str(level), **rest} if not rest:
            return DETAILS.get(level)
        case _:
            return None


def _standard(data: str, place: str) -> tuple[str, tuple[Extra, ...]]:
    """Give base64 in the usual alphabet and with its padding, and remember what was otherwise."""
    if is_base64(data):
        return data, ()
    missing = -len(data) % 4
    usual = data.replace("-", "+").replace("_", "/") + "=" * missing
    is_url_safe = "-" in data or "_" in data
    if (is_url_safe and ("+" in data or "/" in data)) or not is_base64(usual):
        return data, (Extra(URL_SAFE, place, "[false,0]"),)  # kept as it is, though it is none
    return usual, (Extra(URL_SAFE, place, encode_text([is_url_safe, missing])),)


def is_base64(data: str) -> bool:
    """Say whether a text is base64 in the usual alphabet."""
    try:
        binascii.a2b_base64(data, strict_mode=True)
    except ValueError:
        return False
    return True


def read_parts(raw: Any, path: str, made_id: str, *, is_model: bool) -> Placed:
    """Read a list of parts; what is no list is kept as it is, and a text alone is a part of it."""
    match raw:
        case list():
            return [
                read_part(part, f"{path}/{n}", numbered(made_id, n), is_model=is_model) for n, part in enumerate(raw)
            ]
        case None:
            return []
        case _:
            return [(OpaqueBlock(NAME, "parts", encode_text(raw)), BlockOrigin(path))]


def numbered(made_id: str, index: int) -> str:
    """Make an id for the call or result at an index of a content."""
    return f"{made_id}_{index}" if index else made_id
