"""The core model: four kinds of message, the blocks they are made of, and the views between the two; all immutable.

A message in short form holds plain text, plain reasoning and plain calls in its own fields, and `blocks` is empty. What the
short form cannot hold (interleaving, media, signatures, refusals, unknown blocks …) is held by `blocks`, in order; the short
fields are then views of it. Payloads that are not interpreted are kept as JSON text, so that they are exact and cannot change.
"""

from collections.abc import Iterable, Sequence
from typing import Any, ClassVar, Literal, TypeVar

from msgspec import Struct
from msgspec.structs import replace

from lighter.constructing import check_optional_texts, check_texts, freeze, refuse

ABSENT = ""
"""The JSON text of an `Extra` that says: this key was not there (where lighter would write one)."""

CallKind = Literal["function", "custom", "legacy", "server"]
MediaKind = Literal["image", "audio", "video", "document"]
MediaSource = Literal["base64", "url", "file_id", "text", "blocks"]


class Extra(Struct, frozen=True, repr_omit_defaults=True):
    """A key that only one format knows: which format, where (a pointer relative to its owner), and its value as JSON text."""

    format: str
    path: str
    json: str

    def __post_init__(self) -> None:
        if not type(self.format) is type(self.path) is type(self.json) is str:
            check_texts(self, "format", "path", "json")


class Opaque(Struct, frozen=True, repr_omit_defaults=True):
    """Provider state that nobody else can read: a thought signature, encrypted or redacted reasoning."""

    provider: str
    kind: Literal["signature", "encrypted", "redacted"]
    data: str
    model: str | None = None

    def __post_init__(self) -> None:
        if not type(self.provider) is type(self.kind) is type(self.data) is str or self.model is not None:
            check_texts(self, "provider", "kind", "data")
            check_optional_texts(self, "model")


class CacheMark(Struct, frozen=True, repr_omit_defaults=True):
    """A prompt cache breakpoint, and how long the provider is asked to keep what lies before it."""

    ttl: str | None = None


class _Extensible(Struct, frozen=True, kw_only=True, repr_omit_defaults=True):
    cache: CacheMark | None = None
    ext: tuple[Extra, ...] = ()


def _check_block(block: _Extensible) -> None:
    """Check what all blocks have."""
    if not isinstance(block.cache, CacheMark | None):
        refuse(block, "cache", "CacheMark or None")
    freeze(block, "ext", Extra)


class TextBlock(_Extensible, frozen=True, repr_omit_defaults=True):
    """Visible text."""

    text: str

    def __post_init__(self) -> None:
        if type(self.text) is not str or self.ext != () or self.cache is not None:
            check_texts(self, "text")
            _check_block(self)


class ReasoningBlock(_Extensible, frozen=True, repr_omit_defaults=True):
    """What the model thought, as far as the provider shows it.

    `carrier` names the field that a chat dialect keeps it in (`reasoning_content`, `reasoning`, `reasoning_details`,
    `thinking_blocks`); None where reasoning is an ordinary block.
    """

    text: str
    opaque: tuple[Opaque, ...] = ()
    carrier: str | None = None

    def __post_init__(self) -> None:
        if type(self.text) is not str or self.carrier is not None or self.opaque != () or self.ext != ():
            check_texts(self, "text")
            check_optional_texts(self, "carrier")
            freeze(self, "opaque", Opaque)
            _check_block(self)


class ToolCall(_Extensible, frozen=True, repr_omit_defaults=True):
    """A call that the model asks for; `arguments` is JSON text exactly as written, neither parsed nor validated.

    `kind` is `custom` for free text input, `legacy` for the `function_call` of old chats (it has no id, so lighter makes
    one and sets `is_id_synthetic`), `server` for a tool that the provider itself runs.
    """

    call_id: str
    tool_name: str
    arguments: str
    kind: CallKind = "function"
    is_id_synthetic: bool = False
    opaque: tuple[Opaque, ...] = ()

    def __post_init__(self) -> None:
        if (
            not type(self.call_id) is type(self.tool_name) is type(self.arguments) is type(self.kind) is str
            or self.opaque != ()
            or self.ext != ()
            or self.cache is not None
        ):
            check_texts(self, "call_id", "tool_name", "arguments", "kind")
            freeze(self, "opaque", Opaque)
            _check_block(self)


