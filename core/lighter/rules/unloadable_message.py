"""LangChain does not load a message: a field is missing, or of a type that its class does not take.

## What
A result without `tool_call_id`, a call without `name`, `args` or `id`, arguments that are text, a `status` that is neither `success`
nor `error`, a removal without `id`, token counts that are no numbers, a message without `content`, and the like. Such messages were
written by hand or by an application, cut short by a log, or come from another framework.

## Why it is refused
Each class of message checks its fields, and one message that does not pass keeps the whole history from being loaded.
langchain-core is strict (`load`, `messages_from_dict`, `convert_to_messages`, and with that `add_messages` of LangGraph);
@langchain/core looks at little when it loads, but its types say the same. In forms that one of them reads alone, that one
counts; flat messages are for both, and what only one of them refuses is a warning.

## Example
Bad:
```
[{"type": "human", "content": "Tide?"}, {"type": "ai", "content": "", "tool_calls": [{"name": "read_tide", "args": "{}", "id": "c1"}]}]
```
Good:
```
[{"type": "human", "content": "Tide?"}, {"type": "ai", "content": "", "tool_calls": [{"name": "read_tide", "args": {}, "id": "c1"}]}]
```

## Fix
Write what is missing; what says nothing may be dropped. `--fix` does both where it is said already: arguments in JSON text, calls in
OpenAI's or Anthropic's words, null where nothing may be written. It makes up no name and no content.
"""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from lighter.conversation import WireMessage
from lighter.diagnostics import Fix, Severity
from lighter.edits import Drop, Put, Repair, safe, unsafe
from lighter.passage import Passage
from lighter.rule import Aim, Example, Finding, Mention, Refusal, Rule
from lighter.rules._langchain import FORMS, taken_in
from lighter.rules._langchain_faults import Fault, is_stored, severity_in
from lighter.rules._langchain_fields import faults_in, misplaced, stranger_fault
from lighter.rules._langchain_mending import GONE, as_written
from lighter.rules._quotes import said_with

if TYPE_CHECKING:
    from lighter.formats._langchain import Unwrapped

_PYTHON = ("langchain", "langchain-stored", "langchain-dump")
_CORE, _CORE_JS = "langchain-core 1.8.3", "@langchain/core 1.4.0"

RULE = Rule(
    code="M151",
    name="unloadable-message",
    summary="LangChain does not load a message: a field is missing or of a wrong type",
    severity={"generic": "error"},
    formats=FORMS,
    refusals=(
        Refusal(
            ("langchain-dump",),
            "Message dict must contain 'role' and 'content' keys, got …",
            f"{_CORE} convert_to_messages",
        ),
        Refusal(
            _PYTHON,
            "1 validation error for AIMessage tool_calls.0.args Input should be a valid dictionary",
            f"{_CORE} ToolCall",
        ),
        Refusal(_PYTHON, "tool_call() missing 1 required keyword-only argument: 'id'", f"{_CORE} tool_call"),
        Refusal(_PYTHON, "tool_call() got an unexpected keyword argument '…'", f"{_CORE} tool_call"),
        Refusal(
            _PYTHON,
            "1 validation error for AIMessage tool_calls Input should be a valid list",
            f"{_CORE} AIMessage",
        ),
        Refusal(
            ("langchain", "langchain-stored"),
            "1 validation error for AIMessage usage_metadata.input_tokens Field required",
            f"{_CORE} UsageMetadata",
        ),
        Refusal(
            ("langchain", "langchain-stored"),
            "1 validation error for AIMessage type Input should be 'ai'",
            f"{_CORE} AIMessage",
        ),
        Refusal(
            ("langchain", "langchain-stored"),
            "1 validation error for AIMessage additional_kwargs Input should be a valid dictionary",
            f"{_CORE} BaseMessage",
        ),
        Refusal(
            _PYTHON,
            "1 validation error for AIMessage response_metadata Input should be a valid dictionary",
            f"{_CORE} BaseMessage",
        ),
        Refusal(
            _PYTHON,
            "1 validation error for ToolMessage status Input should be 'success' or 'error'",
            f"{_CORE} ToolMessage",
        ),
        Refusal(
            _PYTHON, "RemoveMessage.__init__() missing 1 required positional argument: 'id'", f"{_CORE} RemoveMessage"
        ),
        Refusal(
            ("langchain", "langchain-stored"),
            "RemoveMessage does not support 'content' field.",
            f"{_CORE} RemoveMessage",
        ),
        Refusal(_PYTHON, "KeyError: 'tool_call_id'", f"{_CORE} ToolMessage"),
        Refusal(
            ("langchain-stored",),
            "Tool call ID must be defined for tool messages",
            f"{_CORE_JS} mapStoredMessagesToChatMessages",
        ),
        Refusal(
            ("langchain-stored",),
            "Role must be defined for chat messages",
            f"{_CORE_JS} mapStoredMessagesToChatMessages",
        ),
        Refusal(
            ("langchain-stored",),
            "Name must be defined for function messages",
            f"{_CORE_JS} mapStoredMessagesToChatMessages",
        ),
        Refusal(
            ("langchain-js", "langchain-stored"),
            "Cannot use 'in' operator to search for 'output_version' in …",
            f"{_CORE_JS} AIMessage",
        ),
    ),
    source=f"{_CORE} messages, {_CORE_JS} messages",
    fix=Fix("safe", "write what a value says in the type that is wanted; drop what says nothing"),
)


