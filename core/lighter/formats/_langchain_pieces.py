"""Pieces of streamed messages of LangChain: which chunks are of one message, also where they stand among other messages."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any

from msgspec import Struct

from lighter.conversation import WireMessage
from lighter.formats._langchain import CLASSES, KINDS, content_key, unwrap

_TOLD_APART = {"tool": "tool_call_id", "function": "name", "chat": "role"}
"""By which field, besides their kind, the packages tell chunks apart that are of no one message."""


class Piece(Struct, frozen=True):
    """A chunk of a message: its kind, and its fields as they stand."""

    kind: str
    fields: Mapping[str, Any]

    @property
    def name(self) -> str | None:
        """The id; None where it has none."""
        own = self.fields.get("id")
        return own if isinstance(own, str) and own else None


def piece_of(raw: Any) -> Piece | None:
    """Tell the chunk of a message, of whichever kind; None for anything else.

    JavaScript tells a class in envelopes alone: outside of them its chunks of the model are of type `ai`, and their fields tell what
    they are; those of other kinds cannot be told from whole messages.
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
    kind = KINDS.get(named)
    is_piece = named.endswith("Chunk") or (kind == "ai" and "tool_call_chunks" in fields)
    return Piece(kind, fields) if kind is not None and is_piece else None


def is_of_model(value: Any) -> bool:
    """Say whether a value is a chunk of a model's answer, of which alone streams are made."""
    piece = piece_of(value)
    return piece is not None and piece.kind == "ai"


def has_ended(value: Any) -> bool:
    """Say whether a chunk says of itself that it is the last one."""
    piece = piece_of(value)
    return piece is not None and piece.fields.get("chunk_position") == "last"


def are_addable(first: Piece, other: Piece) -> bool:
    """Say whether the packages add a chunk to another: one of the same kind, call, role, or name of a function."""
    key = _TOLD_APART.get(first.kind)
    return first.kind == other.kind and (key is None or other.fields.get(key) in (None, first.fields.get(key)))


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

    def __init__(self, first: Piece) -> None:
        self.first = first
        self.pieces: list[WireMessage] = []
        self.names: set[str] = set()
        self.is_over = False

    def takes(self, piece: Piece) -> bool:
        return not self.is_over and are_addable(self.first, piece)

    def add(self, message: WireMessage, piece: Piece) -> None:
        self.pieces.append(message)
        self.names |= {piece.name} if piece.name is not None else set()
        self.is_over = has_ended(message.raw)


def pieces_in(messages: Sequence[WireMessage]) -> Iterator[tuple[WireMessage, ...]]:
    """Yield the pieces of each message that was not put together: consecutive chunks of a kind whose ids may be of one, or none.

    Among them pieces of several messages may come by turns. One chunk alone may be the whole message; put together, its class
    stays that of a chunk.
    """
    runs: list[_Run] = []
    for message in messages:
        piece = piece_of(message.raw)
        if piece is None:
            yield from _of_several(runs)
            runs = []
            continue
        run = next((run for run in runs if piece.name in run.names and run.takes(piece)), runs[-1] if runs else None)
        if run is None or not (run.takes(piece) and may_be_one(run.names, piece.name)):
            run = _Run(piece)
            runs.append(run)
        run.add(message, piece)
    yield from _of_several(runs)


def _of_several(runs: Sequence[_Run]) -> Iterator[tuple[WireMessage, ...]]:
    yield from (tuple(run.pieces) for run in runs if len(run.pieces) > 1)
