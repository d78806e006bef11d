"""How chats of OpenAI's general shape differ when they are written, and notes of what a part of one does not hold of its block."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from msgspec import Struct

from lighter.conversation import BlockOrigin, Conversation
from lighter.formats._call_ids import CallIds
from lighter.formats._calls import CallForm
from lighter.formats._chat_parts import note_detail, note_url
from lighter.formats._notes import Notes
from lighter.formats._noting import note_refusal
from lighter.formats._writing import Item, shortened
from lighter.media import facts_of
from lighter.messages import Block, MediaBlock, ReasoningBlock, RefusalBlock, ToolCall


class WriteForm(Struct, frozen=True, kw_only=True):
    """How the messages of a chat differ from those of others, for the writer.

    `part` writes a block as a content part of a message of a role, None where there is no such part. `fields` writes what
    stands beside the content of an assistant's message, of the blocks that `is_beside` picks. `write_other_call` writes kinds
    of calls that not every chat has, None for all others. `note` notes what a part does not hold of its block, beyond
    what the flags say, `append` adds a part to the others, `shape` makes the content of them. `ids` None: calls have none.
    `carriers` are the fields beside the content that hold reasoning, as blocks name them. `has_urls`: base64 stands in data
    URLs, which tell its type.
    """

    name: str
    spelling: str
    call: CallForm
    part: Callable[[Block, str], dict[str, Any] | None]
    ids: Callable[[Conversation], CallIds] | None
    shape: Callable[[Sequence[Any], "Turn", Item], dict[str, Any]]
    is_beside: Callable[[Block], bool] = lambda _: False
    fields: Callable[[Sequence[Block]], dict[str, Any]] = lambda _: {}
    write_other_call: Callable[[ToolCall, str, BlockOrigin, Notes], dict[str, Any] | None] = lambda *_: None
    note: Callable[[Block, BlockOrigin, Notes], None] = lambda *_: None
    append: Callable[[list[Any], Any, Block], None] = lambda parts, part, _: parts.append(part)
    carriers: Sequence[str] = ()
    no_reasoning: str = ""
    result_name: str | None = None
    has_names: bool = False
    has_developer: bool = False
    has_legacy: bool = False
    has_custom: bool = False
    has_refusals: bool = False
    has_media_in_results: bool = False
    has_urls: bool = True
    has_media_names: bool = True
    cache_ttls: Sequence[str] | None = None
    only_answers: Mapping[str, str] = {}


class Turn(Struct):
    """The parts of a message while it is written; `passed`: where its calls stood that no text has followed yet."""

    role: str
    parts: list[Any]
    calls: list[Any]
    legacy: list[Any]
    passed: list[BlockOrigin]
    beside: list[Block]
    ids: set[str]


def note_fields(form: WriteForm, block: Block, origin: BlockOrigin, item: Item) -> None:
    """Note what a part does not hold of its block."""
    notes = item.notes
    notes.extras(block.ext, origin.path, held=_joined(block, origin))
    for place in _joined(block, origin):
        notes.rewritten(origin.path + place, "several-blocks", "several texts became one")
    form.note(block, origin, notes)
    if block.cache is not None and form.cache_ttls is None:
        notes.dropped(origin.at("cache"), "cache-mark", f"{form.name} knows no cache marks")
    elif form.cache_ttls is not None:
        notes.cache_ttl(block.cache, origin, form.cache_ttls)
    match block:
        case MediaBlock():
            _note_media(block, origin, notes, form)
        case ReasoningBlock():
            _note_reasoning(block, origin, notes, form)
        case RefusalBlock() if not form.has_refusals:
            note_refusal(block, origin, item)
        case _:
            pass


def _joined(block: Block, origin: BlockOrigin) -> tuple[str, ...]:
    """Give the place of the texts that the text of a block is made of, where the block keeps them one by one."""
    place = origin.fields.get("text", "")
    return tuple(extra.path for extra in block.ext if extra.path == place and isinstance(block, ReasoningBlock))


def _note_media(block: MediaBlock, origin: BlockOrigin, notes: Notes, form: WriteForm) -> None:
    """Note names and details that media do not have there, and media types that are added."""
    if block.name is not None and (block.kind == "image" or not form.has_media_names):
        notes.dropped(origin.at("name"), "media-name", f"{block.kind}s carry no name here")
    note_detail(form.name, block, origin, notes)
    if form.has_urls:
        note_url(block, origin, notes)


def _note_reasoning(block: ReasoningBlock, origin: BlockOrigin, notes: Notes, form: WriteForm) -> None:
    """Note signatures of other providers, and fields of dialects that reasoning leaves."""
    for opaque in block.opaque:
        if opaque.provider != form.name:
            notes.dropped(origin.at("opaque"), opaque.kind, "only its own provider can read it")
    if block.carrier is not None and block.carrier not in form.carriers:
        notes.moved(origin.path, "reasoning", f"what stood in {block.carrier} stands elsewhere now")


def note_media_type(block: Block, origin: BlockOrigin, notes: Notes) -> None:
    """Note a media type that the bare base64 of a form does not tell, unless the bytes tell it."""
    if not isinstance(block, MediaBlock) or block.source != "base64" or block.media_type is None:
        return
    if facts_of(block).found == block.media_type:
        return
    if "media_type" in origin.fields:
        notes.dropped(origin.at("media_type"), "media-type", "base64 stands there without a media type")
    else:
        notes.rewritten(origin.at("data"), "media-type", "base64 stands there without a media type")


def content_parts(
    parts: Sequence[Any], turn: Turn, item: Item, *, empty: Any = "", held: int | None = None
) -> dict[str, Any]:
    """Write parts as content: as text where they were, or can be, a text; `held`: how many blocks were in the content."""
    count = len(item.blocks) - len(turn.calls) - len(turn.legacy) - len(turn.beside) if held is None else held
    content = shortened(parts, is_whole=count == 1)
    return {"content": content if content or turn.role != "assistant" else empty}
