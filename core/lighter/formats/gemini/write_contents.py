"""Writing contents, one message after the other; results of one turn, and neighbours of one role, go into one content."""

from typing import Any

from lighter.conversation import BlockOrigin, Conversation
from lighter.formats._call_ids import called_names
from lighter.formats._noting import (
    note_developer,
    note_id_and_name,
    note_joined,
    note_result_kind,
    note_system_as_user,
)
from lighter.formats._reading import holds_json
from lighter.formats._writing import Item, extra_at, origin_format, restore
from lighter.formats.gemini.results import ERROR, RESULT, is_whole
from lighter.formats.gemini.shapes import (
    AS_LIST,
    AS_PART,
    AS_TEXT,
    NAME,
    RENAMED,
    SPELLING,
    TURN,
    TURN_SPELLING,
    WRAP,
    WRAPPED,
    is_own,
    own,
)
from lighter.formats.gemini.write_parts import write_media, write_part
from lighter.jsontext import decode
from lighter.messages import (
    PARAGRAPH,
    AssistantMessage,
    Block,
    MediaBlock,
    Message,
    OpaqueBlock,
    OtherMessage,
    SystemMessage,
    TextBlock,
    ToolMessage,
    UserMessage,
)

_ROLES = {UserMessage: "user", ToolMessage: "user", SystemMessage: "user", AssistantMessage: "model"}

_HELD: dict[type[Message], tuple[str, ...]] = {SystemMessage: ("/role",), ToolMessage: ("/is_error",)}
"""What messages tell otherwise: extras of other formats that are accounted for."""


