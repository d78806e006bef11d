"""A reasoning item is not followed by the item that it led to.

## What
In OpenAI's Responses a `reasoning` item belongs to the item after it: a message with its own id, or a call. Here something else
follows (a user's message, a second reasoning item, an assistant's message without an id), or nothing at all.

## Why it is refused
The provider checks that reasoning is sent back with what it produced. Usual causes: a turn was interrupted, the answer was
trimmed or edited, items were rebuilt as plain messages.

## Example
Bad:
```
[{"role": "user", "content": "Count the boats"}, {"type": "reasoning", "id": "rs_1", "summary": []}, {"role": "user", "content": "Well?"}]
```
Good:
```
[{"role": "user", "content": "Count the boats"}, {"type": "reasoning", "id": "rs_1", "summary": []}, {"type": "message", "id": "msg_1", "role": "assistant", "status": "completed", "content": [{"type": "output_text", "text": "Seven.", "annotations": []}]}, {"role": "user", "content": "Well?"}]
```

## Fix
Drop the reasoning item, or send what followed it as the provider gave it.
"""

from collections.abc import Iterator

from lighter.conversation import WireMessage
from lighter.diagnostics import Fix
from lighter.edits_messages import dropping
from lighter.passage import Passage
from lighter.rule import Aim, Example, Finding, Mention, Refusal, Rule
from lighter.rules._items import TARGETS, id_of, is_of_model, items_of, kind_of
from lighter.rules._telling import shown

RULE = Rule(
    code="R120",
    name="reasoning-without-item",
    summary="a reasoning item is not followed by the item that it led to",
    severity=dict.fromkeys(TARGETS, "error"),
    formats=("openai-responses",),
    refusals=(
        Refusal(
            TARGETS,
            "Item 'rs_…' of type 'reasoning' was provided without its required following item.",
            "https://github.com/openai/openai-node/issues/1567",
        ),
    ),
    source="https://github.com/continuedev/continue/issues/8933",
    fix=Fix("safe", "drop the reasoning item"),
)


def check(passage: Passage, aim: Aim) -> Iterator[Finding]:
    """Yield each reasoning item that leads to nothing."""
    messages = passage.messages
    for item in items_of(passage):
        if kind_of(item) != "reasoning":
            continue
        place = item.index - messages[0].index + 1
        following = messages[place] if place < len(messages) else None
        if following is None and (aim.mode == "log" or not passage.is_last):
            continue
        if following is None or not _belongs(item, following):
            name = id_of(item)
            yield Finding(
                item.record,
                item.path,
                f"the reasoning {shown(name)} leads to nothing" if name else "this reasoning leads to nothing",
                "drop the reasoning item, or put back what followed it",
                mentions=(
                    Mention(item, name or "", "reasoning about what?"),
                    *([Mention(following, "", "this is not its item")] if following else []),
                ),
                repair=dropping(passage, item),
            )


def _belongs(item: WireMessage, following: WireMessage) -> bool:
    """Say whether an item may be what the reasoning before it led to."""
    if kind_of(following) == "reasoning":
        # The same item once more is a fault of its own.
        return id_of(item) is not None and id_of(item) == id_of(following)
    if not is_of_model(following):
        return False
    # Who sends reasoning by its id must do so with the message; who sends it encrypted and without ids need not.
    return kind_of(following) != "message" or id_of(item) is None or "id" in following.raw or following.is_response


_ASKED = '{"role": "user", "content": [{"type": "input_text", "text": "Count the boats"}]}'
_AGAIN = '{"role": "user", "content": [{"type": "input_text", "text": "Sure?"}]}'
_REASONING = '{"type": "reasoning", "id": "rs_1", "summary": []}'
_ANSWER = (
    '{"type": "message", "id": "msg_1", "role": "assistant", "status": "completed", "content": [{"type": "output_text", "text":'
    ' "Seven.", "annotations": []}]}'
)
_SEARCH = (
    '{"type": "web_search_call", "id": "ws_1", "status": "completed", "action": {"type": "search", "query": "boats"}}'
)


def _items(*items: str) -> str:
    return f"[{', '.join(items)}]"


VALID = (
    Example(
        _items(_ASKED, _REASONING, _ANSWER, _AGAIN),
        format="openai-responses",
        target="openai-responses",
    ),
    # A search that the provider ran is what the reasoning led to.
    Example(
        _items(_ASKED, _REASONING, _SEARCH, _ANSWER, _AGAIN),
        format="openai-responses",
        target="openai-responses",
    ),
    # Encrypted reasoning, sent without any ids.
    Example(
        _items(
            _ASKED,
            '{"type": "reasoning", "summary": [], "encrypted_content": "gAAA"}',
            '{"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": "Seven."}]}',
            _AGAIN,
        ),
        format="openai-responses",
        target="openai-responses",
    ),
    # The record of a turn that is not over.
    Example(_items(_ASKED, _REASONING), format="openai-responses", target="openai-responses", mode="log"),
)

INVALID = (
    Example(
        _items(_ASKED, _REASONING, _AGAIN),
        ("/1",),
        format="openai-responses",
        target="openai-responses",
    ),
    Example(
        _items(_ASKED, _REASONING, '{"role": "assistant", "content": "Seven."}', _AGAIN),
        ("/1",),
        format="openai-responses",
        target="openai-responses",
    ),
    Example(
        _items(_ASKED, _REASONING, '{"type": "reasoning", "id": "rs_2", "summary": []}', _ANSWER, _AGAIN),
        ("/1",),
        format="openai-responses",
        target="openai-responses",
    ),
    Example(
        _items(_ASKED, _REASONING),
        ("/1",),
        format="openai-responses",
        target="azure-openai",
    ),
)
