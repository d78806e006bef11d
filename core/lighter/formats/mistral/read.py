"""Reading Mistral: wire messages of its chat API, entries of its Conversations API, and the bodies that hold them."""

from collections.abc import Iterator, Sequence
from typing import Any

from lighter.conversation import Conversation, Param, WireMessage
from lighter.envelope import Body
from lighter.formats._chat import (
    ChatForm,
    answered_by_order,
    chat_conversation,
    params_of,
    read_answers,
    read_chat_message,
    told_beside,
)
from lighter.formats._functions import function_choice
from lighter.formats._reading import Placed, name_results
from lighter.formats.mistral.chunks import content_blocks
from lighter.formats.mistral.entries import assistant, heard, spoken
from lighter.formats.mistral.shapes import CALL, FIELDS, NAME, PARAMS, USUAL
from lighter.jsontext import encode_text
from lighter.messages import Extra
from lighter.passage import Entry

_FORM = ChatForm(name=NAME, call=CALL, content=content_blocks, result_name="name", fields=FIELDS)


def read_messages(messages: Sequence[WireMessage]) -> Iterator[Entry]:
    """Read wire messages or entries, in order; any JSON value gives a message."""
    return name_results(answered_by_order(_entries(messages)))


def _entries(messages: Sequence[WireMessage]) -> Iterator[Entry]:
    """Fold the assistant's entries of one record into messages, and read everything else one by one."""
    first: WireMessage | None = None
    turn: Placed = []
    ext: tuple[Extra, ...] = ()
    for wire in messages:
        said = spoken(wire)
        if first is not None and (said is None or not _is_same_turn(first, wire)):
            yield Entry(*assistant(first, turn, ext), first)
            first, turn, ext = None, [], ()
        if said is None:
            message, origin = heard(wire) or read_chat_message(_FORM, wire)
            yield Entry(message, origin, wire)
        else:
            first = first or wire
            turn += said[0]
            ext += said[1]
    if first is not None:
        yield Entry(*assistant(first, turn, ext), first)


def _is_same_turn(first: WireMessage, wire: WireMessage) -> bool:
    return first.record is wire.record and first.is_response == wire.is_response


def read_body(body: Body, messages: Sequence[WireMessage]) -> Conversation:
    """Read a request, an answer or both as one conversation."""
    fields, path = body.fields, body.path
    entries = read_messages(messages)
    if body.response is not None and "choices" not in body.response:
        found, body = told_beside(list(entries), body, {"model": "model", "usage": "usage"})
    else:
        found = read_answers(entries, body)
    params = [*params_of(fields, path, PARAMS)]
    ext: tuple[Extra, ...] = ()
    if (choice := _choice(fields.get("tool_choice"))) is not None:
        params.append(Param("tool_choice", encode_text(choice), f"{path}/tool_choice"))
        ext = (Extra(USUAL, "/tool_choice", '"any"'),) if fields["tool_choice"] == "any" else ()
    return chat_conversation(_FORM, body, found, tuple(params), ext)


def _choice(held: Any) -> Any:
    """Read `tool_choice` in the spelling of OpenAI Chat; `any` is Mistral's older word for `required`."""
    return "required" if held == "any" else function_choice(held)
