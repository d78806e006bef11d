"""What LangChain's packages refuse of the fields of a message when they load it.

Read off langchain-core 1.8.3 (the classes in `messages/`, `convert_to_messages` in `messages/utils.py`) and @langchain/core 1.4.0
(`messages/`, `load/`). JavaScript looks at little when it loads; its types say what belongs there.
"""

from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

from msgspec.structs import replace

from lighter.jsontext import step
from lighter.rules._langchain_call_fields import call_faults, usage_faults
from lighter.rules._langchain_faults import Fault, is_stored, wrong
from lighter.rules._langchain_mending import GONE, Mending
from lighter.rules._telling import shown
from lighter.wire import type_name

if TYPE_CHECKING:
    from lighter.formats._langchain import Unwrapped

_ABSENT = object()
_NEEDED = (("function", "name"),)
"""Fields that are judged with their class."""

_KEYS = "'role' and 'content'"


def faults_in(unwrapped: "Unwrapped") -> Iterator[Fault]:
    """Find what is refused of a message."""
    fields, base = unwrapped.fields, unwrapped.prefix
    is_flat = unwrapped.shape in ("dump", "role")
    if unwrapped.shape in ("text", "pair", "old") or (is_flat and _is_view(fields)):
        return
    yield from _type_fault(unwrapped)
    yield from _content_faults(unwrapped, is_flat=is_flat)
    yield from _map_faults(unwrapped, is_flat=is_flat)
    for key, takes in (("id", _is_id), ("name", _is_name)):
        if not takes(value := fields.get(key)) and (unwrapped.kind, key) not in _NEEDED:
            yield wrong(base + step(key), key, value, "text")
    if own := _OF_KIND.get(unwrapped.kind):
        yield from own(fields, base, is_flat=is_flat)
    if unwrapped.kind == "ai":
        yield from call_faults(fields, base, is_flat=is_flat)
        yield from usage_faults(fields.get("usage_metadata"), f"{base}/usage_metadata", is_flat=is_flat)


def _is_view(fields: Mapping[str, Any]) -> bool:
    """Say whether fields are what `content_blocks` shows of a message, which was not made for loading."""
    from lighter.formats._langchain import content_key  # noqa: PLC0415 - loaded only for LangChain's messages

    return content_key(fields) != "content"


def _type_fault(unwrapped: "Unwrapped") -> Iterator[Fault]:
    """Find a `type` among the fields that is not that of the class."""
    from lighter.formats._langchain import KINDS, type_of  # noqa: PLC0415 - loaded only for LangChain's messages

    if unwrapped.shape != "lc" and not is_stored(unwrapped):
        return
    wanted, found = type_of(unwrapped.kind, is_chunk=unwrapped.is_chunk), unwrapped.fields.get("type", _ABSENT)
    if found not in (_ABSENT, wanted):
        said, at = f"the `type` among the fields is {shown(found)}, not {shown(wanted)}", f"{unwrapped.prefix}/type"
        is_same_kind = found is None or (isinstance(found, str) and KINDS.get(found) == unwrapped.kind)
        made = Mending(f"write {shown(wanted)}", ((at, wanted),), is_safe=is_same_kind)
        yield Fault(at, said, f"write {shown(wanted)}", ("Input should be 'ai'",), mending=made)


def _content_faults(unwrapped: "Unwrapped", *, is_flat: bool) -> Iterator[Fault]:
    """Find a content that is missing, and one of a removal; contents of a wrong type have a rule of their own."""
    from lighter.formats._langchain import CONTENT_KEYS  # noqa: PLC0415 - loaded only for LangChain's messages

    fields, kind = unwrapped.fields, unwrapped.kind
    if kind == "remove" and not is_flat:
        if fields.get("content"):
            at = f"{unwrapped.prefix}/content"
            made = Mending("drop it", ((at, GONE),), is_safe=False)
            words = ("does not support",)
            yield Fault(at, "a removal has no content", "drop it", words, javascript="takes", mending=made)
        return
    if any(key in fields for key in CONTENT_KEYS) or (kind == "tool" and not is_flat):
        return
    # An answer of calls alone says nothing; of other messages something is missing.
    made = Mending('write `""`', ((f"{unwrapped.prefix}/content", ""),), is_safe=kind == "ai")
    yield Fault(
        unwrapped.prefix,
        "the message has no `content`",
        'write `""` where nothing is said',
        (_KEYS,) if is_flat else (),
        javascript="takes" if is_flat else "minds",
        mending=made,
    )


def _map_faults(unwrapped: "Unwrapped", *, is_flat: bool) -> Iterator[Fault]:
    """Find what providers told beside a message, where it is no object."""
    for key in ("additional_kwargs", "response_metadata"):
        value = unwrapped.fields.get(key, _ABSENT)
        if value is _ABSENT or isinstance(value, dict):
            continue
        # `convert_to_messages` takes what says nothing, except null and numbers where it updates an object with it.
        is_passed = is_flat and (value in ([], "") or (key == "response_metadata" and not value))
        is_looked_into = key == "response_metadata" and unwrapped.kind == "ai" and not isinstance(value, list)
        found = wrong(
            unwrapped.prefix + step(key),
            key,
            value,
            "an object",
            f"{key} Input",
            "'in' operator" if is_looked_into else "",
        )
        yield replace(found, python=not is_passed, javascript="refuses" if is_looked_into else "minds")


