"""The parameters that a tool declares are no valid JSON Schema object.

## What
The schema is no object, uses a keyword wrongly (an unknown `type`, `required` that is null), or describes something else than an
object; or, for OpenAI and Anthropic, it has no `type`, or `oneOf`, `anyOf` or `allOf` at its top (for OpenAI also `enum` or `not`).

## Why it is refused
Providers check the schema of every tool before they look at the first message. It mostly comes from an MCP server or from PHP,
where an empty object is written as `[]`.

## Example
Bad: `{"name": "read_tide", "parameters": {"type": "object", "properties": {"pier": {"type": "int"}}}}`
Good: `{"name": "read_tide", "parameters": {"type": "object", "properties": {"pier": {"type": "integer"}}}}`

## Fix
Correct the schema. For OpenAI and Anthropic it must say `"type": "object"`; for Anthropic it must also be valid by draft 2020-12,
whichever draft it names.
"""

from collections.abc import Iterator
from typing import Any

from msgspec import UNSET

from lighter.passage import Passage
from lighter.providers import OPENAI_CHATS
from lighter.rule import Aim, Example, Finding, Refusal, Rule
from lighter.rules._declared import place_in_schema
from lighter.rules._quotes import said_with
from lighter.rules._telling import shown
from lighter.rules._tool_shapes import FOR_DATA_SETS
from lighter.toolcheck import BARRED_AT_TOP, SchemaFault, schema_fault
from lighter.toolwire import DeclaredTool, declared_tools

RULE = Rule(
    code="S102",
    name="invalid-tool-schema",
    summary="the parameters that a tool declares are no valid JSON Schema object",
    severity={"generic": "error", "openai-chat": "error", "azure-openai": "error", "anthropic": "error"},
    formats=("openai-chat", "openai-responses", "anthropic", "gemini", "bedrock", "mistral", "cohere", "ollama"),
    refusals=(
        Refusal(
            ("openai-chat", "azure-openai"),
            "Invalid schema for function 'knowledge_books': [] is not of type 'object'.",
            "https://github.com/maltekuhr/laravel-gpt/issues/8",
        ),
        Refusal(
            ("openai-chat", "azure-openai"),
            "Invalid schema for function 'json': schema must be a JSON Schema of 'type: \"object\"', got 'type: \"None\"'.",
            "https://github.com/i-am-bee/beeai-framework/issues/844",
        ),
        Refusal(
            ("anthropic",),
            "tools.118.custom.input_schema: JSON schema is invalid. It must match JSON Schema draft 2020-12 (https://json-schema.org/draft/2020-12).",
            "https://github.com/anthropics/claude-code/issues/7365",
        ),
        Refusal(
            ("anthropic",),
            "tools.0.custom.input_schema.type: Field required",
            "https://github.com/Kilo-Org/kilocode/issues/12238",
        ),
        Refusal(
            ("bedrock",),
            "The value at toolConfig.tools.26.toolSpec.inputSchema.json.type must be one of the following: object.",
            "https://github.com/kirodotdev/Kiro/issues/11026",
        ),
        Refusal(
            ("moonshot",),
            "Invalid request: tools.function.parameters is not a valid moonshot flavored json schema, details: <At path '…': …>",
            "https://github.com/earendil-works/pi/issues/4138",
        ),
        Refusal(
            ("anthropic",),
            "tools.106.custom.input_schema: input_schema does not support oneOf, allOf, or anyOf at the top level",
            "https://github.com/anthropics/claude-code/issues/5319",
        ),
        Refusal(
            ("openai-chat", "azure-openai", "openai-responses"),
            "Invalid schema for function 'update-event': schema must have type 'object' and not have 'oneOf'/'anyOf'/'allOf'/'enum'/'not' at the top level.",
            "https://github.com/nspady/google-calendar-mcp/issues/39",
        ),
        Refusal(
            ("gemini",),
            "Invalid value at 'tools[0].function_declarations[1].parameters.properties[0].value.type' (type.googleapis.com/google.cloud.aiplatform.v1beta1.Type), \"\"",
            "https://github.com/agno-agi/agno/issues/2649",
        ),
    ),
    source="https://github.com/anthropics/claude-code/issues/7365",
)

