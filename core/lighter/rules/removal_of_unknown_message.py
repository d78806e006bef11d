"""A removal names no message before it.

## What
A `RemoveMessage` takes back the message that has its id. Here no earlier message of the history has that id: the message was never
added, its id was made up anew, or the history has lost its beginning.

## Why it is refused
LangGraph raises an error for it, and the update that holds the removal fails as a whole. A removal of all (`__remove_all__`) is never
refused.

## Example
Bad:
```
[{"type": "human", "content": "Tide?", "id": "m1"}, {"type": "remove", "content": "", "id": "m2"}]
```
Good:
```
[{"type": "human", "content": "Tide?", "id": "m1"}, {"type": "remove", "content": "", "id": "m1"}]
```

## Fix
Name the id that the message has in the state, or leave the removal out: there is nothing to take back.
"""

from collections.abc import Iterator

from lighter.history import history_in
from lighter.passage import Passage
from lighter.rule import Aim, Example, Finding, Mention, Refusal, Rule
from lighter.rules._langchain import FORMS, id_place, unwrapped_of

RULE = Rule(
    code="M149",
    name="removal-of-unknown-message",
    summary="a removal names no message before it",
    severity={"generic": "error"},
    formats=FORMS,
    refusals=(
        Refusal(
            FORMS,
            "Attempting to delete a message with an ID that doesn't exist ('…')",
            "langgraph 1.2.24 add_messages",
        ),
    ),
    source="langgraph 1.2.24 add_messages",
)


def check(passage: Passage, _aim: Aim) -> Iterator[Finding]:
    """Report each such removal; where lines could not be read, or it was logged without its id, nobody knows what it names."""
    if passage.gaps or not passage.is_first:
        return
    for edit in history_in(passage).edits:
        removal = unwrapped_of(edit.wire.raw)
        if edit.fate == "unknown" and removal is not None and removal.fields.get("id") is not None:
            yield Finding(
                edit.wire.record,
                id_place(edit.wire),
                "no message before it has this id",
                "name the id that the message has, or leave the removal out",
                mentions=(Mention(edit.wire, label="takes nothing back"),),
            )


_ASKED = '{"type": "human", "content": "Tide?", "id": "m1"}'

VALID = (
    Example(
        f'[{_ASKED}, {{"type": "ai", "content": "2.1 m", "id": "m2"}}, {{"type": "remove", "content": "", "id": "m1"}}]'
    ),
    Example(f'[{_ASKED}, {{"type": "remove", "content": "", "id": "__remove_all__"}}]'),
    Example(
        f'[{_ASKED}, {{"type": "remove", "content": "", "id": "m1"}}, {{"type": "remove", "content": "", "id": "m1"}}]'
    ),
)

INVALID = (
    Example(f'[{_ASKED}, {{"type": "remove", "content": "", "id": "m2"}}]', ("/1/id",)),
    Example(
        '{"lc": 1, "type": "constructor", "id": ["langchain_core", "messages", "RemoveMessage"], "kwargs": {"content": [], "id": "m1"}}\n'
        '{"lc": 1, "type": "constructor", "id": ["langchain_core", "messages", "HumanMessage"], "kwargs": {"content": "Tide?", "id": "m1"}}\n',
        ("/0/kwargs/id",),
    ),
)
