"""A tool definition is not of the shape that the wire wants.

## What
On OpenAI's wire a tool is `{"type": "function", "function": {"name", "description", "parameters"}}`, on Anthropic's
`{"name", "description", "input_schema"}`. Here it is no object, wrapped twice, in the other provider's shape, without a name, or with a
name that the provider does not take; or `tools` as a whole is no list.

## Why it is refused
Every tool of a request is checked first; one broken definition makes each call of the API fail. Data sets often list functions
without the wrapper, or keep the whole list as JSON text in one column: that is told only for a target, and the text of a row that
is no request (it names no model) only as information.

## Example
Bad:
```
{"type": "function", "function": {"type": "function", "function": {"name": "read_tide"}}}
```
Good:
```
{"type": "function", "function": {"name": "read_tide"}}
```

## Fix
Unwrap or wrap the definition, and parse a list that is text. A name is left to you, since calls and results repeat it.
"""

from collections.abc import Iterator, Mapping
from typing import Any

from msgspec import UNSET, Struct

from lighter import jsontext
from lighter.diagnostics import Fix, Severity
from lighter.edits import Put, Repair
from lighter.jsontext import step
from lighter.passage import Passage
from lighter.providers import get_target
from lighter.rule import Aim, Example, Finding, Refusal, Rule
from lighter.rules._declared import place_in_body
from lighter.rules._limits import breach_of
from lighter.rules._quotes import said_with
from lighter.rules._telling import shown
from lighter.toolwire import DeclaredTool, declared_tools, is_missing, parse_json, place
from lighter.wire import type_name

RULE = Rule(
    code="S104",
    name="tool-definition-shape",
    summary="a tool definition is not of the shape that the wire wants",
    severity={"generic": "error", "openai-chat": "error", "azure-openai": "error", "anthropic": "error"},
    formats=("openai-chat", "anthropic", "gemini", "bedrock", "mistral", "cohere", "ollama"),
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
        Refusal(
            ("bedrock",),
            "Value 'Complete Session' at 'toolConfig.tools.22.member.toolSpec.name' failed to satisfy constraint: Member must satisfy regular expression pattern: [a-zA-Z0-9_-]+",
            "https://github.com/aws-samples/remote-swe-agents/pull/457",
        ),
        Refusal(
            ("mistral",),
            "Function name was … but must be a-z, A-Z, 0-9, or contain underscores and dashes, with a maximum length of 64.",
            "mistral_common 1.13.1 MistralRequestValidator",
        ),
        Refusal(
            ("gemini",),
            "tools[0].function_declarations[25].name: [FIELD_INVALID] Invalid function name. Must start with a letter or an underscore. Must be a-z, A-Z, 0-9, or contain underscores (_), dots (.), colons (:), or dashes (-)",
            "https://github.com/decolua/9router/issues/369",
        ),
    ),
    source="https://github.com/microsoft/semantic-kernel/issues/6825",
    fix=Fix("safe", "wrap or unwrap the definition"),
)


class _Fault(Struct, frozen=True):
    """A place in the body, what is wrong there, what would help, what tells the providers' words for it, and how much it matters."""

    path: str
    message: str
    remedy: str
    words: str = ""
    severity: Severity | None = None
    value: Any = UNSET
    """What belongs at the place instead."""
    is_safe: bool = True
    key: str = ""
    """The key that is to be added there."""
    name: str = ""
    """The name that is refused."""


def check(passage: Passage, aim: Aim) -> Iterator[Finding]:
    """Yield what is wrong with the list of tools, and with the shape of each definition, once per definition."""
    if not passage.is_first:
        return
    for fault in _faults(passage, aim):
        yield Finding(
            passage.record,
            place_in_body(passage, fault.path),
            fault.message,
            help=fault.remedy,
            severity=fault.severity,
            refusals=said_with(RULE, fault.words),
            repair=_repair(passage, fault, aim),
        )


