"""What speaks for Ollama in a list of messages, a request body or an answer, beyond what all chats have."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

_PARAMS = ("keep_alive", "options", "think")


def sniff(
    messages: Sequence[Any], fields: Mapping[str, Any], response: Mapping[str, Any] | None
) -> Iterator[tuple[int, str]]:
    """Yield the evidence, strongest kinds first.

    Rows of training data have objects as arguments and no ids, too: that alone only hints.
    """
    if response is not None and "done" in response and "choices" not in response:
        yield 10, "an answer with `done`"
    yield from ((4, f"parameter `{key}`") for key in _PARAMS if key in fields)
    if any(isinstance(message, dict) and message.get("role") == "developer" for message in messages):
        return  # no role of Ollama's; rows for gpt-oss have `thinking`, too
    for message in messages:
        if isinstance(message, dict):
            yield from _message(message)


def _message(message: Mapping[str, Any]) -> Iterator[tuple[int, str]]:
    role, content, images = message.get("role"), message.get("content"), message.get("images")
    if isinstance(content, str) and isinstance(images, list) and images and all(isinstance(i, str) for i in images):
        yield 8, "`images` beside the text"
    if role == "tool" and isinstance(message.get("tool_name"), str):
        yield 8, "`tool_name` on results"
    if role == "assistant" and isinstance(message.get("thinking"), str) and not isinstance(content, list):
        yield 6, "`thinking` on an assistant's message"
    calls = message.get("tool_calls")
    for call in calls if isinstance(calls, list) else ():
        match call:
            case {"function": {"arguments": dict(), "index": int()}}:
                yield 6, "calls with an object as arguments and `index`"
            case {"function": {"arguments": dict()}} if "id" not in call and "type" not in call:
                yield 1, "calls with an object as arguments, without an id"
            case _:
                pass
