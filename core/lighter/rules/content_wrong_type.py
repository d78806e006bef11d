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
        for path, said, help_ in _faults_of(message, passage.format, aim):
            yield Finding(message.record, path, said, help_)


def _faults_of(message: WireMessage, wire_format: str, aim: Aim) -> Iterator[tuple[str, str, str]]:
    content, path = fields_of(message).get("content"), f"{message.path}/content"
    match content:
        case None | str():
            return
        case list() if wire_format == "openai-chat" and role_of(message) == "function":
            yield path, "the content of a function's result is a list, not text", "join the parts"
        case list():
            for part in all_parts_of(message):
                yield from _faults_in(part, wire_format, aim)
        case _:
            yield (
                path,
                f"the content is {type_name(content)}, neither text nor a list of parts",
                "encode it as JSON text",
            )


def _faults_in(part: Part, wire_format: str, aim: Aim) -> Iterator[tuple[str, str, str]]:
    fields = part.fields
    match part.kind:
        case "text" if "text" in fields:
            if not isinstance(fields["text"], str):
                said = f"the text of this part is {type_name(fields['text'])}"
                yield f"{part.path}/text", said, "write text, or drop the part"
        case "text" if not (aim.target == "generic" and "value" in fields):  # as LLaMA-Factory's own format has it
            yield part.path, "this text part has no text", "write the text, or drop the part"
        case "tool_result" if wire_format == "anthropic":
            if not isinstance(fields.get("content"), str | list | None):
                said = f"the content of this result is {type_name(fields['content'])}"
                yield f"{part.path}/content", said, "encode it as JSON text"
        # Mistral takes a string here, so that it is a fault only at OpenAI.
        case "image_url" if aim.target in ("openai-chat", "azure-openai") and "image_url" in fields:
            if not isinstance(fields["image_url"], dict):
                said = f"`image_url` is {type_name(fields['image_url'])}"
                yield f"{part.path}/image_url", said, 'write `{"url": …}`'


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
