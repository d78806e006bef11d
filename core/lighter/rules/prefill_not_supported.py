"""The last message is the assistant's, and the model does not continue it.

## What
A request to Anthropic that ends with an assistant message asks the model to go on from there (a prefill). Models since Claude 4.6
do not take it. A pending tool call or a paused turn at the end is no prefill; without a known model nothing is reported.

## Why it is refused
The feature was removed. It hits sessions that are resumed with a newer model, and agents that store a summary last.

## Example
Bad:
```
{"model": "claude-fable-5", "messages": [{"role": "user", "content": "Title?"}, {"role": "assistant", "content": "title:"}]}
```
Good, for models up to Claude 4.5:
```
{"model": "claude-sonnet-4-5", "messages": [{"role": "user", "content": "Title?"}, {"role": "assistant", "content": "title:"}]}
```

## Fix
End with a user message; say there how the answer shall begin, or ask for structured output.
"""

from collections.abc import Iterator

from lighter.models import is_unknown_claude, supports
from lighter.passage import Passage
from lighter.rule import Aim, Example, Finding, Refusal, Rule
from lighter.rules._telling import shown
from lighter.wire import prefill_of

RULE = Rule(
    code="M111",
    name="prefill-not-supported",
    summary="the last message is the assistant's, and the model does not continue it",
    severity={
        "generic:anthropic": "error",
        "anthropic": "error",
        "generic:bedrock": "error",
    },
    modes=("request",),
    formats=("anthropic", "bedrock"),
    refusals=(
        Refusal(
            ("anthropic",),
            "This model does not support assistant message prefill. The conversation must end with a user message.",
            "https://github.com/vybestack/llxprt-code/issues/3695",
        ),
    ),
    source="https://platform.claude.com/docs/en/api/errors#prefill-not-supported",
)


def check(passage: Passage, _aim: Aim) -> Iterator[Finding]:
    """Find a final assistant message that the model would not continue."""
    message = prefill_of(passage)
    if message is None:
        return
    model = passage.model
    help_ = "end with a user message"
    if supports(model, "prefill") is False:
        said = f"the conversation ends with an assistant message, which {shown(model)} does not continue"
        yield Finding(message.record, message.path, said, help_)
    elif is_unknown_claude(model):
        said = f"the conversation ends with an assistant message; whether {shown(model)} continues it is not known"
        yield Finding(message.record, message.path, said, help_, severity="warning")
    elif model is None:
        said = "the conversation ends with an assistant message, which models from Claude 4.6 on do not continue"
        yield Finding(message.record, message.path, said, help_, severity="info")


VALID = (
    Example(
        '{"model": "claude-sonnet-4-5", "max_tokens": 64, "messages": [{"role": "user", "content": "Title?"}, {"role": "assistant",'
        ' "content": "title:"}]}',
        format="anthropic",
        target="anthropic",
    ),
    Example(
        '{"model": "claude-opus-5", "max_tokens": 64, "messages": [{"role": "user", "content": "News?"}, {"role": "assistant",'
        ' "content": [{"type": "server_tool_use", "id": "srvtoolu_1", "name": "web_search", "input": {"query": "harbour"}}]}]}',
        format="anthropic",
        target="anthropic",
    ),
)

INVALID = (
    # No model is named: it is information.
    Example(
        '[{"role": "user", "content": "Title?"}, {"role": "assistant", "content": "title:"}]',
        ("/1",),
        format="anthropic",
        target="anthropic",
    ),
    Example(
        '{"model": "claude-fable-5", "max_tokens": 64, "messages": [{"role": "user", "content": "Title?"}, {"role": "assistant",'
        ' "content": "title:"}]}',
        ("/messages/1",),
        format="anthropic",
        target="anthropic",
    ),
    Example(
        '{"model": "claude-opus-4-6", "max_tokens": 64, "messages": [{"role": "user", "content": "Title?"}, {"role": "assistant",'
        ' "content": [{"type": "text", "text": "title: "}]}]}',
        ("/messages/1",),
        format="anthropic",
        target="anthropic",
    ),
)
