"""The id of a tool call is one that the target does not take.

## What
OpenAI takes call ids of up to 40 characters, Anthropic takes letters, digits, `_` and `-` only, Bedrock `.` and `:` as well but no
more than 64 of them, Mistral exactly nine letters and digits, and nobody takes an id that is not text. A call and its result carry the same id; it is told once, at the call.

## Why it is refused
Each provider has its own alphabet and length for ids. A history that moves from one to another keeps the ids of the first:
vLLM makes ids of 46 characters, Kimi makes `functions.Bash:0`.

## Example
Bad for Anthropic:
```
{"type": "tool_use", "id": "Read:158", "name": "Read", "input": {}}
```
Good:
```
{"type": "tool_use", "id": "Read_158", "name": "Read", "input": {}}
```

## Fix
Rewrite the id in the call and in its result, two different ids to two different ids: shortening or replacing characters alone
lets ids collide.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from lighter.diagnostics import Fix, Severity
from lighter.edits import Repair, repair
from lighter.passage import Passage
from lighter.providers import Target, get_target
from lighter.rule import Aim, Example, Finding, Mention, Refusal, Rule
from lighter.rules._limits import breach_of
from lighter.rules._telling import shown
from lighter.toolwire import WireCall, WireResult, is_missing, tool_calls, tool_results

RULE = Rule(
    code="P113",
    name="tool-id-format",
    summary="the id of a tool call is one that the target does not take",
    severity={"generic": "error", "openai-chat": "error", "azure-openai": "error", "anthropic": "error"},
    formats=("openai-chat", "anthropic", "openai-responses", "bedrock", "mistral", "cohere", "gemini"),
    refusals=(
        Refusal(
            ("openai-chat", "azure-openai"),
            "Invalid 'messages[68].tool_calls[0].id': string too long. Expected a string with maximum length 40, but got a string with length 46 instead.",
            "https://github.com/anomalyco/opencode/issues/12653",
        ),
        Refusal(
            ("openai-responses",),
            "Invalid 'input[95].call_id': string too long. Expected a string with maximum length 64",
            "https://github.com/maximhq/bifrost/issues/5097",
        ),
        Refusal(
            ("anthropic",),
            "messages.1.content.0.tool_use.id: String should match pattern '^[a-zA-Z0-9_-]+$'",
            "https://github.com/AnswerDotAI/fastllm/issues/45",
        ),
        Refusal(
            ("bedrock",),
            "Value at 'messages.2.member.content.1.member.toolUse.toolUseId' failed to satisfy constraint: Member must satisfy regular expression pattern: [a-zA-Z0-9_.:-]+",
            "botocore 1.44.8 ToolUseId",
        ),
        Refusal(
            ("mistral",),
            "Tool call id was call_PTLP8xhu but must be a-z, A-Z, 0-9, with a length of 9.",
            "https://github.com/anomalyco/opencode/issues/1680",
        ),
        Refusal(
            ("vllm",),
            "Tool call IDs should be alphanumeric strings with length 9!",
            "https://github.com/langchain-ai/langchain/issues/29021",
        ),
        Refusal(
            ("openai-chat", "azure-openai"),
            "Invalid 'messages[2].tool_call_id': string too long. Expected a string with maximum length 40, but got a string with length 53 instead.",
            "openai 3.57.0 ChatCompletionToolMessageParam",
        ),
    ),
    source="https://github.com/anomalyco/opencode/issues/12653",
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
            yield _finding(call, call.id, "is not text", None, _repair(passage, call, target))
        elif target and (breach := breach_of(call.id, target.call_id_max, target.call_id_pattern, target.title)):
            yield _finding(call, call.id, breach.words, severity, _repair(passage, call, target))
    numbers = {str(call.id) for call in calls if not isinstance(call.id, str) and not is_missing(call.id)}
    for result in tool_results(passage):
        if not (is_missing(result.id) or isinstance(result.id, str) or str(result.id) in numbers):
            yield _finding(result, result.id, "is not text", None, _repair_of_result(result))


def _judge(passage: Passage, aim: Aim) -> tuple[Target | None, Severity | None]:
    """Choose whose limits hold. Without a target OpenAI's do not, since others of its wire make longer ids all the time."""
    if passage.format in ("bedrock", "openai-responses"):
        return get_target(passage.format), None
    if aim.target != "generic":
        return get_target(aim.target), None
    return (get_target("anthropic"), "info") if passage.format == "anthropic" else (None, None)


