"""What a LangChain message wears in each form: its wrapping, and the keys that are written though they say nothing."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from msgspec import Struct

from lighter.formats._langchain import (
    CLASSES,
    FAMILY,
    PREFIXES,
    ROWS,
    SPELLING,
    STORED_SHAPES,
    USUAL,
    content_key,
    is_escaped_here,
    layouts,
    lc_id,
    own_mark,
    type_of,
)
from lighter.formats._langchain_escaping import escaped
from lighter.formats._langchain_media import Language
from lighter.formats._langchain_merged import arguments_of
from lighter.formats._writing import extra_at, restore
from lighter.jsontext import decode, encode_text
from lighter.messages import (
    ABSENT,
    AssistantMessage,
    Extra,
    Message,
    OtherMessage,
    SystemMessage,
    ToolMessage,
    UserMessage,
)

KIND = "langchain-kind-spelling"
"""The format name of an extra that tells the class of a message, where the core message does not."""

CONTENT = "langchain-content-spelling"
"""The format name of extras that tell that content was spelled as a list."""

TURN = "langchain-turn"
"""The format name of extras that stand on the message that holds a result, while their owner is the result."""

SHAPES = {"langchain": "lc", "langchain-js": "js", "langchain-stored": "stored", "langchain-dump": "dump"}
"""The shape of messages in each form."""

ROLE_PLACES = ("/role", "/kwargs/role", "/data/role", "/0")
"""Where a role of one's own stands, by the shape of the message."""


class Dress(Struct, frozen=True):
    """How a message is written: the form, its shape and layout, the kind and the class of the message.

    `is_home`: it was read from the same form, which gives it back as it was, even if no package loads it. `was_in_pieces`: it must
    have nothing left of the pieces that it was joined from.
    """

    name: str
    shape: str
    layout: str
    kind: str
    named: str
    is_home: bool = True
    was_in_pieces: bool = False

    @property
    def is_chunk(self) -> bool:
        """Whether it is a piece of a message, or several put together."""
        return self.named.endswith("Chunk")

    @property
    def language(self) -> Language:
        """Whose spelling its content has."""
        return "js" if self.layout in ("js", "spread") else "python"


def dress_of(name: str, message: Message, *, is_js: bool, is_home: bool, is_joined: bool = False) -> Dress:
    """Tell how a message is written in a form: as it was read in that form, or else as is usual in its language.

    `is_joined`: its pieces stood there. With a call that broke off it is no piece any more: the packages read the arguments of pieces
    anew when they load them, and close what is open, and no piece said all of them.
    `is_js`: the conversation came from another form, which LangChain in JavaScript wrote, so that it is wanted there again.
    Without a wrapping, `convert_to_messages` of langchain-core (1.8.3) takes neither pieces nor roles of one's own.
    """
    shape = _told(message, name, "/:shape", SHAPES[name])
    is_broken = is_joined and _has_broken_call(message)
    is_home = is_home and not is_broken
    held = None if is_broken or (shape == "dump" and not is_home) else extra_at(message.ext, KIND, "")
    named = None if held is None else decode(held)
    kind = _kind_of(message, named)
    kind = "human" if kind == "chat" and shape == "dump" and not is_home else kind
    usual = USUAL.get(shape, "bare")
    if is_js and shape in ("stored", "dump"):
        usual = "spread" if shape == "dump" else "js"
    layout = _told(message, name, "", usual)
    return Dress(name, shape, layout, kind, named or CLASSES[kind], is_home, is_broken)


def _has_broken_call(message: Message) -> bool:
    """Say whether an answer has a call whose arguments are no JSON, or break off."""
    calls = message.tool_calls if isinstance(message, AssistantMessage) else ()
    return any(call.arguments and arguments_of(call.arguments) is None for call in calls)


def _told(message: Message, name: str, path: str, usual: str) -> str:
    held = extra_at(message.ext, own_mark(name), path)
    return usual if held is None else str(decode(held))


def is_from_js(messages: Iterable[Message]) -> bool:
    """Say whether LangChain in JavaScript wrote messages, as far as their layout tells."""
    marks = ((e.path, e.json) for message in messages for e in message.ext if e.format.endswith("-own-spelling"))
    return any(path == "" and json in ('"js"', '"spread"') for path, json in marks)


def is_marked(name: str, messages: Iterable[Message]) -> bool:
    """Say whether messages were read from a form, as far as they tell how it spelled them."""
    marks = (own_mark(name), f"{name}-outer", f"{name}-outer-spelling")
    return any(extra.format in marks for message in messages for extra in message.ext)


