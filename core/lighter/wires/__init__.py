"""How calls, results and tool definitions stand on each wire: one module a format, found by the format's name.

A module offers

    calls_of(message)     yields the calls of a message that the model made, and the entries that cannot be read as such
    results_of(message)   yields the tool results of a message
    tools_of(fields)      yields the tools that a request body declares; without it they are read as in OpenAI's chats

and, where it is so,

    RESULTS_STAND_TOGETHER    the provider wants all results of a turn in one message; calls of consecutive messages are one turn's
    HAS_PLAIN_TEXT = False    no message is as in any chat, a role and a text as its content
    IDS_ARE_OPTIONAL          calls and results pair by their order and names
    nameless_strays(message)  counts the calls and results that have no id and stand where no reader looks for them

A format without a module gets what its reader made of its messages (`_derived`), which tells
nothing of calls that are broken.
"""

import os
from collections.abc import Iterator, Mapping
from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING, Any, Protocol

from lighter.conversation import WireMessage

if TYPE_CHECKING:
    from lighter.toolwire import DeclaredTool, MalformedCall, WireCall, WireResult


class Wire(Protocol):
    """What a module of this folder offers; see above for what it may leave out."""

    def calls_of(self, message: WireMessage) -> "Iterator[WireCall | MalformedCall]":
        """Read the calls of one message."""
        ...

    def results_of(self, message: WireMessage) -> "Iterator[WireResult]":
        """Read the tool results of one message."""
        ...


@cache
def _names() -> frozenset[str]:
    found = (entry.removesuffix(".py") for entry in os.listdir(os.path.dirname(__file__)))  # noqa: PTH120, PTH208 - pathlib costs start-up time
    return frozenset(name for name in found if name[0] != "_" and name.isidentifier())


@cache
def wire_of(format_name: str) -> Wire | None:
    """Give the module of a format, None when it has none."""
    name = format_name.replace("-", "_")
    module: Any = import_module(f"lighter.wires.{name}") if name in _names() else None
    return module  # type: ignore[no-any-return]  # a module that has the members of the protocol


def results_stand_together(format_name: str) -> bool:
    """Say whether all results of a turn belong into one message."""
    return bool(getattr(wire_of(format_name), "RESULTS_STAND_TOGETHER", False))


def has_plain_text(format_name: str) -> bool:
    """Say whether a message may be a role and a text as its content."""
    return bool(getattr(wire_of(format_name), "HAS_PLAIN_TEXT", True))


def ids_are_optional(format_name: str) -> bool:
    """Say whether calls and results need no ids."""
    return bool(getattr(wire_of(format_name), "IDS_ARE_OPTIONAL", False))


def nameless_strays(format_name: str, message: WireMessage) -> tuple[int, int]:
    """Count the calls and results without an id that stand where no reader looks for them."""
    count = getattr(wire_of(format_name), "nameless_strays", None)
    return (0, 0) if count is None else count(message)


def tools_of(format_name: str, fields: Mapping[str, Any]) -> "Iterator[DeclaredTool] | None":
    """Give the tools that a request body declares; None when they are declared as in OpenAI's chats."""
    read = getattr(wire_of(format_name), "tools_of", None)
    return None if read is None else read(fields)
