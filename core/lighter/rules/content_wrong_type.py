r"""Content is neither text nor a list of parts.

## What
The content of a message, of a tool result or of a text part, or the system prompt, has another type than its format allows: an
object that a tool returned and nobody encoded, a number, null where text belongs, text where Bedrock takes a list.

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
from typing import Any

from lighter import jsontext
from lighter.conversation import WireMessage
from lighter.diagnostics import Fix
from lighter.edits import Put, Repair, repair, safe, unsafe
from lighter.edits_messages import dropping_part
from lighter.passage import Passage
from lighter.providers import OPENAI_CHATS
from lighter.rule import Aim, Example, Finding, Refusal, Rule
from lighter.rules._langchain import FORMS
from lighter.rules._langchain_content import parts_in, wrong_contents
from lighter.rules._native_content import NATIVE, native
from lighter.rules._quotes import said_with
from lighter.rules._system_content import system_faults
from lighter.rules._tool_shapes import FOR_DATA_SETS
from lighter.wire import Part, all_parts_of, fields_of, role_of, type_name

RULE = Rule(
    code="M105",
    name="content-wrong-type",
    summary="content is neither text nor a list of parts",
    severity={"generic": "error", "openai-chat": "error", "azure-openai": "error", "anthropic": "error"},
    formats=(
        "openai-chat",
        "anthropic",
        "openai-responses",
        "bedrock",
        "mistral",
        "cohere",
        "ollama",
        "gemini",
        *FORMS,
    ),
    refusals=(
        Refusal(
            ("openai-chat", "azure-openai"),
            "Invalid type for 'messages[1].content': expected one of a string or array of objects, but got an object instead.",
            "https://github.com/pydantic/pydantic-ai/issues/2653",
        ),
        Refusal(
            ("OpenAI-compatible",),
            "message[4].content must be a string",
            "https://github.com/browser-use/browser-use/issues/54",
        ),
        Refusal(
            ("Ollama",),
            "invalid message content type: map[string]interface {}",
            "ollama/ollama openai/openai.go (FromChatRequest)",
        ),
        Refusal(("anthropic",), "messages.0.content: Input should be a valid list", "anthropic 2.14.0 MessageParam"),
        Refusal(
            ("openai-chat", "azure-openai"),
            "Invalid type for 'messages[0].content[1].image_url': expected an object, but got a string instead.",
            "https://github.com/openai/openai-python/issues/1635",
        ),
        Refusal(
            ("openai-finetune", "azure-finetune"),
            'Line 1, message 3, key "content": Input should be a valid string',
            "https://community.openai.com/t/965584",
        ),
        Refusal(
            ("ollama",),
            "json: cannot unmarshal array into Go struct field ChatRequest.messages.content of type string",
            "https://github.com/ollama/ollama/issues/10255",
        ),
        Refusal(
            ("bedrock",),
            "Invalid type for parameter messages[0].content, value: …, type: <class 'str'>, valid types: <class 'list'>, <class 'tuple'>",
            "botocore 1.44.8 Message",
        ),
        Refusal(
            FORMS,
            "content.str Input should be a valid string content.list[union[str,dict[any,any]]] Input should be a valid list",
            "langchain-core 1.8.3 BaseMessage",
        ),
        Refusal(
            ("deepseek",),
            "Failed to deserialize the JSON body into the target type: messages[2]: invalid type: sequence, expected a string at line 1 column 13946",
            "https://github.com/BerriAI/litellm/issues/6642",
        ),
        Refusal(
            ("deepseek",),
            "Failed to deserialize the JSON body into the target type: messages[2]: data did not match any variant of untagged enum ChatCompletionRequestContent at line 1 column 18254",
            "https://github.com/browser-use/web-ui/issues/99",
        ),
        Refusal(
            ("groq",),
            "'messages.0' : for 'role:system' the following must be satisfied[('messages.0.content' : value must be a string)]",
            "https://github.com/OpenHands/OpenHands/issues/4643",
        ),
        Refusal(
            ("openrouter",),
            "Invalid input: expected string, received array",
            "https://github.com/codeany-ai/codeany/issues/1",
        ),
        Refusal(
            ("xai",),
            "The model expects a single `text` element per message.",
            "mindcraft-bots/mindcraft src/models/grok.js",
        ),
        Refusal(
            ("anthropic",),
            "messages.0.content.1.text.text: Input should be a valid string",
            "https://github.com/simonw/llm-anthropic/issues/23",
        ),
        Refusal(
            ("anthropic",),
            "messages.7.content.0.text.text: Field required",
            "https://github.com/router-for-me/CLIProxyAPI/issues/730",
        ),
        Refusal(
            ("volcengine",),
            "The parameter `messages.content` specified in the request are not valid: expected a string or array of objects, but got … instead.",
            "https://github.com/bytedance/deer-flow/issues/1441",
        ),
        Refusal(
            ("anthropic",),
            "messages.2.content.0.tool_result.content: Input should be a valid list",
            "anthropic 2.14.0 ToolResultBlockParam.content",
        ),
    ),
    source="https://github.com/langchain-ai/langgraphjs/issues/506",
    fix=Fix("safe", "join parts that are texts; write a result as JSON text"),
)

TEXT_ONLY = dict.fromkeys(("openai-finetune", "azure-finetune"), ("system", "developer", "assistant", "tool"))
"""Who takes no list of parts in messages of some roles; pictures in training rows are the user's."""

