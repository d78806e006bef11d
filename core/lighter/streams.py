"""Pieces of streamed answers, told by a quick look, so that what joins them is loaded only for files that hold some.

`lighter.assembling` joins them, `lighter.within` those that one record holds; how the pieces of a format add up stands in its
folder, in `stream.py`.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from itertools import chain
from typing import TYPE_CHECKING, Any

from msgspec import field

from lighter import jsontext
from lighter.losses import Loss
from lighter.records import LineFault, Record

if TYPE_CHECKING:
    from lighter.envelope import Opened

EVENTS = frozenset({
    "message_start", "message_delta", "message_stop", "content_block_start", "content_block_delta", "content_block_stop",
})  # fmt: skip
"""The events of Anthropic's streams that hold a piece of an answer."""

COHERE_EVENTS = frozenset({
    "message-start", "content-start", "content-delta", "content-end", "tool-plan-delta", "tool-call-start",
    "tool-call-delta", "tool-call-end", "citation-start", "citation-end", "message-end",
})  # fmt: skip
"""The events of the streams of Cohere's chat API, version 2 (https://docs.cohere.com/v2/docs/streaming)."""

CONVERSE_EVENTS = frozenset({
    "messageStart", "contentBlockStart", "contentBlockDelta", "contentBlockStop", "messageStop", "metadata",
})  # fmt: skip
"""The members of the union `ConverseStreamOutput` of Bedrock that are no errors."""

_SESSION_KINDS = ("user.", "agent.", "session", "span.", "system.", "workflow_run.", "event_")
"""How the types of what a session of Claude's managed agents tells begin."""

BETWEEN = frozenset({"ping", "error", "keepalive", "debug"})
"""Events that come in streams and hold no piece of an answer (https://docs.anthropic.com/en/docs/build-with-claude/streaming)."""


_NO_EVENT_KEYS = frozenset({"role", "content", "message", "messages", "request", "response", "payload"})
"""Keys of objects that say something of their own, which no event of an unknown kind is taken for."""

HOLDERS = frozenset({
    "response", "response_obj", "result", "output", "modelOutput", "body", "message", "outputBodyJson", "chunks", "stream",
    "events", "stream_events", "stream_chunks", "response_chunks", "response_stream", "streaming_response", "raw_response",
    "data", "text", "sse",
})  # fmt: skip
"""Keys under which loggers keep the pieces of an answer."""

_WRAPPERS = ("data", "chunk", "event")
_AROUND = frozenset({*_WRAPPERS, "id", "retry", "timestamp", "time", "ts", "index", "seq"})
"""Keys of the objects into which loggers put pieces, one by one."""

_REQUEST_KEYS = frozenset({"messages", "input"})
"""Keys under which a request that says whether to stream holds its conversation."""

MOST_WAITING = 16
"""How many events without a piece may stand before the first piece."""

MOST_OPEN = 8
"""How many answers may be on their way at once, with their pieces by turns."""

_DEEPEST = 3
_EVENT_FIELDS = ("data:", "event:", "id:", "retry:", ":")


class Streamed(Record):
    """An answer that was joined from pieces, as the record that it would have been; or a record in which one was joined.

    `pieces` are the records that hold the pieces; of a record that holds an answer's pieces among other things
    (`is_within`) it is that record, whose bytes `data` then has. `provider`: the format of the stream. `cuts`: where in the
    first of `pieces` streams begin that did not come to their end. `has_gap`: a piece could not be read, which was told
    already. `folds`: where in `value` a joined answer stands, and where its first piece stands in the first of `pieces`.
    `homes` says the same of parts of an answer that come from one piece: their places, the piece's index, and the place in that.
    `by_place`: `homes`, once they were looked at. `losses`: what the answer cannot hold. `opened`: where the messages stand.
    `is_asked`: the request for it stands before it.
    """

    pieces: tuple[Record, ...] = ()
    provider: str = ""
    cuts: tuple[str, ...] = ()
    has_gap: bool = False
    is_within: bool = False
    folds: tuple[tuple[str, str], ...] = ()
    homes: tuple[tuple[str, int, str], ...] = ()
    losses: tuple[Loss, ...] = ()
    opened: "Opened | None" = None
    is_asked: bool = False
    by_place: dict[str, tuple[int, str]] = field(default_factory=dict)

    def home(self, path: str) -> str:
        """Lead a pointer into `value` back to the first piece of the answer that it lies in."""
        for prefix, first in self.folds:
            if path == prefix or path.startswith(prefix + "/"):
                return first
        return path

    def origin(self, path: str) -> tuple[Record, str]:
        """Lead a pointer into `value` back to the piece that it comes from, as far as that is known; else to the first one."""
        if self.homes and not self.by_place:
            self.by_place.update((prefix, (index, home)) for prefix, index, home in self.homes)
        for prefix in jsontext.upwards(path):
            if prefix in self.by_place:
                index, home = self.by_place[prefix]
                return self.pieces[index], home + path.removeprefix(prefix)
        return self.pieces[0], self.home(path)


