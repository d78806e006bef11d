"""The messages of LangChain as their JSON forms hold them: kinds, wrappings, and which keys each package writes.

Shapes read off langchain-core 1.8.3 and @langchain/core 1.4.0. A message has the same fields in all forms; what differs is what
stands around them, and which of them are written though they say nothing.
"""

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from lighter.envelope import decoded
from lighter.formats._langchain_escaping import ESCAPED, escaped, is_plain, unescaped
from lighter.jsontext import encode_text, is_same, step
from lighter.messages import ABSENT, Extra

FAMILY = "langchain-message"
"""The format name of extras that all forms of LangChain share: pointers are relative to the message's fields."""

SPELLING = "langchain-spelling"
"""The format name of extras that say how something was spelled, in whichever of the forms."""

DIFFERS = "langchain-differing"
"""The format name of extras that tell where a copy says something else than what it is a copy of: nobody puts them back."""

FORMS = ("langchain", "langchain-js", "langchain-stored", "langchain-dump")

KINDS = {
    "human": "human", "HumanMessage": "human", "HumanMessageChunk": "human", "user": "human",
    "ai": "ai", "AIMessage": "ai", "AIMessageChunk": "ai", "assistant": "ai",
    "system": "system", "SystemMessage": "system", "SystemMessageChunk": "system", "developer": "system",
    "tool": "tool", "ToolMessage": "tool", "ToolMessageChunk": "tool",
    "function": "function", "FunctionMessage": "function", "FunctionMessageChunk": "function",
    "chat": "chat", "generic": "chat", "ChatMessage": "chat", "ChatMessageChunk": "chat",
    "remove": "remove", "RemoveMessage": "remove",
}  # fmt: skip
"""The kind of a message by its class, its type, or its role in the shorthand."""

CLASSES = {
    "human": "HumanMessage",
    "ai": "AIMessage",
    "system": "SystemMessage",
    "tool": "ToolMessage",
    "function": "FunctionMessage",
    "chat": "ChatMessage",
    "remove": "RemoveMessage",
}
"""The class of each kind."""

CONTENT_KEYS = ("content", "content_blocks", "contentBlocks")
"""Under which keys the content of a message may stand; the first of them that is there is meant."""

ROWS = {
    "row": ("message", False),
    "row-text": ("message", True),
    "row-history": ("History", True),
    "row-history-lower": ("history", True),
}
"""The shapes of messages in rows of stores: under which key, and whether as JSON text.

Read off langchain-postgres 0.0.19, and `SQLChatMessageHistory` and `ElasticsearchChatMessageHistory` of langchain-community 0.4.2,
and langchain-mongodb 0.12.1.
"""

STORED_SHAPES = ("stored", *ROWS)
"""The shapes of messages in stores."""

PREFIXES = {"lc": "/kwargs", "js": "/kwargs", "stored": "/data"} | {
    name: f"/{key}/data" for name, (key, _) in ROWS.items()
}
"""Where the fields of a message stand, by its shape; in all other shapes they are the message itself."""

ROLES = frozenset({"human", "user", "ai", "assistant", "system", "developer", "tool", "function", "remove"})
"""The roles that the packages take in shorthand."""

_TYPES = frozenset({"human", "ai", "system", "tool", "function", "chat", "generic", "remove"})
STORED = _TYPES | {f"{named}Chunk" for kind, named in CLASSES.items() if kind != "remove"}
"""The types of stored messages that one of the packages reads."""

_JS_ID = ("langchain_core", "messages")
_PYTHON_ID = ("langchain", "schema", "messages")


def own_mark(name: str) -> str:
    """Give the format name of extras that tell how one form spelled something that others spell otherwise."""
    return f"{name}-own-spelling"


def odd_mark(name: str) -> Extra:
    """Give the mark of a message that no package would load as it is, so that the form which it was read from is known."""
    return Extra(own_mark(name), "/:odd", "true")


_BESIDE_TEXT = (
    "additional_kwargs",
    "tool_calls",
    "invalid_tool_calls",
    "tool_call_chunks",
    "tool_call_id",
    "function_call",
)
"""Fields in which calls stand, of providers, too."""


class Unwrapped(Struct, frozen=True):
    """A message without its wrapping.

    `shape`: `lc`, `js`, one of `STORED_SHAPES`, `dump`, `old` (`{type, text, role}`), `role`, `pair` or `text`. `named`: its class, type or
    role as found, which stands at `named_at`. `fields` stand at `prefix`, and `content` at `content_at`; all from the message on.
    `outer`: what stands around the fields. `is_escaped`: whether values with a key `lc` were wrapped.
    """

    shape: str
    named: str
    fields: Mapping[str, Any]
    prefix: str = ""
    named_at: str = "/type"
    content_at: str = "/content"
    outer: Mapping[str, Any] = {}
    is_escaped: bool = True

    @property
    def kind(self) -> str:
        """The kind; `chat` where the shorthand has a role of its own."""
        return KINDS.get(self.named, "chat")

    @property
    def is_chunk(self) -> bool:
        """Whether it is a piece of a streamed message, or several of them put together."""
        return self.named.endswith("Chunk")


