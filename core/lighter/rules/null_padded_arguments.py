r"""The arguments of a call are padded with keys of other tools, all null.

## What
A call has keys that its tool does not declare, and all of them are null. Another tool of the record declares them, or another call
uses them. Keys that the tool itself declares are never meant.

## Why it is refused
Nobody refuses it, unless the tool's schema does. Tables (Arrow, Parquet, pandas) give all objects of a column the same keys, and fill
in null where an object had none; whoever writes the rows out again has every call of every tool with the keys of all. A model that is
trained on that learns to write them.

## Example
Bad:
```
{"messages": [{"role": "user", "content": "Tide?"}, {"role": "assistant", "tool_calls": [{"id": "a", "type": "function", "function": {"name": "read_tide", "arguments": "{\"pier\": 3, \"buoy\": null}"}}, {"id": "b", "type": "function", "function": {"name": "read_wind", "arguments": "{\"pier\": null, \"buoy\": 7}"}}]}]}
```
Good: the same with `{"pier": 3}` and `{"buoy": 7}`.

## Fix
Drop the keys that are null and not declared, or keep arguments as JSON text in the table.
"""

from collections.abc import Iterator, Mapping
from typing import Any

from lighter.diagnostics import Fix
from lighter.edits import Drop, repair
from lighter.jsontext import step
from lighter.passage import Passage
from lighter.rule import Aim, Example, Finding, Rule
from lighter.rules._telling import mention_wire_call, of_call, shown
from lighter.toolcheck import checkers_of
from lighter.toolwire import WireCall, tool_calls

RULE = Rule(
    code="A140",
    name="null-padded-arguments",
    summary="the arguments of a call are padded with keys of other tools, all null",
    severity={"generic": "warning", "openai-chat": "warning", "azure-openai": "warning"},
    formats=("openai-chat",),
    source="https://huggingface.co/docs/trl/dataset_formats#tool-calling",
    fix=Fix("unsafe", "drop keys that are null and not declared"),
)


def check(passage: Passage, _aim: Aim) -> Iterator[Finding]:
    """Find calls with null under keys of other tools alone."""
    named = [call for call in tool_calls(passage) if isinstance(call.name, str)]
    calls = [(call, arguments) for call in named if (arguments := _object_of(call)) is not None]
    if not any(None in arguments.values() for _, arguments in calls):
        return
    declared = _declared(passage)
    used: dict[str, set[str]] = {}
    for call, arguments in calls:
        used.setdefault(call.name, set()).update(key for key, value in arguments.items() if value is not None)
    for call, arguments in calls:
        own = declared.get(call.name, used.get(call.name, set()))
        nulls = {key for key, value in arguments.items() if value is None} - own
        others = [keys for known in (declared, used) for name, keys in known.items() if name != call.name]
        padded = sorted(nulls & set[str]().union(*others))
        if padded:
            keys = ", ".join(map(shown, padded[:3])) + (" …" if len(padded) > 3 else "")
            yield Finding(
                call.message.record,
                call.arguments_path,
                f"the arguments{of_call(call)} hold null under keys of other tools: {keys}",
                "drop these keys",
                mentions=(mention_wire_call(call, "does not have these keys"),),
                repair=repair(*(Drop(call.message.record, call.arguments_path + step(key)) for key in padded)),
            )


def _object_of(call: WireCall) -> Mapping[str, Any] | None:
    """Give the arguments of a call as an object, whether they are JSON text or not."""
    value = call.arguments.value
    return value if call.arguments.kind in ("object", "unserialised") and isinstance(value, dict) else None


def _declared(passage: Passage) -> dict[str, set[str]]:
    """Tell the keys that each tool declares; a tool that takes any key is left out."""
    found: dict[str, set[str]] = {}
    for tool in (tool for checker in checkers_of(passage) for tool in checker.tools):
        match tool.schema:
            case {"properties": dict(properties)} if properties and tool.name:
                found[tool.name] = set(properties)
            case _:
                pass
    return found


def _row(one: str, other: str, tools: str = "") -> str:
    calls = ", ".join(
        f'{{"id": "call_{name}", "type": "function", "function": {{"name": "read_{name}", "arguments": "{text}"}}}}'
        for name, text in (("tide", one), ("wind", other))
    )
    return (
        f'{{"messages": [{{"role": "user", "content": "Tide?"}}, {{"role": "assistant", "content": null, "tool_calls": [{calls}]}},'
        ' {"role": "tool", "tool_call_id": "call_tide", "content": "2.1"}, {"role": "tool", "tool_call_id": "call_wind", "content":'
        f' "4"}}, {{"role": "assistant", "content": "2.1 m, 4 Bft"}}]{tools}}}'
    )


def _tools(tide: str) -> str:
    return (
        f', "tools": [{{"type": "function", "function": {{"name": "read_tide", "parameters": {{"type": "object", "properties": {tide}}}}}}},'
        ' {"type": "function", "function": {"name": "read_wind", "parameters": {"type": "object", "properties": {"buoy": {}}}}}]'
    )


_PIER, _BOTH = '{"pier": {}}', '{"pier": {}, "buoy": {}}'

VALID = (
    Example(_row('{\\"pier\\": 3}', '{\\"buoy\\": 7}', _tools(_PIER)), format="openai-chat"),
    # Declared, and null on purpose.
    Example(_row('{\\"pier\\": 3, \\"buoy\\": null}', '{\\"buoy\\": 7}', _tools(_BOTH)), format="openai-chat"),
    # Nobody else has the key.
    Example(_row('{\\"pier\\": 3, \\"unit\\": null}', '{\\"buoy\\": 7}'), format="openai-chat"),
)

INVALID = (
    Example(
        _row('{\\"pier\\": 3, \\"buoy\\": null}', '{\\"buoy\\": 7}', _tools(_PIER)),
        ("/messages/1/tool_calls/0/function/arguments",),
        format="openai-chat",
    ),
    Example(
        _row('{\\"pier\\": 3, \\"buoy\\": null}', '{\\"pier\\": null, \\"buoy\\": 7}'),
        ("/messages/1/tool_calls/0/function/arguments", "/messages/1/tool_calls/1/function/arguments"),
        format="openai-chat",
        mode="finetune",
    ),
)