def looks_like_piece(value: Any) -> bool:
    """Say whether a value may be a piece of a streamed answer, or a whole answer of a format that streams whole ones."""
    if type(value) is not dict:
        return type(value) is list and (_of_graph(value) is True or _of_session(value))
    kind = value.get("type")
    if isinstance(kind, str):
        if kind in EVENTS or kind in COHERE_EVENTS or (kind.startswith("response.") and "role" not in value):
            return True
        return _is_langchain_chunk(kind, value) or _of_graph(value) is True or _of_session(value)
    if value.get("object") == "chat.completion.chunk" or ("done" in value and "message" in value):
        return True
    if "choices" in value:
        return has_deltas(value)
    if "candidates" in value or (len(value) <= len(("event", "p")) and not CONVERSE_EVENTS.isdisjoint(value)):
        return True
    return _of_graph(value) is True or _of_session(value)


def _of_graph(value: Any) -> bool | None:
    """Say whether a value is an event of a graph that may hold a message; None for what is no event of one."""
    if not value or (type(value) is dict and ("role" in value or "messages" in value)):
        return None
    from lighter.graph_events import graph_event, holds_messages  # noqa: PLC0415 - most files are plain chats

    return holds_messages(value) if graph_event(value) is not None else None


def _of_session(value: Any) -> bool:
    """Say whether a value is a session of Claude's managed agents, or holds events of one."""
    if not any(map(_may_be_of_session, value[:MOST_WAITING] if type(value) is list else (value,))):
        return False
    from lighter.session_events import is_of_session  # noqa: PLC0415 - as above

    return is_of_session(value)


def _may_be_of_session(value: Any) -> bool:
    if type(value) is not dict or "role" in value:
        return type(value) is str
    kind = value.get("type")
    if type(kind) is str:
        return kind.startswith(_SESSION_KINDS) or "processed_at" in value or str(value.get("id")).startswith("sevt_")
    return type(value.get("data")) is list or type(value.get("events")) is list


def _is_langchain_chunk(kind: str, value: Mapping[str, Any]) -> bool:
    """Say whether an object may be a chunk of an answer in one of LangChain's forms."""
    match kind, value:
        case "AIMessageChunk", _:
            return True
        case "constructor", {"lc": 1, "id": [*_, "AIMessageChunk"]}:
            return True
        case "ai", {"tool_call_chunks": _} | {"data": {"tool_call_chunks": _}}:
            return True
        case _:
            return False


def has_deltas(value: Mapping[str, Any]) -> bool:
    """Say whether a value has choices, each of them a piece of one."""
    choices = value.get("choices")
    return (
        isinstance(choices, list)
        and bool(choices)
        and all(isinstance(choice, dict) and "delta" in choice for choice in choices)
    )


def is_between(value: Any) -> bool:
    """Say whether a value comes in streams but holds no piece of an answer: a sign of life, an error, figures of usage."""
    match value:
        case {"type": str(kind)} if kind in BETWEEN:
            return "role" not in value
        case {"error": _} if "type" not in value:
            return not any(key in value for key in ("role", "messages", "request", "response", "custom_id"))
        case {"choices": []}:
            return True
        case [*_] | dict():
            return _of_graph(value) is False
        case _:
            return False


