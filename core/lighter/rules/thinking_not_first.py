"""Thinking is enabled, and the assistant's turn with the open tool loop does not begin with it.

## What
With `thinking: {"type": "enabled"}` the assistant's turn that led to the last tool results must begin with a `thinking` or
`redacted_thinking` block. Earlier turns need none, and `adaptive` thinking asks for none.

## Why it is refused
The model goes on from its own thoughts. They are lost when thinking is switched on in the middle of a tool loop, when the history
is another model's, or when a store kept only text and calls.

## Example
Bad:
```
{"thinking": {"type": "enabled", "budget_tokens": 1024}, "messages": [{"role": "user", "content": "Tide?"}, {"role": "assistant", "content": [{"type": "tool_use", "id": "toolu_1", "name": "read_tide", "input": {}}]}, {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "toolu_1", "content": "2.1 m"}]}]}
```
Good: the same without `thinking`, or with the block that the API gave.

## Fix
Send the thinking blocks back as they came, or leave thinking off until the loop is done. Nobody can write a signed block later.
"""

from collections.abc import Iterator

from lighter.conversation import WireMessage
from lighter.passage import Passage
from lighter.rule import Aim, Example, Finding, Refusal, Rule
from lighter.rules._telling import shown
from lighter.wire import has_block, messages_of, parts_of, role_of

RULE = Rule(
    code="R102",
    name="thinking-not-first",
    summary="thinking is enabled, and the turn with the open tool loop does not begin with it",
    severity={"generic:anthropic": "info", "anthropic": "error"},
    modes=("log", "request"),
    formats=("anthropic",),
    refusals=(
        Refusal(
            ("anthropic",),
            "messages.1.content.0.type: Expected `thinking` or `redacted_thinking`, but found `tool_use`. When `thinking` is enabled, a final"
            " `assistant` message must start with a thinking block (preceding the lastmost set of `tool_use` and `tool_result` blocks).",
            "https://github.com/Kilo-Org/kilocode/issues/5219",
        ),
        Refusal(
            ("anthropic",),
            "messages.51.content.0: If an assistant message contains any thinking blocks, the first block must be `thinking` or `redacted_thinking`. Found `text`.",
            "https://github.com/anthropics/claude-code/issues/20705",
        ),
    ),
    source="https://github.com/Kilo-Org/kilocode/issues/5219",
)


def check(passage: Passage, _aim: Aim) -> Iterator[Finding]:
    """Find a tool loop that is still open and was begun without thinking."""
    thinking = passage.fields.get("thinking")
    if not (isinstance(thinking, dict) and thinking.get("type") == "enabled"):
        return
    loop = _open_loop(passage)
    if loop and not any(_begins_with_thinking(message) for message in loop):
        message = loop[-1]
        first = next(parts_of(message))
        said = f"thinking is enabled, and this turn begins with a block of type {shown(first.kind)}"
        help_ = "send the thinking blocks back as they came, or disable thinking for this request"
        yield Finding(message.record, first.path, said, help_)


def _open_loop(passage: Passage) -> list[WireMessage]:
    """List the assistant messages with calls since the user last said something, when the last message brings results."""
    messages = [message for message in messages_of(passage, "anthropic") if role_of(message) != "system"]
    if not messages or not (role_of(messages[-1]) == "user" and has_block(messages[-1], "tool_result")):
        return []
    loop: list[WireMessage] = []
    for message in reversed(messages):
        if role_of(message) == "user" and not has_block(message, "tool_result"):
            break
        if role_of(message) == "assistant" and has_block(message, "tool_use"):
            loop.append(message)
    return loop[::-1]


def _begins_with_thinking(message: WireMessage) -> bool:
    first = next(parts_of(message), None)
    return first is not None and first.kind in ("thinking", "redacted_thinking")


_ENABLED = '"thinking": {"type": "enabled", "budget_tokens": 1024}'
_ASKED = '{"role": "user", "content": "Tide?"}'
_CALL = '{"type": "tool_use", "id": "toolu_1", "name": "read_tide", "input": {}}'
_CALLED = f'{{"role": "assistant", "content": [{_CALL}]}}'
_THOUGHT = (
    f'{{"role": "assistant", "content": [{{"type": "thinking", "thinking": "Hm", "signature": "EqQB"}}, {_CALL}]}}'
)
_SPOKE = f'{{"role": "assistant", "content": [{{"type": "text", "text": "Let me look."}}, {_CALL}]}}'
_RESULT = '{"role": "user", "content": [{"type": "tool_result", "tool_use_id": "toolu_1", "content": "2.1 m"}]}'
_LATER = '{"role": "assistant", "content": "2.1 m"}, {"role": "user", "content": "Thanks"}'

VALID = (
    Example(f'{{{_ENABLED}, "messages": [{_ASKED}, {_THOUGHT}, {_RESULT}]}}', format="anthropic", target="anthropic"),
    Example(
        f'{{{_ENABLED}, "messages": [{_ASKED}, {_CALLED}, {_RESULT}, {_LATER}]}}',
        format="anthropic",
        target="anthropic",
    ),
    Example(
        f'{{"thinking": {{"type": "adaptive"}}, "messages": [{_ASKED}, {_CALLED}, {_RESULT}]}}',
        format="anthropic",
        target="anthropic",
    ),
    Example(f'{{"messages": [{_ASKED}, {_CALLED}, {_RESULT}]}}', format="anthropic", target="anthropic"),
)

INVALID = (
    Example(
        f'{{{_ENABLED}, "messages": [{_ASKED}, {_CALLED}, {_RESULT}]}}',
        ("/messages/1/content/0",),
        format="anthropic",
        target="anthropic",
    ),
    Example(
        f'{{{_ENABLED}, "messages": [{_ASKED}, {_SPOKE}, {_RESULT}]}}',
        ("/messages/1/content/0",),
        format="anthropic",
        target="anthropic",
    ),
)
