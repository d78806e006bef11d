"""A conversation: its messages, what belongs to all of them, and where each of them came from."""

from collections.abc import Mapping
from typing import Any, Literal

from msgspec import Struct
from msgspec.structs import replace

from lighter.messages import CacheMark, Extra, Message
from lighter.records import Record

Layout = Literal["messages", "conversations", "array"]
NOTHING: Mapping[str, str] = {}


class BlockOrigin(Struct, frozen=True):
    """Where a block stands: a pointer into the record, and the pointers of its fields relative to that."""

    path: str
    fields: Mapping[str, str] = NOTHING

    def at(self, field: str) -> str:
        """Point at a field; at the block itself when the field has no place of its own."""
        return self.path + self.fields.get(field, "")


class Origin(Struct, frozen=True):
    """Where a message stands: its record's row, a pointer into the record, its fields' and its blocks' places.

    `fields` holds whole pointers into the record, since the model or the usage of a message stands outside it in a response.
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

    `native` is the whole definition where only its own format knows such tools (server tools, grammars). `path`: its place.
    """

    name: str
    description: str | None = None
    parameters: str | None = None
    is_strict: bool | None = None
    cache: CacheMark | None = None
    native: Extra | None = None
    ext: tuple[Extra, ...] = ()
    path: str = ""


class Param(Struct, frozen=True):
    """A request parameter under its common name: `max_tokens`, `stop`, `tool_choice`.

    Name and spelling are those of OpenAI Chat; `json` is the value as JSON text, `path` where it stands in the record.
    """

    name: str
    json: str
    path: str = ""


class Conversation(Struct, frozen=True, repr_omit_defaults=True):
    """One conversation. Built by hand it needs only its messages; the rest tells where a loaded one came from.

    `ext`: what only its own format knows: further keys of the request body (pointers relative to it), and under the format
    `envelope` whatever else the record holds (pointers into the record). `origins` runs parallel to `messages`, or is empty.
    `records`: the records that it was read from, bytes included. `path` points at the request body inside the
    record, `place` at the whole value that is this conversation.
    """

    messages: tuple[Message, ...] = ()
    tools: tuple[Tool, ...] = ()
    params: tuple[Param, ...] = ()
    ext: tuple[Extra, ...] = ()
    id: str | None = None
    format: str = "lighter"
    layout: Layout = "conversations"
    origins: tuple[Origin, ...] = ()
    records: tuple[Record, ...] = ()
    path: str = ""
    place: str = ""

    @property
    def row(self) -> int:
        """Row of its first record, 1 when it was built by hand."""
        return self.records[0].row if self.records else 1

    def as_log(self, session: str | None) -> "Conversation":
        """Give the conversation of a log with one message a line, under its session's id."""
        return replace(self, layout="messages", id=session)


class WireMessage(Struct, frozen=True):
    """A message as it stands in the file: its record, a pointer into it, the parsed value, and its index in the conversation.

    `index` is 0-based. `is_response`: it is what a provider answered, with the keys that only answers have.
    """

    record: Record
    path: str
    raw: Any
    index: int
    is_response: bool = False
