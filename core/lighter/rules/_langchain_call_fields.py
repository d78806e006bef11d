"""What LangChain's packages refuse of the calls and the token counts of an `AIMessage` when they load it.

Read off langchain-core 1.8.3: `tool_call` and its like in `messages/tool.py`, which take no other arguments than theirs, and
`UsageMetadata`. In shorthand calls may have OpenAI's shape, whose arguments are parsed.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, Literal

from msgspec.structs import replace

from lighter import jsontext
from lighter.jsontext import step
from lighter.rules._langchain_faults import Fault, wrong
from lighter.rules._langchain_mending import (
    GONE,
    Mending,
    as_arguments,
    as_text,
    foreign_arguments,
    in_own_words,
    retyped,
)
from lighter.rules._telling import shown
from lighter.wire import type_name


def call_faults(fields: Mapping[str, Any], base: str, *, is_flat: bool) -> Iterator[Fault]:
    """Find what is refused of the lists of calls in a message; of flat ones `convert_to_messages` looks at `tool_calls` alone."""
    for key in _LISTS:
        if key in fields:
            found = _list_faults(key, fields[key], f"{base}/{key}", is_flat=is_flat)
            yield from _milder(found) if is_flat and key != "tool_calls" else found


def _list_faults(key: str, listed: Any, place: str, *, is_flat: bool) -> Iterator[Fault]:
    if isinstance(listed, list):
        for index, entry in enumerate(listed):
            yield from _entry_faults(entry, place + step(index), _LISTS[key], is_flat=is_flat)
    elif not _is_passed(key, listed, is_flat=is_flat):
        yield wrong(place, key, listed, "a list", "Input should be a valid list")


def _milder(faults: Iterable[Fault]) -> Iterator[Fault]:
    """Give faults that only the class of a message refuses, as `AnyMessage` does, and no reader of shorthand."""
    yield from (replace(fault, javascript="takes") for fault in faults)


def _is_passed(key: str, value: Any, *, is_flat: bool) -> bool:
    """Say whether what is no list says nothing, and is taken for that; only pieces have a list of pieces that is looked at."""
    if key == "tool_call_chunks":
        return not value
    return is_flat and (value is None or value in ({}, ""))


def _entry_faults(
    entry: Any, place: str, judge: Callable[[Mapping[str, Any], str], Iterator[Fault]], *, is_flat: bool
) -> Iterator[Fault]:
    if not isinstance(entry, dict):
        said = f"this call is {type_name(entry)}, not an object"
        made = retyped(place, entry, "an object", is_needed=False)
        yield Fault(place, said, "write an object with `name`, `args` and `id`", mending=made)
    elif is_flat and judge is _parsed and "function" in entry:
        yield from _usual(entry, place)
    else:
        yield from judge(entry, place)


def _parsed(call: Mapping[str, Any], place: str) -> Iterator[Fault]:
    if "args" not in call and ("function" in call or foreign_arguments(call) is not None):
        yield _foreign(call, place)
        return
    yield from _unknown(call, place, ("name", "args", "id", "type", "extras"), "tool_call")
    for key, wanted, takes in _PARSED:
        at = place + step(key)
        if key not in call:
            yield _lacking(key, place)
        elif not takes(call[key]):
            found = wrong(at, key, call[key], wanted, "tool_calls.0.args" if key == "args" else "", is_needed=True)
            yield replace(found, mending=as_arguments(at, call[key])) if key == "args" else found


def _foreign(call: Mapping[str, Any], place: str) -> Fault:
    """Tell that a call is spelled as on another wire, once for all that this means."""
    key = "function" if "function" in call else foreign_arguments(call)
    said = f"this call has `{key}`, where LangChain has `args`"
    made = in_own_words(call, place)
    return Fault(place, said, "write the call with `name`, `args` and `id`", ("unexpected keyword",), mending=made)


def _lacking(key: str, place: str) -> Fault:
    """Make the fault of a call without a field that it needs; an id may be null."""
    made: Mending | None = None
    if key == "id":
        made = Mending("write that it has none: `null`", ((place + "/id", None),))
    elif key == "args":
        made = Mending("write an empty object", ((place + "/args", {}),), is_safe=False)
    words = ("missing 1 required keyword-only argument: 'id'",) if key == "id" else ()
    minds: Literal["takes", "minds"] = "takes" if key == "id" else "minds"
    return Fault(place, f"this call has no `{key}`", f"write its `{key}`", words, javascript=minds, mending=made)


def _usual(call: Mapping[str, Any], place: str) -> Iterator[Fault]:
    """Judge a call in OpenAI's shape."""
    match call:
        case {"id": _, "function": {"name": _, "arguments": str(text)}}:
            try:
                found = jsontext.decode(text)
            except (ValueError, RecursionError):
                said, is_json = "the arguments of this call are no JSON", False
            else:
                if isinstance(found, dict):
                    return
                said, is_json = f"the arguments of this call are {type_name(found)}, not an object", True
            at = f"{place}/function/arguments"
            yield Fault(at, said, "write an object as JSON text", javascript="minds" if is_json else "refuses")
        case {"id": _, "function": {"name": _, "arguments": dict()}}:
            return
        case _:
            said = "this call lacks its `id`, or the `name` and `arguments` of its `function`"
            yield Fault(place, said, "complete the call")


