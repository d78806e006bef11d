"""A message carries an empty list of tool calls.

## What
`tool_calls` is `[]`. A turn without calls has no `tool_calls` at all.

## Why it is refused
OpenAI, Azure, Qwen and DeepSeek check that the list has at least one member. Many clients and servers write the empty list
into every assistant turn, so that a history which one server took is refused by the next.

## Example
Bad: `{"role": "assistant", "content": "Done.", "tool_calls": []}`
Good: `{"role": "assistant", "content": "Done."}`

## Fix
Delete the key.
"""

from collections.abc import Iterator

from lighter.diagnostics import Fix
from lighter.edits import Drop, repair
from lighter.passage import Passage
from lighter.rule import Aim, Example, Finding, Mention, Refusal, Rule

RULE = Rule(
    code="P111",
    name="empty-tool-calls",
    summary="a message carries an empty list of tool calls",
    severity={"generic": "info", "openai-chat": "error", "azure-openai": "error", "qwen": "error", "deepseek": "error"},
    formats=("openai-chat",),
    refusals=(
        Refusal(
            ("openai-chat", "azure-openai"),
            "Invalid 'messages[1].tool_calls': empty array. Expected an array with minimum length 1, but got an empty array instead.",
            "https://github.com/openai/openai-node/issues/1341",
        ),
        Refusal(
            ("qwen",),
            "[] is too short - 'messages.1.tool_calls'",
            "https://github.com/smallmain/vscode-unify-chat-provider/issues/65",
        ),
        Refusal(
            ("deepseek",),
            "Empty tool_calls is not supported in message",
            "https://github.com/nesquena/hermes-webui/issues/5740",
        ),
    ),
    source="https://github.com/openai/openai-node/issues/1341",
    fix=Fix("safe", "delete `tool_calls`"),
)


def check(passage: Passage, aim: Aim) -> Iterator[Finding]:
    """Yield each empty list of calls."""
    for message in passage.messages:
        # vLLM and others answer with `[]` in every turn: as the record of an answer that is no fault.
        if message.is_response and aim.mode == "log":
            continue
        if isinstance(message.raw, dict) and message.raw.get("tool_calls") == []:
            yield Finding(
                message.record,
                f"{message.path}/tool_calls",
                "`tool_calls` is an empty list",
                help="delete `tool_calls`: a turn without calls has none",
                mentions=(Mention(message, label="no call in it"),),
                repair=repair(Drop(message.record, f"{message.path}/tool_calls")),
            )


VALID = (
    Example('{"role":"user","content":"Hi"}\n{"role":"assistant","content":"Hello!"}\n', target="openai-chat"),
    Example(
        '{"messages":[{"role":"user","content":"Hi"},{"role":"assistant","content":"Hello!","tool_calls":null}]}\n',
        format="openai-chat",
        target="openai-chat",
    ),
    # The record of an answer, as vLLM gives it.
    Example(
        '{"id":"chatcmpl-1","object":"chat.completion","choices":[{"index":0,"finish_reason":"stop","message":{"role":"assistant",'
        '"content":"Hello!","tool_calls":[]}}]}\n',
        format="openai-chat",
    ),
)

INVALID = (
    Example(
        '{"role":"user","content":"Hi"}\n{"role":"assistant","content":"Hello!","tool_calls":[]}\n{"role":"user","content":"?"}\n',
        where=("/1/tool_calls",),
        format="openai-chat",
        target="openai-chat",
    ),
    Example(
        '{"messages":[{"role":"user","content":"Moin"},{"role":"assistant","content":"Moin!","tool_calls":[]},{"role":"user","content":"ok"}]}\n',
        where=("/0/messages/1/tool_calls",),
        format="openai-chat",
        target="azure-openai",
    ),
)