def _finding(
    end: WireCall | WireResult, call_id: Any, fault: str, severity: Severity | None, repair: Repair | None
) -> Finding:
    return Finding(
        end.message.record,
        end.id_path,
        f"the id {shown(call_id)} {fault}",
        help="rewrite the id in the call and in its result alike",
        mentions=(Mention(end.message, call_id if isinstance(call_id, str) else "", "this id"),),
        severity=severity,
        refusals=None if isinstance(call_id, str) else (),
        repair=repair,
    )


def _repair_of_result(result: WireResult) -> Repair:
    from lighter.edits_ids import new_id_at_result  # noqa: PLC0415 - loaded only for what is at fault

    return repair(new_id_at_result(result, str(result.id)))


def _paired(passage: Passage) -> tuple[frozenset[tuple[int, str]], Mapping[str, Sequence[WireResult]]]:
    """Tell where the calls stand that are told to have a result or none, and give the orphans by their ids."""
    pairing = passage.pairing
    told = [*(call for call, _ in pairing.answers), *(repeated.call for repeated in pairing.repeated_calls)]
    calls = (*told, *pairing.unanswered, *pairing.pending)
    loose = {(orphan.result.wire.index, orphan.result.path) for orphan in pairing.orphans}
    orphans: dict[str, list[WireResult]] = {}
    for result in tool_results(passage) if loose else ():
        if (result.message.index, result.path) in loose:
            orphans.setdefault(str(result.id), []).append(result)
    return frozenset((call.wire.record.row, call.path) for call in calls), orphans


def _repair(passage: Passage, call: WireCall, target: Target | None) -> Repair | None:
    """Make a new id of the old one, so that the same ids stay the same, here and in the rest of a log.

    Where a result may stand that no reader takes for one, or in a line that cannot be read, the old id is what it is found by.
    """
    from lighter.edits_ids import made_id, new_id_at_call, new_id_at_result, results_of, takes_id  # noqa: PLC0415 - loaded only for what is at fault

    told, orphans = passage.once(_paired)
    if (call.message.record.row, call.path) not in told:
        return None
    text = str(call.id)
    new = text if takes_id(text, target) else made_id(text, target)
    # A result that stands before its call is found by its id as well.
    ends = (*results_of(passage, call), *orphans.get(text, ()))
    return repair(new_id_at_call(call, new), *(new_id_at_result(result, new) for result in ends))


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


def _items(call_id: str) -> str:
    return (
        f'[{{"type":"function_call","call_id":"{call_id}","name":"read_tide","arguments":"{{}}"}},'
        f'{{"type":"function_call_output","call_id":"{call_id}","output":"2.1 m"}}]'
    )


_VLLM = '"chatcmpl-tool-0123456789abcdef0123456789abcdef"'

VALID = (
    Example(_chat('"call_a1"'), format="openai-chat", target="openai-chat"),
    Example(_chat('"' + "a" * 40 + '"'), format="openai-chat", target="openai-chat"),
    Example(_chat(_VLLM), format="openai-chat"),
    Example(_blocks("call_abc-123"), format="anthropic", target="anthropic"),
    Example(_items("c" * 64), format="openai-responses", target="azure-openai"),
)

INVALID = (
    Example(_items("c" * 65), where=("/0/call_id",), format="openai-responses", target="openai-responses"),
    Example(_chat(_VLLM), where=("/1/tool_calls/0/id",), format="openai-chat", target="openai-chat"),
    Example(_chat("7", '"7"'), where=("/1/tool_calls/0/id",), format="openai-chat"),
    Example(_chat('"7"', "7"), where=("/2/tool_call_id",), format="openai-chat"),
    Example(_blocks("functions.Bash:0"), where=("/0/messages/1/content/0/id",), format="anthropic", target="anthropic"),
)
