"""The text of an error that is at hand as an exception: what it says of itself, and what the SDK of a provider keeps beside that."""

from lighter.errors import NotRecognised
from lighter.jsontext import encode_text


def text_of_error(error: str | BaseException) -> str:
    """Give the text of an error; an SDK's `message` and `body` are added where they say more than the exception itself.

    Raises NotRecognised for what is neither text nor an exception.
    """
    if isinstance(error, str):
        return error
    if not isinstance(error, BaseException):
        raise NotRecognised(f"an error is explained by its text or by the exception, not by {type(error).__name__}")
    said = [_said(error), *(_written(getattr(error, name, None)) for name in ("message", "body"))]
    return "\n".join(text for at, text in enumerate(said) if text and not any(text in other for other in said[:at]))


def _said(error: BaseException) -> str:
    """Give an exception's own text, which is somebody's code and may fail."""
    try:
        return str(error)
    except Exception:  # noqa: BLE001 - the error that is explained is another one
        return type(error).__name__


def _written(value: object) -> str:
    """Write what an SDK keeps of an answer; a body that is no JSON is left out."""
    if value is None or isinstance(value, str):
        return value or ""
    try:
        return encode_text(value)
    except (TypeError, ValueError, RecursionError):
        return ""
