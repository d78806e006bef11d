"""Reading what stands in the content of a LangChain message: blocks of LangChain's own, and those of providers.

The packages keep a provider's blocks as they came, so that they can be sent back; its own reader and writer know them here, too.
"""

from collections.abc import Mapping
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from lighter.conversation import BlockOrigin, WireMessage
from lighter.formats._langchain import FAMILY, SPELLING, own_mark
from lighter.formats._langchain_converse import read_converse
from lighter.formats._langchain_media import Language, read_media
from lighter.formats._reading import Placed, extras, media_source
from lighter.formats.anthropic import NAME as ANTHROPIC
from lighter.formats.anthropic.blocks import cache_of
from lighter.formats.anthropic.blocks import read_block as read_anthropic
from lighter.formats.openai_chat.parts import read_part as read_openai
from lighter.formats.openai_chat.shapes import NAME as OPENAI
from lighter.formats.openai_responses.items import PROVIDER, spoken
from lighter.formats.openai_responses.shapes import NAME as RESPONSES
from lighter.formats.openai_responses.shapes import OPAQUE_ITEMS
from lighter.jsontext import encode_text
from lighter.messages import (
    ABSENT,
    Block,
    Extra,
    MediaBlock,
    Opaque,
    OpaqueBlock,
    ReasoningBlock,
    RefusalBlock,
    TextBlock,
    ToolCall,
    ToolResultBlock,
)
from lighter.records import Record

NATIVE = "langchain-native-spelling"
"""The format name of an extra that says whose block in `content` a block was."""

RAW = "langchain-raw-spelling"
"""The format name of an extra that holds the block that was read, where no writer gives it back as it was."""

IN_EXTRAS = "langchain-extras-spelling"
"""The format name of an extra that says that what OpenAI encrypted stood in `extras`."""

_PROVIDERS = (
    ("anthropic", "anthropic"),
    ("bedrock", "anthropic"),
    ("openai", "openai"),
    ("azure", "openai"),
    ("google", "gemini"),
    ("genai", "gemini"),
    ("vertex", "gemini"),
    ("mistral", "mistral"),
)

_ANTHROPIC = frozenset({"thinking", "redacted_thinking", "server_tool_use", "mcp_tool_use", "search_result", "container_upload"})  # fmt: skip
SERVER_RESULT = "server_tool_result"
SERVER_RESULTS: Mapping[Language, tuple[str, str]] = {
    "python": (SERVER_RESULT, "tool_call_id"),
    "js": ("server_tool_call_result", "toolCallId"),
}
"""How each language spells results of a provider's own tools, and the ids of their calls.

`ServerToolResult` in langchain_core/messages/content.py, `ServerToolCallResult` in @langchain/core/messages/content/tools.
"""

OTHER_LANGUAGE: Mapping[Language, Language] = {"python": "js", "js": "python"}

_NOWHERE = Record(1, b"", None)

PUT_BACK = (FAMILY, OPENAI, ANTHROPIC, RESPONSES)
"""The formats whose extras on blocks are put back: the packages keep what stands beside the text of a provider's block."""


class Setting(Struct, frozen=True):
    """What a reader must know besides a part: the form's name, the language of its spelling, and whose signatures it holds."""

    name: str
    language: Language
    provider: str | None = None


def provider_of(told: str) -> str:
    """Tell whose signatures a message holds by `response_metadata.model_provider`; Bedrock's are those of Claude."""
    return next((provider for mark, provider in _PROVIDERS if mark in told), told)


def read_part(part: Any, path: str, setting: Setting) -> Placed:
    """Read one member of `content` that is no call; one that is not known is kept whole."""
    if isinstance(part, str):
        return [(TextBlock(part, ext=(Extra(SPELLING, "", '"text"'),)), BlockOrigin(path))]
    if not isinstance(part, dict):
        return [_unknown(part, path)]
    own = _own(part, path, setting) or _native(part, path, setting.provider)
    if own is not None:
        return [own]
    return _native_raw(part, path, setting) or [_unknown(part, path)]


def _unknown(part: Any, path: str) -> tuple[Block, BlockOrigin]:
    """Keep a block that is not known; one that calls itself as the content as a whole is called is not taken for that."""
    kind = part.get("type") if isinstance(part, dict) else None
    native = kind if isinstance(kind, str) and kind != "content" else "block"
    return OpaqueBlock(FAMILY, native, encode_text(part)), BlockOrigin(path)


