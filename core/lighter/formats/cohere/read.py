"""Reading Cohere's chat API: wire messages, request bodies and answers as core messages."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from lighter.conversation import BlockOrigin, Conversation, Param, WireMessage
from lighter.envelope import Body
from lighter.formats._chat import ChatForm, chat_conversation, params_of, read_chat
from lighter.formats._entries import told_beside
from lighter.formats._reading import Placed
from lighter.formats.cohere.parts import content_blocks
from lighter.formats.cohere.shapes import CALL, CHOICES, FIELDS, NAME, PARAMS, PLAN
from lighter.jsontext import encode_text
from lighter.messages import ABSENT, ReasoningBlock
from lighter.passage import Entry


def _plan(raw: Mapping[str, Any], path: str) -> tuple[Placed, set[str]]:
    """Read the plan beside the content, which comes before it."""
    text = raw.get(PLAN)
    if raw.get("role") != "assistant" or not isinstance(text, str) or not text:
        return [], set()
    return [(ReasoningBlock(text, carrier=PLAN), BlockOrigin(f"{path}/{PLAN}"))], {PLAN}


_FORM = ChatForm(name=NAME, call=CALL, content=content_blocks, beside=_plan, no_content=ABSENT, fields=FIELDS)


def read_messages(messages: Sequence[WireMessage]) -> Iterator[Entry]:
    """Read wire messages, in order; any JSON value gives a message."""
    return read_chat(_FORM, messages)


def read_body(body: Body, messages: Sequence[WireMessage]) -> Conversation:
    """Read a request, an answer or both as one conversation."""
    keys = {"finish_reason": "stop", "usage": "usage", "model": "model"}
    entries, body = told_beside(list(read_messages(messages)), body, keys)
    fields, path = body.fields, body.path
    params = [*params_of(fields, path, PARAMS)]
    for name, spelled in CHOICES.items():
        if fields.get("tool_choice") == spelled:
            params.append(Param("tool_choice", encode_text(name), f"{path}/tool_choice"))
    return chat_conversation(_FORM, body, entries, tuple(params))