def unwrap(raw: Any) -> Unwrapped | None:
    """Take a message of any form out of its wrapping; None for what is no message."""
    match raw:
        case str():
            return Unwrapped("text", "human", {"content": raw}, named_at="", content_at="")
        case [str(role), str() | list() as content]:
            return Unwrapped("pair", role, {"content": content}, named_at="/0", content_at="/1")
        case {"lc": _, "id": [*_, str(named)] as ids, "kwargs": dict(kwargs)} if named in KINDS:
            return _constructed(raw, ids, named, kwargs)
        case {"type": str(kind), "data": dict(data)} if kind in KINDS and "content" not in raw:
            key = content_key(data)
            outer = {key: value for key, value in raw.items() if key not in ("type", "data")}
            fields, is_escaped = _plain_fields(data) if is_escaped_here("stored", data) else (data, True)
            return Unwrapped("stored", kind, fields, "/data", "/type", f"/data/{key}", outer, is_escaped)
        case {"type": str(kind), "text": str()} if kind in _TYPES and "content" not in raw and "data" not in raw:
            return Unwrapped("old", kind, raw, content_at="/text")
        case {"type": str(kind)} if kind in KINDS and kind not in CLASSES.values() and "data" not in raw:
            return Unwrapped("dump", kind, raw, content_at=f"/{content_key(raw)}")
        case {"role": str(role)} if "lc" not in raw:
            return Unwrapped("role", role, raw, named_at="/role")
        case dict() if "content" not in raw:
            return _in_row(raw)
        case _:
            return None


def _in_row(raw: Mapping[str, Any]) -> Unwrapped | None:
    """Take a message out of a row of a store; None where there is none in it."""
    for shape, (key, is_text) in ROWS.items():
        held = raw.get(key)
        if not isinstance(held, str if is_text else dict):
            continue
        stored = decoded(held)
        inner = unwrap(stored) if isinstance(stored, dict) and stored.keys() == {"type", "data"} else None
        if inner is not None and inner.shape == "stored":
            places = {place: f"/{key}{getattr(inner, place)}" for place in ("prefix", "named_at", "content_at")}
            return replace(inner, shape=shape, outer={k: v for k, v in raw.items() if k != key}, **places)
    return None


def _constructed(raw: Mapping[str, Any], ids: Sequence[Any], named: str, kwargs: dict[str, Any]) -> Unwrapped:
    shape = "js" if len(ids) == len(_JS_ID) + 1 and tuple(ids[:-1]) == _JS_ID else "lc"
    fields, is_escaped = _plain_fields(kwargs)
    outer = {key: value for key, value in raw.items() if key != "kwargs"}
    content_at = f"/kwargs/{content_key(fields)}"
    return Unwrapped(shape, named, fields, "/kwargs", "/id", content_at, outer, is_escaped)


def is_escaped_here(shape: str, fields: Mapping[str, Any]) -> bool:
    """Say whether values with a key `lc` are wrapped in a shape: all of them in envelopes, and in what JavaScript stores.

    `toDict` of @langchain/core takes the fields out of `toJSON`, which leaves out `type`; Python's `message_to_dict` has it, and
    wraps nothing.
    """
    return shape in ("lc", "js") or (shape in STORED_SHAPES and "type" not in fields)


def _plain_fields(kwargs: dict[str, Any]) -> tuple[dict[str, Any], bool]:
    """Give fields with escaped values as they were; says also whether escaping them again gives what was found."""
    try:
        if is_plain(kwargs) and ESCAPED not in kwargs:
            return kwargs, True
        plain = unescaped(kwargs)
        is_escaped = is_same(escaped(plain), kwargs)
    except RecursionError:  # nested too deeply, which is told elsewhere
        return kwargs, False
    return (plain if is_escaped else kwargs), is_escaped


def is_text_alone(raw: Any) -> bool:
    """Say whether a message is certain to be text: its content is one, and there is nothing beside it that may call or answer."""
    unwrapped = unwrap(raw)
    if unwrapped is None or unwrapped.kind not in ("human", "ai", "system") or unwrapped.is_chunk:
        return False
    fields = unwrapped.fields
    is_said = isinstance(fields.get("text" if unwrapped.shape == "old" else content_key(fields)), str)
    return is_said and all(is_empty(fields.get(key)) for key in _BESIDE_TEXT)


def content_key(fields: Mapping[str, Any]) -> str:
    """Tell under which key the content stands: messages of version 1 in JavaScript, and views, have blocks alone."""
    if "content" in fields:
        return "content"
    return next((key for key in CONTENT_KEYS if key in fields), "content")


def lc_id(shape: str, named: str) -> list[str]:
    """Give the id by which a package finds the class of a message."""
    return [*(_JS_ID if shape == "js" else _PYTHON_ID), named]


