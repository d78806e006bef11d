"""A text block is empty or blank.

## What
A `text` block whose text is empty or only white space, anywhere in an Anthropic request: in a message, in a tool result, in the
system prompt. Content that is a blank string counts as one such block.

## Why it is refused
Anthropic wants text that is not white space. The block often comes from a stream that opened a text and never filled it, before
a tool call. A single space is no way out any more.

## Example
Bad:
```
[{"role": "assistant", "content": [{"type": "text", "text": ""}, {"type": "tool_use", "id": "toolu_1", "name": "read_tide", "input": {}}]}]
```
Good:
```
[{"role": "assistant", "content": [{"type": "tool_use", "id": "toolu_1", "name": "read_tide", "input": {}}]}]
```

## Fix
Drop the block when another one remains; move its `cache_control` to the block before it.
"""

from collections.abc import Iterator

from lighter.diagnostics import Fix
from lighter.passage import Passage
from lighter.records import Record
from lighter.rule import Aim, Example, Finding, Refusal, Rule
from lighter.wire import Part, all_parts_of, fields_of, messages_of, system_parts

RULE = Rule(
    code="M108",
    name="empty-text-block",
    summary="a text block is empty or blank",
    severity={"generic:anthropic": "error", "anthropic": "error"},
    formats=("anthropic",),
    refusals=(
        Refusal(
            ("anthropic",),
            "messages: text content blocks must be non-empty",
            "anthropics/anthropic-sdk-python#461",
        ),
        Refusal(
            ("anthropic",),
            "messages: text content blocks must contain non-whitespace text",
            "anthropics/claude-code#23440",
        ),
        Refusal(
            ("anthropic",),
            "messages.0.content.1.text: cache_control cannot be set for empty text blocks",
            "anthropics/claude-code#62379",
        ),
    ),
    source="anthropics/anthropic-sdk-python#461",
    fix=Fix("safe", "drop the block"),
)


def check(passage: Passage, _aim: Aim) -> Iterator[Finding]:
    """Find blank text blocks in the system prompt, in messages and in tool results."""
    if passage.format == "anthropic" and passage.is_first:
        for part in system_parts(passage):
            yield from _blank(passage.record, part)
    for message in messages_of(passage, "anthropic"):
        if message.is_response:
            continue
        content = fields_of(message).get("content")
        if isinstance(content, str) and content and not content.strip():
            yield Finding(
                message.record, f"{message.path}/content", "the content is white space only", "delete the message"
            )
        for part in all_parts_of(message):
            yield from _blank(message.record, part)


def _blank(record: Record, part: Part) -> Iterator[Finding]:
    match part.fields:
        case {"type": "text", "text": str(text)} if not text.strip():
            marked = part.fields.get("cache_control") is not None
            help_ = "drop the block, and put `cache_control` on the block before it" if marked else "drop the block"
            yield Finding(record, part.path, f"this text block is {'white space only' if text else 'empty'}", help_)


VALID = (
    Example('[{"role": "user", "content": [{"type": "text", "text": "."}]}]', format="anthropic", target="anthropic"),
    Example(
        '[{"role": "user", "content": "Tide?"}, {"role": "assistant", "content": [{"type": "thinking", "thinking": "", "signature":'
        ' "EqQB"}, {"type": "text", "text": "2.1 m"}]}, {"role": "user", "content": "Thanks"}]',
        format="anthropic",
        target="anthropic",
    ),
    Example(
        '[{"role": "user", "content": [{"type": "text", "text": ""}, {"type": "text", "text": "Ahoy"}]}]',
        target="openai-chat",
    ),
)

INVALID = (
    Example(
        '[{"role": "user", "content": "Tide?"}, {"role": "assistant", "content": [{"type": "text", "text": ""}, {"type": "tool_use",'
        ' "id": "toolu_1", "name": "read_tide", "input": {}}]}, {"role": "user", "content": [{"type": "tool_result", "tool_use_id":'
        ' "toolu_1", "content": [{"type": "text", "text": " "}]}]}]',
        ("/1/content/0", "/2/content/0/content/0"),
        format="anthropic",
        target="anthropic",
    ),
    Example('[{"role": "user", "content": "\\n"}]', ("/0/content",), format="anthropic", target="anthropic"),
    Example(
        '{"system": [{"type": "text", "text": ""}], "messages": [{"role": "user", "content": "Ahoy"}]}',
        ("/system/0",),
        format="anthropic",
        target="anthropic",
    ),
)
