"""Where the message stands in an answer of Ollama's chat API."""

from typing import Any

from lighter.envelope import Body, Opened
from lighter.formats.ollama.shapes import NAME


def open_record(value: Any) -> Opened | None:
    """Open an answer, a `message` with `done` beside it; one that is not done is a piece of a stream. None for anything else."""
    match value:
        case {"message": {"role": str()} as message, "done": bool(is_done), **rest} if "choices" not in rest:
            if not is_done:
                return Opened("chunk")
            envelope = {key: held for key, held in value.items() if key != "message"}
            return Opened("conversation", (Body((("/message", message, True),), response=envelope, format=NAME),))
        case _:
            return None