_CONTENT, _IMAGE_URL = ".content", ".image_url"
"""What tells the providers' words for content from those for an image; of several that fit, the first are quoted."""


def check(passage: Passage, aim: Aim) -> Iterator[Finding]:
    """Find contents of a wrong type in messages, in tool results and in text parts."""
    yield from system_faults(passage)
    if passage.format in NATIVE:
        yield from (native(passage, RULE))
        return
    if passage.format in FORMS:
        yield from _in_langchain(passage, aim)
        return
    for message in passage.messages:
        key = "output" if _is_result_item(passage, message) else "content"
        content, path = fields_of(message).get(key), f"{message.path}/{key}"
        match content:
            case None | str():
                continue
            case list() if passage.format == "openai-chat" and role_of(message) == "function":
                said = "the content of a function's result is a list, not text"
                made = _joined_texts(message, path, content)
                yield Finding(message.record, path, said, "join the parts", refusals=said_with(RULE, ""), repair=made)
            case list() if _must_be_text(message, aim):
                said = f"the content of this {role_of(message)} message is a list, and a training row takes text"
                yield Finding(
                    message.record,
                    path,
                    said,
                    "join the texts of its parts",
                    refusals=said_with(RULE, "Line 1"),
                    repair=_joined_texts(message, path, content),
                )
            case list():
                for part in all_parts_of(message):
                    if found := _fault_in(part, passage.format, aim):
                        path, said, help_, words = found
                        made = _repair_of_part(passage, message, part, path)
                        yield Finding(message.record, path, said, help_, refusals=said_with(RULE, words), repair=made)
            case _:
                said = f"the {key} is {type_name(content)}, neither text nor a list of parts"
                help_ = "encode it as JSON text"
                made = _encoded(message, path, is_result=key == "output" or role_of(message) in ("tool", "function"))
                yield Finding(message.record, path, said, help_, refusals=said_with(RULE, _CONTENT), repair=made)


def _must_be_text(message: WireMessage, aim: Aim) -> bool:
    """Say whether a list of parts should be one text; where an image stands in it, `image-in-wrong-role` tells that."""
    if aim.target not in TEXT_ONLY or role_of(message) not in TEXT_ONLY[aim.target]:
        return False
    return all(part.fields.get("type") != "image_url" for part in all_parts_of(message))


def _in_langchain(passage: Passage, aim: Aim) -> Iterator[Finding]:
    yield from wrong_contents(passage, RULE)
    for message, part, _ in parts_in(passage):
        if found := _fault_in(part, passage.format, aim):
            path, said, help_, words = found
            yield Finding(message.record, path, said, help_, refusals=said_with(RULE, words))


def _joined_texts(message: WireMessage, path: str, parts: list[Any]) -> Repair | None:
    """Join parts that are texts, each on lines of its own."""
    texts = [part.get("text") if isinstance(part, dict) else part for part in parts]
    told = [text for text in texts if isinstance(text, str)]
    return repair(Put(message.record, path, "\n".join(told))) if told and len(told) == len(parts) else None


def _encoded(message: WireMessage, path: str, *, is_result: bool) -> Repair:
    """Write a value as JSON text; what is no result was perhaps meant otherwise."""
    text = jsontext.encode_text(jsontext.value_at(message.record.value, path))
    return Repair((Put(message.record, path, text),), "safe" if is_result else "unsafe", "write it as JSON text")


def _repair_of_part(passage: Passage, message: WireMessage, part: Part, path: str) -> Repair | None:
    if path == part.path or path.endswith("/text"):
        made = dropping_part(passage, message, part)
        return made and unsafe("drop the part", *made.edits)
    if path.endswith("/image_url"):
        url = part.fields["image_url"]
        return safe('write `{"url": …}`', Put(message.record, path, {"url": url})) if isinstance(url, str) else None
    return _encoded(message, path, is_result=True)


def _is_result_item(passage: Passage, message: WireMessage) -> bool:
    kind = fields_of(message).get("type")
    return passage.format == "openai-responses" and kind in ("function_call_output", "custom_tool_call_output")


