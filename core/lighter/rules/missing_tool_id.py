"""A tool call or a tool result has no id.

## What
The `id` of a call, or the `tool_call_id` (`tool_use_id`) of a result, is absent, null or empty. A call and its result that both
lack it are told once, at the call.

## Why it is refused
The id is what ties a result to its call; without it the provider cannot tell which call was answered. Chats for a chat template
(Hugging Face data sets) need no ids: where no id occurs at all and no target is given, nothing is said. In the formats of
Anthropic and Bedrock, which no template reads, an id never may be missing.

## Example
Bad: `{"role": "tool", "content": "11.4 C"}`
Good: `{"role": "tool", "tool_call_id": "call_a1", "content": "11.4 C"}`

## Fix
Give the call an id and repeat it in its result. Safe where the order leaves no doubt which result answers which call.
"""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple, TypeVar

from lighter.conversation import WireMessage
from lighter.diagnostics import Applicability, Fix
from lighter.edits import Repair
from lighter.pairs import CallAt
from lighter.passage import Passage
from lighter.providers import TARGETS, Target, get_target
from lighter.rule import Aim, Example, Finding, Mention, Refusal, Rule
from lighter.rules._telling import mention_wire_call, shown
from lighter.toolwire import WireCall, WireResult, has_ids, is_missing, malformed_calls, tool_calls, tool_results
from lighter.wire import fields_of

RULE = Rule(
    code="P112",
    name="missing-tool-id",
    summary="a tool call or a tool result has no id",
    severity={"generic": "error", "openai-chat": "error", "azure-openai": "error", "anthropic": "error"},
    formats=("openai-chat", "anthropic", "openai-responses", "bedrock", "mistral", "cohere"),
    refusals=(
        Refusal(
            ("openai-chat", "azure-openai"),
            "Missing parameter 'tool_call_id': messages with role 'tool' must have a 'tool_call_id'.",
            "https://github.com/run-llama/multi-agent-concierge/issues/16",
        ),
        Refusal(
            ("anthropic",),
            "messages.1.content.0.tool_use.id: String should match pattern '^[a-zA-Z0-9_-]+$'",
            "https://github.com/QwenLM/qwen-code/issues/8160",
            is_rarer=True,
        ),
        Refusal(
            ("mistral",),
            "Tool call id has to be defined.",
            "mistral_common 1.13.1 MistralRequestValidatorV3",
        ),
        Refusal(
            ("mistral",),
            "Tool call id was call_PTLP8xhu but must be a-z, A-Z, 0-9, with a length of 9.",
            "https://github.com/mistralai/client-js/issues/69",
            is_rarer=True,
        ),
        Refusal(
            ("bedrock",),
            'Missing required parameter in messages[1].content[0].toolUse: "toolUseId"',
            "botocore 1.44.8 ToolUseBlock",
        ),
        Refusal(
            ("anthropic",),
            "messages.1.content.1.tool_use.id: Field required",
            "https://github.com/anomalyco/opencode/issues/8675",
        ),
        Refusal(
            ("anthropic",),
            "messages.1.content.0.tool_use.id: Input should be a valid string",
            "anthropic 2.14.0 ToolUseBlockParam.id",
        ),
        Refusal(
            ("anthropic",),
            "messages.2.content.0.tool_result.tool_use_id: Field required",
            "anthropic 2.14.0 ToolResultBlockParam.tool_use_id",
        ),
        Refusal(
            ("anthropic",),
            "messages.2.content.0.tool_result.tool_use_id: Input should be a valid string",
            "anthropic 2.14.0 ToolResultBlockParam.tool_use_id",
        ),
        Refusal(
            ("openai-chat", "azure-openai"),
            "Missing required parameter: 'messages[3].tool_calls[0].id'.",
            "openai 3.57.0 ChatCompletionMessageFunctionToolCallParam.id",
        ),
        Refusal(
            ("openai-chat", "azure-openai"),
            "Invalid type for 'messages[2].tool_calls[0].id': expected a string, but got null instead.",
            "https://github.com/VectorlyApp/bluebox/pull/115",
        ),
        Refusal(
            ("openai-chat", "azure-openai"),
            "Invalid type for 'messages[2].tool_call_id': expected a string, but got null instead.",
            "openai 3.57.0 ChatCompletionToolMessageParam.tool_call_id",
        ),
        Refusal(
            ("openai-chat", "azure-openai"),
            "Invalid 'messages[1].tool_calls[0].id': empty string. Expected a string with minimum length 1, but got an empty string instead.",
            "openai 3.57.0 ChatCompletionMessageFunctionToolCallParam.id",
        ),
        Refusal(
            ("openai-chat", "azure-openai"),
            "Invalid 'messages[2].tool_call_id': string too short. Expected a string with minimum length 1, but got an empty string instead.",
            "openai 3.57.0 ChatCompletionToolMessageParam.tool_call_id",
        ),
        Refusal(
            ("openai-responses",),
            "Missing required parameter: 'input[2].call_id'.",
            "openai 3.57.0 FunctionCallOutput.call_id",
        ),
        Refusal(
            ("openai-responses",),
            "Invalid 'input[2].call_id': empty string. Expected a string with minimum length 1, but got an empty string instead.",
            "openai 3.57.0 FunctionCallOutput.call_id",
        ),
        Refusal(
            ("groq",),
            "'messages.3' : for 'role:tool' the following must be satisfied[('messages.3.tool_call_id' : property 'tool_call_id' is missing)]",
            "https://github.com/hackclub/ai/issues/22",
        ),
        Refusal(
            ("cohere",),
            "tool call id must be provided with tool message",
            "https://docs.cohere.com/reference/errors",
        ),
        Refusal(
            ("anthropic",),
            "messages.1.content.0.tool_use.id: String should have at least 1 character",
            "anthropic 2.14.0 ToolUseBlockParam.id",
        ),
        Refusal(
            ("bedrock",),
            "1 validation error detected: Value '' at 'messages.2.member.content.1.member.toolUse.toolUseId' failed to satisfy constraint: Member must have length greater than or equal to 1",
            "botocore 1.44.8 ToolUseBlock.toolUseId",
        ),
    ),
    source="https://github.com/QwenLM/qwen-code/issues/8160",
    # It pairs by order, and reads no ids.
    spares=("llamafactory",),
    fix=Fix("safe", "give call and result a common id where their order leaves no doubt"),
)

