"""A conversation: its messages, what belongs to all of them, and where each of them came from."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Literal

from msgspec import Struct
from msgspec.structs import replace

from lighter.constructing import check_optional_texts, check_texts, freeze
from lighter.errors import UnknownName
from lighter.losses import Loss
from lighter.messages import (
    AssistantMessage,
    CacheMark,
    Extra,
    Message,
    OtherMessage,
    SystemMessage,
    ToolMessage,
    UserMessage,
    blocks_of,
)
from lighter.records import Record

Layout = Literal["messages", "conversations", "array"]
LAYOUTS: tuple[Layout, ...] = ("messages", "conversations", "array")
NOTHING: Mapping[str, str] = {}
"""No pointers."""
_MESSAGES = (SystemMessage, UserMessage, AssistantMessage, ToolMessage, OtherMessage)


def layout_named(name: str) -> Layout:
    """Give the layout of a name; raises UnknownName."""
    for layout in LAYOUTS:
        if layout == name:
            return layout
    raise UnknownName("layout", name, LAYOUTS)


class Pointers(Mapping[str, str]):
    """The pointers of the fields of one message, put together when they are asked for; few ever are."""

    __slots__ = ("_fields", "_path")

    def __init__(self, path: str, fields: Mapping[str, str]) -> None:
        self._path = path
        self._fields = fields

    def __getitem__(self, field: str) -> str:
        return self._path + self._fields[field]

    def __iter__(self) -> Iterator[str]:
        return iter(self._fields)

    def __len__(self) -> int:
        return len(self._fields)


class BlockOrigin(Struct, frozen=True):
    """Where a block stands: a pointer into the record, and the pointers of its fields relative to that.

    `elsewhere`: whole pointers of fields that do not stand in the block.
    """

    path: str
    fields: Mapping[str, str] = NOTHING
    elsewhere: Mapping[str, str] = NOTHING

    def at(self, field: str) -> str:
        """Point at a field; at the block itself when the field has no place of its own."""
        return self.elsewhere[field] if field in self.elsewhere else self.path + self.fields.get(field, "")


class Origin(Struct, frozen=True):
    """Where a message stands: its record's row, a pointer into the record, its fields' and its blocks' places.

    `fields` holds whole pointers into the record, since the model or the usage of a message stands outside it in a response.
    A message that is a result by itself, though its fields stand deeper, has its place as `result`.
    `blocks` runs parallel to `blocks_of(message)`. Several messages may share one `path` (results grouped in one turn).
    """

    row: int
    path: str
    fields: Mapping[str, str] = NOTHING
    blocks: tuple[BlockOrigin, ...] = ()

    def at(self, field: str) -> str:
        """Point at a field; at the message itself when the field has no place of its own."""
        return self.fields.get(field, self.path)


class Tool(Struct, frozen=True, kw_only=True):
    """A tool that the model may call; `parameters` is its JSON Schema as JSON text.

    `is_legacy` for one of the `functions` of old chats. `native` is the whole definition where only its own format knows such
    tools (server tools, grammars). `path`: its place.
    """

    name: str
    description: str | None = None
    parameters: str | None = None
    is_strict: bool | None = None
    is_legacy: bool = False
    cache: CacheMark | None = None
    native: Extra | None = None
    ext: tuple[Extra, ...] = ()
    path: str = ""

    def __post_init__(self) -> None:
        check_texts(self, "name", "path")
        check_optional_texts(self, "description", "parameters")
        freeze(self, "ext", Extra)


class Param(Struct, frozen=True):
    """A request parameter under its common name: `max_tokens`, `stop`, `tool_choice`.

    Name and spelling are those of OpenAI Chat; `json` is the value as JSON text, `path` where it stands in the record.
    """

    name: str
    json: str
    path: str = ""

    def __post_init__(self) -> None:
        check_texts(self, "name", "json", "path")


class WireMessage(Struct, frozen=True):
    """A message as it stands in the file: its record, a pointer into it, the parsed value, and its index in the conversation.

    `index` is 0-based. `is_response`: it is what a provider answered, with the keys that only answers have.
    """

    record: Record
    path: str
    raw: Any
    index: int
    is_response: bool = False


class Joined(Struct, frozen=True):
    """The pieces of a message that stood among others, what it is as joined from them, and what of them does not arrive in it.

    `homes`: where items of its lists come from, by their places in the message: pieces by their indices, and places in these.
    """

    pieces: tuple[WireMessage, ...]
    value: Any
    losses: tuple[Loss, ...] = ()
    homes: Mapping[str, Sequence[tuple[int, str]]] = {}


class Conversation(Struct, frozen=True, repr_omit_defaults=True):
    """One conversation. Built by hand it needs only its messages; the rest tells where a loaded one came from.

    `ext`: what only its own format knows: further keys of the request body (pointers relative to it), and under the format
    `envelope` whatever else the record holds (pointers into the record). `origins` runs parallel to `messages`, or is empty.
    `source_format`: the format that a conversation in lighter's own form says it came from. `records`: the records that it
    was read from, bytes included. `path` points at the request body inside the record, `place` at the whole value that is
    this conversation. `undone`: messages of these records that the history itself takes back, so that they are none of
    `messages`, each as the loss that it is once the conversation is written anew. `joined`: those of `messages` whose pieces
    stood there.
    """

    messages: tuple[Message, ...] = ()
    tools: tuple[Tool, ...] = ()
    params: tuple[Param, ...] = ()
    ext: tuple[Extra, ...] = ()
    id: str | None = None
    format: str = "lighter"
    source_format: str | None = None
    layout: Layout = "conversations"
    origins: tuple[Origin, ...] = ()
    records: tuple[Record, ...] = ()
    path: str = ""
    place: str = ""
    undone: tuple[Loss, ...] = ()
    joined: tuple[Joined, ...] = ()

    def __post_init__(self) -> None:
        freeze(self, "messages", _MESSAGES)
        freeze(self, "tools", Tool)
        freeze(self, "params", Param)
        freeze(self, "ext", Extra)
        freeze(self, "origins", Origin)
        freeze(self, "records", Record)
        check_optional_texts(self, "id")

    @property
    def row(self) -> int:
        """Row of its first record, 1 when it was built by hand."""
        return self.records[0].row if self.records else 1

    def as_log(self, session: str | None) -> "Conversation":
        """Give the conversation of a log with one message a line, under its session's id."""
        return replace(self, layout="messages", id=session)


def origins_of(conversation: Conversation) -> tuple[Origin, ...]:
    """Give the origins of all messages; those that were built by hand get the places that lighter's own form would give them."""
    known = conversation.origins
    made = (
        _made_origin(index, message) for index, message in enumerate(conversation.messages[len(known) :], len(known))
    )
    return (*known[: len(conversation.messages)], *made)


def _made_origin(index: int, message: Message) -> Origin:
    path = f"/messages/{index}"
    places = tuple(BlockOrigin(f"{path}/blocks/{n}") for n in range(len(blocks_of(message))))
    told = (field for field in message.__struct_fields__ if getattr(message, field) is not False)
    return Origin(1, path, {field: f"{path}/{field}" for field in told}, places)
