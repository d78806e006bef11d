"""The text of an error that is at hand as an exception: what it and those behind it say, and what the SDK of a provider keeps beside."""

from collections.abc import Iterator, Mapping

from lighter.errors import NotRecognised
from lighter.jsontext import encode_text

MOST_BEHIND = 50
"""Exceptions behind one another that are looked at."""


def text_of_error(error: str | BaseException) -> str:
    """Give the text of an error; an SDK's `message`, `body` and answer are added where they say more than the exception itself.

    The exceptions that it was raised from or during follow, and those of a group. Raises NotRecognised for what is neither text
    nor an exception.
    """
    if isinstance(error, str):
        return error
    if not isinstance(error, BaseException):
        raise NotRecognised(f"an error is explained by its text or by the exception, not by {type(error).__name__}")
    said = [text for one in _with_those_behind(error) for text in _told(one)]
    return "\n".join(text for at, text in enumerate(said) if text and not any(text in other for other in said[:at]))


def _with_those_behind(error: BaseException) -> Iterator[BaseException]:
    """Yield an exception, those that it holds as a group, and the one that it was raised from or while handling."""
    waiting, seen = [error], set[int]()
    while waiting and len(seen) < MOST_BEHIND:
        one = waiting.pop(0)
        if id(one) in seen:
            continue
        seen.add(id(one))
        yield one
        waiting += one.exceptions if isinstance(one, BaseExceptionGroup) else ()
        behind = one.__cause__ or (None if one.__suppress_context__ else one.__context__)
        waiting += [behind] if behind is not None else ()


def _told(error: BaseException) -> Iterator[str]:
    """Yield what an exception says of itself, and what it keeps."""
    yield _said(error)
    for name in ("message", "body"):
        yield _written(getattr(error, name, None))
    answer = getattr(error, "response", None)  # of HTTP clients; botocore's is the parsed one
    yield _written(answer if isinstance(answer, Mapping) else _text_of(answer))


def _said(error: BaseException) -> str:
    """Give an exception's own text, which is somebody's code and may fail."""
    try:
        return str(error)
    except Exception:  # noqa: BLE001 - the error that is explained is another one
        return type(error).__name__


def _text_of(answer: object) -> str:
    """Give the text of an answer over HTTP, which may not have been read, or be a method."""
    try:
        text = getattr(answer, "text", None)
    except Exception:  # noqa: BLE001 - httpx raises one of its own for an answer that was streamed
        return ""
    return text if isinstance(text, str) else ""


def _written(value: object) -> str:
    """Write what an SDK keeps of an answer; a body that is no JSON is left out."""
    if value is None or isinstance(value, str):
        return value or ""
    try:
        return encode_text(value)
    except (TypeError, ValueError, RecursionError):
        return ""
