"""A LangChain message while it is read: what was found so far, and what is kept of all that has no field of its own."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from lighter.conversation import WireMessage
from lighter.formats._langchain import (
    CONTENT_KEYS,
    DIFFERS,
    FAMILY,
    SPELLING,
    USUAL,
    Unwrapped,
    content_key,
    is_empty,
    is_known_path,
    is_unset,
    layout_extras,
    lc_id,
    own_mark,
)
from lighter.formats._langchain_dress import SHAPES
from lighter.formats._langchain_parts import Setting, provider_of
from lighter.formats.openai_responses.shapes import OPAQUE_ITEMS
from lighter.jsontext import decode, encode_text, is_same, step
from lighter.messages import Extra

MODELS = ("model_name", "model")
"""Under which keys of `response_metadata` the model is named."""

_PREFIXES = (("claude", "anthropic"), ("gemini", "gemini"), ("gpt-", "openai"))
"""Whose models have names that begin so, where nothing else tells the provider."""

_ITEMS = {"text": "msg_", "reasoning": "rs_", "function_call": "fc_"}
"""How ids of OpenAI's items begin, by the types of their blocks."""

SPREAD = {
    "lc_serializable": True,
    "lc_namespace": ["langchain_core", "messages"],
    "lc_direct_tool_output": True,
}
"""What a message that was spread in JavaScript has beside its fields, and what that always is."""


class Draft(Struct, eq=False):
    """A message that is being read.

    `base` points at its fields, `places` are those of the fields of the core model; both in the record. `known`, `kept_known`
    and `metadata_known`: which keys of the fields, of `additional_kwargs` and of `response_metadata` were read. `ext`: what is
    kept already, with pointers from the fields on.
    """

    name: str
    wire: WireMessage
    unwrapped: Unwrapped
    base: str
    places: dict[str, str]
    layout: tuple[Extra, ...]
    kept: Mapping[str, Any]
    metadata: Mapping[str, Any]
    setting: Setting
    known: set[str]
    kept_known: set[str]
    metadata_known: set[str]
    ext: list[Extra]

    @property
    def fields(self) -> Mapping[str, Any]:
        """The fields of the message."""
        return self.unwrapped.fields

    @property
    def layout_name(self) -> str:
        """Which layout the message has."""
        told = next((extra.json for extra in self.layout if extra.path == ""), None)
        return USUAL.get(self.unwrapped.shape, "bare") if told is None else str(decode(told))

    @property
    def own(self) -> str:
        """The format name of marks that only the form itself knows."""
        return own_mark(self.name)


def draft_of(name: str, wire: WireMessage, unwrapped: Unwrapped) -> Draft:
    """Begin to read a message."""
    fields = unwrapped.fields
    kept, metadata = (_object(fields.get(key)) for key in ("additional_kwargs", "response_metadata"))
    layout = layout_extras(name, unwrapped)
    draft = Draft(
        name,
        wire,
        unwrapped,
        wire.path + unwrapped.prefix,
        {"content": wire.path + unwrapped.content_at, "role": wire.path + _class_at(unwrapped)},
        layout,
        kept,
        metadata,
        Setting(name, "python", _provider(metadata) or _provider_in(fields.get(content_key(fields)))),
        {"type"},
        set(),
        set(),
        [],
    )
    if draft.layout_name in ("js", "spread"):
        draft.setting = replace(draft.setting, language="js")
    return draft


def _class_at(unwrapped: Unwrapped) -> str:
    """Point at the text that tells the class of a message: its type, or the end of the path to the class."""
    if unwrapped.named_at != "/id":
        return unwrapped.named_at
    is_told = isinstance(unwrapped.fields.get("type"), str)
    return f"{unwrapped.prefix}/type" if is_told else f"/id/{len(unwrapped.outer['id']) - 1}"


def _object(value: Any) -> Mapping[str, Any]:
    return value if isinstance(value, dict) else {}


def _provider(metadata: Mapping[str, Any]) -> str | None:
    """Tell whose signatures a message holds."""
    if not metadata:
        return None
    told = metadata.get("model_provider")
    if isinstance(told, str):
        return provider_of(told)
    model = next((metadata[key] for key in MODELS if isinstance(metadata.get(key), str)), "")
    return next((provider for prefix, provider in _PREFIXES if str(model).startswith(prefix)), None)


def _provider_in(content: Any) -> str | None:
    """Tell OpenAI by items of its Responses in content, where nothing beside it tells whose that is: by ids, or calls of its own tools."""
    for part in content if isinstance(content, list) else ():
        match part:
            case {"type": str(kind), "id": str(item)} if item.startswith(_ITEMS.get(kind, " ")) or _is_own_call(kind):
                return "openai"
            case _:
                pass
    return None


def _is_own_call(kind: str) -> bool:
    return kind in OPAQUE_ITEMS and kind.endswith("_call")