def _fault_in(part: Part, wire_format: str, aim: Aim) -> tuple[str, str, str, str] | None:
    """Say what is wrong with a part: where, what, what would help, and what tells the providers' words for it."""
    match part.kind, part.fields:
        case "text" | "input_text" | "output_text", {"text": str()}:
            return None
        case "text" | "input_text" | "output_text", {"text": text}:
            said = f"the text of this part is {type_name(text)}"
            return f"{part.path}/text", said, "write text, or drop the part", ""
        case "text", {"value": _} if aim.target in FOR_DATA_SETS:  # as LLaMA-Factory's own format has it
            return None
        case "text", _:
            return part.path, "this text part has no text", "write the text, or drop the part", ""
        case "tool_result", {"content": content} if wire_format == "anthropic":
            if isinstance(content, str | list | None):
                return None
            said = f"the content of this result is {type_name(content)}"
            return f"{part.path}/content", said, "encode it as JSON text", _CONTENT
        # Mistral takes a string here, so that it is a fault only at OpenAI.
        case "image_url", {"image_url": image} if aim.target in OPENAI_CHATS:
            if isinstance(image, dict):
                return None
            return f"{part.path}/image_url", f"`image_url` is {type_name(image)}", 'write `{"url": …}`', _IMAGE_URL
        case _:
            return None


VALID = (
    Example('[{"role": "user", "content": [{"type": "text", "text": "Ahoy"}]}]', target="openai-chat"),
    # A screenshot is an object; only the results of functions are text or parts.
    Example(
        '[{"role": "user", "content": "Look"}, {"type": "computer_call", "id": "cu_1", "call_id": "call_1", "status": "completed",'
        ' "pending_safety_checks": [], "action": {"type": "screenshot"}}, {"type": "computer_call_output", "call_id": "call_1",'
        ' "output": {"type": "computer_screenshot", "image_url": "https://example.com/a.png"}}]',
        format="openai-responses",
        target="openai-responses",
    ),
    Example(
        '{"messages": [{"role": "user", "content": [{"type": "text", "text": "What is this?"}, {"type": "image_url", "image_url":'
        ' {"url": "https://example.com/quay.png"}}]}, {"role": "assistant", "content": "A quay."}]}',
        target="openai-finetune",
    ),
    Example(
        '[{"role": "user", "content": "Tide?"}, {"role": "assistant", "content": [{"type": "tool_use", "id": "toolu_1", "name":'
        ' "read_tide", "input": {}}]}, {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "toolu_1"}]}]',
        format="anthropic",
        target="anthropic",
    ),
    Example(
        '{"role": "user", "content": "{\\"level\\": 2.1}"}\n{"role": "assistant", "content": null, "refusal": "No."}\n'
    ),
    # `ToolMessage` makes text of it.
    Example(
        '[{"type": "human", "content": "Tide?"}, {"type": "ai", "content": "", "tool_calls": [{"name": "read_tide", "args": {}, "id":'
        ' "c1"}]}, {"type": "tool", "tool_call_id": "c1", "content": 2.1}]'
    ),
)

INVALID = (
    Example(
        '[{"role": "user", "content": "Tide?"}, {"type": "function_call", "call_id": "call_1", "name": "read_tide", "arguments":'
        ' "{}"}, {"type": "function_call_output", "call_id": "call_1", "output": {"level": 2.1}}]',
        ("/2/output",),
        format="openai-responses",
        target="openai-responses",
    ),
    Example(
        '{"messages": [{"role": "user", "content": "Tide?"}, {"role": "assistant", "content": [{"type": "text", "text": "2.1"}]}]}',
        ("/messages/1/content",),
        target="openai-finetune",
    ),
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
        format="openai-chat",
        target="openai-chat",
    ),
    Example(
        '[{"role": "user", "content": "Tide?"}, {"role": "assistant", "content": [{"type": "tool_use", "id": "toolu_1", "name":'
        ' "read_tide", "input": {}}]}, {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "toolu_1", "content": 2.1}]}]',
        ("/2/content/0/content",),
        format="anthropic",
        target="anthropic",
    ),
    Example(
        '{"messages": [{"role": "user", "content": [{"text": "Tide?"}]}], "system": "You read tides.", "inferenceConfig": {}}',
        ("/system",),
        format="bedrock",
        target="bedrock",
    ),
    Example(
        '{"messages": [{"role": "user", "content": "Tide?"}], "system": ["You read tides."], "max_tokens": 64}',
        ("/system/0",),
        format="anthropic",
        target="anthropic",
    ),
    Example(
        '{"messages": [{"role": "user", "content": [{"text": "Tide?"}]}, {"role": "assistant", "content": [{"toolUse": {"toolUseId":'
        ' "t1", "name": "read_tide", "input": {}}}]}, {"role": "user", "content": [{"toolResult": "2.1 m"}]}]}',
        ("/messages/2/content/0/toolResult",),
        format="bedrock",
        target="bedrock",
    ),
    Example('{"messages": [{"type": "human", "content": {"text": "Tide?"}}]}', ("/messages/0/content",)),
    Example('[{"type": "human", "data": {"content": [{"type": "text"}]}}]', ("/0/data/content/0",)),
)
