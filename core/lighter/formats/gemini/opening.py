"""Where the contents stand in requests, answers and bare lists of Gemini's generateContent."""

from collections.abc import Mapping
from typing import Any

from lighter.envelope import Body, Opened
from lighter.formats._opening import opened
from lighter.formats.gemini.shapes import NAME, RESPONSE_KEYS, TELLING_KEYS, has_key, held, is_content, is_part, snake
from lighter.jsontext import step

_ANSWER_KEYS = frozenset({*RESPONSE_KEYS, *map(snake, RESPONSE_KEYS)})


def open_record(value: Any) -> Opened | None:
    """Open a request (`contents`), an answer (`candidates`), both in one, a list of contents, or one content; else None."""
    return opened(value, _body, is_content)


def _body(value: Mapping[str, Any]) -> Body | None:
    is_asked, is_answered = _is_request(value), _is_answer(value)
    if not (is_asked or is_answered):
        return None
    messages: list[tuple[str, Any, bool]] = []
    listed = value["contents"] if is_asked else None
    if isinstance(listed, list):
        messages += [(f"/contents{step(n)}", content, False) for n, content in enumerate(listed)]
    elif is_asked:
        messages.append(("/contents", listed, False))
    response: dict[str, Any] | None = None
    branches: tuple[tuple[str, Any], ...] = ()
    if is_answered:
        response = {key: item for key, item in value.items() if key in _ANSWER_KEYS} if is_asked else dict(value)
        said, branches = _candidates(value)
        messages += said
    fields = {key: item for key, item in value.items() if key != "contents" and key not in (response or {})}
    return Body(
        tuple(messages),
        fields=fields if is_asked else {},
        messages_path="/contents" if isinstance(listed, list) else None,
        listed=listed if isinstance(listed, list) else None,
        response=response,
        branches=branches,
        format=NAME,
    )


def _candidates(value: Mapping[str, Any]) -> tuple[list[tuple[str, Any, bool]], tuple[tuple[str, Any], ...]]:
    """Give the content of the first candidate, and the others as branches."""
    match value.get("candidates"):
        case [dict(first), *others]:
            branches = tuple((f"/candidates/{n}", candidate) for n, candidate in enumerate(others, 1))
            content = first.get("content")
            return [("/candidates/0/content", content, True)] if isinstance(content, dict) else [], branches
        case _:
            return [], ()


def _has_parts(value: Any) -> bool:
    """Say whether a value among `contents` is a content, whatever its parts are."""
    return is_content(value) or (
        isinstance(value, dict) and isinstance(value.get("parts"), list) and "content" not in value
    )


def _is_request(value: Mapping[str, Any]) -> bool:
    contents = value.get("contents")
    is_told = contents is not None and any(has_key(value, key) for key in TELLING_KEYS)
    match contents:
        case []:
            return is_told or len(value) == 1
        case list():
            return any(map(_has_parts, contents)) or (
                is_told and all(isinstance(item, str) or is_part(item) for item in contents)
            )
        case str():
            return is_told
        case dict():
            return is_content(contents) or is_part(contents)
        case _:
            return False


def _is_answer(value: Mapping[str, Any]) -> bool:
    match value.get("candidates"):
        case [dict(first), *_]:
            return is_content(first.get("content")) or has_key(first, "finishReason") or has_key(value, "usageMetadata")
        case _:
            return held(value, "promptFeedback") is not None and has_key(value, "usageMetadata")
