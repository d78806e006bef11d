r"""A tool call is answered twice.

## What
A result names a call that has its result already. It may follow at once, or come back much later (from a retry, a replayed
event, a placeholder such as "tool call was not executed" that the real result did not replace).

## Why it is refused
One call has one result. Providers refuse the second, and which of the two is true cannot be told from outside.

## Example
Bad:
```
{"role": "assistant", "content": null, "tool_calls": [{"id": "call_1", "type": "function", "function": {"name": "get_tide", "arguments": "{}"}}]}
{"role": "tool", "tool_call_id": "call_1", "content": "tool call was not executed"}
{"role": "tool", "tool_call_id": "call_1", "content": "2.1 m"}
```
Good:
```
{"role": "assistant", "content": null, "tool_calls": [{"id": "call_1", "type": "function", "function": {"name": "get_tide", "arguments": "{}"}}]}
{"role": "tool", "tool_call_id": "call_1", "content": "2.1 m"}
```

## Fix
Delete one of the two: either when they are equal, else the placeholder.
"""

from collections.abc import Iterator

from lighter.passage import Passage
from lighter.rule import Aim, Example, Finding, Refusal, Rule
from lighter.rules._refusals import BEDROCK_TOO_MANY, GEMINI_COUNTS
from lighter.rules._telling import mention_call, mention_result, tell_result

RULE = Rule(
    code="P106",
    name="duplicate-tool-result",
    summary="a tool call is answered twice",
    severity={"generic": "error", "openai-chat": "error", "azure-openai": "error", "anthropic": "error"},
    refusals=(
        Refusal(
            ("openai-chat", "azure-openai"),
            "Duplicate value for 'tool_call_id' of '…', in messages[7] and messages[8]",
            "https://github.com/agno-agi/agno/issues/5116",
        ),
        Refusal(
            ("anthropic",),
            "each `tool_use` must have a single result. Found multiple `tool_result` blocks with id",
            "https://github.com/sst/opencode/issues/1211",
        ),
        Refusal(
            ("mistral",),
            "Duplicate tool call id … in tool results",
            "mistral_common 1.13.1 MistralRequestValidatorV11",
        ),
        GEMINI_COUNTS,
        BEDROCK_TOO_MANY,
    ),
    source="https://platform.openai.com/docs/guides/function-calling",
    # Its own order of turns is all that it minds (`ft-row-skipped`).
    spares=("llamafactory",),
)


def check(passage: Passage, _aim: Aim) -> Iterator[Finding]:
    """Report the later result of two, at the message or block that holds it."""
    for repeated in passage.pairing.repeated_results:
        result, first, call = repeated.result, repeated.first, repeated.call
        yield Finding(
            record=result.wire.record,
            path=result.path,
            message=f"call {tell_result(result)} has its result already",
            help="remove one of the two results",
            mentions=(
                mention_result(result, "answered again"),
                *((mention_result(first, "answered here"),) if first and first.wire is not result.wire else ()),
                *((mention_call(call, "called here"),) if call else ()),
            ),
        )


VALID = (
    Example(
        r"""{"role": "assistant", "tool_calls": [{"id": "call_1", "type": "function", "function": {"name": "get_tide", "arguments": "{}"}}, {"id": "call_2", "type": "function", "function": {"name": "get_tide", "arguments": "{}"}}]}
{"role": "tool", "tool_call_id": "call_1", "content": "2.1 m"}
{"role": "tool", "tool_call_id": "call_2", "content": "2.1 m"}
"""
    ),
    # The same id in a later turn is another call.
    Example(
        r"""{"role": "assistant", "tool_calls": [{"id": "call_0", "type": "function", "function": {"name": "get_tide", "arguments": "{}"}}]}
{"role": "tool", "tool_call_id": "call_0", "content": "2.1 m"}
{"role": "assistant", "tool_calls": [{"id": "call_0", "type": "function", "function": {"name": "get_wind", "arguments": "{}"}}]}
{"role": "tool", "tool_call_id": "call_0", "content": "4 kn"}
"""
    ),
)

INVALID = (
    Example(
        r"""{"role": "assistant", "tool_calls": [{"id": "call_1", "type": "function", "function": {"name": "get_tide", "arguments": "{}"}}]}
{"role": "tool", "tool_call_id": "call_1", "content": "2.1 m"}
{"role": "tool", "tool_call_id": "call_1", "content": "2.1 m"}
{"role": "user", "content": "Thanks."}
""",
        where=("/2",),
    ),
    # Long after the call.
    Example(
        r"""{"role": "assistant", "tool_calls": [{"id": "call_1", "type": "function", "function": {"name": "get_tide", "arguments": "{}"}}]}
{"role": "tool", "tool_call_id": "call_1", "content": "2.1 m"}
{"role": "assistant", "content": "2.1 m."}
{"role": "user", "content": "Thanks."}
{"role": "tool", "tool_call_id": "call_1", "content": "2.1 m"}
""",
        where=("/4",),
    ),
    Example(
        r"""[{"role": "user", "content": "How high is the tide?"}, {"role": "assistant", "content": [{"type": "tool_use", "id": "toolu_1", "name": "get_tide", "input": {}}]}, {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "toolu_1", "content": "tool call was not executed"}, {"type": "tool_result", "tool_use_id": "toolu_1", "content": "2.1 m"}]}]""",
        where=("/2/content/1",),
        format="anthropic",
        target="anthropic",
    ),
)
