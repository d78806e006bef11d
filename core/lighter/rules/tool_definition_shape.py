"""A tool definition is not of the shape that the wire wants.

## What
On OpenAI's wire a tool is `{"type": "function", "function": {"name", "description", "parameters"}}`, on Anthropic's
`{"name", "description", "input_schema"}`. Here it is no object, wrapped twice, in the other provider's shape, without a name, or with a
name that the provider does not take.

## Why it is refused
Every tool of a request is checked first; one broken definition makes each call of the API fail. Data sets often list functions
without the wrapper: that is told only for a target.

## Example
Bad: `{"type": "function", "function": {"type": "function", "function": {"name": "read_tide"}}}`
Good: `{"type": "function", "function": {"name": "read_tide"}}`

## Fix
Unwrap or wrap the definition. A name is left to you, since calls and results repeat it.
"""

import re
from collections.abc import Iterator
from typing import Any

from lighter.diagnostics import Fix
from lighter.passage import Passage
from lighter.providers import get_target
from lighter.rule import Aim, Example, Finding, Refusal, Rule
from lighter.toolwire import DeclaredTool, declared_tools, is_missing, place, shown
from lighter.wire import type_name

RULE = Rule(
    code="S104",
    name="tool-definition-shape",
    summary="a tool definition is not of the shape that the wire wants",
    severity={"generic": "error", "openai-chat": "error", "azure-openai": "error", "anthropic": "error"},
    refusals=(
        Refusal(
            ("openai-chat", "azure-openai"),
            "Missing required parameter: 'tools[0].function'.",
            "https://github.com/microsoft/semantic-kernel/issues/6825",
        ),
        Refusal(
            ("openai-chat", "azure-openai"),
            "Missing required parameter: 'tools[0].type'.",
            "https://github.com/openai/openai-cookbook/issues/1248",
        ),
        Refusal(
            ("openai-chat", "azure-openai"),
            "Invalid 'tools[0].function.name': string does not match pattern. Expected a string that matches the pattern '^[a-zA-Z0-9_-]+$'.",
            "https://github.com/brekkylab/ailoy/pull/109",
        ),
        Refusal(
            ("anthropic",),
            "tools.0.custom.input_schema: Field required",
            "https://github.com/su-kaka/gcli2api/issues/392",
        ),
        Refusal(
            ("anthropic",),
            "tools.16.custom.name: String should match pattern '^[a-zA-Z0-9_-]{1,128}$'",
            "https://github.com/modelcontextprotocol/modelcontextprotocol/issues/1345",
        ),
    ),
    source="https://github.com/microsoft/semantic-kernel/issues/6825",
    formats=("openai-chat", "anthropic"),
    fix=Fix("safe", "wrap or unwrap the definition"),
)

Fault = tuple[str, str, str, str]
"""A place in the body, what is wrong there, what would help, and what tells the providers' words for it."""


def check(passage: Passage, aim: Aim) -> Iterator[Finding]:
    """Yield what is wrong with the shape of each definition, once per definition."""
    if not passage.is_first:
        return
    for fault in _faults(passage, aim):
        path, message, remedy, words = fault
        refusals = tuple(refusal for refusal in RULE.refusals if words and words in refusal.text)
        yield Finding(passage.record, passage.fields_path + path, message, help=remedy, refusals=refusals)


def _faults(passage: Passage, aim: Aim) -> Iterator[Fault]:
    tools = passage.fields.get("tools")
    is_list = tools is None or isinstance(tools, list)
    if not is_list and (aim.target != "generic" or not isinstance(tools, str)):
        yield "/tools", f"`tools` is {type_name(tools)}, not a list", "write the tools as a list", ""
    for tool in declared_tools(passage.fields):
        if tool.shape == "unknown":
            yield tool.path, f"a tool is {type_name(tool.raw)}, not an object", "write the definition as an object", ""
        elif fault := _shape_fault(tool, aim) or _name_fault(tool, aim):
            yield fault


def _shape_fault(tool: DeclaredTool, aim: Aim) -> Fault | None:
    if aim.format == "anthropic":
        return _anthropic_fault(tool)
    return _openai_fault(tool, is_generic=aim.target == "generic")


