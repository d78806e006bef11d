"""OpenAI Chat content parts and blocks, both ways."""

from collections.abc import Mapping
from typing import Any

from msgspec.structs import replace

from lighter.conversation import BlockOrigin
from lighter.formats._chat_parts import IMAGE_FIELDS, file_data_of, read_file_data, read_image, write_image
from lighter.formats._openai import CACHE_KEY, CACHED, read_cache, with_cache
from lighter.formats._reading import Placed, content_of, extras, unknown_block
from lighter.formats.openai_chat.shapes import NAME
from lighter.jsontext import decode
from lighter.messages import Block, Extra, MediaBlock, OpaqueBlock, ReasoningBlock, RefusalBlock, TextBlock, ToolCall

_AUDIO_TYPES = {"wav": "audio/wav", "mp3": "audio/mpeg"}
_AUDIO_FORMATS = {media_type: name for name, media_type in _AUDIO_TYPES.items()}


def content_blocks(content: Any, path: str) -> Placed:
    """Read the value of `content`: text, a list of parts, or something else that is kept as it is."""
    return content_of(NAME, content, path, read_part)


def read_part(part: Any, path: str) -> tuple[Block, BlockOrigin]:
    """Read one content part; one that is not known is kept whole."""
    cache = read_cache(part) if isinstance(part, dict) else None
    known = {"type", CACHE_KEY} if cache else {"type"}
    match part:
        case {"type": "text", "text": str(text)}:
            block: Block = TextBlock(text, cache=cache, ext=extras(NAME, part, known | {"text"}))
            return block, BlockOrigin(path, {"text": "/text", **CACHED})
        case {"type": "refusal", "refusal": str(text)}:
            return RefusalBlock(text, ext=extras(NAME, part, {"type", "refusal"})), BlockOrigin(
                path, {"text": "/refusal"}
            )
        case {"type": "image_url", "image_url": {"url": str(url)} as image}:
            block = replace(read_image(NAME, part, image, url, known), cache=cache)
            return block, BlockOrigin(path, {**IMAGE_FIELDS, **CACHED})
        case {"type": "input_audio", "input_audio": {"data": str(data), "format": ("wav" | "mp3") as form} as audio}:
            block = MediaBlock("audio", "base64", data, _AUDIO_TYPES[form], cache=cache,
                               ext=(*extras(NAME, part, known | {"input_audio"}), *extras(NAME, audio, {"data", "format"}, "/input_audio")))  # fmt: skip
            return block, BlockOrigin(
                path, {"data": "/input_audio/data", "media_type": "/input_audio/format", **CACHED}
            )
        case {"type": "file", "file": dict(file)} if (block_and_key := _file(file)) is not None:
            kind, key, named = block_and_key
            source, data, media_type, spelled = kind
            owner = NAME if source == "file_id" else None
            block = MediaBlock("document", source, data, media_type, named, provider=owner, cache=cache,
                               ext=(*extras(NAME, part, known | {"file"}), *extras(NAME, file, {key, "filename"} if named is not None else {key}, "/file"), *spelled))  # fmt: skip
            return block, BlockOrigin(path, {"data": f"/file/{key}", "name": "/file/filename", **CACHED})
        case _:
            return unknown_block(NAME, part, path, "part")


def _file(file: Mapping[str, Any]) -> tuple[tuple[Any, str, str | None, tuple[Extra, ...]], str, str | None] | None:
    name = file.get("filename")
    named = name if isinstance(name, str) else None
    match file:
        case {"file_data": str(data)}:
            return read_file_data(NAME, data), "file_data", named
        case {"file_id": str(data)}:
            return ("file_id", data, None, ()), "file_id", named
        case _:
            return None


def is_in_content(block: Block) -> bool:
    """Say whether a block stands in the content of a message: calls, audio and a dialect's reasoning stand beside it in a chat."""
    match block:
        case ToolCall():
            return block.kind == "server"
        case ReasoningBlock() | RefusalBlock():
            return block.carrier is None
        case OpaqueBlock():
            return block.native_type not in ("tool_call", "audio")
        case _:
            return True


def write_part(block: Block) -> dict[str, Any] | None:
    """Write a block as a content part; None when there is no such part. Extras are put back by the caller."""
    part: dict[str, Any]
    match block:
        case TextBlock():
            part = {"type": "text", "text": block.text}
        case RefusalBlock():
            part = {"type": "refusal", "refusal": block.text}
        case MediaBlock(kind="image", source="base64" | "url"):
            part = write_image(NAME, block)
        case MediaBlock(kind="audio", source="base64") if block.media_type in _AUDIO_FORMATS:
            part = {
                "type": "input_audio",
                "input_audio": {"data": block.data, "format": _AUDIO_FORMATS[block.media_type]},
            }
        case MediaBlock(kind="document", source="base64" | "url") if block.source == "base64" or block.data.startswith(
            "data:"
        ):
            file = {"file_data": file_data_of(NAME, block)} | (
                {"filename": block.name} if block.name is not None else {}
            )
            part = {"type": "file", "file": file}
        case MediaBlock(kind="document", source="file_id", provider="openai-chat"):
            part = {
                "type": "file",
                "file": {"file_id": block.data} | ({"filename": block.name} if block.name is not None else {}),
            }
        case OpaqueBlock(format="openai-chat") if block.native_type not in ("tool_call", "audio", "content"):
            value = decode(block.json)
            return value if isinstance(value, dict) else None
        case _:
            return None
    return with_cache(part, block.cache)
