r"""A message stands between tool calls and their results.

## What
Results must follow the turn that made the calls directly. Here another message came in between: a user who steered while the
tool ran, a system reminder, an event of the interface, a further assistant message. The results do follow, only too late.
The first such message is reported, once for each turn. After a `function_call` of the old kind it is a warning only.

## Why it is refused
To the provider the calls look unanswered and the results look orphaned, so it refuses with one of those two errors.

## Example
Bad:
```
{"role": "assistant", "content": null, "tool_calls": [{"id": "call_1", "type": "function", "function": {"name": "get_tide", "arguments": "{}"}}]}
{"role": "user", "content": "In metres, please."}
{"role": "tool", "tool_call_id": "call_1", "content": "2.1 m"}
```
Good:
```
{"role": "assistant", "content": null, "tool_calls": [{"id": "call_1", "type": "function", "function": {"name": "get_tide", "arguments": "{}"}}]}
{"role": "tool", "tool_call_id": "call_1", "content": "2.1 m"}
{"role": "user", "content": "In metres, please."}
```

## Fix
Move the message after the last result of the turn. For Anthropic its text may also go into the message of the results, after
them.
"""

from collections.abc import Iterator

from lighter.diagnostics import Fix
from lighter.edits import Repair
from lighter.edits_messages import may_move, moved_after
from lighter.pairs import Intrusion
from lighter.passage import Passage
from lighter.rule import Aim, Example, Finding, Mention, Refusal, Rule
from lighter.rules._refusals import BEDROCK_TOO_FEW, GEMINI_ORDER
from lighter.rules._telling import mention_call, mention_result, shown, tell_call, tell_message

RULE = Rule(
    code="P104",
    name="interleaved-message",
    summary="a message stands between tool calls and their results",
    severity={"generic": "error", "openai-chat": "error", "azure-openai": "error", "anthropic": "error"},
    refusals=(
        Refusal(
            ("openai-chat", "azure-openai"),
            "An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'",
            "https://github.com/MoonshotAI/kimi-code/issues/705",
        ),
        Refusal(
            ("anthropic",),
            "`tool_use` ids were found without `tool_result` blocks immediately after",
            "https://github.com/openclaw/openclaw/issues/13804",
        ),
        GEMINI_ORDER,
        BEDROCK_TOO_FEW,
        Refusal(
            ("mistral",),
            "Unexpected role 'tool' after role 'user'",
            "mistral_common 1.13.1 MistralRequestValidator",
            is_rarer=True,
        ),
    ),
    source="https://platform.openai.com/docs/guides/function-calling",
    # Its own order of turns is all that it minds (`ft-row-skipped`).
    spares=("llamafactory",),
    fix=Fix("safe", "move what stands in between behind the last result"),
)


def check(passage: Passage, _aim: Aim) -> Iterator[Finding]:
    """Report the first intruder of each turn, at that message."""
    for intrusion in passage.pairing.intrusions:
        call, result, message = intrusion.call, intrusion.result, intrusion.message
        last = f"the result of {shown(call.call_id)}" if call.call_id else "the results"
        yield Finding(
            record=message.record,
            path=message.path,
            message=f"{tell_message(message)} stands between the call of {tell_call(call)} and its result",
            help=f"move it after {last}",
            mentions=(
                Mention(message, "", "comes between the two"),
                mention_call(call, "called here"),
                mention_result(result, "answered only here"),
            ),
            # Nobody was seen to refuse a `function_call` of the old kind for being answered late.
            severity="warning" if call.kind == "legacy" else None,
            refusals=() if call.kind == "legacy" else None,
            repair=_repair(passage, intrusion),
        )


def _repair(passage: Passage, intrusion: Intrusion) -> Repair | None:
    """Move all that stands between the calls and the last of their results behind that one."""
    start = intrusion.call.wire.index
    results = [result.wire for call, result in passage.pairing.answers if call.wire.index == start]
    last = max(results, key=lambda wire: wire.index)
    answers = {wire.index for wire in results}
    between = [
        message
        for message in passage.messages
        if intrusion.message.index <= message.index < last.index and message.index not in answers
    ]
    if not between or not may_move(passage, last, *between):
        return None
    return Repair(moved_after(between, last))


VALID = (
    # What is no message has that fault alone.
    Example(
        r"""[{"role": "assistant", "content": null, "tool_calls": [{"id": "call_1", "type": "function", "function": {"name": "get_tide", "arguments": "{}"}}]}, "Wait.", {"role": "tool", "tool_call_id": "call_1", "content": "2.1 m"}]""",
        format="openai-chat",
    ),
    Example(
        r"""{"role": "assistant", "content": null, "tool_calls": [{"id": "call_1", "type": "function", "function": {"name": "get_tide", "arguments": "{}"}}]}
{"role": "tool", "tool_call_id": "call_1", "content": "2.1 m"}
{"role": "user", "content": "In metres, please."}
"""
    ),
    # Text in the message of the results is out of order, but no message in between.
    Example(
        r"""[{"role": "assistant", "content": [{"type": "tool_use", "id": "toolu_1", "name": "get_tide", "input": {}}]}, {"role": "user", "content": [{"type": "text", "text": "Here."}, {"type": "tool_result", "tool_use_id": "toolu_1", "content": "2.1 m"}]}]""",
        format="anthropic",
    ),
    # Anthropic joins consecutive messages of the assistant into one turn.
    Example(
        r"""{"role": "assistant", "content": [{"type": "tool_use", "id": "toolu_1", "name": "get_tide", "input": {}}]}
{"role": "assistant", "content": [{"type": "tool_use", "id": "toolu_2", "name": "get_wind", "input": {}}]}
{"role": "user", "content": [{"type": "tool_result", "tool_use_id": "toolu_1", "content": "2.1 m"}, {"type": "tool_result", "tool_use_id": "toolu_2", "content": "4 kn"}]}
""",
        format="anthropic",
    ),
)

INVALID = (
    Example(
        r"""{"role": "user", "content": "How high is the tide?"}
{"role": "assistant", "content": null, "tool_calls": [{"id": "call_1", "type": "function", "function": {"name": "get_tide", "arguments": "{}"}}]}
{"role": "user", "content": "In metres, please."}
{"role": "system", "content": "Reminder: be brief."}
{"role": "tool", "tool_call_id": "call_1", "content": "2.1 m"}
{"role": "assistant", "content": "2.1 m."}
""",
        where=("/2",),
    ),
    # Between the first and the second result.
    Example(
        r"""[{"role": "assistant", "tool_calls": [{"id": "call_1", "type": "function", "function": {"name": "get_tide", "arguments": "{}"}}, {"id": "call_2", "type": "function", "function": {"name": "get_wind", "arguments": "{}"}}]}, {"role": "tool", "tool_call_id": "call_1", "content": "2.1 m"}, {"role": "assistant", "content": "One moment."}, {"role": "tool", "tool_call_id": "call_2", "content": "4 kn"}]""",
        where=("/2",),
        target="openai-chat",
    ),
    Example(
        r"""[{"role": "user", "content": "How high is the tide?"}, {"role": "assistant", "content": [{"type": "tool_use", "id": "toolu_1", "name": "get_tide", "input": {}}]}, {"role": "user", "content": "In metres, please."}, {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "toolu_1", "content": "2.1 m"}]}]""",
        where=("/2",),
        format="anthropic",
        target="anthropic",
    ),
)
