"""Reasoning as the dialects of OpenAI Chat carry it, beside the content: read into blocks and written back."""

from collections.abc import Container, Iterator, Mapping, Sequence
from typing import Any

from lighter.conversation import BlockOrigin
from lighter.formats._reading import extras
from lighter.formats.openai_chat.shapes import NAME, SPELLING
from lighter.jsontext import decode, encode_text, step
from lighter.messages import Block, Extra, Opaque, ReasoningBlock

TEXT_CARRIERS = ("reasoning_content", "reasoning")
LIST_CARRIERS = ("reasoning_details", "thinking_blocks")

# OpenRouter: https://openrouter.ai/docs/use-cases/reasoning-tokens; litellm: thinking_blocks are Anthropic's own blocks.
_DETAILS = {"reasoning.text": "text", "reasoning.summary": "summary"}


def reasoning_blocks(raw: Mapping[str, Any], path: str) -> tuple[list[tuple[Block, BlockOrigin]], set[str]]:
    """Read the reasoning of an assistant message; also tell which keys were read.

    A text that only repeats what the lists hold is left unread (see `copies_of`), so that it is not shown twice.
    """
    placed: list[tuple[Block, BlockOrigin]] = []
    read: set[str] = set()
    for key in LIST_CARRIERS:
        items = raw.get(key)
        if isinstance(items, list) and items and not read:
            blocks = [_item(item, key) for item in items]
            if all(block is not None for block in blocks):
                read.add(key)
                placed += [(block, BlockOrigin(f"{path}/{key}{step(i)}", _fields(block, key)))
                           for i, block in enumerate(blocks) if block is not None]  # fmt: skip
    said = _said(placed)
    for key in TEXT_CARRIERS:
        text = raw.get(key)
        if isinstance(text, str) and text and text not in said:
            said.add(text)
            read.add(key)
            placed.append((ReasoningBlock(text, carrier=key), BlockOrigin(f"{path}/{key}")))
    return placed, read


def copies_of(
    raw: Mapping[str, Any], read: Container[str], placed: Sequence[tuple[Block, BlockOrigin]]
) -> tuple[Extra, ...]:
    """Keep the texts that only repeat reasoning which was read; a copy is no loss."""
    said = _said(placed)
    repeated = (key for key in TEXT_CARRIERS if key not in read and isinstance(raw.get(key), str) and raw[key] in said)
    return tuple(Extra(SPELLING, step(key), encode_text(raw[key])) for key in repeated)


def _said(placed: Sequence[tuple[Block, BlockOrigin]]) -> set[str]:
    """Give the texts that say no more than the reasoning that was read: each, all of it, and all that is no summary."""
    told = [block for block, _ in placed if isinstance(block, ReasoningBlock)]
    plain = [block.text for block in told if not _is_summary(block)]
    return {*(block.text for block in told), "".join(block.text for block in told), "".join(plain)} - {""}


def _is_summary(block: ReasoningBlock) -> bool:
    return any(extra.path == "/type" and extra.json == '"reasoning.summary"' for extra in block.ext)


def _item(item: Any, carrier: str) -> ReasoningBlock | None:
    match item:
        case {"type": ("reasoning.text" | "reasoning.summary") as kind} if isinstance(
            text := item.get(_DETAILS[kind]), str
        ):
            signature = item.get("signature")
            opaque = (Opaque("openrouter", "signature", signature),) if isinstance(signature, str) else ()
            known = {_DETAILS[kind], "signature"} if opaque else {_DETAILS[kind]}
            return ReasoningBlock(text, opaque, carrier, ext=extras(NAME, item, known))
        case {"type": "reasoning.encrypted", "data": str(data)}:
            return ReasoningBlock(
                "", (Opaque("openrouter", "encrypted", data),), carrier, ext=extras(NAME, item, {"data"})
            )
        case {"type": "thinking", "thinking": str(text), "signature": str(signature)}:
            opaque = (Opaque("anthropic", "signature", signature),)
            return ReasoningBlock(text, opaque, carrier, ext=extras(NAME, item, {"type", "thinking", "signature"}))
        case {"type": "redacted_thinking", "data": str(data)}:
            return ReasoningBlock(
                "", (Opaque("anthropic", "redacted", data),), carrier, ext=extras(NAME, item, {"type", "data"})
            )
        case _:
            return None


def _fields(block: ReasoningBlock | None, carrier: str) -> dict[str, str]:
    if block is None:
        return {}
    if carrier == "thinking_blocks":
        return {"text": "/thinking", "opaque": "/signature" if block.text else "/data"}
    encrypted = any(opaque.kind == "encrypted" for opaque in block.opaque)
    return {"text": "/summary" if _is_summary(block) else "/text", "opaque": "/data" if encrypted else "/signature"}


def write_reasoning(blocks: Sequence[ReasoningBlock]) -> dict[str, Any]:
    """Write reasoning that came from a dialect back into the fields that carried it."""
    fields: dict[str, Any] = {}
    for block in blocks:
        if block.carrier in TEXT_CARRIERS:
            fields[block.carrier] = block.text
        elif block.carrier in LIST_CARRIERS:
            fields.setdefault(block.carrier, []).append(dict(_written(block)))
    return fields


def _written(block: ReasoningBlock) -> Iterator[tuple[str, Any]]:
    kept = {extra.path[1:]: decode(extra.json) for extra in block.ext if extra.format == NAME}
    opaque = block.opaque[0] if block.opaque else None
    if block.carrier == "thinking_blocks":
        if opaque is not None and opaque.kind == "redacted":
            yield from (("type", "redacted_thinking"), ("data", opaque.data))
        else:
            yield from (("type", "thinking"), ("thinking", block.text))
            yield from (("signature", opaque.data) for opaque in block.opaque)
    else:
        kind = kept.pop("type", "reasoning.text")
        yield "type", kind
        if kind == "reasoning.encrypted":
            yield "data", opaque.data if opaque else ""
        else:
            yield _DETAILS.get(str(kind), "text"), block.text
            yield from (("signature", opaque.data) for opaque in block.opaque)
    yield from kept.items()