_OF_ONE_PROVIDER = ("anthropic", "bedrock")
"""Formats of one provider each, which asks for the ids; no rows for chat templates are written in them."""


def check(passage: Passage, aim: Aim) -> Iterator[Finding]:
    """Yield each call without an id, and each result without one whose call has one."""
    calls = [call for call in tool_calls(passage) if call.shape != "legacy"]
    if aim.target == "generic" and passage.format not in _OF_ONE_PROVIDER and not has_ids(passage):
        return  # rows for a chat template
    target = get_target(aim.format if aim.target == "generic" and aim.format in TARGETS else aim.target)
    for call in calls:
        if is_missing(call.id):
            made = _repair_of_call(passage, call, target)
            yield Finding(
                call.message.record,
                call.id_path,
                f"a call of {shown(call.name)} has no id" if isinstance(call.name, str) else "a call has no id",
                help="give the call an id, and its result the same one"
                + ("" if made else ": say which result that is"),
                mentions=(mention_wire_call(call, "no id"),),
                repair=made,
            )
    without_id = [result for result in tool_results(passage) if is_missing(result.id)]
    if not without_id:
        return
    # The messages of a log stand in records of their own, so that a path alone tells no result.
    answered = {(result.wire.index, result.path): call for call, result in passage.pairing.answers}
    first_malformed = min((broken.message.index for broken in malformed_calls(passage)), default=None)
    # Where pairing goes by ids alone, each such result is told at a call before it that has none either.
    lacking = [call for call in passage.once(_loose).calls if call.shape != "legacy"]
    for result in without_id:
        if _is_told_at_call(result, answered, first_malformed):
            continue
        if lacking and lacking[0].message.index < result.message.index:
            del lacking[0]
            continue
        yield Finding(
            result.message.record,
            result.id_path,
            f"a tool result has no `{result.key}`",
            help=f"set `{result.key}` to the id of the call that it answers",
            mentions=(Mention(result.message, label="answers which call?"),),
            repair=_repair_of_result(passage, answered.get((result.message.index, result.path)), result),
        )


