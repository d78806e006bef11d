"""Two items have the same id.

## What
An item of OpenAI's Responses (a message, a call, reasoning) is sent twice, or a made-up id collides with one of the provider's.

## Why it is refused
Each item may occur once in a request. Usual causes: a retry stored its turn again, the chunks of one reasoning were written as
items of their own, ids were counted up anew.

## Example
Bad:
```
[{"type": "reasoning", "id": "rs_1", "summary": []}, {"type": "message", "id": "msg_1", "role": "assistant", "status": "completed", "content": []}, {"type": "reasoning", "id": "rs_1", "summary": []}, {"type": "message", "id": "msg_2", "role": "assistant", "status": "completed", "content": []}]
```
Good:
```
[{"type": "reasoning", "id": "rs_1", "summary": []}, {"type": "message", "id": "msg_1", "role": "assistant", "status": "completed", "content": []}, {"type": "message", "id": "msg_2", "role": "assistant", "status": "completed", "content": []}]
```

## Fix
Drop the later item when both are equal; else drop its `id`.
"""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from lighter import jsontext
from lighter.diagnostics import Fix
from lighter.edits_messages import dropping
from lighter.passage import Passage
from lighter.rule import Aim, Example, Finding, Mention, Refusal, Rule
from lighter.rules._items import TARGETS, id_of, items_of, kind_of
from lighter.rules._telling import shown

if TYPE_CHECKING:
    from lighter.conversation import WireMessage

RULE = Rule(
    code="M141",
    name="duplicate-item-id",
    summary="two items have the same id",
    severity=dict.fromkeys(TARGETS, "error"),
    formats=("openai-responses",),
    refusals=(
        Refusal(
            TARGETS,
            "Duplicate item found with id rs_…. Remove duplicate items from your input and try again.",
            "https://github.com/OpenRouterTeam/ai-sdk-provider/issues/254",
        ),
    ),
    source="https://github.com/vercel/ai/issues/7883",
    fix=Fix("safe", "drop the later of two equal items"),
)


_POINTING = ("item_reference", "local_shell_call_output")
"""Items whose `id` is that of another: a result of the local shell carries its call's (openai 3.57.0, LocalShellCallOutput)."""


def check(passage: Passage, _aim: Aim) -> Iterator[Finding]:
    """Yield each later item of an id."""
    seen: dict[str, WireMessage] = {}
    for item in items_of(passage):
        own = id_of(item)
        if not own or kind_of(item) in _POINTING:
            continue
        first = seen.setdefault(own, item)
        if first is not item:
            same = "drop it: it is the same item again" if first.raw == item.raw else "drop the `id` of one of them"
            yield Finding(
                item.record,
                f"{item.path}/id",
                f"the id {shown(own)} is that of an earlier item",
                same,
                mentions=(Mention(item, own, "the same id again"), Mention(first, own, "first used here")),
                repair=dropping(passage, item) if jsontext.is_same(first.raw, item.raw) else None,
            )


_ASKED = '{"role": "user", "content": "Count the boats"}'
_REASONING = '{"type": "reasoning", "id": "rs_1", "summary": []}'


def _answer(own: str) -> str:
    return (
        f'{{"type": "message", "id": "{own}", "role": "assistant", "status": "completed", "content": [{{"type": "output_text",'
        ' "text": "Seven.", "annotations": []}]}'
    )


VALID = (
    Example(
        f"[{_ASKED}, {_REASONING}, {_answer('msg_1')}, {_ASKED}, {_answer('msg_2')}]",
        format="openai-responses",
        target="openai-responses",
    ),
    # A reference names an item by its id, which is its purpose.
    Example(
        f'[{{"type": "item_reference", "id": "msg_0"}}, {_ASKED}, {_answer("msg_1")}]',
        format="openai-responses",
        target="openai-responses",
    ),
    Example(
        f'[{_ASKED}, {{"type": "local_shell_call", "id": "lsh_1", "call_id": "call_1", "status": "completed", "action": {{"type": "exec",'
        ' "command": ["ls"], "env": {}}}, {"type": "local_shell_call_output", "id": "lsh_1", "output": "a.txt"}]',
        format="openai-responses",
        target="openai-responses",
    ),
)

INVALID = (
    Example(
        f"[{_ASKED}, {_REASONING}, {_answer('msg_1')}, {_REASONING}, {_answer('msg_2')}]",
        ("/3/id",),
        format="openai-responses",
        target="openai-responses",
    ),
    Example(
        f"[{_ASKED}, {_answer('msg_1')}, {_ASKED}, {_answer('msg_1')}]",
        ("/3/id",),
        format="openai-responses",
        target="azure-openai",
    ),
)
