"""An image stands in a message that is not the user's.

## What
At OpenAI only user messages hold images. A tool that takes a screenshot, or an assistant that drew a picture, cannot give it back
in its own message.

## Why it is refused
Tool, assistant and system messages take text only. Other vendors of the same format do take images there.

## Example
Bad:
```
[{"role": "tool", "tool_call_id": "call_1", "content": [{"type": "image_url", "image_url": {"url": "data:image/png;base64,iVBORw0KGgo="}}]}]
```
Good:
```
[{"role": "tool", "tool_call_id": "call_1", "content": "The screenshot follows."},
 {"role": "user", "content": [{"type": "image_url", "image_url": {"url": "data:image/png;base64,iVBORw0KGgo="}}]}]
```

## Fix
Move the image to a user message after all results of that turn, with a text that says which call it belongs to.
"""

from collections.abc import Iterator

from lighter.diagnostics import Fix
from lighter.passage import Passage
from lighter.rule import Aim, Example, Finding, Refusal, Rule
from lighter.wire import messages_of, parts_of, role_of

RULE = Rule(
    code="M115",
    name="image-in-wrong-role",
    summary="an image stands in a message that is not the user's",
    severity={
        "openai-chat": "error",
        "azure-openai": "error",
        "generic:bedrock": "error",
    },
    formats=("openai-chat", "bedrock"),
    refusals=(
        Refusal(
            ("openai-chat", "azure-openai"),
            "Invalid 'messages[2]'. Image URLs are only allowed for messages with role 'user', but this message with role 'tool' contains an image URL.",
            "https://github.com/OpenHands/OpenHands/issues/7700",
        ),
    ),
    source="https://github.com/openai/openai-node/issues/1030",
    fix=Fix("unsafe", "move the image to a user message after the results"),
)

_TEXT_ONLY = frozenset({"tool", "assistant", "system", "developer"})


def check(passage: Passage, _aim: Aim) -> Iterator[Finding]:
    """Find images outside user messages."""
    for message in messages_of(passage, "bedrock"):
        for part in parts_of(message) if role_of(message) == "assistant" and not message.is_response else ():
            for key in ("image", "document"):
                if isinstance(part.fields.get(key), dict):
                    said = f"this {key} stands in a message of role assistant"
                    yield Finding(message.record, part.path, said, "move it to a user message", refusals=())
    for message in messages_of(passage, "openai-chat"):
        role = role_of(message)
        if role not in _TEXT_ONLY or message.is_response:
            continue
        for part in parts_of(message):
            if part.kind == "image_url":
                help_ = "move it to a user message after the results" if role == "tool" else "move it to a user message"
                yield Finding(message.record, part.path, f"this image stands in a message of role {role}", help_)


VALID = (
    Example(
        '[{"role": "user", "content": [{"type": "text", "text": "What is this?"}, {"type": "image_url", "image_url": {"url":'
        ' "https://example.com/quay.png"}}]}]',
        target="openai-chat",
    ),
    Example(
        '{"role": "assistant", "content": "", "tool_calls": [{"id": "c1", "type": "function", "function": {"name": "shot",'
        ' "arguments": "{}"}}]}\n{"role": "tool", "tool_call_id": "c1", "content": [{"type": "image_url", "image_url": {"url":'
        ' "https://example.com/quay.png"}}]}\n',
    ),
)

INVALID = (
    Example(
        '[{"role": "user", "content": "Show me"}, {"role": "assistant", "content": null, "tool_calls": [{"id": "c1", "type":'
        ' "function", "function": {"name": "shot", "arguments": "{}"}}]}, {"role": "tool", "tool_call_id": "c1", "content": [{"type":'
        ' "text", "text": "shot"}, {"type": "image_url", "image_url": {"url": "https://example.com/quay.png"}}]}]',
        ("/2/content/1",),
        target="openai-chat",
    ),
    Example(
        '[{"role": "user", "content": "Draw a cat"}, {"role": "assistant", "content": [{"type": "image_url", "image_url": {"url":'
        ' "https://example.com/cat.png"}}]}, {"role": "user", "content": "Describe it"}]',
        ("/1/content/0",),
        target="azure-openai",
    ),
)