def check(passage: Passage, _aim: Aim) -> Iterator[Finding]:
    """Report each field that is refused; messages that the history takes back are loaded before that."""
    taken = taken_in(passage)
    kinds = {_is_kept(unwrapped) for _, unwrapped in taken if unwrapped is not None}
    among_stored = passage.format == "langchain-stored" if len(kinds) > 1 else None
    for message, unwrapped in taken:
        for fault, severity in _judged(message.raw, unwrapped, among_stored=among_stored):
            yield Finding(
                message.record,
                message.path + fault.place,
                fault.said,
                fault.help,
                mentions=(Mention(message, label="this message"),),
                severity=severity,
                repair=_repair(message, unwrapped, fault),
                refusals=tuple(
                    refusal
                    for words in fault.words
                    for refusal in said_with(RULE, words)
                    if passage.format in refusal.targets
                ),
            )


def _repair(message: WireMessage, unwrapped: "Unwrapped | None", fault: Fault) -> Repair | None:
    """Give the edits that mend a fault; values with a key `lc` are wrapped where those of the form are."""
    if fault.mending is None:
        return None
    try:
        made = [
            Drop(message.record, message.path + place)
            if value is GONE
            else Put(message.record, message.path + place, as_written(message.raw, unwrapped, value))
            for place, value in fault.mending.changes
        ]
    except (ValueError, RecursionError):
        return None  # see `as_written`; or it is nested too deeply
    return (safe if fault.mending.is_safe else unsafe)(fault.mending.message, *made)


def _is_kept(unwrapped: "Unwrapped") -> bool:
    """Say whether a message is as stores keep it, now or formerly."""
    return unwrapped.shape == "old" or is_stored(unwrapped)


def _judged(raw: Any, unwrapped: "Unwrapped | None", *, among_stored: bool | None) -> Iterator[tuple[Fault, Severity]]:
    """Find the faults of a message, and how much they matter in its form; `among_stored` tells where there are two sorts."""
    if unwrapped is None:
        if isinstance(raw, dict) and (stranger := stranger_fault(raw)) is not None:
            yield stranger, "error"
    elif among_stored is not None and _is_kept(unwrapped) is not among_stored:
        yield misplaced(unwrapped, among_stored=among_stored), "error"
    else:
        for fault in faults_in(unwrapped):
            if (severity := severity_in(unwrapped, fault)) is not None:
                yield fault, severity


def _history(call: str, result: str) -> str:
    return (
        f'[{{"type": "human", "content": "Tide?"}}, {{"type": "ai", "content": "", "tool_calls": [{call}]}},'
        f' {{"type": "tool", "content": "2.1 m", {result}}}]'
    )


_CALL = '{"name": "read_tide", "args": {}, "id": "c1", "type": "tool_call"}'
_SCHEMA = '"lc": 1, "type": "constructor", "id": ["langchain", "schema", "messages"'
_IN_JS = '"lc": 1, "type": "constructor", "id": ["langchain_core", "messages"'

VALID = (
    Example(_history(_CALL, '"tool_call_id": "c1", "status": "error"')),
    # Numbers become text, and a status that is null is none, where `convert_to_messages` reads it.
    Example(
        _history('{"name": "read_tide", "args": {}, "id": "7"}', '"tool_call_id": 7, "status": null, "id": 3'),
        format="langchain-dump",
    ),
    # JavaScript's calls may do without an id.
    Example(
        f'[{{{_IN_JS}, "HumanMessage"], "kwargs": {{"content": "Tide?"}}}}, {{{_IN_JS}, "AIMessage"], "kwargs": {{"content": "",'
        ' "tool_calls": [{"name": "read_tide", "args": {}}]}}]'
    ),
)

INVALID = (
    Example(
        _history('{"name": "read_tide", "args": "{}", "id": "c1"}', '"tool_call_id": "c1"'), ("/1/tool_calls/0/args",)
    ),
    # `messages_from_dict` reads one of them, `convert_to_messages` the other.
    Example('[{"type": "human", "data": {"content": "Tide?"}}, {"type": "ai", "content": "2.1 m"}]', ("/1",)),
    Example(_history(_CALL, '"status": "success"'), ("/2",)),
    Example(
        f'[{{{_SCHEMA}, "HumanMessage"], "kwargs": {{"content": "Tide?"}}}}, {{{_SCHEMA}, "AIMessage"], "kwargs": {{"content": "2.1 m",'
        ' "usage_metadata": {"input_tokens": null, "output_tokens": 3, "total_tokens": 3}}}]',
        ("/1/kwargs/usage_metadata/input_tokens",),
    ),
    Example(
        '[{"type": "human", "data": {"content": "Tide?"}}, {"type": "generic", "data": {"content": "2.1 m"}}]',
        ("/1/data",),
    ),
)
