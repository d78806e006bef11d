"""Writing the blocks of Bedrock's messages: text, media, calls, results and reasoning, each followed by its cache point."""

import re
from collections.abc import Iterable
from typing import Any

from lighter.conversation import BlockOrigin, Conversation
from lighter.formats._call_ids import CallIds
from lighter.formats._noting import note_carrier, note_number, note_refusal, note_result_kind, written_object
from lighter.formats._reading import holds_json
from lighter.formats._writing import Item, extra_at, feature_of, restore
from lighter.formats.bedrock.blobs import encoded
from lighter.formats.bedrock.blocks import CLAUDE
from lighter.formats.bedrock.documents import DocumentNames
from lighter.formats.bedrock.media import media_value
from lighter.formats.bedrock.shapes import CITATIONS, GUARD, NAME, SPELLING, TTLS
from lighter.formats.bedrock.spelling import restored
from lighter.jsontext import decode, encode_text
from lighter.messages import (
    ABSENT,
    Block,
    CacheMark,
    Extra,
    MediaBlock,
    OpaqueBlock,
    ReasoningBlock,
    RefusalBlock,
    TextBlock,
    ToolCall,
    ToolMessage,
    ToolResultBlock,
)

_LEGAL_ID = re.compile(r"[a-zA-Z0-9_.:-]{1,64}", re.ASCII)
"""`ToolUseId` of the service model."""


def cache_value(mark: CacheMark) -> dict[str, Any]:
    """Write a cache mark as a block; lifetimes that Bedrock does not know are left out."""
    return {"cachePoint": {"type": "default"} | ({"ttl": mark.ttl} if mark.ttl in TTLS else {})}


def routed_mark(ext: Iterable[Extra]) -> CacheMark | None:
    """Give the mark that another format keeps under `cache_control`: on a result, or for routers in a chat."""
    found = next((decode(extra.json) for extra in ext if extra.path == "/cache_control" and extra.json != ABSENT), None)
    match found:
        case {"type": "ephemeral", "ttl": str(ttl), **rest} if ttl in TTLS and not rest:
            return CacheMark(ttl)
        case {"type": "ephemeral", **rest} if not rest:
            return CacheMark()
        case _:
            return None


