"""Reading a session: the system prompt, the model and the tools of its agent beside the events."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from lighter.conversation import BlockOrigin, Conversation, Origin, Param, Tool, WireMessage
from lighter.envelope import Body
from lighter.formats._reading import conversation_of, extras, listed, told_of, unknown_tool
from lighter.formats.claude_managed_agents.read import read_log
from lighter.formats.claude_managed_agents.shapes import NAME
from lighter.jsontext import encode_text
from lighter.messages import Extra, SystemMessage
from lighter.passage import Entry

_AGENT = "/session/agent"


def read_body(body: Body, messages: Sequence[WireMessage]) -> Conversation:
    """Read a session with its events as one conversation."""
    entries, spare = read_log(messages)
    session = body.fields.get("session")
    if not isinstance(session, dict) or not isinstance(agent := session.get("agent"), dict):
        return conversation_of(NAME, body, entries, ext=(*extras(NAME, body.fields, set()), *spare))
    known: set[str] = set()
    if isinstance(system := agent.get("system"), str) and system and messages:
        entries.insert(0, _system(system, messages[0]))
        known.add("system")
    params, ext = _model(agent)
    known |= {"model"} if params else set()
    tools = listed(agent, "tools", _AGENT, _tool)
    known |= {"tools"} if tools else set()
    around = extras(NAME, session, {"agent"}, "/session")
    ext = (*around, *extras(NAME, agent, known, _AGENT), *ext, *spare)
    return conversation_of(NAME, body, entries, params=params, tools=tools, ext=ext)


def _system(text: str, first: WireMessage) -> Entry:
    path = f"{_AGENT}/system"
    origin = Origin(first.record.row, path, {"content": path}, (BlockOrigin(path),))
    return Entry(SystemMessage(text), origin, WireMessage(first.record, path, text, -1))


def _model(agent: Mapping[str, Any]) -> tuple[tuple[Param, ...], tuple[Extra, ...]]:
    """Read which model the agent has; what else is said of it is kept."""
    match agent.get("model"):
        case str(name):
            return (Param("model", encode_text(name), f"{_AGENT}/model"),), ()
        case {"id": str(name)}:
            kept = extras(NAME, agent["model"], {"id"}, f"{_AGENT}/model")
            return (Param("model", encode_text(name), f"{_AGENT}/model/id"),), kept
        case _:
            return (), ()


def _tool(raw: Any, path: str) -> Tool:
    match raw:
        case {"type": "custom", "name": str(name)}:
            told, read = told_of(raw, "description", "input_schema")
            return Tool(name=name, ext=extras(NAME, raw, {"type", "name", *read}), path=path, **told)
        case _:
            return unknown_tool(NAME, raw, path)


def sniff(
    messages: Sequence[Any], fields: Mapping[str, Any], response: Mapping[str, Any] | None
) -> Iterator[tuple[int, str]]:
    """Yield nothing: that records are events of a session is told by each of them, before they are joined."""
    del messages, fields, response
    yield from ()
