r"""A part of the content has no type, or one that its place does not take.

## What
Each part in a list of content says what it is. OpenAI chats know `text`, `image_url`, `input_audio`, `file` and, from the
assistant, `refusal`; Anthropic has block types of its own. A raw value that a tool returned is no part; a part of another API
(`input_text` belongs to OpenAI's Responses) is refused as well.

## Why it is refused
The type decides how a part is read. Only user messages may hold other parts than text at OpenAI; images in the wrong place are
reported by `image-in-wrong-role`, blocks of another provider by `mixed-formats`.

## Example
Bad:
```
[{"role": "tool", "tool_call_id": "call_1", "content": [{"site": "north", "level": 2.1}]}]
```
Good:
```
[{"role": "tool", "tool_call_id": "call_1", "content": [{"type": "text", "text": "{\"site\": \"north\", \"level\": 2.1}"}]}]
```

## Fix
Encode raw values as JSON text, and give every part its type.
"""

from collections.abc import Iterator
from itertools import islice

from msgspec.structs import replace

from lighter.conversation import WireMessage
from lighter.diagnostics import Fix
from lighter.edits import Put, Repair, repair
from lighter.passage import Passage
from lighter.providers import (
    ANTHROPIC_BLOCKS,
    ANTHROPIC_IN_RESULT,
    ANTHROPIC_NESTED_ONLY,
    OPENAI_CHATS,
    OPENAI_PARTS,
    RESPONSES_PARTS,
)
from lighter.rule import Aim, Example, Finding, Refusal, Rule
from lighter.rules._foreign_parts import is_anthropic_part, is_openai_part
from lighter.rules._langchain import FORMS
from lighter.rules._langchain_content import untyped_parts
from lighter.rules._native_content import parts_of_wire
from lighter.rules._quotes import said_with
from lighter.rules._telling import shown
from lighter.wire import Part, all_parts_of, fields_of, list_parts, parts_of, role_of, type_name

RULE = Rule(
    code="M106",
    name="content-part-type",
    summary="a part of the content has no type, or one that its place does not take",
    severity={"generic": "error", "openai-chat": "error", "azure-openai": "error", "anthropic": "error"},
    formats=("openai-chat", "anthropic", "openai-responses", "mistral", "cohere", "bedrock", "gemini", *FORMS),
    refusals=(
        Refusal(
            ("openai-chat", "azure-openai"),
            "Missing required parameter: 'messages[3].content[0].type'.",
            "https://github.com/langchain-ai/langgraphjs/issues/506",
        ),
        Refusal(
            ("openai-chat", "azure-openai"),
            "Invalid value: 'input_text'. Supported values are: 'text', 'image_url', 'input_audio', 'refusal', 'audio', and 'file'.",
            "https://github.com/jeremychone/rust-genai/issues/119",
        ),
        Refusal(
            ("openai-responses", "azure-openai"),
            "Invalid value: 'input_text'. Supported values are: 'output_text' and 'refusal'.",
            "https://github.com/jeremychone/rust-genai/issues/119",
        ),
        Refusal(
            ("anthropic",),
            "messages.0.content.2: Input tag 'image_url' found using 'type' does not match any of the expected tags",
            "https://github.com/AstrBotDevs/AstrBot/issues/4444",
        ),
        Refusal(
            FORMS,
            "content.str Input should be a valid string … content.list[union[str,dict[any,any]]].0.dict[any,any] Input should be a valid"
            " dictionary",
            "langchain-core 1.8.3 BaseMessage",
        ),
        Refusal(
            ("moonshot",),
            "the message at position 1 with role 'user' contains an invalid part type: video_url",
            "https://github.com/MoonshotAI/kimi-cli/issues/788",
        ),
        Refusal(
            ("openai-chat", "azure-openai"),
            "Invalid type for 'messages[0].content[0]': expected an object, but got a string instead.",
            "https://github.com/microsoft/graphrag/issues/672",
        ),
        Refusal(
            ("deepseek",),
            "Failed to deserialize the JSON body into the target type: messages[12]: unknown variant `image_url`, expected `text` at line 1 column 137839",
            "https://github.com/danny-avila/LibreChat/issues/10756",
        ),
        Refusal(
            ("deepseek",),
            "Failed to deserialize the JSON body into the target type: messages[4].content: unknown variant `tool_reference`, expected `text` at line 1 column 42187",
            "https://github.com/zhukunpenglinyutong/jetbrains-cc-gui/issues/591",
        ),
        Refusal(
            ("anthropic",),
            "messages.0.content.0: Input should be a valid dictionary or object to extract fields from",
            "anthropic 2.14.0 ContentBlockParam",
        ),
    ),
    source="https://github.com/langchain-ai/langgraphjs/issues/506",
    fix=Fix("safe", "give a text the type that texts have in this place"),
)

_OPENAI_TYPES = frozenset().union(*OPENAI_PARTS.values())
# What vLLM and others tell a part by when it has no type.
_TELLING_KEYS = frozenset(
    {"text", "image_url", "input_audio", "audio_url", "video_url", "file", "refusal", "image", "video"}
)


