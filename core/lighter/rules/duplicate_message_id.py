"""Two messages have the same id, so that the later one takes the place of the earlier.

## What
LangGraph keeps one message for each id: a message whose id an earlier one has is not added but put in its place. That is how a message
is edited, and merely worth knowing. Where the two are of different kinds, or answer different calls, it is hardly meant: ids
were counted up anew, or two messages of one run were given the same.

## Why it is refused
Nobody refuses it; the earlier message silently disappears from the state, and what it said or answered with it.

## Example
Bad:
```
[{"type": "human", "content": "Tide?", "id": "run-1"}, {"type": "ai", "content": "2.1 m", "id": "run-1"}]
```
Good:
```
[{"type": "human", "content": "Tide?", "id": "run-0"}, {"type": "ai", "content": "2.1 m", "id": "run-1"}]
```

## Fix
Give each message an id of its own, or none.
"""

from collections.abc import Iterator
from typing import Any

from lighter.diagnostics import Severity
from lighter.history import Edit, history_in
from lighter.jsontext import is_same
from lighter.passage import Passage
from lighter.rule import Aim, Example, Finding, Mention, Rule
from lighter.rules._langchain import FORMS, id_place, unwrapped_of

RULE = Rule(
    code="M147",
    name="duplicate-message-id",
    summary="two messages have the same id, so that the later one takes the place of the earlier",
    severity={"generic": "warning"},
    formats=FORMS,
    source="https://github.com/langchain-ai/langgraphjs/issues/2730, langgraph 1.2.24 add_messages",
)


def check(passage: Passage, _aim: Aim) -> Iterator[Finding]:
    """Report each message that takes an earlier one's place, unless it is the same message again."""
    for edit in history_in(passage).edits:
        if edit.fate == "replaced" and not is_same(edit.wire.raw, edit.by.raw):
            yield Finding(
                edit.by.record,
                id_place(edit.by),
                "takes the place of an earlier message, whose id it has",
                "give it an id of its own if both are meant to stay",
                mentions=(Mention(edit.by, label="stays"), Mention(edit.wire, label="is gone")),
                severity=_severity(edit),
            )


def _severity(edit: Edit) -> Severity:
    """Say how much it matters: an edit of a message is merely worth knowing."""
    return "info" if _what(edit.wire.raw) == _what(edit.by.raw) else "warning"


def _what(raw: Any) -> tuple[Any, Any]:
    """Tell the kind of a message, and which call it answers."""
    unwrapped = unwrapped_of(raw)
    return (unwrapped.kind, unwrapped.fields.get("tool_call_id")) if unwrapped else (None, None)


_ASKED = '{"type": "human", "content": "Tide?", "id": "run-1"}'

VALID = (
    Example(f'[{_ASKED}, {{"type": "ai", "content": "2.1 m", "id": "run-2"}}]'),
    # The same message again, as in a log of what was added.
    Example(f'[{_ASKED}, {{"type": "ai", "content": "2.1 m", "id": "run-2"}}, {_ASKED}]'),
    # Pieces of one message.
    Example(
        f'[{_ASKED}, {{"type": "AIMessageChunk", "content": "2.1", "id": "run-2"}},'
        ' {"type": "AIMessageChunk", "content": " m", "id": "run-2"}]'
    ),
)

INVALID = (
    Example(f'[{_ASKED}, {{"type": "ai", "content": "2.1 m", "id": "run-1"}}]', ("/1/id",)),
    Example(
        f'{{"messages": [{_ASKED}, {{"type": "ai", "content": "2.1 m", "id": "b"}}, {{"type": "ai", "content": "7 ft", "id": "b"}}]}}',
        ("/messages/2/id",),
    ),
    Example(
        '[["human", "Both tides?"], {"role": "ai", "content": "", "tool_calls": [{"id": "c1", "name": "f", "args": {}},'
        ' {"id": "c2", "name": "f", "args": {}}]}, {"type": "tool", "content": "1 m", "tool_call_id": "c1", "id": "t"},'
        ' {"type": "tool", "content": "2 m", "tool_call_id": "c2", "id": "t"}]',
        ("/3/id",),
        format="langchain-dump",
    ),
)
