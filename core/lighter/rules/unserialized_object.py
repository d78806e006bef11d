"""A value was not saved: in its place stands LangChain's note that it cannot be.

## What
`dumpd` writes what it cannot serialize as `{"lc": 1, "type": "not_implemented", "id": […], "repr": …}`. Of the object nothing is left but
the name of its class and at best a text for people. Mostly it was put into `additional_kwargs`, `response_metadata` or the `artifact` of a
result by an application.

## Why it is refused
`load` raises when it meets such a note anywhere, in Python and in JavaScript, so that the whole history cannot be loaded; in forms
that other functions read, only the value is lost.

## Example
Bad:
```
{"lc": 1, "type": "constructor", "id": ["langchain", "schema", "messages", "ToolMessage"], "kwargs": {"content": "2.1 m", "tool_call_id": "c1", "artifact": {"lc": 1, "type": "not_implemented", "id": ["harbour", "Gauge"], "repr": "<harbour.Gauge>"}}}
```
Good: an artifact of plain values (text, numbers, lists, objects), or none.

## Fix
Nobody can bring the value back. Take the note out, so that the rest can be loaded, and keep such objects out of messages.
"""

from collections.abc import Iterator
from typing import Any

from lighter.history import history_in
from lighter.jsontext import step
from lighter.live import Live
from lighter.passage import Passage
from lighter.rule import Aim, Example, Finding, Refusal, Rule
from lighter.rules._langchain import FORMS
from lighter.rules._telling import shown
from lighter.streams import pieces_of

RULE = Rule(
    code="M148",
    name="unserialized-object",
    summary="a value was not saved: LangChain's note that it cannot be stands in its place",
    severity={"generic:langchain": "error", "generic:langchain-js": "error", "generic": "warning"},
    formats=FORMS,
    refusals=(
        Refusal(
            ("langchain", "langchain-js"),
            "Trying to load an object that doesn't implement serialization: …",
            "https://github.com/langchain-ai/langchain/issues/24513",
        ),
    ),
    source="https://github.com/langchain-ai/langchain/issues/25664",
)

NEEDLES = (b"not_implemented",)


def check(passage: Passage, _aim: Aim) -> Iterator[Finding]:
    """Report each note, at its place; what was escaped is a user's own value."""
    for message in history_in(passage).left:
        if NEEDLES[0] not in message.record.data:
            continue
        live = next((record for record in pieces_of(message.record) if isinstance(record, Live)), None)
        for path, note in _notes(message.raw, message.path):
            if live is not None and live.stands_for(path):
                continue  # the object is in memory, and nobody has tried to save it
            ids = note.get("id")
            named = ids[-1] if isinstance(ids, list) and ids and isinstance(ids[-1], str) else None
            what = f"an object of class {shown(named)}" if named else "an object"
            yield Finding(
                message.record,
                path,
                f"{what} was not saved: this is only a note about it",
                "take the note out; what it stands for cannot be brought back",
            )


def _notes(value: Any, path: str) -> Iterator[tuple[str, dict[str, Any]]]:
    """Find such notes in a value."""
    from lighter.formats._langchain_escaping import ESCAPED  # noqa: PLC0415 - loaded only for messages with such notes

    match value:
        case {"lc": _, "type": "not_implemented"}:
            yield path, value
        case dict():
            for key, item in value.items():
                if key != ESCAPED:
                    yield from _notes(item, path + step(key))
        case list():
            for index, item in enumerate(value):
                yield from _notes(item, path + step(index))
        case _:
            pass


_NOTE = '{"lc": 1, "type": "not_implemented", "id": ["harbour", "Gauge"], "repr": "<harbour.Gauge>"}'


def _result(artifact: str) -> str:
    return (
        '{"lc": 1, "type": "constructor", "id": ["langchain", "schema", "messages", "AIMessage"], "kwargs": {"content": "",'
        ' "tool_calls": [{"type": "tool_call", "id": "c1", "name": "read_tide", "args": {}}]}}\n'
        '{"lc": 1, "type": "constructor", "id": ["langchain", "schema", "messages", "ToolMessage"], "kwargs": {"content": "2.1 m",'
        f' "tool_call_id": "c1", "artifact": {artifact}}}}}\n'
    )


VALID = (
    Example(_result('{"gauge": 7}')),
    # A user's own object that looks like one; LangChain escapes it.
    Example(_result(f'{{"__lc_escaped__": {_NOTE}}}')),
)

INVALID = (
    Example(_result(_NOTE), ("/1/kwargs/artifact",)),
    Example(
        '[{"lc": 1, "type": "constructor", "id": ["langchain", "schema", "messages", "HumanMessage"], "kwargs": {"content": "Tide?"}},'
        ' {"lc": 1, "type": "not_implemented", "id": ["langchain", "schema", "messages", "AIMessage"], "repr": "AIMessage(\'2.1 m\')"}]',
        ("/1",),
    ),
)
