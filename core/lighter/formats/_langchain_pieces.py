"""Pieces of streamed messages that stand among LangChain's messages, where the message that they add up to should."""

from collections.abc import Iterator, Sequence
from typing import Any

from lighter.conversation import WireMessage
from lighter.formats._langchain import unwrap

_OF_FRAMEWORK = ("run-", "lc_run-", "lc_")
"""How the ids begin that LangChain makes for a stream until the provider tells its own."""


def pieces_in(messages: Sequence[WireMessage]) -> Iterator[tuple[WireMessage, ...]]:
    """Yield the pieces of each message that was not put together: consecutive chunks of the model that share an id, or have none.

    One chunk alone may be the whole message; put together, its class stays that of a chunk.
    """
    run: list[WireMessage] = []
    known: str | None = None
    for message in messages:
        is_chunk, own = _chunk_of(message.raw)
        if run and is_chunk and _goes_on(known, own):
            known = own or known
            run.append(message)
            continue
        if len(run) > 1:
            yield tuple(run)
        run, known = ([message], own) if is_chunk else ([], None)
    if len(run) > 1:
        yield tuple(run)


def _chunk_of(raw: Any) -> tuple[bool, str | None]:
    """Say whether a message is a chunk of the model, and give its id; in JavaScript's forms its fields alone tell that it is one."""
    unwrapped = unwrap(raw) if isinstance(raw, dict) else None
    if unwrapped is None or unwrapped.kind != "ai" or unwrapped.shape == "role":
        return False, None
    if not unwrapped.is_chunk and "tool_call_chunks" not in unwrapped.fields:
        return False, None
    own = unwrapped.fields.get("id")
    return True, own if isinstance(own, str) else None


def _goes_on(known: str | None, own: str | None) -> bool:
    """Say whether a chunk with an id may be of the message whose pieces have another one, or the same, or none."""
    if own is None or own == known:
        return True
    return known is not None and known.startswith(_OF_FRAMEWORK) and not own.startswith(_OF_FRAMEWORK)
