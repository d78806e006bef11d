"""Calls of functions, and the definitions of functions, as OpenAI Chat spells them and other chats copied it, both ways."""

from collections.abc import Iterable, Mapping
from typing import Any, Literal

from msgspec import Struct
from msgspec.structs import replace

from lighter.conversation import BlockOrigin, Conversation, Tool
from lighter.formats import SPELLING
from lighter.formats._notes import Notes
from lighter.formats._reading import extras, listed
from lighter.formats._writing import arguments_object, native_tool, note_number, restore
from lighter.jsontext import decode, encode_text, value_at
from lighter.messages import ABSENT, Block, Extra, OpaqueBlock, ToolCall
from lighter.repeated import repeated_keys
from lighter.strays import id_text

CALL_FIELDS = {"call_id": "/id", "tool_name": "/function/name", "arguments": "/function/arguments"}
"""Where the fields of a call stand, from the call on."""

AS_OBJECT, AS_TEXT = '"object"', '"text"'
"""How arguments are spelled where a form usually has them otherwise: JSON texts of extras under `CallForm.marks`."""


class CallForm(Struct, frozen=True, kw_only=True):
    """How the calls of a chat differ from OpenAI's.

    `usual` is the format name under which the keys are remembered that its writer leaves out or puts in by itself. `no_ids`:
    what stands for an id where there is none. `arguments`: how they are written; `json` is text that must be a JSON object.
    `keeps_spelling`: arguments that are spelled the other way go back to it.
    """

    name: str
    usual: str
    has_id: bool = True
    has_type: bool = True
    arguments: Literal["text", "json", "object"] = "text"
    no_ids: frozenset[str] = frozenset()
    keeps_spelling: bool = True

    @property
    def marks(self) -> str:
        """The format name of extras that only say which of two spellings arguments had."""
        return f"{self.name}-form-spelling"


# ------------------------------------------------------------------------------------------------------------------ calls
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
        absent = (Extra(form.usual, "/id", ABSENT),) if form.has_id else ()
        return call_id, is_made, (*extras(form.name, raw, known), *absent)
    is_read = isinstance(value, str) and not is_made
    kept = extras(form.name, raw, known | {"id"} if is_read or is_none else known)
    if is_none or (is_read and not form.has_id):
        kept += (Extra(form.usual, "/id", encode_text(value)),)
    return call_id, is_made, kept


def read_call(form: CallForm, raw: Any, path: str, synthetic: str) -> tuple[Block, BlockOrigin]:
    """Read one entry of `tool_calls`; one that is no call is kept whole."""
    match raw:
        case {"function": {"name": str(name)} as function}:
            call_id, is_made, kept = identity(form, raw, synthetic, {"function"})
            kept += extras(form.name, function, {"name", "arguments"}, "/function")
            arguments, more = _arguments(form, function)
            kept = _typed(form, raw, (*kept, *more))
            return ToolCall(call_id, name, arguments, is_id_synthetic=is_made, ext=kept), BlockOrigin(path, CALL_FIELDS)
        case _:
            return OpaqueBlock(form.name, "tool_call", encode_text(raw)), BlockOrigin(path)


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
        return kept if form.has_type else (*kept, Extra(form.usual, "/type", '"function"'))
    return (*kept, Extra(form.usual, "/type", ABSENT)) if "type" not in raw and form.has_type else kept


def write_call(form: CallForm, call: ToolCall, call_id: str, origin: BlockOrigin, notes: Notes) -> dict[str, Any]:
    """Write a call of a function; free text input, and what is no object where one is wanted, are wrapped and noted."""
    note_call(call, origin, notes)
    arguments: Any = call.arguments
    is_object = form.arguments == "object" and not is_marked(form.marks, call.ext, "/function/arguments", AS_TEXT)
    is_object |= is_marked(form.marks, call.ext, "/function/arguments", AS_OBJECT)
    change = None
    if is_object or call.kind == "custom" or form.arguments == "json":
        value, change = arguments_object(call)
        if is_object or change is not None:
            arguments = value if is_object else encode_text(value)
        if is_object and change is None:
            _note_repeated(call, value, origin, notes)
    is_put_back = any(e.format == form.name and e.path == "/function/arguments" for e in call.ext)
    if call.kind != "function":
        note_kind(call, origin, notes, change)
    elif change is not None and not is_put_back:
        notes.rewritten(origin.at("arguments"), "arguments", change)
    written: dict[str, Any] = {"id": call_id} if form.has_id else {}
    written |= {"type": "function"} if form.has_type else {}
    written["function"] = {"name": call.tool_name, "arguments": arguments}
    held: dict[str, Any] = restore(restore(written, call.ext, form.usual), call.ext, form.name)
    notes.placed(held, origin)
    return held


def note_call(call: ToolCall, origin: BlockOrigin, notes: Notes) -> None:
    """Note what no chat holds of a call: foreign keys, cache marks, signatures."""
    notes.extras(call.ext, origin.path, held=note_number(call, origin, notes))
    if call.cache is not None:
        notes.dropped(origin.at("cache"), "cache-mark", "calls carry no cache mark here")
    if call.opaque:
        notes.dropped(origin.at("opaque"), "signature", "only its own provider can read it")


def note_kind(call: ToolCall, origin: BlockOrigin, notes: Notes, change: str | None) -> None:
    """Note a call of a kind that the target does not have."""
    is_inside = (
        origin.at("arguments").startswith(f"{origin.path}/") and origin.path.count("/") > 2
    )  # else an item of its own
    place = origin.path if is_inside else origin.at("arguments")
    notes.rewritten(place, f"{call.kind}-call", change or "became an ordinary call")


