"""Pieces of streamed messages of LangChain: which chunks are of one message, also where they stand among other messages."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any

from lighter.conversation import WireMessage
from lighter.formats._langchain import CLASSES, KINDS, content_key, unwrap


def piece_of(raw: Any) -> Mapping[str, Any] | None:
    """Give the fields of a chunk of the model, as they stand; None for anything else.

    JavaScript tells a class in envelopes alone: outside of them its chunks are of type `ai`, and their fields tell what they are.
    """
    match raw:
        case {"lc": _, "id": [*_, str(named)], "kwargs": dict(fields)}:
            pass
        case {"type": str(named), "data": dict(fields)} if "content" not in raw:
            pass
        case {"type": str(named)} as fields if named not in CLASSES.values() and content_key(fields) in fields:
            pass
        case _:
            return None
    is_piece = KINDS.get(named) == "ai" and (named.endswith("Chunk") or "tool_call_chunks" in fields)
    return fields if is_piece else None


def has_ended(value: Any) -> bool:
    """Say whether a chunk says of itself that it is the last one."""
    fields = piece_of(value)
    return fields is not None and fields.get("chunk_position") == "last"


def name_of(message: Any) -> str | None:
    """Give the id of a message in any form; None where it has none."""
    unwrapped = unwrap(message) if isinstance(message, dict) else None
    name = unwrapped.fields.get("id") if unwrapped is not None else None
    return name if isinstance(name, str) and name else None


def may_be_one(names: Collection[str], name: str | None) -> bool:
    """Say whether a chunk of an id may be of the answer that has these: each has one of every source at most."""
    return name is None or not names or name in names or all(_source(name) != _source(known) for known in names)


def _source(name: str) -> str:
    """Tell who gave a chunk its id.

    LangChain gives those of a run and, below them in rank, ids of its own (`add_ai_message_chunks` of langchain-core 1.8.3).
    OpenAI names the response in one chunk and the message in another, and langchain-openai takes either.
    """
    prefixes = ("lc_run-", "run-", "lc_", "resp_")
    return next((prefix.removeprefix("lc_") or "made" for prefix in prefixes if name.startswith(prefix)), "provider")


class _Run:
    """The pieces of one message as they come."""

    def __init__(self) -> None:
        self.pieces: list[WireMessage] = []
        self.names: set[str] = set()
        self.is_over = False

    def add(self, message: WireMessage, name: str | None) -> None:
        self.pieces.append(message)
        self.names |= {name} if name is not None else set()
        self.is_over = has_ended(message.raw)


def pieces_in(messages: Sequence[WireMessage]) -> Iterator[tuple[WireMessage, ...]]:
    """Yield the pieces of each message that was not put together: consecutive chunks of the model whose ids may be of one, or none.

    Among them pieces of several messages may come by turns. One chunk alone may be the whole message; put together, its class
    stays that of a chunk.
    """
    runs: list[_Run] = []
    for message in messages:
        fields = piece_of(message.raw)
        if fields is None:
            yield from _of_several(runs)
            runs = []
            continue
        own = fields.get("id")
        name = own if isinstance(own, str) and own else None
        run = next((run for run in runs if name in run.names and not run.is_over), runs[-1] if runs else None)
        if run is None or run.is_over or not may_be_one(run.names, name):
            run = _Run()
            runs.append(run)
        run.add(message, name)
    yield from _of_several(runs)


def _of_several(runs: Sequence[_Run]) -> Iterator[tuple[WireMessage, ...]]:
    yield from (tuple(run.pieces) for run in runs if len(run.pieces) > 1)
