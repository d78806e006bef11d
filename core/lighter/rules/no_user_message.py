"""A conversation has no message of the user.

## What
System, assistant and tool messages stand there, and none is the user's.

## Why it is refused
The chat template of Qwen3.5 and later looks for the user's last question, and raises an exception where there is none. Templates of
other models do not mind: where no model is named this is a warning. Z.ai refuses a request without the user, too, and MiniMax one
that is a system prompt alone.

## Example
Bad:
```
{"model": "Qwen/Qwen3.5-27B", "messages": [{"role": "system", "content": "Tell a joke."}]}
```
Good:
```
{"model": "Qwen/Qwen3.5-27B", "messages": [{"role": "user", "content": "Tell a joke."}]}
```

## Fix
Write the instruction as the user's message.
"""

from collections.abc import Iterator

from lighter.models import QWEN_TEMPLATES
from lighter.passage import Passage
from lighter.rule import Aim, Example, Finding, Refusal, Rule
from lighter.wire import list_of_messages, role_of

RULE = Rule(
    code="M145",
    name="no-user-message",
    summary="a conversation has no message of the user",
    severity={"vllm": "error", "zai": "error", "minimax": "error"},
    modes=("request",),
    formats=("openai-chat",),
    refusals=(
        Refusal(("vllm",), "No user query found in messages.", "https://github.com/vllm-project/vllm/issues/36432"),
        Refusal(("minimax",), "invalid params, chat content is empty (2013)", "", is_rarer=True),
    ),
    source="https://github.com/vllm-project/vllm/issues/36432",
)


def check(passage: Passage, aim: Aim) -> Iterator[Finding]:
    """Find a whole conversation without the user."""
    is_template = aim.target == "vllm"
    if is_template and passage.model is not None and not QWEN_TEMPLATES.search(passage.model):
        return
    if not (passage.is_first and passage.is_last) or not passage.messages:
        return
    roles = {role_of(message) for message in passage.messages}
    if "user" in roles or (aim.target == "minimax" and roles != {"system"}):
        return
    place = list_of_messages(passage)
    yield Finding(
        passage.record,
        place[0] if place else "",
        "no message is the user's",
        "write what is asked as the user's message",
        severity="warning" if is_template and passage.model is None else None,
    )


VALID = (
    # A log may begin without the user.
    Example('[{"role": "system", "content": "You joke."}]', target="vllm", mode="log"),
    Example('[{"role": "system", "content": "You joke."}, {"role": "user", "content": "Go on"}]', target="vllm"),
    Example(
        '{"model": "meta-llama/Llama-4", "messages": [{"role": "system", "content": "Tell a joke."}]}', target="vllm"
    ),
)

INVALID = (
    Example('[{"role": "system", "content": "Tell a joke."}]', ("",), target="minimax"),
    Example(
        '{"model": "glm-5", "messages": [{"role": "system", "content": "You joke."}, {"role": "assistant", "content": "Ahoy!"}]}',
        ("/messages",),
        target="zai",
    ),
    Example(
        '{"model": "Qwen/Qwen3.5-27B", "messages": [{"role": "system", "content": "Tell a joke."}]}',
        ("/messages",),
        target="vllm",
    ),
    Example('[{"role": "system", "content": "Tell a joke."}]', ("",), target="vllm"),
)
