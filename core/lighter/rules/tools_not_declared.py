r"""A request to Bedrock carries calls or results of tools, and declares no tools.

## What
There are `toolUse` or `toolResult` blocks among the messages, and `toolConfig` is absent or lists no tools. Only whole request
bodies are judged: a bare list of messages does not say what is sent beside it.

## Why it is refused
Converse wants `toolConfig` whenever the history uses tools, also where the model is to call none.

## Example
Bad:
```
{"messages": […, {"role": "assistant", "content": [{"toolUse": {"toolUseId": "tooluse_1", "name": "get_tide", "input": {}}}]}, …]}
```
Good:
```
{"messages": […, {"role": "assistant", "content": [{"toolUse": {"toolUseId": "tooluse_1", "name": "get_tide", "input": {}}}]}, …], "toolConfig": {"tools": [{"toolSpec": {"name": "get_tide", "inputSchema": {"json": {"type": "object"}}}}]}}
```

## Fix
Send the tools along. Where they are lost, a definition of each name that was called will do.
"""

from collections.abc import Iterator

from lighter.diagnostics import Fix
from lighter.edits import Put, Repair, repair
from lighter.passage import Passage
from lighter.rule import Aim, Example, Finding, Refusal, Rule
from lighter.rules._requests import is_whole_request
from lighter.toolwire import declared_tools, tool_calls, tool_results

RULE = Rule(
    code="P121",
    name="tools-not-declared",
    summary="a request carries calls or results of tools, and declares no tools",
    severity={"bedrock": "error"},
    formats=("bedrock",),
    modes=("request",),
    refusals=(
        Refusal(
            ("bedrock",),
            "The toolConfig field must be defined when using toolUse and toolResult content blocks.",
            "https://github.com/langgenius/dify/issues/17545",
        ),
        Refusal(
            ("litellm",),
            "Bedrock doesn't support tool calling without `tools=` param specified. Pass `tools=` param OR set `litellm.modify_params = True`",
            "https://github.com/BerriAI/litellm/issues/24158",
        ),
    ),
    source="https://github.com/vercel/ai/issues/7537",
    fix=Fix("unsafe", "declare the tools by the names that were called"),
)


def check(passage: Passage, _aim: Aim) -> Iterator[Finding]:
    """Report a whole request that lacks its tools, at the request."""
    if not is_whole_request(passage):
        return
    if (tool_calls(passage) or tool_results(passage)) and not declared_tools(passage.fields, passage.format):
        yield Finding(
            passage.record,
            passage.fields_path,
            "the messages call tools, and the request declares none",
            help="send `toolConfig` along, with the tools that were called",
            repair=_repair(passage),
        )


_CALL = '{"role":"assistant","content":[{"toolUse":{"toolUseId":"tooluse_1","name":"get_tide","input":{}}}]}'
_ANSWER = '{"role":"user","content":[{"toolResult":{"toolUseId":"tooluse_1","content":[{"text":"2.1 m"}]}}]}'
_TOOLS = ',"toolConfig":{"tools":[{"toolSpec":{"name":"get_tide","inputSchema":{"json":{"type":"object"}}}}]}'
_LIST = f'[{{"role":"user","content":[{{"text":"Tide?"}}]}},{_CALL},{_ANSWER}]'


def _repair(passage: Passage) -> Repair | None:
    """Declare the tools that were called, as far as their names tell."""
    names = dict.fromkeys(call.name for call in tool_calls(passage) if isinstance(call.name, str) and call.name)
    if not names or passage.format != "bedrock" or "toolConfig" in passage.fields:
        return None
    tools = [{"toolSpec": {"name": name, "inputSchema": {"json": {"type": "object"}}}} for name in names]
    return repair(Put(passage.record, f"{passage.fields_path}/toolConfig", {"tools": tools}))


VALID = (
    Example(f'{{"messages":{_LIST}{_TOOLS}}}\n', format="bedrock", target="bedrock"),
    # What is sent beside a bare list cannot be told.
    Example(_LIST, format="bedrock", target="bedrock"),
    Example(
        '{"messages":[{"role":"user","content":[{"text":"Tide?"}]}],"modelId":"m"}\n',
        format="bedrock",
        target="bedrock",
    ),
)

INVALID = (
    Example(f'{{"messages":{_LIST}}}\n', where=("/0",), format="bedrock", target="bedrock"),
    Example(f'{{"messages":{_LIST},"toolConfig":{{"tools":[]}}}}\n', where=("/0",), format="bedrock", target="bedrock"),
)
