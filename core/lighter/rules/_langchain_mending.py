"""How a field that LangChain does not load becomes one that it loads and that says the same."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from msgspec import Struct

from lighter import jsontext
from lighter.jsontext import encode_text
from lighter.wire import type_name

if TYPE_CHECKING:
    from lighter.formats._langchain import Unwrapped

GONE = object()
"""Stands for the value of a key that is to be dropped."""

_KINDS: Mapping[str, type] = {"an object": dict, "a list": list}
_ARGUMENTS = ("input", "arguments", "parameters")
"""Where calls of other wires have what LangChain has in `args`."""


class Mending(Struct, frozen=True):
    """What to write at which places, counted from the message on; `GONE` is written by dropping the key.

    `is_safe`: the message says what it said before.
    """

    message: str
    changes: tuple[tuple[str, Any], ...]
    is_safe: bool = True


def retyped(place: str, value: Any, wanted: str, *, is_needed: bool) -> Mending | None:
    """Give a value the type that is wanted where it says that already: JSON in a text, an integer for a text, a single item.

    What says nothing may be dropped, unless it is needed. None where nobody knows what is meant.
    """
    if value is None or value in ("", [], {}):
        return None if is_needed else Mending("drop what says nothing", ((place, GONE),))
    kind = _KINDS.get(wanted)
    if kind is not None and isinstance(found := _in_text(value), kind):
        return Mending(f"write {type_name(found)} that the text holds", ((place, found),))
    if kind is list and isinstance(value, dict) and not value.keys().isdisjoint(("args", "function")):
        return Mending("write it as a list of one", ((place, [value]),))
    if wanted == "text" and type(value) is int:
        return Mending("write the number as text", ((place, str(value)),))
    return None


def as_text(place: str, value: Any) -> Mending | None:
    """Give arguments that did not parse the form of text."""
    if isinstance(value, dict | list) and value:
        return Mending("write them as JSON text", ((place, encode_text(value)),))
    return retyped(place, value, "text", is_needed=False)


def as_arguments(place: str, value: Any) -> Mending | None:
    """Give arguments the form of an object."""
    if value is None or value in ("", []):
        return Mending("write an empty object", ((place, {}),))
    return retyped(place, value, "an object", is_needed=True)


def in_own_words(call: Mapping[str, Any], place: str) -> Mending | None:
    """Write a call of another wire as LangChain has it; None where it holds more than a call does."""
    match call:
        case {"function": {"name": str(name), "arguments": found} as function}:
            known, is_whole = {"id", "type", "index", "function"}, function.keys() <= {"name", "arguments"}
        case {"name": str(name)}:
            key = foreign_arguments(call) or ""
            found, known, is_whole = call.get(key), {"id", "type", "index", "name", key}, True
        case _:
            return None
    arguments = {} if found is None or found in ("", []) else _in_text(found) if isinstance(found, str) else found
    if not isinstance(arguments, dict) or not is_whole or not call.keys() <= known:
        return None
    made = {"name": name, "args": arguments, "id": call.get("id"), "type": "tool_call"}
    return Mending("write it with `name` and `args`", ((place, made),), is_safe="index" not in call)


def foreign_arguments(call: Mapping[str, Any]) -> str | None:
    """Tell under which key of another wire a call without `args` has its arguments."""
    found = [key for key in _ARGUMENTS if key in call]
    return found[0] if len(found) == 1 and "args" not in call else None


def as_written(raw: Any, unwrapped: "Unwrapped | None", value: Any) -> Any:
    """Give the value of a field as the form of a message writes it: in some of them values with a key `lc` are wrapped.

    None of these may stand there as it is: `load` makes an object of it, or reads a secret of the environment. Raises ValueError
    where it is not known what in a message is wrapped, so that nothing tells how this one is to be.
    """
    from lighter.formats._langchain import is_escaped_here  # noqa: PLC0415 - loaded only for LangChain's messages
    from lighter.formats._langchain_escaping import escaped, is_plain  # noqa: PLC0415 - as above

    is_wrapping = is_escaped_here(unwrapped.shape, unwrapped.fields) if unwrapped else "lc" in raw
    if not is_wrapping:
        return value
    if not (unwrapped and unwrapped.is_escaped) and not is_plain([value]):
        raise ValueError
    return escaped(value, is_outermost=False)


def _in_text(value: Any) -> Any:
    """Read the JSON in a text; None where there is none."""
    if not isinstance(value, str):
        return None
    try:
        return jsontext.decode(value)
    except (ValueError, RecursionError):
        return None
