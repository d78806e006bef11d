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

from lighter.conversation import WireMessage
from lighter.diagnostics import Fix
from lighter.edits import Repair
from lighter.edits_messages import may_move, moved_after
from lighter.pairs import CallAt, Intrusion, ResultAt
from lighter.passage import Passage
from lighter.rule import Aim, Example, Finding, Mention, Refusal, Rule
from lighter.rules._refusals import BEDROCK_TOO_FEW, GEMINI_ORDER
from lighter.rules._telling import mention_call, mention_result, shown, tell_call, tell_message
from lighter.toolwire import malformed_calls, tool_calls

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
        yield Finding(
            record=message.record,
            path=message.path,
            message=f"{tell_message(message)} stands between the call of {tell_call(call)} and its result",
            help=_help(passage, intrusion),
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


def _help(passage: Passage, intrusion: Intrusion) -> str:
    call = intrusion.call
    last = f"the result of {shown(call.call_id)}" if call.call_id else "the results"
    if _holds_results_in_place(passage, intrusion):
        return f"move {last} alone back to the call: others beside it stand right"
    if _may_be_of_later_call(passage, intrusion):
        return f"move it after {last}, unless these are of a later call"
    return f"move it after {last}"


def _repair(passage: Passage, intrusion: Intrusion) -> Repair | None:
    """Move all that stands between the calls and the last of their results behind that one.

    A message that holds results of later calls too stays where it is, and only the late result leaves it.
    """
    late, between = _late(passage, intrusion), _between(passage, intrusion)
    if not between:
        return None
    if _holds_results_in_place(passage, intrusion):
        from lighter.edits_results import moved_back  # noqa: PLC0415 - formats are loaded only for what is at fault

        return moved_back(passage, *late[0])
    last = max((result.wire for _, result in late), key=lambda wire: wire.index)
    if not may_move(passage, last, *between):
        return None
    return Repair(moved_after(between, last), "unsafe" if _may_be_of_later_call(passage, intrusion) else None)


def _late(passage: Passage, intrusion: Intrusion) -> list[tuple[CallAt, ResultAt]]:
    """Give the calls of a turn whose results stand behind the intruder, with these."""
    start, intruder = intrusion.call.wire.index, intrusion.message.index
    answers = passage.pairing.answers
    return [(c, r) for c, r in answers if c.wire.index == start and r.wire.index > intruder]


def _between(passage: Passage, intrusion: Intrusion) -> list[WireMessage]:
    """Give the messages from the intruder to the last result that hold none of the turn's results."""
    answers = {result.wire.index for _, result in _late(passage, intrusion)}
    return [m for m in passage.messages if intrusion.message.index <= m.index < max(answers) and m.index not in answers]


def _holds_results_in_place(passage: Passage, intrusion: Intrusion) -> bool:
    """Say whether a message with a late result holds one of a later call too, behind which it stands right."""
    wires = {result.wire.index for _, result in _late(passage, intrusion)}
    later = {message.index for message in _between(passage, intrusion)}
    return any(r.wire.index in wires and c.wire.index in later for c, r in passage.pairing.answers)


def _may_be_of_later_call(passage: Passage, intrusion: Intrusion) -> bool:
    """Say whether no id ties a late result to its call, while others call something in between."""
    if all(result.call_id and result.call_id == call.call_id for call, result in _late(passage, intrusion)):
        return False
    later = {message.index for message in _between(passage, intrusion)}
    calling = {c.message.index for c in tool_calls(passage)} | {c.message.index for c in malformed_calls(passage)}
    return not later.isdisjoint(calling)


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
