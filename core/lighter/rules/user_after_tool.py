r"""A message of the user follows a tool result directly.

## What
The user speaks right after a result, and the assistant has not answered the result yet.

## Why it is refused
Chat templates of Mistral's models refuse the order. Mistral's own API takes it today, so that this is a warning. For vLLM it is
told of models that are named after Mistral's or Gemma's, and of unnamed ones where the ids of calls look like Mistral's.

## Example
Bad:
```
{"role": "tool", "tool_call_id": "aaaa11112", "content": "2.1 m"}
{"role": "user", "content": "In feet, please."}
```
Good:
```
{"role": "tool", "tool_call_id": "aaaa11112", "content": "2.1 m"}
{"role": "assistant", "content": "It is 2.1 m."}
{"role": "user", "content": "In feet, please."}
```

## Fix
Put a short answer of the assistant in between.
"""

import re
from collections.abc import Iterator

from lighter.conversation import WireMessage
from lighter.diagnostics import Fix
from lighter.edits_messages import ANSWER, inserted, said_by
from lighter.models import must_alternate
from lighter.passage import Passage
from lighter.rule import Aim, Example, Finding, Mention, Refusal, Rule
from lighter.wire import fields_of, role_of

RULE = Rule(
    code="M126",
    name="user-after-tool",
    summary="a message of the user follows a tool result directly",
    severity={"mistral": "warning", "vllm": "warning"},
    formats=("mistral", "openai-chat"),
    refusals=(
        Refusal(
            ("mistral", "vllm"),
            "Unexpected role 'user' after role 'tool'",
            "https://github.com/NousResearch/hermes-agent/issues/20154",
        ),
        Refusal(
            ("Cohere chat (v1)",),
            "invalid request: cannot specify message if the last entry in chat history contains tool results",
            "https://github.com/oracle/langchain-oracle/pull/9",
        ),
    ),
    source="https://github.com/aliou/pi-neuralwatt/issues/12; mistral_common 1.13.1 takes it",
    fix=Fix("unsafe", "insert an answer of the assistant"),
)

_MISTRAL_ID = re.compile(r"[a-zA-Z0-9]{9}")


def check(passage: Passage, aim: Aim) -> Iterator[Finding]:
    """Report each such message; one that tears a call from its result is told by another rule."""
    if not must_alternate(aim.target, passage.model):
        return
    before = passage.before
    torn = passage.pairing.intruders
    for message in passage.messages:
        if message.index in passage.gaps:
            before = None  # nobody knows what stood between the two
        is_after_tool = before is not None and role_of(before) == "tool" and role_of(message) == "user"
        is_meant = aim.target != "vllm" or passage.model is not None or (before is not None and _is_for_mistral(before))
        if is_after_tool and before is not None and is_meant and message.index not in torn:
            yield Finding(
                message.record,
                message.path,
                "this user message follows a tool result directly",
                help="put an answer of the assistant in between",
                mentions=(Mention(message, "", "speaks"), Mention(before, "", "right after this result")),
                repair=inserted(passage, before, said_by(passage, "assistant", ANSWER), is_after=True),
            )
        before = message


def _is_for_mistral(result: WireMessage) -> bool:
    """Say whether a model that is not named may be Mistral's: the id of the call is like those of its own."""
    call_id = fields_of(result).get("tool_call_id")
    return isinstance(call_id, str) and _MISTRAL_ID.fullmatch(call_id) is not None


_ASK = '{"role":"user","content":"Tide?"}'
_CALL = '{"role":"assistant","content":"","tool_calls":[{"id":"aaaa11112","type":"function","function":{"name":"get_tide","arguments":"{}"}}]}'
_ANSWER = '{"role":"tool","tool_call_id":"aaaa11112","content":"2.1 m"}'
_SAY = '{"role":"assistant","content":"2.1 m"}'


def _list(*messages: str) -> str:
    return f"[{','.join(messages)}]"


VALID = (
    Example(_list(_ASK, _CALL, _ANSWER, _SAY, _ASK), target="mistral"),
    Example(_list(_ASK, _CALL, _ANSWER, _ASK), target="openai-chat"),
    Example(f'{{"model":"Qwen/Qwen3-32B","messages":{_list(_ASK, _CALL, _ANSWER, _ASK)}}}', target="vllm"),
)

INVALID = (
    Example(_list(_ASK, _CALL, _ANSWER, _ASK), where=("/3",), target="mistral"),
    Example(_list(_ASK, _CALL, _ANSWER, _ASK), where=("/3",), target="vllm"),
    Example(_list(_ASK, _CALL, _ANSWER, _ASK, _SAY, _ASK), where=("/3",), format="mistral", target="mistral"),
)
