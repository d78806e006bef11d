"""What the user may decide about a conversion, one choice a module: each changes a conversation before it is written.

A module has CHOICES (the default first), HELP, and `apply(conversation, choice, target)`, which gives the changed conversation
and the losses of that change. The defaults change nothing: they are what the writers do by themselves.
"""

from collections.abc import Mapping
from types import ModuleType
from typing import Any

from msgspec import Struct

from lighter.conversation import Conversation
from lighter.errors import UnknownName
from lighter.formats import Format
from lighter.losses import Loss
from lighter.policies import arguments, ids, missing_results, reasoning, system, tools

MODULES: dict[str, ModuleType] = {
    "tools": tools,
    "missing_results": missing_results,
    "ids": ids,
    "system": system,
    "reasoning": reasoning,
    "arguments": arguments,
}
"""The policies by name, in the order in which they are applied: what is added first may be renamed later."""


class Policies(Struct, frozen=True, kw_only=True):
    """What the user decided; see the modules of this folder."""

    tools: str = tools.CHOICES[0]
    missing_results: str = missing_results.CHOICES[0]
    ids: str = ids.CHOICES[0]
    system: str = system.CHOICES[0]
    reasoning: str = reasoning.CHOICES[0]
    arguments: str = arguments.CHOICES[0]

    def __post_init__(self) -> None:
        for name, module in MODULES.items():
            if getattr(self, name) not in module.CHOICES:
                raise UnknownName(f"choice for {name.replace('_', '-')}", str(getattr(self, name)), module.CHOICES)


DEFAULTS = Policies()


def policies_of(choices: Mapping[str, str]) -> Policies:
    """Make policies of choices by name; raises UnknownName."""
    for name in choices:
        if name not in MODULES:
            raise UnknownName("policy", name, MODULES)
    return Policies(**choices)


def apply(conversation: Conversation, policies: Policies, target: Format) -> tuple[Conversation, tuple[Loss, ...]]:
    """Change a conversation as the policies say; gives what was lost by that."""
    losses: tuple[Loss, ...] = ()
    for name, module in MODULES.items():
        choice = getattr(policies, name)
        if choice != module.CHOICES[0]:
            applied: Any = module.apply
            conversation, more = applied(conversation, choice, target)
            losses += more
    return conversation, losses
