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

from lighter.diagnostics import Fix
from lighter.passage import Passage
from lighter.providers import get_target
from lighter.rule import Aim, Example, Finding, Refusal, Rule
from lighter.toolwire import shown
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
            "Invalid 'messages[5].name': string does not match pattern. Expected a string that matches the pattern '^[^\\s<|\\\\/>]+$'.",
            "FlowiseAI/Flowise#2948",
        ),
    ),
    source="FlowiseAI/Flowise#2948",
    fix=Fix("safe", "replace such characters by `_`"),
)

_NAMED_ROLES = frozenset({"user", "assistant", "system", "developer"})
_OLD_PATTERN = re.compile(r"[a-zA-Z0-9_-]+")


def check(passage: Passage, aim: Aim) -> Iterator[Finding]:
    """Find names outside the target's pattern or length; what `function` messages name is a tool."""
    target = get_target(aim.target)
    for message in messages_of(passage, "openai-chat"):
        name = fields_of(message).get("name")
        if name is None or message.is_response or role_of(message) not in _NAMED_ROLES:
            continue
        path, help_ = f"{message.path}/name", "replace such characters by `_`"
        if not isinstance(name, str):
            yield Finding(message.record, path, f"the name is {type_name(name)}, not text", "write it as text")
        elif not name or not re.fullmatch(target.participant_name_pattern or ".*", name):
            yield Finding(
                message.record,
                path,
                f"the name {shown(name)} has characters that are not allowed" if name else "the name is empty",
                help_,
            )
        elif target.participant_name_max and len(name) > target.participant_name_max:
            yield Finding(
                message.record,
                path,
                f"the name is {len(name)} characters long",
                f"use at most {target.participant_name_max}",
            )
        elif not _OLD_PATTERN.fullmatch(name):
            said = f"the name {shown(name)} is refused by API versions that take only letters, digits, `_` and `-`"
            yield Finding(message.record, path, said, help_, severity="info")


VALID = (
    Example('[{"role": "user", "name": "dana_example-1", "content": "hello"}]', target="openai-chat"),
    Example('[{"role": "user", "name": "Dana Example", "content": "hello"}]'),
    Example('[{"role": "user", "name": null, "content": "hello"}]', target="openai-chat"),
)

INVALID = (
    Example('[{"role": "user", "name": "Dana Example", "content": "hello"}]', ("/0/name",), target="openai-chat"),
    Example('[{"role": "assistant", "name": "team/harbour", "content": "hello"}]', ("/0/name",), target="azure-openai"),
)