def _unparsed(call: Mapping[str, Any], place: str) -> Iterator[Fault]:
    yield from _unknown(call, place, ("name", "args", "id", "error", "type"), "invalid_tool_call")
    yield from _texts(call, place, ("name", "args", "id", "error"))


def _piece(call: Mapping[str, Any], place: str) -> Iterator[Fault]:
    yield from _unknown(call, place, ("name", "args", "id", "index", "type"), "tool_call_chunk")
    yield from _texts(call, place, ("name", "args", "id"))
    index = call.get("index")
    if index is not None and not _is_count(index):
        yield wrong(f"{place}/index", "index", index, "an integer")


def _texts(call: Mapping[str, Any], place: str, keys: tuple[str, ...]) -> Iterator[Fault]:
    for key in keys:
        if not _is_text_or_null(call.get(key)):
            at = place + step(key)
            found = wrong(at, key, call[key], "text")
            yield replace(found, mending=as_text(at, call[key])) if key == "args" else found


def _unknown(call: Mapping[str, Any], place: str, known: tuple[str, ...], maker: str) -> Iterator[Fault]:
    """Find keys that are none of a call's; JavaScript does not look at them."""
    for key in call:
        if key not in known:
            said = f"a call in `{maker}s` has no {shown(key)}"
            made = Mending("drop it", ((place + step(key), GONE),), is_safe=call[key] is None)
            words = ("unexpected keyword argument",)
            yield Fault(place + step(key), said, "drop it", words, javascript="takes", mending=made)


def _is_text(value: Any) -> bool:
    return isinstance(value, str)


def _is_text_or_null(value: Any) -> bool:
    return value is None or isinstance(value, str)


def _is_object(value: Any) -> bool:
    return isinstance(value, dict)


_LISTS = {"tool_calls": _parsed, "invalid_tool_calls": _unparsed, "tool_call_chunks": _piece}
_PARSED: tuple[tuple[str, str, Callable[[Any], bool]], ...] = (
    ("name", "text", _is_text),
    ("args", "an object", _is_object),
    ("id", "text", _is_text_or_null),
)

_COUNT_HELP = "write the count, or drop the usage"
_COUNTS = ("input_tokens", "output_tokens", "total_tokens")
_DETAILS = {
    "input_token_details": ("audio", "cache_creation", "cache_read"),
    "output_token_details": ("audio", "reasoning"),
}


def usage_faults(usage: Any, place: str, *, is_flat: bool) -> Iterator[Fault]:
    """Find counts of tokens that are none; `convert_to_messages` does not look at them, but `AnyMessage` does."""
    found = _usage_faults(usage, place)
    yield from _milder(found) if is_flat else found


def _usage_faults(usage: Any, place: str) -> Iterator[Fault]:
    if usage is None:
        return
    if not isinstance(usage, dict):
        yield wrong(place, "usage_metadata", usage, "an object", "usage_metadata")
        return
    if all(usage.get(key) is None for key in _COUNTS):
        rest = {key: told for key, told in usage.items() if key not in _COUNTS and told not in (None, {})}
        made = Mending("drop what says nothing", ((place, GONE),), is_safe=not rest)
        yield Fault(place, "the usage has no counts", _COUNT_HELP, ("usage_metadata",), mending=made)
        return
    for key in _COUNTS:
        if key not in usage:
            said = f"the usage has no `{key}`"
            yield Fault(place, said, _COUNT_HELP, ("usage_metadata",), mending=_summed(usage, key, place))
    yield from _count_faults(usage, _COUNTS, place, is_needed=True)
    for key, counts in _DETAILS.items():
        match usage.get(key, {}):
            case dict() as details:
                yield from _count_faults(details, counts, place + step(key), is_needed=False)
            case details:
                yield wrong(place + step(key), key, details, "an object", "usage_metadata")


def _summed(usage: Mapping[str, Any], key: str, place: str) -> Mending | None:
    """Write the sum that is missing, which is that of the two other counts (`UsageMetadata.total_tokens`)."""
    match usage:
        case {"input_tokens": int(asked), "output_tokens": int(told)} if key == "total_tokens":
            return Mending("write the sum of both counts", ((f"{place}/{key}", asked + told),))
        case _:
            return None


def _count_faults(holder: Mapping[str, Any], keys: tuple[str, ...], place: str, *, is_needed: bool) -> Iterator[Fault]:
    for key in keys:
        if key in holder and not _is_count(holder[key]):
            yield wrong(place + step(key), key, holder[key], "an integer", "usage_metadata", is_needed=is_needed)


def _is_count(value: Any) -> bool:
    """Say whether pydantic takes a value for an integer: one, a number without a fraction, or text that says one."""
    match value:
        case int():
            return True
        case float():
            return value.is_integer()
        case str():
            text = value.strip()
            return text.removeprefix("-").isdecimal() and text.isascii()
        case _:
            return False
