"""Reading requests and answers of the Interactions API: system instruction, tools and parameters beside the steps."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from lighter.conversation import BlockOrigin, Conversation, Origin, Param, Tool, WireMessage
from lighter.envelope import Body
from lighter.formats._entries import told_beside
from lighter.formats._reading import conversation_of, listed, told_of, unknown_tool
from lighter.formats.gemini_interactions.read import read_messages
from lighter.formats.gemini_interactions.shapes import NAME, SPELLING, kept
from lighter.jsontext import encode_text, step
from lighter.messages import Extra, SystemMessage
from lighter.passage import Entry

SETTINGS = {
    "temperature": "temperature",
    "top_p": "top_p",
    "max_output_tokens": "max_tokens",
    "stop_sequences": "stop",
    "seed": "seed",
}
"""Members of `generation_config`, and the common names of what they say."""

PARAMS = {"model": "model", "stream": "stream"}
CHOICES = {"auto": "auto", "none": "none", "any": "required"}


def read_body(body: Body, messages: Sequence[WireMessage]) -> Conversation:
    """Read a request, an answer or both as one conversation."""
    fields, path = body.fields, body.path
    keys = {"model": "model", "status": "stop", "usage": "usage"}
    entries, body = told_beside(list(read_messages(messages)), body, keys)
    known: set[str] = set()
    if (instructed := _system(body, messages)) is not None:
        entries.insert(0, instructed)
        known.add("system_instruction")
    params = [
        Param(PARAMS[key], encode_text(fields[key]), path + step(key)) for key in PARAMS if fields.get(key) is not None
    ]
    known |= {param.name for param in params}
    tools = listed(fields, "tools", path, _tool)
    known |= {"tools"} if tools else set()
    settings = fields.get("generation_config")
    ext: tuple[Extra, ...] = ()
    if isinstance(settings, dict):
        known.add("generation_config")
        read = list(_settings(settings, f"{path}/generation_config"))
        params += [param for _, param in read]
        ext = kept(settings, {key for key, _ in read}, "/generation_config")
        ext += (Extra(SPELLING, "/generation_config", "{}"),) if not settings else ()
    return conversation_of(NAME, body, entries, params=tuple(params), tools=tools, ext=(*kept(fields, known), *ext))


def _settings(settings: Mapping[str, Any], path: str) -> Iterator[tuple[str, Param]]:
    """Yield the parameters with the keys that they stood under."""
    for key, name in SETTINGS.items():
        if settings.get(key) not in (None, []):
            yield key, Param(name, encode_text(settings[key]), path + step(key))
    match settings.get("tool_choice"):
        case "auto" | "none" | "any" as mode:
            yield "tool_choice", Param("tool_choice", encode_text(CHOICES[mode]), f"{path}/tool_choice")
        case {"allowed_tools": {"mode": "any", "tools": [str(name)], **rest}, **more} if not rest and not more:
            chosen = {"type": "function", "function": {"name": name}}
            yield "tool_choice", Param("tool_choice", encode_text(chosen), f"{path}/tool_choice")


def _system(body: Body, messages: Sequence[WireMessage]) -> Entry | None:
    match body.fields.get("system_instruction"):
        case str(text) if text and messages:
            path, record = f"{body.path}/system_instruction", messages[0].record
            origin = Origin(record.row, path, {"content": path}, (BlockOrigin(path),))
            return Entry(SystemMessage(text), origin, WireMessage(record, path, text, -1))
        case _:
            return None


def _tool(raw: Any, path: str) -> Tool:
    match raw:
        case {"type": "function", "name": str(name)}:
            told, read = told_of(raw, "description", "parameters")
            return Tool(name=name, ext=kept(raw, {"type", "name", *read}), path=path, **told)
        case _:
            return unknown_tool(NAME, raw, path)
