"""A message holds nothing.

## What
Content that is `""` or `[]`. Anthropic lets only the last message be empty, and only when it is the assistant's. OpenAI accepts
empty content; several vendors who speak its format refuse an assistant message with neither content nor calls, so that one is
noted as information where no target is given.

## Why it is refused
A turn that holds nothing is usually one that failed or was interrupted, and was stored all the same. As the whole history is sent
again with every request, that one turn makes every later request fail.

## Example
Bad, for Anthropic:
```
[{"role": "user", "content": "Tide?"}, {"role": "assistant", "content": []}, {"role": "user", "content": "Hello?"}]
```
Good:
```
[{"role": "user", "content": "Tide?"}, {"role": "user", "content": "Hello?"}]
```

## Fix
Delete the message. Then look at its neighbours: some providers mind two messages of one role in a row.
"""

from collections.abc import Iterator, Mapping
from typing import Any

from lighter.diagnostics import Fix
from lighter.passage import Passage
from lighter.rule import Aim, Example, Finding, Refusal, Rule
from lighter.wire import fields_of, is_answered_later, role_of

RULE = Rule(
    code="M107",
    name="empty-message",
    summary="a message holds nothing",
    severity={"generic:anthropic": "error", "generic:openai-chat": "info", "anthropic": "error"},
    formats=("openai-chat", "anthropic"),
    refusals=(
        Refusal(
            ("anthropic",),
            "messages.1: all messages must have non-empty content except for the optional final assistant message",
            "anthropics/claude-code#6774",
        ),
        Refusal(
            ("xai",),
            "Each message must have at least one content element",
            "AstrBotDevs/AstrBot#6551",
        ),
        Refusal(
            ("mistral",),
            "Assistant message must have either content or tool_calls, but not none.",
            "OpenHands/OpenHands#8685",
        ),
        Refusal(
            ("moonshot",),
            "Invalid request: the message at position 8 with role 'assistant' must not be empty",
            "MoonshotAI/kimi-code#1985",
        ),
    ),
    source="openai/openai-agents-js#1524",
    fix=Fix("safe", "delete the message"),
)


_INSTEAD_OF_CONTENT = ("tool_calls", "function_call", "refusal", "audio", "images", "reasoning_content", "reasoning")


def check(passage: Passage, _aim: Aim) -> Iterator[Finding]:
    """Find messages whose content is empty where the format minds it."""
    for message in passage.messages:
        fields = fields_of(message)
        if message.is_response or fields.get("content") not in ("", []) or _holds_something_else(fields):
            continue
        is_answer = role_of(message) == "assistant"
        if is_answer and not is_answered_later(passage, message):
            continue
        if passage.format == "anthropic" and role_of(message) in ("user", "assistant", "system"):
            said = f"this {role_of(message)} message is empty"
            yield Finding(message.record, f"{message.path}/content", said, "delete the message")
        elif passage.format == "openai-chat" and is_answer:
            said = "this assistant message has neither content nor calls, which several vendors refuse"
            yield Finding(message.record, message.path, said, "delete the message")


def _holds_something_else(fields: Mapping[str, Any]) -> bool:
    # A system message may hold directives alone (anthropic 2.14.0, beta); the others are for OpenAI's assistant messages.
    return "output_config" in fields or any(fields.get(key) for key in _INSTEAD_OF_CONTENT)


VALID = (
    Example('[{"role": "user", "content": "Title?"}, {"role": "assistant", "content": []}]', format="anthropic"),
    Example(
        '[{"role": "user", "content": ""}, {"role": "assistant", "content": ""}, {"role": "user", "content": "Hello?"}]',
        target="openai-chat",
    ),
    Example(
        '[{"role": "user", "content": "Touch it"}, {"role": "assistant", "content": [{"type": "tool_use", "id": "toolu_1", "name":'
        ' "touch", "input": {}}]}, {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "toolu_1", "content": ""}]}]',
        format="anthropic",
        target="anthropic",
    ),
)

INVALID = (
    Example(
        '[{"role": "user", "content": "hi"}, {"role": "assistant", "content": []}, {"role": "user", "content": "again"}]',
        ("/1/content",),
        format="anthropic",
        target="anthropic",
    ),
    Example('[{"role": "user", "content": ""}]', ("/0/content",), format="anthropic", target="anthropic"),
    Example(
        '[{"role": "user", "content": "Tide?"}, {"role": "assistant", "content": ""}, {"role": "user", "content": "Hello?"}]',
        ("/1",),
        format="openai-chat",
    ),
)
