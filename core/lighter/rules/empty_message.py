"""A message holds nothing.

## What
Content that is `""` or `[]`. Anthropic lets only the last message be empty, and only when it is the assistant's. OpenAI accepts
empty content; several vendors who speak its format (Moonshot, DeepSeek, xAI, MiniMax, Mistral) refuse an assistant message with
neither content nor calls, so that one is noted as information where no target is given. Moonshot and xAI refuse an empty message of
the user as well, and xAI an empty system message.

## Why it is refused
A turn that holds nothing is usually one that failed or was interrupted, and was stored all the same. As the whole history is sent
again with every request, that one turn makes every later request fail.

## Example
Bad, for Anthropic:
```
[{"role": "user", "content": "Tide?"}, {"role": "assistant", "content": []}, {"role": "user", "content": "Hello?"}]
```
Good:
```
[{"role": "user", "content": "Tide?"}, {"role": "user", "content": "Hello?"}]
```

## Fix
Delete the message. Then look at its neighbours: some providers mind two messages of one role in a row.
"""

from collections.abc import Iterator, Mapping
from typing import Any

from lighter.diagnostics import Fix
from lighter.edits import Put, safe
from lighter.edits_messages import dropping_empty
from lighter.passage import Passage
from lighter.rule import Aim, Example, Finding, Refusal, Rule
from lighter.rules._quotes import said_with
from lighter.rules.mixed_formats import foreign_part
from lighter.vendors import EMPTY_ANSWERS, NEVER_EMPTY
from lighter.wire import fields_of, is_answered_later, role_of

RULE = Rule(
    code="M107",
    name="empty-message",
    summary="a message holds nothing",
    severity={
        "generic:anthropic": "error",
        "generic:openai-chat": "info",
        "anthropic": "error",
        "deepseek": "error",
        "moonshot": "error",
        "minimax": "error",
        "xai": "error",
        "generic:gemini": "error",
        "generic:bedrock": "error",
        "generic:mistral": "error",
        "mistral": "error",
    },
    formats=("openai-chat", "anthropic", "gemini", "bedrock", "mistral"),
    refusals=(
        Refusal(
            ("anthropic",),
            "messages.1: all messages must have non-empty content except for the optional final assistant message",
            "https://github.com/anthropics/claude-code/issues/6774",
        ),
        Refusal(
            ("xai",),
            "Each message must have at least one content element",
            "https://github.com/AstrBotDevs/AstrBot/issues/6551",
        ),
        Refusal(
            ("mistral",),
            "Assistant message must have either content or tool_calls, but not none.",
            "https://github.com/OpenHands/OpenHands/issues/8685",
        ),
        Refusal(
            ("Z.ai",),
            "messages[2]:content和tool_calls 字段不能同时为空",
            "https://github.com/songquanpeng/one-api/issues/1153",
        ),
        Refusal(
            ("moonshot",),
            "Invalid request: the message at position 8 with role 'assistant' must not be empty",
            "https://github.com/MoonshotAI/kimi-code/issues/1985",
        ),
        Refusal(("moonshot",), "400 Invalid request: the message at position 3 with role 'user' must not be empty", ""),
        Refusal(
            ("deepseek",),
            "Invalid assistant message: content or tool_calls must be set",
            "https://github.com/carlrobertoh/ProxyAI/issues/830",
        ),
        Refusal(
            ("minimax",),
            "invalid params, chat content is empty (2013)",
            "https://github.com/openclaw/openclaw/pull/74731",
        ),
        Refusal(
            ("gemini",),
            "GenerateContentRequest.contents[1].parts: contents.parts must not be empty.",
            "https://github.com/vercel/ai/issues/3775",
        ),
        Refusal(
            ("bedrock",),
            "The content field in the Message object at messages.1 is empty. Add a ContentBlock object to the content field and try again.",
            "https://github.com/archestra-ai/archestra/issues/4220",
        ),
        Refusal(
            ("xai",),
            "An empty message was provided. Every message needs at least one non-empty content element.",
            "https://github.com/langbot-app/LangBot/issues/1205",
        ),
        Refusal(
            ("xai",),
            "An empty user message was provided. Every user message needs at least one non-empty content element.",
            "https://github.com/CherryHQ/cherry-studio/issues/4941",
        ),
        Refusal(
            ("moonshot",),
            "Invalid request: agent message content is empty",
            "",
        ),
        Refusal(
            ("Cohere",),
            "invalid request: all elements in history must have a message.",
            "https://docs.cohere.com/reference/errors",
        ),
        Refusal(
            ("gemini",),
            "Unable to submit request because it must include at least one parts field, which describes the prompt input.",
            "https://github.com/vercel/ai/issues/4859",
        ),
        Refusal(
            ("Cohere",),
            "message must not be empty in a turn",
            "https://docs.cohere.com/reference/errors",
        ),
        Refusal(
            ("Cohere",),
            "invalid request: message must be at least 1 token long or tool results must be specified.",
            "https://github.com/kwaroran/Risuai/issues/504",
        ),
        Refusal(
            ("xiaomi",),
            "messages[2] assistant content must contain at least one part",
            "https://github.com/farion1231/cc-switch/issues/464",
        ),
    ),
    source="https://github.com/openai/openai-agents-js/issues/1524",
    fix=Fix("safe", "delete the message"),
)

