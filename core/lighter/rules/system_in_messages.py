"""A system message stands among an Anthropic request's messages where its model takes none.

## What
Anthropic keeps the system prompt in the request's own `system`. A system message at the very start of `messages` is refused by
every model; later ones are understood since Claude Opus 4.8 and refused by older models.

## Why it is refused
The list of messages is the conversation. Histories in OpenAI's form begin with a system message, and often reach Anthropic as
they are.

## Example
Bad:
```
{"messages": [{"role": "system", "content": "You answer briefly."}, {"role": "user", "content": "Ahoy"}]}
```
Good:
```
{"system": "You answer briefly.", "messages": [{"role": "user", "content": "Ahoy"}]}
```

## Fix
Move the leading system messages to `system`; turn later ones into user text when the model is older.
"""

from collections.abc import Iterator
from itertools import takewhile
from typing import Any

from lighter.diagnostics import Fix, Severity
from lighter.edits import Put, Repair, drop_message, unsafe
from lighter.edits_messages import may_move, text_block
from lighter.models import is_unknown_claude, supports
from lighter.passage import Passage
from lighter.rule import Aim, Example, Finding, Refusal, Rule
from lighter.rules._quotes import said_with
from lighter.rules._telling import shown
from lighter.wire import fields_of, role_of

RULE = Rule(
    code="M109",
    name="system-in-messages",
    summary="a system message stands among the messages where the model takes none",
    # A log that begins with its system prompt is understood by all who read it, so that it is no error by itself.
    severity={
        "generic:anthropic": "info",
        "anthropic": "error",
        "generic:bedrock": "error",
    },
    formats=("anthropic", "bedrock"),
    refusals=(
        Refusal(
            ("anthropic",),
            "messages.0: use the top-level 'system' parameter for the initial system prompt",
            "https://platform.claude.com/docs/en/build-with-claude/mid-conversation-system-messages",
        ),
        Refusal(
            ("anthropic",),
            'messages: Unexpected role "system". The Messages API accepts a top-level `system` parameter, not "system" as an input message role.',
            "https://github.com/kennethreitz/simplemind/issues/37",
        ),
        Refusal(
            ("anthropic",),
            "role 'system' is not supported on this model",
            "https://github.com/anthropics/claude-code/issues/61412",
        ),
    ),
    source="https://github.com/anthropics/claude-code/issues/61412",
    fix=Fix("safe", "move the leading system messages to `system`"),
)


_OUTDATED = "not supported on"


def check(passage: Passage, aim: Aim) -> Iterator[Finding]:
    """Find the first system message that the model refuses."""
    model = passage.model
    for index, message in enumerate(passage.messages):
        # A message of directives alone may stand anywhere (anthropic 2.14.0, beta).
        if role_of(message) != "system" or "output_config" in fields_of(message):
            continue
        severity: Severity | None = None
        made: Repair | None = unsafe(
            "make it a message of the user", Put(message.record, f"{message.path}/role", "user")
        )
        if index == 0 and passage.is_first:
            said, words = "the conversation begins with a system message", "initial"
            help_ = "move its text to the request's own `system`"
            made = _hoisted(passage)
        elif supports(model, "system in messages") is False:
            said, words = f"{shown(model)} takes no system messages within the conversation", _OUTDATED
            help_ = "make it user text, or use Claude Opus 4.8 or a later model"
        elif is_unknown_claude(model):
            said = f"whether {shown(model)} takes system messages within the conversation is not known; older models do not"
            help_, words = "name the model's version, or make it user text", _OUTDATED
            severity = "warning" if aim.target == "anthropic" else None
        else:
            return
        yield Finding(
            message.record, message.path, said, help_, severity=severity, refusals=said_with(RULE, words), repair=made
        )
        return


def _hoisted(passage: Passage) -> Repair | None:
    """Move the messages of the system that the conversation begins with to the request's own system prompt."""
    body = passage.body
    leading = [*takewhile(lambda message: role_of(message) == "system", passage.messages)]
    if body is None or body.is_bare or not may_move(passage, *leading) or len(leading) == len(passage.messages):
        return None
    held = [passage.fields.get("system"), *(fields_of(message).get("content") for message in leading)]
    told = [content for content in held if content]
    if all(isinstance(content, str) for content in told):
        value: Any = "\n\n".join(told)
    elif all(isinstance(content, str | list) for content in told):
        value = [
            block
            for content in told
            for block in (content if isinstance(content, list) else [text_block(passage, content)])
        ]
    else:
        return None
    return Repair((Put(passage.record, f"{passage.fields_path}/system", value), *map(drop_message, leading)))


VALID = (
    Example(
        '{"system": "You answer briefly.", "messages": [{"role": "user", "content": "Ahoy"}]}',
        format="anthropic",
        target="anthropic",
    ),
    Example(
        '{"model": "claude-opus-4-8", "max_tokens": 64, "messages": [{"role": "user", "content": "Review utils.py"}, {"role":'
        ' "system", "content": "Use parameterized SQL."}]}',
        format="anthropic",
        target="anthropic",
    ),
    Example(
        '[{"role": "user", "content": "Review utils.py"}, {"role": "system", "content": "Use parameterized SQL."}]',
        format="anthropic",
        target="anthropic",
    ),
)

INVALID = (
    Example(
        '[{"role": "system", "content": "You answer briefly."}, {"role": "user", "content": "Ahoy"}]',
        ("/0",),
        format="anthropic",
        target="anthropic",
    ),
    Example(
        '{"model": "claude-sonnet-4-5", "max_tokens": 64, "messages": [{"role": "user", "content": "Ahoy"}, {"role": "system",'
        ' "content": "Be terse."}]}',
        ("/messages/1",),
        format="anthropic",
        target="anthropic",
    ),
)