def extras_of(draft: Draft) -> tuple[Extra, ...]:
    """Keep what else a message holds, with pointers from the message on."""
    unwrapped, prefix = draft.unwrapped, draft.unwrapped.prefix
    told = [*draft.ext, *_fields_kept(draft)]
    told += _map_kept("additional_kwargs", draft.kept, draft.kept_known)
    told += _map_kept("response_metadata", draft.metadata, draft.metadata_known)
    placed = [Extra(e.format, prefix + e.path, e.json) if e.format in (FAMILY, DIFFERS) else e for e in told]
    return (*placed, *draft.layout, *_shape_marks(draft), *_outer(draft.name, unwrapped))


def _shape_marks(draft: Draft) -> Iterator[Extra]:
    """Tell how a message was wrapped, where the form does not; and always of flat ones that no package loads.

    Only by that is it known after a way through lighter's own format that they were at home in this form.
    """
    unwrapped, own = draft.unwrapped, draft.own
    is_odd = unwrapped.shape == "dump" and (unwrapped.kind == "chat" or unwrapped.is_chunk)
    if is_odd or unwrapped.shape != SHAPES[draft.name]:
        yield Extra(own, "/:shape", encode_text(unwrapped.shape))
    if not unwrapped.is_escaped:
        yield Extra(own, "/:escaped", "false")
    if unwrapped.named == "developer":
        yield Extra(own, "/:role", '"developer"')
    elif unwrapped.shape in ("role", "pair", "old") and unwrapped.named != unwrapped.kind:
        yield Extra(own, "/:named", encode_text(unwrapped.named))


def _fields_kept(draft: Draft) -> Iterator[Extra]:
    fields, shape = draft.fields, draft.unwrapped.shape
    read = draft.known | {"additional_kwargs", "response_metadata", "lc_kwargs"}
    if shape in ("role", "old") and isinstance(fields.get("role"), str):
        read |= {"role"}
    if shape == "old" and "role" in fields:
        yield Extra(draft.own, "/role", encode_text(fields["role"]))
    for key, value in fields.items():
        if key not in read and (not is_unset(key, value) or key in CONTENT_KEYS):
            is_copy = key in CONTENT_KEYS and is_same(value, fields.get(content_key(fields)))
            is_usual = is_copy or is_unset(key, value) or (key in SPREAD and is_same(value, SPREAD[key]))
            yield Extra(draft.own if is_usual else FAMILY, step(key), encode_text(value))
    for key in ("additional_kwargs", "response_metadata"):
        if key in fields and not isinstance(fields[key], dict) and not is_empty(fields[key]):
            yield Extra(FAMILY, step(key), encode_text(fields[key]))
    match fields.get("lc_kwargs"):
        case dict() as copies:
            yield from _copied(draft, copies)
        case None:
            pass
        case other:
            yield Extra(FAMILY, "/lc_kwargs", encode_text(other))


def _copied(draft: Draft, copies: Mapping[str, Any]) -> Iterator[Extra]:
    """Keep what a message that was spread in JavaScript repeats of itself, and tell where that says something else."""
    yield Extra(draft.own, "/lc_kwargs", encode_text(copies))
    for key, value in copies.items():
        shown = draft.fields.get("content" if key in ("contentBlocks", "content_blocks") else key)
        if not is_empty(value) and not is_same(value, shown):
            place = f"{draft.unwrapped.prefix}/lc_kwargs{step(key)}"
            yield Extra(f"{draft.name}-differing", place, encode_text(value))


def _map_kept(key: str, held: Mapping[str, Any], read: set[str]) -> Iterator[Extra]:
    for inner, value in held.items():
        if inner not in read:
            yield Extra(SPELLING if is_empty(value) else FAMILY, f"/{key}{step(inner)}", encode_text(value))


def _outer(name: str, unwrapped: Unwrapped) -> Iterator[Extra]:
    """Keep what stands around the fields, as far as the class does not tell it; a path to the class in use is a spelling."""
    shape, own = unwrapped.shape, f"{name}-outer"
    usual = {"lc": 1, "type": "constructor", "id": lc_id(shape, unwrapped.named)} if shape in ("lc", "js") else {}
    for key, value in unwrapped.outer.items():
        if key not in usual or not is_same(value, usual[key]):
            is_spelling = key == "id" and key in usual and is_known_path(value)
            yield Extra(f"{own}-spelling" if is_spelling else own, step(key), encode_text(value))


def text_of_field(draft: Draft, key: str) -> str | None:
    """Read a field that is text; one that is something else is kept as it is."""
    value = draft.fields.get(key)
    if not isinstance(value, str):
        return None
    draft.known.add(key)
    draft.places[key] = f"{draft.base}/{key}"
    return value


def marked_single(content: Sequence[Any]) -> bool:
    """Say whether a list of content is one that a text would say as well."""
    match content:
        case [{"type": "text", "text": str(), **rest}]:
            return not rest
        case _:
            return not content
