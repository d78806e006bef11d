"""A message that needs content has none: it is null, or the key is absent.

## What
User, system and tool messages need content. An assistant message may do without, as long as it holds something else: tool
calls, a function call, a refusal, or a reference to audio. One that holds nothing is told here where null is what is refused and `""`
would be taken, as at OpenAI; where both are, it is `empty-message`.

## Why it is refused
OpenAI answers `expected a string, got null`, and so do most who copied its format. What stored the message wrote down a failed
or interrupted turn, or a tool that returned nothing.

## Example
Bad:
```
[{"role": "user", "content": null}]
```
Good: null beside tool calls, and an empty result of a tool.
```
[{"role": "assistant", "content": null, "tool_calls": [{"id": "call_1", "type": "function", "function": {"name": "touch", "arguments": "{}"}}]},
 {"role": "tool", "tool_call_id": "call_1", "content": ""}]
```

## Fix
Write what was said. A tool that returned nothing has the result `""`; an assistant turn that holds nothing is best deleted.
"""

from collections.abc import Iterator, Mapping
from typing import Any

from lighter.conversation import WireMessage
from lighter.diagnostics import Fix
from lighter.edits import Put, Repair, safe
from lighter.edits_messages import dropping_empty
from lighter.passage import Passage
from lighter.rule import Aim, Example, Finding, Refusal, Rule
from lighter.rules.empty_message import is_empty_answer
from lighter.rules.mixed_formats import foreign_part
from lighter.wire import fields_of, role_of

RULE = Rule(
    code="M104",
    name="null-content",
    summary="a message that needs content has none",
    severity={"generic": "error", "openai-chat": "error", "azure-openai": "error", "anthropic": "error"},
    formats=("openai-chat", "anthropic", "openai-responses", "bedrock", "mistral", "cohere"),
    refusals=(
        Refusal(
            ("openai-chat", "azure-openai"),
            "Invalid value for 'content': expected a string, got null.",
            "https://github.com/langchain-ai/langchainjs/issues/4153",
        ),
        Refusal(
            ("anthropic",),
            "messages.0.content: Input should be a valid list",
            "https://github.com/obot-platform/nanobot/pull/193",
            is_rarer=True,
        ),
        Refusal(
            ("bedrock",),
            'Missing required parameter in messages[0]: "content"',
            "botocore 1.44.8 Message",
        ),
        Refusal(
            ("deepseek",),
            "Failed to deserialize the JSON body into the target type: messages[1]: missing field `content` at line 8 column 5",
            "https://github.com/pig-mesh/deepseek4j/issues/41",
        ),
        Refusal(
            ("anthropic",),
            "messages.2.content: Field required",
            "anthropic 2.14.0 MessageParam",
        ),
        Refusal(
            ("Ollama",),
            "invalid message content type: <nil>",
            "https://github.com/QwenLM/qwen-code/issues/3350",
        ),
    ),
    source="https://github.com/langchain-ai/langchainjs/issues/4153",
    fix=Fix("safe", "write an empty text for a result; delete an answer that holds nothing"),
)

_INSTEAD_OF_CONTENT = ("tool_calls", "function_call", "refusal", "audio", "tool_plan")
_CONTENT_ELSEWHERE = frozenset({"text", "parts", "message", "value", "data", "body", "output", "items", "blocks"})
"""Keys in which formats of applications keep what was said: such a line is no message of this wire, rather than a broken one."""

_RESULT_ITEMS = ("function_call_output", "custom_tool_call_output")
_REASONING = ("reasoning_content", "reasoning", "reasoning_details", "thinking_blocks")


def check(passage: Passage, aim: Aim) -> Iterator[Finding]:
    """Find messages whose content is null or absent, and that hold nothing in its place."""
    for message in passage.messages:
        fields = fields_of(message)
        if passage.format == "openai-responses" and fields.get("type") in _RESULT_ITEMS:
            yield from _without_output(message, fields)
        if not fields or fields.get("content") is not None or message.is_response or _is_other_item(passage, fields):
            continue
        if _may_lack_content(role_of(message), fields, passage.format, aim) or is_empty_answer(fields, aim):
            continue
        if aim.target == "generic" and not _CONTENT_ELSEWHERE.isdisjoint(fields):
            continue
        if foreign_part(message, passage.format):
            continue  # `mixed-formats` tells it
        is_absent = "content" not in fields
        yield Finding(
            record=message.record,
            path=message.path if is_absent else f"{message.path}/content",
            message=f"this {role_of(message)} message has {'no content' if is_absent else 'null as its content'}",
            help=_advice(message),
            refusals=() if is_absent else None,
            repair=_repair(passage, message, aim),
        )