def may_be_event(value: Any) -> bool:
    """Say whether a value may be an event of a kind that is not known, inside of a stream whose events name their kind.

    Providers add kinds, and ask clients to pass over those that they do not know
    (https://docs.anthropic.com/en/docs/build-with-claude/streaming#other-events).
    """
    match value:
        case {"type": str()}:
            is_named = _NO_EVENT_KEYS.isdisjoint(value)
        case {**members} if len(keys := members.keys() - {"p"}) == 1:
            (key,) = keys
            held = members[key]
            is_named = (held is None or type(held) is dict) and key not in _NO_EVENT_KEYS and key not in _WRAPPERS
        case _:
            return False
    if not is_named or looks_like_piece(value) or is_between(value):
        return False
    from lighter.envelope import open_value  # noqa: PLC0415 - needed only for what is odd in a stream

    return open_value(value).kind == "none"


def unwrapped(value: Any) -> tuple[Any, str]:
    """Give the piece that a logger put into an object of its own, and where it stands in that; a value as it is otherwise."""
    if type(value) is dict and not looks_like_piece(value):
        for key in _WRAPPERS:
            inner = value.get(key)
            if type(inner) is str and inner.startswith(("{", "[")) and value.keys() <= _AROUND:
                with suppress(ValueError, RecursionError):
                    inner = jsontext.decode(inner)
            if looks_like_piece(inner):
                return inner, f"/{key}"
            if value.keys() <= _AROUND and (is_between(inner) or may_be_event(inner)):
                return inner, f"/{key}"
    return value, ""


def are_pieces(values: Iterable[Any]) -> bool:
    """Say whether values are pieces of streamed answers and nothing else, as far as a quick look tells."""
    has_piece = is_silent = False
    for found in values:
        value, _ = unwrapped(found)
        if looks_like_piece(value):
            has_piece = has_piece or not is_silent or _is_of_nodes(value, has_message=True)
            if not has_piece:
                return False
        elif not is_between(value):
            if not (may_be_event(value) if has_piece else may_be_silent(value)):
                return False
            is_silent = True
    return has_piece


def may_be_silent(value: Any) -> bool:
    """Say whether a value may tell what nodes of a graph gave before one of them gave a message."""
    return type(value) is dict and _NO_EVENT_KEYS.isdisjoint(value) and _is_of_nodes(value, has_message=False)


def _is_of_nodes(value: Any, *, has_message: bool) -> bool:
    from lighter.graph_events import is_silent_update, is_update  # noqa: PLC0415 - most files are plain chats

    return is_update(value) if has_message else is_silent_update(value)


def is_event_text(text: str) -> bool:
    """Say whether a text may be server-sent events, or JSON a line, or a list of pieces, by its looks."""
    start = text[:64].lstrip()
    if start.startswith("{"):
        return "\n{" in text
    return start.startswith((*_EVENT_FIELDS, "[{"))


def are_alike(name: str, provider: str) -> bool:
    """Say whether the pieces of a format have the shape of another's, so that what they say tells them apart, or nothing."""
    from lighter.formats import trait  # noqa: PLC0415 - formats are loaded only when they are needed

    return name == provider or trait(name, "STREAMS_LIKE", otherwise=None) == provider


def hold_streams(values: Iterable[Any]) -> bool:
    """Say whether values are pieces of streamed answers, or the requests that asked for them, and nothing else."""
    listed = [value for value in values if not asks_for_stream(value)]
    return are_pieces(listed) or _hold_session(listed)


def _hold_session(values: Sequence[Any]) -> bool:
    """Say whether values are the log of a session, also where some of them were only sent, or are strange there."""
    if not any(map(_of_session, values)):
        return False
    from lighter.session_events import may_stand_among  # noqa: PLC0415 - as above

    return all(map(may_stand_among, values))


