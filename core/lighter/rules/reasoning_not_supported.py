"""Reasoning items are sent to a model that does not reason.

## What
The request names one of OpenAI's models without reasoning (`gpt-4o`, `gpt-4.1` …), and its input holds `reasoning` items. The first
of them is told.

## Why it is refused
Such models take no reasoning. It happens when a conversation is handed from one model to another.

## Example
Bad:
```
{"model": "gpt-4.1", "input": [{"role": "user", "content": "Count the boats"}, {"type": "reasoning", "id": "rs_1", "summary": []}, {"type": "message", "id": "msg_1", "role": "assistant", "status": "completed", "content": []}]}
```
Good:
```
{"model": "gpt-4.1", "input": [{"role": "user", "content": "Count the boats"}, {"role": "assistant", "content": "Seven."}]}
```

## Fix
Drop the reasoning items, and the `id` of the items that follow them.
"""

from collections.abc import Iterator, Sequence

from lighter.conversation import WireMessage
from lighter.diagnostics import Fix
from lighter.edits import Drop, Repair, repair
from lighter.edits_messages import dropping
from lighter.models import is_plain_openai
from lighter.passage import Passage
from lighter.rule import Aim, Example, Finding, Mention, Refusal, Rule
from lighter.rules._items import TARGETS, id_of, items_of, kind_of
from lighter.rules._telling import shown

RULE = Rule(
    code="R122",
    name="reasoning-not-supported",
    summary="reasoning items are sent to a model that does not reason",
    severity=dict.fromkeys(TARGETS, "error"),
    formats=("openai-responses",),
    refusals=(
        Refusal(
            TARGETS,
            "Reasoning input items can only be provided to a reasoning or computer use model.",
            "https://github.com/openai/openai-agents-python/issues/569",
        ),
    ),
    source="https://github.com/openai/openai-agents-python/issues/569",
    fix=Fix("safe", "drop the reasoning items and the ids of what follows them"),
)


def check(passage: Passage, _aim: Aim) -> Iterator[Finding]:
    """Yield the first reasoning item of a request to a model that does not reason."""
    if not is_plain_openai(passage.model):
        return
    found = [item for item in items_of(passage) if kind_of(item) == "reasoning"]
    for item in found[:1]:
        others = f" ({len(found)} items)" if len(found) > 1 else ""
        yield Finding(
            item.record,
            item.path,
            f"{shown(passage.model)} takes no reasoning{others}",
            "drop the reasoning items, and the `id` of what follows them",
            mentions=(Mention(item, id_of(item) or "", "reasoning"),),
            repair=_repair(passage, found),
        )


_ASKED = '{"role": "user", "content": "Count the boats"}'
_REASONING = '{"type": "reasoning", "id": "rs_1", "summary": []}'
_ANSWER = (
    '{"type": "message", "id": "msg_1", "role": "assistant", "status": "completed", "content": [{"type": "output_text", "text":'
    ' "Seven.", "annotations": []}]}'
)


def _body(model: str) -> str:
    return f'{{"model": "{model}", "input": [{_ASKED}, {_REASONING}, {_ANSWER}, {_ASKED}]}}'


def _repair(passage: Passage, found: Sequence[WireMessage]) -> Repair | None:
    """Drop the reasoning, and the ids of what the model made of it."""
    whole = dropping(passage, *found)
    if whole is None:
        return None
    items = items_of(passage)
    led_to = [items[place + 1] for place, item in enumerate(items[:-1]) if kind_of(item) == "reasoning"]
    ids = [Drop(item.record, f"{item.path}/id") for item in led_to if kind_of(item) != "reasoning" and id_of(item)]
    return repair(*whole.edits, *ids)


VALID = (
    Example(_body("gpt-5.2"), format="openai-responses", target="openai-responses"),
    Example(_body("o4-mini"), format="openai-responses", target="openai-responses"),
    # A deployment has any name.
    Example(_body("our-harbour-model"), format="openai-responses", target="azure-openai"),
)

INVALID = (
    Example(_body("gpt-4.1"), ("/input/1",), format="openai-responses", target="openai-responses"),
    Example(_body("gpt-4o-mini"), ("/input/1",), format="openai-responses", target="azure-openai"),
)
