"""A message or a block has a key that the target does not allow.

## What
Anthropic allows `role` and `content` on a message, and a fixed set of keys on each type of block. Whatever an application adds
for itself (`timestamp`, `id`, `metadata`) and what other providers add (`reasoning_content`) is refused. In a log that is only a
record such keys are fine. Calls in OpenAI's form are reported by `mixed-formats`.

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
from lighter.envelope import SESSION_KEYS
from lighter.jsontext import step
from lighter.passage import Passage
from lighter.providers import ANTHROPIC_BLOCKS, ANTHROPIC_MESSAGE_KEYS
from lighter.records import Record
from lighter.rule import Aim, Example, Finding, Refusal, Rule
from lighter.toolwire import shown
from lighter.wire import all_parts_of, fields_of, messages_of, role_of

RULE = Rule(
    code="M113",
    name="unsupported-field",
    summary="a message or a block has a key that the target does not allow",
    severity={"anthropic": "error"},
    modes=("request", "finetune"),
    formats=("anthropic",),
    refusals=(
        Refusal(
            ("anthropic",),
            "messages.1.reasoning_details: Extra inputs are not permitted",
            "RooCodeInc/Roo-Code#11429",
        ),
        Refusal(
            ("anthropic",),
            "messages.3.content.0.tool_use.caller: Extra inputs are not permitted",
            "browserbase/stagehand-python#249",
        ),
    ),
    source="anthropic 2.14.0 MessageParam and ContentBlockParam, beta included",
    fix=Fix("safe", "drop the key"),
)


def check(passage: Passage, _aim: Aim) -> Iterator[Finding]:
    """Find keys outside the request's schema; the first of each message and block, the others named beside it."""
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


def _extra(
    record: Record, path: str, fields: Mapping[str, Any], allowed: frozenset[str], what: str
) -> Iterator[Finding]:
    extra = [key for key in fields if key not in allowed]
    if extra:
        others = f" (nor {', '.join(repr(key) for key in extra[1:])})" if len(extra) > 1 else ""
        yield Finding(
            record,
            path + step(extra[0]),
            f"{shown(extra[0])} is no key of {what}{others}",
            "take it out of what is sent",
        )


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
)

INVALID = (
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