NO_TYPE = "it has no `type`"
_NOT_AT_TOP = {
    "anthropic": BARRED_AT_TOP - {"enum", "not"},
    **dict.fromkeys(("openai-chat", "azure-openai", "openai-responses"), BARRED_AT_TOP),
}
"""Keys that a target takes only inside a schema."""

_OF_NO_TYPE = (*said_with(RULE, 'type: "None"'), *said_with(RULE, "Field required"))


def check(passage: Passage, aim: Aim) -> Iterator[Finding]:
    """Yield each schema that is none."""
    if not passage.is_first:
        return
    for tool in declared_tools(passage.fields, passage.format):
        if tool.schema is UNSET or _is_of_data_set(tool, passage, aim):
            continue
        if fault := _fault(tool.schema, passage.format, aim.target):
            yield Finding(
                passage.record,
                place_in_schema(passage, tool, fault.path),
                f"the schema of {shown(tool.name) if tool.name else 'a tool'} is not valid: {fault.problem}",
                help='give a JSON Schema with `"type": "object"`',
                refusals=_OF_NO_TYPE if fault.problem == NO_TYPE else None,
            )
        elif aim.mode != "finetune" and (barred := _barred(tool.schema, aim.target)):
            yield Finding(
                passage.record,
                place_in_schema(passage, tool),
                f"the schema of {shown(tool.name) if tool.name else 'a tool'} has `{barred}` at its top, which the API does not take",
                help="move it into a property, or say in the description what goes together",
                refusals=said_with(RULE, "at the top level"),
            )


def _barred(schema: Any, target: str) -> str | None:
    """Find a key at the top of a schema that the target takes only further inside."""
    barred = _NOT_AT_TOP.get(target, frozenset())
    return next((key for key in schema or () if key in barred), None)


def _is_of_data_set(tool: DeclaredTool, passage: Passage, aim: Aim) -> bool:
    """Say whether this is a list of functions as data sets have it: without wrapper (`"type": "dict"` and all), or in JSON text."""
    is_bare = tool.shape == "flat" and not tool.path.startswith("/functions")
    is_text = isinstance(passage.fields.get("tools"), str)
    return aim.target in FOR_DATA_SETS and passage.format != "anthropic" and (is_bare or is_text)


def _fault(schema: Any, format: str, target: str) -> SchemaFault | None:
    if schema is None:
        return SchemaFault("", "it is null") if format == "anthropic" else None
    if fault := schema_fault(schema, is_2020_12=format == "anthropic"):
        return fault
    kind = schema.get("type", UNSET)
    if kind is UNSET:
        # OpenAI's words for a schema without type are known; what it says of `{}` is not.
        is_refused = format == "anthropic" or (target in (*OPENAI_CHATS, "openai-responses") and bool(schema))
        return SchemaFault("", NO_TYPE) if is_refused else None
    return None if kind == "object" else SchemaFault("", f"its type is {shown(kind)}, not `object`")


def _chat(schema: str) -> str:
    return (
        '{"messages":[{"role":"user","content":"Tide?"}],"tools":[{"type":"function","function":{"name":"read_tide","parameters":'
        f"{schema}}}}}]}}\n"
    )


def _blocks(schema: str) -> str:
    return f'{{"system":"You read tides.","messages":[{{"role":"user","content":"Tide?"}}],"tools":[{{"name":"read_tide","input_schema":{schema}}}]}}\n'


