"""What speaks for lighter's own JSONL."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

_KEYS = {"callId": 6, "toolOutput": 8, "toolCalls": 8, "isError": 4, "toolName": 6, "blocks": 4}


def sniff(
    messages: Sequence[Any], fields: Mapping[str, Any], response: Mapping[str, Any] | None
) -> Iterator[tuple[int, str]]:
    """Yield the evidence, strongest kinds first."""
    del response
    if isinstance(source := fields.get("source"), dict) and "format" in source:
        yield 8, "`source` with `format`"
    if _is_ext(fields.get("ext")):
        yield 8, "`ext` entries with `format`"
    for message in messages:
        if isinstance(message, dict) and "role" in message:
            for key, weight in _KEYS.items():
                if key in message:
                    yield weight, f"`{key}`"
            if _is_ext(message.get("ext")):
                yield 8, "`ext` entries with `format`"


def _is_ext(ext: Any) -> bool:
    return isinstance(ext, list) and bool(ext) and all(isinstance(e, dict) and "format" in e for e in ext)