def _is_id(value: Any) -> bool:
    return value is None or (isinstance(value, str | int | float) and not isinstance(value, bool))


def _is_name(value: Any) -> bool:
    return value is None or isinstance(value, str)


def _of_tool(fields: Mapping[str, Any], base: str, *, is_flat: bool) -> Iterator[Fault]:
    answered = fields.get("tool_call_id", _ABSENT)
    if answered is _ABSENT or (is_flat and answered is None):
        is_absent = answered is _ABSENT
        said = "the result does not say which call it answers: it has no `tool_call_id`"
        yield Fault(
            base if is_absent else f"{base}/tool_call_id",
            said,
            "write the id of the call",
            ("tool_call_id", "Tool call ID"),
            javascript="asks" if is_absent else "minds",
        )
    elif not isinstance(answered, str | int | float):
        yield wrong(f"{base}/tool_call_id", "tool_call_id", answered, "text", is_needed=True)
    status = fields.get("status", _ABSENT)
    if status not in (_ABSENT, "success", "error") and not (is_flat and status is None):
        said, at = f"the status is {shown(status)}, neither `success` nor `error`", f"{base}/status"
        told = status.lower() if isinstance(status, str) else None
        made = Mending(f"write {shown(told)}", ((at, told),)) if told in ("success", "error") else None
        made = Mending("drop what says nothing", ((at, GONE),)) if status in (None, "") else made
        yield Fault(at, said, "write `success` or `error`", ("'success' or 'error'",), mending=made)


def _of_chat(fields: Mapping[str, Any], base: str, *, is_flat: bool) -> Iterator[Fault]:
    del is_flat
    yield from _needed(fields, base, "role", "Role must")


def _of_function(fields: Mapping[str, Any], base: str, *, is_flat: bool) -> Iterator[Fault]:
    del is_flat
    yield from _needed(fields, base, "name", "Name must")


def _needed(fields: Mapping[str, Any], base: str, key: str, words: str) -> Iterator[Fault]:
    """Find a field that a class needs and that is missing, or no text."""
    value = fields.get(key, _ABSENT)
    if value is _ABSENT:
        yield Fault(
            base,
            f"the message has no `{key}`, which its class needs",
            f"write its `{key}`",
            (words,),
            javascript="asks",
        )
    elif not isinstance(value, str):
        yield replace(wrong(base + step(key), key, value, "text", is_needed=True), help=f"write its `{key}`")


def _of_removal(fields: Mapping[str, Any], base: str, *, is_flat: bool) -> Iterator[Fault]:
    own = fields.get("id", _ABSENT)
    if own is _ABSENT or (is_flat and own is None):
        said = "the removal does not say which message it takes back: it has no `id`"
        yield Fault(base, said, "write the id of the message", ("RemoveMessage.__init__",), javascript="asks")
    elif isinstance(own, int | float) and is_flat:
        found = wrong(f"{base}/id", "id", own, "text", is_needed=True)
        yield replace(found, python=isinstance(own, bool), javascript="asks")


_OF_KIND: Mapping[str, Callable[..., Iterator[Fault]]] = {
    "tool": _of_tool,
    "chat": _of_chat,
    "function": _of_function,
    "remove": _of_removal,
}
"""What single classes need."""


def misplaced(unwrapped: "Unwrapped", *, among_stored: bool) -> Fault:
    """Make the fault of a message that nothing reads together with the others, one of them being stored and the others not."""
    if among_stored:
        said = "the other messages have their fields in `data`, and this one has not"
        return Fault("", said, "write it as `type` and `data`")
    return Fault(
        unwrapped.prefix, "this message has its fields in `data`, and the others have not", "write it as they are"
    )


def stranger_fault(raw: Mapping[str, Any]) -> Fault | None:
    """Say why an object among messages is none of any form; None where another rule does."""
    match raw:
        case {"lc": _, "type": "constructor", "id": [*_, str()], "kwargs": dict()} | {
            "lc": _,
            "type": "not_implemented" | "secret",
        }:
            return None
        case {"lc": _, "type": "constructor", "id": [*_, str()]}:
            return _without_fields(raw, "kwargs")
        case {"lc": _}:
            return Fault("/id" if "id" in raw else "", "the `id` names no class", "name the class of the message")
        case {"type": str(), "data": _}:
            return None if isinstance(raw["data"], dict) else _without_fields(raw, "data")
        case {"type": str()}:
            return None
        case _:
            key = "role" if "role" in raw else "type"
            said = (
                f"`{key}` is {type_name(raw[key])}, so that nothing tells whose message this is"
                if key in raw
                else "nothing tells whose message this is"
            )
            return Fault(step(key) if key in raw else "", said, "give the message its type", (_KEYS,))


def _without_fields(raw: Mapping[str, Any], key: str) -> Fault:
    if key in raw:
        return wrong(step(key), key, raw[key], "an object", is_needed=True)
    return Fault("", f"the message has no `{key}`, in which its fields stand", f"write its `{key}`")
