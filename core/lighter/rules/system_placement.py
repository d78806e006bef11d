"""A system message within an Anthropic conversation stands where none may stand.

## What
Models that take system messages within the conversation take them only right after a user message (or an assistant message that
ends in a server tool's result), and only last or right before an assistant message. They hold text, and models before Claude
5.5 take only one at a time.

## Why it is refused
The message is an instruction for the turn that follows. Between a call and its result it tears the pair apart; that is reported
by `interleaved-message`.

## Example
Bad:
```
{"model": "claude-opus-4-8", "messages": [{"role": "user", "content": "hi"}, {"role": "assistant", "content": "hello"}, {"role": "system", "content": "Switch to German."}]}
```
Good:
```
{"model": "claude-opus-4-8", "messages": [{"role": "user", "content": "hi"}, {"role": "system", "content": "Switch to German."}, {"role": "assistant", "content": "hallo"}]}
```

## Fix
Move it behind the next user message, or into the request's own `system`.
"""

from collections.abc import Iterator, Sequence

from lighter.conversation import WireMessage
from lighter.passage import Passage
from lighter.providers import ANTHROPIC_IN_SYSTEM, supports
from lighter.rule import Aim, Example, Finding, Refusal, Rule
from lighter.wire import ends_in_server_tool, fields_of, has_block, messages_of, parts_of, role_of

RULE = Rule(
    code="M110",
    name="system-placement",
    summary="a system message within the conversation stands where none may stand",
    severity={"generic:anthropic": "info", "anthropic": "error"},
    formats=("anthropic",),
    refusals=(
        Refusal(
            ("anthropic",),
            "messages.2: role 'system' must follow a 'user' message or an 'assistant' message ending in a server tool result",
            "https://platform.claude.com/docs/en/build-with-claude/mid-conversation-system-messages",
        ),
        Refusal(
            ("anthropic",),
            "messages.1: role 'system' must precede an 'assistant' message or end the array",
            "https://platform.claude.com/docs/en/build-with-claude/mid-conversation-system-messages",
        ),
        Refusal(
            ("anthropic",),
            "messages.1: role 'system' supports text, tool_addition, and tool_removal blocks only",
            "https://platform.claude.com/docs/en/build-with-claude/mid-conversation-system-messages",
        ),
    ),
    source="https://platform.claude.com/docs/en/build-with-claude/mid-conversation-system-messages",
)


def check(passage: Passage, _aim: Aim) -> Iterator[Finding]:
    """Find misplaced system messages; one finding for each run of them."""
    if supports(passage.model, "system in messages") is False:
        return
    messages = messages_of(passage, "anthropic")
    start = 0
    while start < len(messages):
        end = start
        while end < len(messages) and _is_system(messages[end]):
            end += 1
        before = messages[start - 1] if start else passage.before
        if end > start and before is not None:
            after = messages[end] if end < len(messages) else None
            found = _fault_of(messages[start:end], before, after, passage.model)
            if found:
                message, said, help_, words = found
                refusals = tuple(refusal for refusal in RULE.refusals if words and words in refusal.text)
                yield Finding(message.record, message.path, said, help_, refusals=refusals)
        start = end + 1


def _is_system(message: WireMessage) -> bool:
    # A message of directives alone may stand anywhere (anthropic 2.14.0, beta).
    return role_of(message) == "system" and "output_config" not in fields_of(message)


def _fault_of(
    run: Sequence[WireMessage], before: WireMessage, after: WireMessage | None, model: str | None
) -> tuple[WireMessage, str, str, str] | None:
    """Give the misplaced message, what is wrong, what would help, and what tells the provider's words for it."""
    if role_of(before) == "assistant":
        if has_block(before, "tool_use"):
            return None  # it tears a call from its result, which is the worse fault
        if not ends_in_server_tool(before):
            return (
                run[0],
                "this system message follows an assistant message",
                "move it behind the next user message",
                "must follow",
            )
    if len(run) > 1 and supports(model, "several systems in a row") is False:
        return run[1], f"{model} takes one system message at a time", "merge it with the one before", ""
    if after is not None and role_of(after) == "user":
        return (
            run[-1],
            "this system message stands before a user message",
            "move it behind that message",
            "must precede",
        )
    for message in run:
        if any(isinstance(part.kind, str) and part.kind not in ANTHROPIC_IN_SYSTEM for part in parts_of(message)):
            help_ = "put the other blocks into a user message"
            return message, "this system message holds more than text", help_, "blocks only"
    return None


VALID = (
    Example(
        '{"model": "claude-opus-5", "max_tokens": 64, "messages": [{"role": "user", "content": "Tide?"}, {"role": "assistant",'
        ' "content": [{"type": "tool_use", "id": "toolu_1", "name": "read_tide", "input": {}}]}, {"role": "user", "content":'
        ' [{"type": "tool_result", "tool_use_id": "toolu_1", "content": "2.1 m"}]}, {"role": "system", "content": "Be brief."}]}',
        format="anthropic",
        target="anthropic",
    ),
    Example(
        '{"model": "claude-opus-5-5", "max_tokens": 64, "messages": [{"role": "user", "content": "Tide?"}, {"role": "system",'
        ' "content": "Be brief."}, {"role": "system", "content": "Be kind."}, {"role": "assistant", "content": "2.1 m"}, {"role":'
        ' "user", "content": "Thanks"}]}',
        format="anthropic",
        target="anthropic",
    ),
    Example(
        '[{"role": "user", "content": "a"}, {"role": "assistant", "content": "b"}, {"role": "system", "content": "c"}]',
        target="openai-chat",
    ),
)

INVALID = (
    Example(
        '{"model": "claude-opus-4-8", "max_tokens": 64, "messages": [{"role": "user", "content": "hi"}, {"role": "assistant",'
        ' "content": "hello"}, {"role": "system", "content": "Switch to German."}]}',
        ("/messages/2",),
        format="anthropic",
        target="anthropic",
    ),
    Example(
        '{"model": "claude-opus-4-8", "max_tokens": 64, "messages": [{"role": "user", "content": "hi"}, {"role": "system",'
        ' "content": "Be brief."}, {"role": "user", "content": "hello?"}]}',
        ("/messages/1",),
        format="anthropic",
        target="anthropic",
    ),
    Example(
        '{"model": "claude-opus-4-8", "max_tokens": 64, "messages": [{"role": "user", "content": "hi"}, {"role": "system",'
        ' "content": "Be brief."}, {"role": "system", "content": "Be kind."}]}',
        ("/messages/2",),
        format="anthropic",
        target="anthropic",
    ),
)
