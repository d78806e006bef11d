"""LLaMA-Factory drops a row whose turns do not alternate.

## What
After a system message, which may only be the first, the trainer wants the user (or a tool's result) and the assistant (or a call) in
turn, and an even number of messages; where the row has `chosen` and `rejected` beside them, an odd one. Results of several calls
count as one message where they stand in `messages`.

## Why it is refused
It is not: the row is left out, with one line in the log. A training set shrinks without anybody noticing.

## Example
Bad:
```
{"conversations": [{"from": "human", "value": "Tide?"}, {"from": "human", "value": "At pier 3."}, {"from": "gpt", "value": "2.1 m"}]}
```
Good:
```
{"conversations": [{"from": "human", "value": "Tide? At pier 3."}, {"from": "gpt", "value": "2.1 m"}]}
```

## Fix
Join the texts of turns that follow each other, and drop a last turn without an answer.
"""

from collections.abc import Iterator, Sequence
from typing import Any

from lighter.records import Record
from lighter.rule import Example, Finding, Refusal, Rule
from lighter.rules._telling import shown

RULE = Rule(
    code="T106",
    name="ft-row-skipped",
    summary="LLaMA-Factory drops a row whose turns do not alternate",
    severity={"llamafactory": "warning"},
    modes=("finetune",),
    refusals=(
        Refusal(("llamafactory",), "Invalid role tag in […].", "https://github.com/hiyouga/LlamaFactory/issues/2529"),
        Refusal(
            ("llamafactory",),
            "Invalid message count in […].",
            "hiyouga/LlamaFactory src/llamafactory/data/converter.py at f816ae46",
        ),
    ),
    source="hiyouga/LlamaFactory src/llamafactory/data/converter.py at f816ae46",
)

ASKING = frozenset({"human", "user", "observation", "tool", "function"})
ANSWERING = frozenset({"gpt", "assistant", "function_call"})
"""Who speaks at odd and at even places, by the names of either layout; others are nobody's."""


def check_row(record: Record, row: Any) -> Iterator[Finding]:
    """Find a row whose turns are out of order, or too many by one."""
    for key, name in (("conversations", "from"), ("messages", "role")):
        messages = row.get(key) if isinstance(row, dict) else None
        if isinstance(messages, list) and messages and all(map(_is_plain, messages)):
            other = "role" if name == "from" else "from"
            speaker = name if all(name in message for message in messages) else other
            turns = _turns([message.get(speaker) for message in messages], joins=speaker == "role")
            if said := _fault(turns, is_ranking="chosen" in row and "rejected" in row):
                yield Finding(
                    record, f"/{key}", f"the trainer drops this row: {said}", "join or drop turns until they alternate"
                )


def _is_plain(message: Any) -> bool:
    """Say whether a message is of the two layouts, and not of the trainer's newer one, whose content is a list of parts."""
    return isinstance(message, dict) and not isinstance(message.get("content"), list)


def _turns(roles: Sequence[Any], *, joins: bool) -> list[Any]:
    """Give who speaks, without the system message; of results that stand together one is left, and none at the end."""
    turns = list(roles[1:] if roles and roles[0] == "system" else roles)
    if not joins:
        return turns
    while turns and turns[-1] == "tool":
        turns.pop()
    return [role for at, role in enumerate(turns) if role != "tool" or at == 0 or turns[at - 1] != "tool"]


def _fault(turns: Sequence[Any], *, is_ranking: bool) -> str:
    """Say what is wrong with the order of turns, or else with their number; nothing when both are right."""
    for at, role in enumerate(turns):
        wanted = ANSWERING if at % 2 else ASKING
        if not isinstance(role, str) or role not in wanted:
            return f"turn {at + 1} is of {shown(role)}, where {'an answer' if at % 2 else 'a question or a result'} is wanted"
    if len(turns) % 2 != is_ranking:
        said = "1 turn" if len(turns) == 1 else f"{len(turns)} turns"
        return f"it has {said}, {'an even' if is_ranking else 'an odd'} number"
    return ""


VALID = (
    Example(
        '{"conversations": [{"from": "system", "value": "You answer."}, {"from": "human", "value": "Tide?"}, {"from":'
        ' "function_call", "value": "{}"}, {"from": "observation", "value": "2.1"}, {"from": "gpt", "value": "2.1 m"}]}\n',
        target="llamafactory",
    ),
    # Results of one turn count as one; a ranking has its answers elsewhere.
    Example(
        '{"messages": [{"role": "user", "content": "Tide?"}, {"role": "assistant", "content": "", "tool_calls": [{"id": "a", "type":'
        ' "function", "function": {"name": "read", "arguments": "{}"}}, {"id": "b", "type": "function", "function": {"name": "read",'
        ' "arguments": "{}"}}]}, {"role": "tool", "tool_call_id": "a", "content": "1"}, {"role": "tool", "tool_call_id": "b", "content":'
        ' "2"}, {"role": "assistant", "content": "1 and 2"}]}\n'
        '{"conversations": [{"from": "human", "value": "Tide?"}], "chosen": {"from": "gpt", "value": "2.1 m"}, "rejected": {"from":'
        ' "gpt", "value": "Wet."}}\n',
        target="llamafactory",
    ),
)

INVALID = (
    Example(
        '{"messages": [{"role": "user", "content": "Tide?"}, {"role": "user", "content": "At pier 3."}, {"role": "assistant",'
        ' "content": "2.1 m"}]}',
        ("/messages",),
        target="llamafactory",
    ),
    Example(
        '{"conversations": [{"from": "human", "value": "Tide?"}, {"from": "gpt", "value": "2.1 m"}, {"from": "human", "value":'
        ' "Thanks"}]}',
        ("/conversations",),
        target="llamafactory",
    ),
    Example(
        '{"messages": [{"role": "user", "content": "Tide?"}, {"role": "system", "content": "In metres."}, {"role": "assistant",'
        ' "content": "2.1 m"}]}',
        ("/messages",),
        target="llamafactory",
    ),
)