def _repair_of_call(passage: Passage, call: WireCall, target: Target) -> Repair | None:
    """Give a call the id of its result, or both a new one; position alone tells them apart where they have different names.

    None where a result stands in its turn that may be its own, and nothing tells whether it is.
    """
    from lighter.edits_ids import made_id, new_id_at_call, new_id_at_result, results_of  # noqa: PLC0415 - loaded only for what is at fault

    results = results_of(passage, call)
    applicability: Applicability | None = None
    if not results:
        lacking, unclaimed = _unpaired(passage, call)
        if unclaimed and (len(lacking) != len(unclaimed) or not _is_right_behind(passage, lacking, unclaimed)):
            return None
        results = [unclaimed[lacking.index(call)]] if unclaimed else []
        applicability = "unsafe" if len(unclaimed) > 1 or _has_guesses(passage, call.message) else None
    elif any(_is_in_doubt(passage, call.message, call.name, result) for result in results):
        applicability = "unsafe"
    here = _between(passage.once(_loose).nameless, call.message.index - 1, call.message.index + 1)
    is_told_by_name = len({str(other.name) for other in here}) == len(here)
    if results and not is_told_by_name and not _stand_in_order(passage, here):
        applicability = "unsafe"
    own = [r.id for r in results if isinstance(r.id, str) and r.id]
    new = own[0] if own else made_id(f"{call.message.record.row} {call.path} {call.name}", target)
    return Repair(
        (new_id_at_call(call, new), *(new_id_at_result(r, new) for r in results if r.id != new)), applicability
    )


def _is_in_doubt(passage: Passage, message: WireMessage, name: object, result: WireResult) -> bool:
    """Say whether a result that was paired by its position may as well be that of another call of a message, which has none."""
    pairing = passage.pairing
    lost = [call for call in (*pairing.unanswered, *pairing.pending) if call.wire.index == message.index]
    is_nameless = is_missing(result.name)
    same = [call for call in lost if is_nameless or result.name != name or call.tool_name == name]
    return any(is_missing(result.id) or not call.call_id for call in same)


def _has_guesses(passage: Passage, message: WireMessage) -> bool:
    """Say whether some call of a message was paired with a result by position alone, which may be that of another."""
    answers = passage.pairing.answers
    return any(c.wire.index == message.index and not (c.call_id and r.call_id) for c, r in answers)


Found = TypeVar("Found", WireCall, WireResult)


class _Loose(NamedTuple):
    """What lies loose in a passage, in the order of messages.

    `users`: where the user asks. `nameless`: calls without an id, `calls` those of them that were not paired. `results` answer no call.
    """

    users: Sequence[int]
    nameless: Sequence[WireCall]
    calls: Sequence[WireCall]
    results: Sequence[WireResult]


def _loose(passage: Passage) -> _Loose:
    calls, results, answers = tool_calls(passage), list(tool_results(passage)), passage.pairing.answers
    held = {result.message.index for result in results}
    answered = {(result.wire.record.row, result.path) for _, result in answers}
    paired = {(other.wire.record.row, other.path) for other, _ in answers}
    known = {call.id for call in calls if isinstance(call.id, str)}
    nameless = [call for call in calls if is_missing(call.id)]
    return _Loose(
        [m.index for m in passage.messages if fields_of(m).get("role") == "user" and m.index not in held],
        nameless,
        [call for call in nameless if (call.message.record.row, call.path) not in paired],
        [
            result
            for result in results
            if (is_missing(result.id) or (isinstance(result.id, str) and result.id not in known))
            and (result.message.record.row, result.path) not in answered
        ],
    )


def _unpaired(passage: Passage, call: WireCall) -> tuple[Sequence[WireCall], Sequence[WireResult]]:
    """Give the calls without an id of what one request of the user led to, and the results there that are of no other call."""
    loose, at = passage.once(_loose), call.message.index
    before, after = bisect_left(loose.users, at), bisect_right(loose.users, at)
    start = loose.users[before - 1] if before else -1
    end = loose.users[after] if after < len(loose.users) else passage.messages[-1].index + 1
    return _between(loose.calls, start, end), _between(loose.results, start, end)


def _between(found: Sequence[Found], start: int, end: int) -> Sequence[Found]:
    """Give what stands in messages after one and before another."""
    return found[bisect_right(found, start, key=_index_of) : bisect_left(found, end, key=_index_of)]


def _index_of(found: WireCall | WireResult) -> int:
    return found.message.index


def _is_right_behind(passage: Passage, calls: Sequence[WireCall], results: Sequence[WireResult]) -> bool:
    """Say whether results stand behind calls with nothing but others of the same turn in between, and no name differs."""
    if any(
        not is_missing(result.name) and result.name != call.name for call, result in zip(calls, results, strict=True)
    ):
        return False
    with_calls = {call.message.index for call in tool_calls(passage)}
    with_results = {result.message.index for result in tool_results(passage)}
    between = (m for m in passage.messages if calls[0].message.index <= m.index <= results[-1].message.index)
    order = "".join(
        "c" if m.index in with_calls else "r" if m.index in with_results else "x"
        for m in between
        if fields_of(m).get("type") != "reasoning"
    )
    return re.fullmatch("c+r+", order) is not None


