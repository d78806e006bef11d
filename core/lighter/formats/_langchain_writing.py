"""Writing core messages as LangChain messages, in whichever of its forms."""

from collections.abc import Iterable
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from lighter.conversation import Conversation
from lighter.formats import Written
from lighter.formats._call_ids import CallIds
from lighter.formats._langchain import DIFFERS, FAMILY, SPELLING, is_usage, own_mark
from lighter.formats._langchain_content import Said, said, shown
from lighter.formats._langchain_dress import (
    KIND,
    TURN,
    Dress,
    chat_role,
    dress_of,
    dressed,
    is_from_js,
    is_marked,
    layout_of,
    shared_extras,
)
from lighter.formats._langchain_fitting import fitting, note_class
from lighter.formats._langchain_renaming import rename_copies
from lighter.formats._notes import OF_TURN, Notes
from lighter.formats._noting import role_or_user
from lighter.formats._writing import Item, extra_at, items_of, origin_format, restore
from lighter.jsontext import decode
from lighter.messages import (
    ABSENT,
    AssistantMessage,
    Extra,
    Message,
    OtherMessage,
    SystemMessage,
    ToolMessage,
)


def write_conversation(name: str, conversation: Conversation) -> Written:
    """Write a conversation as `{"messages": […]}` in a form."""
    notes = Notes.of(conversation, name)
    writer = _Writer(name, conversation)
    for item in items_of(conversation, notes):
        writer.add(item)
    writer.flush()
    value: dict[str, Any] = restore({"messages": writer.messages}, conversation.ext, FAMILY)
    for tool in conversation.tools:
        notes.dropped(tool.path, "tool", "a history holds no definitions of tools")
    for param in conversation.params:
        notes.dropped(param.path, param.name.replace("_", "-"), "a history holds no parameters")
    notes.conversation(conversation)
    notes.extras(foreign(conversation.ext, name), conversation.path)
    return Written(value, tuple(notes.losses), tuple(notes.places))


def foreign(ext: Iterable[Extra], name: str) -> list[Extra]:
    """Give the extras that a form does not put back."""
    held = (FAMILY, DIFFERS, TURN, f"{name}-outer", f"{name}-outer{OF_TURN}", f"{name}-differing")
    return [e for e in ext if e.format not in held]


class _Writer:
    """Writes messages into `messages`; `_turn` is the human message that results are put back into."""

    def __init__(self, name: str, conversation: Conversation) -> None:
        self.name = name
        self.messages: list[Any] = []
        self.source = origin_format(conversation)
        is_js = self.source == "langchain-js" or is_from_js(conversation.messages)
        self.is_home = self.source == name or (self.source == "lighter" and is_marked(name, conversation.messages))
        self.is_js = is_js and not self.is_home
        self._ids = CallIds(bool, conversation, max_length=64, is_unique=False)
        self._joined = {(told.pieces[0].record.row, told.pieces[0].path) for told in conversation.joined}
        self._turn: _Turn | None = None

    def add(self, item: Item) -> None:
        """Write one message."""
        message, notes = item.message, item.notes
        if (whole := extra_at(message.ext, FAMILY, "")) is not None:
            self.flush()
            if self.is_home:
                self.messages.append(notes.placed(decode(whole), item.origin))
            else:
                notes.emptied(message, item.origin)
            return
        notes.extras(foreign(message.ext, self.name), item.origin.path)
        is_joined = (item.origin.row, item.origin.path) in self._joined
        dress = dress_of(self.name, message, is_js=self.is_js, is_home=self.is_home, is_joined=is_joined)
        content = said(item, dress, self._ids, self.source)
        if not _is_in_turn(message):
            self.flush()
            fields = _fields(item, dress, content, self._ids)
            self.messages.append(notes.placed(dressed(fields, dress, message.ext), item.origin))
            return
        if self._turn is None or self._turn.group != message.group:
            self.flush()
            self._turn = _turn(item, dress)
        if isinstance(message, ToolMessage):
            self._turn.parts.append(notes.placed(_result_block(item, message, content, self._ids), item.origin))
        else:
            self._turn.parts.extend(content.parts)

    def flush(self) -> None:
        """Write the human message that results were put back into."""
        if self._turn is not None:
            turn, self._turn = self._turn, None
            self.messages.append(dressed(turn.fields, turn.dress, turn.ext))


class _Turn(Struct):
    """A human message that results and what was said beside them were read from, while it is put together again."""

    group: int | None
    parts: list[Any]
    fields: dict[str, Any]
    dress: Dress
    ext: list[Extra]


def _is_in_turn(message: Message) -> bool:
    """Say whether a message was a part of a human message that held results."""
    return message.group is not None and extra_at(message.ext, KIND, "") == '"HumanMessage"'


def _turn(item: Item, dress: Dress) -> _Turn:
    """Begin such a message with what its first part knows of it."""
    message = item.message
    human = replace(dress, kind="human", named="HumanMessage")
    ext = list(message.ext)
    if isinstance(message, ToolMessage):  # its own extras are relative to its block
        own = {TURN: FAMILY, f"{dress.name}-outer{OF_TURN}": f"{dress.name}-outer"}
        ext = [Extra(own.get(e.format, e.format), e.path, e.json) for e in ext if e.format != FAMILY]
    parts: list[Any] = []
    fields: dict[str, Any] = {"content": parts, **layout_of(human, ext)}
    fields |= {key: held for key in ("id", "name") if (held := getattr(message, key)) is not None}
    restore(fields, list(shared_extras((e for e in ext if e.format != SPELLING), "human")), FAMILY)
    return _Turn(message.group, parts, fields, human, ext)


