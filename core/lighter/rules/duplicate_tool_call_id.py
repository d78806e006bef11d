r"""Two tool calls have the same id.

## What
Ids tie results to calls, so two calls of one turn must not share one. Anthropic wants them to be unique in the whole request;
chats in OpenAI's shape may use an id again in a later turn (several models number their calls from zero in each turn), and that
is not reported.

## Why it is refused
With one id for two calls nobody can say which of them a result answers. Usual causes: ids made of a counter or of the tool's
name, a turn that was stored twice, forked sessions that were merged.

## Example
Bad:
```
{"role": "assistant", "content": null, "tool_calls": [{"id": "edit:1", "type": "function", "function": {"name": "edit", "arguments": "{\"line\": 1}"}}, {"id": "edit:1", "type": "function", "function": {"name": "edit", "arguments": "{\"line\": 2}"}}]}
```
Good:
```
{"role": "assistant", "content": null, "tool_calls": [{"id": "edit:1", "type": "function", "function": {"name": "edit", "arguments": "{\"line\": 1}"}}, {"id": "edit:2", "type": "function", "function": {"name": "edit", "arguments": "{\"line\": 2}"}}]}
```

## Fix
Give the later call an id of its own, and its result the same. If the turn was stored twice, delete one copy.
"""

from collections.abc import Iterator

from lighter.diagnostics import Fix
from lighter.edits import Repair, unsafe
from lighter.pairs import CallAt, RepeatedCall
from lighter.passage import Passage
from lighter.providers import TARGETS, Target, get_target
from lighter.rule import Aim, Example, Finding, Refusal, Rule
from lighter.rules._telling import mention_call, shown

RULE = Rule(
    code="P105",
    name="duplicate-tool-call-id",
    summary="two tool calls have the same id",
    severity={"generic": "error", "openai-chat": "error", "azure-openai": "error", "anthropic": "error"},
    refusals=(
        Refusal(
            ("anthropic",), "`tool_use` ids must be unique", "https://github.com/anthropics/claude-code/issues/28515"
        ),
        Refusal(
            ("openai-chat", "azure-openai"),
            "Duplicate value for 'tool_call_id' of '…', in messages[7] and messages[8]",
            "https://github.com/openclaw/openclaw/issues/40914",
            is_rarer=True,
        ),
        Refusal(
            ("mistral",),
            "Duplicate tool call id … in assistant message",
            "mistral_common 1.13.1 MistralRequestValidatorV11",
        ),
        Refusal(
            ("cohere",),
            "cannot have duplicate tool ids",
            "https://docs.cohere.com/reference/errors",
        ),
    ),
    source="https://docs.anthropic.com/en/docs/agents-and-tools/tool-use/implement-tool-use",
    # Its own order of turns is all that it minds (`ft-row-skipped`).
    spares=("llamafactory",),
    fix=Fix("safe", "give the later call and its result an id of their own"),
)

UNIQUE_IN_REQUEST = frozenset({"anthropic", "openai-responses"})
"""Formats in which an id may not come back in a later turn either."""


def check(passage: Passage, aim: Aim) -> Iterator[Finding]:
    """Report the later call of two, at its id."""
    for repeated in passage.pairing.repeated_calls:
        if not repeated.is_same_turn and aim.format not in UNIQUE_IN_REQUEST:
            continue
        call, first = repeated.call, repeated.first
        if first is not None and _is_one_item(passage, call, first):
            continue
        target = get_target(aim.format if aim.target == "generic" and aim.format in TARGETS else aim.target)
        where = "of the same turn" if repeated.is_same_turn else "of an earlier turn"
        yield Finding(
            record=call.wire.record,
            path=call.id_path,
            message=f"id {shown(call.call_id)} is already the id of a call {where}",
            help="give this call and its result an id of their own",
            mentions=(
                mention_call(call, "the same id again"),
                *((mention_call(first, "first used here"),) if first and first.wire is not call.wire else ()),
            ),
            repair=_repair(passage, repeated, target),
        )


def _repair(passage: Passage, repeated: RepeatedCall, target: Target) -> Repair | None:
    """Give the later call and its result an id of their own; which result is whose in one turn, their order alone tells.

    A call that stands there twice, and is answered once, was made once.
    """
    from lighter.edits_ids import (  # noqa: PLC0415 - loaded only for what is at fault
        distinct_ids,
        new_id_at_call,
        new_id_at_result,
        results_of,
        wire_call_of,
    )

    call = wire_call_of(passage, repeated.call)
    if call is None or not isinstance(call.id, str):
        return None
    results = results_of(passage, call)
    if repeated.is_same_turn and not results:
        from lighter.edits_results import dropped_call  # noqa: PLC0415 - as above

        first = wire_call_of(passage, repeated.first) if repeated.first else None
        is_copy = first is not None and first.raw == call.raw
        return unsafe("drop the copy", *dropped_call(passage, repeated.call)) if is_copy else None
    new = distinct_ids(passage, target)[call.message.record.row, call.path]
    edits = (new_id_at_call(call, new), *(new_id_at_result(result, new) for result in results))
    return Repair(edits, "unsafe" if repeated.is_same_turn else None)


def _is_one_item(passage: Passage, call: CallAt, first: CallAt) -> bool:
    """Say whether an item of the Responses API stands there twice, which is told by its own id."""
    if passage.format != "openai-responses":
        return False
    ids = [item.raw.get("id") for item in passage.messages if item.path in (call.path, first.path)]
    return len(ids) == 2 and isinstance(ids[0], str) and ids[0] == ids[1]


VALID = (
    # In another turn, which OpenAI accepts.
    Example(
        r"""{"role": "assistant", "tool_calls": [{"id": "edit:0", "type": "function", "function": {"name": "edit", "arguments": "{\"line\": 1}"}}]}
{"role": "tool", "tool_call_id": "edit:0", "content": "ok"}
{"role": "assistant", "tool_calls": [{"id": "edit:0", "type": "function", "function": {"name": "edit", "arguments": "{\"line\": 2}"}}]}
{"role": "tool", "tool_call_id": "edit:0", "content": "ok"}
"""
    ),
    Example(
        r"""[{"role": "assistant", "content": [{"type": "tool_use", "id": "toolu_1", "name": "edit", "input": {"line": 1}}, {"type": "tool_use", "id": "toolu_2", "name": "edit", "input": {"line": 2}}]}, {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "toolu_1"}, {"type": "tool_result", "tool_use_id": "toolu_2"}]}]""",
        format="anthropic",
        target="anthropic",
    ),
)

INVALID = (
    # One result is enough for both: there is no missing result besides.
    Example(
        r"""{"role": "assistant", "tool_calls": [{"id": "edit:1", "type": "function", "function": {"name": "edit", "arguments": "{\"line\": 1}"}}, {"id": "edit:1", "type": "function", "function": {"name": "edit", "arguments": "{\"line\": 2}"}}]}
{"role": "tool", "tool_call_id": "edit:1", "content": "ok"}
{"role": "user", "content": "Next."}
""",
        where=("/0/tool_calls/1/id",),
    ),
    Example(
        r"""[{"role": "user", "content": "How high is the tide?"}, {"role": "assistant", "content": [{"type": "tool_use", "id": "toolu_1", "name": "get_tide", "input": {}}]}, {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "toolu_1", "content": "2.1 m"}]}, {"role": "assistant", "content": [{"type": "tool_use", "id": "toolu_1", "name": "get_tide", "input": {}}]}, {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "toolu_1", "content": "2.0 m"}]}]""",
        where=("/3/content/0/id",),
        format="anthropic",
        target="anthropic",
    ),
)
