"""An assistant message of a harmony model has text, reasoning and tool calls at once.

## What
The model is of the gpt-oss family, whose chat template (harmony) puts reasoning and the text before a call in one place. A message
with tool calls may have one of them, not both.

## Why it is refused
The template raises an exception, so that a server which runs it (vLLM, llama.cpp and others) answers with an error. Other models'
templates take such messages: where no model is named, this is information only.

## Example
Bad:
```
{"model": "openai/gpt-oss-120b", "messages": [{"role": "user", "content": "Tide?"}, {"role": "assistant", "content": "I look.", "reasoning_content": "A tool has it.", "tool_calls": [{"id": "call_1", "type": "function", "function": {"name": "read_tide", "arguments": "{}"}}]}, {"role": "tool", "tool_call_id": "call_1", "content": "2.1 m"}]}
```
Good: the same without `content`, or without `reasoning_content`.

## Fix
Keep one of the two: the reasoning, if the text only announces the call.
"""

from collections.abc import Iterator

from lighter.diagnostics import Fix
from lighter.edits import Put, repair
from lighter.models import HARMONY_MODELS
from lighter.passage import Passage
from lighter.rule import Aim, Example, Finding, Mention, Refusal, Rule
from lighter.wire import fields_of, messages_of, role_of

RULE = Rule(
    code="R124",
    name="content-and-reasoning-with-calls",
    summary="an assistant message of a harmony model has text, reasoning and tool calls at once",
    severity={"generic:openai-chat": "warning", "vllm": "error"},
    formats=("openai-chat",),
    # They host such models behind APIs of their own, or none.
    spares=("deepseek", "groq", "minimax", "moonshot", "qwen", "xai", "zai", "llamafactory", "together-finetune"),
    refusals=(
        Refusal(
            ("vllm",),
            "Cannot pass both content and thinking in an assistant message with tool calls! Put the analysis message in one or the"
            " other, but not both.",
            "https://github.com/openclaw/openclaw/issues/6514",
        ),
    ),
    source="https://github.com/ggml-org/llama.cpp/pull/19702",
    fix=Fix("unsafe", "drop the text"),
)

_REASONING = ("reasoning_content", "thinking", "reasoning")


def check(passage: Passage, aim: Aim) -> Iterator[Finding]:
    """Find messages with all three."""
    is_harmony = passage.model is not None and HARMONY_MODELS.search(passage.model) is not None
    if not is_harmony and (passage.model is not None or aim.target == "generic"):
        return
    for message in messages_of(passage, "openai-chat"):
        fields = fields_of(message)
        if role_of(message) != "assistant" or not fields.get("tool_calls") or not fields.get("content"):
            continue
        if any(isinstance(fields.get(key), str) and fields[key] for key in _REASONING):
            yield Finding(
                message.record,
                message.path,
                "this message has text and reasoning beside its calls, which the harmony template does not take",
                "keep the text or the reasoning",
                mentions=(Mention(message, "", "text, reasoning and calls"),),
                severity=None if is_harmony else "info",
                repair=repair(Put(message.record, f"{message.path}/content", None)),
            )


def _body(model: str, content: str) -> str:
    return (
        f'{{"model": "{model}", "messages": [{{"role": "user", "content": "Tide?"}}, {{"role": "assistant", "content": {content},'
        ' "reasoning_content": "A tool has it.", "tool_calls": [{"id": "call_1", "type": "function", "function": {"name":'
        ' "read_tide", "arguments": "{}"}}]}, {"role": "tool", "tool_call_id": "call_1", "content": "2.1 m"}]}'
    )


VALID = (
    Example(_body("openai/gpt-oss-120b", "null"), target="vllm"),
    Example(_body("openai/gpt-oss-120b", '""'), target="vllm"),
    Example(_body("Qwen/Qwen3-32B", '"I look."'), target="vllm"),
    # Text and reasoning in a message without calls.
    Example(
        '{"model": "openai/gpt-oss-120b", "messages": [{"role": "user", "content": "Tide?"}, {"role": "assistant", "content":'
        ' "2.1 m", "reasoning_content": "I know it."}]}',
        target="vllm",
    ),
)

INVALID = (
    Example(_body("openai/gpt-oss-120b", '"I look."'), ("/messages/1",), target="vllm"),
    Example(_body("gpt-oss:20b", '"I look."'), ("/messages/1",), format="openai-chat"),
)
