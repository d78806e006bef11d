"""The last message is the assistant's, and its text ends with white space.

## What
A request to Anthropic that ends with assistant text asks the model to go on from there. That text must not end with a space or a
line break. Earlier assistant messages may.

## Why it is refused
The model would have to go on in the middle of a token. It happens with `{"role": "assistant", "content": "title: "}`, and when an
answer that ends with a line break is sent back as the last message.

## Example
Bad:
```
{"messages": [{"role": "user", "content": "Title?"}, {"role": "assistant", "content": "title: "}]}
```
Good:
```
{"messages": [{"role": "user", "content": "Title?"}, {"role": "assistant", "content": "title:"}]}
```

## Fix
Strip the white space at the end of the last text block.
"""

from collections.abc import Iterator

from lighter.diagnostics import Fix
from lighter.edits import Put, repair
from lighter.models import supports
from lighter.passage import Passage
from lighter.rule import Aim, Example, Finding, Refusal, Rule
from lighter.wire import fields_of, parts_of, prefill_of

RULE = Rule(
    code="M112",
    name="trailing-whitespace-prefill",
    summary="the last message is the assistant's, and its text ends with white space",
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
            "messages: final assistant content cannot end with trailing whitespace",
            "https://github.com/langchain-ai/langchain-google/issues/1733",
        ),
    ),
    source="https://github.com/tailcallhq/forgecode/issues/1872",
    fix=Fix("safe", "strip the white space at the end"),
)


def check(passage: Passage, _aim: Aim) -> Iterator[Finding]:
    """Find white space at the end of a final assistant message; a model that takes no such message is another fault."""
    message = prefill_of(passage)
    model = passage.model
    if message is None or supports(model, "prefill") is False:
        return
    if passage.format == "bedrock" and supports(model, "prefill") is None:
        return  # another maker's model, as far as can be told
    content = fields_of(message).get("content")
    path = f"{message.path}/content"
    if isinstance(content, list):
        blocks = list(parts_of(message))
        content = (
            blocks[-1].fields.get("text")
            if blocks and (blocks[-1].kind == "text" or passage.format == "bedrock")
            else None
        )
        path = blocks[-1].path if blocks else path
    if isinstance(content, str) and content.strip() and content != content.rstrip():
        is_block = isinstance(fields_of(message).get("content"), list)
        made = repair(Put(message.record, f"{path}/text" if is_block else path, content.rstrip()))
        said = "the last assistant text ends with white space"
        yield Finding(message.record, path, said, "strip the white space", repair=made)


VALID = (
    Example(
        '[{"role": "user", "content": "a"}, {"role": "assistant", "content": "ends with a break\\n"}, {"role": "user", "content": "b"}]',
        format="anthropic",
        target="anthropic",
    ),
    Example(
        '[{"role": "user", "content": "Title?"}, {"role": "assistant", "content": "title:"}]',
        format="anthropic",
        target="anthropic",
    ),
    Example(
        '[{"role": "user", "content": "Title?"}, {"role": "assistant", "content": [{"type": "thinking", "thinking": "Hm. ",'
        ' "signature": "EqQB"}, {"type": "text", "text": "title:"}]}]',
        format="anthropic",
        target="anthropic",
    ),
)

INVALID = (
    Example(
        '{"model": "claude-sonnet-4-5", "max_tokens": 64, "messages": [{"role": "user", "content": "Title?"}, {"role": "assistant",'
        ' "content": "title: "}]}',
        ("/messages/1/content",),
        format="anthropic",
        target="anthropic",
    ),
    Example(
        '[{"role": "user", "content": "Title?"}, {"role": "assistant", "content": [{"type": "text", "text": "title:\\n"}]}]',
        ("/1/content/0",),
        format="anthropic",
        target="anthropic",
    ),
)
