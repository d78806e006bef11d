r"""A conversation begins with the assistant, where the user must begin.

## What
The first message that is no system prompt is the assistant's. Usual causes: the start of the history was cut off, or a greeting
was stored as an answer.

## Why it is refused
Converse refuses conversations that the user does not begin, and so do DeepSeek's first reasoning models. A log without a target
may well begin late, so that nothing is said of it. Anthropic's own API, which once refused them as well, took such a request
in December 2024 while Bedrock refused the same (https://github.com/anthropics/anthropic-sdk-typescript/issues/622).

## Example
Bad:
```
{"role": "assistant", "content": [{"text": "Welcome aboard."}]}
{"role": "user", "content": [{"text": "How high is the tide?"}]}
```
Good:
```
{"role": "user", "content": [{"text": "How high is the tide?"}]}
```

## Fix
Drop the first message, or put one of the user before it. When you trim a history, cut before a message of the user.
"""

from collections.abc import Iterator

from lighter.diagnostics import Fix
from lighter.edits_messages import OPENING, inserted, said_by
from lighter.models import must_alternate
from lighter.passage import Passage
from lighter.rule import Aim, Example, Finding, Mention, Refusal, Rule
from lighter.wire import role_of

RULE = Rule(
    code="M124",
    name="must-start-with-user",
    summary="a conversation begins with the assistant, where the user must begin",
    severity={"bedrock": "error", "deepseek": "error"},
    formats=("bedrock", "openai-chat"),
    refusals=(
        Refusal(
            ("bedrock",),
            "A conversation must start with a user message. Try again with a conversation that starts with a user message.",
            "https://github.com/langgenius/dify/issues/12340",
        ),
        Refusal(
            ("bedrock",),
            'messages: first message must use the "user" role',
            "https://github.com/anthropics/anthropic-sdk-typescript/issues/622",
        ),
        Refusal(
            ("deepseek",),
            "The first message (except the system message) of deepseek-reasoner must be a user message, but an assistant message detected.",
            "https://github.com/ChatGPTNextWeb/NextChat/issues/6343",
        ),
    ),
    source="https://github.com/langgenius/dify/issues/12340",
    fix=Fix("unsafe", "begin with a message of the user that says so"),
)


def check(passage: Passage, aim: Aim) -> Iterator[Finding]:
    """Report a first message of the assistant."""
    if not must_alternate(aim.target, passage.model):
        return
    first = next((message for message in passage.messages if role_of(message) not in ("system", "developer")), None)
    if first is None or not passage.is_first or first.is_response or role_of(first) != "assistant":
        return
    if any(place <= first.index for place in passage.gaps):
        return  # nobody knows what stood before it
    yield Finding(
        first.record,
        first.path,
        "the conversation begins with a message of the assistant",
        help="begin with a message of the user",
        mentions=(Mention(first, "", "comes first"),),
        repair=inserted(passage, first, said_by(passage, "user", OPENING), is_after=False),
    )


_USER = '{"role":"user","content":[{"text":"Tide?"}]}'
_ASSISTANT = '{"role":"assistant","content":[{"text":"Welcome aboard."}]}'


def _body(*messages: str) -> str:
    return f'{{"messages":[{",".join(messages)}],"inferenceConfig":{{}}}}\n'


VALID = (
    Example(_body(_USER, _ASSISTANT, _USER), format="bedrock", target="bedrock"),
    # Without a target nobody is known to refuse it: the log may begin late.
    Example(_body(_ASSISTANT, _USER), format="bedrock"),
)

INVALID = (
    Example(
        '{"model": "deepseek-reasoner", "messages": [{"role": "assistant", "content": "Ahoy!"}, {"role": "user", "content": "Hi"}]}',
        ("/messages/0",),
        target="deepseek",
    ),
    Example(_body(_ASSISTANT, _USER), where=("/0/messages/0",), format="bedrock", target="bedrock"),
    Example(
        '[{"role":"assistant","content":"Welcome aboard."},{"role":"user","content":"Tide?"}]',
        where=("/0",),
        format="openai-chat",
        target="bedrock",
    ),
)
