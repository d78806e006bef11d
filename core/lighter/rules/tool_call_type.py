"""A tool call does not say of which type it is, or says one that the target does not know.

## What
A member of `tool_calls` has no `type`, or another one than `function` or `custom`.

## Why it is refused
OpenAI and Azure decide by `type` how to read the call. Other servers of the same wire do not look at it, and rows for chat
templates mostly leave it out, so nothing is said without a target.

## Example
Bad:
```
{"role": "assistant", "content": null, "tool_calls": [{"id": "call_a1", "function": {"name": "read_tide", "arguments": "{}"}}]}
```
Good:
```
{"role": "assistant", "content": null, "tool_calls": [{"id": "call_a1", "type": "function", "function": {"name": "read_tide", "arguments": "{}"}}]}
```

## Fix
Add `"type": "function"`.
"""

from collections.abc import Iterator

from msgspec import UNSET

from lighter.diagnostics import Fix
from lighter.edits import Put, repair
from lighter.passage import Passage
from lighter.rule import Aim, Example, Finding, Refusal, Rule
from lighter.rules._telling import mention_wire_call, shown
from lighter.toolwire import place, tool_calls

RULE = Rule(
    code="P116",
    name="tool-call-type",
    summary="a tool call has no type, or one that the target does not know",
    severity={"openai-chat": "error", "azure-openai": "error"},
    formats=("openai-chat",),
    refusals=(
        Refusal(
            ("openai-chat", "azure-openai"),
            "Missing required parameter: 'messages[2].tool_calls[0].type'.",
            "https://github.com/langchain-ai/langchain-azure/issues/35",
        ),
        Refusal(
            ("Cohere",),
            "tool call must be of type function",
            "https://docs.cohere.com/reference/errors",
        ),
    ),
    source="https://github.com/langchain-ai/langchain-azure/issues/35",
    fix=Fix("safe", 'set `"type": "function"`'),
)


def check(passage: Passage, _aim: Aim) -> Iterator[Finding]:
    """Yield each call without a known type."""
    for call in tool_calls(passage):
        kind = call.raw.get("type", UNSET)
        if call.shape not in ("function", "custom") or kind == call.shape:
            continue
        fault = "no `type`" if kind is UNSET else f"the type {shown(kind)}"
        yield Finding(
            call.message.record,
            place(call.raw, call.path, "type"),
            f"the call has {fault}",
            help=f'set `"type": "{call.shape}"`',
            mentions=(mention_wire_call(call, "this call"),),
            refusals=None if kind is UNSET else (),
            repair=repair(Put(call.message.record, f"{call.path}/type", call.shape)),
        )


def _chat(call: str) -> str:
    return (
        f'{{"role":"user","content":"Tide?"}}\n{{"role":"assistant","content":null,"tool_calls":[{{"id":"call_a1",{call}}}]}}\n'
        '{"role":"tool","tool_call_id":"call_a1","content":"2.1 m"}\n'
    )


_FUNCTION = '"function":{"name":"read_tide","arguments":"{}"}'

VALID = (
    Example(_chat(f'"type":"function",{_FUNCTION}'), format="openai-chat", target="openai-chat"),
    Example(
        _chat('"type":"custom","custom":{"name":"shell","input":"ls -la"}'), format="openai-chat", target="openai-chat"
    ),
    Example(_chat(_FUNCTION), format="openai-chat"),
)

INVALID = (
    Example(_chat(_FUNCTION), where=("/1/tool_calls/0",), format="openai-chat", target="openai-chat"),
    Example(
        _chat(f'"type":"tool_call",{_FUNCTION}'),
        where=("/1/tool_calls/0/type",),
        format="openai-chat",
        target="azure-openai",
    ),
)
