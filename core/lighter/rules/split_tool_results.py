r"""The results of one turn's parallel calls are spread over several user messages.

## What
An assistant made several calls in one turn; their results stand in several consecutive user messages instead of one. The second
of these messages is reported.

## Why it is refused
Bedrock and several hosts that speak Anthropic's format refuse it, since to them the first message lacks results. Anthropic itself
joins consecutive user messages and accepts it, but its documentation warns that a history of this kind teaches the model to stop
calling tools in parallel.

## Example
Bad:
```
{"role": "user", "content": [{"type": "tool_result", "tool_use_id": "toolu_1", "content": "2.1 m"}]}
{"role": "user", "content": [{"type": "tool_result", "tool_use_id": "toolu_2", "content": "4 kn"}]}
```
Good:
```
{"role": "user", "content": [{"type": "tool_result", "tool_use_id": "toolu_1", "content": "2.1 m"}, {"type": "tool_result", "tool_use_id": "toolu_2", "content": "4 kn"}]}
```

## Fix
Join the messages into one.
"""

from collections.abc import Iterator

from lighter.diagnostics import Fix
from lighter.edits import Repair
from lighter.edits_messages import key_of_content, may_move
from lighter.pairs import Split
from lighter.passage import Passage
from lighter.rule import Aim, Example, Finding, Mention, Refusal, Rule
from lighter.rules._refusals import GEMINI_COUNTS

RULE = Rule(
    code="P108",
    name="split-tool-results",
    summary="the results of one turn's calls are spread over several user messages",
    severity={
        "anthropic": "warning",
        "generic:bedrock": "error",
        "generic:gemini": "error",
    },
    formats=("anthropic", "bedrock", "gemini"),
    refusals=(
        Refusal(
            ("bedrock",),
            "Expected toolResult blocks at messages.2.content for the following Ids: …",
            "https://github.com/genkit-ai/aws-bedrock-js-plugin/issues/664",
        ),
        GEMINI_COUNTS,
    ),
    source="https://docs.anthropic.com/en/docs/agents-and-tools/tool-use/implement-tool-use",
    fix=Fix("safe", "put all results of the turn into its first message"),
)


def check(passage: Passage, _aim: Aim) -> Iterator[Finding]:
    """Report the second message that holds results of one turn, at that message."""
    for split in passage.pairing.splits:
        yield Finding(
            record=split.message.record,
            path=split.message.path,
            message="further results of the same turn stand in a message of their own",
            help="join the messages that hold the results of one turn",
            mentions=(
                Mention(split.message, split.call.call_id, "belongs to"),
                Mention(split.first, "", "this message"),
            ),
            repair=_repair(passage, split),
        )


_CALLS = (
    '{"role": "assistant", "content": [{"type": "tool_use", "id": "toolu_1", "name": "get_tide", "input": {}},'
    ' {"type": "tool_use", "id": "toolu_2", "name": "get_wind", "input": {}},'
    ' {"type": "tool_use", "id": "toolu_3", "name": "get_swell", "input": {}}]}'
)
_TIDE = '{"type": "tool_result", "tool_use_id": "toolu_1", "content": "2.1 m"}'
_WIND = '{"type": "tool_result", "tool_use_id": "toolu_2", "content": "4 kn"}'
_SWELL = '{"type": "tool_result", "tool_use_id": "toolu_3", "content": "0.2 m"}'


def _user(*blocks: str) -> str:
    return f'{{"role": "user", "content": [{", ".join(blocks)}]}}'


def _lines(*messages: str) -> str:
    return "".join(f"{message}\n" for message in messages)


_THANKS = _user('{"type": "text", "text": "Thanks."}')


def _repair(passage: Passage, split: Split) -> Repair | None:
    from lighter.edits_results import moved_blocks  # noqa: PLC0415 - formats are loaded only for what is at fault

    key = key_of_content(split.first)
    if key is None or not may_move(passage, split.message):
        return None
    return moved_blocks(split.first, split.message, key)


VALID = (
    Example(_lines(_CALLS, _user(_TIDE, _WIND, _SWELL), _THANKS), format="anthropic", target="anthropic"),
    # A log without a target: the provider joins them.
    Example(_lines(_CALLS, _user(_TIDE), _user(_WIND), _user(_SWELL)), format="anthropic"),
)

INVALID = (
    # Three messages: one finding, at the second.
    Example(
        f"[{_CALLS}, {_user(_TIDE)}, {_user(_WIND)}, {_user(_SWELL)}]", ("/2",), format="anthropic", target="anthropic"
    ),
    # In another order than the calls.
    Example(_lines(_CALLS, _user(_WIND, _SWELL), _user(_TIDE)), ("/2",), format="anthropic", target="anthropic"),
    # With text beside the later results.
    Example(
        _lines(_CALLS, _user(_TIDE, _WIND), _user(_SWELL, '{"type": "text", "text": "Go on."}')),
        ("/2",),
        format="anthropic",
        target="anthropic",
    ),
)