def _kind_of(message: Message, named: str | None) -> str:
    if named is not None and named.startswith(("ChatMessage", "RemoveMessage")):
        return "chat" if named.startswith("ChatMessage") else "remove"
    match message:
        case SystemMessage():
            return "system"
        case UserMessage():
            return "human"
        case AssistantMessage():
            return "ai"
        case ToolMessage(kind="legacy"):
            return "function"
        case ToolMessage():
            return "tool"
        case OtherMessage():
            return "chat"


def layout_of(dress: Dress, ext: Iterable[Extra]) -> dict[str, Any]:
    """Give the keys of a message that are there though they say nothing."""
    fields = {**layouts(dress.kind, is_chunk=dress.is_chunk)[dress.layout]}
    marks = [Extra(FAMILY, e.path, e.json) for e in ext if e.format == own_mark(dress.name) and _is_key(e.path)]
    written: dict[str, Any] = restore(fields, marks, FAMILY)
    return written


def _is_key(path: str) -> bool:
    return path != "" and not path.startswith("/:")


def shared_extras(ext: Iterable[Extra], kind: str) -> Iterator[Extra]:
    """Give the extras that all forms share, with pointers from the fields of the message on; the role of a chat is no extra."""
    for extra in ext:
        if extra.format == SPELLING and _is_key(extra.path):
            yield Extra(FAMILY, extra.path, extra.json)
        elif extra.format == FAMILY and not (kind == "chat" and extra.path in ROLE_PLACES):
            prefix = next((place for place in PREFIXES.values() if extra.path.startswith(f"{place}/")), "")
            yield Extra(FAMILY, extra.path.removeprefix(prefix), extra.json)


def chat_role(message: Message) -> Any:
    """Give the role of a message that has one of its own, as it was told; None where none was."""
    for extra in message.ext:
        if extra.format == FAMILY and extra.path in ROLE_PLACES:
            return decode(extra.json)
        if extra.format == SPELLING and extra.path == "/role":
            return None if extra.json == ABSENT else str(decode(extra.json))
    return "developer" if isinstance(message, SystemMessage) and message.is_developer else message.role


def usual_content_key(shape: str, layout: str, fields: Mapping[str, Any]) -> str:
    """Tell under which key the content usually stands: JavaScript has `content_blocks` in messages of version 1.

    It stores them so as well, but `mapStoredMessagesToChatMessages` (@langchain/core 1.4.0) then finds no content.
    """
    metadata = fields.get("response_metadata")
    is_v1 = isinstance(metadata, dict) and metadata.get("output_version") == "v1"
    is_list = isinstance(fields.get(content_key(fields)), list)
    return "content_blocks" if layout == shape == "js" and is_v1 and is_list else "content"


def _stored(dress: Dress, fields: dict[str, Any]) -> dict[str, Any]:
    """Wrap the fields of a message as stores do; JavaScript has no types of pieces, and another word for a role of one's own."""
    kind = type_of(dress.kind, is_chunk=dress.is_chunk)
    if dress.language == "js":
        kind = "generic" if dress.kind == "chat" else dress.kind
    stored = {"type": kind, "data": fields}
    if dress.shape == "stored":
        return stored
    key, is_text = ROWS[dress.shape]
    return {key: encode_text(stored) if is_text else stored}


def dressed(fields: dict[str, Any], dress: Dress, ext: Iterable[Extra]) -> Any:
    """Put the fields of a message into its wrapping."""
    ext = list(ext)
    own = own_mark(dress.name)
    told = extra_at(ext, own, "/:content")
    key = usual_content_key(dress.shape, dress.layout, fields) if told is None else decode(told)
    if "content" in fields:
        fields = {key: fields.pop("content"), **fields}
    told = extra_at(ext, own, "/:named")
    told = extra_at(ext, own, "/:role") if told is None else told
    named = dress.kind if told is None else decode(told)
    # What JavaScript stores it does not unwrap again, so that only a file which was so already is given back so.
    is_loaded_so = dress.shape not in STORED_SHAPES or dress.is_home
    if is_loaded_so and is_escaped_here(dress.shape, fields) and extra_at(ext, own, "/:escaped") is None:
        fields = escaped(fields)
    value: Any
    match dress.shape:
        case "lc" | "js":
            value = {"lc": 1, "type": "constructor", "id": lc_id(dress.shape, dress.named), "kwargs": fields}
        case shape if shape in STORED_SHAPES:
            value = _stored(dress, fields)
        case "role":
            value = {"role": fields.pop("role") if dress.kind == "chat" else named, **fields}
        case "pair":
            return [fields["role"] if dress.kind == "chat" else named, fields["content"]]
        case "text":
            return fields["content"]
        case "old":
            value = {"text": fields.pop("content"), **fields}
        case _:
            value = fields
    outer = f"{dress.name}-outer"
    return restore(value, ext, f"{outer}-spelling", outer)
