"""Messages of OpenAI Chat as they stand on the wire, and files of them: what most tests are made of."""

import json
from typing import Any


def user(text: str = "hi", **keys: Any) -> dict[str, Any]:
    """Make a message of the user."""
    return {"role": "user", "content": text, **keys}


def assistant(text: str = "ok", **keys: Any) -> dict[str, Any]:
    """Make a message of the assistant that calls nothing."""
    return {"role": "assistant", "content": text, **keys}


def calls(*ids: Any, arguments: str = "{}", **keys: Any) -> dict[str, Any]:
    """Make a message of the assistant that calls `f` once for each id."""
    entries = [{"id": id_, "type": "function", "function": {"name": "f", "arguments": arguments}} for id_ in ids]
    return {"role": "assistant", "content": None, "tool_calls": entries, **keys}


def result(call_id: Any, content: Any = "ok", **keys: Any) -> dict[str, Any]:
    """Make the result of a call."""
    return {"role": "tool", "tool_call_id": call_id, "content": content, **keys}


def jsonl(*values: Any) -> bytes:
    """Make a file with a value a line."""
    return b"".join(json.dumps(value).encode() + b"\n" for value in values)


USER = user()
SAID = assistant("hello")
