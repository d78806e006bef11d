"""Writing chats of OpenAI's general shape, one message after the other: results after their calls, what a form lacks noted."""

from collections.abc import Iterable, Mapping
from typing import Any

from lighter.conversation import BlockOrigin, Conversation
from lighter.formats import Written
from lighter.formats._call_ids import called_names, is_of_twin, names_of_twins
from lighter.formats._calls import write_call
from lighter.formats._chat_form import Turn, WriteForm, note_fields
from lighter.formats._chat_parts import is_out_of_reach, no_place
from lighter.formats._notes import Notes
from lighter.formats._noting import (
    is_all_left_out,
    note_beside_results,
    note_developer,
    note_result_kind,
    note_text_document,
)
from lighter.formats._result_media import arranged, label
from lighter.formats._told_apart import told_apart
from lighter.formats._writing import (
    Item,
    PlacedBlock,
    extra_at,
    feature_of,
    items_of,
    origin_format,
    restore,
    results_after_calls,
    results_in_call_order,
)
from lighter.jsontext import decode
from lighter.messages import (
    AssistantMessage,
    Block,
    Extra,
    MediaBlock,
    OpaqueBlock,
    OtherMessage,
    ReasoningBlock,
    SystemMessage,
    ToolCall,
    ToolMessage,
    ToolResultBlock,
    UserMessage,
)


def write_messages(conversation: Conversation, form: WriteForm, notes: Notes) -> list[Any]:
    """Write the messages of a conversation; where calls have no ids, foreign results stand in the order of their calls."""
    writer = ChatWriter(conversation, form)
    items = items_of(conversation, notes)
    order = arranged(items, conversation, form.name) if form.has_media_in_results else results_after_calls(items)
    is_paired = form.ids is not None or origin_format(conversation) == form.name
    for item in order if is_paired else results_in_call_order(told_apart(order, conversation)):
        writer.add(item)
    writer.flush_media()
    return writer.messages


def finished(
    value: dict[str, Any], conversation: Conversation, notes: Notes, spelling: str, held: tuple[str, ...] = ()
) -> Written:
    """Put back what a request body's own format knows of it, and close the notes; `held`: extras that are accounted for."""
    restore(value, conversation.ext, spelling, notes.target)
    notes.conversation(conversation)
    notes.extras(conversation.ext, conversation.path, held=held)
    return Written(value, tuple(notes.losses), tuple(notes.places))


