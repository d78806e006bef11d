"""A tool takes an object and does not list its properties.

## What
The parameters of a declared tool are a schema of type `object` without `properties`.

## Why it is refused
JSON Schema allows it, and MCP servers declare tools that take nothing so. OpenAI refuses the whole request all the same, whether the
tool is called or not. Only the outermost schema is meant: objects inside it may say nothing about themselves.

## Example
Bad:
```
{"type": "function", "function": {"name": "list_piers", "parameters": {"type": "object"}}}
```
Good:
```
{"type": "function", "function": {"name": "list_piers", "parameters": {"type": "object", "properties": {}}}}
```

## Fix
Add `"properties": {}`. It says the same.
"""

from collections.abc import Iterator

from lighter.diagnostics import Fix
from lighter.edits import Put, Repair, repair
from lighter.passage import Passage
from lighter.plaintools import lacks_properties
from lighter.rule import Aim, Example, Finding, Refusal, Rule
from lighter.rules._declared import place_in_body
from lighter.rules._telling import shown
from lighter.toolwire import DeclaredTool, declared_tools

RULE = Rule(
    code="S106",
    name="schema-without-properties",
    summary="a tool takes an object and does not list its properties",
    severity={"openai-chat": "error", "azure-openai": "error", "openai-responses": "error"},
    formats=("openai-chat", "openai-responses"),
    refusals=(
        Refusal(
            ("openai-chat", "azure-openai"),
            "Invalid schema for function 'ecs_mcp_server_aws_knowledge_aws___list_regions': In context=(), object schema missing properties.",
            "https://github.com/langchain-ai/langchain-mcp-adapters/pull/343",
        ),
        Refusal(
            ("openai-responses",),
            "Invalid schema for function 'say_hello': In context=(), object schema missing properties.",
            "https://github.com/openai/openai-agents-python/issues/449",
        ),
    ),
    source="https://github.com/langchain-ai/langchain-mcp-adapters/pull/343",
    fix=Fix("safe", 'add `"properties": {}`'),
)


def check(passage: Passage, _aim: Aim) -> Iterator[Finding]:
    """Yield each tool whose parameters are an object without properties."""
    if not passage.is_first:
        return
    for tool in declared_tools(passage.fields, passage.format):
        if lacks_properties(tool.schema):
            of = f" of {shown(tool.name)}" if tool.name else ""
            yield Finding(
                passage.record,
                place_in_body(passage, tool.schema_path),
                f"the schema{of} is an object without `properties`",
                help='add `"properties": {}` where the tool takes nothing',
                repair=_repair(passage, tool),
            )


def _chat(schema: str) -> str:
    return (
        '{"messages":[{"role":"user","content":"Piers?"}],"tools":[{"type":"function","function":{"name":"list_piers","parameters":'
        f"{schema}}}}}]}}\n"
    )


def _repair(passage: Passage, tool: DeclaredTool) -> Repair | None:
    is_text = isinstance(passage.fields.get(tool.path.split("/")[1]), str)
    path = f"{passage.fields_path}{tool.schema_path}/properties"
    return None if is_text or not isinstance(tool.schema, dict) else repair(Put(passage.record, path, {}))


VALID = (
    Example(_chat('{"type":"object","properties":{}}'), format="openai-chat", target="openai-chat"),
    Example(
        _chat('{"type":"object","properties":{"at":{"type":"object"}}}'), format="openai-chat", target="openai-chat"
    ),
    Example(_chat('{"type":"object"}'), format="openai-chat"),
    Example(
        '{"messages":[{"role":"user","content":"Piers?"}],"tools":[{"name":"list_piers","input_schema":{"type":"object"}}]}\n',
        format="anthropic",
        target="anthropic",
    ),
)

INVALID = (
    Example(
        _chat('{"type":"object"}'),
        where=("/0/tools/0/function/parameters",),
        format="openai-chat",
        target="openai-chat",
    ),
    Example(
        _chat('{"type":"object","additionalProperties":false,"$schema":"http://json-schema.org/draft-07/schema#"}'),
        where=("/0/tools/0/function/parameters",),
        format="openai-chat",
        target="azure-openai",
    ),
    Example(
        '{"model":"gpt-5","input":"Piers?","tools":[{"type":"function","name":"list_piers","parameters":{"type":"object"},"strict":false}]}\n',
        where=("/0/tools/0/parameters",),
        format="openai-responses",
        target="openai-responses",
    ),
)
