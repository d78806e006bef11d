r"""Content is neither text nor a list of parts.

## What
The content of a message, of a tool result or of a text part has another type than its format allows: an object that a tool
returned and nobody encoded, a number, null where text belongs.

## Why it is refused
Providers check the type of every field. A tool's answer has to be text, also when it is JSON.

## Example
Bad:
```
[{"role": "tool", "tool_call_id": "call_1", "content": {"level": 2.1}}]
```
Good:
```
[{"role": "tool", "tool_call_id": "call_1", "content": "{\"level\": 2.1}"}]
```

## Fix
Encode the value as JSON text, and write that.
"""

from collections.abc import Iterator

from lighter.conversation import WireMessage
from lighter.passage import Passage
from lighter.rule import Aim, Example, Finding, Refusal, Rule
from lighter.wire import Part, all_parts_of, fields_of, role_of, type_name

RULE = Rule(
    code="M105",
    name="content-wrong-type",
    summary="content is neither text nor a list of parts",
    severity={"generic": "error", "openai-chat": "error", "azure-openai": "error", "anthropic": "error"},
    formats=("openai-chat", "anthropic"),
    refusals=(
        Refusal(
            ("openai-chat", "azure-openai"),
            "Invalid type for 'messages[0].content': expected one of a string or array of objects, but got an object instead.",
            "openai 3.57.0 ChatCompletionMessageParam",
        ),
        Refusal(("anthropic",), "messages.0.content: Input should be a valid list", "anthropic 2.14.0 MessageParam"),
    ),
    source="langchain-ai/langgraphjs#506",
)


def check(passage: Passage, aim: Aim) -> Iterator[Finding]:
    """Find contents of a wrong type in messages, in tool results and in text parts."""
    for message in passage.messages:
        content = fields_of(message).get("content")
        path = f"{message.path}/content"
        match content:
            case None | str():
                continue
            case list():
                if passage.format == "openai-chat" and role_of(message) == "function":
                    yield _wrong(
                        message, path, "the content of a function's result is a list, not text", "join the parts"
                    )
                    continue
                for part in all_parts_of(message):
                    yield from _in_part(message, part, passage.format, aim)
            case _:
                said = f"the content is {type_name(content)}, neither text nor a list of parts"
                yield _wrong(message, path, said, "encode it as JSON text")


def _in_part(message: WireMessage, part: Part, wire_format: str, aim: Aim) -> Iterator[Finding]:
    match part.fields:
        case {"type": "text", "text": text} if not isinstance(text, str):
            yield _wrong(
                message,
                f"{part.path}/text",
                f"the text of this part is {type_name(text)}",
                "write text, or drop the part",
            )
        # LLaMA-Factory's own format keeps the text in `value`.
        case {"type": "text"} if "text" not in part.fields and not (aim.target == "generic" and "value" in part.fields):
            yield _wrong(message, part.path, "this text part has no text", "write the text, or drop the part")
        case {"type": "tool_result", "content": content} if wire_format == "anthropic" and not isinstance(
            content, str | list | None
        ):
            yield _wrong(
                message,
                f"{part.path}/content",
                f"the content of this result is {type_name(content)}",
                "encode it as JSON text",
            )
        # Mistral takes a string here, so that it is a fault only at OpenAI.
        case {"type": "image_url", "image_url": image} if aim.target in (
            "openai-chat",
            "azure-openai",
        ) and not isinstance(image, dict):
            yield _wrong(message, f"{part.path}/image_url", f"`image_url` is {type_name(image)}", 'write `{"url": …}`')


def _wrong(message: WireMessage, path: str, said: str, help_: str) -> Finding:
    return Finding(message.record, path, said, help_)


VALID = (
    Example('[{"role": "user", "content": [{"type": "text", "text": "Ahoy"}]}]', target="openai-chat"),
    Example(
        '[{"role": "user", "content": "Tide?"}, {"role": "assistant", "content": [{"type": "tool_use", "id": "toolu_1", "name":'
        ' "read_tide", "input": {}}]}, {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "toolu_1"}]}]',
        format="anthropic",
        target="anthropic",
    ),
    Example(
        '{"role": "user", "content": "{\\"level\\": 2.1}"}\n{"role": "assistant", "content": null, "refusal": "No."}\n'
    ),
)

INVALID = (
    Example(
        '{"role": "assistant", "content": null, "tool_calls": [{"id": "call_1", "type": "function", "function": {"name": "read_tide",'
        ' "arguments": "{}"}}]}\n{"role": "tool", "tool_call_id": "call_1", "content": {"level": 2.1}}\n',
        ("/1/content",),
    ),
    Example(
        '[{"role": "user", "content": [{"type": "text", "text": null}]}]', ("/0/content/0/text",), target="openai-chat"
    ),
    Example(
        '[{"role": "user", "content": [{"type": "image_url", "image_url": "https://example.com/quay.png"}]}]',
        ("/0/content/0/image_url",),
        target="openai-chat",
    ),
    Example(
        '[{"role": "user", "content": "Tide?"}, {"role": "assistant", "content": [{"type": "tool_use", "id": "toolu_1", "name":'
        ' "read_tide", "input": {}}]}, {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "toolu_1", "content": 2.1}]}]',
        ("/2/content/0/content",),
        format="anthropic",
        target="anthropic",
    ),
)
