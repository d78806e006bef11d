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
from lighter.jsontext import decode, encode_text, keys_of, value_at
from lighter.messages import ABSENT, Block, Extra, Opaque, OpaqueBlock, ToolCall
from lighter.strays import id_text

CALL_FIELDS = {"call_id": "/id", "tool_name": "/function/name", "arguments": "/function/arguments"}
"""Where the fields of a call stand, from the call on."""

_SIGNATURES = (
    "/extra_content/google/thought_signature",  # https://ai.google.dev/gemini-api/docs/thought-signatures
    "/provider_specific_fields/thought_signature",  # LiteLLM 1.110.2, get_thought_signature_from_tool
    "/function/provider_specific_fields/thought_signature",
)
"""Where gateways put the signature that Gemini gave with a call, from the call on; the first of them is meant."""

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
            if signed is None:
                return call, BlockOrigin(path, CALL_FIELDS)
            return signed[0], BlockOrigin(path, {**CALL_FIELDS, "opaque": signed[1]})
        case _:
            return OpaqueBlock(form.name, "tool_call", encode_text(raw)), BlockOrigin(path)


def _signed(form: CallForm, raw: Mapping[str, Any], call: ToolCall) -> tuple[ToolCall, str] | None:
    """Read the signature that Gemini put on a call, and tell where it stands; None when there is none.

    Further places that say the same are kept as spelling, those that say something else as they are.
    """
    found = [(place, held) for place in _SIGNATURES if isinstance(held := _held(raw, place), str) and held]
    if not found:
        return None
    place, signature = found[0]
    kept = call.ext
    for same in (other for other, held in found if held == signature):
        kept = (*_without(form, raw, kept, same), Extra(form.marks, same, "true"))
    return replace(call, opaque=(Opaque(GEMINI, "signature", signature),), ext=kept), place


def _held(raw: Mapping[str, Any], place: str) -> Any:
    try:
        return value_at(raw, place)
    except LookupError:
        return None


def _without(form: CallForm, raw: Mapping[str, Any], kept: tuple[Extra, ...], place: str) -> tuple[Extra, ...]:
    """Keep what stands around a signature without the signature itself."""
    keys = place.split("/")
    owner = next(extra for extra in kept if place.startswith(f"{extra.path}/"))
    rest = [extra for extra in kept if extra is not owner]
    for depth in range(len(keys_of(owner.path)) + 1, len(keys)):
        path = "/".join(keys[:depth])
        rest += extras(form.name, value_at(raw, path), {keys[depth]}, path)
    return tuple(rest)


def _marks_of(call: ToolCall, marks: str) -> tuple[str, ...]:
    """List the places at which the signature of a call stood."""
    return tuple(place for place in _SIGNATURES if extra_at(call.ext, marks, place) is not None)


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
    signature = encode_text(call.opaque[0].data) if call.opaque else ""
    signed = [Extra(form.marks, place, signature) for place in _marks_of(call, form.marks) if signature]
    held: dict[str, Any] = restore(restore(written, call.ext, form.spelling, form.name), signed, form.marks)
    notes.placed(held, origin)
    return held


def note_call(call: ToolCall, origin: BlockOrigin, notes: Notes) -> None:
    """Note what no chat holds of a call: foreign keys, cache marks, signatures."""
    notes.extras(call.ext, origin.path, held=note_number(call, origin, notes))
    notes.cache_mark(call.cache, origin, "calls")
    if call.opaque and not _marks_of(call, f"{notes.target}{_MARKS}"):
        notes.dropped(origin.at("opaque"), "signature", "only its own provider can read it")
