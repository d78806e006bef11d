"""Reading the Responses API: the assistant's items between two others become one message, instructions the first message."""

from collections.abc import Iterator, Sequence
from typing import Any

from msgspec.structs import replace

from lighter.conversation import BlockOrigin, Conversation, Origin, Param, Tool, WireMessage
from lighter.envelope import Body
from lighter.formats._reading import Placed, conversation_of, listed, name_results
from lighter.formats.openai_responses.items import heard, item_extras, spoken
from lighter.formats.openai_responses.parts import kept
from lighter.formats.openai_responses.shapes import NAME, SPELLING
from lighter.jsontext import encode_text, step
from lighter.messages import ABSENT, AssistantMessage, Extra, SystemMessage, with_blocks
from lighter.passage import Entry

PARAMS = {"model": "model", "max_output_tokens": "max_tokens", "temperature": "temperature", "top_p": "top_p",
          "stream": "stream", "parallel_tool_calls": "parallel_tool_calls", "user": "user"}  # fmt: skip


def read_messages(messages: Sequence[WireMessage]) -> Iterator[Entry]:
    """Read items, in order; any JSON value gives a message or a block of one."""
    return name_results(_entries(messages))


def _entries(messages: Sequence[WireMessage]) -> Iterator[Entry]:
    """Fold the assistant's items of one record, and of one answer, into messages."""
    first: WireMessage | None = None
    turn: Placed = []
    ext: tuple[Extra, ...] = ()
    for wire in messages:
        placed = spoken(wire)
        if first is not None and (placed is None or not _is_same_turn(first, wire)):
            yield _turn(first, turn, ext)
            first, turn, ext = None, [], ()
        if placed is None:
            message, origin = heard(wire)
            yield Entry(message, origin, wire)
        else:
            first = first or wire
            turn += placed
            ext += item_extras(wire)
    if first is not None:
        yield _turn(first, turn, ext)


def _is_same_turn(first: WireMessage, wire: WireMessage) -> bool:
    return first.record is wire.record and first.is_response == wire.is_response


def _turn(first: WireMessage, placed: Placed, ext: tuple[Extra, ...]) -> Entry:
    message = with_blocks(AssistantMessage("", ext=ext), [block for block, _ in placed])
    origin = Origin(first.record.row, first.path, {}, tuple(origin for _, origin in placed))
    return Entry(message, origin, first)


def read_body(body: Body, messages: Sequence[WireMessage]) -> Conversation:
    """Read a request, an answer or both as one conversation."""
    fields, path = body.fields, body.path
    entries, body = _answered(list(read_messages(messages)), body)
    known = {key for key in PARAMS if fields.get(key) is not None}
    if (instructed := _instructions(body, messages)) is not None:
        entries.insert(0, instructed)
        known.add("instructions")
    params = [Param(PARAMS[key], encode_text(fields[key]), path + step(key)) for key in PARAMS if key in known]
    if (choice := _choice(fields.get("tool_choice"))) is not None:
        params.append(Param("tool_choice", encode_text(choice), f"{path}/tool_choice"))
        known.add("tool_choice")
    tools = listed(fields, "tools", path, _tool)
    known |= {"tools"} if tools else set()
    return conversation_of(NAME, body, entries, params=tuple(params), tools=tools, ext=kept(fields, known))


def _instructions(body: Body, messages: Sequence[WireMessage]) -> Entry | None:
    """Read `instructions` as a system message; unlike one that is an item, it carries no spelling of its `type`."""
    match body.fields.get("instructions"):
        case str(text) if text and messages:
            path, record = f"{body.path}/instructions", messages[0].record
            origin = Origin(record.row, path, {"content": path}, (BlockOrigin(path),))
            return Entry(SystemMessage(text), origin, WireMessage(record, path, text, -1))
        case _:
            return None


def _answered(entries: list[Entry], body: Body) -> tuple[list[Entry], Body]:
    """Give the last message of an answer its model, stop reason and usage; the rest of the envelope is kept as such."""
    response = body.response
    if response is None:
        return entries, body
    told: dict[str, str] = {}
    places: dict[str, str] = {}
    at = next((n for n in reversed(range(len(entries))) if entries[n].wire.is_response), None)
    for key, field in (("model", "model"), ("status", "stop"), ("usage", "usage")) if at is not None else ():
        value = response.get(key)
        if (isinstance(value, str) and field != "usage") or (isinstance(value, dict) and field == "usage"):
            told[field] = encode_text(value) if field == "usage" else str(value)
            places[field] = body.response_path + step(key)
    if at is not None and isinstance(entries[at].message, AssistantMessage):
        entry = entries[at]
        origin = replace(entry.origin, fields={**entry.origin.fields, **places})
        entries[at] = Entry(replace(entry.message, **told), origin, entry.wire)
    else:
        places = {}
    rest = ((body.response_path + step(key), value) for key, value in response.items())
    beside = tuple((path, value) for path, value in rest if path not in places.values())
    return entries, replace(body, response=None, rest=(*body.rest, *beside))


def _choice(choice: Any) -> Any:
    """Read `tool_choice` in the spelling of OpenAI Chat; None for what that cannot say."""
    match choice:
        case "auto" | "none" | "required":
            return choice
        case {"type": ("function" | "custom") as kind, "name": str(name), **rest} if not rest:
            return {"type": kind, kind: {"name": name}}
        case _:
            return None


def _tool(raw: Any, path: str) -> Tool:
    match raw:
        case {"type": "function", "name": str(name)}:
            known = {"type", "name"}
            description, strict, parameters = raw.get("description"), raw.get("strict"), raw.get("parameters")
            known |= {"description"} if isinstance(description, str) else set()
            known |= {"strict"} if isinstance(strict, bool) else set()
            known |= {"parameters"} if isinstance(parameters, dict) else set()
            absent = (Extra(SPELLING, step(key), ABSENT) for key in ("strict", "parameters") if key not in raw)
            return Tool(
                name=name,
                description=description if isinstance(description, str) else None,
                parameters=encode_text(parameters) if isinstance(parameters, dict) else None,
                is_strict=strict if isinstance(strict, bool) else None,
                ext=(*kept(raw, known), *absent),
                path=path,
            )
        case _:
            return Tool(name="", native=Extra(NAME, "", encode_text(raw)), path=path)
