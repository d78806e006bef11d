"""What formats share in opening records of their own shape."""

from collections.abc import Callable, Mapping
from typing import Any

from lighter.envelope import Body, Opened, bare

_MESSAGE = Opened("message")


def opened(
    value: Any, body_of: Callable[[Mapping[str, Any]], Body | None], is_message: Callable[[Any], bool]
) -> Opened | None:
    """Open a body, which `body_of` takes apart, a list in which something is a message, or one message; else None."""
    match value:
        case dict():
            body = body_of(value)
            if body is not None:
                return Opened("conversation", (body,))
            return _MESSAGE if is_message(value) else None
        case [*items] if any(map(is_message, items)):
            return Opened("conversation", (bare(items, ""),))
        case _:
            return None


def opened_answer(name: str, value: Mapping[str, Any]) -> Opened:
    """Open an answer of a chat that holds its one message under `message`; what stands beside that is the envelope."""
    envelope = {key: held for key, held in value.items() if key != "message"}
    return Opened("conversation", (Body((("/message", value["message"], True),), response=envelope, format=name),))
