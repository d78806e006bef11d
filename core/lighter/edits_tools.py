"""Edits of tools and their names, in definitions, calls and results alike."""

import re

from lighter.edits import Edit, Put, Repair
from lighter.jsontext import step
from lighter.passage import Passage
from lighter.providers import Target
from lighter.toolwire import declared_tools, tool_calls, tool_results

_USUAL = re.compile(r"[^a-zA-Z0-9_-]")
_SHORTEST = 64


def renamed(passage: Passage, name: str, target: Target) -> Repair | None:
    """Give a tool a name that a target takes, wherever it is named; None where no such name was found."""
    longest = min(target.tool_name_max or _SHORTEST, target.tool_definition_name_max or _SHORTEST)
    new = _USUAL.sub("_", name)[:longest]
    tools = [tool for tool in declared_tools(passage.fields, passage.format) if tool.holder_path]
    calls, results = tool_calls(passage), tool_results(passage)
    known = {tool.name for tool in tools} | {call.name for call in calls if isinstance(call.name, str)}
    pattern = target.tool_name_pattern
    if not new or new in known or (pattern is not None and not re.fullmatch(pattern, new)):
        return None
    if any(isinstance(passage.fields.get(tool.path.split("/")[1]), str) for tool in tools):
        return None
    edits: list[Edit] = [
        Put(passage.record, f"{passage.fields_path}{tool.holder_path}/name", new) for tool in tools if tool.name == name
    ]
    edits += [
        Put(call.message.record, call.holder_path + step(call.keys.name), new) for call in calls if call.name == name
    ]
    edits += [
        Put(result.message.record, result.holder_path + step(result.name_key), new)
        for result in results
        if result.name_key and result.name == name
    ]
    return Repair(tuple(edits), "unsafe", "rename the tool in its definition and in all calls")
