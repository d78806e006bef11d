"""Tool calls, tool results and tool definitions as they stand on the wire, with their places; any JSON value is taken."""

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Literal, NoReturn

import orjson
from msgspec import UNSET, Struct, UnsetType

from lighter.conversation import WireMessage
from lighter.jsontext import step
from lighter.passage import Passage
from lighter.wires import tools_of, wire_of

ArgumentsKind = Literal["object", "absent", "empty", "invalid", "other", "unserialised", "free"]
CallShape = Literal["function", "custom", "legacy", "block", "item", "custom item"]
ToolShape = Literal["wrapped", "flat", "custom", "typed", "unknown"]


class Arguments(Struct, frozen=True):
    """What a call's arguments are.

    object: an object, parsed into `value`. absent: no such field. empty: blank text. invalid: text that is no JSON, `problem`
    says why. other: JSON, but no object. unserialised: a JSON value where the wire wants JSON text. free: a custom tool's text.
    """

    kind: ArgumentsKind
    value: Any = None
    problem: str = ""


class Keys(Struct, frozen=True):
    """Under which keys a wire has the parts of a call; `is_id_inside`: the id stands beside the name, not outside it."""

    id: str = "id"
    name: str = "name"
    arguments: str = "arguments"
    is_id_inside: bool = False


_USUAL = Keys()
_INPUT = Keys(arguments="input")


class WireCall(Struct, frozen=True, eq=False):
    """A tool call on the wire: its entry, block, item or legacy `function_call` at `path`; `holder` has its name and arguments.

    `own_keys` are those of a wire that has others than OpenAI's chats and Anthropic.
    """

    message: WireMessage
    path: str
    raw: Mapping[str, Any]
    shape: CallShape
    holder: Mapping[str, Any]
    holder_path: str
    arguments: Arguments
    own_keys: Keys | None = None

    @property
    def keys(self) -> Keys:
        """The keys of its parts."""
        return self.own_keys or (_INPUT if self.shape in ("block", "custom") else _USUAL)

    @property
    def id(self) -> Any:
        """The id as found, UNSET when there is none."""
        if self.shape == "legacy":
            return UNSET
        return (self.holder if self.keys.is_id_inside else self.raw).get(self.keys.id, UNSET)

    @property
    def id_path(self) -> str:
        """Where the id stands, or what lacks it."""
        if self.keys.is_id_inside:
            return place(self.holder, self.holder_path, self.keys.id)
        return place(self.raw, self.path, self.keys.id)

    @property
    def name(self) -> Any:
        """The tool's name as found, UNSET when there is none."""
        return self.holder.get(self.keys.name, UNSET)

    @property
    def name_path(self) -> str:
        """Where the name stands, or what lacks it."""
        return place(self.holder, self.holder_path, self.keys.name)

    @property
    def arguments_path(self) -> str:
        """Where the arguments stand, or what lacks them."""
        return place(self.holder, self.holder_path, self.keys.arguments)


class MalformedCall(Struct, frozen=True):
    """An entry that cannot be read as a call, and why; `fault` is the class of reasons."""

    message: WireMessage
    path: str
    fault: Literal["list", "object", "flat", "hollow"]


class WireResult(Struct, frozen=True, eq=False):
    """A tool result on the wire: a tool message, or the block at `path`.

    `holder` at `holder_path` has its fields: `key` names the one with the call's id, `name_key` the one with the tool's name,
    None where the wire names no tool.
    """

    message: WireMessage
    path: str
    holder: Mapping[str, Any]
    holder_path: str
    key: str
    name_key: str | None = None

    @property
    def id(self) -> Any:
        """The call's id as found, UNSET when there is none."""
        return self.holder.get(self.key, UNSET)

    @property
    def id_path(self) -> str:
        """Where the id stands, or what lacks it."""
        return place(self.holder, self.holder_path, self.key)

    @property
    def name(self) -> Any:
        """The tool's name as found, UNSET when there is none."""
        return self.holder.get(self.name_key, UNSET) if self.name_key else UNSET

    @property
    def name_path(self) -> str:
        """Where the tool's name stands, or what lacks it."""
        return place(self.holder, self.holder_path, self.name_key or "")


class DeclaredTool(Struct, frozen=True, eq=False):
    """A tool definition of a request body; `path` points into the body.

    wrapped: `{type, function: {…}}`. flat: name and schema side by side (Anthropic, legacy `functions`). custom: OpenAI's tool
    with free text input. typed: a tool that the provider defines (`web_search_20250305`). `holder` holds name and schema;
    `schema_holder` is where the schema's own holder stands, relative to it.
    """

    path: str
    raw: Any
    shape: ToolShape
    holder: Mapping[str, Any] = {}
    holder_path: str = ""
    schema_key: str = ""
    schema_holder: str = ""

    @property
    def schema_path(self) -> str:
        """Where the schema stands, or what lacks it."""
        if self.schema_holder:
            return f"{self.holder_path}{self.schema_holder}{step(self.schema_key)}"
        return place(self.holder, self.holder_path, self.schema_key)

    @property
    def name(self) -> str | None:
        """The tool's name, None when it has no usable one."""
        name = self.holder.get("name")
        return name if isinstance(name, str) and name else None

    @property
    def schema(self) -> Any:
        """The schema of its arguments as found, UNSET when there is none."""
        return self.holder.get(self.schema_key, UNSET) if self.schema_key else UNSET

    @property
    def is_strict(self) -> bool:
        """Whether the provider is asked to hold the model to the schema."""
        return self.holder.get("strict") is True or (isinstance(self.raw, dict) and self.raw.get("strict") is True)


