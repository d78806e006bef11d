"""Where the message stands in an answer of Cohere's chat API."""

from typing import Any

from lighter.envelope import Opened
from lighter.formats._opening import opened_answer
from lighter.formats.cohere.shapes import NAME


def open_record(value: Any) -> Opened | None:
    """Open an answer, a `message` with its `finish_reason` beside it; None for anything else."""
    match value:
        case {"message": {"role": "assistant"}, "finish_reason": str() | None, **rest} if "choices" not in rest:
            return opened_answer(NAME, value)
        case _:
            return None
