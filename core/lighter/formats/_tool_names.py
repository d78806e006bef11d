"""Names of tools that a provider takes, the same in definitions, choices, calls and results."""

import re
from collections.abc import Iterator, Mapping
from typing import Any

from msgspec.structs import replace

from lighter.conversation import Conversation, Origin, Param, Tool, origins_of
from lighter.formats._call_ids import digest
from lighter.formats._notes import Notes
from lighter.formats._writing import origin_format, place_in
from lighter.jsontext import decode, encode_text, value_at
from lighter.messages import AssistantMessage, Block, Message, ToolCall, ToolMessage, blocks_of, with_blocks
from lighter.providers import TARGETS

_DIGITS = 12


def with_legal_names(conversation: Conversation, notes: Notes) -> Conversation:
    """Give tools the names that the target's provider takes: their own where that is legal, else its legal characters and a hash.

    Each place where a name changes is noted. What the target's own format held stays as it is.
    """
    if origin_format(conversation) == notes.target:
        return conversation
    names = _new_names(conversation, notes.target)
    if not names:
        return conversation
    origins = origins_of(conversation)
    placed = zip(conversation.messages, origins, strict=True)
    messages = tuple(_renamed(message, origin, names, conversation, notes) for message, origin in placed)
    tools = tuple(_defined(tool, conversation, names, notes) for tool in conversation.tools)
    params = tuple(_chosen(param, names, notes) for param in conversation.params)
    return replace(conversation, messages=messages, origins=origins, tools=tools, params=params)


def _new_names(conversation: Conversation, target: str) -> Mapping[str, str]:
    """Give a legal name for each one that is not; none for a target whose limits are not known."""
    limits = TARGETS.get(target)
    if limits is None or limits.tool_name_pattern is None:
        return {}
    defined = {tool.name for tool in conversation.tools if tool.native is None}
    called = {call.tool_name for call in _calls(conversation, target)}
    longest = min(limits.tool_definition_name_max or 64, limits.tool_name_max or 64)
    pattern = re.compile(limits.tool_name_pattern, re.ASCII)

    def is_legal(name: str) -> bool:
        most = limits.tool_definition_name_max if name in defined else limits.tool_name_max
        return (most is None or len(name) <= most) and pattern.fullmatch(name) is not None

    found = sorted(name for name in defined | called if name)
    taken = {name for name in found if is_legal(name)}
    new: dict[str, str] = {}
    for name in found:
        if name not in taken:
            new[name] = next(made for made in _candidates(name, longest) if made not in taken)
            taken.add(new[name])
    return new


def _candidates(name: str, longest: int) -> Iterator[str]:
    """Make names that every provider takes, the same ones for the same name."""
    stem = re.sub(r"[^a-zA-Z0-9_-]", "_", name)[: longest - _DIGITS - 1]
    stem = stem if stem[0].isalpha() or stem[0] == "_" else f"t{stem[:-1]}"
    for attempt in range(1000):
        yield f"{stem}_{digest(attempt, name)[:_DIGITS]}"


def _calls(conversation: Conversation, target: str) -> Iterator[ToolCall]:
    for message in conversation.messages:
        for call in message.tool_calls if isinstance(message, AssistantMessage) else ():
            if _is_named_freely(call, target):
                yield call


def _is_named_freely(call: ToolCall, target: str) -> bool:
    """Say whether a call names one of the tools whose definitions are written; OpenAI's two APIs hand on those of custom tools."""
    return call.kind != "server" and not (call.kind == "custom" and target.startswith("openai-"))


def _renamed(
    message: Message, origin: Origin, names: Mapping[str, str], conversation: Conversation, notes: Notes
) -> Message:
    """Give the calls of a message, or the call that a result answers, their new names."""
    notes = notes if origin.row == notes.row else notes.at_row(origin.row)
    if isinstance(message, ToolMessage) and message.tool_name in names:
        new = names[message.tool_name]
        if _is_told(conversation, origin):
            _note(origin.at("tool_name"), message.tool_name, new, notes)
        return replace(message, tool_name=new, name=new if message.name == message.tool_name else message.name)
    if not isinstance(message, AssistantMessage) or not any(call.tool_name in names for call in message.tool_calls):
        return message
    blocks: list[Block] = []
    for block, place in zip(blocks_of(message), origin.blocks, strict=True):
        if isinstance(block, ToolCall) and block.tool_name in names and _is_named_freely(block, notes.target):
            _note(place.at("tool_name"), block.tool_name, names[block.tool_name], notes)
            blocks.append(replace(block, tool_name=names[block.tool_name]))
        else:
            blocks.append(block)
    return with_blocks(message, blocks)


def _is_told(conversation: Conversation, origin: Origin) -> bool:
    """Say whether a result names its tool itself; else it has the name of its call."""
    record = next((record for record in conversation.records if record.row == origin.row), None)
    try:
        return (
            "tool_name" in origin.fields and record is not None and bool(value_at(record.value, origin.at("tool_name")))
        )
    except LookupError:
        return False


def _defined(tool: Tool, conversation: Conversation, names: Mapping[str, str], notes: Notes) -> Tool:
    if tool.native is not None or tool.name not in names:
        return tool
    _note(place_in(conversation, tool, "name"), tool.name, names[tool.name], notes)
    return replace(tool, name=names[tool.name])


def _chosen(param: Param, names: Mapping[str, str], notes: Notes) -> Param:
    """Give the one tool that a request wants called its new name, in the spelling of today or of old chats."""
    if param.name not in ("tool_choice", "function_call"):
        return param
    held: Any = decode(param.json)
    match held:
        case {"function": {"name": str(name)} as function} if name in names:
            new = held | {"function": function | {"name": names[name]}}
        case {"name": str(name)} if name in names:
            new = held | {"name": names[name]}
        case _:
            return param
    _note(param.path, name, names[name], notes)
    return replace(param, json=encode_text(new))


def _note(place: str, old: str, new: str, notes: Notes) -> None:
    notes.rewritten(place, "tool-name", f"{old!r} is now {new!r}")
