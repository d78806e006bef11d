"""Writing the blocks of a core message as the content of a LangChain message, and as what stands beside it."""

from collections.abc import Sequence
from typing import Any

from msgspec import Struct

from lighter.conversation import BlockOrigin
from lighter.formats._call_ids import CallIds
from lighter.formats._langchain import DIFFERS, FAMILY, SPELLING
from lighter.formats._langchain_calls import COPY, FUNCTION, IN_CONTENT, IN_PIECES, INVALID, KEPT, PLACE, SIGNATURES
from lighter.formats._langchain_calls_writing import (
    is_of_function,
    restored_block,
    written_call,
    written_invalid,
    written_kept,
)
from lighter.formats._langchain_dress import CONTENT, Dress
from lighter.formats._langchain_fitting import as_invalid, fitting_call
from lighter.formats._langchain_parts import PUT_BACK, RAW, Setting
from lighter.formats._langchain_parts_writing import write_part
from lighter.formats._noting import note_kind, note_repeated
from lighter.formats._writing import Item, arguments_object, extra_at, feature_of
from lighter.formats.anthropic.shapes import TTLS
from lighter.jsontext import decode
from lighter.messages import (
    ABSENT,
    Block,
    Extra,
    OpaqueBlock,
    ReasoningBlock,
    RefusalBlock,
    ToolCall,
)

_CARRIERS = ("reasoning_content", "reasoning", "thinking")
"""Fields beside the content in which chats carry reasoning; LangChain's packages all keep it as the first (langchain-deepseek,
-groq, -xai, -ollama)."""


class Said(Struct):
    """What a message says: the parts of its content, or the whole of it, its calls, and what stands in `additional_kwargs`."""

    parts: list[Any]
    calls: list[Any]
    invalid: list[Any]
    beside: dict[str, Any]
    whole: str | None = None


def said(item: Item, dress: Dress, ids: CallIds, source: str) -> Said:
    """Write the blocks of a message."""
    writer = _BlockWriter(item, dress, ids, source)
    blocks = item.blocks
    last = max((n for n, (block, _) in enumerate(blocks) if not _is_call(block)), default=-1)
    for index, (block, origin) in enumerate(blocks):
        writer.add(block, origin, is_before=index < last)
    return writer.said


def _is_call(block: Block) -> bool:
    return isinstance(block, ToolCall) and block.kind != "server"


def shown(content: Said, ext: Sequence[Extra]) -> Any:
    """Give content as it was spelled: text where it is nothing but that, else a list."""
    if content.whole is not None:
        return decode(content.whole)
    told = extra_at(ext, CONTENT, "/content")
    match content.parts:
        case [] if told != '"list"':
            return ""
        case [{"type": "text", "text": str(text), **rest}] if told != '"list"' and not rest:
            return text
        case parts:
            return parts


