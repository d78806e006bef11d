"""Reading the Responses API: the assistant's items between two others become one message, instructions the first message."""

from collections.abc import Iterator, Sequence
from typing import Any

from lighter.conversation import BlockOrigin, Conversation, Origin, Param, Tool, WireMessage
from lighter.envelope import Body
from lighter.formats._entries import folded, told_beside
from lighter.formats._reading import conversation_of, listed, name_results, told_of, unknown_tool
from lighter.formats.openai_responses.items import heard, spoken
from lighter.formats.openai_responses.parts import kept
from lighter.formats.openai_responses.shapes import NAME, SPELLING
from lighter.jsontext import encode_text, step
from lighter.messages import ABSENT, Extra, SystemMessage
from lighter.passage import Entry

PARAMS = {"model": "model", "max_output_tokens": "max_tokens", "temperature": "temperature", "top_p": "top_p",
          "stream": "stream", "parallel_tool_calls": "parallel_tool_calls", "user": "user"}  # fmt: skip


def read_messages(messages: Sequence[WireMessage]) -> Iterator[Entry]:
    """Read items, in order; any JSON value gives a message or a block of one."""
    return name_results(folded(messages, spoken, heard))


def read_body(body: Body, messages: Sequence[WireMessage]) -> Conversation:
    """Read a request, an answer or both as one conversation."""
    fields, path = body.fields, body.path
    keys = {"model": "model", "status": "stop", "usage": "usage"}
    entries, body = told_beside(list(read_messages(messages)), body, keys)
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


def _choice(choice: Any) -> Any:
    """Read `tool_choice` in the spelling of OpenAI Chat; None for what that cannot say."""
    match choice:
        case "auto" | "none" | "required":
            return choice
        case {"type": ("function" | "custom") as kind, "name": str(name), **rest} if not rest:
            return {"type": kind, kind: {"name": name}}
        case {"type": "allowed_tools", "mode": str(mode), "tools": [*tools], **rest} if not rest:
            allowed = list(map(_choice, tools))
            are_read = all(isinstance(tool, dict) for tool in allowed)
            return {"type": "allowed_tools", "allowed_tools": {"mode": mode, "tools": allowed}} if are_read else None
        case _:
            return None


def _tool(raw: Any, path: str) -> Tool:
    match raw:
        case {"type": "function", "name": str(name)}:
            told, read = told_of(raw, "description", "strict", "parameters")
            absent = (Extra(SPELLING, step(key), ABSENT) for key in ("strict", "parameters") if key not in raw)
            return Tool(name=name, ext=(*kept(raw, {"type", "name", *read}), *absent), path=path, **told)
        case _:
            return unknown_tool(NAME, raw, path)
