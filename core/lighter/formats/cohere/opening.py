"""Where the message stands in an answer of Cohere's chat API."""

from typing import Any

from lighter.envelope import Body, Opened
from lighter.formats.cohere.shapes import NAME


def open_record(value: Any) -> Opened | None:
    """Open an answer, a `message` with its `finish_reason` beside it; None for anything else."""
    match value:
        case {"message": {"role": "assistant"} as message, "finish_reason": str() | None, **rest} if (
            "choices" not in rest
        ):
            envelope = {key: held for key, held in value.items() if key != "message"}
            return Opened("conversation", (Body((("/message", message, True),), response=envelope, format=NAME),))
        case _:
            return None
