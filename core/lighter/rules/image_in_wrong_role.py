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

from lighter.conversation import WireMessage
from lighter.diagnostics import Fix
from lighter.edits import Copied, Drop, Edit, Insert, Put, Repair, insert_message
from lighter.edits_messages import dropping_blocks, may_move
from lighter.passage import Passage
from lighter.rule import Aim, Example, Finding, Refusal, Rule
from lighter.wire import Part, messages_of, parts_of, role_of

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

LOOKS_BEYOND_TEXT = True


def check(passage: Passage, aim: Aim) -> Iterator[Finding]:
    """Find images outside user messages."""
    for message in messages_of(passage, "bedrock"):
        for part in parts_of(message) if role_of(message) == "assistant" and not message.is_response else ():
            for key in ("image", "document"):
                if isinstance(part.fields.get(key), dict):
                    said = f"this {key} stands in a message of role assistant"
                    made = _moved_on(passage, message, part)
                    yield Finding(
                        message.record, part.path, said, "move it to a user message", refusals=(), repair=made
                    )
    for message in messages_of(passage, "openai-chat"):
        role = role_of(message)
        if role not in _TEXT_ONLY or message.is_response:
            continue
        for part in parts_of(message):
            if part.kind == "image_url":
                help_ = "move it to a user message after the results" if role == "tool" else "move it to a user message"
                said = f"this image stands in a message of role {role}"
                # An answer that is trained on and that nothing is left of is none.
                is_all = aim.mode == "finetune" and role == "assistant" and len([*parts_of(message)]) == 1
                made = None if is_all else _moved_out(passage, message, part)
                yield Finding(message.record, part.path, said, help_, repair=made)


_LEFT = "The result is the image that follows."
"""What a result says whose only content has moved."""


def _moved_out(passage: Passage, message: WireMessage, part: Part) -> Repair | None:
    """Put an image of a chat into a message of the user behind this one, behind all results of the turn."""
    if not may_move(passage, message):
        return None
    last = message
    for other in passage.messages:
        if other.index == last.index + 1 and role_of(other) == role_of(message) == "tool":
            last = other
    own = {"role": "user", "content": [Copied(message.record, part.path)]}
    rest = [other for other in parts_of(message) if other.path != part.path]
    if rest:
        edits: tuple[Edit, ...] = (Drop(message.record, part.path),)
    elif role_of(message) == "tool":
        edits = (Put(message.record, f"{message.path}/content", _LEFT),)
    else:
        edits = dropping_blocks(passage, message, (0,))
    return Repair((insert_message(last, own, is_after=True), *edits)) if edits else None


def _moved_on(passage: Passage, message: WireMessage, part: Part) -> Repair | None:
    """Put an image or a document of Bedrock's assistant at the end of the user's next message."""
    following = next((other for other in passage.messages if other.index == message.index + 1), None)
    blocks = [*parts_of(following)] if following is not None and role_of(following) == "user" else []
    rest = [other for other in parts_of(message) if other.path != part.path]
    if following is None or not blocks or not rest:
        return None
    copy = Copied(message.record, part.path)
    return Repair((Insert(following.record, blocks[-1].path, copy, is_after=True), Drop(message.record, part.path)))


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
