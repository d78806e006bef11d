"""The id of an item does not begin as ids of its type do.

## What
Each item of OpenAI's Responses may carry the id that the provider gave it: `fc_…` on a function call, `ctc_…` on a custom call,
`rs_…` on reasoning, `msg_…` on a message. Here an application put another id there, mostly the `call_id`, or a made-up one.

## Why it is refused
The provider looks the item up by its id, and refuses what it cannot have given.

## Example
Bad:
```
[{"role": "user", "content": "Count the boats"}, {"type": "function_call", "id": "call_1", "call_id": "call_1", "name": "count", "arguments": "{}"}, {"type": "function_call_output", "call_id": "call_1", "output": "7"}]
```
Good: the same without `"id": "call_1"`.

## Fix
Drop the `id`. Results are found by `call_id`, which stays.
"""

from collections.abc import Iterator

from lighter.diagnostics import Fix
from lighter.edits import Drop, repair
from lighter.passage import Passage
from lighter.rule import Aim, Example, Finding, Mention, Refusal, Rule
from lighter.rules._items import ID_PREFIXES, TARGETS, id_of, items_of, kind_of
from lighter.rules._telling import shown

RULE = Rule(
    code="M140",
    name="item-id-prefix",
    summary="the id of an item does not begin as ids of its type do",
    severity=dict.fromkeys(TARGETS, "error"),
    formats=("openai-responses",),
    refusals=(
        Refusal(
            TARGETS,
            "Invalid 'input[1].id': '…'. Expected an ID that begins with 'fc'.",
            "https://github.com/openai/openai-cs-agents-demo/issues/34",
        ),
        Refusal(
            TARGETS,
            "Invalid 'input[5].id': '…'. Expected an ID that begins with 'ctc'.",
            "https://github.com/Wei-Shaw/sub2api/issues/3785",
        ),
    ),
    source="https://github.com/nodetool-ai/nodetool/issues/4252",
    fix=Fix("safe", "drop the `id`"),
)


def check(passage: Passage, _aim: Aim) -> Iterator[Finding]:
    """Yield each item whose id begins otherwise."""
    for item in items_of(passage):
        own, prefix = id_of(item), ID_PREFIXES.get(kind_of(item))
        if own is not None and prefix is not None and not own.startswith(prefix):
            yield Finding(
                item.record,
                f"{item.path}/id",
                f"the id {shown(own)} of this {kind_of(item)} does not begin with `{prefix}`",
                "drop the `id`: it is optional, and no other will do",
                mentions=(Mention(item, own, "not an id of such an item"),),
                repair=repair(Drop(item.record, f"{item.path}/id")),
            )


_ASKED = '{"role": "user", "content": "Count the boats"}'
_FC, _FOREIGN = '"fc_1"', '"call_1"'
_RESULT = '{"type": "function_call_output", "call_id": "call_1", "output": "7"}'


def _call(own: str, kind: str = "function_call", holds: str = "arguments") -> str:
    return f'{{"type": "{kind}", "id": {own}, "call_id": "call_1", "name": "count", "{holds}": "{{}}"}}'


VALID = (
    Example(f"[{_ASKED}, {_call('null')}, {_RESULT}]", format="openai-responses", target="openai-responses"),
    Example(
        f'[{_ASKED}, {{"type": "reasoning", "id": "rs_1", "summary": []}}, {_call(_FC)}, {_RESULT}]',
        format="openai-responses",
        target="openai-responses",
    ),
    # What the provider ran itself has ids of other kinds.
    Example(
        f'[{_ASKED}, {{"type": "mcp_call", "id": "mcp_1", "server_label": "quay", "name": "ls", "arguments": "{{}}", "output": "a"}}]',
        format="openai-responses",
        target="openai-responses",
    ),
)

INVALID = (
    Example(
        f"[{_ASKED}, {_call(_FOREIGN)}, {_RESULT}]",
        ("/1/id",),
        format="openai-responses",
        target="openai-responses",
    ),
    Example(
        f"[{_ASKED}, {_call(_FC, 'custom_tool_call', 'input')},"
        ' {"type": "custom_tool_call_output", "call_id": "call_1", "output": "7"}]',
        ("/1/id",),
        format="openai-responses",
        target="azure-openai",
    ),
)
