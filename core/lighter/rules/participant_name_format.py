r"""The name of a participant has characters that OpenAI does not take.

## What
`name` on a message tells participants apart. OpenAI takes no white space and none of `<`, `|`, `\`, `/`, `>` in it, and at most
64 characters. Some API versions take only letters, digits, `_` and `-` of ASCII; other names are noted as information.

## Why it is refused
The name becomes part of the prompt's own markup. Display names of people and of agents are the usual source.

## Example
Bad:
```
[{"role": "user", "name": "Dana Example", "content": "hello"}]
```
Good:
```
[{"role": "user", "name": "Dana_Example", "content": "hello"}]
```

## Fix
Replace each such character by `_`.
"""

import re
from collections.abc import Iterator
from typing import Any

from lighter.conversation import WireMessage
from lighter.diagnostics import Fix, Severity
from lighter.edits import Drop, Put, Repair, repair, safe, unsafe
from lighter.passage import Passage
from lighter.providers import Target, get_target
from lighter.rule import Aim, Example, Finding, Refusal, Rule
from lighter.rules._limits import breach_of
from lighter.rules._telling import shown
from lighter.wire import fields_of, messages_of, role_of, type_name

RULE = Rule(
    code="M114",
    name="participant-name-format",
    summary="the name of a participant has characters that OpenAI does not take",
    severity={"openai-chat": "error", "azure-openai": "error"},
    formats=("openai-chat",),
    refusals=(
        Refusal(
            ("openai-chat", "azure-openai"),
            "Invalid 'messages[5].name': string does not match pattern. Expected a string that matches the pattern '^[a-zA-Z0-9_-]+$'.",
            "https://github.com/FlowiseAI/Flowise/issues/2948",
        ),
    ),
    source="https://github.com/FlowiseAI/Flowise/issues/2948",
    fix=Fix("safe", "replace such characters by `_`"),
)

_NAMED_ROLES = frozenset({"user", "assistant", "system", "developer"})
_OLD_PATTERN = r"[a-zA-Z0-9_-]+"
_REPLACE = "replace such characters by `_`"


def check(passage: Passage, aim: Aim) -> Iterator[Finding]:
    """Find names outside the target's pattern or length; what `tool` and `function` messages name is a tool."""
    target = get_target(aim.target)
    for message in messages_of(passage, "openai-chat"):
        name = fields_of(message).get("name")
        if name is None or message.is_response or role_of(message) not in _NAMED_ROLES:
            continue
        if found := _fault(name, target):
            said, help_, refusals, severity = found
            path = f"{message.path}/name"
            made = _repair(message, path, name, target, is_known=severity is None)
            yield Finding(message.record, path, said, help_, severity=severity, refusals=refusals, repair=made)


def _repair(message: WireMessage, path: str, name: Any, target: Target, *, is_known: bool) -> Repair | None:
    """Write a name that is taken; who is not known to refuse it would have it changed for nothing."""
    if name == "":
        return safe("delete the key", Drop(message.record, path))
    text = str(name) if isinstance(name, str | int) and not isinstance(name, bool) else ""
    plain = re.sub(r"[^a-zA-Z0-9_-]", "_", text)
    longest = target.participant_name_max
    if not plain or (longest is not None and len(plain) > longest):
        return None
    edit = Put(message.record, path, plain)
    return repair(edit) if is_known else unsafe(_REPLACE, edit)


def _fault(name: Any, target: Target) -> tuple[str, str, tuple[Refusal, ...], Severity | None] | None:
    """Tell what is wrong with a name, what would help, who was heard to refuse it, and how much it matters."""
    if not isinstance(name, str):
        return f"the name is {type_name(name)}, not text", "write it as text", (), None
    if not name:
        return "the name is empty", "delete the key, or say who speaks", RULE.refusals, None
    longest = target.participant_name_max
    if breach := breach_of(name, longest, target.participant_name_pattern, target.title):
        help_ = f"use at most {longest} characters" if breach.is_length else _REPLACE
        return f"the name {shown(name)} {breach.words}", help_, () if breach.is_length else RULE.refusals, None
    if not re.fullmatch(_OLD_PATTERN, name):
        said = f"the name {shown(name)} is refused by API versions that take only letters, digits, `_` and `-`"
        return said, _REPLACE, RULE.refusals, "info"
    return None


VALID = (
    Example('[{"role": "user", "name": "dana_example-1", "content": "hello"}]', target="openai-chat"),
    Example('[{"role": "user", "name": "Dana Example", "content": "hello"}]'),
    Example('[{"role": "user", "name": null, "content": "hello"}]', target="openai-chat"),
    # A function's name, which has a pattern of its own.
    Example(
        '[{"role": "user", "content": "Tide?"}, {"role": "assistant", "content": null, "function_call": {"name": "tide", "arguments":'
        ' "{}"}}, {"role": "function", "name": "tide.read", "content": "2.1 m"}]',
        target="openai-chat",
    ),
)

INVALID = (
    Example('[{"role": "user", "name": "Dana Example", "content": "hello"}]', ("/0/name",), target="openai-chat"),
    Example('[{"role": "assistant", "name": "team/harbour", "content": "hello"}]', ("/0/name",), target="azure-openai"),
    Example(f'[{{"role": "user", "name": "{"d" * 65}", "content": "hello"}}]', ("/0/name",), target="openai-chat"),
    Example('[{"role": "user", "name": "", "content": "hello"}]', ("/0/name",), target="openai-chat"),
)