def _note_repeated(call: ToolCall, value: Any, origin: BlockOrigin, notes: Notes) -> None:
    """Note the values that an object cannot hold, since their key occurs again in the text."""
    for path in repeated_keys(call.arguments.encode("utf-8", "surrogatepass"), value):
        detail = "the key occurs again, and the last value counts"
        notes.dropped(origin.at("arguments") + path, "repeated-key", detail)


def is_marked(name: str, ext: Iterable[Extra], path: str, mark: str) -> bool:
    """Say whether an extra tells that something is spelled so."""
    return any(extra.format == name and extra.path == path and extra.json == mark for extra in ext)


# ------------------------------------------------------------------------------------------------------------ definitions
def read_tools(name: str, fields: Mapping[str, Any], path: str) -> tuple[Tool, ...]:
    """Read the tools of a request body; rows of training data hold the list as JSON text."""
    tools = fields.get("tools")
    if isinstance(tools, str):
        try:
            fields = {"tools": decode(tools)}
        except (ValueError, RecursionError):
            return ()
    return listed(fields, "tools", path, lambda raw, place: _read_tool(name, raw, place))


def _read_tool(name: str, raw: Any, path: str) -> Tool:
    match raw:
        case {"type": "function", "function": {"name": str()} as function}:
            tool = read_function(name, function, path, "/function")
            return replace(tool, is_legacy=False, ext=(*extras(name, raw, {"type", "function"}), *tool.ext))
        case _:
            return Tool(name="", native=Extra(name, "", encode_text(raw)), path=path)


def read_function(name: str, raw: Any, path: str, prefix: str = "") -> Tool:
    """Read a function's definition, as it stands in the `functions` of old chats and inside a tool."""
    if not isinstance(raw, dict) or not isinstance(raw.get("name"), str):
        return Tool(name="", native=Extra(name, "", encode_text(raw)), is_legacy=True, path=path)
    description, strict, parameters = raw.get("description"), raw.get("strict"), raw.get("parameters")
    told: dict[str, Any] = {
        "description": description if isinstance(description, str) else None,
        "strict": strict if isinstance(strict, bool) else None,
        "parameters": encode_text(parameters) if isinstance(parameters, dict) else None,
    }
    known = {"name", *(key for key, value in told.items() if value is not None)}
    return Tool(
        name=raw["name"],
        description=told["description"],
        parameters=told["parameters"],
        is_strict=told["strict"],
        is_legacy=True,
        ext=extras(name, raw, known, prefix),
        path=path,
    )


def write_tools(
    conversation: Conversation, notes: Notes, *, has_strict: bool = True, needs_parameters: bool = False
) -> list[Any]:
    """Write definitions as `tools`, those of old chats among them; kinds that only another format knows are noted."""
    if any(extra.path == "/tools" and extra.format.endswith(SPELLING) for extra in conversation.ext):
        notes.rewritten(f"{conversation.path}/tools", "tools", "JSON text became a list", is_reversible=True)
    written = []
    for tool in conversation.tools:
        if tool.native is not None:
            value = native_tool(tool, tool.native, notes)
            written += [value] if value is not None else []
            continue
        if tool.is_legacy:
            notes.rewritten(tool.path, "legacy-function", "became a tool")
        if not has_strict and tool.is_strict is not None:
            notes.dropped(
                _place_in(conversation, tool, "strict"), "strict", f"tools of {notes.target} have no such flag"
            )
        if needs_parameters and tool.parameters is None:
            notes.synthesised(tool.path, "parameters", "a tool without parameters got an empty object schema")
        function = write_function(tool, notes, has_strict=has_strict)
        if needs_parameters:
            function.setdefault("parameters", {"type": "object", "properties": {}})
        written.append(restore({"type": "function", "function": function}, tool.ext, notes.target))
    return written


def write_function(tool: Tool, notes: Notes, *, has_strict: bool = True) -> dict[str, Any]:
    """Write the definition of a function."""
    function: dict[str, Any] = {"name": tool.name}
    if tool.description is not None:
        function["description"] = tool.description
    if tool.parameters is not None:
        function["parameters"] = decode(tool.parameters)
    if tool.is_strict is not None and has_strict:
        function["strict"] = tool.is_strict
    if tool.cache is not None:
        notes.dropped(f"{tool.path}/cache_control", "cache-mark", "tools carry no cache mark here")
    notes.extras(tool.ext, tool.path)
    return function


def _place_in(conversation: Conversation, tool: Tool, key: str) -> str:
    """Point at a key of a definition, wherever the source's form has it."""
    for record in conversation.records[:1]:
        for place in (f"/function/{key}", f"/{key}", f"/toolSpec/{key}", "/isStrict"):
            try:
                value_at(record.value, tool.path + place)
            except LookupError:
                continue
            return tool.path + place
    return tool.path


def function_choice(held: Any) -> Any:
    """Give a choice of tools in the spelling of today, also where it is that of old chats; None when it is neither."""
    match held:
        case "auto" | "none" | "required":
            return held
        case {"type": "function", "function": {"name": str()} as function, **more} if not more and len(function) == 1:
            return held
        case {"name": str(name), **more} if not more:
            return {"type": "function", "function": {"name": name}}
        case _:
            return None
