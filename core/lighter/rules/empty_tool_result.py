r"""A tool result that is marked as an error holds nothing.

## What
The `status` of a `toolResult` is `error`, and its `content` is empty or absent. A success may be empty.

## Why it is refused
Bedrock wants to know what went wrong.

## Example
Bad:
```
{"toolResult": {"toolUseId": "tooluse_1", "status": "error", "content": []}}
```
Good:
```
{"toolResult": {"toolUseId": "tooluse_1", "status": "error", "content": [{"text": "error"}]}}
```

## Fix
Write what is known of the error, or just `error`.
"""

from collections.abc import Iterator

from lighter.diagnostics import Fix
from lighter.edits import Put, repair
from lighter.passage import Passage
from lighter.rule import Aim, Example, Finding, Mention, Refusal, Rule
from lighter.toolwire import tool_results

RULE = Rule(
    code="P122",
    name="empty-tool-result",
    summary="a tool result that is marked as an error holds nothing",
    severity={"generic:bedrock": "error"},
    formats=("bedrock",),
    refusals=(
        Refusal(
            ("bedrock",),
            "The content field in the toolResult cannot be empty when status value is error.",
            "https://github.com/aws-samples/sample-multi-agent-orchestration-chat-on-agentcore/issues/15",
        ),
    ),
    source="https://github.com/aws-samples/sample-multi-agent-orchestration-chat-on-agentcore/issues/15",
    fix=Fix("safe", "add the text `error`"),
)


def check(passage: Passage, _aim: Aim) -> Iterator[Finding]:
    """Report each empty error, at the block that holds it."""
    for result in tool_results(passage):
        if result.holder.get("status") == "error" and not result.holder.get("content"):
            yield Finding(
                result.message.record,
                result.path,
                "this result is marked as an error, and holds nothing",
                help='write what went wrong, or `[{"text": "error"}]`',
                mentions=(Mention(result.message, "", "an error without words"),),
                repair=repair(Put(result.message.record, f"{result.holder_path}/content", [{"text": "error"}])),
            )


def _body(result: str) -> str:
    return (
        '{"messages":[{"role":"user","content":[{"text":"Tide?"}]},{"role":"assistant","content":[{"toolUse":{"toolUseId":"tooluse_1",'
        f'"name":"get_tide","input":{{}}}}}}]}},{{"role":"user","content":[{{"toolResult":{{"toolUseId":"tooluse_1"{result}}}}}]}}],'
        '"toolConfig":{"tools":[{"toolSpec":{"name":"get_tide","inputSchema":{"json":{"type":"object"}}}}]}}\n'
    )


VALID = (
    Example(_body(',"status":"success","content":[]'), target="bedrock"),
    Example(_body(',"content":[]'), target="bedrock"),
    Example(_body(',"status":"error","content":[{"text":"no signal"}]'), target="bedrock"),
)

INVALID = (
    Example(_body(',"status":"error","content":[]'), where=("/0/messages/2/content/0",), target="bedrock"),
    Example(_body(',"content":[],"status":"error"'), where=("/0/messages/2/content/0",)),
)