class BlockWriter:
    """Writes blocks; keeps the ids of calls and the names of documents that were given."""

    def __init__(self, conversation: Conversation, *, is_own: bool) -> None:
        self._ids = CallIds(
            lambda call_id: bool(_LEGAL_ID.fullmatch(call_id)), conversation, max_length=64, is_unique=True
        )
        self._documents = DocumentNames(conversation)
        self._is_own = is_own
        self._turn: set[str] = set()

    def open_turn(self) -> None:
        """Begin an assistant's turn, whose calls the next results answer."""
        self._turn = set()
        self._ids.open_turn()

    def content(self, item: Item) -> list[Any]:
        """Write the blocks of a message."""
        return [value for block, origin in item.blocks for value in self.block(block, origin, item)]

    def block(self, block: Block, origin: BlockOrigin, item: Item) -> list[Any]:
        """Write one block, and its cache point behind it; nothing when it has no place here, which is noted."""
        value = self._value(block, origin, item)
        if value is None:
            return []
        own = value if isinstance(block, OpaqueBlock) else restored(value, block)
        written = [item.notes.placed(own, origin)]
        mark = block.cache or routed_mark(block.ext) or _inner_mark(block)
        item.notes.cache_ttl(block.cache, origin, TTLS)
        return written + ([cache_value(mark)] if mark is not None else [])

    def _value(self, block: Block, origin: BlockOrigin, item: Item) -> Any:
        match block:
            case TextBlock():
                return self._text(block, origin, item)
            case ReasoningBlock():
                return self._reasoning(block, origin, item)
            case ToolCall():
                return self._call(block, origin, item)
            case ToolResultBlock(native_type="toolResult"):
                self._extras(block, origin, item)
                return {"toolResult": {"toolUseId": block.call_id, "content": decode(block.json)}}
            case RefusalBlock() if block.text.strip():
                note_refusal(block, origin, item)
                self._extras(block, origin, item)
                return {"text": block.text}
            case MediaBlock():
                return self._media(block, origin, item)
            case OpaqueBlock():
                return self._opaque(block, origin, item)
            case ToolResultBlock():
                item.notes.dropped(origin.path, "server-tool", "only its own provider can hold it")
            case _:
                item.notes.dropped(origin.path, feature_of(block), f"{NAME} cannot hold it here")
        return None

    def _extras(self, block: Block, origin: BlockOrigin, item: Item, *held: str) -> None:
        """Note the extras that are not put back; a mark that routers take in chats becomes a cache point."""
        marked = ("/cache_control",) if routed_mark(block.ext) is not None else ()
        item.notes.extras(block.ext, origin.path, held=(*marked, *held))

    def _text(self, block: TextBlock, origin: BlockOrigin, item: Item) -> Any:
        is_result = isinstance(item.message, ToolMessage)
        if holds_json(block) and is_result:
            self._extras(block, origin, item)
            return {"json": decode(block.text)}
        if not block.text.strip() and extra_at(block.ext, SPELLING, "/text") is None:
            item.notes.dropped(origin.path, "empty-text", f"{NAME} refuses text without visible characters")
            return None
        self._extras(block, origin, item)
        if extra_at(block.ext, GUARD, "") is not None:
            return {"guardContent": {"text": {"text": block.text}}}
        if extra_at(block.ext, CITATIONS, "") is not None:
            return {"citationsContent": {"content": [{"text": block.text}]}}
        return {"text": block.text}

    def _media(self, block: MediaBlock, origin: BlockOrigin, item: Item) -> Any:
        notes = item.notes
        is_own = self._is_own or any(extra.format == NAME for extra in block.ext)
        value = media_value(block, is_own=is_own)
        if value is None or (isinstance(item.message, ToolMessage) and block.kind == "audio" and not is_own):
            why = (
                "URLs cannot be held, and are never fetched" if block.source == "url" else f"{NAME} cannot hold it here"
            )
            notes.dropped(origin.path, block.kind, why)
            return None
        if block.detail is not None:
            notes.dropped(origin.at("detail"), "image-detail", "images have no detail here")
        held: tuple[str, ...] = ()
        if block.kind == "document":
            self._documents.put(value["document"], block, origin, notes, is_own=is_own)
            held = _claude_extras(value["document"], block)
        elif block.name is not None:
            notes.dropped(origin.at("name"), "media-name", "only documents carry names here")
        self._extras(block, origin, item, *held)
        return value

    def _opaque(self, block: OpaqueBlock, origin: BlockOrigin, item: Item) -> Any:
        if block.format == NAME and block.native_type != "content":
            return decode(block.json)
        if block.format == NAME:
            return None  # put back by the message's own extras
        if block.format == CLAUDE and block.native_type == "search_result":
            found = decode(block.json)
            value = _search_result(found)
            if value is not None and ("cache_control" not in found or _inner_mark(block) is not None):
                return value
        item.notes.dropped(origin.path, feature_of(block), f"{NAME} cannot hold it here")
        return None

    def _reasoning(self, block: ReasoningBlock, origin: BlockOrigin, item: Item) -> Any:
        """Write reasoning; signatures and redacted reasoning are Claude's, or Bedrock's own."""
        notes = item.notes
        own = next((opaque for opaque in block.opaque if opaque.provider in (CLAUDE, NAME)), None)
        for opaque in block.opaque:
            if opaque is not own and (block.text.strip() or own is not None):
                notes.dropped(origin.at("opaque"), "signature", "only its own provider can read it")
        if own is None and not block.text.strip() and not self._is_own:
            notes.dropped(origin.path, "reasoning", "there is nothing in it that Bedrock could read")
            return None
        absent = [extra.path for extra in block.ext if extra.path == "/signature" and extra.json == ABSENT]
        spelled = [
            e.path for e in block.ext if e.path == origin.fields.get("text") and e.format not in (NAME, SPELLING)
        ]
        if spelled:
            notes.rewritten(origin.at("text"), "reasoning", "its parts became one text")
        note_carrier(block, origin, notes)
        self._extras(block, origin, item, *absent, *spelled)
        if own is not None and own.kind == "redacted":
            return {"reasoningContent": {"redactedContent": own.data if own.provider == NAME else encoded(own.data)}}
        signature = {"signature": own.data} if own is not None else {}
        return {"reasoningContent": {"reasoningText": {"text": block.text, **signature}}}

    def _call(self, call: ToolCall, origin: BlockOrigin, item: Item) -> Any:
        notes = item.notes
        if call.kind == "server" and not any(extra.format == NAME for extra in call.ext):
            notes.dropped(origin.path, "server-tool", "only its own provider can hold it")
            return None
        self._extras(call, origin, item, *note_number(call, origin, notes))
        if call.opaque:
            notes.dropped(origin.at("opaque"), "signature", "only its own provider can read it")
        call_id = self._ids.for_call(call.call_id, self._turn)
        notes.call_id(call, origin, call_id)
        value = written_object(
            call, origin, item, is_restored=extra_at(call.ext, SPELLING, "/toolUse/input") is not None
        )
        return {"toolUse": {"toolUseId": call_id, "name": call.tool_name, "input": value}}

    def result(self, item: Item, message: ToolMessage) -> list[Any]:
        """Write a result, and the cache point of its blocks behind it."""
        origin, notes = item.origin, item.notes
        call_id = self._ids.for_result(message.call_id)
        is_restored = extra_at(message.ext, NAME, "/toolResult/toolUseId") is not None
        notes.call_id(message, origin, call_id, is_restored=is_restored)
        note_result_kind(message, origin, notes, "a result")
        content: list[Any] = []
        marks: list[Any] = []
        for value in self.content(item):
            (marks if "cachePoint" in value else content).append(value)
        value = {"toolUseId": call_id, "content": content}
        if message.is_error or (message.is_error is False and "is_error" in origin.fields):
            value["status"] = "error" if message.is_error else "success"
        written = restore({"toolResult": value}, message.ext, NAME, SPELLING)
        if message.is_error and not content and not self._is_own:
            notes.synthesised(
                origin.at("content"), "empty-error", "an empty JSON object, since an error must have content"
            )
            content.append({"json": {}})
        return [notes.placed(written, origin), *marks[-1:]]