class ChatWriter:
    """Writes messages into `messages`; media that results cannot hold wait until the last result of the turn is written."""

    def __init__(self, conversation: Conversation, form: WriteForm) -> None:
        self.messages: list[Any] = []
        self.form = form
        self._media: list[tuple[str, list[Any]]] = []
        self._group: int | None = None
        self._called = called_names(conversation)
        self._twins = names_of_twins(conversation)
        self._ids = form.ids(conversation) if form.ids is not None else None
        self._is_own = origin_format(conversation) == form.name

    def add(self, item: Item) -> None:
        """Write one message."""
        message, form, notes = item.message, self.form, item.notes
        if not isinstance(message, ToolMessage):
            self.flush_media()
        written = self._written(item)
        self._group = message.group
        if message.name is not None and form.has_names:
            written["name"] = message.name
        ext = tuple(extra for extra in message.ext if not _is_of_answers(extra, form))
        own = restore(written, ext, form.spelling, form.name)
        if _is_empty(written, item, form.name):
            notes.emptied(message, item.origin)
            return
        held = ("/role",) if isinstance(message, SystemMessage) else ()
        notes.extras(ext, item.origin.path, held=held)
        for extra in message.ext:
            if _is_of_answers(extra, form):
                notes.dropped(item.origin.path + extra.path, extra.path[1:], form.only_answers[extra.path])
        self._note_names(item)
        self.messages.append(notes.placed(own, item.origin))

    def _note_names(self, item: Item) -> None:
        """Note ids and names that the form does not have on messages."""
        message, origin, notes, form = item.message, item.origin, item.notes, self.form
        notes.unheld(message, origin, "model", "stop", "usage", "id")
        is_named = isinstance(message, ToolMessage) and message.kind == "legacy" and form.has_legacy
        if form.result_name is None and not is_named and not is_of_twin(message, self._twins):
            notes.tool_name(message, origin, self._called)
        if not form.has_names and message.name is not None:
            if isinstance(message, ToolMessage) and form.result_name is not None and message.kind != "legacy":
                notes.rewritten(origin.at("name"), "name", "names the tool there", is_reversible=True)
            else:
                notes.unheld(message, origin, "name")

    def _written(self, item: Item) -> dict[str, Any]:
        match item.message:
            case SystemMessage() as message:
                is_kept = message.is_developer and self.form.has_developer
                if not is_kept:
                    note_developer(item)
                return {"role": "developer" if is_kept else "system", **self._content(item, "system")}
            case UserMessage():
                note_beside_results(item, self._group)
                return {"role": "user", **self._content(item, "user")}
            case AssistantMessage():
                return self._assistant(item)
            case ToolMessage() as message:
                return self._result(item, message)
            case OtherMessage() as message:
                return {"role": message.role, **self._content(item, "other")}

    def _content(self, item: Item, role: str) -> dict[str, Any]:
        """Write blocks as the content of a message."""
        if (whole := _whole_content(item, self.form.name)) is not None:
            return {"content": decode(whole.json)}
        turn = _turn(role)
        for block, origin in item.blocks:
            self._add_part(block, origin, item, turn)
        return self.form.shape(turn.parts, turn, item)

    def _add_part(self, block: Block, origin: BlockOrigin, item: Item, turn: Turn) -> bool:
        """Write one block as a content part; say whether there is one for it (that there is none is noted)."""
        form, notes = self.form, item.notes
        part = self._part(block, turn.role)
        if part is None and isinstance(block, MediaBlock) and block.source == "text" and turn.role in _HOLD_TEXTS:
            note_text_document(block, origin, notes)
            part = notes.placed({"type": "text", "text": block.data}, origin)
        elif part is None:
            notes.dropped(origin.path, feature_of(block), self._reason(block))
            return False
        else:
            note_fields(form, block, origin, item)
            ext = block.ext if not isinstance(block, OpaqueBlock) else ()
            part = notes.placed(restore(part, ext, form.spelling, form.name), origin)
        form.append(turn.parts, part, block)
        return True

    def _part(self, block: Block, role: str) -> dict[str, Any] | None:
        """Write a block as a content part of a message of a role; None where there is none like it, or it would not be fetched."""
        return self.form.part(block, role) if self._is_own or not is_out_of_reach(block) else None

    def _reason(self, block: Block) -> str:
        """Say why there is no part for a block."""
        if isinstance(block, ReasoningBlock) and self.form.no_reasoning:
            return self.form.no_reasoning
        return no_place(block, self.form.name)

    def _assistant(self, item: Item) -> dict[str, Any]:
        form, turn = self.form, _turn("assistant")
        if self._ids is not None:
            self._ids.open_turn()
        for placed in item.blocks:
            self._add_block(placed, item, turn)
        whole = _whole_content(item, form.name)
        content = {"content": decode(whole.json)} if whole is not None else form.shape(turn.parts, turn, item)
        written = {"role": "assistant", **content, **form.fields(turn.beside)}
        if turn.legacy:
            written["function_call"] = turn.legacy[0]
        if turn.calls:
            written["tool_calls"] = turn.calls
        if written == {"role": "assistant", "content": None} and not self._is_own:
            written["content"] = ""  # null is refused where nothing else is said
        return written

    def _add_block(self, placed: PlacedBlock, item: Item, turn: Turn) -> None:
        """Put one block of an assistant message where the chat holds it."""
        (block, origin), form = placed, self.form
        match block:
            case ToolCall(kind="server") | ToolResultBlock():
                item.notes.dropped(origin.path, "server-tool", "only its own provider can hold it")
            case ToolCall():
                is_legacy = block.kind == "legacy" and form.has_legacy
                (turn.legacy if is_legacy else turn.calls).append(self._call(block, origin, item, turn))
                turn.passed.append(origin)
            case OpaqueBlock(native_type="tool_call") if block.format == form.name:
                turn.calls.append(item.notes.placed(decode(block.json), origin))
            case OpaqueBlock(native_type="content") if block.format == form.name:
                pass
            case _ if form.is_beside(block):
                self._note_beside(block, origin, item, turn)
            case _:
                if self._add_part(block, origin, item, turn) and (turn.calls or turn.legacy):
                    _note_interleaving(turn, origin, item)

    def _note_beside(self, block: Block, origin: BlockOrigin, item: Item, turn: Turn) -> None:
        """Take a block that stands beside the content."""
        turn.beside.append(block)
        if isinstance(block, ReasoningBlock) and block.carrier not in self.form.carriers:
            note_fields(self.form, block, origin, item)
            if turn.parts or turn.calls:
                item.notes.moved(origin.path, "interleaving", "reasoning stands beside the content now")

    def _call(self, call: ToolCall, origin: BlockOrigin, item: Item, turn: Turn) -> Any:
        form, notes = self.form, item.notes
        if self._ids is None:
            if not call.is_id_synthetic and not _has(call.ext, form, "/id"):
                notes.rewritten(origin.at("call_id"), "call-id", _BY_ORDER, is_reversible=True)
            return write_call(form.call, call, "", origin, item)
        if call.kind == "legacy" and form.has_legacy:
            call_id = ""
        else:
            call_id = self._ids.for_call(call.call_id, turn.ids)
            notes.call_id(call, origin, call_id, is_restored=_has(call.ext, form, "/id"))
        other = form.write_other_call(call, call_id, origin, notes)
        return other if other is not None else write_call(form.call, call, call_id, origin, item)

    def _result(self, item: Item, message: ToolMessage) -> dict[str, Any]:
        form, notes, origin = self.form, item.notes, item.origin
        call_id = self._ids.for_result(message.call_id) if self._ids is not None else ""
        content = self._result_content(item, call_id)
        if extra_at(message.ext, form.name, "/is_error") is None:
            notes.error_flag(message, origin)
        if message.kind == "legacy" and form.has_legacy:
            return {"role": "function", "name": message.tool_name, **content}
        if not (message.kind == "custom" and form.has_custom):
            note_result_kind(message, origin, notes, "a tool message")
        written: dict[str, Any] = {"role": "tool"}
        if self._ids is not None:
            written["tool_call_id"] = call_id
            is_restored = _has(message.ext, form, "/tool_call_id")
            notes.call_id(message, origin, call_id, is_restored=is_restored)
        elif not message.is_id_synthetic and not _has(message.ext, form, "/tool_call_id"):
            notes.rewritten(origin.at("call_id"), "call-id", _BY_ORDER, is_reversible=True)
        told = message.name if message.name is not None and message.kind != "legacy" else message.tool_name
        if form.result_name is not None and told:
            written[form.result_name] = told
        return written | content

    def _result_content(self, item: Item, call_id: str) -> dict[str, Any]:
        """Write a result's content; media that it cannot hold are kept for the user message after the turn's results."""
        if self.form.has_media_in_results or not any(isinstance(block, MediaBlock) for block, _ in item.blocks):
            return self._content(item, "tool")
        turn, media = _turn("tool"), list[Any]()
        for block, origin in item.blocks:
            part = self._part(block, "user") if isinstance(block, MediaBlock) and block.source != "text" else None
            if part is None:
                if self._add_part(block, origin, item, turn) and media:
                    item.notes.moved(origin.path, "media-in-result", "text that followed media now precedes them")
                continue
            note_fields(self.form, block, origin, item)
            item.notes.moved(origin.path, "media-in-result", "media of results follow them in a user message")
            if not media:
                detail = "a line that says which call the media belong to"
                item.notes.synthesised(origin.path, "media-label", detail)
            media.append(item.notes.placed(part, origin))
        if media:
            self._media.append((call_id, media))
        return self.form.shape(turn.parts, turn, item)

    def flush_media(self) -> None:
        """Write the media of the turn's results as one user message, each labelled with its call."""
        if not self._media:
            return
        parts: list[Any] = []
        for call_id, media in self._media:
            parts.append({"type": "text", "text": label(call_id)})
            parts += media
        self.messages.append({"role": "user", "content": parts})
        self._media = []