class MediaBlock(_Extensible, frozen=True, repr_omit_defaults=True):
    """An image, sound, film or document; `data` is base64, a URL, a provider's file id, plain text or JSON text of blocks.

    `provider` says whose file id it is.
    """

    kind: MediaKind
    source: MediaSource
    data: str
    media_type: str | None = None
    name: str | None = None
    detail: str | None = None
    provider: str | None = None

    def __post_init__(self) -> None:
        check_texts(self, "kind", "source", "data")
        check_optional_texts(self, "media_type", "name", "detail", "provider")
        _check_block(self)


class RefusalBlock(_Extensible, frozen=True, repr_omit_defaults=True):
    """The model's refusal, where the provider marks it as one; `carrier` names the field beside the content that holds it."""

    text: str
    carrier: str | None = None

    def __post_init__(self) -> None:
        check_texts(self, "text")
        check_optional_texts(self, "carrier")
        _check_block(self)


class ToolResultBlock(_Extensible, frozen=True, repr_omit_defaults=True):
    """A result inside an assistant's own turn (server tools); `native_type` is the wire's block type, `json` its content."""

    call_id: str
    native_type: str
    json: str

    def __post_init__(self) -> None:
        check_texts(self, "call_id", "native_type", "json")
        _check_block(self)


class OpaqueBlock(_Extensible, frozen=True, repr_omit_defaults=True):
    """A block that lighter does not interpret: its format, its wire type and the whole of it as JSON text, in place."""

    format: str
    native_type: str
    json: str

    def __post_init__(self) -> None:
        check_texts(self, "format", "native_type", "json")
        _check_block(self)


Block = TextBlock | ReasoningBlock | ToolCall | MediaBlock | RefusalBlock | ToolResultBlock | OpaqueBlock
_BLOCKS = (TextBlock, ReasoningBlock, ToolCall, MediaBlock, RefusalBlock, ToolResultBlock, OpaqueBlock)
_CALL = {ToolCall}


class _Common(Struct, frozen=True, kw_only=True, repr_omit_defaults=True):
    blocks: tuple[Block, ...] = ()
    name: str | None = None
    id: str | None = None
    group: int | None = None
    ext: tuple[Extra, ...] = ()


def _check_common(message: _Common) -> None:
    """Check what all messages have."""
    if message.blocks != ():
        freeze(message, "blocks", _BLOCKS)
    if message.ext != ():
        freeze(message, "ext", Extra)
    if message.name is not None or message.id is not None:
        check_optional_texts(message, "name", "id")
    if message.group is not None and type(message.group) is not int:
        refuse(message, "group", "int or None")


class SystemMessage(_Common, frozen=True, repr_omit_defaults=True):
    """What the application tells the model; `is_developer` where the wire says `developer`."""

    role: ClassVar[Literal["system"]] = "system"
    content: str
    is_developer: bool = False

    def __post_init__(self) -> None:
        if type(self.content) is not str:
            check_texts(self, "content")
        _check_common(self)


class UserMessage(_Common, frozen=True, repr_omit_defaults=True):
    """What the user says."""

    role: ClassVar[Literal["user"]] = "user"
    content: str

    def __post_init__(self) -> None:
        if type(self.content) is not str:
            check_texts(self, "content")
        _check_common(self)


class AssistantMessage(_Common, frozen=True, repr_omit_defaults=True):
    """What the model says: text, reasoning and tool calls; model, stop reason and usage (JSON text) when the log tells them."""

    role: ClassVar[Literal["assistant"]] = "assistant"
    content: str
    reasoning: str | None = None
    tool_calls: tuple[ToolCall, ...] = ()
    model: str | None = None
    stop: str | None = None
    usage: str | None = None

    def __post_init__(self) -> None:
        if type(self.content) is not str:
            check_texts(self, "content")
        calls = self.tool_calls
        if calls != () and not (type(calls) is tuple and {*map(type, calls)} == _CALL):
            freeze(self, "tool_calls", ToolCall)
        if not self.reasoning is self.model is self.stop is self.usage is None:
            check_optional_texts(self, "reasoning", "model", "stop", "usage")
        _check_common(self)


