r"""A request ends with a message of the assistant, where the user or a tool must come last.

## What
The last message is the model's and calls nothing. A call that waits for its result is told by `pending-tool-call`. Mistral takes a
last message of the assistant that says `"prefix": true`, and continues it.

## Why it is refused
Gemini and Mistral answer the user or a tool, and here there is nothing to answer. Others continue such a message, or answer all
the same. A log may end as it likes: only requests are judged.

## Example
Bad:
```
{"role": "user", "parts": [{"text": "How high is the tide?"}]}
{"role": "model", "parts": [{"text": "2.1 m"}]}
```
Good:
```
{"role": "user", "parts": [{"text": "How high is the tide?"}]}
```

## Fix
Append the user's next message, or cut the last message off.
"""

from collections.abc import Iterator, Mapping
from typing import Any

from lighter.passage import Passage
from lighter.rule import Aim, Example, Finding, Mention, Refusal, Rule
from lighter.toolwire import malformed_calls, tool_calls
from lighter.wire import fields_of, role_of

RULE = Rule(
    code="M125",
    name="ends-with-assistant",
    summary="a request ends with a message of the assistant, where the user or a tool must come last",
    severity={"generic:gemini": "error", "generic:mistral": "error", "mistral": "error"},
    formats=("gemini", "mistral", "openai-chat"),
    modes=("request",),
    refusals=(
        Refusal(
            ("gemini",),
            "Please ensure that multiturn requests ends with a user role or a function response.",
            "https://github.com/crewAIInc/crewAI/issues/6973",
        ),
        Refusal(
            ("mistral",),
            "Expected last role User or Tool (or Assistant with prefix True) for serving but got assistant",
            "https://github.com/langchain-ai/langchain/issues/23703",
        ),
        Refusal(
            ("mistral", "vLLM with Mistral's tokenizer"),
            "Cannot set `add_generation_prompt` to True when the last message is from the assistant. Consider using `continue_final_message` instead.",
            "https://github.com/mistralai/mistral-vibe/issues/114",
        ),
        Refusal(
            ("gateways",),
            "Last message role should be 'user'",
            "",
        ),
        Refusal(
            ("gemini",),
            "Please ensure that single turn requests end with a user role or the role field is empty.",
            "https://github.com/microsoft/semantic-kernel/issues/13262",
        ),
    ),
    source="https://github.com/songquanpeng/one-api/issues/836",
)


def check(passage: Passage, _aim: Aim) -> Iterator[Finding]:
    """Report a last message of the assistant that neither calls a tool nor asks to be continued."""
    if not passage.messages or not passage.is_last:
        return
    last = passage.messages[-1]
    if any(place > last.index for place in passage.gaps):
        return  # nobody knows what stood after it
    is_calling = any(call.message is last for call in tool_calls(passage))
    is_calling = is_calling or any(call.message is last for call in malformed_calls(passage))
    if role_of(last) not in ("assistant", "model") or last.is_response or is_calling or not _says(fields_of(last)):
        return
    yield Finding(
        last.record,
        last.path,
        "the request ends with a message of the assistant",
        help="append the user's next message, or cut this one off",
        mentions=(Mention(last, "", "nothing is left to answer"),),
    )


def _says(fields: Mapping[str, Any]) -> bool:
    """Say whether a message holds something; an entry of Mistral's Conversations, and a message to continue, are others' affair."""
    is_entry = "type" in fields or "object" in fields
    return bool(fields.get("content") or fields.get("parts")) and not is_entry and fields.get("prefix") is not True


_CHAT = '[{"role":"user","content":"Title?"},{"role":"assistant","content":"Tides"%s}]'


def _contents(*more: str) -> str:
    contents = ('{"role":"user","parts":[{"text":"Tide?"}]}', '{"role":"model","parts":[{"text":"2.1 m"}]}', *more)
    return f'{{"contents":[{",".join(contents)}],"generationConfig":{{}}}}\n'


VALID = (
    Example(_contents('{"role":"user","parts":[{"text":"Now?"}]}'), target="gemini"),
    # Nothing is asked of a log.
    Example(_contents()),
    Example(_CHAT % ',"prefix":true', target="mistral"),
    # Others continue it, or answer.
    Example(_CHAT % "", target="openai-chat"),
)

INVALID = (
    Example(_contents(), where=("/0/contents/1",), target="gemini"),
    Example(_CHAT % "", where=("/1",), format="openai-chat", target="mistral"),
    Example(_CHAT % "", where=("/1",), format="mistral", mode="request"),
)
