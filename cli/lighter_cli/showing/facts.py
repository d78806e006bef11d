"""What a log tells about a message besides what was said: its number, who, when, by which model, at which cost in tokens."""

import json
from collections.abc import Iterator, Mapping
from contextlib import suppress
from datetime import UTC, datetime
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from lighter.jsontext import child_of, encode_text, keys_of
from lighter.messages import AssistantMessage, Message, SystemMessage
from lighter.passage import Entry, Passage

TIME_KEYS = ("timestamp", "created_at", "createdAt", "created", "time", "ts")
"""Keys under which logs keep when a message was written: ISO 8601 text, or seconds or milliseconds since 1970."""

_IN_KEYS = ("prompt_tokens", "input_tokens", "inputTokens", "promptTokenCount", "prompt_eval_count")
_OUT_KEYS = ("completion_tokens", "output_tokens", "outputTokens", "candidatesTokenCount", "eval_count")
_CACHED_KEYS = (
    "cached_tokens",
    "cache_read_input_tokens",
    "cacheReadInputTokens",
    "cachedContentTokenCount",
    "cache_read",
)
_DETAILS = ("prompt_tokens_details", "input_tokens_details", "input_token_details")

_EARLIEST = 100_000_000
"""Seconds since 1970 from which on a number is a time: what is smaller, before March 1973, counts something else."""

_MILLISECONDS = 100_000_000_000
"""Numbers from here on count milliseconds: as seconds they would lie beyond the year 5000."""

_LONGEST_TIME = 40
"""Characters of an ISO 8601 time at most."""


class Usage(Struct, frozen=True):
    """Tokens read, written and read from the cache, as far as the log tells."""

    read: int | None = None
    written: int | None = None
    cached: int | None = None


def number_of(entry: Entry) -> int:
    """Give the number by which a message is shown and chosen."""
    return entry.wire.index


def speaker_of(message: Message) -> str:
    """Say who speaks: the role in the log's own word."""
    if isinstance(message, SystemMessage) and message.is_developer:
        return "developer"
    return message.role or "(no role)"


def told_entries(passage: Passage) -> Iterator[Entry]:
    """Give the entries of a passage, an answer with what only its envelope tells: model, usage, stop reason."""
    response = passage.body.response if passage.body is not None else None
    for entry in passage.entries:
        message = entry.message
        if response and entry.wire.is_response and isinstance(message, AssistantMessage):
            model, usage = response.get("model"), response.get("usage")
            told = replace(
                message,
                model=message.model or (model if isinstance(model, str) else None),
                usage=message.usage or (encode_text(usage) if usage else None),
                stop=message.stop or _stop(response),
            )
            yield Entry(told, entry.origin, entry.wire)
        else:
            yield entry


def _stop(response: Mapping[str, Any]) -> str | None:
    match response.get("choices"):
        case [{"finish_reason": str(reason)}, *_]:
            return reason
    return None


def time_of(entry: Entry) -> str | None:
    """Find when a message was written, as `2026-03-14 08:45:00`; times without a zone of their own are UTC."""
    for holder in _holders(entry):
        for key in TIME_KEYS:
            if key in holder and (time := _time(holder[key])):
                return time
    return None


def _holders(entry: Entry) -> Iterator[Mapping[str, Any]]:
    """Give the objects around a message, inside out, that tell of this message alone."""
    wire = entry.wire
    around, value = [], wire.record.value
    with suppress(LookupError):
        for key in keys_of(wire.path):
            around.append(value)
            value = child_of(value, key)
    yield from (wire.raw,) if isinstance(wire.raw, dict) else ()
    for holder in reversed(around):
        if isinstance(holder, dict):
            if "messages" in holder:
                return
            yield holder
        elif not wire.is_response:
            return  # a list: what stands around it tells of the others too


def _time(value: Any) -> str | None:
    match value:
        case str() if len(value) <= _LONGEST_TIME:
            try:
                moment = datetime.fromisoformat(value)
            except ValueError:
                return None
        case int() | float() if _EARLIEST < value < _MILLISECONDS * 1000:
            moment = datetime.fromtimestamp(value / 1000 if value >= _MILLISECONDS else value, UTC)
        case _:
            return None
    return moment.strftime("%Y-%m-%d %H:%M:%S")


def model_of(message: Message) -> str | None:
    """Name the model that wrote a message."""
    return message.model if isinstance(message, AssistantMessage) else None


def usage_of(message: Message) -> Usage | None:
    """Read how many tokens a message cost, in the words of any provider."""
    if not isinstance(message, AssistantMessage) or not message.usage:
        return None
    try:
        usage = json.loads(message.usage)
    except (ValueError, RecursionError):
        return None
    if not isinstance(usage, dict):
        return None
    inner: Mapping[str, Any] = next((usage[key] for key in _DETAILS if isinstance(usage.get(key), dict)), {})
    cached = _count(usage, _CACHED_KEYS) or _count(inner, _CACHED_KEYS)
    found = Usage(_count(usage, _IN_KEYS), _count(usage, _OUT_KEYS), cached or None)
    return found if found != Usage() else None


def _count(usage: Mapping[str, Any], keys: tuple[str, ...]) -> int | None:
    return next((usage[key] for key in keys if type(usage.get(key)) is int), None)


def usage_text(usage: Usage) -> str:
    """Tell usage in a few words: `1,204 → 88 tokens, 1,024 cached`."""
    read, written = ("?" if count is None else f"{count:,}" for count in (usage.read, usage.written))
    cached = f", {usage.cached:,} cached" if usage.cached else ""
    return f"{read} → {written} tokens{cached}"
