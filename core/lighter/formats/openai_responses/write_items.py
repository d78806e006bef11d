"""Writing the items of the Responses API, one message after the other."""

import re
from collections.abc import Iterable, Sequence
from typing import Any

from msgspec import Struct

from lighter.conversation import BlockOrigin, Conversation
from lighter.formats._call_ids import CallIds, called_names, digest
from lighter.formats._chat_parts import is_out_of_reach, no_place, note_detail, note_url
from lighter.formats._noting import is_all_left_out, note_beside_results, note_result_kind, note_text_document
from lighter.formats._openai import TTLS
from lighter.formats._reading import ENVELOPE
from lighter.formats._writing import Item, PlacedBlock, extra_at, feature_of, origin_format, restore
from lighter.formats.openai_responses.items import PROVIDER
from lighter.formats.openai_responses.parts import own, write_part
from lighter.formats.openai_responses.shapes import AS_PARTS, AS_TEXT, CALLS, ITEM_ID, ITEM_SPELLING, NAME, SPELLING
from lighter.jsontext import decode, keys_of, step
from lighter.messages import (
    AssistantMessage,
    Block,
    Extra,
    MediaBlock,
    OpaqueBlock,
    OtherMessage,
    ReasoningBlock,
    RefusalBlock,
    SystemMessage,
    TextBlock,
    ToolCall,
    ToolMessage,
    ToolResultBlock,
)

MAX_ID = 64
# "Invalid 'input[95].call_id': string too long. Expected a string with maximum length 64",
# https://github.com/AnswerDotAI/fastllm/issues/45

_ITEM_ID_IN_BLOCK = re.compile(r"/content/\d+/id$")
_ITEM_IDS = "/additional_kwargs/__openai_function_call_ids__"
"""Where langchain-openai keeps the ids of the items of calls; its readers give them to the calls as well."""

_FOREIGN_FILES = ("file_", "files/")
"""How file ids begin at other providers (Anthropic, Gemini)."""


class _Said(Struct):
    """A message item of the assistant while it is written: its parts, and the first block with its place."""

    parts: list[Any]
    first: Block
    origin: BlockOrigin