_HOLD_TEXTS = frozenset({"user", "tool", "other"})
"""The roles whose messages hold documents, as text where need be."""

_BY_ORDER = "calls have no ids there: name and order tell which result answers which"


def _note_interleaving(turn: Turn, origin: BlockOrigin, item: Item) -> None:
    """Note a text that stood behind calls, and those calls, for then nothing tells which stood where."""
    for passed in turn.passed:
        item.notes.moved(passed.path, "interleaving", "a call now follows the text that stood behind it")
    turn.passed = []
    item.notes.moved(origin.path, "interleaving", "text that followed a call now precedes it")


def _turn(role: str) -> Turn:
    return Turn(role, [], [], [], [], [], set())


def _has(ext: Iterable[Extra], form: WriteForm, path: str) -> bool:
    """Say whether the id, or its absence, is put back as it was."""
    return any(extra.format in (form.name, form.call.spelling) and extra.path == path for extra in ext)


def _is_of_answers(extra: Extra, form: WriteForm) -> bool:
    """Say whether only answers have a key, not requests."""
    return extra.format == form.name and extra.path in form.only_answers


def _whole_content(item: Item, name: str) -> OpaqueBlock | None:
    """Give what stood as content where it was neither text nor a list."""
    for block, _ in item.blocks:
        if isinstance(block, OpaqueBlock) and block.format == name and block.native_type == "content":
            return block
    return None


def _is_empty(written: Mapping[str, Any], item: Item, name: str) -> bool:
    """Say whether what was written is no message at all; what a chat itself wrote so is kept."""
    if any(extra.format == name for extra in item.message.ext):
        return False
    match item.message:
        case AssistantMessage():
            return written.keys() <= {"role", "content"} and not written.get("content")
        case OtherMessage(role=""):
            return True
        case UserMessage() | SystemMessage():
            is_bare = written.keys() <= {"role", "content", "name"} and not written.get("content")
            return is_bare and is_all_left_out(item)
        case _:
            return False
