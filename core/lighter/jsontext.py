"""JSON read and written exactly: every number literal survives, and JSON Pointers name the values inside."""

import json
import re
import sys
from collections.abc import Iterable, Iterator
from typing import Any, NoReturn, Self

import msgspec

_MINUS_ZERO = re.compile(rb"-0(?![.\deE])")
_ESCAPED = {'"': '\\"', "\\": "\\\\", "\b": "\\b", "\f": "\\f", "\n": "\\n", "\r": "\\r", "\t": "\\t"}

_DEEPER = 5000
"""How many more calls may be nested while a value is written."""


class Number(float):
    """A JSON number whose literal a Python number would not write back: `1.10`, `1e3`, `1e400`, `-0`."""

    literal: str

    def __new__(cls, literal: str) -> Self:
        """Keep the literal beside the float that it names."""
        number = super().__new__(cls, literal)
        number.literal = literal
        return number

    def __reduce__(self) -> tuple[type["Number"], tuple[str]]:
        return Number, (self.literal,)


def _literal_of(value: object) -> msgspec.Raw:
    if isinstance(value, Number):
        return msgspec.Raw(value.literal.encode())
    raise TypeError(f"{type(value).__name__} is no JSON value")


_DECODER = msgspec.json.Decoder(float_hook=Number)
_ENCODER = msgspec.json.Encoder(enc_hook=_literal_of)


def _integer(literal: str) -> int | Number:
    return Number(literal) if literal == "-0" else int(literal)


def _refuse_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is no JSON value")


def decode(data: bytes | str) -> Any:
    """Parse one JSON text exactly: integers of any size, other numbers as `Number`, lone surrogates kept (but not their bytes).

    Raises ValueError for anything that is not JSON (NaN and Infinity included), RecursionError for absurd nesting.
    """
    raw = data.encode("utf-8", "surrogatepass") if isinstance(data, str) else data
    try:
        value = _DECODER.decode(raw)
    except (msgspec.DecodeError, UnicodeDecodeError):
        return _decode_slowly(data)
    return _decode_slowly(data) if b"-0" in raw and _MINUS_ZERO.search(raw) else value


def _decode_slowly(data: bytes | str) -> Any:
    text = data if isinstance(data, str) else data.decode("utf-8")
    return json.loads(text, parse_float=Number, parse_int=_integer, parse_constant=_refuse_constant)


def encode(value: Any) -> bytes:
    """Write a JSON value compactly, numbers as their literals; a lone surrogate becomes its escape.

    What could be read can be written, however much more stands on the stack by then; raises RecursionError for deeper nesting.
    """
    try:
        return _encoded(value)
    except RecursionError:
        limit = sys.getrecursionlimit()
        sys.setrecursionlimit(limit + _DEEPER)
        try:
            return _encoded(value)
        finally:
            sys.setrecursionlimit(limit)


def _encoded(value: Any) -> bytes:
    try:
        return _ENCODER.encode(value)
    except UnicodeEncodeError:
        return _encode_slowly(value).encode("utf-8")


def encode_text(value: Any) -> str:
    """Write a JSON value as text; see `encode`."""
    return encode(value).decode("utf-8")


def _encode_slowly(value: Any) -> str:
    match value:
        case dict():
            return "{" + ",".join(f"{_string(key)}:{_encode_slowly(item)}" for key, item in value.items()) + "}"
        case list() | tuple():
            return "[" + ",".join(map(_encode_slowly, value)) + "]"
        case str():
            return _string(value)
        case _:
            return _ENCODER.encode(value).decode("utf-8")


def _string(text: str) -> str:
    def escape(char: str) -> str:
        if char in _ESCAPED:
            return _ESCAPED[char]
        return f"\\u{ord(char):04x}" if char < " " or "\ud800" <= char <= "\udfff" else char

    return '"' + "".join(map(escape, text)) + '"'


def is_same(one: Any, other: Any) -> bool:
    """Say whether two exact JSON values are equal, with `1`, `1.0` and `true` told apart and number literals compared."""
    if one is None or type(one) is str:  # as most are
        return type(one) is type(other) and bool(one == other)
    match one, other:
        case dict(), dict():
            return one.keys() == other.keys() and all(is_same(item, other[key]) for key, item in one.items())
        case list(), list():
            return len(one) == len(other) and all(map(is_same, one, other))
        case Number(), Number():
            return bool(one.literal == other.literal)
        case _:
            return type(one) is type(other) and bool(one == other)


def step(key: str | int) -> str:
    """Give one step of a JSON Pointer (RFC 6901), slash included."""
    return f"/{key}" if isinstance(key, int) else "/" + key.replace("~", "~0").replace("/", "~1")


def pointer(keys: Iterable[str | int]) -> str:
    """Join keys and indices to a JSON Pointer."""
    return "".join(map(step, keys))


def keys_of(path: str) -> list[str]:
    """Split a JSON Pointer into its unescaped keys."""
    return [part.replace("~1", "/").replace("~0", "~") for part in path.split("/")[1:]]


def upwards(path: str) -> Iterator[str]:
    """Give a pointer, and those to all that holds it."""
    yield path
    while path:
        path = path.rpartition("/")[0]
        yield path


def value_at(value: Any, path: str) -> Any:
    """Look a pointer up, also inside JSON held in a string; raises LookupError when it leads nowhere."""
    for key in keys_of(path):
        value = child_of(value, key)
    return value


def child_of(value: Any, key: str) -> Any:
    """Take one step of a pointer, its key unescaped, also into JSON held in a string; raises LookupError."""
    if isinstance(value, str):
        try:
            value = decode(value)
        except ValueError as error:
            raise LookupError(key) from error
    match value:
        case dict() if key in value:
            return value[key]
        case list() if key.isdecimal() and int(key) < len(value):
            return value[int(key)]
        case _:
            raise LookupError(key)