def is_known_path(ids: Sequence[Any]) -> bool:
    """Say whether an id leads to a class of message by a path that some version has (langchain_core/load/mapping.py)."""
    match ids:
        case ["langchain", "schema", str()] | ["langchain", "schema", "messages", str()] | [str()]:
            return True
        case ["langchain_core", "messages", str()]:
            return True
        case ["langchain_core", "messages", str(module), str()]:
            return module in ("ai", "base", "chat", "function", "human", "modifier", "system", "tool")
        case _:
            return False


def type_of(kind: str, *, is_chunk: bool) -> str:
    """Give the `type` of a kind in Python, where pieces have a type of their own."""
    return f"{CLASSES[kind]}Chunk" if is_chunk else kind


def layouts(kind: str, *, is_chunk: bool) -> dict[str, dict[str, Any]]:
    """Give the keys that each package writes though they say nothing, and their values then.

    `dump`: `model_dump` of Python, `lean`: the same without calls and usage that are not there, `lc`: its constructor form, `js`:
    `toJSON` of JavaScript, `spread`: a message that was spread there, `bare`: shorthand.
    """
    told = {"type": type_of(kind, is_chunk=is_chunk)}
    calls: dict[str, Any] = {"tool_calls": [], "invalid_tool_calls": []} if kind == "ai" else {}
    maps: dict[str, Any] = {"additional_kwargs": {}, "response_metadata": {}}
    dump = {**maps, **told, "name": None, "id": None, **calls}
    if kind == "ai":
        dump["usage_metadata"] = None
        dump |= {"tool_call_chunks": [], "chunk_position": None} if is_chunk else {}
    if kind == "tool":
        dump["artifact"] = None
    js = {**maps, **calls, **({"tool_call_chunks": []} if is_chunk and kind == "ai" else {})}
    spread = {**js, "type": "generic" if kind == "chat" else kind}
    lean = {key: held for key, held in dump.items() if key not in ("invalid_tool_calls", "usage_metadata")}
    return {"dump": dump, "lean": lean, "lc": {**told, **calls}, "js": js, "spread": spread, "bare": {}}


_shared_layouts = cache(layouts)
"""The same, made once for each kind, to compare with."""

_COUNTS = ("input_tokens", "output_tokens", "total_tokens")
_DETAILS = ("input_token_details", "output_token_details")
_DETAIL_COUNTS = ("audio", "cache_creation", "cache_read", "reasoning")


def is_usage(value: Any) -> bool:
    """Say whether a value is a count of tokens as both packages take it for `usage_metadata`."""
    if not isinstance(value, dict):
        return False
    counts = (value.get(key) for key in _COUNTS)
    details = [value.get(key, {}) for key in _DETAILS]
    if not all(isinstance(detail, dict) for detail in details):
        return False
    more = (detail[key] for detail in details for key in _DETAIL_COUNTS if key in detail)
    return all(type(count) is int for count in (*counts, *more))


USUAL = {"lc": "lc", "js": "js", **dict.fromkeys(STORED_SHAPES, "dump"), "dump": "lean"}
"""The layout that each shape usually has; others have `bare`.

Flat messages leave out what `convert_to_messages` of langchain-core (1.8.3, messages/utils.py) would take for vendors' keys.
"""


def is_empty(value: Any) -> bool:
    """Say whether a value says nothing."""
    return value is None or value in ({}, [])


def is_unset(key: str, value: Any) -> bool:
    """Say whether a field of a message says nothing; the artifact of a tool may be any value, an empty list, too."""
    return value is None or (key != "artifact" and is_empty(value))


def layout_extras(name: str, unwrapped: Unwrapped) -> tuple[Extra, ...]:
    """Remember which keys were written though they say nothing, as far as the usual layout of the shape does not tell."""
    fields = unwrapped.fields
    usual = USUAL.get(unwrapped.shape, "bare")
    best: tuple[str, list[Extra]] | None = None
    found = _shared_layouts(unwrapped.kind, is_chunk=unwrapped.is_chunk)
    for layout in (usual, *(other for other in found if other != usual)):
        marks = _layout_marks(own_mark(name), fields, found[layout])
        if layout != usual:
            marks.insert(0, Extra(own_mark(name), "", encode_text(layout)))
        if best is None or len(marks) < len(best[1]):
            best = layout, marks
        if not best[1]:
            break
    return tuple(best[1]) if best is not None else ()


def _layout_marks(mark: str, fields: Mapping[str, Any], defaults: Mapping[str, Any]) -> list[Extra]:
    absent = [Extra(mark, step(key), ABSENT) for key in defaults if key not in fields]
    told = [
        Extra(mark, step(key), encode_text(value))
        for key, value in fields.items()
        if (not value or key == "type")
        and _is_mute(key, value)
        and not (key in defaults and is_same(defaults[key], value))
    ]
    return absent + told


def _is_mute(key: str, value: Any) -> bool:
    """Say whether a field of a message says nothing that the message does not say elsewhere."""
    return key == "type" or (is_unset(key, value) and key not in CONTENT_KEYS)
