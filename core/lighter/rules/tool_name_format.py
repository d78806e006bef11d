"""A tool name in a call is one that the target does not take.

## What
OpenAI takes letters, digits, `_` and `-`, up to 64 of them; Anthropic takes up to 200 of them in a history. Each name is told
once, at its first call.

## Why it is refused
Names from MCP servers and plugins hold dots, slashes or spaces, and some hosts accept them. The history is then refused by the
next provider although the tool itself may be long gone.

## Example
Bad:
```
{"id": "call_a1", "type": "function", "function": {"name": "harbour.read_tide", "arguments": "{}"}}
```
Good:
```
{"id": "call_a1", "type": "function", "function": {"name": "harbour_read_tide", "arguments": "{}"}}
```

## Fix
Rename the tool in its definition and in all calls. That changes what the model sees, so it is left to you.
"""

from collections.abc import Iterator, Mapping

from lighter.diagnostics import Fix
from lighter.passage import Passage
from lighter.providers import get_target
from lighter.rule import Aim, Example, Finding, Mention, Refusal, Rule
from lighter.rules._limits import breach_of
from lighter.rules._quotes import said_with
from lighter.rules._telling import shown
from lighter.toolwire import declared_tools, first_of_each_name, tool_calls

RULE = Rule(
    code="P115",
    name="tool-name-format",
    summary="a tool name in a call is one that the target does not take",
    severity={
        "generic": "info",
        "openai-chat": "error",
        "azure-openai": "error",
        "openai-responses": "error",
        "anthropic": "error",
        "gemini": "error",
        "bedrock": "error",
        "mistral": "error",
        "generic:bedrock": "error",
        "generic:gemini": "info",
    },
    formats=("openai-chat", "anthropic", "openai-responses", "gemini", "bedrock", "mistral"),
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
        Refusal(
            ("bedrock",),
            "Value at 'messages.2.member.content.1.member.toolUse.name' failed to satisfy constraint: Member must satisfy regular expression pattern: [a-zA-Z0-9_-]+",
            "https://github.com/openclaw/openclaw/pull/12949",
        ),
        Refusal(
            ("mistral",),
            "Function name was … but must be a-z, A-Z, 0-9, or contain underscores and dashes, with a maximum length of 64.",
            "mistral_common 1.13.1 MistralRequestValidator",
        ),
        Refusal(
            ("openai-chat", "azure-openai"),
            "Invalid 'messages[1].tool_calls[0].function.name': string too long. Expected a string with maximum length 64, but got a string with length 71 instead.",
            "openai 3.57.0 Function.name",
        ),
    ),
    source="https://github.com/mcp-use/mcp-use/issues/90",
    fix=Fix("unsafe", "rename the tool in its definition and in all calls"),
)

_SAID: Mapping[tuple[str | None, bool], str] = {
    ("openai-chat", False): "does not match pattern",
    ("anthropic", True): "should have at most",
    ("bedrock", False): "regular expression",
    ("mistral", True): "Function name was",
    ("mistral", False): "Function name was",
}
"""What is known of whose words, by wire format and by whether it is the length that is refused."""


def check(passage: Passage, aim: Aim) -> Iterator[Finding]:
    """Yield the first call of each name that is not taken."""
    target = get_target(aim.format if aim.target == "generic" else aim.target)
    declared = {tool.name for tool in declared_tools(passage.fields, passage.format)}
    for call, count in first_of_each_name(tool_calls(passage)):
        name: str = call.name
        # An illegal name that is declared is told at its definition, from where it spreads.
        if name in declared:
            continue
        breach = breach_of(name, target.tool_name_max, target.tool_name_pattern, target.title)
        if breach is None:
            continue
        from lighter.edits_tools import renamed  # noqa: PLC0415 - loaded only for what is at fault

        others = f" ({count} calls)" if count > 1 else ""
        yield Finding(
            call.message.record,
            call.name_path,
            f"the tool name {shown(name)} {breach.words}{others}",
            help="rename the tool in its definition and in all its calls",
            mentions=(Mention(call.message, name, "this name"),),
            refusals=said_with(RULE, _SAID.get((target.format, breach.is_length), "")),
            repair=renamed(passage, name, target),
        )


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
