"""A request has no messages.

## What
The list of messages is empty. A system prompt beside it does not count: at providers that keep it outside the list, a
conversation that is only a system prompt has no messages either.

## Why it is refused
There is nothing to answer. Every provider asks for at least one message.

## Example
Bad:
```
{"model": "gpt-5", "messages": []}
```
Good:
```
{"model": "gpt-5", "messages": [{"role": "user", "content": "Ahoy"}]}
```

## Fix
Look for what emptied the list: a filter, a window that was cut too short, a session that was never filled.
"""

from collections.abc import Iterator

from lighter.passage import Passage
from lighter.rule import Aim, Example, Finding, Refusal, Rule
from lighter.wire import has_past, list_of_messages

RULE = Rule(
    code="M101",
    name="no-messages",
    summary="a request has no messages",
    severity={"generic": "error", "openai-chat": "error", "azure-openai": "error", "anthropic": "error"},
    refusals=(
        Refusal(
            ("openai-chat", "azure-openai"),
            "Invalid 'messages': empty array. Expected an array with minimum length 1, but got an empty array instead.",
            "https://github.com/CopilotKit/CopilotKit/issues/529",
        ),
        Refusal(
            ("anthropic",),
            "messages: at least one message is required",
            "https://github.com/langchain-ai/langchain/issues/30764",
        ),
        Refusal(
            ("mistral",),
            "Conversation must have at least one message",
            "mistral_common 1.13.1 MistralRequestValidator",
        ),
        Refusal(
            ("gemini",),
            "GenerateContentRequest.contents: contents is not specified",
            "https://github.com/langchain-ai/langchain-google/issues/1393",
        ),
        Refusal(
            ("openai-responses", "azure-openai"),
            "One of \"input\" or \"previous_response_id\" or 'prompt' or 'conversation_id' must be provided.",
            "",
        ),
        Refusal(
            ("openai-chat", "qwen"),
            "[] is too short - 'messages'",
            "https://github.com/sashabaranov/go-openai/issues/605",
        ),
    ),
    source="https://github.com/CopilotKit/CopilotKit/issues/529",
)

SYSTEM_FIELDS = ("system", "systemInstruction", "system_instruction", "instructions")
"""The fields that hold the system prompt where it stands outside the list."""


def check(passage: Passage, _aim: Aim) -> Iterator[Finding]:
    """Find an empty list of messages."""
    if passage.messages or not (passage.is_first and passage.is_last):
        return
    if passage.body is not None and passage.body.response is not None:
        return  # what was answered was not refused
    if passage.gaps:
        return  # a stream holds only what came new, and may have taken that back
    if has_past(passage) or passage.fields.get("prompt") is not None:
        return  # OpenAI's Responses have the messages elsewhere
    match list_of_messages(passage):
        case (path, []):
            help_ = "add the user's message, or find out what emptied the list"
            is_alone = any(passage.fields.get(key) for key in SYSTEM_FIELDS)
            said = "only a system prompt is here, and no message" if is_alone else "the list of messages is empty"
            yield Finding(passage.record, path, said, help_)


VALID = (
    Example('[{"role": "user", "content": "Ahoy"}]'),
    Example('{"role": "system", "content": "You answer briefly."}\n'),
    Example(
        '{"system": "You answer briefly.", "max_tokens": 64, "messages": [{"role": "user", "content": "Ahoy"}]}',
        format="anthropic",
    ),
    Example('{"model": "gpt-5", "input": [], "previous_response_id": "resp_1"}', format="openai-responses"),
)

INVALID = (
    Example("[]", ("",), format="openai-chat", target="openai-chat"),
    Example('{"model": "gpt-5", "messages": []}', ("/messages",)),
    Example(
        '{"model": "claude-opus-5", "max_tokens": 64, "system": "You answer briefly.", "messages": []}',
        ("/messages",),
        target="anthropic",
        format="anthropic",
    ),
    Example('[{"role": "system", "content": "You answer briefly."}]', ("/0",), format="openai-chat", target="gemini"),
    Example(
        '{"model": "gpt-5", "instructions": "Greet.", "input": []}',
        ("/input",),
        target="openai-responses",
        format="openai-responses",
    ),
)