def _claude_extras(document: dict[str, Any], block: MediaBlock) -> tuple[str, ...]:
    """Put what a document of Anthropic tells beside its source where Bedrock has it; gives the extras that are held."""
    held = []
    for extra in block.ext:
        value = decode(extra.json) if extra.format == CLAUDE and extra.json != ABSENT else None
        match extra.path, value:
            case "/context", str():
                document["context"] = value
            case "/citations", {"enabled": bool(), **rest} if not rest:
                document["citations"] = value
            case _:
                continue
        held.append(extra.path)
    return tuple(held)


def _search_result(block: Any) -> Any:
    """Write a search result of Anthropic; None when it holds more than Bedrock's does."""
    match block:
        case {
            "type": "search_result",
            "source": str(source),
            "title": str(title),
            "content": list(content),
            **rest,
        } if rest.keys() <= {"citations", "cache_control"} and all(_is_plain_text(inner) for inner in content):
            texts = [{"text": inner["text"]} for inner in content]
            cited = {"citations": rest["citations"]} if "citations" in rest else {}
            return {"searchResult": {"source": source, "title": title, "content": texts, **cited}}
        case _:
            return None


def _inner_mark(block: Block) -> CacheMark | None:
    """Give the cache mark of a block of Anthropic that is held whole."""
    value = decode(block.json) if isinstance(block, OpaqueBlock) and block.format == CLAUDE else None
    mark = value.get("cache_control") if isinstance(value, dict) else None
    return None if mark is None else routed_mark([Extra(CLAUDE, "/cache_control", encode_text(mark))])


def _is_plain_text(block: Any) -> bool:
    return isinstance(block, dict) and block.keys() == {"type", "text"} and isinstance(block["text"], str)
