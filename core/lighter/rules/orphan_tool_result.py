r"""A tool result answers no call.

## What
A tool message (`tool_result` block at Anthropic) names a call that the assistant's turn before it did not make: the call was
cut away with the start of the history, its id was rewritten, or the result stands before its call.

## Why it is refused
Providers accept a result only as the answer to a call that they can see. The usual cause is trimming: the oldest messages were
dropped to save tokens, and the cut went through the middle of a call and its result (LangChain's `trim_messages` does so unless it
is told to start on a human message, https://github.com/langchain-ai/langchain/issues/33245).

## Example
Bad:
```
{"role": "tool", "tool_call_id": "call_9", "content": "2.1 m"}
{"role": "user", "content": "Thanks."}
```
Good:
```
{"role": "assistant", "content": null, "tool_calls": [{"id": "call_9", "type": "function", "function": {"name": "get_tide", "arguments": "{}"}}]}
{"role": "tool", "tool_call_id": "call_9", "content": "2.1 m"}
{"role": "user", "content": "Thanks."}
```

## Fix
Put the call back, or correct the id; else delete the result, or turn it into user text. When you trim a history, cut before a
user message that is no tool result; `lighter trim` does.
"""

from collections.abc import Iterator
from itertools import islice

from lighter.diagnostics import Fix
from lighter.edits import Put, Repair, unsafe
from lighter.likeness import nearest
from lighter.messages import SystemMessage, ToolMessage
from lighter.pairs import MOST_OPEN, CallAt, Orphan, ResultAt
from lighter.passage import Passage
from lighter.rule import Aim, Example, Finding, Mention, Refusal, Rule
from lighter.rules._refusals import BEDROCK_TOO_MANY, GEMINI_ORDER
from lighter.rules._telling import mention_call, mention_result, shown, tell_result
from lighter.wire import role_of

RULE = Rule(
    code="P102",
    name="orphan-tool-result",
    summary="a tool result answers no call",
    severity={"generic": "error", "openai-chat": "error", "azure-openai": "error", "anthropic": "error"},
    refusals=(
        Refusal(
            ("openai-chat", "azure-openai"),
            "messages with role 'tool' must be a response to a preceeding message with 'tool_calls'",
            "https://github.com/run-llama/llama_index/issues/10493",
        ),
        Refusal(
            ("anthropic",),
            "unexpected `tool_use_id` found in `tool_result` blocks",
            "https://github.com/anthropics/claude-code/issues/18947",
        ),
        GEMINI_ORDER,
        BEDROCK_TOO_MANY,
        Refusal(
            ("mistral",),
            "Unexpected tool call id … in tool results",
            "mistral_common 1.13.1 MistralRequestValidatorV11",
        ),
        Refusal(
            ("mistral",),
            "Unexpected role 'tool' after role 'user'",
            "mistral_common 1.13.1 MistralRequestValidator",
        ),
        Refusal(
            ("openai-responses",),
            "No tool call found for function call output with call_id call_….",
            "https://github.com/microsoft/vscode/issues/320060",
        ),
        Refusal(
            ("minimax",),
            "invalid params, tool result's tool id(call_function_…) not found (2013)",
            "https://github.com/MiniMax-AI/MiniMax-M2/issues/76",
        ),
        Refusal(
            ("minimax",),
            "invalid params, tool call result does not follow tool call (2013)",
            "https://github.com/anomalyco/opencode/issues/32608",
        ),
        Refusal(
            ("cohere",),
            "tool call id not found in previous tool calls",
            "https://docs.cohere.com/reference/errors",
        ),
        Refusal(("moonshot",), "Invalid request: tool_call_id  is not found", ""),
        Refusal(
            ("mistral",),
            "Unexpected role RoleEnum.tool",
            "https://github.com/mistralai/mistral-inference/issues/135",
        ),
        Refusal(
            ("vllm",),
            "Message has tool role, but there was no previous assistant message with a tool call!",
            "https://github.com/HKUDS/nanobot/issues/2007",
        ),
    ),
    source="https://platform.openai.com/docs/guides/function-calling",
    # Its own order of turns is all that it minds (`ft-row-skipped`).
    spares=("llamafactory",),
    fix=Fix("unsafe", "drop the result"),
)

LOOKS_BEYOND_TEXT = True


def check(passage: Passage, _aim: Aim) -> Iterator[Finding]:
    """Report each result without a call, at the message or block that holds it."""
    cut = _beginning(passage) if _begins_here(passage) else ()
    for orphan in passage.pairing.orphans:
        from lighter.edits_results import dropped_result  # noqa: PLC0415 - formats are loaded only for what is at fault

        result = orphan.result
        if result.kind == "legacy" and _is_view(result):
            continue
        yield Finding(
            record=result.wire.record,
            path=result.path,
            message=f"tool result for {tell_result(result)} answers no call",
            help=_help(orphan, is_cut=result.wire.index in cut),
            mentions=(mention_result(result, "no call before it has this id"), *_mentions(orphan)),
            # Nobody was seen to refuse a message of the deprecated role `function`.
            severity="warning" if result.kind == "legacy" else None,
            repair=_renamed(passage, orphan) or dropped_result(passage, result),
        )


def _begins_here(passage: Passage) -> bool:
    """Say whether nothing but system prompts stands before the passage."""
    past = passage.past
    is_all = bool(past) and past[0].index == 0
    return passage.is_first or (is_all and all(role_of(wire) in ("system", "developer") for wire in past))


