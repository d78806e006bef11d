"""Writing what stands in the content of a LangChain message; `_langchain_parts` reads it."""

from typing import Any

from msgspec.structs import replace

from lighter.formats._langchain import SPELLING, own_mark
from lighter.formats._langchain_media import write_media
from lighter.formats._langchain_parts import (
    IN_EXTRAS,
    NATIVE,
    OTHER_LANGUAGE,
    PUT_BACK,
    RAW,
    SERVER_RESULT,
    SERVER_RESULTS,
    Setting,
    read_part,
)
from lighter.formats._writing import extra_at, restore
from lighter.formats.anthropic import NAME as ANTHROPIC
from lighter.formats.anthropic.blocks import cache_control, media_block
from lighter.formats.openai_chat.parts import write_part as write_openai
from lighter.formats.openai_chat.shapes import NAME as OPENAI
from lighter.formats.openai_responses.items import PROVIDER
from lighter.formats.openai_responses.shapes import NAME as RESPONSES
from lighter.jsontext import decode, encode_text
from lighter.messages import Block, MediaBlock, ReasoningBlock, RefusalBlock, TextBlock, ToolCall, ToolResultBlock


def write_part(block: Block, setting: Setting, *, is_anthropic: bool) -> Any:
    """Write a block as a member of `content`; None when nothing there holds it.

    `is_anthropic`: it is from Anthropic's own log, whose server tools LangChain keeps as they are.
    """
    raw = extra_at(block.ext, RAW, "")
    if raw is not None and _still_says(block, decode(raw), setting):
        return decode(raw)
    if isinstance(block, TextBlock) and extra_at(block.ext, SPELLING, "") == '"text"' and block.cache is None:
        return block.text
    part = _written_native(block)
    if part is None:
        part = _written_own(block, setting, is_anthropic=is_anthropic)
    return None if part is None else restore(part, block.ext, *PUT_BACK)


def _written_own(block: Block, setting: Setting, *, is_anthropic: bool) -> dict[str, Any] | None:
    """Write a block as LangChain's own."""
    match block:
        case TextBlock():
            return {"type": "text", "text": block.text, **cache_control(block.cache)}
        case ReasoningBlock():
            return _written_reasoning(block)
        case RefusalBlock():
            return {"type": "refusal", "refusal": block.text}
        case ToolCall(kind="server"):
            kind, key = ("server_tool_use", "input") if is_anthropic else ("server_tool_call", "args")
            return {"type": kind, "id": block.call_id, "name": block.tool_name, key: decode(block.arguments)}
        case ToolResultBlock():
            return _written_result(block, setting)
        case MediaBlock():
            return write_media(block, setting.name, setting.language)
        case _:
            return None


def _still_says(block: Block, raw: Any, setting: Setting) -> bool:
    """Say whether a block is still what was read."""
    placed = read_part(raw, "", setting)
    return len(placed) == 1 and replace(placed[0][0], ext=()) == replace(block, ext=())


def _written_native(block: Block) -> Any:
    """Write a block in the form of the provider whose it was; None for all others."""
    held = extra_at(block.ext, NATIVE, "")
    part: Any = None
    match block:
        case MediaBlock() if held == encode_text(OPENAI):
            part = write_openai(block)
        case MediaBlock() if held == encode_text(ANTHROPIC):
            part = media_block(block)
        case ToolCall(kind="server") if held == encode_text(ANTHROPIC):
            part = {"type": "server_tool_use", "id": block.call_id, "name": block.tool_name}
            part |= {"input": decode(block.arguments), **cache_control(block.cache)}
        case _:
            return None
    return part


def _written_reasoning(block: ReasoningBlock) -> dict[str, Any]:
    """Write reasoning: Anthropic's and OpenAI's own as their blocks, any other as LangChain's, with what providers gave."""
    own = next((opaque for opaque in block.opaque if opaque.provider == ANTHROPIC), None)
    if extra_at(block.ext, SPELLING, "/type") == '"thinking"':
        signed = {"signature": block.opaque[0].data} if block.opaque else {}
        return {"type": "thinking", "thinking": block.text, **signed}
    is_standard = any(e.format == SPELLING and e.path in ("/type", "/reasoning") for e in block.ext)
    if not is_standard:
        if own is not None and own.kind == "redacted":
            return {"type": "redacted_thinking", "data": own.data}
        if own is not None or any(extra.format == ANTHROPIC for extra in block.ext):
            return {"type": "thinking", "thinking": block.text, "signature": own.data if own is not None else ""}
        if any(e.format == RESPONSES for e in block.ext) or any(o.provider == PROVIDER for o in block.opaque):
            return _written_item(block)
    part: dict[str, Any] = {"type": "reasoning", "reasoning": block.text}
    for opaque in block.opaque:
        if opaque.kind == "signature":
            part["extras"] = {"signature": opaque.data}
        elif opaque.kind == "encrypted":
            holder = part if extra_at(block.ext, IN_EXTRAS, "") is None else part.setdefault("extras", {})
            holder["encrypted_content"] = opaque.data
    written: dict[str, Any] = restore(part, block.ext, SPELLING) if is_standard else part
    return {**written, "type": "reasoning"}


def _written_item(block: ReasoningBlock) -> dict[str, Any]:
    """Write reasoning of OpenAI's Responses as the item that langchain-openai keeps in the content."""
    item: dict[str, Any] = {"type": "reasoning"}
    item["summary"] = [{"type": "summary_text", "text": block.text}] if block.text else []
    encrypted = next((opaque.data for opaque in block.opaque if opaque.provider == PROVIDER), None)
    item |= {"encrypted_content": encrypted} if encrypted is not None else {}
    written: dict[str, Any] = restore(item, block.ext, RESPONSES)
    return written


def _written_result(block: ToolResultBlock, setting: Setting) -> dict[str, Any]:
    value = decode(block.json)
    if block.native_type != SERVER_RESULT:
        return {"type": block.native_type, "tool_use_id": block.call_id, "content": value}
    is_foreign = extra_at(block.ext, own_mark(setting.name), "/:language") is not None
    language = OTHER_LANGUAGE[setting.language] if is_foreign else setting.language
    kind, id_key = SERVER_RESULTS[language]
    told = {} if extra_at(block.ext, SPELLING, "/output") is not None else {"output": value}
    return {"type": kind, id_key: block.call_id, **told}
