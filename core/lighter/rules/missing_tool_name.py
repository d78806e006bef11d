"""A tool call names no tool.

## What
The name of a call is absent, null, empty or no text.

## Why it is refused
Nobody can tell which tool was called. It happens when stream chunks are put together wrongly: the name stands in the first
chunk only and is null in the others.

## Example
Bad: `{"id": "call_a1", "type": "function", "function": {"name": null, "arguments": "{}"}}`
Good: `{"id": "call_a1", "type": "function", "function": {"name": "read_tide", "arguments": "{}"}}`

## Fix
Write the name of the tool that was called. lighter does not guess it.
"""

from collections.abc import Iterator

from msgspec import UNSET

from lighter.passage import Passage
from lighter.rule import Aim, Example, Finding, Mention, Refusal, Rule
from lighter.toolwire import is_missing, shown, tool_calls

RULE = Rule(
    code="P114",
    name="missing-tool-name",
    summary="a tool call names no tool",
    severity={"generic": "error", "openai-chat": "error", "azure-openai": "error", "anthropic": "error"},
    refusals=(
        Refusal(
            ("openai-chat", "azure-openai"),
            "Invalid 'messages[69].tool_calls[0].function.name': empty string. Expected a string with minimum length 1, but got an empty string instead.",
            "https://github.com/continuedev/continue/issues/11645",
        ),
        Refusal(
            ("anthropic",),
            "messages.11.content.1.tool_use.name: String should have at least 1 character",
            "https://github.com/sipeed/picoclaw/issues/1658",
        ),
    ),
    source="https://github.com/open-webui/open-webui/issues/29690",
    formats=("openai-chat", "anthropic"),
)


def check(passage: Passage, _aim: Aim) -> Iterator[Finding]:
    """Yield each call without a name."""
    for call in tool_calls(passage):
        if isinstance(call.name, str) and call.name:
            continue
        of = f" {shown(call.id)}" if isinstance(call.id, str) and call.id else ""
        fault = "has no tool name" if call.name is UNSET else f"has the tool name {shown(call.name)}"
        yield Finding(
            call.message.record,
            call.name_path,
            f"the call{of} {fault if is_missing(call.name) else fault + ', which is no text'}",
            help="write the name of the tool that was called",
            mentions=(Mention(call.message, label="a call of what?"),),
        )


def _chat(name: str) -> str:
    return (
        '{"role":"user","content":"Tide?"}\n'
        f'{{"role":"assistant","content":null,"tool_calls":[{{"id":"call_a1","type":"function","function":{{{name}"arguments":"{{}}"}}}}]}}\n'
        '{"role":"tool","tool_call_id":"call_a1","content":"2.1 m"}\n'
    )


VALID = (
    Example(_chat('"name":"read_tide",'), format="openai-chat"),
    Example(
        '{"messages":[{"role":"user","content":"Tide?"},{"role":"assistant","content":[{"type":"tool_use","id":"toolu_1","name":"read_tide","input":{}}]},'
        '{"role":"user","content":[{"type":"tool_result","tool_use_id":"toolu_1","content":"2.1 m"}]}]}\n',
        format="anthropic",
    ),
)
INVALID = (
    Example(_chat('"name":null,'), where=("/1/tool_calls/0/function/name",), format="openai-chat"),
    Example(_chat('"name":"",'), where=("/1/tool_calls/0/function/name",), format="openai-chat", target="azure-openai"),
    Example(_chat(""), where=("/1/tool_calls/0/function",), format="openai-chat"),
)