def _openai_fault(tool: DeclaredTool, *, is_generic: bool) -> Fault | None:
    if tool.path.startswith("/functions"):
        return None
    if tool.shape == "flat":
        wrap = 'wrap it: `{"type": "function", "function": {…}}`'
        return None if is_generic and tool.name else (tool.path, "the tool has no `function`", wrap, "].function'")
    if tool.holder_path.count("/function") > 1:
        return f"{tool.path}/function", "the tool is wrapped twice", "unwrap it once", ""
    if tool.shape == "wrapped" and tool.raw.get("type") != "function" and not is_generic:
        return place(tool.raw, tool.path, "type"), "the tool has no known `type`", 'set `"type": "function"`', "].type'"
    return None


def _anthropic_fault(tool: DeclaredTool) -> Fault | None:
    if tool.shape in ("wrapped", "custom"):
        remedy = "unwrap it, and call its `parameters` `input_schema`"
        return tool.path, "the tool is in OpenAI's shape", remedy, "input_schema"
    if tool.shape == "flat" and tool.name and "input_schema" not in tool.holder:
        remedy = 'add `"input_schema": {"type": "object"}`'
        return tool.path, "the tool has no `input_schema`", remedy, "input_schema"
    return None


def _name_fault(tool: DeclaredTool, aim: Aim) -> Fault | None:
    """Tell a missing name, and one that the target does not take; a tool that the provider defines may go without."""
    name: Any = tool.holder.get("name")
    where = place(tool.holder, tool.holder_path, "name")
    if tool.shape == "typed" and is_missing(name):
        return None
    if not isinstance(name, str) or not name:
        return where, "the tool has no name", "give the tool a name", ""
    if aim.target == "generic":
        return None
    target = get_target(aim.target)
    longest = target.tool_definition_name_max
    if longest is not None and len(name) > longest:
        return (
            where,
            f"the name {shown(name)} has {len(name)} characters, {target.title} takes {longest}",
            "shorten the name",
            "{1,128}",
        )
    if target.tool_name_pattern is not None and not re.fullmatch(target.tool_name_pattern, name):
        fault = f"the name {shown(name)} holds characters that {target.title} does not take"
        return (
            where,
            fault,
            "rename the tool here and in all its calls",
            "should match pattern" if target.format == "anthropic" else "does not match",
        )
    return None


_SCHEMA = '"parameters":{"type":"object","properties":{}}'
_NAMED = f'"name":"read_tide",{_SCHEMA}'


def _body(tool: str, system: str = "") -> str:
    return f'{{{system}"messages":[{{"role":"user","content":"Tide?"}}],"tools":[{tool}]}}\n'


def _function(inner: str) -> str:
    return f'{{"type":"function","function":{{{inner}}}}}'


_SYSTEM = '"system":"Tides.",'

VALID = (
    Example(_body(_function(_NAMED)), format="openai-chat", target="openai-chat"),
    Example(_body('{"type":"custom","custom":{"name":"shell"}}'), format="openai-chat", target="openai-chat"),
    Example(_body(f"{{{_NAMED}}}"), format="openai-chat"),
    Example(
        _body('{"name":"read_tide","input_schema":{"type":"object"}}', _SYSTEM), format="anthropic", target="anthropic"
    ),
    Example(
        _body('{"type":"web_search_20250305","name":"web_search"}', _SYSTEM), format="anthropic", target="anthropic"
    ),
)
INVALID = (
    Example(
        _body(_function(f'"type":"function","function":{{{_NAMED}}}')),
        where=("/0/tools/0/function",),
        format="openai-chat",
    ),
    Example(_body(_function(_SCHEMA)), where=("/0/tools/0/function",), format="openai-chat"),
    Example(_body(f"{{{_NAMED}}}"), where=("/0/tools/0",), format="openai-chat", target="openai-chat"),
    Example(
        _body(_function(f'"name":"read.tide",{_SCHEMA}')),
        where=("/0/tools/0/function/name",),
        format="openai-chat",
        target="azure-openai",
    ),
    Example(_body(_function(_NAMED), _SYSTEM), where=("/0/tools/0",), format="anthropic", target="anthropic"),
    Example(_body('{"name":"read_tide"}', _SYSTEM), where=("/0/tools/0",), format="anthropic", target="anthropic"),
)