VALID = (
    Example(
        _chat('{"type":"object","properties":{"pier":{"type":["integer","null"]}},"required":["pier"]}'),
        format="openai-chat",
    ),
    Example(
        _chat(
            '{"$schema":"http://json-schema.org/draft-07/schema#","type":"object","properties":{"at":{"items":[{"type":"number"}]}}}'
        ),
        format="openai-chat",
        target="openai-chat",
    ),
    Example(
        '{"messages":[{"role":"user","content":"Tide?"}],"tools":[{"type":"function","function":{"name":"now"}}]}\n',
        format="openai-chat",
        target="openai-chat",
    ),
    Example(_blocks('{"type":"object"}'), format="anthropic", target="anthropic"),
    Example(
        '{"contents":[{"role":"user","parts":[{"text":"Tide?"}]}],"tools":[{"functionDeclarations":[{"name":"read_tide","parameters":'
        '{"type":"OBJECT","properties":{"pier":{"type":"INTEGER","nullable":true}}}},{"name":"now"}]}]}',
        format="gemini",
        target="gemini",
    ),
    Example(_chat('{"properties":{"pier":{"type":"integer"}}}'), format="openai-chat"),
    Example(_chat("{}"), format="openai-chat", target="openai-chat"),
    Example(
        _blocks('{"type":"object","properties":{"pier":{"anyOf":[{"type":"integer"},{"type":"string"}]}}}'),
        format="anthropic",
        target="anthropic",
    ),
    Example(_chat('{"type":"object","anyOf":[{"required":["pier"]}]}'), format="openai-chat", target="deepseek"),
    # A number that no float holds is a number all the same.
    Example(_chat('{"type":"object","properties":{"pier":{"type":"number","maximum":1e400}}}'), format="openai-chat"),
)

INVALID = (
    Example(
        _blocks('{"type":"object","properties":{"pier":{"type":"integer"}},"anyOf":[{"required":["pier"]}]}'),
        where=("/0/tools/0/input_schema",),
        format="anthropic",
        target="anthropic",
    ),
    Example(
        _chat('{"type":"object","properties":{"pier":{"type":"integer"}},"not":{"required":["pier"]}}'),
        where=("/0/tools/0/function/parameters",),
        format="openai-chat",
        target="openai-chat",
    ),
    Example(
        _chat('{"type":"object","properties":{"pier":{"type":"int"}}}'),
        where=("/0/tools/0/function/parameters/properties/pier/type",),
        format="openai-chat",
    ),
    Example(
        _chat('{"properties":{"pier":{"type":"integer"}}}'),
        where=("/0/tools/0/function/parameters",),
        format="openai-chat",
        target="openai-chat",
    ),
    Example(_chat("[]"), where=("/0/tools/0/function/parameters",), format="openai-chat", target="openai-chat"),
    Example(
        _chat('{"type":"string"}'),
        where=("/0/tools/0/function/parameters",),
        format="openai-chat",
        target="azure-openai",
    ),
    Example(_blocks('{"properties":{}}'), where=("/0/tools/0/input_schema",), format="anthropic", target="anthropic"),
    Example(
        _blocks('{"type":"object","properties":{"at":{"items":[{"type":"number"}]}}}'),
        where=("/0/tools/0/input_schema/properties/at/items",),
        format="anthropic",
        target="anthropic",
    ),
    Example(
        '{"contents":[{"role":"user","parts":[{"text":"Tide?"}]}],"tools":[{"functionDeclarations":[{"name":"read_tide",'
        '"parametersJsonSchema":{"type":"string"}}]}]}',
        where=("/tools/0/functionDeclarations/0/parametersJsonSchema",),
        format="gemini",
        target="gemini",
    ),
    Example(
        '{"contents":[{"role":"user","parts":[{"text":"Tide?"}]}],"tools":[{"functionDeclarations":[{"name":"read_tide","parameters":'
        '{"type":"object","properties":{"pier":{"any_of":[{"type":"strng"}]}}}}]}]}',
        where=("/tools/0/functionDeclarations/0/parameters/properties/pier/any_of/0/type",),
        format="gemini",
        target="gemini",
    ),
)
