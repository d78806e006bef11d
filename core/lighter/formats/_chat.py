"""Reading chats of OpenAI's general shape: messages with `role`, `content` and `tool_calls`, in a list with tools and parameters."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from msgspec import Struct

from lighter.conversation import Conversation, Origin, Param, Pointers, WireMessage
from lighter.envelope import Body
from lighter.formats._calls import CallForm, call_id_of, read_call
from lighter.formats._entries import filled
from lighter.formats._functions import read_tools
from lighter.formats._reading import Placed, answered, conversation_of, extras, name_results, unread
from lighter.jsontext import encode_text, step
from lighter.messages import (
    ABSENT,
    AssistantMessage,
    Extra,
    Message,
    OtherMessage,
    SystemMessage,
    ToolMessage,
    UserMessage,
)
from lighter.passage import Entry


class ChatForm(Struct, frozen=True, kw_only=True):
    """How the messages of a chat differ from those of others, for the reader.

    `content` reads the value of `content` at a place, `beside` and `after` what stands beside it and belongs before or behind
    it (`thinking`, `images`), and tell which keys they read. `result_name` is the key that names a result's tool, `no_content`
    the JSON text of what an assistant's message without content has there (ABSENT: no such key). `fields` are the places of a
    message's fields, from the message on.
    """

    name: str
    call: CallForm
    content: Callable[[Any, str], Placed]
    beside: Callable[[Mapping[str, Any], str], tuple[Placed, set[str]]] | None = None
    after: Callable[[Mapping[str, Any], str], tuple[Placed, set[str]]] | None = None
    result_name: str | None = None
    no_content: str = "null"
    fields: Mapping[str, str]


def read_chat(form: ChatForm, messages: Sequence[WireMessage]) -> Iterator[Entry]:
    """Read wire messages, in order; any JSON value gives a message."""
    return name_results(Entry(*read_chat_message(form, wire), wire) for wire in messages)


def read_chat_message(form: ChatForm, wire: WireMessage) -> tuple[Message, Origin]:
    """Read one wire message."""
    raw, path, name = wire.raw, wire.path, form.name
    if not isinstance(raw, dict):
        return unread(name, raw), Origin(wire.record.row, path)
    role = raw.get("role")
    content = form.content(raw.get("content"), f"{path}/content")
    placed, read = content, {"role", "content"} if isinstance(role, str) and role else {"content"}
    for reader, is_first in ((form.beside, True), (form.after, False)):
        beside, known = reader(raw, path) if reader is not None else ([], set[str]())
        placed = [*beside, *placed] if is_first else [*placed, *beside]
        read |= known
    if role == "assistant" and isinstance(calls := raw.get("tool_calls"), list) and calls:
        made = f"call_{wire.index}"
        placed = [*placed, *(read_call(form.call, call, f"{path}/tool_calls{step(n)}", f"{made}_{n}") for n, call in enumerate(calls))]  # fmt: skip
        read.add("tool_calls")
    usual = form.no_content if role == "assistant" else '""'
    kept = () if content else content_extra(name, raw, usual)
    return filled(_bare(form, wire, read, kept), placed, wire.record.row, path, Pointers(path, form.fields))


def _bare(form: ChatForm, wire: WireMessage, read: set[str], kept: tuple[Extra, ...]) -> Message:
    """Make the message of a role, without its content; it has no name here, so that one is kept as it is."""
    ext = (*extras(form.name, wire.raw, read), *kept)
    match role := wire.raw.get("role"):
        case "system" | "developer":
            return SystemMessage("", is_developer=role == "developer", ext=ext)
        case "user":
            return UserMessage("", ext=ext)
        case "assistant":
            return AssistantMessage("", ext=ext)
        case "tool":
            return _result(form, wire, read, kept)
        case _:
            return OtherMessage(role if isinstance(role, str) else "", "", ext=ext)


def _result(form: ChatForm, wire: WireMessage, read: set[str], kept: tuple[Extra, ...]) -> ToolMessage:
    """Make the message of a result, with its call's id and its tool's name as far as the wire tells them."""
    raw, name, spelling = wire.raw, form.name, form.call.spelling
    value = raw.get("tool_call_id")
    is_none = isinstance(value, str) and value in form.call.no_ids
    call_id, is_made = call_id_of("" if is_none else value, f"call_{wire.index}")
    read = read | ({"tool_call_id"} if isinstance(value, str) and value else set())
    if form.call.has_id and "tool_call_id" not in raw:
        kept += (Extra(name, "/tool_call_id", ABSENT),)
    elif is_none or (not form.call.has_id and isinstance(value, str) and value):
        kept += (Extra(spelling, "/tool_call_id", encode_text(value)),)
    tool_name, key = "", form.result_name
    if key is not None and isinstance(told := raw.get(key), str) and told:
        tool_name = told
        read = read | {key}
    elif key is not None and key not in raw:
        kept += (Extra(spelling, step(key), ABSENT),)
    return ToolMessage(call_id, tool_name, "", None, is_id_synthetic=is_made, ext=(*extras(name, raw, read), *kept))


def content_extra(name: str, raw: Mapping[str, Any], usual: str | None) -> tuple[Extra, ...]:
    """Remember how empty content was spelled where a writer would spell it otherwise; `usual` is that one's JSON text.

    Without one it is always remembered.
    """
    found = encode_text(raw["content"]) if "content" in raw else ABSENT
    return () if found == usual else (Extra(name, "/content", found),)


def params_of(fields: Mapping[str, Any], path: str, names: Mapping[str, str]) -> tuple[Param, ...]:
    """Read parameters; `names` gives the common name of each key."""
    found = ((key, common) for key, common in names.items() if key in fields)
    return tuple(Param(common, encode_text(fields[key]), path + step(key)) for key, common in found)


def read_answers(entries: Iterator[Entry], body: Body) -> list[Entry]:
    """Give an answer with `choices` its model, usage and stop reason."""
    found = []
    for entry in entries:
        if entry.wire.is_response:
            message, origin = answered(entry.message, entry.origin, body)
            found.append(Entry(message, origin, entry.wire))
        else:
            found.append(entry)
    return found


def chat_conversation(
    form: ChatForm, body: Body, entries: Sequence[Entry], params: tuple[Param, ...], ext: tuple[Extra, ...] = ()
) -> Conversation:
    """Put the conversation of a request body together: its messages, tools, parameters, and its other keys."""
    fields, path = body.fields, body.path
    tools = read_tools(form.name, fields, path)
    known = {param.path[len(path) + 1 :].partition("/")[0] for param in params} | ({"tools"} if tools else set())
    kept = (*extras(form.name, fields, known), *ext)
    return conversation_of(form.name, body, entries, params=params, tools=tools, ext=kept)
