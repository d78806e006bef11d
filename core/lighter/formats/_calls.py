"""Calls of functions as OpenAI Chat spells them and other chats copied it, both ways."""

from collections.abc import Mapping
from typing import Any, Literal

from msgspec import Struct
from msgspec.structs import replace

from lighter.conversation import BlockOrigin
from lighter.formats._google import PROVIDER as GEMINI
from lighter.formats._notes import Notes
from lighter.formats._noting import note_kind, note_number, note_repeated
from lighter.formats._reading import extras
from lighter.formats._writing import Item, arguments_object, extra_at, restore
from lighter.jsontext import decode, encode_text
from lighter.messages import ABSENT, Block, Extra, Opaque, OpaqueBlock, ToolCall
from lighter.strays import id_text

CALL_FIELDS = {"call_id": "/id", "tool_name": "/function/name", "arguments": "/function/arguments"}
"""Where the fields of a call stand, from the call on."""

_SIGNATURE = "/extra_content/google/thought_signature"
_SIGNED_FIELDS = {**CALL_FIELDS, "opaque": _SIGNATURE}

_MARKS = "-form-spelling"

AS_OBJECT, AS_TEXT = '"object"', '"text"'
"""How arguments are spelled where a form usually has them otherwise: JSON texts of extras under `CallForm.marks`."""


class CallForm(Struct, frozen=True, kw_only=True):
    """How the calls of a chat differ from OpenAI's.

    `spelling` is the format name under which the keys are remembered that its writer leaves out or puts in by itself. `no_ids`:
    what stands for an id where there is none. `arguments`: how they are written; `json` is text that must be a JSON object.
    `keeps_spelling`: arguments that are spelled the other way go back to it. `has_signatures`: Gemini's may stand on them.
    """

    name: str
    spelling: str
    has_id: bool = True
    has_type: bool = True
    arguments: Literal["text", "json", "object"] = "text"
    no_ids: frozenset[str] = frozenset()
    keeps_spelling: bool = True
    has_signatures: bool = False

    @property
    def marks(self) -> str:
        """The format name of extras that only say which of two spellings arguments had, and that a signature stood here."""
        return f"{self.name}{_MARKS}"


def call_id_of(value: Any, synthetic: str) -> tuple[str, bool]:
    """Give an id as text, and whether it was made up for want of one."""
    text = id_text(value)
    return text or synthetic, not text


def identity(
    form: CallForm, raw: Mapping[str, Any], synthetic: str, known: set[str]
) -> tuple[str, bool, tuple[Extra, ...]]:
    """Read the id of a call: what it is, whether it is made up, and the extras of the call, those of the id included."""
    value = raw.get("id")
    is_none = isinstance(value, str) and value in form.no_ids
    call_id, is_made = call_id_of("" if is_none else value, synthetic)
    if "id" not in raw:
        absent = (Extra(form.spelling, "/id", ABSENT),) if form.has_id else ()
        return call_id, is_made, (*extras(form.name, raw, known), *absent)
    is_read = isinstance(value, str) and not is_made
    kept = extras(form.name, raw, known | {"id"} if is_read or is_none else known)
    if is_none or (is_read and not form.has_id):
        kept += (Extra(form.spelling, "/id", encode_text(value)),)
    return call_id, is_made, kept


def read_call(form: CallForm, raw: Any, path: str, synthetic: str) -> tuple[Block, BlockOrigin]:
    """Read one entry of `tool_calls`; one that is no call is kept whole."""
    match raw:
        case {"function": {"name": str(name)} as function}:
            call_id, is_made, kept = identity(form, raw, synthetic, {"function"})
            kept += extras(form.name, function, {"name", "arguments"}, "/function")
            arguments, more = _arguments(form, function)
            kept = _typed(form, raw, (*kept, *more))
            call = ToolCall(call_id, name, arguments, is_id_synthetic=is_made, ext=kept)
            signed = _signed(form, raw, call) if form.has_signatures else None
            return (signed or call), BlockOrigin(path, CALL_FIELDS if signed is None else _SIGNED_FIELDS)
        case _:
            return OpaqueBlock(form.name, "tool_call", encode_text(raw)), BlockOrigin(path)


