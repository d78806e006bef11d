"""Calls and results in OpenAI's Responses: items of their own, paired by `call_id` (openai 3.57.0 `ResponseInputItemParam`)."""

from collections.abc import Iterator

from msgspec import UNSET

from lighter.conversation import WireMessage
from lighter.toolwire import Arguments, Keys, MalformedCall, WireCall, WireResult, arguments_of

_FUNCTION = Keys(id="call_id")
_CUSTOM = Keys(id="call_id", arguments="input")


def calls_of(message: WireMessage) -> Iterator[WireCall | MalformedCall]:
    """Read the call that an item is."""
    path = message.path
    match message.raw:
        case {"type": "function_call"} as item:
            arguments = arguments_of(item.get("arguments", UNSET))
            yield WireCall(message, path, item, "item", item, path, arguments, _FUNCTION)
        case {"type": "custom_tool_call"} as item:
            yield WireCall(message, path, item, "custom item", item, path, Arguments("free"), _CUSTOM)
        case _:
            pass


def results_of(message: WireMessage) -> Iterator[WireResult]:
    """Read the result that an item is."""
    match message.raw:
        case {"type": "function_call_output" | "custom_tool_call_output"} as item:
            # One that its tool's name alone tells answers no call (openai 3.57.0, `call_id` is optional; openai/codex#42088).
            if item.get("call_id") is not None or "name" not in item:
                yield WireResult(message, message.path, item, message.path, "call_id")
        case _:
            pass
