"""A message does not say whose it is.

## What
A message without `role`, or whose `role` is null. Of the items of OpenAI's Responses only messages have a role; what has neither
role nor `type` could be anything.

## Why it is refused
The role is the one key that every provider requires of every message.

## Example
Bad:
```
[{"content": "How high is the tide?"}]
```
Good:
```
[{"role": "user", "content": "How high is the tide?"}]
```

## Fix
Give the message its role. Lighter does not guess it: what a user said and what a model said look alike.
"""

from collections.abc import Iterator

from lighter.passage import Passage
from lighter.rule import Aim, Example, Finding, Refusal, Rule
from lighter.rules.mixed_formats import foreign_part
from lighter.wire import misfits

RULE = Rule(
    code="M102",
    name="missing-role",
    summary="a message does not say whose it is",
    severity={"generic": "error", "openai-chat": "error", "azure-openai": "error", "anthropic": "error"},
    formats=("openai-chat", "anthropic", "openai-responses", "bedrock", "mistral", "cohere", "ollama"),
    refusals=(
        Refusal(
            ("openai-chat", "azure-openai"),
            "Missing required parameter: 'messages[0].role'.",
            "https://github.com/ServiceNow/TapeAgents/issues/66",
        ),
        Refusal(("anthropic",), "messages.0.role: Field required", "https://platform.claude.com/docs/en/api/messages"),
        Refusal(
            ("bedrock",),
            'Missing required parameter in messages[0]: "role"',
            "botocore 1.44.8 Message",
        ),
    ),
    source="openai 3.57.0 ChatCompletionMessageParam; anthropic 2.14.0 MessageParam",
)


def check(passage: Passage, _aim: Aim) -> Iterator[Finding]:
    """Find messages without a role; a provider's own answer may leave it out."""
    for message in passage.messages:
        if not isinstance(message.raw, dict) or message.raw.get("role") is not None or message.is_response:
            continue
        if passage.format in ("openai-responses", "mistral") and message.raw.get("type") not in (None, "message"):
            continue  # only messages have a role there, entries of Conversations have a type
        if foreign_part(message, passage.format):
            continue  # an item of another format has none
        if message.path and message.path in misfits(passage):
            continue  # a text that reads like an object: `message-not-object` tells it
        if message.raw.get("type", "message") is None and "role" not in message.raw:
            said, help_ = "this item has null as its type", "add the type, such as `message` or `function_call`"
            yield Finding(message.record, f"{message.path}/type", said, help_)
            continue
        is_absent = "role" not in message.raw
        yield Finding(
            message.record,
            message.path if is_absent else f"{message.path}/role",
            f"this message has {'no role' if is_absent else 'null as its role'}",
            "add the role, such as `user` or `assistant`",
        )


VALID = (
    Example('[{"role": "user", "content": "How high is the tide?"}]'),
    Example('{"role": "user", "content": "{\\"content\\": 2.1}"}\n'),
    # A text in place of a message, which reads like an object.
    Example('{"messages": [{"role": "user", "content": "How high is the tide?"}, "{}"]}', format="openai-chat"),
    # A provider's own answer may leave it out.
    Example(
        '{"id": "chatcmpl-1", "object": "chat.completion", "choices": [{"index": 0, "finish_reason": "stop", "message": {"content":'
        ' "2.1 m"}}]}\n',
        format="openai-chat",
    ),
)

INVALID = (
    Example('[{"role": "user", "content": "Ahoy"}, {"content": "Ahoy!"}]', ("/1",), format="openai-chat"),
    Example('[{"role": "user", "content": "Ahoy"}, {}]', ("/1",), format="openai-chat", target="openai-chat"),
    Example('[{"role": null, "content": "Ahoy"}]', ("/0/role",), format="openai-chat"),
    Example(
        '{"model": "gpt-5", "store": false, "input": [{"role": "user", "content": "Tide?"}, {"type": null, "call_id": "call_1", "name": "read_tide",'
        ' "arguments": "{}"}]}',
        ("/input/1/type",),
        format="openai-responses",
        target="openai-responses",
    ),
    Example(
        '{"messages": [{"content": "Ahoy"}], "max_tokens": 64}',
        ("/messages/0",),
        format="anthropic",
        target="anthropic",
    ),
)
