r"""The history ends with a tool call that is not answered yet.

## What
The last turn of a request calls a tool, and no result follows. In a log that is normal (the tool was still running, or the log
was read while it grew), and a training row may end on a call; as a request it is incomplete.

## Why it is refused
The provider has asked for a result and gets none: it answers with the same error as for a call that was never answered.

## Example
Bad, as a request:
```
{"role": "user", "content": "How high is the tide?"}
{"role": "assistant", "content": null, "tool_calls": [{"id": "call_1", "type": "function", "function": {"name": "get_tide", "arguments": "{}"}}]}
```
Good:
```
{"role": "user", "content": "How high is the tide?"}
{"role": "assistant", "content": null, "tool_calls": [{"id": "call_1", "type": "function", "function": {"name": "get_tide", "arguments": "{}"}}]}
{"role": "tool", "tool_call_id": "call_1", "content": "2.1 m"}
```

## Fix
Run the tool and append its result, or append an error result ("the call was interrupted"), or cut the turn off.
"""

from collections.abc import Iterator

from lighter.diagnostics import Fix
from lighter.passage import Passage
from lighter.rule import Aim, Example, Finding, Refusal, Rule
from lighter.rules._refusals import UNANSWERED
from lighter.rules._telling import mention_call, tell_answer, tell_call

RULE = Rule(
    code="P103",
    name="pending-tool-call",
    summary="the history ends with a tool call that is not answered",
    severity={"generic": "error", "openai-chat": "error", "azure-openai": "error", "anthropic": "error"},
    modes=("request",),
    refusals=(
        Refusal(
            ("openai-chat", "azure-openai"),
            "An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'",
            "https://github.com/langchain-ai/langgraph/issues/5109",
        ),
        *UNANSWERED,
    ),
    source="https://platform.openai.com/docs/guides/function-calling",
    fix=Fix("unsafe", "append an error result that says there is none, or drop the call"),
)


def check(passage: Passage, _aim: Aim) -> Iterator[Finding]:
    """Report each open call of the last turn, at the call."""
    for call in passage.pairing.pending:
        if call.wire.is_response:
            continue  # the provider has just said this: it is no part of what it was asked
        from lighter.edits_results import answered  # noqa: PLC0415 - formats are loaded only for what is at fault

        yield Finding(
            record=call.wire.record,
            path=call.path,
            message=f"the history ends before the call of {tell_call(call)} is answered",
            help=f"append {tell_answer(call)}, or cut this turn off",
            mentions=(mention_call(call, "still waits for its result"),),
            severity="warning" if call.kind == "legacy" else None,
            repair=answered(passage, call),
        )


VALID = (
    Example(
        r"""{"role": "user", "content": "How high is the tide?"}
{"role": "assistant", "content": null, "tool_calls": [{"id": "call_1", "type": "function", "function": {"name": "get_tide", "arguments": "{}"}}]}
""",
        mode="log",
    ),
    Example(
        r"""{"messages": [{"role": "user", "content": "How high is the tide?"}, {"role": "assistant", "tool_calls": [{"id": "call_1", "type": "function", "function": {"name": "get_tide", "arguments": "{}"}}]}]}""",
        mode="finetune",
    ),
    Example(
        r"""[{"role": "user", "content": "How high is the tide?"}, {"role": "assistant", "content": null, "tool_calls": [{"id": "call_1", "type": "function", "function": {"name": "get_tide", "arguments": "{}"}}]}, {"role": "tool", "tool_call_id": "call_1", "content": "2.1 m"}]""",
        target="openai-chat",
    ),
    # A turn that pauses on the provider's own tool.
    Example(
        r"""[{"role": "user", "content": "News?"}, {"role": "assistant", "content": [{"type": "server_tool_use", "id": "srvtoolu_1", "name": "web_search", "input": {"query": "harbour"}}]}]""",
        format="anthropic",
        target="anthropic",
    ),
)

INVALID = (
    Example(
        r"""[{"role": "user", "content": "How high is the tide?"}, {"role": "assistant", "content": null, "tool_calls": [{"id": "call_1", "type": "function", "function": {"name": "get_tide", "arguments": "{}"}}]}]""",
        where=("/1/tool_calls/0",),
        target="openai-chat",
    ),
    Example(
        r"""{"role": "user", "content": "How high is the tide?"}
{"role": "assistant", "content": null, "tool_calls": [{"id": "call_1", "type": "function", "function": {"name": "get_tide", "arguments": "{}"}}, {"id": "call_2", "type": "function", "function": {"name": "get_wind", "arguments": "{}"}}]}
{"role": "tool", "tool_call_id": "call_2", "content": "4 kn"}
""",
        where=("/1/tool_calls/0",),
        mode="request",
    ),
    Example(
        r"""[{"role": "user", "content": "How high is the tide?"}, {"role": "assistant", "content": [{"type": "tool_use", "id": "toolu_1", "name": "get_tide", "input": {}}]}]""",
        where=("/1/content/0",),
        format="anthropic",
        target="anthropic",
    ),
)
