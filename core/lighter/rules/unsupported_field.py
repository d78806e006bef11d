"""A message or a block has a key that the target does not allow.

## What
Anthropic allows `role` and `content` on a message, and a fixed set of keys on each type of block; Groq, Mistral, and the files that
OpenAI is trained on, have such sets for each role. Whatever an application adds for itself (`timestamp`, `id`, `metadata`) and what other
providers add (`reasoning_content`) is refused; MiniMax minds only `name` on a tool's result. In a log that is only a record such
keys are fine. Calls in OpenAI's form among Anthropic's messages are reported by `mixed-formats`.

## Why it is refused
The request is checked against a schema that allows nothing else.

## Example
Bad:
```
[{"role": "assistant", "content": "hello", "reasoning_details": []}]
```
Good:
```
[{"role": "assistant", "content": "hello"}]
```

## Fix
Take the key out of what is sent, and keep it in the log.
"""

from collections.abc import Iterator, Mapping
from typing import Any

from lighter.diagnostics import Fix
from lighter.edits import Drop, repair, unsafe
from lighter.envelope import SESSION_KEYS
from lighter.jsontext import step
from lighter.passage import Passage
from lighter.providers import ANTHROPIC_BLOCKS, ANTHROPIC_MESSAGE_KEYS
from lighter.records import Record
from lighter.rule import Aim, Example, Finding, Refusal, Rule
from lighter.rules._telling import shown
from lighter.vendors import CHAT_MESSAGE_KEYS, MISPLACED_KEYS
from lighter.wire import all_parts_of, fields_of, messages_of, role_of

RULE = Rule(
    code="M113",
    name="unsupported-field",
    summary="a message or a block has a key that the target does not allow",
    severity=dict.fromkeys(("anthropic", "groq", "mistral", "minimax", "openai-finetune", "azure-finetune"), "error"),
    modes=("request", "finetune"),
    formats=("anthropic", "openai-chat", "mistral"),
    refusals=(
        Refusal(
            ("anthropic",),
            "messages.1.reasoning_details: Extra inputs are not permitted",
            "https://github.com/RooCodeInc/Roo-Code/issues/11429",
        ),
        Refusal(
            ("anthropic",),
            "messages.3.content.0.tool_use.caller: Extra inputs are not permitted",
            "https://github.com/browserbase/stagehand-python/issues/249",
        ),
        Refusal(
            ("groq",),
            "'messages.1' : for 'role:assistant' the following must be satisfied[('messages.1' : property 'reasoning_content' is"
            " unsupported)]",
            "https://github.com/janhq/jan/issues/8136",
        ),
        Refusal(
            ("mistral",),
            '{"type": "extra_forbidden", "loc": ["body", "messages", 1, "assistant", "reasoning_content"], "msg": "Extra inputs are not'
            ' permitted"}',
            "https://github.com/charmbracelet/crush/issues/1590",
        ),
        Refusal(
            ("groq",),
            "'messages.0' : for 'role:user' the following must be satisfied[('messages.0' : property 'timestamp' is unsupported)]",
            "https://github.com/ServiceStack/llms/issues/17",
        ),
    ),
    source="anthropic 2.14.0 MessageParam and ContentBlockParam, beta included",
    fix=Fix("safe", "drop the key"),
)


def check(passage: Passage, aim: Aim) -> Iterator[Finding]:
    """Find keys outside the request's schema; the first of each message and block, the others named beside it."""
    if passage.format in ("openai-chat", "mistral"):
        yield from _in_chat(passage, aim)
    for message in messages_of(passage, "anthropic"):
        if message.is_response:
            continue
        fields = fields_of(message)
        allowed = ANTHROPIC_MESSAGE_KEYS.get(role_of(message) or "")
        if allowed is not None:
            # What tells the conversations of a log apart is no part of a message.
            own = frozenset(SESSION_KEYS) if not message.path else frozenset()
            calls = {"tool_calls"} if fields.get("tool_calls") else set()
            yield from _extra(message.record, message.path, fields, allowed | own | calls, "a message")
        for part in all_parts_of(message):
            known = ANTHROPIC_BLOCKS.get(part.kind) if isinstance(part.kind, str) else None
            if known is not None:
                yield from _extra(message.record, part.path, part.fields, known, f"a `{part.kind}` block")


