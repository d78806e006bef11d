"""A tool definition is not of the shape that the wire wants.

## What
In OpenAI's chats a tool is `{"type": "function", "function": {"name", "description", "parameters"}}`, in its Responses
`{"type": "function", "name", "description", "parameters"}`, at Anthropic `{"name", "description", "input_schema"}`. Here it is no object,
wrapped twice, in another API's shape, without a name, or with a name that the provider does not take; or `tools` as a whole is no list.

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

from msgspec import UNSET

from lighter import jsontext
from lighter.diagnostics import Fix
from lighter.edits import Put, Repair
from lighter.jsontext import step
from lighter.passage import Passage
from lighter.providers import get_target
from lighter.rule import Aim, Example, Finding, Refusal, Rule
from lighter.rules._declared import place_in_body
from lighter.rules._limits import breach_of
from lighter.rules._quotes import said_with
from lighter.rules._telling import shown
from lighter.rules._tool_shapes import FOR_DATA_SETS, ToolFault, shape_fault
from lighter.toolwire import DeclaredTool, declared_tools, is_missing, parse_json, place
from lighter.wire import type_name

RULE = Rule(
    code="S104",
    name="tool-definition-shape",
    summary="a tool definition is not of the shape that the wire wants",
    severity={"generic": "error", "openai-chat": "error", "azure-openai": "error", "anthropic": "error"},
    formats=("openai-chat", "openai-responses", "anthropic", "gemini", "bedrock", "mistral", "cohere", "ollama"),
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
            ("openai-responses", "azure-openai"),
            "Missing required parameter: 'tools[0].name'.",
            "https://github.com/mozilla-ai/any-llm/pull/1310",
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
        Refusal(
            ("minimax",),
            "invalid params, function name or parameters is empty (2013)",
            "https://github.com/gsd-build/gsd-2/issues/4538",
        ),
        Refusal(
            ("minimax",),
            "invalid params, function parameters is empty (2013)",
            "https://github.com/QwenLM/qwen-code/issues/11834",
        ),
        Refusal(
            ("openai-chat", "azure-openai"),
            "Invalid 'tools[0].function.name': string too long. Expected a string with maximum length 64, but got a string with length 71 instead.",
            "openai 3.57.0 FunctionDefinition.name",
        ),
        Refusal(
            ("cohere",),
            "invalid request: tool names can only contain certain characters (A-Za-z0-9_) and can't begin with a digit (provided name: '…').",
            "https://docs.cohere.com/reference/errors",
        ),
        Refusal(
            ("deepseek",),
            "Failed to deserialize the JSON body into the target type: tools[7].type: unknown variant `namespace`, expected `function` at line 1 column 80187",
            "https://github.com/BerriAI/litellm/issues/30722",
        ),
        Refusal(
            ("openai-chat", "azure-openai"),
            "Missing required parameter: 'tools[0].function.name'.",
            "openai 3.57.0 FunctionDefinition.name",
        ),
    ),
    source="https://github.com/microsoft/semantic-kernel/issues/6825",
    fix=Fix("safe", "wrap or unwrap the definition"),
)


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


def _repair(passage: Passage, fault: ToolFault, aim: Aim) -> Repair | None:
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


def _faults(passage: Passage, aim: Aim) -> Iterator[ToolFault]:
    if passage.format in ("bedrock", "gemini"):
        yield from _holder_faults(passage)
    elif fault := _list_fault(passage, aim):
        yield fault
    for tool in declared_tools(passage.fields, passage.format):
        if tool.shape == "unknown":
            yield ToolFault(
                tool.path, f"a tool is {type_name(tool.raw)}, not an object", "write the definition as an object"
            )
        elif fault := shape_fault(tool, aim) or _name_fault(tool, aim):
            yield fault


def _list_fault(passage: Passage, aim: Aim) -> ToolFault | None:
    """Tell `tools` that is no list. JSON text is how data sets keep it (TRL, LLaMA-Factory); only a request must not."""
    match passage.fields.get("tools"):
        case None | list():
            return None
        case str() if aim.target in FOR_DATA_SETS:
            return None
        case str(text) if passage.model is None and _is_list_in_text(text):
            said = "`tools` is a list in JSON text, as data sets keep it; a request takes the list itself"
            remedy = "parse the text before it is sent"
            return ToolFault("/tools", said, remedy, severity="info", value=jsontext.decode(text))
        case tools:
            return ToolFault("/tools", f"`tools` is {type_name(tools)}, not a list", "write the tools as a list")


def _holder_faults(passage: Passage) -> Iterator[ToolFault]:
    """Tell what holds tools at Bedrock and Gemini, and is not what it must be."""
    config, tools = passage.fields.get("toolConfig"), passage.fields.get("tools")
    held: list[tuple[str, Any]] = []
    if passage.format == "bedrock" and config is not None:
        if isinstance(config, dict):
            held = [("/toolConfig/tools", config.get("tools"))]
        else:
            said = f"`toolConfig` is {type_name(config)}, not an object"
            yield ToolFault("/toolConfig", said, "write an object with the list of `tools`")
    elif passage.format == "gemini":
        groups = enumerate(tools) if isinstance(tools, list) else ()
        lists = ((f"/tools/{n}", group) for n, group in groups if isinstance(group, dict))
        keys = ("functionDeclarations", "function_declarations")
        held = [("/tools", tools), *((f"{path}/{key}", group.get(key)) for path, group in lists for key in keys)]
    for path, value in held:
        if not isinstance(value, list | None):
            said = f"`{path.rpartition('/')[2]}` is {type_name(value)}, not a list"
            yield ToolFault(path, said, "write the tools as a list")


def _is_list_in_text(text: str) -> bool:
    try:
        return isinstance(parse_json(text), list)
    except ValueError:
        return False


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


def _name_fault(tool: DeclaredTool, aim: Aim) -> ToolFault | None:
    """Tell a missing name, and one that the target does not take; a tool that the provider defines may go without."""
    name: Any = tool.holder.get("name")
    where = place(tool.holder, tool.holder_path, "name")
    if tool.shape == "typed" and is_missing(name):
        return None
    if not isinstance(name, str) or not name:
        return ToolFault(where, "the tool has no name", "give the tool a name")
    if aim.target == "generic":
        return None
    target = get_target(aim.target)
    breach = breach_of(name, target.tool_definition_name_max, target.tool_name_pattern, target.title)
    if breach is None:
        return None
    words = _SAID.get((target.format, breach.is_length), "")
    remedy = "shorten the name" if breach.is_length else "rename the tool here and in all its calls"
    return ToolFault(where, f"the name {shown(name)} {breach.words}", remedy, words, name=name)


_SCHEMA = '"parameters":{"type":"object","properties":{}}'
_NAMED = f'"name":"read_tide",{_SCHEMA}'


def _body(tool: str, system: str = "") -> str:
    return f'{{{system}"messages":[{{"role":"user","content":"Tide?"}}],"tools":[{tool}]}}\n'


def _function(inner: str) -> str:
    return f'{{"type":"function","function":{{{inner}}}}}'


_SYSTEM = '"system":"Tides.",'


def _items(tool: str) -> str:
    return (
        f'{{"model":"gpt-5","instructions":"Tides.","input":[{{"role":"user","content":"Tide?"}}],"tools":[{tool}]}}\n'
    )


def _in_text(tools: str, model: str = "") -> str:
    """Write a body whose list of tools is JSON text."""
    quoted = tools.replace('"', '\\"')
    return f'{{{model}"messages":[{{"role":"user","content":"Tide?"}}],"tools":"[{quoted}]"}}\n'


VALID = (
    Example(_body(_function(_NAMED)), format="openai-chat", target="openai-chat"),
    Example(_body('{"type":"custom","custom":{"name":"shell"}}'), format="openai-chat", target="openai-chat"),
    Example(_body(f"{{{_NAMED}}}"), format="openai-chat"),
    Example(
        _items(f'{{"type":"function",{_NAMED}}},{{"type":"custom","name":"shell"}},{{"type":"web_search"}}'),
        format="openai-responses",
        target="openai-responses",
    ),
    Example(
        '{"contents":[{"role":"user","parts":[{"text":"Tide?"}]}],"tools":[{"googleSearch":{}},{"function_declarations":[]}]}',
        format="gemini",
        target="gemini",
    ),
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
    Example(_items(_function(_NAMED)), where=("/0/tools/0",), format="openai-responses", target="openai-responses"),
    Example(_items(f"{{{_NAMED}}}"), where=("/0/tools/0",), format="openai-responses", target="openai-responses"),
    Example(
        _items(f'{{"type":"function",{_SCHEMA}}}'),
        where=("/0/tools/0",),
        format="openai-responses",
        target="openai-responses",
    ),
    Example(
        '{"messages":[{"role":"user","content":[{"text":"Tide?"}]}],"toolConfig":{"tools":[{"toolSpec":"read_tide"}]}}',
        where=("/toolConfig/tools/0/toolSpec",),
        format="bedrock",
        target="bedrock",
    ),
    Example(
        '{"contents":[{"role":"user","parts":[{"text":"Tide?"}]}],"tools":[{"functionDeclarations":{"name":"read_tide"}}]}',
        where=("/tools/0/functionDeclarations",),
        format="gemini",
        target="gemini",
    ),
    Example(_body('{"name":"read_tide"}', _SYSTEM), where=("/0/tools/0",), format="anthropic", target="anthropic"),
)