def _stand_in_order(passage: Passage, calls: Sequence[WireCall]) -> bool:
    """Say whether each of some calls has one result, in the order of the calls."""
    from lighter.edits_ids import results_of  # noqa: PLC0415 - loaded only for what is at fault

    found = [results_of(passage, call) for call in calls]
    places = [(results[0].message.index, results[0].path) for results in found if len(results) == 1]
    return len(places) == len(calls) and places == sorted(places)


def _repair_of_result(passage: Passage, call: CallAt | None, result: WireResult) -> Repair | None:
    from lighter.edits_ids import new_id_at_result  # noqa: PLC0415 - loaded only for what is at fault

    if call is None or not call.call_id:
        return None
    is_in_doubt = _is_in_doubt(passage, call.wire, call.tool_name, result)
    return Repair((new_id_at_result(result, call.call_id),), "unsafe" if is_in_doubt else None)


def _is_told_at_call(
    result: WireResult, answered: Mapping[tuple[int, str], CallAt], first_malformed: int | None
) -> bool:
    """Say whether the call that a result answers by its position lacks the id too, or cannot be read at all."""
    call = answered.get((result.message.index, result.path))
    if call is not None:
        return not call.call_id
    return first_malformed is not None and first_malformed < result.message.index


_CALL = '{"role":"assistant","content":null,"tool_calls":[{"id":"call_a1","type":"function","function":{"name":"read_tide","arguments":"{}"}}]}'
_CALL_WITHOUT_ID = '{"role":"assistant","content":null,"tool_calls":[{"id":null,"type":"function","function":{"name":"read_tide","arguments":"{}"}}]}'

VALID = (
    Example(
        f'{{"role":"user","content":"Tide?"}}\n{_CALL}\n{{"role":"tool","tool_call_id":"call_a1","content":"2.1 m"}}\n'
    ),
    # A row for a chat template: nobody has an id.
    Example(
        '{"messages":[{"role":"user","content":"Tide?"},{"role":"assistant","tool_calls":[{"type":"function","function":{"name":"read_tide",'
        '"arguments":{"pier":3}}}]},{"role":"tool","name":"read_tide","content":"2.1 m"}]}\n',
        format="openai-chat",
    ),
    # Old function calls never had one.
    Example(
        '{"role":"user","content":"Tide?"}\n{"role":"assistant","content":null,"function_call":{"name":"read_tide","arguments":"{}"}}\n'
        '{"role":"function","name":"read_tide","content":"2.1 m"}\n',
        format="openai-chat",
        target="openai-chat",
    ),
)

INVALID = (
    Example(
        f'{{"role":"user","content":"Tide?"}}\n{_CALL}\n{{"role":"tool","content":"2.1 m"}}\n',
        where=("/2",),
        format="openai-chat",
    ),
    Example(
        f'{{"role":"user","content":"Tide?"}}\n{_CALL_WITHOUT_ID}\n{{"role":"tool","tool_call_id":"call_a1","content":"2.1 m"}}\n',
        where=("/1/tool_calls/0/id",),
        format="openai-chat",
    ),
    Example(
        '{"messages":[{"role":"user","content":"Tide?"},{"role":"assistant","content":[{"type":"tool_use","id":"","name":"read_tide","input":{}}]},'
        '{"role":"user","content":[{"type":"tool_result","tool_use_id":"","content":"2.1 m"}]}]}\n',
        where=("/0/messages/1/content/0/id",),
        format="anthropic",
        target="anthropic",
    ),
    # Anthropic refuses it whatever else the history holds.
    Example(
        '[{"role":"user","content":"Tide?"},{"role":"assistant","content":[{"type":"tool_use","id":"","name":"read_tide","input":{}}]},'
        '{"role":"user","content":[{"type":"tool_result","tool_use_id":"","content":"2.1 m"}]}]',
        where=("/1/content/0/id",),
        format="anthropic",
    ),
    Example(
        '[{"role":"user","content":"Tide?"},{"role":"assistant","content":[{"type":"tool_use","name":"read_tide","input":{}}]},'
        '{"role":"user","content":[{"type":"tool_result","content":"2.1 m"}]}]',
        where=("/1/content/0",),
        format="anthropic",
    ),
)