def _repair(passage: Passage, message: WireMessage, aim: Aim) -> Repair | None:
    """Say of a result that it is empty; take an answer away that holds nothing."""
    match role_of(message):
        case "tool":
            return safe('write `""`', Put(message.record, f"{message.path}/content", ""))
        case "assistant":
            is_trained_on = aim.mode == "finetune" and message is passage.messages[-1]
            return None if is_trained_on else dropping_empty(passage, message)
        case _:
            return None


def _without_output(message: WireMessage, fields: Mapping[str, Any]) -> Iterator[Finding]:
    """Find what is said to be a result and holds none; its call is answered all the same."""
    if fields.get("output") is None and not message.is_response:
        path = f"{message.path}/output" if "output" in fields else message.path
        said = f"this result has {'null as its output' if 'output' in fields else 'no output'}"
        made = safe('write `""`', Put(message.record, f"{message.path}/output", ""))
        yield Finding(message.record, path, said, 'write `""` when the tool returned nothing', refusals=(), repair=made)


def _is_other_item(passage: Passage, fields: Mapping[str, Any]) -> bool:
    """Say whether an item of Responses is no message, whatever its role: `additional_tools` has one (openai 3.57.0)."""
    return passage.format == "openai-responses" and fields.get("type") not in (None, "message")


def _may_lack_content(role: str | None, fields: Mapping[str, Any], wire_format: str, aim: Aim) -> bool:
    has_calls = fields.get("tool_calls") is not None
    if wire_format == "bedrock":
        return role not in ("user", "assistant")
    if wire_format == "anthropic":
        # Calls in OpenAI's form are another fault; a system message may hold directives alone (anthropic 2.14.0, beta).
        return has_calls or "output_config" in fields or role not in ("user", "assistant", "system")
    match role:
        case "user" | "system" | "developer":
            return has_calls  # whoever made calls is no user: another fault
        case "tool":
            return False
        case "assistant":
            # Reasoning alone is what some vendors store of a turn that was cut off; OpenAI ignores the key.
            only_thinks = aim.target == "generic" and any(fields.get(key) for key in _REASONING)
            return only_thinks or any(fields.get(key) is not None for key in _INSTEAD_OF_CONTENT)
        case _:
            return True  # `function` may (openai 3.57.0); without a known role there is a worse fault


def _advice(message: WireMessage) -> str:
    match role_of(message):
        case "tool":
            return 'write `""` when the tool returned nothing'
        case "assistant":
            return "delete the message, or write down what the model said"
        case _:
            return "write down what was said, or delete the message"


VALID = (
    Example(
        '[{"role": "user", "content": "Touch it"}, {"role": "assistant", "content": null, "tool_calls": [{"id": "call_1", "type":'
        ' "function", "function": {"name": "touch", "arguments": "{}"}}]}, {"role": "tool", "tool_call_id": "call_1", "content": ""},'
        ' {"role": "assistant", "content": "Done"}]',
        target="openai-chat",
    ),
    Example(
        '[{"role": "user", "content": "Say hi"}, {"role": "assistant", "content": null, "audio": {"id": "audio_01"}},'
        ' {"role": "user", "content": "Again"}, {"role": "assistant", "content": null, "refusal": "I will not."}]',
        target="openai-chat",
    ),
    Example(
        '[{"role": "user", "content": "Tide?"}, {"role": "assistant", "content": null, "function_call": {"name": "f", "arguments": "{}"}},'
        ' {"role": "function", "name": "f", "content": null}]',
        target="openai-chat",
    ),
    Example(
        '{"role": "user", "content": "Tide?"}\n{"role": "assistant", "content": null, "reasoning_content": "The gauge says"}\n'
    ),
    Example(
        '{"model": "gpt-5", "input": [{"type": "additional_tools", "role": "developer", "tools": [{"type": "function", "name": "tide",'
        ' "parameters": {"type": "object", "properties": {}}, "strict": false}]}, {"role": "user", "content": "Tide?"}]}',
        target="openai-responses",
    ),
)

INVALID = (
    Example('[{"role": "user", "content": null}]', ("/0/content",), target="openai-chat"),
    Example('[{"role": "user"}, {"role": "assistant", "content": "Yes?"}]', ("/0",), format="openai-chat"),
    Example(
        '[{"role": "user", "content": "Tide?"}, {"role": "assistant", "content": null}, {"role": "user", "content": "Hello?"}]',
        ("/1/content",),
        target="azure-openai",
    ),
    Example('[{"role": "user", "content": null}]', ("/0/content",), format="anthropic", target="anthropic"),
)