def asks_for_stream(value: Any) -> bool:
    """Say whether a value is a request for a streamed answer (https://platform.openai.com/docs/api-reference/chat/create)."""
    return type(value) is dict and value.get("stream") is True and not _REQUEST_KEYS.isdisjoint(value)


def gathered(
    head: Sequence[Record | LineFault],
    rest: Iterator[Record | LineFault],
    refine: Callable[[Record], Record] = lambda record: record,
) -> Iterator[Record | LineFault] | None:
    """Give the records of a file with its streams joined; None when its first records are no streams, as `hold_streams` says.

    `refine` reads a piece once more, where the first reading was not exact.
    """
    values = [item.value for item in head if isinstance(item, Record)]
    if not hold_streams(values):
        return None
    from lighter.assembling import assembled  # noqa: PLC0415 - loaded only for streams

    return assembled(chain(head, rest), refine, is_session=_hold_session(values))


def whole(record: Record) -> Record:
    """Give a record with the answer joined whose pieces it holds; the record itself when it holds none."""
    value = record.value
    if isinstance(record, Streamed):
        return record
    if type(value) is dict:
        is_suspect = "role" not in value and _holds_pieces(value, _DEEPEST)
    else:
        is_suspect = type(value) is list and _begins_with_pieces(value) and not _holds_state(value)
    if not is_suspect and not _of_session(value):
        return record
    from lighter.within import joined_within  # noqa: PLC0415 - as above

    return joined_within(record)


def _begins_with_pieces(items: Sequence[Any]) -> bool:
    """Say whether a list begins as a stream does; runs and nodes may say much before a model says something."""
    is_patient = bool(items) and (is_between(items[0]) or may_be_silent(items[0]))
    return are_pieces(items[: MOST_WAITING if is_patient else 2])


def _holds_state(items: Sequence[Any]) -> bool:
    """Say whether the last word of the events of a graph is its whole state, which needs no joining; after a state, a stream may break off."""
    from lighter.graph_events import graph_event, holds_messages  # noqa: PLC0415 - as above

    last = next((item for item in reversed(items) if holds_messages(item)), None)
    event = graph_event(last) if type(last) is list and type(last[0]) is str else None
    return event is not None and event[::2] == ("values", "/1")


def _holds_pieces(value: dict[str, Any], depth: int) -> bool:
    """Say whether an object may hold the pieces of an answer."""
    for key in HOLDERS & value.keys():
        item = value[key]
        if type(item) is list and are_pieces(item[:2]):
            return True
        if type(item) is str and is_event_text(item):
            return True
        if depth and type(item) is dict and _holds_pieces(item, depth - 1):
            return True
    return False


def pieces_of(record: Record) -> Sequence[Record]:
    """Give the records that a record was joined from; itself when it was not."""
    return record.pieces if isinstance(record, Streamed) else (record,)


class Scattered:
    """Pieces that stand among the records of a file: the first of each stream, and the ids of the calls that they begin."""

    def __init__(self) -> None:
        self.first: list[Record] = []
        self.ids: set[str] = set()
        self._open: list[Any] = []

    def take(self, record: Record) -> None:
        """Note a piece."""
        name = record.value.get("id") or "stream"
        if record.value.get("type") == "message_start" or name not in self._open:
            self.first.append(record)
            self._open = [*self._open[1 - MOST_OPEN :], name]
        self.ids.update(_call_ids(record.value))

    def end(self) -> None:
        """Note that something else came."""
        self._open = []


def _call_ids(chunk: Mapping[str, Any]) -> Iterator[str]:
    """Give the ids of the tool calls that begin in a piece of a stream."""
    match chunk:
        case {"content_block": {"type": "tool_use", "id": str(call_id)}}:
            yield call_id
        case {"choices": list(choices)}:
            deltas = (choice.get("delta") for choice in choices if isinstance(choice, dict))
            listed = (delta.get("tool_calls") for delta in deltas if isinstance(delta, dict))
            calls = (call for calls in listed if isinstance(calls, list) for call in calls if isinstance(call, dict))
            yield from (call["id"] for call in calls if isinstance(call.get("id"), str))
