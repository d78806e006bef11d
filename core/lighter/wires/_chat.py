"""Calls and results in chats of OpenAI's general shape: `tool_calls` beside the content, results in messages of their own."""

from collections.abc import Callable, Iterator
from typing import Any

from msgspec import UNSET

from lighter.conversation import WireMessage
from lighter.toolwire import Arguments, MalformedCall, WireCall, WireResult, arguments_of

OTHER_ROLES = frozenset({"system", "developer", "user", "tool", "function"})
"""Roles that the model does not speak in; calls on such a message have a rule of their own."""


def is_of_model(message: WireMessage) -> bool:
    """Say whether a message may be the model's."""
    role = message.raw.get("role") if isinstance(message.raw, dict) else "user"
    return not (isinstance(role, str) and role in OTHER_ROLES)


def calls_in(
    message: WireMessage, read: Callable[[Any], Arguments] = arguments_of
) -> Iterator[WireCall | MalformedCall]:
    """Read the entries of `tool_calls`; `read` reads arguments."""
    if not is_of_model(message):
        return
    path = f"{message.path}/tool_calls"
    match message.raw.get("tool_calls"):
        case list() as entries:
            for index, entry in enumerate(entries):
                yield _entry(message, f"{path}/{index}", entry, read)
        case None:
            pass
        case _:
            yield MalformedCall(message, path, "list")


def _entry(message: WireMessage, path: str, entry: Any, read: Callable[[Any], Arguments]) -> WireCall | MalformedCall:
    match entry:
        case {"type": "custom", "custom": {"name": _} as custom} | {"type": "custom", "custom": {"input": _} as custom}:
            return WireCall(message, path, entry, "custom", custom, f"{path}/custom", Arguments("free"))
        case {"function": {"name": _} as function} | {"function": {"arguments": _} as function}:
            arguments = read(function.get("arguments", UNSET))
            return WireCall(message, path, entry, "function", function, f"{path}/function", arguments)
        case {"name": _}:
            return MalformedCall(message, path, "flat")
        case dict():
            return MalformedCall(message, path, "hollow")
        case _:
            return MalformedCall(message, path, "object")


def legacy_call(message: WireMessage) -> Iterator[WireCall]:
    """Read the `function_call` of old chats."""
    legacy = message.raw.get("function_call") if is_of_model(message) else None
    if isinstance(legacy, dict):
        path = f"{message.path}/function_call"
        yield WireCall(message, path, legacy, "legacy", legacy, path, arguments_of(legacy.get("arguments", UNSET)))


def results_in(message: WireMessage, name_key: str | None = None) -> Iterator[WireResult]:
    """Read a message of role `tool`; `name_key` is where the wire names the tool."""
    match message.raw:
        case {"role": "tool"} as raw:
            yield WireResult(message, message.path, raw, message.path, "tool_call_id", name_key)
        case _:
            pass
