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

import re
from collections.abc import Callable, Iterator
from typing import Any

from lighter import jsontext
from lighter.diagnostics import Fix
from lighter.edits import Repair, unsafe
from lighter.pairs import RepeatedResult, ResultAt
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
    fix=Fix("safe", "drop the later of two equal results"),
)


def check(passage: Passage, _aim: Aim) -> Iterator[Finding]:
    """Report the later result of two, at the message or block that holds it."""
    for repeated in passage.pairing.repeated_results:
        from lighter.edits_results import dropped_result  # noqa: PLC0415 - formats are loaded only for what is at fault

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
            repair=_repair(passage, repeated, dropped_result),
        )


_PLACEHOLDERS = re.compile(r"\b(?:abort|cancel|interrupt|not executed|not answered|no result)", re.IGNORECASE)
"""Words of results that clients make up for calls whose own is lost."""


def _repair(
    passage: Passage, repeated: RepeatedResult, drop: Callable[[Passage, ResultAt], Repair | None]
) -> Repair | None:
    """Drop the later of two equal results, or the one that was made up because the other was not there yet."""
    result, first = repeated.result, repeated.first
    if first is None:
        made = drop(passage, result)
        return made and unsafe("drop it; the first stands too far back to be compared", *made.edits)
    later, earlier = _text_of(result), _text_of(first)
    if later is None or earlier is None:
        return None
    if later == earlier:
        return drop(passage, result)
    chosen = first if _PLACEHOLDERS.search(earlier) else result if _PLACEHOLDERS.search(later) else None
    made = drop(passage, chosen) if chosen else None
    return made and unsafe("drop the one that was made up", *made.edits)


def _text_of(result: ResultAt) -> str | None:
    """Give a result as text, without what says when and by whom it was written down, in one spelling of all."""
    try:
        value = jsontext.value_at(result.wire.record.value, result.path)
    except LookupError:
        return None
    return jsontext.encode_text(_plain(value))


_ABOUT = ("id", "uuid", "timestamp", "created_at", "ts")


def _plain(value: Any) -> Any:
    """Leave out of a result what tells nothing of it, as that it is no error; a text alone is told like a list of it."""
    if not isinstance(value, dict):
        return value
    kept = {key: item for key, item in value.items() if key not in (*_ABOUT, "cache_control")}
    if kept.get("is_error") is False:
        del kept["is_error"]
    if kept.get("status") == "success":
        del kept["status"]
    for key in ("content", "output"):
        if key in kept:
            kept[key] = _plain_content(kept[key])
    return {**kept, "toolResult": _plain(kept["toolResult"])} if "toolResult" in kept else kept


def _plain_content(content: Any) -> Any:
    if not isinstance(content, list):
        return content
    blocks = [
        {key: item for key, item in block.items() if key != "cache_control"} if isinstance(block, dict) else block
        for block in content
    ]
    match blocks:
        case [{"text": str(text), **rest}] if rest in _OF_TEXTS:
            return text
        case _:
            return blocks or ""


_OF_TEXTS: tuple[dict[str, str], ...] = ({}, {"type": "text"}, {"type": "input_text"})
"""What a block of text has beside it."""


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