def _renamed(passage: Passage, orphan: Orphan) -> Repair | None:
    """Give a result the id of the call right before it, where its own is another spelling of that and of no other call's.

    Its place alone says nothing: between a call and the result of another, both other ends may have been cut out.
    """
    from lighter.edits_ids import all_ids, are_spellings_of_one  # noqa: PLC0415 - loaded only for what is at fault

    result, pairing = orphan.result, passage.pairing
    if not orphan.is_next or result.id_path == result.path or len(orphan.open_calls) > MOST_OPEN:
        return None
    named = [call for call in orphan.open_calls if are_spellings_of_one(call.call_id, result.call_id)]
    if len(named) != 1 or not _may_answer(result, named[0]):
        return None
    known = (*all_ids(passage), *(other.result.call_id for other in pairing.orphans))
    if sum(are_spellings_of_one(known_id, result.call_id) for known_id in known) != 2:  # its own, and the call's
        return None
    if named[0] not in (*pairing.unanswered, *pairing.pending):
        return None
    call = named[0]
    return unsafe(
        "give it the id of the call before it, as that is spelled",
        Put(result.wire.record, result.id_path, call.call_id),
    )


def _may_answer(result: ResultAt, call: CallAt) -> bool:
    """Say whether nothing in a result speaks against its being that of a call."""
    return (result.tool_name or result.told_name or None) in (None, call.tool_name)


def _is_view(result: ResultAt) -> bool:
    """Say whether a result stands in a view of LangChain's messages (its blocks alone), which shows no calls of functions."""
    raw = result.wire.raw
    return isinstance(raw, dict) and "content" not in raw and ("content_blocks" in raw or "contentBlocks" in raw)


def _beginning(passage: Passage) -> frozenset[int]:
    """Give the indices of the results with which a history begins, behind its system prompt: its beginning was cut off."""
    found: set[int] = set()
    for entry in passage.entries:
        if isinstance(entry.message, ToolMessage):
            found.add(entry.wire.index)
        elif not isinstance(entry.message, SystemMessage):
            break
    return frozenset(found)


def _help(orphan: Orphan, *, is_cut: bool) -> str:
    may_be = [call for call in orphan.open_calls if orphan.is_next and _may_answer(orphan.result, call)]
    ids = [call.call_id for call in may_be if call.call_id]
    near = nearest(orphan.result.call_id, ids) or (ids[0] if len(ids) == 1 else None)
    if near:
        return f"did you mean {shown(near)}, which waits for its result?"
    if is_cut:
        return (
            "the history was cut between the call and its result: cut it before a user message, as `lighter trim` does"
        )
    return "put the call that it answers back before it, or remove the result"


def _mentions(orphan: Orphan) -> Iterator[Mention]:
    label = "the only open call" if len(orphan.open_calls) == 1 else "an open call"
    calls = (call for call in orphan.open_calls if orphan.is_next and _may_answer(orphan.result, call))
    yield from (mention_call(call, label) for call in islice(calls, 3))


VALID = (
    Example(
        r"""{"role": "assistant", "content": null, "tool_calls": [{"id": "call_9", "type": "function", "function": {"name": "get_tide", "arguments": "{}"}}]}
{"role": "tool", "tool_call_id": "call_9", "content": "2.1 m"}
{"role": "user", "content": "Thanks."}
"""
    ),
    # An answer of the old kind has no id at all.
    Example(
        r"""{"role": "assistant", "content": null, "function_call": {"name": "get_tide", "arguments": "{}"}}
{"role": "function", "name": "get_tide", "content": "2.1 m"}
"""
    ),
    # The result of a broken call: the call alone is at fault.
    Example(
        r"""{"role": "assistant", "content": null, "tool_calls": [{"id": "call_9"}]}
{"role": "tool", "tool_call_id": "call_9", "content": "2.1 m"}
"""
    ),
    # Results after a message that came in between are late, not orphaned.
    Example(
        r"""{"role": "assistant", "content": null, "tool_calls": [{"id": "call_9", "type": "function", "function": {"name": "get_tide", "arguments": "{}"}}]}
{"role": "user", "content": "In metres, please."}
{"role": "tool", "tool_call_id": "call_9", "content": "2.1 m"}
"""
    ),
)

INVALID = (
    Example(
        r"""{"role": "tool", "tool_call_id": "call_9", "content": "2.1 m"}
{"role": "user", "content": "Thanks."}
""",
        where=("/0",),
    ),
    Example(
        r"""{"role": "assistant", "content": null, "tool_calls": [{"id": "call_9", "type": "function", "function": {"name": "get_tide", "arguments": "{}"}}]}
{"role": "tool", "tool_call_id": "call_8", "content": "2.1 m"}
{"role": "user", "content": "Thanks."}
""",
        where=("/1",),
    ),
    # The result stands before its call: one fault, not two.
    Example(
        r"""{"role": "user", "content": "How high is the tide?"}
{"role": "tool", "tool_call_id": "call_9", "content": "2.1 m"}
{"role": "assistant", "content": null, "tool_calls": [{"id": "call_9", "type": "function", "function": {"name": "get_tide", "arguments": "{}"}}]}
{"role": "user", "content": "Thanks."}
""",
        where=("/1",),
    ),
    Example(
        r"""[{"role": "user", "content": [{"type": "tool_result", "tool_use_id": "toolu_9", "content": "2.1 m"}, {"type": "text", "text": "Go on."}]}]""",
        where=("/0/content/0",),
        format="anthropic",
        target="anthropic",
    ),
)