class ToolMessage(_Common, frozen=True, repr_omit_defaults=True):
    """The result of a tool call; `is_error` is None when the format it was read from cannot say."""

    role: ClassVar[Literal["tool"]] = "tool"
    call_id: str
    tool_name: str
    tool_output: str
    is_error: bool | None = False
    kind: CallKind = "function"
    is_id_synthetic: bool = False

    def __post_init__(self) -> None:
        if not type(self.call_id) is type(self.tool_name) is type(self.tool_output) is type(self.kind) is str:
            check_texts(self, "call_id", "tool_name", "tool_output", "kind")
        if self.is_error is not None and type(self.is_error) is not bool:
            refuse(self, "is_error", "bool or None")
        _check_common(self)

    @property
    def content(self) -> str:
        """The output, so that all messages can be read alike."""
        return self.tool_output


class OtherMessage(_Common, frozen=True, repr_omit_defaults=True):
    """A message whose role no provider knows, or that has none (`role` is then empty)."""

    role: str
    content: str

    def __post_init__(self) -> None:
        check_texts(self, "role", "content")
        _check_common(self)


Message = SystemMessage | UserMessage | AssistantMessage | ToolMessage | OtherMessage
M = TypeVar("M", SystemMessage, UserMessage, AssistantMessage, ToolMessage, OtherMessage)

PARAGRAPH = "\n\n"
"""Stands between the texts of several blocks in the one text of the short form."""


def is_plain(block: Block) -> bool:
    """Say whether the short form holds the whole of a block."""
    if block.cache is not None or block.ext:
        return False
    match block:
        case TextBlock():
            return bool(block.text)
        case ReasoningBlock():
            return not block.opaque and block.carrier is None and bool(block.text)
        case ToolCall():
            return not block.opaque
        case _:
            return False


def fits_short_form(blocks: Sequence[Block], *, is_assistant: bool) -> bool:
    """Say whether blocks are plain and in the order that the short form implies: reasoning, text, calls."""
    if not all(map(is_plain, blocks)):
        return False
    kinds = [type(block) for block in blocks]
    if not is_assistant:
        return kinds in ([], [TextBlock])
    if kinds[:1] == [ReasoningBlock]:
        kinds = kinds[1:]
    if kinds[:1] == [TextBlock]:
        kinds = kinds[1:]
    return all(kind is ToolCall for kind in kinds)


def text_of(blocks: Iterable[Block]) -> str:
    """Join the visible text of blocks."""
    return PARAGRAPH.join(block.text for block in blocks if isinstance(block, TextBlock))


def with_blocks(message: M, blocks: Sequence[Block]) -> M:
    """Give a message these blocks: as its short fields alone where they suffice, else as `blocks` and views of them."""
    held = () if fits_short_form(blocks, is_assistant=isinstance(message, AssistantMessage)) else tuple(blocks)
    changes: dict[str, Any] = {"blocks": held}
    if isinstance(message, ToolMessage):
        changes["tool_output"] = text_of(blocks)
    else:
        changes["content"] = text_of(blocks)
    if isinstance(message, AssistantMessage):
        thoughts = [block.text for block in blocks if isinstance(block, ReasoningBlock) and block.text]
        changes["reasoning"] = PARAGRAPH.join(thoughts) if thoughts else None
        changes["tool_calls"] = tuple(block for block in blocks if isinstance(block, ToolCall))
    return replace(message, **changes)


def blocks_of(message: Message) -> tuple[Block, ...]:
    """View any message as blocks, in order; empty text gives no block."""
    if message.blocks:
        return message.blocks
    text: tuple[Block, ...] = (TextBlock(message.content),) if message.content else ()
    if not isinstance(message, AssistantMessage):
        return text
    reasoning: tuple[Block, ...] = (ReasoningBlock(message.reasoning),) if message.reasoning else ()
    return (*reasoning, *text, *message.tool_calls)
