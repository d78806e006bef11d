r"""A message holds a document and no text.

## What
A user message has a `document` block, and no `text` block beside it. Documents inside tool results need none.

## Why it is refused
Converse wants to be told what to do with a document.

## Example
Bad:
```
{"role": "user", "content": [{"document": {"name": "tides", "format": "pdf", "source": {"bytes": "JVBERi0="}}}]}
```
Good:
```
{"role": "user", "content": [{"text": "When is high tide?"}, {"document": {"name": "tides", "format": "pdf", "source": {"bytes": "JVBERi0="}}}]}
```

## Fix
Add a text block to the message.
"""

from collections.abc import Iterator

from lighter.diagnostics import Fix
from lighter.edits import Insert, repair
from lighter.passage import Passage
from lighter.rule import Aim, Example, Finding, Mention, Refusal, Rule
from lighter.wire import parts_of, role_of

RULE = Rule(
    code="M127",
    name="document-needs-text",
    summary="a message holds a document and no text",
    severity={"generic:bedrock": "error"},
    formats=("bedrock",),
    refusals=(
        Refusal(
            ("bedrock",),
            "A text block must be included when using documents.",
            "https://github.com/archestra-ai/archestra/issues/4220",
        ),
    ),
    source="https://github.com/archestra-ai/archestra/issues/4220",
    fix=Fix("unsafe", "add a text block"),
)

_TEXTS = ("text", "guardContent")

LOOKS_BEYOND_TEXT = True


def check(passage: Passage, _aim: Aim) -> Iterator[Finding]:
    """Report each message of the user with a document and without text."""
    for message in passage.messages:
        parts = list(parts_of(message)) if role_of(message) == "user" else []
        has_document = any(isinstance(part.fields.get("document"), dict) for part in parts)
        if has_document and not any(part.fields.get(key) is not None for part in parts for key in _TEXTS):
            yield Finding(
                message.record,
                message.path,
                "this message holds a document and no text",
                help='add a text block, such as `{"text": "See the document."}`',
                mentions=(Mention(message, "", "a document alone"),),
                repair=repair(Insert(message.record, parts[-1].path, {"text": "See the document."}, is_after=True)),
            )


_DOCUMENT = '{"document":{"name":"tides","format":"pdf","source":{"bytes":"JVBERi0="}}}'


def _body(*blocks: str) -> str:
    return f'{{"messages":[{{"role":"user","content":[{",".join(blocks)}]}}],"inferenceConfig":{{}}}}\n'


VALID = (
    Example(_body(_DOCUMENT, '{"text":"When is high tide?"}'), format="bedrock", target="bedrock"),
    Example(_body('{"text":"When is high tide?"}'), format="bedrock", target="bedrock"),
    # A document inside a tool result.
    Example(
        _body(f'{{"toolResult":{{"toolUseId":"tooluse_1","content":[{_DOCUMENT}]}}}}'),
        format="bedrock",
        target="bedrock",
    ),
)

INVALID = (
    Example(_body(_DOCUMENT), where=("/0/messages/0",), format="bedrock", target="bedrock"),
    Example(_body(_DOCUMENT, _DOCUMENT.replace("tides", "winds")), where=("/0/messages/0",), format="bedrock"),
)