def _result_block(item: Item, message: ToolMessage, content: Said, ids: CallIds) -> dict[str, Any]:
    """Write a result as a block in the content of a human message."""
    part: dict[str, Any] = {"type": "tool_result", "tool_use_id": _result_id(item, message, ids, is_home=True)}
    if content.parts or content.whole is not None:
        part["content"] = shown(content, message.ext)
    if message.is_error is not None:
        part["is_error"] = message.is_error
    written: dict[str, Any] = restore(part, message.ext, FAMILY)
    return written


def _result_id(item: Item, message: ToolMessage, ids: CallIds, *, is_home: bool) -> str:
    """Give the id of the call that a result answers, and note one that is made up; `is_home`: what stood for it is put back."""
    call_id = ids.for_result(message.call_id)
    held = (SPELLING, FAMILY) if is_home else (FAMILY,)
    is_restored = any(e.path in ("/tool_call_id", "/tool_use_id") and e.format in held for e in message.ext)
    is_restored |= own_mark(item.notes.target) in {e.format for e in message.ext if e.path == "/tool_call_id"}
    item.notes.call_id(message, item.origin, call_id, is_restored=is_restored)
    return call_id


def _fields(item: Item, dress: Dress, content: Said, ids: CallIds) -> dict[str, Any]:
    """Write the fields of a message."""
    message = item.message
    note_class(item, dress)
    fields: dict[str, Any] = {"content": shown(content, message.ext), **layout_of(dress, message.ext)}
    if fields["content"] == "" and (told := extra_at(message.ext, own_mark(dress.name), "/:empty")) is not None:
        fields["content"] = None  # other forms get what the packages take, which is text
        if told == ABSENT:
            del fields["content"]
    fields |= {key: held for key in ("id", "name") if (held := getattr(message, key)) is not None}
    match message:
        case SystemMessage() if message.is_developer and not _tells_role(message, dress):
            content.beside["__openai_role__"] = "developer"
        case AssistantMessage():
            _add_answer(fields, item, message, content)
        case ToolMessage() if dress.kind == "function":
            _add_function(fields, item, message, is_home=dress.is_home)
        case ToolMessage():
            _add_result(fields, item, message, ids, is_home=dress.is_home)
        case _:
            pass
    if dress.kind == "chat" and (role := _chat_role(item, dress)) is not None:
        fields["role"] = role
    if content.beside:
        fields["additional_kwargs"] = {**fields.get("additional_kwargs", {}), **content.beside}
    written: dict[str, Any] = restore(fields, list(shared_extras(fitting(item, dress), dress.kind)), FAMILY)
    if isinstance(message, AssistantMessage) and message.tool_calls:
        rename_copies(written, message)
    return written


def _chat_role(item: Item, dress: Dress) -> Any:
    """Give the role of a message that has one of its own; other forms than its own one have a text there."""
    role = chat_role(item.message)
    if isinstance(item.message, OtherMessage) and not dress.is_home:
        return role_or_user(item)
    if dress.is_home or isinstance(role, str):
        return role
    if role is not None:
        item.notes.dropped(item.origin.at("role"), "role", "LangChain takes a text for a role")
    item.notes.synthesised(item.origin.path, "role", "a message without a role became the user's")
    return "user"


def _tells_role(message: Message, dress: Dress) -> bool:
    """Say whether the wrapping of a message tells that it is the developer's."""
    is_named = extra_at(message.ext, own_mark(dress.name), "/:role") is not None
    return dress.kind == "chat" or (is_named and dress.shape in ("role", "pair", "dump"))


def _add_answer(fields: dict[str, Any], item: Item, message: AssistantMessage, content: Said) -> None:
    """Add calls, model, stop reason and usage."""
    fields |= {"tool_calls": content.calls} if content.calls else {}
    fields |= {"invalid_tool_calls": content.invalid} if content.invalid else {}
    metadata: dict[str, Any] = {}
    for field, value, usual in (("model", message.model, "model_name"), ("stop", message.stop, "finish_reason")):
        if value is not None:
            told = extra_at(message.ext, SPELLING, f"/:{field}")
            metadata[usual if told is None else decode(told)] = value
    usage = None if message.usage is None else decode(message.usage)
    if is_usage(usage):
        fields["usage_metadata"] = usage
    elif usage is not None:
        metadata["token_usage"] = usage
        item.notes.moved(
            item.origin.at("usage"), "usage", "stands in `response_metadata` now, as the provider counted it"
        )
    if metadata:
        fields["response_metadata"] = {**fields.get("response_metadata", {}), **metadata}


def _add_function(fields: dict[str, Any], item: Item, message: ToolMessage, *, is_home: bool) -> None:
    """Add the name of the function whose result it is, without which the packages load none."""
    is_named = extra_at(message.ext, SPELLING, "/:name") is None
    if is_named or not is_home:
        fields["name"] = message.tool_name
    if not (is_named or is_home):
        item.notes.synthesised(item.origin.path, "tool-name", f"LangChain wants a name there: {message.tool_name!r}")


def _add_result(fields: dict[str, Any], item: Item, message: ToolMessage, ids: CallIds, *, is_home: bool) -> None:
    """Add whose result it is, and whether it is an error."""
    fields["tool_call_id"] = _result_id(item, message, ids, is_home=is_home)
    if message.tool_name and extra_at(message.ext, SPELLING, "/:name") is None:
        fields["name"] = message.tool_name
    if message.name not in (None, message.tool_name):
        item.notes.unheld(message, item.origin, "name")
    if message.is_error is not None:
        fields["status"] = "error" if message.is_error else "success"
