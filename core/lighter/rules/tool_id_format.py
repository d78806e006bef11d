"""The id of a tool call is one that the target does not take.

## What
OpenAI takes call ids of up to 40 characters, Anthropic takes letters, digits, `_` and `-` only, and nobody takes an id that is
not text. A call and its result carry the same id; it is told once, at the call.

## Why it is refused
Each provider has its own alphabet and length for ids. A history that moves from one to another keeps the ids of the first:
vLLM makes ids of 46 characters, Kimi makes `functions.Bash:0`.

## Example
Bad (Anthropic): `{"type": "tool_use", "id": "Read:158", "name": "Read", "input": {}}`
Good: `{"type": "tool_use", "id": "Read_158", "name": "Read", "input": {}}`

## Fix
Rewrite the id in the call and in its result, two different ids to two different ids: shortening or replacing characters alone
lets ids collide.
"""

import re
from collections.abc import Iterator
from typing import Any

from lighter.diagnostics import Fix, Severity
from lighter.passage import Passage
from lighter.providers import Target, get_target
from lighter.rule import Aim, Example, Finding, Mention, Refusal, Rule
from lighter.toolwire import WireCall, WireResult, is_missing, shown, tool_calls, tool_results

RULE = Rule(
    code="P113",
    name="tool-id-format",
    summary="the id of a tool call is one that the target does not take",
    severity={"generic": "error", "openai-chat": "error", "azure-openai": "error", "anthropic": "error"},
    refusals=(
        Refusal(
            ("openai-chat", "azure-openai"),
            "Invalid 'messages[68].tool_calls[0].id': string too long. Expected a string with maximum length 40, but got a string with length 46 instead.",
            "https://github.com/anomalyco/opencode/issues/12653",
        ),
        Refusal(
            ("anthropic",),
            "messages.1.content.0.tool_use.id: String should match pattern '^[a-zA-Z0-9_-]+$'",
            "https://github.com/AnswerDotAI/fastllm/issues/45",
        ),
    ),
    source="https://github.com/anomalyco/opencode/issues/12653",
    formats=("openai-chat", "anthropic"),
    fix=Fix("safe", "rewrite the id in call and result alike, different ids to different ids"),
)


def check(passage: Passage, aim: Aim) -> Iterator[Finding]:
    """Yield each call whose id is not taken, and each result whose id alone is of the wrong type."""
    calls = [call for call in tool_calls(passage) if call.shape != "legacy"]
    target, severity = _judge(passage, aim)
    for call in calls:
        if is_missing(call.id):
            continue
        if not isinstance(call.id, str):
            yield _finding(call, call.id, "is not text", None)
        elif target and (fault := _fault(call.id, target)):
            yield _finding(call, call.id, fault, severity)
    numbers = {str(call.id) for call in calls if not isinstance(call.id, str) and not is_missing(call.id)}
    for result in tool_results(passage):
        if not (is_missing(result.id) or isinstance(result.id, str) or str(result.id) in numbers):
            yield _finding(result, result.id, "is not text", None)


def _judge(passage: Passage, aim: Aim) -> tuple[Target | None, Severity | None]:
    """Choose whose limits hold. Without a target OpenAI's do not, since others of its wire make longer ids all the time."""
    if aim.target != "generic":
        return get_target(aim.target), None
    return (get_target("anthropic"), "info") if passage.format == "anthropic" else (None, None)


def _fault(call_id: str, target: Target) -> str | None:
    if target.call_id_max is not None and len(call_id) > target.call_id_max:
        return f"has {len(call_id)} characters, {target.title} takes {target.call_id_max}"
    if target.call_id_pattern is not None and not re.fullmatch(target.call_id_pattern, call_id):
        return f"holds characters that {target.title} does not take"
    return None


def _finding(end: WireCall | WireResult, call_id: Any, fault: str, severity: Severity | None) -> Finding:
    return Finding(
        end.message.record,
        end.id_path,
        f"the id {shown(call_id)} {fault}",
        help="rewrite the id in the call and in its result alike",
        mentions=(Mention(end.message, call_id if isinstance(call_id, str) else "", "this id"),),
        severity=severity,
        refusals=None if isinstance(call_id, str) else (),
    )


def _chat(call_id: str, answer: str | None = None) -> str:
    call = f'[{{"id":{call_id},"type":"function","function":{{"name":"read_tide","arguments":"{{}}"}}}}]'
    return (
        '{"role":"user","content":"Tide?"}\n'
        f'{{"role":"assistant","content":null,"tool_calls":{call}}}\n'
        f'{{"role":"tool","tool_call_id":{answer or call_id},"content":"2.1 m"}}\n'
    )


def _blocks(call_id: str) -> str:
    return (
        '{"messages":[{"role":"user","content":"Tide?"},'
        f'{{"role":"assistant","content":[{{"type":"tool_use","id":"{call_id}","name":"read_tide","input":{{}}}}]}},'
        f'{{"role":"user","content":[{{"type":"tool_result","tool_use_id":"{call_id}","content":"2.1 m"}}]}}]}}\n'
    )


_VLLM = '"chatcmpl-tool-0123456789abcdef0123456789abcdef"'

VALID = (
    Example(_chat('"call_a1"'), format="openai-chat", target="openai-chat"),
    Example(_chat('"' + "a" * 40 + '"'), format="openai-chat", target="openai-chat"),
    Example(_chat(_VLLM), format="openai-chat"),
    Example(_blocks("call_abc-123"), format="anthropic", target="anthropic"),
)
INVALID = (
    Example(_chat(_VLLM), where=("/1/tool_calls/0/id",), format="openai-chat", target="openai-chat"),
    Example(_chat("7", '"7"'), where=("/1/tool_calls/0/id",), format="openai-chat"),
    Example(_chat('"7"', "7"), where=("/2/tool_call_id",), format="openai-chat"),
    Example(_blocks("functions.Bash:0"), where=("/0/messages/1/content/0/id",), format="anthropic", target="anthropic"),
)