def _repair(passage: Passage, fault: _Fault, aim: Aim) -> Repair | None:
    """Write what belongs at the place; a tool with another name is renamed wherever it is named."""
    held = passage.fields.get(fault.path.split("/")[1])
    if isinstance(held, str) and fault.path.count("/") > 1:
        return None  # a part of what stands in JSON text
    if fault.value is not UNSET:
        path = passage.fields_path + fault.path + (step(fault.key) if fault.key else "")
        return Repair((Put(passage.record, path, fault.value),), None if fault.is_safe else "unsafe", fault.remedy)
    if not fault.name:
        return None
    from lighter.edits_tools import renamed  # noqa: PLC0415 - loaded only for what is at fault

    return renamed(passage, fault.name, get_target(aim.target))


def _faults(passage: Passage, aim: Aim) -> Iterator[_Fault]:
    if fault := _list_fault(passage, aim):
        yield fault
    for tool in declared_tools(passage.fields, passage.format):
        if tool.shape == "unknown":
            yield _Fault(
                tool.path, f"a tool is {type_name(tool.raw)}, not an object", "write the definition as an object"
            )
        elif fault := _shape_fault(tool, aim) or _name_fault(tool, aim):
            yield fault


FOR_DATA_SETS = ("generic", "llamafactory")
"""Who takes tools as data sets keep them: bare, and in JSON text."""


def _list_fault(passage: Passage, aim: Aim) -> _Fault | None:
    """Tell `tools` that is no list. JSON text is how data sets keep it (TRL, LLaMA-Factory); only a request must not."""
    match passage.fields.get("tools"):
        case None | list():
            return None
        case str() if aim.target in FOR_DATA_SETS:
            return None
        case str(text) if passage.model is None and _is_list_in_text(text):
            said = "`tools` is a list in JSON text, as data sets keep it; a request takes the list itself"
            remedy = "parse the text before it is sent"
            return _Fault("/tools", said, remedy, severity="info", value=jsontext.decode(text))
        case tools:
            return _Fault("/tools", f"`tools` is {type_name(tools)}, not a list", "write the tools as a list")


def _is_list_in_text(text: str) -> bool:
    try:
        return isinstance(parse_json(text), list)
    except ValueError:
        return False


def _shape_fault(tool: DeclaredTool, aim: Aim) -> _Fault | None:
    match aim.format:
        case "anthropic":
            return _anthropic_fault(tool)
        case "bedrock" if tool.shape == "flat" and tool.schema is UNSET:
            remedy = 'add `"inputSchema": {"json": {"type": "object"}}`'
            schema = {"json": {"type": "object"}}
            return _Fault(
                tool.holder_path,
                "the tool has no `inputSchema`",
                remedy,
                value=schema,
                key="inputSchema",
                is_safe=False,
            )
        case "bedrock" | "gemini":
            return None
        case _:
            pass
    return _openai_fault(tool, is_generic=aim.target in FOR_DATA_SETS)


def _openai_fault(tool: DeclaredTool, *, is_generic: bool) -> _Fault | None:
    if tool.path.startswith("/functions"):
        return None
    if tool.shape == "flat":
        wrap = 'wrap it: `{"type": "function", "function": {…}}`'
        if is_generic and tool.name:
            return None
        value = {"type": "function", "function": _as_function(tool.raw)} if tool.name else UNSET
        return _Fault(tool.path, "the tool has no `function`", wrap, "].function'", value=value)
    if tool.holder_path.count("/function") > 1:
        value = dict(tool.holder)
        return _Fault(f"{tool.path}/function", "the tool is wrapped twice", "unwrap it once", value=value)
    if tool.shape == "wrapped" and tool.raw.get("type") != "function" and not is_generic:
        words = "" if "type" in tool.raw else "].type'"
        where = place(tool.raw, tool.path, "type")
        key = "" if "type" in tool.raw else "type"
        remedy = 'set `"type": "function"`'
        return _Fault(where, "the tool has no known `type`", remedy, words, value="function", key=key)
    return None