class ItemWriter:
    """Writes messages into `items`: one item for each call, each reasoning and each message of an assistant's turn."""

    def __init__(self, conversation: Conversation) -> None:
        self.items: list[Any] = []
        self._ids = CallIds(lambda call_id: 0 < len(call_id) <= MAX_ID, conversation, max_length=MAX_ID, is_unique=True)
        self._is_own = origin_format(conversation) == NAME
        self._kinds: dict[str, str] = {}
        self._called = called_names(conversation)
        self._group: int | None = None
        self._last: Item | None = None
        self._said: _Said | None = None
        self._named: set[str] = set()

    def add(self, item: Item) -> None:
        """Write one message."""
        match item.message:
            case AssistantMessage() as message:
                self._add_assistant(item, message)
            case ToolMessage() as message:
                self._add_result(item, message)
            case OtherMessage(role="") as message:
                self._add_stranger(item, message)
            case _:
                self._add_message(item)
        self._group, self._last = item.message.group, item

    def _add_stranger(self, item: Item, message: OtherMessage) -> None:
        """Put a value back that is no item; from another format there is nothing to write."""
        if any(extra.format == NAME for extra in message.ext):
            self._add_message(item)
        else:
            item.notes.extras(message.ext, item.origin.path)
            item.notes.dropped(item.origin.path, "message", "it has no role")

    def _add_message(self, item: Item) -> None:
        """Write a message of a user, the system or a developer, or of a role that nobody knows."""
        message, notes = item.message, item.notes
        role = "developer" if isinstance(message, SystemMessage) and message.is_developer else message.role
        note_beside_results(item, self._group)
        written = {"role": role, "content": self._content(item, has_detail=True)}
        if not written["content"] and not isinstance(message, OtherMessage) and is_all_left_out(item):
            notes.emptied(message, item.origin)
            return
        notes.unheld(message, item.origin, "id", "name")
        held = ("/role",) if isinstance(message, SystemMessage) else ()
        notes.extras(message.ext, item.origin.path, held=held)
        self.items.append(notes.placed(own(written, _values(message.ext)), item.origin))

    def _content(self, item: Item, *, has_detail: bool) -> Any:
        """Write blocks as text where that is all, else as parts."""
        if len(item.blocks) == 1 and (whole := _whole_content(item.blocks[0][0])) is not None:
            return decode(whole.json)
        is_listed = any((extra.format, extra.json) == (SPELLING, AS_PARTS) for extra in item.message.ext)
        parts = [self._part(block, origin, item, "input_text", has_detail=has_detail) for block, origin in item.blocks]
        match [part for part in parts if part is not None]:
            case []:
                return ""
            case [{"type": "input_text", "text": str(text), **rest}] if not (rest or is_listed) and len(parts) == 1:
                return text
            case found:
                return found

    def _part(self, block: Block, origin: BlockOrigin, item: Item, usual: str, *, has_detail: bool) -> Any:
        """Write one block as a content part; None when there is none for it, which is noted."""
        notes = item.notes
        part = write_part(block, usual, has_detail=has_detail)
        if isinstance(block, RefusalBlock) and usual == "input_text":
            part = None
        if isinstance(block, MediaBlock):
            if block.source == "text" and usual == "input_text":
                note_text_document(block, origin, notes)
                return notes.placed({"type": usual, "text": block.data}, origin)
            if block.source == "file_id" and block.data.startswith(_FOREIGN_FILES):
                notes.dropped(origin.path, "file-id", "a file id of another provider")
                return None
            if usual == "output_text" and not _is_own(block):
                part = None
            if is_out_of_reach(block) and not self._is_own:
                part = None
        if part is None:
            notes.dropped(origin.path, feature_of(block), no_place(block, NAME))
            return None
        self._note_fields(block, origin, item, part)
        return notes.placed(part if isinstance(block, OpaqueBlock) else own(part, block.ext), origin)

    def _note_fields(self, block: Block, origin: BlockOrigin, item: Item, part: dict[str, Any]) -> None:
        """Note what a part does not hold of its block, and what is added."""
        notes = item.notes
        notes.extras(block.ext, origin.path)
        if block.cache is not None and part["type"] in ("output_text", "refusal"):
            notes.dropped(origin.at("cache"), "cache-mark", "what the assistant said carries no cache mark here")
        else:
            notes.cache_ttl(block.cache, origin, TTLS)
        if not isinstance(block, MediaBlock):
            return
        if block.name is not None and block.kind == "image":
            notes.dropped(origin.at("name"), "media-name", "images carry no name here")
        note_url(block, origin, notes)
        note_detail(NAME, block, origin, notes)
        is_spelled = any(extra.format in (NAME, SPELLING) and extra.path == "/detail" for extra in block.ext)
        if block.detail is None and "detail" in part and not is_spelled:
            notes.synthesised(origin.path, "image-detail", "an image must tell its detail here; it is auto")

    def _add_assistant(self, item: Item, message: AssistantMessage) -> None:
        notes, start = item.notes, len(self.items)
        follows = self._last is not None and isinstance(self._last.message, AssistantMessage)
        turn: set[str] = set()
        for placed in item.blocks:
            self._add_block(placed, item, turn)
        self._close(item)
        own_id = extra_at(message.ext, ITEM_ID, "")
        is_named = own_id is not None and _is_named(self.items[start:], decode(own_id))
        notes.unheld(message, item.origin, *(() if is_named else ("id",)), "name", "model", "stop", "usage")
        held = {id(extra) for block, _ in item.blocks for extra in _of_item(block, message.ext)}
        held |= {id(extra) for extra in message.ext if _are_held(extra, self.items[start:])}
        notes.extras((extra for extra in message.ext if id(extra) not in held), item.origin.path)
        if len(self.items) == start:
            notes.dropped(item.origin.path, "empty-message", "nothing of the message is left")
        elif follows and not any(_is_own(block) for block, _ in item.blocks):
            notes.moved(item.origin.path, "consecutive-turns", "its items follow those of the same turn before")

    def _add_block(self, placed: PlacedBlock, item: Item, turn: set[str]) -> None:
        """Write one block of an assistant's turn, as an item or as a part of one."""
        block, origin = placed
        notes = item.notes
        match block:
            case OpaqueBlock() if block.format == NAME and not _index_in_item(block):
                self._append(decode(block.json), item, origin)
            case TextBlock() | RefusalBlock() | MediaBlock() | OpaqueBlock():
                self._add_part(block, origin, item)
            case ReasoningBlock():
                self._add_reasoning(block, origin, item)
            case ToolCall(kind="server") | ToolResultBlock():
                notes.dropped(origin.path, "server-tool", "only its own provider can hold it")
            case ToolCall():
                self._append(self._call(block, origin, item, turn), item, origin)

    def _append(self, value: Any, item: Item, origin: BlockOrigin) -> None:
        self._close(item)
        self.items.append(item.notes.placed(value, origin))

    def _add_part(self, block: Block, origin: BlockOrigin, item: Item) -> None:
        """Add a part to the message item that it continues, or begin another."""
        part = self._part(block, origin, item, "output_text", has_detail=True)
        if part is None:
            return
        if isinstance(block, RefusalBlock) and block.carrier is not None:
            item.notes.rewritten(item.origin.at("content"), "refusal", "holds the refusal now", is_reversible=True)
            item.notes.moved(origin.path, "refusal", "stands in the content now")
        if self._said is not None and _index_in_item(block) not in ("", "0"):
            self._said.parts.append(part)
            return
        if self._said is not None and _are_of_one_item(self._said.first, block):
            self._said.parts.append({key: held for key, held in part.items() if key != "id"})
            return
        self._close(item)
        self._said = _Said([part], block, origin)

    def _close(self, item: Item) -> None:
        """Write the message item that is open: as text where that says everything, else with a list of parts."""
        said, self._said = self._said, None
        if said is None:
            return
        ext = said.first.ext
        more = {keys_of(extra.path)[-1]: decode(extra.json) for extra in _of_item(said.first, item.message.ext)}
        told = _id_on_part(said)
        if told in self._named:
            item.notes.dropped(said.origin.path + "/id", "id", "an item before it has this id")
        elif told is not None:
            self._named.add(told)
            more |= {"id": told, "status": "completed"}
            item.notes.synthesised(said.origin.path, "item-status", "a message with an id needs a status")
        elif (held := extra_at(item.message.ext, ITEM_ID, "")) is not None and not _is_named(self.items, decode(held)):
            more |= {"id": decode(held), "status": "completed"}
            item.notes.synthesised(said.origin.path, "item-status", "a message with an id needs a status")
        is_output = "id" in more or "status" in more
        form = extra_at(ext, ITEM_SPELLING, "/content")
        is_text = form == AS_TEXT or not (is_output or form == AS_PARTS)
        kept = [e for e in ext if e.format == ITEM_SPELLING and e.path and not e.path.startswith("/content")]
        match said.parts:
            case [{"type": "output_text", "text": str(text), "annotations": [], **rest}] if is_text and not rest:
                content: Any = text
            case parts:
                content = parts
                if not is_output and any(part.get("type") == "refusal" for part in parts):
                    item.notes.synthesised(
                        said.origin.path, "item-id", "a message with a refusal needs an id and a status"
                    )
                    more |= {"id": _made_id(len(self.items), str(parts)), "status": "completed"}
                    is_output = True
        kind = {"type": "message"} if is_output else {}
        written = restore({**kind, "role": "assistant", "content": content, **more}, kept, ITEM_SPELLING)
        self.items.append(item.notes.placed(written, said.origin))

    def _add_reasoning(self, block: ReasoningBlock, origin: BlockOrigin, item: Item) -> None:
        """Write reasoning that was an item of this API; any other has no id, without which it is refused."""
        if not _is_own(block):
            item.notes.dropped(origin.path, "reasoning", "reasoning without an item of this provider is refused")
            return
        item.notes.extras(block.ext, origin.path)
        written: dict[str, Any] = {"type": "reasoning", "summary": []}
        if block.text:
            written["summary"] = [{"type": "summary_text", "text": block.text}]
        for opaque in block.opaque:
            if opaque.provider == PROVIDER:
                written["encrypted_content"] = opaque.data
        self._append(own(written, block.ext), item, origin)

    def _call(self, call: ToolCall, origin: BlockOrigin, item: Item, turn: set[str]) -> Any:
        notes = item.notes
        notes.extras(call.ext, origin.path)
        notes.cache_mark(call.cache, origin, "calls")
        if call.opaque:
            notes.dropped(origin.at("opaque"), "signature", "only its own provider can read it")
        call_id = self._ids.for_call(call.call_id, turn)
        self._kinds[call.call_id] = call.kind
        notes.call_id(call, origin, call_id)
        if call.kind == "legacy":
            notes.rewritten(origin.path, "legacy-call", "became an ordinary call")
        kind = "custom_tool_call" if call.kind == "custom" else "function_call"
        written = {"type": kind, "call_id": call_id, "name": call.tool_name, CALLS[kind]: call.arguments}
        if (told := extra_at(call.ext, ITEM_ID, "")) is not None:
            written["id"] = decode(told)
        return own(written, call.ext)

    def _add_result(self, item: Item, message: ToolMessage) -> None:
        origin, notes = item.origin, item.notes
        is_custom = message.kind == "custom" or self._kinds.get(message.call_id) == "custom"
        written: dict[str, Any] = {"type": "custom_tool_call_output" if is_custom else "function_call_output"}
        call_id = written["call_id"] = self._ids.for_result(message.call_id)
        is_restored = any(extra.format in (NAME, SPELLING) and extra.path == "/call_id" for extra in message.ext)
        notes.call_id(message, origin, call_id, is_restored=is_restored)
        notes.unheld(message, origin, "id")
        if message.kind == "legacy":
            note_result_kind(message, origin, notes, "the output of a call")
        else:
            notes.tool_name(message, origin, self._called)
            if message.name is not None and not is_custom:
                written["name"] = message.name
            else:
                notes.unheld(message, origin, "name")
        notes.error_flag(message, origin)
        written["output"] = self._content(item, has_detail=is_custom)
        notes.extras(message.ext, origin.path, held=("/is_error",))
        self.items.append(notes.placed(own(written, _values(message.ext)), origin))


