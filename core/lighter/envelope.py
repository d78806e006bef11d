"""Envelopes: where in a record the messages stand, whatever was logged (a request, a response, both, a line of a batch …)."""

from collections.abc import Callable, Iterator, Mapping
from functools import cache
from typing import Any, Literal, TypeGuard

from msgspec import Struct
from msgspec.structs import replace

from lighter import jsontext
from lighter.jsontext import step
from lighter.streams import COHERE_EVENTS, EVENTS, has_deltas

RecordKind = Literal["message", "conversation", "chunk", "none"]

PLAIN = "openai-chat"
"""What messages are taken for that nothing speaks for: they are the same in every chat format."""

SAMPLE = 64
"""How many records of a file are looked at to tell its format."""

SESSION_KEYS = (
    "session_id",
    "sessionId",
    "conversation_id",
    "conversationId",
    "thread_id",
    "threadId",
    "chat_id",
    "chatId",
    "dialog_id",
    "SessionId",
)
"""Keys that tell which conversation a message of a log belongs to."""

_REQUEST_KEYS = ("request", "body", "params", "kwargs", "input", "modelInput", "inputs")
_RESPONSE_KEYS = ("response", "response_obj", "result", "output", "modelOutput", "preferred_output", "outputs")
"""Keys of answers; of the two answers in a row for preference tuning it is the preferred one."""

_WITHIN_RESPONSE = ("body", "message", "response")
_NO_MESSAGE = frozenset(
    {"messages", "choices", "request", "response", "params", "result", "custom_id", "contents", "object"}
)


class Body(Struct, frozen=True):
    """One conversation inside a record.

    `messages`: pointer, raw value and is-it-an-answer of each. `path` points at the request body, whose other keys are
    `fields`; `messages_path` at the list itself and `listed` is its raw value. `response` is the answer's envelope without
    its message, at `response_path`. `branches` are the further choices of an answer, `rest` whatever else the record holds,
    each with its pointer. `is_bare`: the messages stand in a list of their own, without a request around them. `place` points
    at the whole value that is this conversation. `format` is the one that opened it, where the shape of the body itself says
    which that is. `only_in`: it is a conversation in files of this format alone. `has_beginning`: no message
    is known to be left out before the first, as streams leave out what was there before them.
    """

    messages: tuple[tuple[str, Any, bool], ...]
    path: str = ""
    fields: Mapping[str, Any] = {}
    messages_path: str | None = None
    listed: Any = None
    response: Mapping[str, Any] | None = None
    response_path: str = ""
    branches: tuple[tuple[str, Any], ...] = ()
    rest: tuple[tuple[str, Any], ...] = ()
    is_bare: bool = False
    place: str = ""
    format: str | None = None
    only_in: str | None = None
    has_beginning: bool = True


class Opened(Struct, frozen=True):
    """What a record is: one `message` of a log, one or more whole conversations, a stream `chunk`, or none of these.

    `passed` is how many items of a list of conversations are none; they are kept as `rest` of the first one. `only_in`: it is a
    message in files of this format alone.
    """

    kind: RecordKind
    bodies: tuple[Body, ...] = ()
    passed: int = 0
    only_in: str | None = None


_MESSAGE = Opened("message")
_CHUNK = Opened("chunk")
_NONE = Opened("none")


def open_value(value: Any, *, in_log: bool = False) -> Opened:
    """Find the conversations of a record's value; with `in_log` an answer that looks like a message is one of the log's."""
    if type(value) is dict:
        if "role" in value and "messages" not in value:
            if not in_log and is_answer(value):
                return Opened("conversation", (Body(((("", value, True)),), response={}, path=""),))
            return _MESSAGE
        return _open_object(value)
    if isinstance(value, list):
        return _open_list(value)
    return _NONE


def fitting(opened: Opened, name: str) -> Opened:
    """Leave out what is no message and no conversation in a file of this format."""
    if opened.only_in in (None, name) and all(body.only_in in (None, name) for body in opened.bodies):
        return opened
    return _NONE


def session_of(value: Mapping[str, Any] | list[Any]) -> str | None:
    """Tell which conversation a message of a log says it belongs to; one in shorthand, a list, says nothing."""
    if isinstance(value, list):
        return None
    for key in SESSION_KEYS:
        if key in value:
            found = value[key]
            if isinstance(found, str | int) and not isinstance(found, bool):
                return str(found)
    return None


def has_roles(body: Body) -> bool:
    """Say whether a list that speaks for no format is a conversation all the same: its messages have roles, or are missing."""
    if not body.messages:
        return isinstance(body.listed, list | str)
    return any(isinstance(raw, dict) and "role" in raw for _, raw, _ in body.messages)


def looks_like_message(value: Any) -> bool:
    """Say whether a value is shaped like a message (with a role, or with content and nothing of an envelope)."""
    if not isinstance(value, dict):
        return False
    if "role" in value:
        return "messages" not in value
    has_content = isinstance(value.get("content"), str | list) or "tool_calls" in value
    return has_content and "type" not in value and _NO_MESSAGE.isdisjoint(value)