def _in_chat(passage: Passage, aim: Aim) -> Iterator[Finding]:
    allowed, misplaced = CHAT_MESSAGE_KEYS.get(aim.target, {}), MISPLACED_KEYS.get(aim.target, {})
    for message in passage.messages:
        fields, role = fields_of(message), role_of(message) or ""
        if message.is_response or not (role in allowed or role in misplaced):
            continue
        if passage.format == "mistral" and "type" in fields:
            continue  # an entry of Mistral's Conversations, which has keys of its own
        # What is null was padded by a table; what tells the conversations of a log apart is no part of a message.
        ignored = {key for key in fields if fields[key] is None or (not message.path and key in SESSION_KEYS)}
        # Weights and calls of other roles have rules of their own.
        ignored |= {"weight"} if aim.mode == "finetune" else set()
        ignored |= {"tool_calls", "tool_call_id"}
        known = allowed[role] if role in allowed else frozenset(fields) - misplaced[role]
        yield from _extra(message.record, message.path, fields, known | ignored, f"a message of role {role}")


def _extra(
    record: Record, path: str, fields: Mapping[str, Any], allowed: frozenset[str], what: str
) -> Iterator[Finding]:
    extra = [key for key in fields if key not in allowed]
    if extra:
        others = f" (nor {', '.join(map(shown, extra[1:]))})" if len(extra) > 1 else ""
        said = f"{shown(extra[0])} is no key of {what}{others}"
        drops = (Drop(record, path + step(key)) for key in extra)
        made = unsafe("drop the reasoning", *drops) if any(map(_is_reasoning, extra)) else repair(*drops)
        yield Finding(record, path + step(extra[0]), said, "take it out of what is sent", repair=made)


def _is_reasoning(key: str) -> bool:
    """Say whether a key may hold what the model thought, or what the provider wants back of it."""
    return "reason" in key or "think" in key or "thought" in key or "signature" in key


VALID = (
    Example('{"role": "user", "content": "hi", "timestamp": 1769000000, "uuid": "a1"}\n', format="anthropic"),
    Example(
        '[{"role": "user", "content": "Tide?"}, {"role": "assistant", "content": [{"type": "tool_use", "id": "toolu_1", "name":'
        ' "read_tide", "input": {"unit": "m"}, "caller": {"type": "direct"}}]}, {"role": "user", "content": [{"type": "tool_result",'
        ' "tool_use_id": "toolu_1", "content": "2.1 m", "is_error": false, "cache_control": {"type": "ephemeral"}}]}]',
        format="anthropic",
        target="anthropic",
    ),
    Example('[{"role": "user", "content": "hi", "timestamp": 1}]', target="openai-chat"),
    # What Groq's models that reason give, and null as tables pad it.
    Example(
        '[{"role": "user", "content": "hi", "name": null}, {"role": "assistant", "content": "hello", "reasoning": "A greeting.",'
        ' "audio": null}]',
        target="groq",
    ),
    Example(
        '{"messages": [{"role": "user", "content": "hi", "name": "kim"}, {"role": "assistant", "content": "hello", "weight": 1}]}',
        target="openai-finetune",
    ),
)

INVALID = (
    Example(
        '[{"role": "user", "content": "hi"}, {"role": "assistant", "content": "hello", "reasoning_content": "A greeting."}, {"role":'
        ' "user", "content": "ok"}]',
        ("/1/reasoning_content",),
        target="mistral",
    ),
    Example(
        '[{"role": "user", "content": "hi"}, {"role": "assistant", "content": "hello", "reasoning_content": "A greeting."}]',
        ("/1/reasoning_content",),
        target="groq",
    ),
    Example(
        '{"messages": [{"role": "user", "content": "hi", "timestamp": 1}, {"role": "assistant", "content": "hello"}]}',
        ("/messages/0/timestamp",),
        target="openai-finetune",
    ),
    Example(
        '[{"role": "user", "content": "Tide?"}, {"role": "assistant", "content": "", "tool_calls": [{"id": "call_1", "type":'
        ' "function", "function": {"name": "read_tide", "arguments": "{}"}}]}, {"role": "tool", "tool_call_id": "call_1", "name":'
        ' "read_tide", "content": "2.1 m"}]',
        ("/2/name",),
        target="minimax",
    ),
    Example(
        '[{"role": "user", "content": "hi"}, {"role": "assistant", "content": "hello", "reasoning_details": []}, {"role": "user",'
        ' "content": "ok"}]',
        ("/1/reasoning_details",),
        format="anthropic",
        target="anthropic",
    ),
    Example(
        '[{"role": "user", "content": [{"type": "text", "text": "hi", "id": "b1", "index": 0}]}]',
        ("/0/content/0/id",),
        format="anthropic",
        target="anthropic",
    ),
)
