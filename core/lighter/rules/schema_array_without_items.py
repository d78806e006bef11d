"""A tool takes an array and does not say what is in it.

## What
In the parameters of a declared tool stands a schema of type `array` without `items`.

## Why it is refused
JSON Schema allows it: such an array may hold anything. OpenAI refuses the whole request all the same, whether the tool is called or
not. Usual causes: a tool of an MCP server that other providers take, or a bare `list` in the signature of a Python function.

## Example
Bad:
```
{"type": "function", "function": {"name": "read_tides", "parameters": {"type": "object", "properties": {"piers": {"type": "array"}}}}}
```
Good:
```
{"type": "function", "function": {"name": "read_tides", "parameters": {"type": "object", "properties": {"piers": {"type": "array", "items": {"type": "string"}}}}}}
```

## Fix
Say what the array holds; `"items": {}` where it may be anything.
"""

from collections.abc import Iterator

from lighter.diagnostics import Fix
from lighter.edits import Put, Repair, repair
from lighter.passage import Passage
from lighter.rule import Aim, Example, Finding, Refusal, Rule
from lighter.rules._declared import place_in_schema
from lighter.rules._telling import shown
from lighter.toolcheck import arrays_without_items
from lighter.toolwire import DeclaredTool, declared_tools

RULE = Rule(
    code="S105",
    name="schema-array-without-items",
    summary="a tool takes an array and does not say what is in it",
    severity={
        "openai-chat": "error",
        "azure-openai": "error",
        "openai-responses": "error",
        "generic:gemini": "error",
    },
    formats=("openai-chat", "openai-responses", "gemini"),
    refusals=(
        Refusal(
            ("openai-chat", "azure-openai"),
            "Invalid schema for function 'filesystem_read_multiple_files': In context=('properties', 'paths'), array schema missing items.",
            "https://github.com/sigoden/aichat/issues/1049",
        ),
        Refusal(
            ("gemini",),
            "GenerateContentRequest.tools[0].function_declarations[0].parameters.properties[time_ranges].items: missing field.",
            "https://github.com/cline/cline/issues/7926",
        ),
    ),
    source="https://github.com/sigoden/aichat/issues/1049",
    fix=Fix("unsafe", 'add `"items": {}`'),
)


def check(passage: Passage, _aim: Aim) -> Iterator[Finding]:
    """Yield each array whose items are not described."""
    if not passage.is_first:
        return
    for tool in declared_tools(passage.fields, passage.format):
        of = f" of {shown(tool.name)}" if tool.name else ""
        for path in arrays_without_items(tool.schema):
            where = f" at {shown(path)}" if path else ""
            place = place_in_schema(passage, tool, path)
            yield Finding(
                passage.record,
                place,
                f"the array{where} in the schema{of} does not say what it holds",
                help='add `items`, such as `"items": {"type": "string"}`',
                repair=_repair(passage, tool, place),
            )


def _chat(schema: str) -> str:
    return (
        '{"messages":[{"role":"user","content":"Tide?"}],"tools":[{"type":"function","function":{"name":"read_tides","parameters":'
        f'{{"type":"object","properties":{{"piers":{schema}}}}}}}}}]}}\n'
    )


def _repair(passage: Passage, tool: DeclaredTool, place: str) -> Repair | None:
    is_text = isinstance(passage.fields.get(tool.path.split("/")[1]), str)
    return None if is_text else repair(Put(passage.record, f"{place}/items", {}))


VALID = (
    Example(_chat('{"type":"array","items":{}}'), format="openai-chat", target="openai-chat"),
    Example(
        _chat('{"type":"object","properties":{"type":{"const":"array"}}}'), format="openai-chat", target="openai-chat"
    ),
)

INVALID = (
    Example(
        _chat('{"type":"array"}'),
        where=("/0/tools/0/function/parameters/properties/piers",),
        format="openai-chat",
        target="openai-chat",
    ),
    Example(
        _chat('{"anyOf":[{"type":"string"},{"type":["array","null"]}]}'),
        where=("/0/tools/0/function/parameters/properties/piers/anyOf/1",),
        format="openai-chat",
        target="openai-chat",
    ),
    # Gemini takes types in either case, and keys in two spellings.
    Example(
        '{"contents":[{"role":"user","parts":[{"text":"Tide?"}]}],"tools":[{"functionDeclarations":[{"name":"read_tides","parameters":'
        '{"type":"object","properties":{"piers":{"any_of":[{"type":"array"}]}}}}]}]}',
        where=("/tools/0/functionDeclarations/0/parameters/properties/piers/any_of/0",),
        format="gemini",
        target="gemini",
    ),
    # A list in JSON text: no pointer reaches into it.
    Example(
        r"""{"messages":[{"role":"user","content":"Tide?"}],"tools":"[{\"type\":\"function\",\"function\":{\"name\":\"read_tides\",\"parameters\":{\"type\":\"object\",\"properties\":{\"piers\":{\"type\":\"array\"}}}}}]"}
""",
        where=("/0/tools",),
        format="openai-chat",
        target="openai-chat",
    ),
)