def _signed(form: CallForm, raw: Mapping[str, Any], call: ToolCall) -> ToolCall | None:
    """Read the signature that Gemini puts on a call in chats of OpenAI's shape; None when there is none.

    https://ai.google.dev/gemini-api/docs/thought-signatures
    """
    extra: Any = raw.get("extra_content")
    match extra:
        case {"google": {"thought_signature": str(signature)} as google} if signature:
            kept = (own for own in call.ext if own.path != "/extra_content")
            beside = extras(form.name, extra, {"google"}, "/extra_content")
            inside = extras(form.name, google, {"thought_signature"}, "/extra_content/google")
            opaque = (Opaque(GEMINI, "signature", signature),)
            return replace(call, opaque=opaque, ext=(*kept, *beside, *inside, Extra(form.marks, _SIGNATURE, "true")))
        case _:
            return None


def _arguments(form: CallForm, function: Mapping[str, Any]) -> tuple[str, tuple[Extra, ...]]:
    """Read arguments as text, with what tells how they were spelled where that is not usual."""
    place = "/function/arguments"
    match function.get("arguments"):
        case str(text):
            if form.arguments == "json" and not _is_object(text):
                return text, (Extra(form.name, place, encode_text(text)),)
            is_usual = form.arguments != "object" or not form.keeps_spelling
            return text, () if is_usual else (Extra(form.marks, place, AS_TEXT),)
        case dict(value):
            is_usual = form.arguments == "object" or not form.keeps_spelling
            return encode_text(value), () if is_usual else (Extra(form.marks, place, AS_OBJECT),)
        case value:
            return "", (Extra(form.name, place, encode_text(value) if "arguments" in function else ABSENT),)


def _is_object(text: str) -> bool:
    try:
        return isinstance(decode(text), dict)
    except (ValueError, RecursionError):
        return False


def _typed(form: CallForm, raw: Mapping[str, Any], kept: tuple[Extra, ...]) -> tuple[Extra, ...]:
    """Say how a call's type was spelled where a writer would spell it otherwise."""
    if raw.get("type") == "function":
        kept = tuple(extra for extra in kept if extra.path != "/type")
        return kept if form.has_type else (*kept, Extra(form.spelling, "/type", '"function"'))
    return (*kept, Extra(form.spelling, "/type", ABSENT)) if "type" not in raw and form.has_type else kept


def write_call(form: CallForm, call: ToolCall, call_id: str, origin: BlockOrigin, item: Item) -> dict[str, Any]:
    """Write a call of a function; free text input, and what is no object where one is wanted, are wrapped and noted."""
    notes = item.notes
    note_call(call, origin, notes)
    arguments: Any = call.arguments
    mark = extra_at(call.ext, form.marks, "/function/arguments")
    is_object = mark == AS_OBJECT or (form.arguments == "object" and mark != AS_TEXT)
    change = None
    if is_object or call.kind == "custom" or form.arguments == "json":
        value, change = arguments_object(call)
        if is_object or change is not None:
            arguments = value if is_object else encode_text(value)
        if is_object and change is None:
            note_repeated(call, value, origin, notes)
    is_put_back = extra_at(call.ext, form.name, "/function/arguments") is not None
    if call.kind != "function":
        note_kind(call, origin, item, change)
    elif change is not None and not is_put_back:
        notes.rewritten(origin.at("arguments"), "arguments", change)
    written: dict[str, Any] = {"id": call_id} if form.has_id else {}
    written |= {"type": "function"} if form.has_type else {}
    written["function"] = {"name": call.tool_name, "arguments": arguments}
    if call.opaque and extra_at(call.ext, form.marks, _SIGNATURE) is not None:
        written["extra_content"] = {"google": {"thought_signature": call.opaque[0].data}}
    held: dict[str, Any] = restore(written, call.ext, form.spelling, form.name)
    notes.placed(held, origin)
    return held


def note_call(call: ToolCall, origin: BlockOrigin, notes: Notes) -> None:
    """Note what no chat holds of a call: foreign keys, cache marks, signatures."""
    notes.extras(call.ext, origin.path, held=note_number(call, origin, notes))
    notes.cache_mark(call.cache, origin, "calls")
    if call.opaque and extra_at(call.ext, f"{notes.target}{_MARKS}", _SIGNATURE) is None:
        notes.dropped(origin.at("opaque"), "signature", "only its own provider can read it")
