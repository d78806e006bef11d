"""A request that stores nothing refers to an item by its id alone.

## What
The request says `"store": false`, and an item in it is only an id: an `item_reference`, or reasoning without
`encrypted_content`.

## Why it is refused
Such items are looked up, and where nothing was stored there is nothing to find.

## Example
Bad:
```
{"model": "gpt-5", "store": false, "input": [{"type": "reasoning", "id": "rs_1", "summary": []}, {"type": "message", "id": "msg_1", "role": "assistant", "status": "completed", "content": []}]}
```
Good: the reasoning with its `encrypted_content`, which `"include": ["reasoning.encrypted_content"]` makes the provider give, or the
message alone and without its id.

## Fix
Drop the reasoning that has no encrypted content, and the id of the item after it; write out what a reference refers to.
"""

from collections.abc import Iterator

from lighter.diagnostics import Fix
from lighter.edits_messages import dropping
from lighter.passage import Passage
from lighter.rule import Aim, Example, Finding, Mention, Refusal, Rule
from lighter.rules._items import TARGETS, id_of, items_of, kind_of
from lighter.rules._telling import shown
from lighter.wire import fields_of

RULE = Rule(
    code="M142",
    name="ephemeral-item-id",
    summary="a request that stores nothing refers to an item by its id alone",
    severity=dict.fromkeys(TARGETS, "error"),
    formats=("openai-responses",),
    refusals=(
        Refusal(
            TARGETS,
            "Item with id 'rs_…' not found. Items are not persisted when `store` is set to false.",
            "https://github.com/vercel/ai/issues/7543",
        ),
    ),
    source="https://github.com/anomalyco/opencode/issues/7724",
    fix=Fix("safe", "drop reasoning without encrypted content"),
)


def check(passage: Passage, _aim: Aim) -> Iterator[Finding]:
    """Yield each item that is only an id, in a request that stores nothing."""
    if passage.fields.get("store") is not False:
        return
    for item in items_of(passage):
        own, kind = id_of(item), kind_of(item)
        is_bare = kind == "item_reference" or (kind == "reasoning" and not fields_of(item).get("encrypted_content"))
        if own and is_bare:
            what = "the reference to" if kind == "item_reference" else "the reasoning"
            yield Finding(
                item.record,
                item.path,
                f"{what} {shown(own)} is only an id, and the request stores nothing",
                "write out the item that is meant" if kind == "item_reference" else "drop the reasoning item",
                mentions=(Mention(item, own, "nothing is stored under this id"),),
                repair=dropping(passage, item) if kind == "reasoning" else None,
            )


_ASKED = '{"role": "user", "content": "Count the boats"}'
_ANSWER = (
    '{"type": "message", "id": "msg_1", "role": "assistant", "status": "completed", "content": [{"type": "output_text", "text":'
    ' "Seven.", "annotations": []}]}'
)


def _body(store: str, *items: str) -> str:
    return f'{{"model": "gpt-5", "store": {store}, "input": [{_ASKED}, {", ".join(items)}]}}'


VALID = (
    Example(
        _body("false", '{"type": "reasoning", "id": "rs_1", "summary": [], "encrypted_content": "gAAA"}', _ANSWER),
        format="openai-responses",
        target="openai-responses",
    ),
    Example(
        _body("true", '{"type": "reasoning", "id": "rs_1", "summary": []}', _ANSWER),
        format="openai-responses",
        target="openai-responses",
    ),
    # Items that are written out keep their ids.
    Example(_body("false", _ANSWER, _ASKED), format="openai-responses", target="openai-responses"),
)

INVALID = (
    Example(
        _body("false", '{"type": "reasoning", "id": "rs_1", "summary": [], "encrypted_content": null}', _ANSWER),
        ("/input/1",),
        format="openai-responses",
        target="openai-responses",
    ),
    Example(
        _body("false", '{"type": "item_reference", "id": "msg_0"}', _ASKED),
        ("/input/1",),
        format="openai-responses",
        target="azure-openai",
    ),
)