def _own(part: Mapping[str, Any], path: str, setting: Setting) -> tuple[Block, BlockOrigin] | None:
    """Read a block that is LangChain's own, or the same for everybody."""
    match part:
        case {"type": "text", "text": str()}:
            return _text(part, path, setting)
        case {"type": "reasoning", "reasoning": str()}:
            return _reasoning(part, path, setting)
        case {"type": "reasoning", "id": str()} if "summary" not in part and "reasoning" not in part:
            return _reasoning(part, path, setting)
        case {"type": "refusal", "refusal": str(text)}:
            return RefusalBlock(text, ext=extras(FAMILY, part, {"type", "refusal"})), BlockOrigin(
                path, {"text": "/refusal"}
            )
        case {"type": "server_tool_call", "id": str(call_id), "name": str(name), "args": args}:
            ext = extras(FAMILY, part, {"id", "name", "args"})  # the type, too: it is no other format's
            fields = {"call_id": "/id", "tool_name": "/name", "arguments": "/args"}
            return ToolCall(call_id, name, encode_text(args), "server", ext=ext), BlockOrigin(path, fields)
        case {"type": "server_tool_result" | "server_tool_call_result"}:
            return _server_result(part, path, setting)
        case _:
            return read_media(part, path, setting.name, setting.language)


def _server_result(part: Mapping[str, Any], path: str, setting: Setting) -> tuple[Block, BlockOrigin] | None:
    """Read what a provider's own tool gave, in the spelling of either language."""
    language: Language = "python" if part["type"] == SERVER_RESULT else "js"
    id_key = SERVER_RESULTS[language][1]
    if not isinstance(part.get(id_key), str):
        return None
    ext = extras(FAMILY, part, {"type", id_key, "output"})
    if "output" not in part:
        ext = (*ext, Extra(SPELLING, "/output", "null"))
    if language != setting.language:
        ext = (*ext, Extra(own_mark(setting.name), "/:language", encode_text(language)))
    return ToolResultBlock(part[id_key], SERVER_RESULT, encode_text(part.get("output")), ext=ext), BlockOrigin(path)


def _text(part: Mapping[str, Any], path: str, setting: Setting) -> tuple[Block, BlockOrigin]:
    """Read text, beside which the packages keep what its provider told of it."""
    cache, known = cache_of(part)
    cited, item = part.get("annotations"), part.get("id")
    told: list[Extra] = []
    if "citations" in part:
        told.append(Extra(ANTHROPIC, "/citations", encode_text(part["citations"])))
    if setting.provider == PROVIDER and isinstance(item, str) and item.startswith("msg_"):
        told.append(Extra(RESPONSES, "/id", encode_text(item)))
    if setting.provider == PROVIDER and isinstance(cited, list) and not any(map(_is_standard_citation, cited)):
        told.append(Extra(RESPONSES, "/annotations", encode_text(cited)))
    known |= {"text", *(extra.path[1:] for extra in told)}
    fields = {"text": "/text", "cache": "/cache_control"}
    return TextBlock(part["text"], cache=cache, ext=(*extras(FAMILY, part, known), *told)), BlockOrigin(path, fields)


def _is_standard_citation(cited: Any) -> bool:
    return not isinstance(cited, dict) or cited.get("type") in ("citation", "non_standard_annotation")


def _reasoning(part: Mapping[str, Any], path: str, setting: Setting) -> tuple[Block, BlockOrigin]:
    """Read a reasoning block of version 1, into which the packages put what providers gave for the next request."""
    text, more = part.get("reasoning", ""), part.get("extras")
    kept = [Extra(SPELLING, "/type", '"reasoning"')] if "reasoning" in part else [Extra(SPELLING, "/reasoning", ABSENT)]
    known, opaque, key = {"type", "reasoning"}, list[Opaque](), "/extras/signature"
    if isinstance(more, dict) and isinstance(signature := more.get("signature"), str):
        opaque.append(Opaque(setting.provider or "langchain", "signature", signature))
        known.add("extras")
        kept += extras(FAMILY, more, {"signature"}, "/extras")
    if setting.provider == PROVIDER:
        if isinstance(encrypted := part.get("encrypted_content"), str):
            opaque.append(Opaque(PROVIDER, "encrypted", encrypted))
            known.add("encrypted_content")
            key = "/encrypted_content"
        elif isinstance(more, dict) and isinstance(encrypted := more.get("encrypted_content"), str):
            opaque.append(Opaque(PROVIDER, "encrypted", encrypted))
            kept = [e for e in kept if not e.path.startswith("/extras")] + [Extra(IN_EXTRAS, "", "true")]
            kept += extras(FAMILY, more, {"encrypted_content", "signature"}, "/extras")
            known.add("extras")
            key = "/extras/encrypted_content"
        if isinstance(part.get("id"), str):
            kept.append(Extra(RESPONSES, "/id", encode_text(part["id"])))
            known.add("id")
    ext = (*extras(FAMILY, part, known), *kept)
    return ReasoningBlock(text, tuple(opaque), ext=ext), BlockOrigin(path, {"text": "/reasoning", "opaque": key})