def place(holder: Mapping[str, Any], path: str, key: str) -> str:
    """Point at a field, or at what lacks it."""
    return path + step(key) if key in holder else path


def is_missing(value: Any) -> bool:
    """Say whether an id or a name is absent, null or empty."""
    return value is UNSET or value is None or value == ""


def tool_calls(passage: Passage) -> tuple[WireCall, ...]:
    """Give the well-formed calls that the model made, in order."""
    return passage.once(_well_formed)


def malformed_calls(passage: Passage) -> tuple[MalformedCall, ...]:
    """Give the entries that cannot be read as calls, in order."""
    return tuple(call for call in passage.once(_calls) if isinstance(call, MalformedCall))


def tool_results(passage: Passage) -> tuple[WireResult, ...]:
    """Give the tool results, in order."""
    return passage.once(_results)


def _well_formed(passage: Passage) -> tuple[WireCall, ...]:
    return tuple(call for call in passage.once(_calls) if isinstance(call, WireCall))


def _calls(passage: Passage) -> tuple[WireCall | MalformedCall, ...]:
    if passage.is_text_alone:
        return ()
    wire = wire_of(passage.format)
    if wire is None:
        from lighter.wires import _derived  # noqa: PLC0415 - few formats need it

        return tuple(_derived.calls_of(passage))
    return tuple(call for message in passage.messages for call in wire.calls_of(message))


def _results(passage: Passage) -> tuple[WireResult, ...]:
    if passage.is_text_alone:
        return ()
    wire = wire_of(passage.format)
    if wire is None:
        from lighter.wires import _derived  # noqa: PLC0415 - few formats need it

        return tuple(_derived.results_of(passage))
    return tuple(result for message in passage.messages for result in wire.results_of(message))


def has_ids(passage: Passage) -> bool:
    """Say whether any call or result has an id; rows for a chat template have none."""
    ids = (*(call.id for call in tool_calls(passage)), *(result.id for result in tool_results(passage)))
    return not all(map(is_missing, ids))


def arguments_of(value: Any) -> Arguments:
    """Read the arguments of a call whose wire wants them as JSON text."""
    match value:
        case UnsetType():
            return Arguments("absent")
        case str():
            pass
        case _:
            return Arguments("unserialised", value)
    if not value.strip():
        return Arguments("empty")
    try:
        parsed = parse_json(value)
    except ValueError as error:
        return Arguments("invalid", problem=str(error))
    return Arguments("object" if isinstance(parsed, dict) else "other", parsed)


def parse_json(text: str) -> Any:
    """Parse JSON text as RFC 8259 has it (lone surrogates are grammatical, NaN is not); raises ValueError."""
    try:
        return orjson.loads(text)
    except ValueError:
        pass
    try:
        return json.loads(text, parse_constant=_refuse)
    except RecursionError:
        return {}  # Deeper than anyone reads: a fault of its own, and not that of being no JSON.


def _refuse(constant: str) -> NoReturn:
    raise ValueError(f"{constant} is no JSON")


def declared_tools(fields: Mapping[str, Any], format: str = "openai-chat") -> tuple[DeclaredTool, ...]:
    """Give the tool definitions of a request body, legacy `functions` included; a list in JSON text is read too."""
    own = tools_of(format, fields)
    if own is not None:
        return tuple(own)
    return (*read_tools(fields.get("tools"), "/tools"), *read_tools(fields.get("functions"), "/functions"))


def read_tools(tools: Any, path: str) -> Iterator[DeclaredTool]:
    """Read a list of tool definitions that stands at `path`."""
    if isinstance(tools, str):
        try:
            tools = parse_json(tools)
        except ValueError:
            return
    if isinstance(tools, list):
        yield from (_tool(entry, f"{path}/{index}") for index, entry in enumerate(tools))


def _tool(entry: Any, path: str) -> DeclaredTool:
    match entry:
        case {"function": dict() as function}:
            holder, inside = function, f"{path}/function"
            while "name" not in holder and isinstance(holder.get("function"), dict):
                holder, inside = holder["function"], f"{inside}/function"
            return DeclaredTool(path, entry, "wrapped", holder, inside, "parameters")
        case {"type": "custom", "custom": dict() as custom}:
            return DeclaredTool(path, entry, "custom", custom, f"{path}/custom")
        case {"type": str(kind)} if kind not in ("custom", "function"):
            return DeclaredTool(path, entry, "typed", entry, path)
        case dict():
            key = "parameters" if "parameters" in entry and "input_schema" not in entry else "input_schema"
            return DeclaredTool(path, entry, "flat", entry, path, key)
        case _:
            return DeclaredTool(path, entry, "unknown")


def chosen_names(fields: Mapping[str, Any]) -> frozenset[str]:
    """Give the names of the tools that `tool_choice` (or the legacy `function_call`) names."""
    found: set[str] = set()
    waiting: list[Any] = [fields.get("tool_choice"), fields.get("function_call")]
    while waiting:
        match waiting.pop():
            case dict() as choice:
                name = choice.get("name")
                found.update([name] if isinstance(name, str) else [])
                waiting.extend(choice.values())
            case list() as choices:
                waiting.extend(choices)
    return frozenset(found)


def first_of_each_name(calls: Sequence[WireCall]) -> Iterator[tuple[WireCall, int]]:
    """Give the first call of each tool name, and how many calls carry that name; calls without a name are left out."""
    counts: dict[str, int] = {}
    for call in calls:
        if isinstance(call.name, str) and call.name:
            counts[call.name] = counts.get(call.name, 0) + 1
    for call in calls:
        if isinstance(call.name, str) and (count := counts.pop(call.name, 0)):
            yield call, count
