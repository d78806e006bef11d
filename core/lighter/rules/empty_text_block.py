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

from lighter import jsontext
from lighter.conversation import WireMessage
from lighter.diagnostics import Fix
from lighter.edits import Copied, Drop, Edit, Put, Repair, repair
from lighter.edits_messages import dropping_empty, dropping_part
from lighter.passage import Passage
from lighter.records import Record
from lighter.rule import Aim, Example, Finding, Refusal, Rule
from lighter.rules._quotes import said_with
from lighter.wire import Part, all_parts_of, fields_of, messages_of, parts_of, placed_parts, system_parts

RULE = Rule(
    code="M108",
    name="empty-text-block",
    summary="a text block is empty or blank",
    severity={
        "generic:anthropic": "error",
        "anthropic": "error",
        "generic:gemini": "error",
        "generic:bedrock": "error",
    },
    formats=("anthropic", "gemini", "bedrock"),
    refusals=(
        Refusal(
            ("anthropic",),
            "messages: text content blocks must be non-empty",
            "https://github.com/anthropics/anthropic-sdk-python/issues/461",
        ),
        Refusal(
            ("anthropic",),
            "messages: text content blocks must contain non-whitespace text",
            "https://github.com/anthropics/claude-code/issues/23440",
        ),
        Refusal(
            ("anthropic",),
            "messages.0.content.1.text: cache_control cannot be set for empty text blocks",
            "https://github.com/anthropics/claude-code/issues/62379",
        ),
        Refusal(
            ("bedrock",),
            "The text field in the ContentBlock object at messages.0.content.0 is blank. Add text to the text field, and try again.",
            "https://github.com/earendil-works/pi/issues/4975",
        ),
        Refusal(
            ("gemini",),
            "Unable to submit request because it has an empty text parameter. Add a value to the parameter and try again.",
            "https://github.com/google-gemini/deprecated-generative-ai-python/issues/697",
        ),
        Refusal(
            ("Moonshot",),
            "Invalid request: text content is empty",
            "https://github.com/BerriAI/litellm/issues/42186",
        ),
    ),
    source="https://github.com/anthropics/anthropic-sdk-python/issues/461",
    fix=Fix("safe", "drop the block"),
)

_BLANK = "non-whitespace"


def check(passage: Passage, _aim: Aim) -> Iterator[Finding]:
    """Find blank text blocks in the system prompt, in messages and in tool results."""
    if passage.format == "anthropic" and passage.is_first:
        for part in system_parts(passage):
            yield from _blank(passage.record, part, _repair(passage, None, part))
    if passage.format == "bedrock":
        yield from _of_bedrock(passage)
    if passage.format == "gemini":
        yield from _of_gemini(passage)
    for message in messages_of(passage, "anthropic"):
        if message.is_response:
            continue
        content = fields_of(message).get("content")
        if isinstance(content, str) and content and not content.strip():
            said, path = "the content is white space only", f"{message.path}/content"
            made = dropping_empty(passage, message)
            yield Finding(
                message.record, path, said, "delete the message", refusals=said_with(RULE, _BLANK), repair=made
            )
        for part in all_parts_of(message):
            yield from _blank(message.record, part, _repair(passage, message, part))


def _of_bedrock(passage: Passage) -> Iterator[Finding]:
    """Find blank text in the system prompt and directly in messages; in results nobody was seen to refuse it."""
    placed: list[tuple[WireMessage | None, Part]] = []
    placed += [(None, part) for part in system_parts(passage)] if passage.is_first else []
    placed += [(m, part) for m in passage.messages if not m.is_response for part in parts_of(m)]
    for message, part in placed:
        record = passage.record if message is None else message.record
        match part.fields:
            case {"text": str(text)} if not text.strip():
                said = f"this text block is {'white space only' if text else 'empty'}"
                made = _repair(passage, message, part)
                yield Finding(record, part.path, said, "drop the block", refusals=said_with(RULE, "blank"), repair=made)


def _of_gemini(passage: Passage) -> Iterator[Finding]:
    """Find parts that hold empty text and nothing else; a signature may come with empty text, and must be sent back so."""
    for message in passage.messages:
        for path, part in placed_parts(message) if not message.is_response else ():
            if part.get("text") == "" and not any(
                value for key, value in part.items() if key not in ("text", "thought")
            ):
                said = "this part holds empty text"
                made = _repair(passage, message, Part(part, path))
                yield Finding(
                    message.record, path, said, "drop the part", refusals=said_with(RULE, "empty text"), repair=made
                )


def _repair(passage: Passage, message: WireMessage | None, part: Part) -> Repair | None:
    """Drop a block with the others of its list that are blank; its cache breakpoint moves to the block before it."""
    listed, _, index = part.path.rpartition("/")
    record = passage.record if message is None else message.record
    try:
        blocks = jsontext.value_at(record.value, listed)
    except LookupError:
        return None
    if all(map(_is_blank, blocks)):
        if message is None or part.outer is not None:
            return repair(Drop(record, listed))
        return dropping_empty(passage, message) if len(blocks) > 1 else dropping_part(passage, message, part)
    at = int(index)
    edits: list[Edit] = [Drop(record, part.path)]
    if (
        "cache_control" in part.fields
        and at
        and isinstance(blocks[at - 1], dict)
        and "cache_control" not in blocks[at - 1]
        and not _is_blank(blocks[at - 1])
    ):
        key = "cache_control"
        edits.append(Put(record, f"{listed}/{at - 1}/{key}", Copied(record, f"{part.path}/{key}")))
    return repair(*edits)


def _is_blank(block: object) -> bool:
    match block:
        case {"text": str(text), **rest}:
            return not text.strip() and rest.keys() <= {"type", "cache_control", "thought"}
        case _:
            return False


def _blank(record: Record, part: Part, repair: Repair | None) -> Iterator[Finding]:
    match part.fields:
        case {"type": "text", "text": str(text)} if not text.strip():
            is_marked = part.fields.get("cache_control") is not None
            said = f"this text block is {'white space only' if text else 'empty'}"
            help_ = "drop the block, and put `cache_control` on the block before it" if is_marked else "drop the block"
            words = _BLANK if text else "cache_control" if is_marked else "non-empty"
            yield Finding(record, part.path, said, help_, refusals=said_with(RULE, words), repair=repair)


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
