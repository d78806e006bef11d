"""A tool name in a call is one that the target does not take.

## What
OpenAI takes letters, digits, `_` and `-`, up to 64 of them; Anthropic takes up to 200 of them in a history. Each name is told
once, at its first call.

## Why it is refused
Names from MCP servers and plugins hold dots, slashes or spaces, and some hosts accept them. The history is then refused by the
next provider although the tool itself may be long gone.

## Example
Bad: `{"name": "composio.SEARCH", "arguments": "{}"}`
Good: `{"name": "composio_SEARCH", "arguments": "{}"}`

## Fix
Rename the tool in its definition and in all calls. That changes what the model sees, so it is left to you.
"""

import re
from collections.abc import Iterator

from lighter.diagnostics import Fix
from lighter.passage import Passage
from lighter.providers import Target, get_target
from lighter.rule import Aim, Example, Finding, Mention, Refusal, Rule
from lighter.toolwire import declared_tools, first_of_each_name, shown, tool_calls

RULE = Rule(
    code="P115",
    name="tool-name-format",
    summary="a tool name in a call is one that the target does not take",
    severity={"generic": "info", "openai-chat": "error", "azure-openai": "error", "anthropic": "error"},
    refusals=(
        Refusal(
            ("openai-chat", "azure-openai"),
            "Invalid 'messages[9].tool_calls[0].function.name': string does not match pattern. Expected a string that matches the pattern '^[a-zA-Z0-9_-]+$'.",
            "https://github.com/mcp-use/mcp-use/issues/90",
        ),
        Refusal(
            ("anthropic",),
            "messages.1.content.0.tool_use.name: String should have at most 200 characters",
            "https://github.com/anthropics/claude-code/issues/23681",
        ),
    ),
    source="https://github.com/mcp-use/mcp-use/issues/90",
    formats=("openai-chat", "anthropic"),
    fix=Fix("unsafe", "rename the tool in its definition and in all calls"),
)


def check(passage: Passage, aim: Aim) -> Iterator[Finding]:
    """Yield the first call of each name that is not taken."""
    target = get_target(aim.format if aim.target == "generic" else aim.target)
    declared = {tool.name for tool in declared_tools(passage.fields)}
    for call, count in first_of_each_name(tool_calls(passage)):
        name: str = call.name
        # An illegal name that is declared is told at its definition, from where it spreads.
        if name in declared or not (fault := _fault(name, target)):
            continue
        others = f" ({count} calls)" if count > 1 else ""
        yield Finding(
            call.message.record,
            call.name_path,
            f"the tool name {shown(name)} {fault}{others}",
            help="rename the tool in its definition and in all its calls",
            mentions=(Mention(call.message, name, "this name"),),
            refusals=None if _is_quoted(fault, target) else (),
        )


def _fault(name: str, target: Target) -> str | None:
    if target.tool_name_max is not None and len(name) > target.tool_name_max:
        return f"has {len(name)} characters, {target.title} takes {target.tool_name_max}"
    if target.tool_name_pattern is not None and not re.fullmatch(target.tool_name_pattern, name):
        return f"holds characters that {target.title} does not take"
    return None


def _is_quoted(fault: str, target: Target) -> bool:
    """Say whether the words that are known of a target are about this fault: OpenAI's characters, Anthropic's length."""
    return fault.startswith("has ") == (target.format == "anthropic")


def _chat(name: str) -> str:
    return (
        '{"role":"user","content":"Tide?"}\n'
        f'{{"role":"assistant","content":null,"tool_calls":[{{"id":"call_a1","type":"function","function":{{"name":"{name}","arguments":"{{}}"}}}}]}}\n'
        '{"role":"tool","tool_call_id":"call_a1","content":"2.1 m"}\n'
    )


def _blocks(name: str) -> str:
    return (
        '{"messages":[{"role":"user","content":"Tide?"},'
        f'{{"role":"assistant","content":[{{"type":"tool_use","id":"toolu_1","name":"{name}","input":{{}}}}]}},'
        '{"role":"user","content":[{"type":"tool_result","tool_use_id":"toolu_1","content":"2.1 m"}]}]}\n'
    )


VALID = (
    Example(_chat("mcp__harbour__read-tide_2"), format="openai-chat", target="openai-chat"),
    Example(_blocks("r" * 200), format="anthropic", target="anthropic"),
)
INVALID = (
    Example(
        _chat("harbour.read_tide"), where=("/1/tool_calls/0/function/name",), format="openai-chat", target="openai-chat"
    ),
    Example(_chat("r" * 65), where=("/1/tool_calls/0/function/name",), format="openai-chat", target="azure-openai"),
    Example(_blocks("r" * 201), where=("/0/messages/1/content/0/name",), format="anthropic", target="anthropic"),
)
