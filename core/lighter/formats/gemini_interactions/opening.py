"""Where the steps stand in requests, answers and bare lists of the Interactions API."""

from collections.abc import Mapping
from typing import Any

from lighter.envelope import Body, Opened
from lighter.formats._opening import opened
from lighter.formats.gemini_interactions.shapes import (
    ANSWER_KEYS,
    NAME,
    REQUEST_KEYS,
    TELLING_KEYS,
    is_step,
    is_step_content,
)
from lighter.jsontext import step


def open_record(value: Any) -> Opened | None:
    """Open a request (`input`), an answer (`steps`), both in one, a list of steps, or one step; None for anything else."""
    return opened(value, _body, is_step)


def _body(value: Mapping[str, Any]) -> Body | None:
    is_answered = isinstance(value.get("steps"), list) and (any(map(is_step, value["steps"])) or _is_result(value))
    is_asked = _is_request(value, is_answered=is_answered)
    if not (is_asked or is_answered):
        return None
    messages: list[tuple[str, Any, bool]] = []
    listed = value.get("input") if is_asked else None
    if isinstance(listed, list) and any(map(is_step, listed)):
        messages += [(f"/input{step(n)}", item, False) for n, item in enumerate(listed)]
    elif listed is not None:
        messages.append(("/input", listed, False))
    if is_answered:
        messages += [(f"/steps{step(n)}", item, True) for n, item in enumerate(value["steps"])]
    taken = ({"input"} if is_asked and listed is not None else set[str]()) | ({"steps"} if is_answered else set())
    rest = {key: held for key, held in value.items() if key not in taken}
    if not is_answered:
        fields, response = rest, None
    else:
        fields = {key: held for key, held in rest.items() if key in REQUEST_KEYS and key != "model"} if is_asked else {}
        response = {key: held for key, held in rest.items() if key not in fields}
    is_list = isinstance(listed, list) and messages[0][0] != "/input"
    return Body(
        tuple(messages),
        fields=fields,
        messages_path="/input" if is_list else None,
        listed=listed if is_list else None,
        response=response,
        format=NAME,
    )


def _is_result(value: Mapping[str, Any]) -> bool:
    return "status" in value and ("id" in value or "output_text" in value)


def _is_request(value: Mapping[str, Any], *, is_answered: bool) -> bool:
    """Say whether a value is a request; an answer repeats its input, unless its steps hold that already."""
    if is_answered:
        has_own = any(isinstance(item, dict) and item.get("type") == "user_input" for item in value["steps"])
        return isinstance(value.get("input"), str | list | dict) and value["input"] != [] and not has_own
    if value.keys() & (ANSWER_KEYS - {"id"}):
        return False
    is_known, model = value.keys() <= REQUEST_KEYS, value.get("model")
    is_told = bool(value.keys() & TELLING_KEYS) or (
        isinstance(model, str) and model.startswith(("gemini", "models/gemini"))
    )
    match value.get("input"):
        case [*items] if any(map(is_step, items)):
            return True
        case []:
            return is_told and is_known
        case [*items] if all(isinstance(item, dict) and is_step_content(item) for item in items):
            return is_told or (is_known and "model" in value)
        case dict(content):
            return (is_told or is_known) and (is_step_content(content) or is_step(content))
        case str():
            return is_told and is_known
        case None:
            return is_known and isinstance(value.get("system_instruction"), str)
        case _:
            return False
