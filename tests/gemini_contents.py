"""Contents of Gemini in one line each, and what a conversion says of them."""

from typing import Any

from comparing import named

FORMATS = {"gemini": "gemini.jsonl", "gemini-interactions": "gemini_interactions.jsonl"}
"""The formats of Gemini, and the files with bodies of theirs."""


def user(*parts: Any) -> dict[str, Any]:
    return {"role": "user", "parts": list(parts)}


def model(*parts: Any) -> dict[str, Any]:
    return {"role": "model", "parts": list(parts)}


def text(said: str) -> dict[str, Any]:
    return {"text": said}


def call(name: str, call_id: str | None = None, **args: Any) -> dict[str, Any]:
    return {"functionCall": {"name": name, "args": args} | ({"id": call_id} if call_id else {})}


def result(name: str, response: Any, call_id: str | None = None) -> dict[str, Any]:
    return {"functionResponse": {"name": name, "response": response} | ({"id": call_id} if call_id else {})}


def told(losses: Any) -> set[tuple[str, str, str]]:
    return {(loss.action, loss.feature, loss.path) for loss in named(losses)}