def check(passage: Passage, aim: Aim) -> Iterator[Finding]:
    """Find parts without a type, and, for a given target, parts of a type that it does not take in that place.

    Parts of one message that are wrong in the same way have one cause: the first of them is reported.
    """
    if passage.format in FORMS:
        yield from untyped_parts(passage, RULE)
        return
    if passage.format == "openai-responses":
        yield from islice(_parts_as_items(passage), 1)
    list_of, fault_in = _WALKS[passage.format]
    for message in passage.messages:
        if message.is_response:
            continue
        alike: dict[str, list[tuple[Finding, Part]]] = {}
        for part in list_of(message):
            found = fault_in(message, part, aim)
            if found is not None:
                alike.setdefault(found.message, []).append((found, part))
        for (first, _), *others in alike.values():
            parts = [part for _, part in (alike[first.message][0], *others)]
            yield replace(first, repair=_repair(passage, message, parts))


def _repair(passage: Passage, message: WireMessage, parts: list[Part]) -> Repair | None:
    """Give texts the type that they have in this place; None where one of the parts is something else."""
    edits = [edit for part in parts if (edit := _typed(passage, message, part)) is not None]
    return repair(*edits) if len(edits) == len(parts) else None


def _typed(passage: Passage, message: WireMessage, part: Part) -> Put | None:
    kind = "text"
    if passage.format == "openai-responses":
        is_answer = role_of(message) == "assistant" and fields_of(message).get("type", "message") == "message"
        kind = "output_text" if is_answer else "input_text"
    tag = {} if passage.format in ("bedrock", "gemini") else {"type": kind}
    if isinstance(part.raw, str):
        return Put(message.record, part.path, {**tag, "text": part.raw})
    is_text = isinstance(part.fields.get("text"), str) and part.kind in (None, "text", "input_text", "output_text")
    return Put(message.record, f"{part.path}/type", kind) if is_text and tag else None


def _in_chat(message: WireMessage, part: Part, aim: Aim) -> Finding | None:
    is_lenient = aim.target not in OPENAI_CHATS
    allowed = OPENAI_PARTS.get(role_of(message) or "")
    if part.kind is None:
        # vLLM takes texts and parts that tell themselves; nobody takes a raw value.
        is_telling = isinstance(part.raw, str) or not _TELLING_KEYS.isdisjoint(part.fields)
        return None if is_lenient and is_telling else _untyped(message, part)
    if (
        is_lenient
        or allowed is None
        or _is_one_of(part.kind, allowed | {"image_url"})
        or is_anthropic_part(part.fields)
    ):
        return None
    known = ", ".join(f"`{kind}`" for kind in sorted(allowed))
    whose = f"a message of role {role_of(message)}" if _is_one_of(part.kind, _OPENAI_TYPES) else "this format"
    return _mistyped(message, part, whose, f"use one of {known}")


def _parts_as_items(passage: Passage) -> Iterator[Finding]:
    """Find parts that stand among the items, where only a message or a result can hold them."""
    for message in passage.messages:
        kind = fields_of(message).get("type")
        if role_of(message) is None and _is_one_of(kind, _ONLY_PARTS):
            help_ = 'put it into the `content` of a message, such as `{"role": "user", "content": […]}`'
            said = f"a part of type `{kind}` stands among the items"
            yield Finding(message.record, f"{message.path}/type", said, help_, refusals=())


def _parts_of_item(message: WireMessage) -> Iterator[Part]:
    yield from parts_of(message)
    yield from list_parts(fields_of(message).get("output"), f"{message.path}/output")


def _in_responses(message: WireMessage, part: Part, _aim: Aim) -> Finding | None:
    kind = fields_of(message).get("type", "message")
    role = role_of(message) if kind == "message" else "user" if kind in _RESULTS else None
    allowed = RESPONSES_PARTS.get(role or "")
    if allowed is None or _is_one_of(part.kind, allowed) or is_anthropic_part(part.fields):
        return None
    if part.kind is None:
        return _untyped(message, part)
    whose = f"a message of role {role} in Responses" if kind == "message" else "a result in Responses"
    return _mistyped(message, part, whose, f"use one of {', '.join(f'`{kind}`' for kind in sorted(allowed))}")


def _in_anthropic(message: WireMessage, part: Part, aim: Aim) -> Finding | None:
    if part.kind is None:
        return _untyped(message, part)
    if aim.target == "generic" or role_of(message) == "system":
        return None
    if part.outer is not None:
        is_known = _is_one_of(part.kind, ANTHROPIC_IN_RESULT)
        help_ = "use a `text`, `image`, `document` or `search_result` block"
        return None if is_known else _mistyped(message, part, "a tool result", help_)
    if is_openai_part(part.fields):
        return None
    if not _is_block_type(part.kind):
        help_ = "use a block type of Anthropic, such as `text`, `image` or `document`"
        return _mistyped(message, part, "the Messages API", help_)
    if part.kind in ANTHROPIC_NESTED_ONLY:
        return _mistyped(message, part, "a message", "put it into a `tool_result` block")
    return None