def _is_named(items: Iterable[Any], name: str) -> bool:
    """Say whether one of the items has an id."""
    return any(isinstance(item, dict) and item.get("id") == name for item in items)


def _are_held(extra: Extra, items: Sequence[Any]) -> bool:
    """Say whether an extra holds ids of calls that items have (`additional_kwargs` or blocks of langchain-openai)."""
    if _ITEM_ID_IN_BLOCK.search(extra.path):
        return _is_named(items, decode(extra.json))
    if not extra.path.endswith(_ITEM_IDS):
        return False
    ids = decode(extra.json)
    named = [(item.get("call_id"), item.get("id")) for item in items if isinstance(item, dict)]
    return isinstance(ids, dict) and all(pair in named for pair in ids.items())


def _id_in_langchain(block: Block) -> str | None:
    """Tell the id of a message, as JSON, that LangChain keeps on each of its parts; None for a block of this format's own."""
    is_own = any(extra.format == ITEM_SPELLING for extra in block.ext)
    return None if is_own else extra_at(block.ext, NAME, "/id")


def _are_of_one_item(first: Block, block: Block) -> bool:
    told = _id_in_langchain(block)
    return told is not None and told == _id_in_langchain(first)


def _id_on_part(said: _Said) -> str | None:
    """Take the id of a message off its first part."""
    return said.parts[0].pop("id") if _id_in_langchain(said.first) is not None else None


