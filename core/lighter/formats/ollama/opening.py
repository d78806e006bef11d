"""Where the message stands in an answer of Ollama's chat API."""

from typing import Any

from lighter.envelope import Opened
from lighter.formats._opening import opened_answer
from lighter.formats.ollama.shapes import NAME


def open_record(value: Any) -> Opened | None:
    """Open an answer, a `message` with `done` beside it; one that is not done is a piece of a stream. None for anything else."""
    match value:
        case {"message": {"role": str()}, "done": bool(is_done), **rest} if "choices" not in rest:
            if not is_done:
                return Opened("chunk")
            return opened_answer(NAME, value)
        case _:
            return None