_INSTEAD_OF_CONTENT = ("tool_calls", "function_call", "refusal", "audio", "images", "reasoning_content", "reasoning")


def check(passage: Passage, aim: Aim) -> Iterator[Finding]:
    """Find messages whose content is empty where the format, or the vendor, minds it."""
    if aim.target in EMPTY_ANSWERS:
        yield from _for_vendor(passage, aim)
        return
    if passage.format in ("gemini", "bedrock"):
        yield from _of_blocks(passage)
        return
    for message in passage.messages:
        fields = fields_of(message)
        if message.is_response or fields.get("content") not in ("", []) or _holds_something_else(fields):
            continue
        is_answer = role_of(message) == "assistant"
        if is_answer and not is_answered_later(passage, message):
            continue
        if passage.format == "anthropic" and role_of(message) in ("user", "assistant", "system"):
            said = f"this {role_of(message)} message is empty"
            made = dropping_empty(passage, message)
            yield Finding(message.record, f"{message.path}/content", said, "delete the message", repair=made)
        elif passage.format in ("openai-chat", "mistral") and is_answer:
            said = "this assistant message has neither content nor calls, which several vendors refuse"
            yield Finding(
                message.record,
                message.path,
                said,
                "delete the message",
                refusals=said_with(RULE, "content element"),
                repair=dropping_empty(passage, message),
            )


def _of_blocks(passage: Passage) -> Iterator[Finding]:
    """Find messages whose list of parts or blocks is empty, and contents of Gemini that have none."""
    key, words = ("parts", "contents.parts") if passage.format == "gemini" else ("content", "content field")
    for message in passage.messages:
        fields = fields_of(message)
        is_said = role_of(message) is not None or message.raw == {}  # a part may stand for a content of the user
        is_absent = fields.get(key) is None and passage.format == "gemini" and is_said
        is_nothing = fields.get(key) == [] or (fields.get(key) == {} and passage.format == "gemini")
        if message.is_response or not (is_nothing or is_absent) or foreign_part(message, passage.format):
            continue
        path = f"{message.path}/{key}" if key in fields else message.path
        said = f"this {role_of(message) or 'user'} message is empty"
        yield Finding(
            message.record,
            path,
            said,
            "delete the message",
            refusals=said_with(RULE, words),
            repair=dropping_empty(passage, message),
        )


def _for_vendor(passage: Passage, aim: Aim) -> Iterator[Finding]:
    """Find what a vendor of OpenAI's wire refuses: answers and questions that hold nothing, and at xAI an empty list anywhere."""
    for message in passage.messages:
        fields = fields_of(message)
        content = fields.get("content")
        if message.is_response or (aim.mode == "log" and not is_answered_later(passage, message)):
            continue
        is_nothing = content == [] or content in EMPTY_ANSWERS[aim.target]
        if is_empty_answer(fields, aim) and is_nothing:
            said = "this assistant message has neither content nor calls"
            yield Finding(
                message.record, message.path, said, "delete the message", repair=dropping_empty(passage, message)
            )
        elif content == [] and aim.target == "xai":
            said = f"the content of this {role_of(message)} message is an empty list"
            path = f"{message.path}/content"
            null = safe("write null", Put(message.record, path, None)) if fields.get("tool_calls") else None
            yield Finding(message.record, path, said, "write null, or what was said", repair=null)
        elif content in ("", []) and role_of(message) in NEVER_EMPTY.get(aim.target, ()):
            said = f"this {role_of(message)} message is empty"
            made = dropping_empty(passage, message)
            yield Finding(message.record, f"{message.path}/content", said, "delete the message", repair=made)


