r"""A call stands among `invalid_tool_calls`: its arguments did not parse, so that it was neither run nor answered.

## What
LangChain puts a call whose arguments are no JSON into `invalid_tool_calls` of the message, with the text and the error. Agents run
only what stands in `tool_calls`, so nothing answers it. One that an error result answers is no fault; one that the conversation
passes over is reported as `missing-tool-result`.

## Why it is refused
LangChain's integrations do not agree on it: for OpenAI the call is sent, and the provider asks for its result; for Anthropic it was
left out until September 2026, and a result that answers it was one too many. Either way the next turn fails.

## Example
Bad:
```
[{"type": "human", "content": "Tide?"}, {"type": "ai", "content": "", "tool_calls": [], "invalid_tool_calls": [{"type": "invalid_tool_call", "id": "call_1", "name": "read_tide", "args": "{\"pier\": ", "error": "no JSON"}]}]
```
Good: the same with a result whose `status` is `error` behind it, or with the arguments mended and the call among `tool_calls`.

## Fix
Answer the call with an error result that says what is wrong with its arguments, so that the model can try again.
"""

from collections.abc import Iterator

from lighter.passage import Passage
from lighter.rule import Aim, Example, Finding, Mention, Rule
from lighter.rules._langchain import FORMS, unwrapped_in
from lighter.rules._telling import shown

RULE = Rule(
    code="A107",
    name="invalid-tool-calls",
    summary="a call whose arguments did not parse was neither run nor answered",
    severity={"generic": "info"},
    formats=FORMS,
    source="https://github.com/bytedance/deer-flow/issues/2890, https://github.com/langchain-ai/langchain/pull/40372",
)

NEEDLES = (b"invalid_tool_calls",)

LOOKS_BEYOND_TEXT = True


def check(passage: Passage, _aim: Aim) -> Iterator[Finding]:
    """Report each such call that has no result, unless it is told to be missing one; pieces of a stream are no calls yet."""
    pairing = passage.pairing
    settled = {call.path for call, _ in pairing.answers} | {call.path for call in pairing.unanswered}
    for message, unwrapped in unwrapped_in(passage):
        calls = unwrapped.fields.get("invalid_tool_calls")
        is_piece = unwrapped.is_chunk or unwrapped.fields.get("tool_call_chunks")
        if unwrapped.kind != "ai" or is_piece or not isinstance(calls, list):
            continue
        for index, call in enumerate(calls):
            path = f"{message.path}{unwrapped.prefix}/invalid_tool_calls/{index}"
            if isinstance(call, dict) and path not in settled:
                name = call.get("name")
                what = (
                    f"the arguments of {shown(name)}" if isinstance(name, str) and name else "the arguments of a call"
                )
                yield Finding(
                    message.record,
                    path,
                    f"{what} did not parse, and nothing answers the call",
                    "answer it with an error result, or mend the arguments and move the call to `tool_calls`",
                    mentions=(Mention(message, label="the call was not run"),),
                )


_CALL = r'{"type": "invalid_tool_call", "id": "call_1", "name": "read_tide", "args": "{\"pier\": ", "error": "no JSON"}'


def _said(calls: str) -> str:
    return f'{{"type": "ai", "content": "", "tool_calls": [], "invalid_tool_calls": [{calls}]}}'


VALID = (
    Example(f'[{{"type": "human", "content": "Tide?"}}, {_said("")}]'),
    Example(
        f'[{{"type": "human", "content": "Tide?"}}, {_said(_CALL)}, {{"type": "tool", "content": "no JSON", "status": "error",'
        ' "tool_call_id": "call_1"}]'
    ),
)

INVALID = (
    Example(f'[{{"type": "human", "content": "Tide?"}}, {_said(_CALL)}]', ("/1/invalid_tool_calls/0",)),
    Example(
        '{"lc": 1, "type": "constructor", "id": ["langchain", "schema", "messages", "HumanMessage"], "kwargs": {"content": "Tide?"}}\n'
        '{"lc": 1, "type": "constructor", "id": ["langchain", "schema", "messages", "AIMessage"], "kwargs": {"content": "",'
        f' "invalid_tool_calls": [{_CALL}]}}}}\n',
        ("/1/kwargs/invalid_tool_calls/0",),
    ),
)
