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
from typing import Any

from msgspec import UnsetType

from lighter.diagnostics import Fix
from lighter.edits import Put, Repair, repair
from lighter.jsontext import step
from lighter.pairs import CallAt
from lighter.passage import Passage
from lighter.rule import Aim, Example, Finding, Mention, Refusal, Rule
from lighter.rules._quotes import said_with
from lighter.rules._telling import shown
from lighter.toolwire import WireResult, tool_calls, tool_results
from lighter.wire import type_name

RULE = Rule(
    code="P114",
    name="missing-tool-name",
    summary="a tool call names no tool",
    severity={"generic": "error", "openai-chat": "error", "azure-openai": "error", "anthropic": "error"},
    formats=("openai-chat", "anthropic", "openai-responses", "gemini", "bedrock", "mistral", "cohere", "ollama"),
    refusals=(
        Refusal(
            ("openai-chat", "azure-openai"),
            "Invalid 'messages[69].tool_calls[0].function.name': empty string. Expected a string with minimum length 1, but got an empty string instead.",
            "https://github.com/continuedev/continue/issues/11645",
        ),
        Refusal(
            ("openai-chat", "azure-openai"),
            "Missing required parameter: 'messages[1].function_call.name'.",
            "https://github.com/langchain-ai/langgraphjs/issues/405",
        ),
        Refusal(
            ("anthropic",),
            "messages.11.content.1.tool_use.name: String should have at least 1 character",
            "https://github.com/sipeed/picoclaw/issues/1658",
        ),
        Refusal(
            ("gemini",),
            "GenerateContentRequest.contents[2].parts[0].function_response.name: Name cannot be empty.",
            "google-genai 3.6.1 FunctionResponse.name",
        ),
        Refusal(
            ("anthropic",),
            "messages.1.content.0.tool_use.name: Field required",
            "anthropic 2.14.0 ToolUseBlockParam.name",
        ),
        Refusal(
            ("openai-chat", "azure-openai"),
            "Missing required parameter: 'messages[3].tool_calls[0].function.name'.",
            "openai 3.57.0 Function.name",
        ),
        Refusal(
            ("openai-chat", "azure-openai"),
            "Invalid type for 'messages[3].tool_calls[0].function.name': expected a string, but got null instead.",
            "openai 3.57.0 Function.name",
        ),
        Refusal(
            ("anthropic",),
            "messages.1.content.0.tool_use.name: Input should be a valid string",
            "anthropic 2.14.0 ToolUseBlockParam.name",
        ),
        Refusal(
            ("openai-responses",),
            "Missing required parameter: 'input[1].name'.",
            "openai 3.57.0 ResponseFunctionToolCallParam.name",
        ),
    ),
    source="https://github.com/open-webui/open-webui/issues/29690",
    fix=Fix("safe", "give a response the name of the call that it answers"),
)


def check(passage: Passage, _aim: Aim) -> Iterator[Finding]:
    """Yield each call without a name."""
    for call in tool_calls(passage):
        if isinstance(call.name, str) and call.name:
            continue
        of = f" {shown(call.id)}" if isinstance(call.id, str) and call.id else ""
        fault, words = _fault_of(call.name)
        yield Finding(
            call.message.record,
            call.name_path,
            f"the call{of} has {fault}",
            help="write the name of the tool that was called",
            mentions=(Mention(call.message, label="a call of what?"),),
            refusals=tuple(refusal for some in words for refusal in said_with(RULE, some)),
        )
    if passage.format != "gemini":
        return  # elsewhere results need not name their tool
    for result in tool_results(passage):
        if not isinstance(result.name, str) or not result.name:
            asked = _call_of(passage, result)
            if asked is not None and asked.tool_name == result.name:
                continue  # it repeats what its call has instead of a name, and that is told
            fault, _ = _fault_of(result.name)
            yield Finding(
                result.message.record,
                result.name_path,
                f"a function response has {fault}",
                help="write the name of the function that was called",
                mentions=(Mention(result.message, label="the result of what?"),),
                repair=_repair(asked, result),
                refusals=said_with(RULE, "function_response"),
            )


def _call_of(passage: Passage, result: WireResult) -> CallAt | None:
    """Find the call that a response answers."""
    answers = passage.pairing.answers
    own = (call for call, other in answers if other.wire is result.message and other.path == result.path)
    return next(own, None)


def _repair(call: CallAt | None, result: WireResult) -> Repair | None:
    """Copy the name of the call that a response answers."""
    if call is None or not call.tool_name:
        return None
    path = result.holder_path + step(result.name_key or "name")
    return repair(Put(result.message.record, path, call.tool_name))


def _fault_of(name: Any) -> tuple[str, tuple[str, ...]]:
    """Say what the call has instead of a name, and what tells the providers' words for that."""
    match name:
        case UnsetType():
            return "no tool name", ("Missing",)
        case "":
            return "an empty tool name", ("empty string", "at least 1 character")
        case _:
            return f"{type_name(name)} as its tool name", ()


def _chat(name: str) -> str:
    return (
        '{"role":"user","content":"Tide?"}\n'
        f'{{"role":"assistant","content":null,"tool_calls":[{{"id":"call_a1","type":"function","function":{{{name}"arguments":"{{}}"}}}}]}}\n'
        '{"role":"tool","tool_call_id":"call_a1","content":"2.1 m"}\n'
    )


VALID = (
    Example(_chat('"name":"read_tide",'), format="openai-chat"),
    Example(
        '{"role":"user","content":"List"}\n{"role":"assistant","content":null,"tool_calls":[{"id":"call_a1","type":"custom",'
        '"custom":{"name":"shell","input":"ls"}}]}\n{"role":"tool","tool_call_id":"call_a1","content":"ok"}\n',
        format="openai-chat",
    ),
    Example(
        '{"messages":[{"role":"user","content":"Tide?"},{"role":"assistant","content":[{"type":"tool_use","id":"toolu_1","name":"read_tide","input":{}}]},'
        '{"role":"user","content":[{"type":"tool_result","tool_use_id":"toolu_1","content":"2.1 m"}]}]}\n',
        format="anthropic",
    ),
)

INVALID = (
    Example(_chat('"name":null,'), where=("/1/tool_calls/0/function/name",), format="openai-chat"),
    Example(_chat('"name":"",'), where=("/1/tool_calls/0/function/name",), format="openai-chat", target="azure-openai"),
    Example(_chat('"name":7,'), where=("/1/tool_calls/0/function/name",), format="openai-chat"),
    Example(_chat(""), where=("/1/tool_calls/0/function",), format="openai-chat"),
    Example(
        '{"contents":[{"role":"user","parts":[{"text":"Tide?"}]},{"role":"model","parts":[{"functionCall":{"name":"get_tide",'
        '"args":{}}}]},{"role":"user","parts":[{"functionResponse":{"name":"","response":{"output":"2.1 m"}}}]}],'
        '"generationConfig":{}}\n',
        where=("/0/contents/2/parts/0/functionResponse/name",),
        format="gemini",
    ),
)
