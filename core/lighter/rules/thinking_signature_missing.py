"""A thinking block has no signature.

## What
Anthropic signs what a model thought. A `thinking` block comes back to it as it was given, signature included; the text may be
empty (`display: omitted`), the signature may not.

## Why it is refused
An unsigned block cannot be told from one that somebody wrote. It is lost when a stream's `signature_delta` is ignored, and was
never there when the thought is another model's.

## Example
Bad:
```
[{"role": "assistant", "content": [{"type": "thinking", "thinking": "Look at the gauge."}, {"type": "text", "text": "2.1 m"}]}]
```
Good:
```
[{"role": "assistant", "content": [{"type": "thinking", "thinking": "", "signature": "EqQB"}, {"type": "text", "text": "2.1 m"}]}]
```

## Fix
Drop the block where the API does not need it: everywhere but in the tool loop that is still going on with thinking enabled.
"""

from collections.abc import Iterator

from lighter.diagnostics import Fix
from lighter.edits_messages import dropping_part
from lighter.passage import Passage
from lighter.rule import Aim, Example, Finding, Refusal, Rule
from lighter.rules._quotes import said_with
from lighter.wire import messages_of, parts_of

RULE = Rule(
    code="R101",
    name="thinking-signature-missing",
    summary="a thinking block has no signature",
    severity={"anthropic": "error"},
    formats=("anthropic",),
    refusals=(
        Refusal(
            ("anthropic",),
            "messages.1.content.0: Invalid `signature` in `thinking` block",
            "https://github.com/code-yeongyu/oh-my-openagent/issues/2775",
        ),
        Refusal(
            ("anthropic",),
            "messages.1.content.0.thinking.signature: Field required",
            "https://github.com/langchain-ai/langchain/pull/29971",
        ),
        Refusal(
            ("anthropic",),
            "messages.1.content.0.thinking.signature: Input should be a valid string",
            "anthropic 2.14.0 ThinkingBlockParam.signature",
        ),
    ),
    source="https://github.com/code-yeongyu/oh-my-openagent/issues/2775",
    fix=Fix("unsafe", "drop the block"),
)


def check(passage: Passage, _aim: Aim) -> Iterator[Finding]:
    """Find thinking blocks without a signature."""
    for message in messages_of(passage, "anthropic"):
        for part in parts_of(message):
            signature = part.fields.get("signature")
            if part.kind == "thinking" and not (isinstance(signature, str) and signature):
                words = "Invalid" if "signature" in part.fields else "Field required"
                said, help_ = "this thinking block has no signature", "drop the block, or restore its signature"
                made = dropping_part(passage, message, part)
                yield Finding(message.record, part.path, said, help_, refusals=said_with(RULE, words), repair=made)


VALID = (
    Example(
        '[{"role": "user", "content": "Tide?"}, {"role": "assistant", "content": [{"type": "thinking", "thinking": "", "signature":'
        ' "EqQB"}, {"type": "text", "text": "2.1 m"}]}, {"role": "user", "content": "Thanks"}]',
        format="anthropic",
        target="anthropic",
    ),
    Example(
        '[{"role": "user", "content": "Tide?"}, {"role": "assistant", "content": [{"type": "redacted_thinking", "data": "EmwK"},'
        ' {"type": "text", "text": "2.1 m"}]}, {"role": "user", "content": "Thanks"}]',
        format="anthropic",
        target="anthropic",
    ),
)

INVALID = (
    Example(
        '[{"role": "user", "content": "Tide?"}, {"role": "assistant", "content": [{"type": "thinking", "thinking": "Look at the'
        ' gauge."}, {"type": "text", "text": "2.1 m"}]}, {"role": "user", "content": "Thanks"}]',
        ("/1/content/0",),
        format="anthropic",
        target="anthropic",
    ),
    Example(
        '[{"role": "user", "content": "Tide?"}, {"role": "assistant", "content": [{"type": "thinking", "thinking": "Hm", "signature":'
        ' ""}, {"type": "text", "text": "2.1 m"}]}, {"role": "user", "content": "Thanks"}]',
        ("/1/content/0",),
        format="anthropic",
        target="anthropic",
    ),
)
