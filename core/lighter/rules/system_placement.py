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
from itertools import groupby

from msgspec.structs import replace

from lighter.conversation import WireMessage
from lighter.diagnostics import Fix
from lighter.edits import Repair
from lighter.edits_messages import joined_messages, may_move, moved_before
from lighter.models import QWEN_TEMPLATES, supports
from lighter.passage import Passage
from lighter.providers import ANTHROPIC_IN_SYSTEM
from lighter.rule import Aim, Example, Finding, Refusal, Rule
from lighter.rules._quotes import said_with
from lighter.rules._telling import shown
from lighter.wire import ends_in_server_tool, fields_of, has_block, messages_of, parts_of, role_of

RULE = Rule(
    code="M110",
    name="system-placement",
    summary="a system message within the conversation stands where none may stand",
    severity={
        "generic:anthropic": "info",
        "anthropic": "error",
        "mistral": "error",
        "vllm": "error",
        "generic:mistral": "error",
    },
    formats=("anthropic", "mistral", "openai-chat"),
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
        Refusal(
            ("mistral",),
            "Unexpected role 'system' after role 'assistant'",
            "mistral_common 1.13.1 MistralRequestValidator",
        ),
        Refusal(
            ("vllm",), "System message must be at the beginning.", "https://github.com/vllm-project/vllm/issues/41114"
        ),
        Refusal(
            ("MiniMax",),
            "invalid params, invalid chat setting (2013)",
            "https://github.com/openclaw/openclaw/issues/19386",
        ),
        Refusal(
            ("Cohere",),
            "system turn must be the first in the list",
            "https://docs.cohere.com/reference/errors",
        ),
    ),
    source="https://platform.claude.com/docs/en/build-with-claude/mid-conversation-system-messages",
    fix=Fix("unsafe", "join it to the system message at the front"),
)


def check(passage: Passage, aim: Aim) -> Iterator[Finding]:
    """Find misplaced system messages; one finding for each run of them."""
    if aim.target == "vllm":
        yield from _at_template(passage)
        return
    if passage.format != "anthropic":
        yield from _at_mistral(passage)
        return
    if supports(passage.model, "system in messages") is False:
        return
    runs = [list(run) for _, run in groupby(messages_of(passage, "anthropic"), _is_system)]
    for index, run in enumerate(runs):
        before = runs[index - 1][-1] if index else passage.before
        after = runs[index + 1][0] if index + 1 < len(runs) else None
        if before is not None and _is_system(run[0]) and (found := _fault_of(run, before, after, passage.model)):
            yield found


def _at_template(passage: Passage) -> Iterator[Finding]:
    """Find the first system message that is not at the front, where the model's chat template may mind."""
    if passage.model is not None and not QWEN_TEMPLATES.search(passage.model):
        return
    torn = passage.pairing.intruders
    later = passage.messages[1:] if passage.is_first else passage.messages
    for message in later:
        if role_of(message) == "system" and message.index not in torn:
            said = "this system message does not stand at the front"
            found = _finding(message, said, "merge it into the first", "at the beginning", _to_front(passage, message))
            yield found if passage.model else replace(found, severity="warning")
            return


def _at_mistral(passage: Passage) -> Iterator[Finding]:
    """Find system messages that follow an assistant's message or a result; one that tears a call from its result is worse."""
    torn = passage.pairing.intruders
    before = passage.before
    for message in passage.messages:
        follows = role_of(before) if before is not None else None
        if role_of(message) == "system" and follows in ("assistant", "tool") and message.index not in torn:
            said = f"this system message follows a message of role {follows}"
            help_ = "move it behind a user message, or to the front"
            yield _finding(message, said, help_, "Unexpected role", _to_front(passage, message))
        before = message


def _is_system(message: WireMessage) -> bool:
    # A message of directives alone may stand anywhere (anthropic 2.14.0, beta).
    return role_of(message) == "system" and "output_config" not in fields_of(message)


def _fault_of(
    run: Sequence[WireMessage], before: WireMessage, after: WireMessage | None, model: str | None
) -> Finding | None:
    """Find what is wrong with a run of system messages, given its neighbours."""
    if role_of(before) == "assistant":
        if has_block(before, "tool_use"):
            return None  # it tears a call from its result, which is the worse fault
        if not ends_in_server_tool(before):
            said, help_ = "this system message follows an assistant message", "move it behind the next user message"
            return _finding(run[0], said, help_, "must follow")
    if len(run) > 1 and supports(model, "several systems in a row") is False:
        said = f"{shown(model)} takes one system message at a time"
        return _finding(run[1], said, "merge it with the one before", "")
    if after is not None and role_of(after) == "user":
        said, help_ = "this system message stands before a user message", "move it behind that message"
        return _finding(run[-1], said, help_, "must precede")
    for message in run:
        if any(isinstance(part.kind, str) and part.kind not in ANTHROPIC_IN_SYSTEM for part in parts_of(message)):
            said, help_ = "this system message holds more than text", "put the other blocks into a user message"
            return _finding(message, said, help_, "blocks only")
    return None


def _finding(message: WireMessage, said: str, help_: str, words: str, repair: Repair | None = None) -> Finding:
    return Finding(message.record, message.path, said, help_, refusals=said_with(RULE, words), repair=repair)


def _to_front(passage: Passage, message: WireMessage) -> Repair | None:
    """Join what a system message says to the one that the conversation begins with, or move it there."""
    first = passage.messages[0]
    if not passage.is_first or first is message:
        return None
    if role_of(first) == "system":
        return joined_messages(passage, first, message)
    return Repair(moved_before(message, first)) if may_move(passage, message, first) else None


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
        '{"model": "Qwen/Qwen3.5-27B", "messages": [{"role": "user", "content": "Tide?"}, {"role": "system", "content": "In metres."},'
        ' {"role": "user", "content": "Well?"}]}',
        ("/messages/1",),
        target="vllm",
    ),
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