def _untagged(message: WireMessage, part: Part, _aim: Aim) -> Finding | None:
    """Find what is no object, where the keys of a part say what it is."""
    if isinstance(part.raw, dict):
        return None
    said = f"this part is {type_name(part.raw)}, not an object"
    return Finding(message.record, part.path, said, 'write `{"text": …}`; encode raw values as JSON text', refusals=())


_ONLY_PARTS = frozenset().union(*RESPONSES_PARTS.values())
_RESULTS = ("function_call_output", "custom_tool_call_output")
_WALKS = {
    "openai-chat": (parts_of, _in_chat),
    "openai-responses": (_parts_of_item, _in_responses),
    "anthropic": (all_parts_of, _in_anthropic),
    "bedrock": (parts_of_wire, _untagged),
    "gemini": (parts_of_wire, _untagged),
    "mistral": (parts_of, _in_chat),
    "cohere": (parts_of, _in_chat),
}
"""How the parts of a message are found and judged in each format."""


def _is_one_of(kind: object, known: frozenset[str]) -> bool:
    return isinstance(kind, str) and kind in known


def _is_block_type(kind: object) -> bool:
    # Server tools come faster than tables: whatever ends like their blocks is taken for one.
    return isinstance(kind, str) and (kind in ANTHROPIC_BLOCKS or kind.endswith(("_tool_result", "_tool_use")))


def _untyped(message: WireMessage, part: Part) -> Finding:
    is_raw = not isinstance(part.raw, dict)
    said = f"this part is {type_name(part.raw)}, not an object with a type" if is_raw else "this part has no type"
    help_ = 'write `{"type": "text", "text": …}`; encode raw values as JSON text'
    return Finding(message.record, part.path, said, help_, refusals=said_with(RULE, "Missing required"))


def _mistyped(message: WireMessage, part: Part, whose: str, help_: str) -> Finding:
    kind = f"type {shown(part.kind)}" if isinstance(part.kind, str) else f"a type that is {type_name(part.kind)}"
    said = f"a part of {kind} does not belong in {whose}"
    return Finding(
        message.record,
        f"{part.path}/type",
        said,
        help_,
        refusals=said_with(RULE, "'output_text'" if whose.endswith("Responses") else "'image_url'"),
    )


VALID = (
    Example(
        '[{"role": "user", "content": [{"type": "text", "text": "What is this?"}, {"type": "image_url", "image_url": {"url":'
        ' "https://example.com/quay.png"}}, {"type": "file", "file": {"file_id": "file-1"}}]}, {"role": "assistant", "content":'
        ' [{"type": "refusal", "refusal": "I will not say."}]}]',
        target="openai-chat",
    ),
    Example(
        '[{"role": "user", "content": "News?"}, {"role": "assistant", "content": [{"type": "server_tool_use", "id": "srvtoolu_1",'
        ' "name": "web_search", "input": {}}, {"type": "web_search_tool_result", "tool_use_id": "srvtoolu_1", "content": []},'
        ' {"type": "text", "text": "All quiet."}]}, {"role": "user", "content": "ok"}]',
        format="anthropic",
        target="anthropic",
    ),
    Example(
        '[{"role": "user", "content": [{"text": "Ahoy"}, {"type": "video_url", "video_url": {"url": "https://example.com/a.mp4"}}]}]',
        format="openai-chat",
    ),
    # Blocks of Bedrock tell themselves by their key.
    Example('[{"type": "human", "content": [{"text": "Look"}, {"cachePoint": {"type": "default"}}]}]'),
)

INVALID = (
    Example(
        '{"model": "gpt-5", "input": [{"type": "input_text", "text": "Tide?"}, {"type": "input_image", "file_id": "file-1"}]}',
        ("/input/0/type",),
        format="openai-responses",
        target="openai-responses",
    ),
    Example(
        '[{"role": "user", "content": "Tide?"}, {"role": "assistant", "content": null, "tool_calls": [{"id": "call_1", "type":'
        ' "function", "function": {"name": "read_tide", "arguments": "{}"}}]}, {"role": "tool", "tool_call_id": "call_1", "content":'
        ' [{"site": "north", "level": 2.1}]}]',
        ("/2/content/0",),
        format="openai-chat",
    ),
    Example(
        '[{"role": "user", "content": [{"type": "input_text", "text": "Ahoy"}]}]',
        ("/0/content/0/type",),
        format="openai-chat",
        target="openai-chat",
    ),
    Example(
        '[{"role": "user", "content": [{"type": "input_text", "text": "Ahoy"}]}]',
        ("/0/content/0/type",),
        format="anthropic",
        target="anthropic",
    ),
    Example('[{"role": "user", "content": ["Ahoy"]}]', ("/0/content/0",), format="anthropic", target="anthropic"),
    Example(
        '[{"role": "user", "content": [{"type": "input_text", "text": "Ahoy"}]}, {"role": "assistant", "content": [{"type":'
        ' "input_text", "text": "Ahoy!"}]}]',
        ("/1/content/0/type",),
        format="openai-responses",
        target="openai-responses",
    ),
    Example('{"messages": [{"type": "human", "content": [5]}]}', ("/messages/0/content/0",)),
)
