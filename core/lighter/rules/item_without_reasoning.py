"""A call keeps the id of its item although the reasoning that led to it is gone.

## What
In OpenAI's Responses a `function_call` or `custom_tool_call` has an id of its own (`fc_…`, `ctc_…`) beside its `call_id`. Here such
an id is sent, and no reasoning item stands between it and the user's last message. The first call of a turn is told. Where the
request names a model that reasons and asks it to, the id of a message (`msg_…`) is told as well.

## Why it is refused
If a reasoning model made the call, the provider finds by the id that a `reasoning` item belongs before it. A model that does not
reason has none, which a history does not tell: hence a warning.

## Example
Bad:
```
[{"role": "user", "content": "Count the boats"}, {"type": "function_call", "id": "fc_0105b6", "call_id": "call_1", "name": "count", "arguments": "{}"}, {"type": "function_call_output", "call_id": "call_1", "output": "7"}]
```
Good: the same without `"id": "fc_0105b6"`.

## Fix
Drop the `id`, which is optional: the result is found by `call_id`. Or send the reasoning back as well.
"""

from collections.abc import Iterator

from lighter.conversation import WireMessage
from lighter.diagnostics import Fix
from lighter.edits import Drop, repair
from lighter.models import is_plain_openai, is_reasoning_openai
from lighter.passage import Passage
from lighter.rule import Aim, Example, Finding, Mention, Refusal, Rule
from lighter.rules._items import ID_PREFIXES, TARGETS, id_of, items_of, kind_of
from lighter.rules._telling import shown
from lighter.wire import has_past, role_of

RULE = Rule(
    code="R121",
    name="item-without-reasoning",
    summary="a call keeps the id of its item although the reasoning that led to it is gone",
    severity=dict.fromkeys(TARGETS, "warning"),
    modes=("request",),
    formats=("openai-responses",),
    refusals=(
        Refusal(
            TARGETS,
            "Item 'fc_…' of type 'function_call' was provided without its required 'reasoning' item: 'rs_…'.",
            "https://github.com/VRSEN/agency-swarm/issues/367",
        ),
    ),
    source="https://github.com/continuedev/continue/issues/11994",
    fix=Fix("safe", "drop the `id` of the item"),
)

_CALLS = frozenset({"function_call", "custom_tool_call"})
_EFFORTS = ("low", "medium", "high", "xhigh")


def check(passage: Passage, _aim: Aim) -> Iterator[Finding]:
    """Yield the first item of each turn that has an id and no reasoning before it."""
    if is_plain_openai(passage.model) or has_past(passage):
        return
    kinds = _CALLS | {"message"} if _reasons(passage) else _CALLS
    is_open = passage.before is None or _begins_turn(passage.before)  # else it may stand before what is at hand
    for item in items_of(passage):
        kind = kind_of(item)
        if kind == "reasoning":
            is_open = False
        elif _begins_turn(item):
            is_open = True
        elif is_open and kind in kinds and (own := _own_id(item, kind)):
            is_open = False
            yield Finding(
                item.record,
                f"{item.path}/id",
                f"the item {shown(own)} is sent without the reasoning that led to it",
                "drop the `id`, or send the reasoning item back before it",
                mentions=(Mention(item, own, "no reasoning before it"),),
                repair=repair(Drop(item.record, f"{item.path}/id")),
            )


def _begins_turn(item: WireMessage) -> bool:
    """Say whether an item is a message of somebody else than the assistant."""
    return kind_of(item) == "message" and role_of(item) != "assistant"


def _own_id(item: WireMessage, kind: str) -> str | None:
    own = id_of(item)
    return own if own and own.startswith(ID_PREFIXES[kind]) else None


def _reasons(passage: Passage) -> bool:
    """Say whether the request names a model that reasons, and asks it to."""
    reasoning = passage.fields.get("reasoning")
    effort = reasoning.get("effort") if isinstance(reasoning, dict) else None
    return effort in _EFFORTS and is_reasoning_openai(passage.model)


_ASKED = '{"role": "user", "content": "Count the boats"}'
_REASONING = '{"type": "reasoning", "id": "rs_1", "summary": []}'
_RESULT = '{"type": "function_call_output", "call_id": "call_1", "output": "7"}'
_BARE = '{"type": "function_call", "call_id": "call_1", "name": "count", "arguments": "{}"}'
_CALL = '{"type": "function_call", "id": "fc_1", "call_id": "call_1", "name": "count", "arguments": "{}"}'
_ANSWER = (
    '{"type": "message", "id": "msg_1", "role": "assistant", "status": "completed", "content": [{"type": "output_text", "text":'
    ' "Seven.", "annotations": []}]}'
)


def _body(model: str, *items: str) -> str:
    return f'{{"model": "{model}", "reasoning": {{"effort": "high"}}, "input": [{", ".join(items)}]}}'


VALID = (
    Example(f"[{_ASKED}, {_BARE}, {_RESULT}]", format="openai-responses", target="openai-responses"),
    Example(f"[{_ASKED}, {_REASONING}, {_CALL}, {_RESULT}]", format="openai-responses", target="openai-responses"),
    # A log with an item a line.
    Example(f"{_ASKED}\n{_REASONING}\n{_CALL}\n{_RESULT}\n", format="openai-responses", target="openai-responses"),
    # The provider holds what came before.
    Example(
        f'{{"previous_response_id": "resp_1", "input": [{_CALL}, {_RESULT}]}}',
        format="openai-responses",
        target="openai-responses",
    ),
    # A model that does not reason, and an answer whose model is not told.
    Example(_body("gpt-4.1-mini", _ASKED, _CALL, _RESULT), format="openai-responses", target="openai-responses"),
    Example(f"[{_ASKED}, {_ANSWER}, {_ASKED}]", format="openai-responses", target="openai-responses"),
)

INVALID = (
    Example(f"{_ASKED}\n{_CALL}\n{_RESULT}\n", ("/1/id",), format="openai-responses", target="openai-responses"),
    Example(f"[{_ASKED}, {_CALL}, {_RESULT}]", ("/1/id",), format="openai-responses", target="openai-responses"),
    Example(
        _body("gpt-5.2", _ASKED, _ANSWER, _ASKED), ("/input/1/id",), format="openai-responses", target="azure-openai"
    ),
)