def _made_id(number: int, text: str) -> str:
    """Make an id for a message item, the same for the same input."""
    return f"msg_{digest(number, text)[:24]}"


def _index_in_item(block: Block) -> str:
    """Tell which part of its item a block was; empty when it was the first, or an item of its own."""
    start = f"/content{step('')}"
    return next((e.path[len(start) :] for e in block.ext if e.format == ITEM_SPELLING and e.path.startswith(start)), "")


def _is_own(block: Block) -> bool:
    return any(extra.format in (NAME, SPELLING, ITEM_SPELLING) for extra in block.ext)


def _whole_content(block: Block) -> OpaqueBlock | None:
    is_whole = isinstance(block, OpaqueBlock) and block.format == NAME and block.native_type == "content"
    return block if is_whole and isinstance(block, OpaqueBlock) else None


def _values(ext: Iterable[Extra]) -> tuple[Extra, ...]:
    """Leave out the extras that only tell how content was spelled."""
    return tuple(e for e in ext if e.format != SPELLING or not (e.json == AS_PARTS or e.path == "/input"))


def _of_item(block: Block, ext: Iterable[Extra]) -> tuple[Extra, ...]:
    """Give those of a message's extras that belong to the item whose first part a block was."""
    places = [decode(extra.json) for extra in block.ext if (extra.format, extra.path) == (ITEM_SPELLING, "")]
    return tuple(e for e in ext if e.format == ENVELOPE and e.path.rpartition("/")[0] in places)
