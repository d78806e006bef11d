r"""Text stands beside tool calls or results in a turn, and the model takes no such turns.

## What
Several models on Bedrock (Llama, and Claude before 3.5) want tool blocks to be alone in their turn. Current models of Anthropic and
others take text beside them, so that nothing is said of those, nor where no model is named.

## Why it is refused
The templates of these models have no place for both.

## Example
Bad:
```
{"role": "user", "content": [{"toolResult": {"toolUseId": "tooluse_1", "content": [{"text": "2.1 m"}]}}, {"text": "And now?"}]}
```
Good:
```
{"role": "user", "content": [{"toolResult": {"toolUseId": "tooluse_1", "content": [{"text": "2.1 m"}]}}]}
```

## Fix
Put the text into a turn of its own, with an answer of the assistant in between.
"""

from collections.abc import Iterator
from typing import Any

from lighter.conversation import WireMessage
from lighter.diagnostics import Fix
from lighter.edits import Copied, Drop, Insert, Repair, unsafe
from lighter.models import takes_mixed_tool_turns
from lighter.passage import Passage
from lighter.rule import Aim, Example, Finding, Mention, Refusal, Rule
from lighter.rules._quotes import said_with
from lighter.rules._telling import shown
from lighter.wire import fields_of

RULE = Rule(
    code="P123",
    name="mixed-tool-turn",
    summary="text stands beside tool calls or results in one turn, which the model does not take",
    severity={"generic:bedrock": "error"},
    formats=("bedrock",),
    refusals=(
        Refusal(
            ("bedrock",),
            "Conversation blocks and tool result blocks cannot be provided in the same turn.",
            "https://github.com/strands-agents/harness-sdk/issues/1223",
        ),
        Refusal(
            ("bedrock",),
            "Conversation blocks and tool use blocks cannot be provided in the same turn.",
            "https://github.com/quarkiverse/quarkus-langchain4j/issues/1983",
        ),
    ),
    source="https://github.com/langchain-ai/langchain-aws/issues/141",
    fix=Fix("unsafe", "put the text into the last result, or drop it beside calls"),
)


def check(passage: Passage, _aim: Aim) -> Iterator[Finding]:
    """Report each mixed turn of a model that takes none, at the message."""
    model = passage.model
    if model is None or takes_mixed_tool_turns(model):
        return
    for message in passage.messages:
        if kind := _mixed_with(message):
            yield Finding(
                message.record,
                message.path,
                f"text stands beside tool {kind}s in one turn, which {shown(model)} does not take",
                help="put the text into a turn of its own",
                mentions=(Mention(message, "", "both in one turn"),),
                repair=_repair(message, kind),
                refusals=said_with(RULE, f"tool {kind} blocks"),
            )


def _repair(message: WireMessage, kind: str) -> Repair | None:
    """Move the text beside results into the last of them; leave the text beside calls out.

    A turn of its own would follow another one of the same role, which Bedrock does not take either.
    """
    blocks: Any = fields_of(message)["content"]
    texts = [n for n, block in enumerate(blocks) if isinstance(block, dict) and "text" in block]
    path = f"{message.path}/content"
    drops = [Drop(message.record, f"{path}/{n}") for n in texts]
    if kind == "use":
        return unsafe("drop the text", *drops)
    last = max(n for n, block in enumerate(blocks) if isinstance(block, dict) and "toolResult" in block)
    held = blocks[last]["toolResult"]
    content = held.get("content") if isinstance(held, dict) else None
    if not isinstance(content, list) or not content:
        return None
    place = f"{path}/{last}/toolResult/content/{len(content) - 1}"
    moved = [Insert(message.record, place, Copied(message.record, f"{path}/{n}"), is_after=True) for n in texts]
    return unsafe("put the text into the last result", *moved, *drops)


def _mixed_with(message: WireMessage) -> str | None:
    """Tell which tool blocks a message holds beside text; None when it holds not both."""
    content: Any = fields_of(message).get("content")
    blocks = [block for block in content if isinstance(block, dict)] if isinstance(content, list) else []
    if not any("text" in block for block in blocks):
        return None
    kinds = {"toolResult": "result", "toolUse": "use"}
    return next((kind for key, kind in kinds.items() if any(key in block for block in blocks)), None)


def _body(model: str, more: str) -> str:
    return (
        f'{{"modelId":"{model}","messages":[{{"role":"user","content":[{{"text":"Tide?"}}]}},'
        '{"role":"assistant","content":[{"toolUse":{"toolUseId":"tooluse_1","name":"get_tide","input":{}}}]},'
        f'{{"role":"user","content":[{{"toolResult":{{"toolUseId":"tooluse_1","content":[{{"text":"2.1 m"}}]}}}}{more}]}}],'
        '"toolConfig":{"tools":[{"toolSpec":{"name":"get_tide","inputSchema":{"json":{"type":"object"}}}}]}}\n'
    )


_LLAMA, _TEXT = "us.meta.llama4-maverick-17b-instruct-v1:0", ',{"text":"And now?"}'

VALID = (
    Example(_body(_LLAMA, ""), target="bedrock"),
    Example(_body("eu.anthropic.claude-sonnet-4-5-20250929-v1:0", _TEXT), target="bedrock"),
    Example(_body("anthropic.claude-3-5-sonnet-20241022-v2:0", _TEXT), target="bedrock"),
    # No model is named.
    Example(_body(_LLAMA, _TEXT).replace("modelId", "requestId"), target="bedrock"),
)

INVALID = (
    Example(_body(_LLAMA, _TEXT), where=("/0/messages/2",), target="bedrock"),
    Example(_body("anthropic.claude-3-opus-20240229-v1:0", _TEXT), where=("/0/messages/2",), target="bedrock"),
)