def is_empty_answer(fields: Mapping[str, Any], aim: Aim) -> bool:
    """Say whether an assistant's message has nothing that a vendor, which refuses empty ones, would take for its content."""
    if aim.target not in EMPTY_ANSWERS or fields.get("role") != "assistant":
        return False
    instead = [key for key in _INSTEAD_OF_CONTENT if aim.target != "deepseek" or not key.startswith("reasoning")]
    return not fields.get("content") and not any(fields.get(key) for key in instead)


def _holds_something_else(fields: Mapping[str, Any]) -> bool:
    # A system message may hold directives alone (anthropic 2.14.0, beta); the others are for OpenAI's assistant messages.
    return "output_config" in fields or any(fields.get(key) for key in _INSTEAD_OF_CONTENT)


VALID = (
    Example('[{"role": "user", "content": "Title?"}, {"role": "assistant", "content": []}]', format="anthropic"),
    Example(
        '[{"role": "user", "content": ""}, {"role": "assistant", "content": ""}, {"role": "user", "content": "Hello?"}]',
        target="openai-chat",
    ),
    # DeepSeek takes empty text, and nobody minds it beside calls.
    Example(
        '[{"role": "user", "content": "Tide?"}, {"role": "assistant", "content": ""}, {"role": "user", "content": "Hello?"}]',
        target="deepseek",
    ),
    Example(
        '[{"role": "user", "content": "Tide?"}, {"role": "assistant", "content": "", "tool_calls": [{"id": "call_1", "type":'
        ' "function", "function": {"name": "read_tide", "arguments": "{}"}}]}, {"role": "tool", "tool_call_id": "call_1", "content":'
        ' "2.1 m"}]',
        target="moonshot",
    ),
    Example(
        '[{"role": "user", "content": "Touch it"}, {"role": "assistant", "content": [{"type": "tool_use", "id": "toolu_1", "name":'
        ' "touch", "input": {}}]}, {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "toolu_1", "content": ""}]}]',
        format="anthropic",
        target="anthropic",
    ),
)

INVALID = (
    Example(
        '[{"role": "user", "content": "Tide?"}, {"role": "assistant", "content": null, "reasoning_content": "Hm"}, {"role": "user",'
        ' "content": "Hello?"}]',
        ("/1",),
        format="openai-chat",
        target="deepseek",
    ),
    Example(
        '[{"role": "user", "content": "Tide?"}, {"role": "assistant", "content": ""}, {"role": "user", "content": "Hello?"}]',
        ("/1",),
        format="openai-chat",
        target="moonshot",
    ),
    Example(
        '[{"role": "user", "content": "Tide?"}, {"role": "assistant", "content": [], "tool_calls": [{"id": "call_1", "type":'
        ' "function", "function": {"name": "read_tide", "arguments": "{}"}}]}, {"role": "tool", "tool_call_id": "call_1", "content":'
        ' "2.1 m"}]',
        ("/1/content",),
        format="openai-chat",
        target="xai",
    ),
    Example(
        '[{"role": "user", "content": "hi"}, {"role": "assistant", "content": []}, {"role": "user", "content": "again"}]',
        ("/1/content",),
        format="anthropic",
        target="anthropic",
    ),
    Example('[{"role": "user", "content": ""}]', ("/0/content",), format="anthropic", target="anthropic"),
    Example('[{"role": "user", "content": ""}]', ("/0/content",), format="openai-chat", target="moonshot"),
    Example(
        '[{"role": "system", "content": ""}, {"role": "user", "content": "Tide?"}]',
        ("/0/content",),
        format="openai-chat",
        target="xai",
    ),
    Example(
        '[{"role": "user", "content": "Tide?"}, {"role": "assistant", "content": ""}, {"role": "user", "content": "Hello?"}]',
        ("/1",),
        format="openai-chat",
    ),
    Example(
        '{"contents": [{"role": "user", "parts": [{"text": "Tide?"}]}, {}, {"role": "user", "parts": [{"text": "Hello?"}]}]}',
        ("/contents/1",),
        format="gemini",
        target="gemini",
    ),
)
