"""Reading Mistral: wire messages of its chat API, entries of its Conversations API, and the bodies that hold them."""

from collections.abc import Iterator, Sequence
from typing import Any

from lighter.conversation import Conversation, Origin, Param, WireMessage
from lighter.envelope import Body
from lighter.formats._chat import (
    ChatForm,
    chat_conversation,
    params_of,
    read_answers,
    read_chat_message,
)
from lighter.formats._entries import folded, told_beside
from lighter.formats._functions import function_choice
from lighter.formats._reading import name_results
from lighter.formats.mistral.chunks import content_blocks
from lighter.formats.mistral.entries import heard, spoken
from lighter.formats.mistral.shapes import CALL, FIELDS, NAME, OLD_WORD, PARAMS
from lighter.jsontext import encode_text
from lighter.messages import Extra, Message
from lighter.passage import Entry

_FORM = ChatForm(name=NAME, call=CALL, content=content_blocks, result_name="name", fields=FIELDS)


def read_messages(messages: Sequence[WireMessage]) -> Iterator[Entry]:
    """Read wire messages or entries, in order; any JSON value gives a message."""
    return name_results(folded(messages, spoken, _heard))


def _heard(wire: WireMessage) -> tuple[Message, Origin]:
    """Read a message, or an entry that is not the assistant's."""
    return heard(wire) or read_chat_message(_FORM, wire)


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
        ext = (Extra(OLD_WORD, "/tool_choice", '"any"'),) if fields["tool_choice"] == "any" else ()
    return chat_conversation(_FORM, body, found, tuple(params), ext)


def _choice(held: Any) -> Any:
    """Read `tool_choice` in the spelling of OpenAI Chat; `any` is Mistral's older word for `required`."""
    return "required" if held == "any" else function_choice(held)