class _BlockWriter:
    """Writes the blocks of one message into `said`."""

    def __init__(self, item: Item, dress: Dress, ids: CallIds, source: str) -> None:
        self.item = item
        self.dress = dress
        self.ids = ids
        self.is_anthropic = source == "anthropic"
        self.setting = Setting(dress.name, dress.language)
        self.said = Said([], [], [], {})
        self._turn: set[str] = set()
        if dress.kind == "ai":
            ids.open_turn()

    def add(self, block: Block, origin: BlockOrigin, *, is_before: bool) -> None:
        """Write one block; `is_before`: others than calls follow it."""
        said, notes = self.said, self.item.notes
        match block:
            case ToolCall() if block.kind != "server":
                self._add_call(block, origin, is_before=is_before)
                return
            case OpaqueBlock() if block.format == FAMILY and self._add_odd(block, origin):
                return
            case ReasoningBlock() if self._add_beside(block, origin):
                return
            case RefusalBlock(carrier="refusal") if "refusal" not in said.beside:
                said.beside["refusal"] = block.text
                notes.extras(_foreign(block), origin.path)
                return
            case _:
                self._add_part(block, origin)

    def _add_odd(self, block: OpaqueBlock, origin: BlockOrigin) -> bool:
        """Write content that is no content, or an entry of a list of calls that is no call; say whether it is one of these."""
        said, value = self.said, decode(block.json)
        match block.native_type:
            case "content" if self.dress.is_home:
                said.whole = block.json
            case "content":
                said.parts.append(self._loadable(value, block, origin))
            case "tool-calls-entry" if self.dress.is_home:
                said.calls.append(value)
            case "invalid-tool-calls-entry" if self.dress.is_home:
                said.invalid.append(value)
            case "tool-calls-entry" | "invalid-tool-calls-entry":
                said.invalid.append(as_invalid(block))
                why = "LangChain loads no call like it; its text stands among the calls that did not parse"
                self.item.notes.rewritten(origin.path, "call", why)
            case "additional-kwargs-entry":
                said.beside.setdefault("tool_calls", []).append(value)
            case _:
                return False
        return True

    def _loadable(self, value: Any, block: OpaqueBlock, origin: BlockOrigin) -> Any:
        """Give a part of content as the packages load it, who take texts and objects for parts."""
        if self.dress.is_home or isinstance(value, dict | str):
            return value
        self.item.notes.rewritten(origin.path, "content", "LangChain takes texts and objects there; it became its text")
        return block.json

    def _add_beside(self, block: ReasoningBlock, origin: BlockOrigin) -> bool:
        """Write reasoning that stands beside the content; say whether it does."""
        beside, raw = self.said.beside, extra_at(block.ext, RAW, "")
        if raw is not None and extra_at(block.ext, PLACE, "") == KEPT and "reasoning" not in beside:
            written = write_part(block, self.setting, is_anthropic=False)
            beside["reasoning"] = written
            return True
        if block.carrier not in _CARRIERS or block.opaque or "reasoning_content" in beside:
            return False
        beside["reasoning_content"] = block.text
        if block.carrier != "reasoning_content":
            self.item.notes.rewritten(origin.path, "reasoning", "stands in `reasoning_content` now", is_reversible=True)
        self.item.notes.extras(_foreign(block), origin.path)
        return True

    def _add_part(self, block: Block, origin: BlockOrigin) -> None:
        notes = self.item.notes
        if isinstance(block, OpaqueBlock):
            self._add_opaque(block, origin)
            return
        part = write_part(block, self.setting, is_anthropic=self.is_anthropic)
        if part is None:
            notes.dropped(origin.path, feature_of(block), "LangChain has no place for it here")
            return
        raw = extra_at(block.ext, RAW, "")
        if raw is None or part != decode(raw):
            notes.extras(_foreign(block), origin.path)
        notes.cache_ttl(block.cache, origin, TTLS)
        self.said.parts.append(notes.placed(part, origin) if isinstance(part, dict) else part)

    def _add_opaque(self, block: OpaqueBlock, origin: BlockOrigin) -> None:
        """Write a block that nobody here knows: as it is where it says what it is, else as a value within a block."""
        notes, value = self.item.notes, decode(block.json)
        if block.format != FAMILY and block.native_type in ("content", "tool_call"):
            notes.dropped(origin.path, feature_of(block), "LangChain has no place for it here")
            return
        is_told = isinstance(value, dict) and ("type" in value or block.format == "bedrock")
        if not (is_told or block.format == FAMILY):
            value = {"type": "non_standard", "value": value}
            notes.rewritten(origin.path, feature_of(block), "became a block that LangChain knows no more of")
        notes.extras(_foreign(block), origin.path)
        value = self._loadable(value, block, origin)
        self.said.parts.append(notes.placed(value, origin) if isinstance(value, dict) else value)

    def _add_call(self, call: ToolCall, origin: BlockOrigin, *, is_before: bool) -> None:
        """Write a call where calls of its kind stand, and once more in the content where its place among other blocks tells something."""
        said, notes = self.said, self.item.notes
        if call.kind == "legacy" and "function_call" not in said.beside:
            notes.extras(_foreign(call), origin.path)
            function = {"name": call.tool_name, "arguments": call.arguments}
            said.beside["function_call"] = function | _own_keys(call)
            return
        call_id = self.ids.for_call(call.call_id, self._turn)
        is_restored = extra_at(call.ext, SPELLING, "/id") is not None
        notes.call_id(call, origin, call_id, is_restored=is_restored)
        notes.extras(_foreign(call), origin.path)
        notes.cache_mark(call.cache, origin, "calls")
        for opaque in call.opaque:
            if opaque.provider == "gemini":
                said.beside.setdefault(SIGNATURES, {})[call_id] = opaque.data
            else:
                notes.dropped(origin.at("opaque"), "signature", "calls carry no signature here")
        entry = self._entry(call, call_id, origin)
        copy = restored_block(call)
        if copy is not None:
            said.parts.append(copy)
        elif is_before and entry is not None and "args" in entry and isinstance(entry["args"], dict):
            said.parts.append({"type": "tool_call", "id": call_id, "name": call.tool_name, "args": entry["args"]})

    def _entry(self, call: ToolCall, call_id: str, origin: BlockOrigin) -> dict[str, Any] | None:
        """Write a call into the list that it belongs to; gives the entry of `tool_calls`."""
        said, notes = self.said, self.item.notes
        place = extra_at(call.ext, PLACE, "")
        if place == IN_CONTENT and extra_at(call.ext, COPY, "") is not None:
            return None
        own_place = extra_at(call.ext, f"{self.dress.name}-{PLACE}", "")
        if own_place == IN_PIECES and self.dress.is_home:
            return None
        if own_place == KEPT:
            said.beside.setdefault("tool_calls", []).append(written_kept(call, call_id))
            return None
        value, change = arguments_object(call)
        spelled = extra_at(call.ext, SPELLING, "/args")
        is_odd = spelled is not None and (self.dress.is_home or self._holds_pieces(decode(spelled)))
        if place == INVALID or (
            change is not None and call.arguments.strip() and call.kind == "function" and not is_odd
        ):
            if not self.dress.is_home:
                call = fitting_call(call, origin, self.item, is_invalid=True)
            if spelled is not None and place != INVALID:
                why = "a call whose arguments are no object stands among those that did not parse"
                notes.moved(origin.path, "arguments", why)
            said.invalid.append(notes.placed(written_invalid(call, call_id), origin))
            return None
        if call.kind in ("custom", "legacy"):
            note_kind(call, origin, self.item, change)
        elif change is not None and not is_odd:
            notes.rewritten(origin.at("arguments"), "arguments", change)
        note_repeated(call, value, origin, notes)
        if own_place != FUNCTION:
            notes.extras(filter(is_of_function, call.ext), origin.path)
        call = call if self.dress.is_home else fitting_call(call, origin, self.item, is_invalid=False)
        entry = written_call(call, call_id, value, self.dress.name)
        said.calls.append(notes.placed(entry, origin))
        return entry

    def _holds_pieces(self, closed: Any) -> bool:
        """Say whether arguments that broke off may stand closed, since the text of them stands among the pieces."""
        return isinstance(closed, dict) and self.dress.shape != "dump"


def _own_keys(call: ToolCall) -> dict[str, Any]:
    return {e.path[1:]: decode(e.json) for e in call.ext if e.format == FAMILY and e.json != ABSENT}


def _foreign(block: Block) -> list[Extra]:
    """Give the extras of a block that LangChain does not put back."""
    held = {DIFFERS, *PUT_BACK} if not isinstance(block, ToolCall) else {DIFFERS, FAMILY}
    return [extra for extra in block.ext if extra.format not in held]