class ContentWriter:
    """Writes messages into `contents`.

    What Gemini itself logged as two contents stays two; messages of other formats are joined where two neighbours would have
    one role, since all results of a turn must stand in one content.
    """

    def __init__(self, conversation: Conversation) -> None:
        self.contents: list[Any] = []
        self._is_own = origin_format(conversation) == NAME
        self._called = called_names(conversation)
        self._group: int | None = None
        self._role: str | None = None
        self._opening: Item | None = None

    def system(self, item: Item) -> Any:
        """Write a leading system message as the system instruction; None when nothing is left of it."""
        message = item.message
        parts = self._parts(item)
        if not parts and not is_own(message.ext):
            item.notes.emptied(message, item.origin)
            return None
        self._note_message(item)
        note_developer(item)
        form = extra_at(message.ext, WRAP, "")
        if form == AS_TEXT and (text := _text_of(parts)) is not None:
            return text
        return parts if form == AS_LIST else own({"parts": parts}, message.ext)

    def add(self, item: Item) -> None:
        """Write one message."""
        message = item.message
        if isinstance(message, OtherMessage) and (whole := extra_at(message.ext, NAME, "")) is not None:
            self._append(None, decode(whole), item)
            return
        if isinstance(message, OtherMessage) and not message.role and not is_own(message.ext):
            item.notes.extras(message.ext, item.origin.path)
            item.notes.dropped(item.origin.path, "message", "it has no role")
            return
        parts = [self._result(item, message)] if isinstance(message, ToolMessage) else self._parts(item)
        if not parts and not is_own(message.ext):
            item.notes.emptied(message, item.origin)
            return
        self._note_role(item)
        self._note_message(item)
        self._put(parts, item)

    def _put(self, parts: list[Any], item: Item) -> None:
        """Put parts into the content that they belong to, or into a new one."""
        message, role = item.message, _role_of(item.message)
        is_same_turn = message.group is not None and message.group == self._group
        is_joined = is_same_turn if self._is_own else role == self._role
        if is_joined and self.contents and isinstance(self.contents[-1], dict) and "parts" in self.contents[-1]:
            if not (is_same_turn or isinstance(message, ToolMessage)):
                note_joined(self._opening, item, "consecutive-turns", "content")
                self._opening = None
            self.contents[-1]["parts"] += parts
            self._group = message.group
            return
        form, text = extra_at(message.ext, WRAP, ""), _text_of(parts)
        if form == AS_TEXT and (text is not None or not parts):
            content: Any = text or ""
        elif form == AS_PART and len(parts) == 1:
            content = parts[0]
        else:
            content = self._content(role, parts, item)
        self._append(role, content, item)

    def _append(self, role: str | None, content: Any, item: Item) -> None:
        self.contents.append(item.notes.placed(content, item.origin))
        self._role, self._group, self._opening = role, item.message.group, item

    def _content(self, role: str, parts: list[Any], item: Item) -> Any:
        ext = item.message.ext
        content: dict[str, Any] = {"role": role, "parts": parts}
        match item.blocks:
            case ((OpaqueBlock(format="gemini", native_type="parts"), _),):
                content["parts"] = parts[0]
        if isinstance(item.message, ToolMessage):
            return restore(content, ext, TURN, TURN_SPELLING)
        return own(content, ext)

    def _parts(self, item: Item) -> list[Any]:
        written = (write_part(block, origin, item) for block, origin in item.blocks)
        return [part for part in written if part is not None]

    def _note_message(self, item: Item) -> None:
        """Note what no content holds: names and foreign keys."""
        message, notes = item.message, item.notes
        note_id_and_name(item)
        notes.unheld(message, item.origin, "model", "stop", "usage")
        kept = (extra for extra in message.ext if extra.format not in (TURN, WRAPPED))
        notes.extras(kept, item.origin.path, held=_HELD.get(type(message), ()))

    def _note_role(self, item: Item) -> None:
        """Note a role that Gemini does not have."""
        message, notes = item.message, item.notes
        if is_own(message.ext):
            return
        if isinstance(message, SystemMessage):
            note_system_as_user(item, message)
        elif isinstance(message, OtherMessage):
            notes.rewritten(item.origin.at("role"), "role", "became the user's")

    def _result(self, item: Item, message: ToolMessage) -> Any:
        """Write a result as a function response."""
        notes, origin = item.notes, item.origin
        note_result_kind(message, origin, notes, "a function response")
        response: dict[str, Any] = {"name": self._name(item, message)}
        if not message.is_id_synthetic:
            response["id"] = message.call_id
        response["response"] = self._output(item, message)
        if media := self._media(item):
            response["parts"] = media
        if message.is_error and "is_error" in origin.fields and not self._is_own:
            notes.rewritten(origin.at("is_error"), "is-error", "the output stands under `error`", is_reversible=True)
        elif message.is_error is False:
            notes.error_flag(message, origin)
        ext = tuple(extra for extra in message.ext if extra.format in (NAME, SPELLING, RENAMED))
        return notes.placed(own({"functionResponse": response}, ext), origin)

    def _name(self, item: Item, message: ToolMessage) -> str:
        name = message.tool_name or self._called.get(message.call_id, "")
        if name or is_own(message.ext):
            return name
        item.notes.synthesised(item.origin.path, "tool-name", "a response must name its function; it is unknown")
        return "unknown"

    def _output(self, item: Item, message: ToolMessage) -> Any:
        """Write what the tool gave, wrapped as it was, else under the key that the SDK uses."""
        texts = [(block, origin) for block, origin in item.blocks if isinstance(block, TextBlock)]
        for block, origin in texts:
            item.notes.extras(block.ext, origin.path)
            item.notes.cache_mark(block.cache, origin, "parts")
        if len(texts) > 1:
            for _, origin in texts:
                item.notes.rewritten(origin.path, "text-in-result", "the texts of a result became one")
        value: Any = PARAGRAPH.join(block.text for block, _ in texts)
        is_value = len(texts) == 1 and holds_json(texts[0][0])
        if is_value:
            value = decode(value)
        wrapping = next((extra.json for extra in message.ext if extra.format == WRAPPED), None)
        if wrapping is not None:
            key = decode(wrapping)
            return value if key is None else {key: value}
        if message.is_error:
            return {ERROR: value}
        return value if is_value and is_whole(value) else {RESULT: value}

    def _media(self, item: Item) -> list[Any]:
        """Write the media of a result, which stand beside its output."""
        written: list[Any] = []
        last_text = max((n for n, (block, _) in enumerate(item.blocks) if isinstance(block, TextBlock)), default=-1)
        for n, (block, origin) in enumerate(item.blocks):
            if isinstance(block, TextBlock):
                if written:
                    item.notes.moved(origin.path, "media-in-result", "text that followed media now precedes them")
                continue
            part = self._medium(block, origin, item)
            if part is not None:
                written.append(part)
                if n < last_text:
                    item.notes.moved(origin.path, "media-in-result", "media of a result stand after its text")
        return written

    def _medium(self, block: Block, origin: BlockOrigin, item: Item) -> Any:
        match block:
            case OpaqueBlock(format="gemini"):
                return item.notes.placed(decode(block.json), origin)
            case MediaBlock() if block.source != "text":
                item.notes.cache_mark(block.cache, origin, "parts")
                part = write_media(block, origin, item.notes)
                return None if part is None else item.notes.placed(part, origin)
            case _:
                item.notes.dropped(origin.path, "in-result", f"results of {NAME} cannot hold it")
                return None


def _text_of(parts: list[Any]) -> str | None:
    """Give the text of the one part, when it is text and nothing else."""
    match parts:
        case [{"text": str(text), **rest}] if not rest:
            return text
        case _:
            return None


def _role_of(message: Message) -> str:
    if isinstance(message, OtherMessage):
        return message.role if is_own(message.ext) else "user"
    return _ROLES[type(message)]
