"""A message of LangChain has a type or a class that LangChain does not know.

## What
Its types are `human`, `ai`, `system`, `tool`, `function`, `chat` (`generic` in JavaScript) and `remove`, in Python also the classes of
their pieces (`AIMessageChunk`); as a role, `user`, `assistant` and `developer` are known, too. Other words come from other
frameworks, from a typo, or from a class of one's own.

## Why it is refused
`messages_from_dict`, `convert_to_messages` and `load` raise for the whole list, so that no message of the history is read at all. A
role of one's own in shorthand (`["critic", "Too short."]`) is what a `ChatMessage` becomes when it is shortened, and merely worth
knowing.

## Example
Bad:
```
[{"type": "human", "data": {"content": "Tide?"}}, {"type": "robot", "data": {"content": "2.1 m"}}]
```
Good:
```
[{"type": "human", "data": {"content": "Tide?"}}, {"type": "ai", "data": {"content": "2.1 m"}}]
```

## Fix
Write the type that is meant. A role of your own fits a `ChatMessage`: type `chat`, with the word as its `role`.
"""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from lighter.diagnostics import Severity
from lighter.passage import Passage
from lighter.rule import Aim, Example, Finding, Mention, Refusal, Rule
from lighter.rules._langchain import FORMS, taken_in
from lighter.rules._langchain_faults import is_stored
from lighter.rules._telling import shown

if TYPE_CHECKING:
    from lighter.formats._langchain import Unwrapped

RULE = Rule(
    code="M146",
    name="unknown-message-type",
    summary="a message of LangChain has a type that LangChain does not know",
    severity={"generic": "error"},
    formats=FORMS,
    refusals=(
        Refusal(
            ("langchain-stored",),
            "Got unexpected message type: …",
            "https://github.com/AntonOsika/gpt-engineer/issues/804",
        ),
        Refusal(
            ("langchain-dump",),
            "Unexpected message type: '…'. Use one of 'human', 'user', 'ai', 'assistant', 'function', 'tool', 'system', or 'developer'.",
            "langchain-core 1.8.3 convert_to_messages",
        ),
        Refusal(
            ("langchain",),
            "Deserialization of ('langchain', 'schema', 'messages', '…') is not allowed.",
            "langchain-core 1.8.3 load",
        ),
    ),
    source="langchain-core 1.8.3 convert_to_messages, messages_from_dict, load",
)

_OWN = ("langchain", "langchain_core")
"""Where LangChain's own classes are; a class of somebody else's may be loaded by who has it."""


def check(passage: Passage, _aim: Aim) -> Iterator[Finding]:
    """Report each message whose type nobody knows, where the type stands."""
    for message, unwrapped in taken_in(passage):
        if (found := _unknown(message.raw, unwrapped)) is not None:
            place, named, severity = found
            yield Finding(
                message.record,
                message.path + place,
                f"LangChain knows no message of type {shown(named)}",
                "write the type that is meant, or `chat` with this as its `role`",
                mentions=(Mention(message, label="this message"),),
                severity=severity,
            )


def _unknown(raw: Any, unwrapped: "Unwrapped | None") -> tuple[str, str, Severity] | None:
    """Tell where the type of a message stands that is not known, which it is, and how much it matters.

    A role of one's own in shorthand is what a `ChatMessage` is shortened to, though the packages do not take it back.
    """
    from lighter.formats._langchain import KINDS, ROLES, STORED, is_known_path  # noqa: PLC0415 - loaded only for LangChain's messages

    match raw:
        case {"lc": _, "type": "constructor", "id": [*_, str(named)] as ids, "kwargs": dict()}:
            if ids[0] not in _OWN and len(ids) > 1 and isinstance(ids[0], str):
                return None
            if named not in KINDS:
                return f"/id/{len(ids) - 1}", named, "error"
            return None if len(ids) > 1 and is_known_path(ids) else ("/id", ".".join(map(str, ids)), "error")
        case {"lc": _}:
            return None  # a secret, or what is told by `unserialized-object`
    if unwrapped is None:
        match raw:
            case {"type": str(named)} if named not in KINDS:
                return "/type", named, "error"
            case _:
                return None
    if is_stored(unwrapped) and unwrapped.named not in STORED:
        return "/type", unwrapped.named, "error"
    if unwrapped.shape not in ("pair", "role") or unwrapped.named in ROLES:
        return None
    return unwrapped.named_at, unwrapped.named, "info"


VALID = (
    Example(
        '[{"type": "human", "data": {"content": "Tide?"}}, {"type": "chat", "data": {"content": "2.1 m", "role": "robot"}}]'
    ),
    Example('[["human", "Tide?"], ["ai", "2.1 m"], ["developer", "Answer in feet."]]', format="langchain-dump"),
    # A class of one's own, which may be loaded where it is.
    Example(
        '[{"lc": 1, "type": "constructor", "id": ["langchain", "schema", "messages", "HumanMessage"], "kwargs": {"content": "Tide?"}},'
        ' {"lc": 1, "type": "constructor", "id": ["harbour", "messages", "PilotMessage"], "kwargs": {"content": "2.1 m"}}]',
        format="langchain",
    ),
)

INVALID = (
    Example(
        '[{"type": "human", "data": {"content": "Tide?"}}, {"type": "robot", "data": {"content": "2.1 m"}}]',
        ("/1/type",),
        format="langchain-stored",
    ),
    Example('{"messages": [["human", "Tide?"], ["robot", "2.1 m"]]}', ("/messages/1/0",), format="langchain-dump"),
    Example(
        '[{"lc": 1, "type": "constructor", "id": ["langchain", "schema", "messages", "HumanMessage"], "kwargs": {"content": "Tide?"}},'
        ' {"lc": 1, "type": "constructor", "id": ["langchain", "schema", "messages", "RobotMessage"], "kwargs": {"content": "2.1 m"}}]',
        ("/1/id/3",),
    ),
)