def _anthropic_fault(tool: DeclaredTool) -> _Fault | None:
    if tool.shape in ("wrapped", "custom"):
        remedy = "unwrap it, and call its `parameters` `input_schema`"
        value = _as_anthropic(tool) if tool.shape == "wrapped" and tool.name else UNSET
        return _Fault(tool.path, "the tool is in OpenAI's shape", remedy, "input_schema", value=value)
    if tool.shape == "flat" and tool.name and "input_schema" not in tool.holder:
        remedy = 'add `"input_schema": {"type": "object"}`'
        fault = "the tool has no `input_schema`"
        schema = {"type": "object"}
        return _Fault(tool.path, fault, remedy, "input_schema", value=schema, key="input_schema", is_safe=False)
    return None


def _as_function(flat: Mapping[str, Any]) -> dict[str, Any]:
    """Give a flat definition as OpenAI has it under `function`."""
    return {"parameters" if key == "input_schema" else key: item for key, item in flat.items() if key != "type"}


def _as_anthropic(tool: DeclaredTool) -> dict[str, Any]:
    """Give a definition in OpenAI's shape as Anthropic has it."""
    held = {key: item for key, item in tool.holder.items() if key != "parameters"}
    return {**held, "input_schema": tool.holder.get("parameters") or {"type": "object"}}


_SAID: Mapping[tuple[str | None, bool], str] = {
    ("anthropic", True): "{1,128}",
    ("anthropic", False): "{1,128}",
    ("openai-chat", False): "does not match",
    ("bedrock", False): "regular expression",
    ("gemini", False): "FIELD_INVALID",
    ("mistral", True): "Function name was",
    ("mistral", False): "Function name was",
}
"""What is known of whose words for a name, by wire format and by whether it is the length that is refused."""


def _name_fault(tool: DeclaredTool, aim: Aim) -> _Fault | None:
    """Tell a missing name, and one that the target does not take; a tool that the provider defines may go without."""
    name: Any = tool.holder.get("name")
    where = place(tool.holder, tool.holder_path, "name")
    if tool.shape == "typed" and is_missing(name):
        return None
    if not isinstance(name, str) or not name:
        return _Fault(where, "the tool has no name", "give the tool a name")
    if aim.target == "generic":
        return None
    target = get_target(aim.target)
    breach = breach_of(name, target.tool_definition_name_max, target.tool_name_pattern, target.title)
    if breach is None:
        return None
    words = _SAID.get((target.format, breach.is_length), "")
    remedy = "shorten the name" if breach.is_length else "rename the tool here and in all its calls"
    return _Fault(where, f"the name {shown(name)} {breach.words}", remedy, words, name=name)


_SCHEMA = '"parameters":{"type":"object","properties":{}}'
_NAMED = f'"name":"read_tide",{_SCHEMA}'


def _body(tool: str, system: str = "") -> str:
    return f'{{{system}"messages":[{{"role":"user","content":"Tide?"}}],"tools":[{tool}]}}\n'


def _function(inner: str) -> str:
    return f'{{"type":"function","function":{{{inner}}}}}'


_SYSTEM = '"system":"Tides.",'


def _in_text(tools: str, model: str = "") -> str:
    """Write a body whose list of tools is JSON text."""
    quoted = tools.replace('"', '\\"')
    return f'{{{model}"messages":[{{"role":"user","content":"Tide?"}}],"tools":"[{quoted}]"}}\n'


VALID = (
    Example(_body(_function(_NAMED)), format="openai-chat", target="openai-chat"),
    Example(_body('{"type":"custom","custom":{"name":"shell"}}'), format="openai-chat", target="openai-chat"),
    Example(_body(f"{{{_NAMED}}}"), format="openai-chat"),
    Example(_in_text(_function(_NAMED)), format="openai-chat"),
    Example(_in_text(_function(_NAMED)), format="openai-chat", mode="finetune"),
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
    # Text in a row of a data set, which is information, and in a request.
    Example(_in_text(_function(_NAMED)), where=("/0/tools",), format="openai-chat", target="openai-chat"),
    Example(
        _in_text(_function(_NAMED), '"model":"gpt-5",'), where=("/0/tools",), format="openai-chat", target="openai-chat"
    ),
    # What is wrong within the text is pointed at by the text.
    Example(_in_text(_function(_SCHEMA)), where=("/0/tools",), format="openai-chat"),
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
