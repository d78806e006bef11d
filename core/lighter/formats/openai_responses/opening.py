"""Where the items stand in requests, answers and bare items of the Responses API."""

from collections.abc import Mapping
from typing import Any

from lighter.envelope import Body, Opened, looks_like_message
from lighter.formats._opening import opened
from lighter.formats.openai_responses.shapes import NAME, REQUEST_KEYS, TELLING_KEYS, is_item, part_types
from lighter.jsontext import step

_NONE = Opened("none")
_PAIRED = frozenset({"request", "body", "response", "response_obj", "result", "modelOutput", "choices"})
"""Keys of records that hold a request and its answer, for which the envelope is responsible."""

_OTHER_MODELS = ("embed", "moderation")
"""What the models of other APIs are called, which take an `input`, too."""

_CHAT_PARTS = frozenset({"text", "image_url", "file", "image", "document", "tool_use", "tool_result", "thinking"})
"""Content parts of Chat Completions and of Anthropic."""

_LAST_EVENTS = ("response.completed", "response.incomplete", "response.failed")


def open_record(value: Any) -> Opened | None:
    """Open a request (`input`), an answer (`output`), both in one, a list of items, or one item; None for anything else.

    Of a stream only the last event is opened, which holds the whole answer; the others repeat parts of it.
    """
    match value:
        case {"type": str(kind), "sequence_number": _} if kind.startswith("response.") and kind not in _LAST_EVENTS:
            return _NONE
        case _:
            return opened(value, _body, is_item)


def _body(value: Mapping[str, Any]) -> Body | None:
    is_answered = _is_answer(value)
    is_asked = _is_request(value, is_answered=is_answered)
    if not (is_asked or is_answered):
        return None
    messages: list[tuple[str, Any, bool]] = []
    listed = value.get("input") if is_asked else None
    if isinstance(listed, str):
        messages.append(("/input", listed, False))
    elif isinstance(listed, list):
        messages += [(f"/input{step(n)}", item, False) for n, item in enumerate(listed)]
    if is_answered:
        messages += [(f"/output{step(n)}", item, True) for n, item in enumerate(value["output"])]
    taken = {"input"} if is_asked else set[str]()
    taken |= {"output"} if is_answered else set()
    rest = {key: held for key, held in value.items() if key not in taken}
    return Body(
        tuple(messages),
        fields=rest if is_asked else {},
        messages_path="/input" if isinstance(listed, list) else None,
        listed=listed if isinstance(listed, list) else None,
        response=None if not is_answered else {} if is_asked else rest,
        format=NAME,
    )


def _is_answer(value: Mapping[str, Any]) -> bool:
    output = value.get("output")
    if not isinstance(output, list):
        return False
    return value.get("object") == "response" or any(is_item(item) or bool(part_types(item)) for item in output)


def _is_request(value: Mapping[str, Any], *, is_answered: bool) -> bool:
    """Say whether a value is a request; it may hold the answer's items beside its own, but nothing else of an answer."""
    if value.get("object") == "response" or value.keys() & _PAIRED or ("output" in value and not is_answered):
        return False
    if isinstance(model := value.get("model"), str) and any(other in model for other in _OTHER_MODELS):
        return False
    is_known = value.keys() <= REQUEST_KEYS | {"output"}
    is_telling = bool(value.keys() & TELLING_KEYS)
    match value.get("input"):
        case list(given) if any(is_item(item) or part_types(item) for item in given):
            return True
        case list(given):
            if any(isinstance(item, dict) and _is_chat(item) for item in given):
                return False
            has_model = "model" in value
            is_whole = all(looks_like_message(item) or (has_model and _has_type(item)) for item in given)
            return (is_whole and (is_known or is_telling)) or (is_telling and has_model)
        case str():
            return is_telling or ("model" in value and is_known)
        case None:  # a turn whose input the provider has already
            return is_known and "model" in value and bool(value.keys() & {"previous_response_id", "conversation"})
        case _:
            return False


def _has_type(item: Any) -> bool:
    return isinstance(item, dict) and isinstance(item.get("type"), str)


def _is_chat(message: Mapping[str, Any]) -> bool:
    """Say whether a message is as in Chat Completions or another API, where lists of messages are logged as `input`, too."""
    if message.keys() & {"tool_calls", "tool_call_id", "function_call"} or message.get("role") in ("tool", "function"):
        return True
    content = message.get("content")
    kinds = [part.get("type") for part in content if isinstance(part, dict)] if isinstance(content, list) else []
    return any(isinstance(kind, str) and kind in _CHAT_PARTS for kind in kinds)
