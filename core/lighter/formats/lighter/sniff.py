"""What speaks for lighter's own JSONL."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from lighter.formats.lighter.wire import BLOCK_TYPES

_KEYS = {
    "callId": 6, "toolOutput": 8, "toolCalls": 8, "isError": 4, "toolName": 6, "blocks": 4, "isDeveloper": 12, "isIdSynthetic": 12,
    "stop": 4,
}  # fmt: skip


def sniff(
    messages: Sequence[Any], fields: Mapping[str, Any], response: Mapping[str, Any] | None
) -> Iterator[tuple[int, str]]:
    """Yield the evidence, strongest kinds first."""
    del response
    if isinstance(source := fields.get("source"), dict) and "format" in source:
        yield 12, "`source` with `format`"
    if _is_ext(fields.get("ext")):
        yield 12, "`ext` entries with `format`"
    for message in messages:
        if isinstance(message, dict) and "role" in message:
            for key, weight in _KEYS.items():
                if key in message:
                    yield weight, f"`{key}`"
            if _has_blocks(message.get("blocks")):
                yield 12, "`blocks` of lighter's own types"
            if _is_ext(message.get("ext")):
                yield 12, "`ext` entries with `format`"


def _has_blocks(blocks: Any) -> bool:
    """Say whether a list holds blocks of the core model, and nothing else."""
    listed = blocks if isinstance(blocks, list) else []
    kinds = [block.get("type") if isinstance(block, dict) else None for block in listed]
    return bool(kinds) and all(isinstance(kind, str) and kind in BLOCK_TYPES for kind in kinds)


def _is_ext(ext: Any) -> bool:
    return isinstance(ext, list) and bool(ext) and all(isinstance(e, dict) and "format" in e for e in ext)