def is_answer(value: Mapping[str, Any]) -> bool:
    """Say whether an object is an Anthropic response, which is a message itself."""
    return value.get("type") == "message" and isinstance(value.get("content"), list) and "stop_reason" in value


def _is_chunk(value: Mapping[str, Any]) -> bool:
    """Say whether an object is a piece of a streamed answer."""
    kind = value.get("object") or value.get("type")
    if isinstance(kind, str) and (kind == "chat.completion.chunk" or kind in EVENTS or kind in COHERE_EVENTS):
        return True
    return has_deltas(value)


@cache
def _openers() -> tuple[Callable[[Any], Opened | None], ...]:
    """List the formats' own ways to open records that are shaped like no other format's."""
    from lighter.formats import get, names  # noqa: PLC0415 - formats are loaded only for records that are not plain chats

    found = (getattr(get(name), "open_record", None) for name in names())
    return tuple(opener for opener in found if opener is not None)


def _open_by_format(value: Any) -> Opened | None:
    return next((opened for opener in _openers() if (opened := opener(value)) is not None), None)


def _opened_body(value: Any, path: str) -> Body | None:
    """Let the formats open a body that stands inside a record."""
    opened = _open_by_format(value) if isinstance(value, dict | list) else None
    # The conversation is the whole record, whatever part of it holds its messages.
    return replace(shifted(opened.bodies[0], path), place="") if opened and len(opened.bodies) == 1 else None


def _open_object(value: dict[str, Any]) -> Opened:
    if _is_chunk(value):
        return _CHUNK
    is_listing = "messages" in value and not isinstance(value["messages"], dict)
    if not is_listing and (opened := _open_by_format(value)) is not None:
        return opened
    body = _pair(value)
    if body is not None:
        return Opened("conversation", (body,))
    if value.get("object") == "list" and isinstance(data := value.get("data"), list):
        return _with_rest(_open_list(data, "/data"), tuple((step(k), v) for k, v in value.items() if k != "data"))
    if _is_batch(listed := value.get("requests")):
        return _with_rest(
            _open_list(listed, "/requests"), tuple((step(k), v) for k, v in value.items() if k != "requests")
        )
    return _MESSAGE if looks_like_message(value) else _NONE


def _is_batch(listed: Any) -> TypeGuard[list[dict[str, Any]]]:
    """Say whether a list is that of the body that makes a batch (anthropic 2.14.0 `BatchCreateParams.requests`)."""
    return isinstance(listed, list) and any(isinstance(item, dict) and "params" in item for item in listed)


def _with_rest(opened: Opened, rest: tuple[tuple[str, Any], ...]) -> Opened:
    if opened.kind != "conversation":
        return opened
    first, *others = opened.bodies
    return replace(opened, bodies=(replace(first, rest=(*first.rest, *rest)), *others))


def _open_list(items: list[Any], path: str = "") -> Opened:
    """Open a list: one whose items are messages is one conversation, any other a list of conversations."""
    are_texts = bool(items) and all(map(_is_message_in_text, items))
    is_said = are_texts or not items or any(map(looks_like_message, items))
    is_chat = are_texts or (is_said and all(isinstance(item, dict) for item in items))
    opened = None if is_chat else _open_by_format(items)
    if opened is not None:
        return Opened(opened.kind, tuple(shifted(body, path) for body in opened.bodies))
    if are_texts:
        return Opened("conversation", (replace(bare(list(map(decoded, items)), path), listed=items),))
    if is_said:
        return Opened("conversation", (bare(items, path),))
    bodies: list[Body] = []
    passed: list[tuple[str, Any]] = []
    for index, item in enumerate(items):
        inside = open_value(item).bodies if isinstance(item, dict | list) else ()
        found = [shifted(body, path + step(index)) for body in inside if body.only_in is None]
        bodies += found
        passed += () if found else ((path + step(index), item),)
    return _with_rest(Opened("conversation", tuple(bodies), passed=len(passed)), tuple(passed)) if bodies else _NONE


def _is_message_in_text(item: Any) -> bool:
    """Say whether an item of a list is a message that was logged as JSON text, and not a text that merely is a message's."""
    found = decoded(item) if isinstance(item, str) else None
    return isinstance(found, dict) and "role" in found and looks_like_message(found)


def shifted(body: Body, prefix: str) -> Body:
    """Give a body whose record's value stands at a pointer inside another value."""
    return replace(
        body,
        messages=tuple((prefix + path, raw, answered) for path, raw, answered in body.messages),
        path=prefix + body.path,
        messages_path=None if body.messages_path is None else prefix + body.messages_path,
        response_path=prefix + body.response_path,
        branches=tuple((prefix + path, raw) for path, raw in body.branches),
        rest=tuple((prefix + path, raw) for path, raw in body.rest),
        place=prefix + body.place,
    )


def bare(items: list[Any], path: str) -> Body:
    """Make the body of a list of messages."""
    listed = tuple((path + step(index), item, False) for index, item in enumerate(items))
    return Body(listed, path=path, messages_path=path, listed=items, is_bare=True)


