r"""Thinking is on, and the request forces the model to call a tool.

## What
The request has `thinking` that is `enabled` (or `adaptive`, which is a warning), and a `tool_choice` of type `any` or `tool`; on
Bedrock a `toolChoice` of `any` or a `tool`.

## Why it is refused
To force a call Anthropic begins the answer with one, which leaves no room for thoughts before it. Frameworks that ask for structured
output by a tool run into it as soon as somebody turns thinking on.

## Example
Bad:
```
{"thinking": {"type": "enabled", "budget_tokens": 1024}, "tool_choice": {"type": "any"}, "max_tokens": 2048, "tools": [{"name": "read_tide", "input_schema": {"type": "object"}}], "messages": [{"role": "user", "content": "Tide?"}]}
```
Good: the same with `"tool_choice": {"type": "auto"}`.

## Fix
Let the model choose (`auto`), or leave thinking off for this request.
"""

from collections.abc import Iterator

from lighter.passage import Passage
from lighter.rule import Aim, Example, Finding, Refusal, Rule
from lighter.rules._requests import is_whole_request

RULE = Rule(
    code="R125",
    name="thinking-with-forced-tool",
    summary="thinking is on, and the request forces the model to call a tool",
    severity={"anthropic": "error", "bedrock": "error"},
    formats=("anthropic", "bedrock"),
    modes=("request",),
    refusals=(
        Refusal(
            ("anthropic",),
            "Thinking may not be enabled when tool_choice forces tool use.",
            "https://github.com/mastra-ai/mastra/issues/7507",
        ),
        Refusal(
            ("bedrock",),
            "The model returned the following errors: Thinking may not be enabled when tool_choice forces tool use.",
            "https://github.com/can1357/oh-my-pi/issues/341",
        ),
    ),
    source="https://docs.anthropic.com/en/docs/build-with-claude/extended-thinking",
)


def check(passage: Passage, _aim: Aim) -> Iterator[Finding]:
    """Report a choice of tools that forces a call while thinking is on."""
    if not is_whole_request(passage):
        return
    is_bedrock = passage.format == "bedrock"
    match passage.fields:
        case {"thinking": {"type": str(kind)}, "tool_choice": {"type": "any" | "tool"}} if not is_bedrock:
            path = "/tool_choice"
        case {
            "additionalModelRequestFields": {"thinking": {"type": str(kind)}},
            "toolConfig": {"toolChoice": {"any": _} | {"tool": _}},
        } if is_bedrock:
            path = "/toolConfig/toolChoice"
        case _:
            return
    if kind in ("enabled", "adaptive"):
        yield Finding(
            passage.record,
            passage.fields_path + path,
            f"this forces a tool call, and thinking is {'on' if kind == 'enabled' else 'adaptive'}",
            "let the model choose (`auto`), or leave thinking off for this request",
            # Which may not think at all, and then be taken.
            severity="warning" if kind == "adaptive" else None,
        )


def _body(thinking: str, choice: str) -> str:
    return (
        f'{{"model": "claude-sonnet-4-5", "max_tokens": 2048, "thinking": {{{thinking}}}, "tool_choice": {{{choice}}}, "tools": [{{"name":'
        ' "read_tide", "input_schema": {"type": "object"}}], "messages": [{"role": "user", "content": "Tide?"}]}'
    )


_ENABLED = '"type": "enabled", "budget_tokens": 1024'

VALID = (
    Example(_body(_ENABLED, '"type": "auto"'), format="anthropic", target="anthropic"),
    Example(_body('"type": "disabled"', '"type": "any"'), format="anthropic", target="anthropic"),
    Example(_body(_ENABLED, '"type": "any"'), format="anthropic"),
)

INVALID = (
    Example(_body(_ENABLED, '"type": "any"'), ("/tool_choice",), format="anthropic", target="anthropic"),
    Example(
        _body('"type": "adaptive"', '"type": "tool", "name": "read_tide"'),
        ("/tool_choice",),
        format="anthropic",
        target="anthropic",
    ),
    Example(
        '{"modelId": "us.anthropic.claude-sonnet-4-5", "messages": [{"role": "user", "content": [{"text": "Tide?"}]}],'
        ' "additionalModelRequestFields": {"thinking": {"type": "enabled", "budget_tokens": 1024}}, "toolConfig": {"toolChoice": {"any": {}},'
        ' "tools": [{"toolSpec": {"name": "read_tide", "inputSchema": {"json": {"type": "object"}}}}]}}',
        ("/toolConfig/toolChoice",),
        format="bedrock",
        target="bedrock",
    ),
)
