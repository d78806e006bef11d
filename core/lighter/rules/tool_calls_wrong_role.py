"""Tool calls or a call's id stand on a message of the wrong role.

## What
`tool_calls` stands on a message that is not the assistant's, or `tool_call_id` on one that is no tool result.

## Why it is refused
Only the model calls tools, and only a tool answers. On other messages the calls are refused as unknown keys or silently
ignored, and the results that follow have no call.

## Example
Bad:
```
{"role": "user", "content": "2.1 m", "tool_call_id": "call_a1"}
```
Good:
```
{"role": "tool", "content": "2.1 m", "tool_call_id": "call_a1"}
```

## Fix
Give the message its right role, or delete the key.
"""

from collections.abc import Iterator

from lighter.passage import Passage
from lighter.rule import Aim, Example, Finding, Mention, Rule
from lighter.wire import fields_of, role_of

RULE = Rule(
    code="P117",
    name="tool-calls-wrong-role",
    summary="tool calls or a call's id stand on a message of the wrong role",
    severity={"generic": "error", "openai-chat": "error", "azure-openai": "error"},
    formats=("openai-chat", "mistral", "cohere"),
    source="openai 3.57.0 ChatCompletionAssistantMessageParam, which alone has `tool_calls`, and ChatCompletionToolMessageParam",
)

_NOT_CALLING = frozenset({"system", "developer", "user", "tool", "function"})
_NOT_ANSWERING = frozenset({"system", "developer", "user", "assistant"})


def check(passage: Passage, _aim: Aim) -> Iterator[Finding]:
    """Yield each such key; a role that nobody knows has a rule of its own."""
    for message in passage.messages:
        role, fields = role_of(message), fields_of(message)
        for key, wrong in (("tool_calls", _NOT_CALLING), ("tool_call_id", _NOT_ANSWERING)):
            # Clients that dump all fields of one class write null and empty ones on every message.
            if role in wrong and fields.get(key):
                yield Finding(
                    message.record,
                    f"{message.path}/{key}",
                    f"`{key}` stands on a message of role `{role}`",
                    help="give the message its right role, or delete the key",
                    mentions=(Mention(message, label=f"`{key}` here"),),
                )


_CALL = '[{"id":"call_a1","type":"function","function":{"name":"read_tide","arguments":"{}"}}]'

VALID = (
    Example(
        f'{{"role":"user","content":"Tide?"}}\n{{"role":"assistant","content":null,"tool_calls":{_CALL}}}\n'
        '{"role":"tool","tool_call_id":"call_a1","content":"2.1 m"}\n',
        format="openai-chat",
    ),
    Example(
        '{"role":"user","content":"Hi","tool_calls":null,"tool_call_id":null}\n{"role":"assistant","content":"Hi!","tool_call_id":null}\n',
        format="openai-chat",
    ),
)

INVALID = (
    Example(
        f'{{"role":"user","content":"Tide?","tool_calls":{_CALL}}}\n{{"role":"assistant","content":"2.1 m"}}\n',
        where=("/0/tool_calls",),
        format="openai-chat",
    ),
    Example(
        '{"role":"user","content":"2.1 m","tool_call_id":"call_a1"}\n{"role":"assistant","content":"It is 2.1 m."}\n',
        where=("/0/tool_call_id",),
        format="openai-chat",
        target="openai-chat",
    ),
)