def decoded(value: Any) -> Any:
    """Give the value of a body that was logged as JSON text; anything else as it is."""
    if isinstance(value, str) and value[:1] in ("{", "["):
        try:
            return jsontext.decode(value)
        except (ValueError, RecursionError):
            return value
    return value


def _request(value: Any, path: str) -> Body | None:
    """Read an object with a list of messages."""
    if not isinstance(value, dict) or "messages" not in value:
        return None
    listed = value["messages"]
    items = decoded(listed)
    if not isinstance(items, list):
        items = []
    messages_path = f"{path}/messages"
    fields = {key: item for key, item in value.items() if key != "messages"}
    messages = tuple((messages_path + step(index), decoded(item), False) for index, item in enumerate(items))
    return Body(messages, path=path, fields=fields, messages_path=messages_path, listed=listed)


def _answer(value: Any, path: str) -> Body | None:
    """Find an answer: its messages, its envelope and where that stands, and further choices."""
    value = decoded(value)
    match value:
        case {"choices": [{"message": dict(message)}, *others]}:
            branches = tuple((f"{path}/choices/{index}", choice) for index, choice in enumerate(others, 1))
            listed = ((f"{path}/choices/0/message", message, True),)
            return Body(listed, response=value, response_path=path, branches=branches)
        case {"role": "assistant", "content": _}:
            return Body(((path, value, True),), response={}, response_path=path)
        case list() if value and all(map(looks_like_message, value)) and any("role" in message for message in value):
            return _as_answer(bare(value, path), path)
        case dict() | list():
            body = _opened_body(value, path)
            if body is not None and (body.response is not None or body.is_bare):
                return _as_answer(body, path)
            inner = value if isinstance(value, dict) else {}
            found = (_answer(inner[key], path + step(key)) for key in _WITHIN_RESPONSE if key in inner)
            return next((body for body in found if body is not None), None)
        case _:
            return None


def _as_answer(body: Body, path: str) -> Body:
    """Take all messages of a body as answers; a bare list of them has no envelope."""
    messages = tuple((place, raw, True) for place, raw, _ in body.messages)
    return replace(body, messages=messages, response=body.response or {}, response_path=path)


def _pair(value: dict[str, Any]) -> Body | None:
    """Read a request with its response, or one of the two alone, with bodies as objects or as JSON text."""
    request = _request(value, "") or next(_found_requests(value), None)
    key, answer = _found_answer(value)
    if request is None and answer is None:
        return None
    body = request or Body(())
    if request is not None and not request.path:  # the record is the request, with the response among its keys
        told = {key} if answer is None or key else {"choices", "usage"}
        body, rest = replace(request, fields={k: v for k, v in request.fields.items() if k not in told}), ()
        if answer is not None and key is None:
            answer = replace(answer, response={k: value[k] for k in told if k in value})
    else:
        holder = body.path.split("/")[1] if body.path else None
        taken = {key, "choices" if "choices" in value else None, holder}
        around = _beside(value, holder, body.path) if holder else ()
        rest = (*((step(k), v) for k, v in value.items() if k not in taken), *around)
    if answer is None:
        return replace(body, rest=rest)
    outer = tuple(_beside(value, key, answer.response_path)) if key else ()
    return replace(
        body,
        messages=(*body.messages, *answer.messages),
        response=answer.response,
        response_path=answer.response_path,
        branches=answer.branches,
        rest=(*(rest if answer.response_path else ()), *outer),
        format=body.format or answer.format,
    )


def _found_answer(value: dict[str, Any]) -> tuple[str | None, Body | None]:
    """Find the answer that a record holds, and its key; None for the key where the record itself is the answer."""
    if "choices" in value and (answer := _answer(value, "")) is not None:
        return None, answer
    for key in _RESPONSE_KEYS:
        if key in value and (answer := _answer(value[key], step(key))) is not None:
            return key, answer
    return None, None


def _beside(value: dict[str, Any], key: str, envelope_path: str) -> Iterator[tuple[str, Any]]:
    """List what stands around an answer that is wrapped once more (`{"status_code": …, "body": {…}}`)."""
    here, path = decoded(value[key]), step(key)
    for inner in envelope_path[len(path) :].split("/")[1:]:
        yield from ((path + step(k), v) for k, v in here.items() if k != inner)
        here, path = decoded(here[inner]), path + step(inner)


def _found_requests(value: dict[str, Any]) -> Iterator[Body]:
    """Find the requests that stand under a key of a record, or one level below it."""
    for key in _REQUEST_KEYS:
        if key in value:
            inner = decoded(value[key])
            if (body := _request(inner, step(key))) or (
                isinstance(inner, dict) and (body := _request(decoded(inner.get("body")), f"{step(key)}/body"))
            ):
                yield body
            elif isinstance(inner, list) and inner and all(map(looks_like_message, inner)):
                yield bare(inner, step(key))
            elif (body := _opened_body(inner, step(key))) is not None and body.response is None:
                yield body
