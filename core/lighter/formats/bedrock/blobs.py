"""Bytes in JSON: base64 text, or the `b'…'` that a careless dump makes of Python's bytes."""

import ast
import base64
import binascii
import re

_LITERAL = re.compile(r"""b'(?:[^'\\\n]|\\.)*'|b"(?:[^"\\\n]|\\.)*\"""", re.ASCII)


def blob_bytes(text: str) -> bytes | None:
    """Give the bytes that `b'…'` text stands for; None when it is no such text."""
    if text[:2] not in ("b'", 'b"') or not _LITERAL.fullmatch(text):
        return None
    try:
        value = ast.literal_eval(text)
    except (ValueError, SyntaxError, MemoryError, RecursionError):
        return None
    return value if isinstance(value, bytes) else None


def as_base64(text: str) -> str:
    """Give blob text as base64: that of the bytes that `b'…'` text stands for, any other text as it is."""
    found = blob_bytes(text)
    return text if found is None else base64.b64encode(found).decode("ascii")


def encoded(text: str) -> str:
    """Give the base64 of a text."""
    return base64.b64encode(text.encode("utf-8", "surrogatepass")).decode("ascii")


def decoded_text(data: str) -> str | None:
    """Give the text that base64 stands for; None when it is no text, or encoding it again would give other base64."""
    try:
        text = base64.b64decode(data, validate=True).decode("utf-8")
    except (binascii.Error, ValueError):
        return None
    return text if encoded(text) == data else None