def _native(part: Mapping[str, Any], path: str, provider: str | None) -> tuple[Block, BlockOrigin] | None:
    """Read a provider's block that its own writer gives back."""
    kind = part.get("type")
    match part:
        case {"type": "image" | "document", "source": dict()}:
            block, origin = read_anthropic(part, path)
        case {"type": "image_url" | "input_audio" | "file"}:
            block, origin = read_openai(part, path)
        case {"type": "thinking", "thinking": str(text)} if provider not in (None, ANTHROPIC):
            return _thought(part, text, path, str(provider))
        case {"type": str()} if kind in _ANTHROPIC or (
            str(kind).endswith("_tool_result") and isinstance(part.get("tool_use_id"), str)
        ):
            block, origin = read_anthropic(part, path)
        case _:
            return None
    if isinstance(block, OpaqueBlock) and block.format == OPENAI:
        return None
    return _marked(block, Extra(NATIVE, "", encode_text(_owner(block, str(kind))))), origin


def _thought(part: Mapping[str, Any], text: str, path: str, provider: str) -> tuple[Block, BlockOrigin]:
    """Read a block of thinking that another provider's package keeps in Anthropic's form, as that of Gemini does."""
    signature = part.get("signature")
    opaque = (Opaque(provider, "signature", signature),) if isinstance(signature, str) else ()
    kept = extras(FAMILY, part, {"type", "thinking", *(("signature",) if opaque else ())})
    fields = {"text": "/thinking", "opaque": "/signature"}
    return ReasoningBlock(text, opaque, ext=(*kept, Extra(SPELLING, "/type", '"thinking"'))), BlockOrigin(path, fields)


def _owner(block: Block, kind: str) -> str:
    if isinstance(block, OpaqueBlock):
        return block.format
    return OPENAI if kind in ("image_url", "input_audio", "file") else ANTHROPIC


def _marked(block: Any, mark: Extra) -> Any:
    if isinstance(block, ReasoningBlock | OpaqueBlock):
        return block  # what is written of them is told by themselves
    return replace(block, ext=(*block.ext, mark))


def _native_raw(part: Mapping[str, Any], path: str, setting: Setting) -> Placed | None:
    """Read a provider's block that is remembered as it is; None for one that nobody knows."""
    placed = _foreign(part, path, setting)
    if placed is None:
        return None
    if len(placed) == 1 and isinstance(placed[0][0], OpaqueBlock):
        return placed
    first, *others = placed
    return [(replace(first[0], ext=(*first[0].ext, Extra(RAW, "", encode_text(part)))), first[1]), *others]


def _foreign(part: Mapping[str, Any], path: str, setting: Setting) -> Placed | None:
    match part:
        case {"type": "reasoning"}:
            return read_item(part, path)
        case {"type": str(kind)} if kind in OPAQUE_ITEMS and setting.provider == "openai":
            return [(OpaqueBlock(RESPONSES, kind, encode_text(part)), BlockOrigin(path))]
        case {"type": "image_url", "image_url": str(url)}:
            source, data, media_type = media_source(url)
            ext = extras(FAMILY, part, {"type", "image_url"})
            return [(MediaBlock("image", source, data, media_type, ext=ext), BlockOrigin(path, {"data": "/image_url"}))]
        case {"type": "media", "mime_type": str(media_type), "data": str(data)}:
            return [(_by_type(media_type, "base64", data, part, "data"), BlockOrigin(path, {"data": "/data"}))]
        case {"type": "media", "mime_type": str(media_type), "file_uri": str(uri)}:
            return [(_by_type(media_type, "url", uri, part, "file_uri"), BlockOrigin(path, {"data": "/file_uri"}))]
        case _:
            found = read_converse(part, path, FAMILY)
            return None if found is None else [found]


def _by_type(media_type: str, source: Any, data: str, part: Mapping[str, Any], key: str) -> MediaBlock:
    """Hold a medium of Google's, whose kind its media type tells."""
    family = media_type.partition("/")[0]
    kind: Any = family if family in ("image", "audio", "video") else "document"
    return MediaBlock(kind, source, data, media_type, ext=extras(FAMILY, part, {"type", "mime_type", key}))


def read_item(item: Mapping[str, Any], path: str) -> Placed | None:
    """Read a reasoning item of OpenAI's Responses, as langchain-openai keeps it; None when it is none.

    Where parts of the summary are numbered, as after streaming, the numbers are left out.
    """
    if not isinstance(item.get("summary"), list):
        return None
    summary = [
        {key: value for key, value in text.items() if key != "index"} if isinstance(text, dict) else text
        for text in item["summary"]
    ]
    plain = {key: value for key, value in item.items() if key != "index"} | {"summary": summary}
    said = spoken(WireMessage(_NOWHERE, path, plain, 0))
    if said is None or not all(isinstance(block, ReasoningBlock) for block, _ in said[0]):
        return None
    return said[0]
