"""What LangChain's packages refuse to load, which only the form that it was read from gives back.

Read off langchain-core 1.8.3: the fields of `BaseMessage` and its classes, `create_tool_call` and its like in `messages/tool.py`,
and `convert_to_messages` in `messages/utils.py`.
"""

from collections.abc import Callable, Mapping
from typing import Any

from msgspec.structs import replace

from lighter.conversation import BlockOrigin
from lighter.formats._langchain import DIFFERS, FAMILY, PREFIXES, SPELLING, STORED_SHAPES, is_usage
from lighter.formats._langchain_dress import KIND, ROLE_PLACES, Dress
from lighter.formats._noting import note_number, role_or_user
from lighter.formats._writing import Item, extra_at
from lighter.jsontext import decode, encode_text, keys_of
from lighter.messages import ABSENT, Extra, Message, OpaqueBlock, OtherMessage, ToolCall

_ENTRY_KEYS: Mapping[bool, frozenset[str]] = {
    False: frozenset({"name", "args", "id", "type", "extras"}),
    True: frozenset({"name", "args", "id", "type", "error"}),
}
"""The keys that an entry of `tool_calls` may have, and one of `invalid_tool_calls`; others are unknown arguments."""

_PIECE_KEYS: Mapping[str, type | tuple[type, ...]] = {
    "name": (str, type(None)),
    "args": (str, type(None)),
    "id": (str, type(None)),
    "index": (int, type(None)),
    "type": object,
}


_NO_ROLE = "without a wrapping LangChain loads no role of one's own"


def fitting(item: Item, dress: Dress) -> list[Extra]:
    """Give the extras of a message that its class takes; the others are noted."""
    if dress.is_home:
        return list(item.message.ext)
    return [extra for extra in item.message.ext if _is_fitting(extra, item, dress)]


def _is_fitting(extra: Extra, item: Item, dress: Dress) -> bool:
    if extra.format not in (FAMILY, SPELLING) or extra.path.startswith("/:"):
        return True
    if extra.path in ROLE_PLACES and _is_chat(item.message):
        if dress.kind != "chat" and extra.format == FAMILY:
            item.notes.dropped(item.origin.path + extra.path, "role", _NO_ROLE)
        return dress.kind == "chat" and extra.json != ABSENT
    prefix = next((place for place in PREFIXES.values() if extra.path.startswith(f"{place}/")), "")
    keys = keys_of(extra.path.removeprefix(prefix))
    if len(keys) != 1:
        return True
    (key,) = keys
    if extra.json == ABSENT:
        return key != "tool_call_id"
    if _takes(dress, key, decode(extra.json)):
        return True
    place = item.origin.path
    if extra.format == FAMILY:
        item.notes.dropped(place + extra.path, key.replace("_", "-"), "LangChain does not load such a value")
    elif key == "tool_call_chunks":  # copies of the calls, but for what they say of their own
        item.notes.extras((e for e in item.message.ext if e.format == DIFFERS and f"/{key}/" in e.path), place)
    return False


def _is_chat(message: Message) -> bool:
    return (extra_at(message.ext, KIND, "") or "").startswith('"ChatMessage')


def note_class(item: Item, dress: Dress) -> None:
    """Note a piece, or a message with a role of its own, that becomes a message of a class which is told by its role."""
    message, origin = item.message, item.origin
    if isinstance(message, OtherMessage) and dress.kind == "human":
        if role_or_user(item) == message.role:
            item.notes.dropped(origin.at("role"), "role", _NO_ROLE)
        return
    held = extra_at(message.ext, KIND, "")
    if held is None:
        return
    if decode(held) == dress.named:
        if dress.is_chunk and dress.language == "js" and dress.shape in STORED_SHAPES and not dress.is_home:
            detail = f"a piece of a message became one of the type {dress.kind}: JavaScript stores no pieces"
            item.notes.rewritten(origin.at("role"), "message-class", detail)
        return
    if not _is_chat(message):
        item.notes.rewritten(origin.at("role"), "message-class", f"a piece of a message became {dress.named}")
    elif extra_at(message.ext, SPELLING, "/role") is not None:
        item.notes.rewritten(origin.at("role"), "message-class", f"ChatMessage became {dress.named}")


def _takes(dress: Dress, key: str, value: Any) -> bool:
    """Say whether the class of a message takes a value under a key."""
    match key:
        case "name":
            return isinstance(value, str) or (value is None and dress.kind != "function")
        case "id":
            return value is None or _is_id(value)
        case "additional_kwargs" | "response_metadata":
            return isinstance(value, dict)
        case "content_blocks":
            return False  # it would take the place of the content
        case "tool_call_chunks" | "chunk_position" if dress.was_in_pieces or dress.shape == "dump":
            return False  # no piece is written there
        case "role" | "message_type":
            return dress.shape != "dump"  # it would be taken for the type of the message
        case "tool_calls" | "invalid_tool_calls" if dress.kind == "ai":
            return False  # the calls of a list are none of its extras
        case "tool_calls" if dress.shape == "dump":
            return isinstance(value, list) and all(isinstance(e, dict) and "function" not in e for e in value)
        case _:
            held: Callable[[Any], bool] | None = _OF_KIND.get((dress.kind, key))
            return held is None or held(value)


def _is_id(value: Any) -> bool:
    return isinstance(value, str | int | float) and not isinstance(value, bool)


def _are_pieces(value: Any) -> bool:
    return isinstance(value, list) and all(
        isinstance(piece, dict)
        and all(key in _PIECE_KEYS and isinstance(held, _PIECE_KEYS[key]) for key, held in piece.items())
        for piece in value
    )


_OF_KIND: Mapping[tuple[str, str], Callable[[Any], bool]] = {
    ("ai", "usage_metadata"): lambda value: value is None or is_usage(value),
    ("ai", "tool_call_chunks"): _are_pieces,
    ("ai", "chunk_position"): lambda value: value in (None, "last"),
    ("tool", "status"): lambda value: value in ("success", "error"),
    ("tool", "tool_call_id"): _is_id,
}
"""What messages of one kind take under a key."""


def fitting_call(call: ToolCall, origin: BlockOrigin, item: Item, *, is_invalid: bool) -> ToolCall:
    """Give a call without the extras that its entry does not take, which are noted."""
    kept = []
    is_number = bool(note_number(call, origin, item.notes))
    for extra in call.ext:
        keys = keys_of(extra.path) if extra.format in (FAMILY, SPELLING) else []
        if len(keys) != 1 or _entry_takes(keys[0], extra, is_invalid=is_invalid):
            kept.append(extra)
        elif extra.format == FAMILY and not (is_number and keys == ["id"]):
            item.notes.dropped(origin.path + extra.path, keys[0].replace("_", "-"), "LangChain loads no call with it")
    return call if len(kept) == len(call.ext) else replace(call, ext=tuple(kept))


def _entry_takes(key: str, extra: Extra, *, is_invalid: bool) -> bool:
    if extra.json == ABSENT:
        return is_invalid or key != "id"
    value = decode(extra.json)
    match key:
        case "id":
            return value is None or isinstance(value, str)
        case "error":
            return is_invalid and (value is None or isinstance(value, str))
        case "args":
            return isinstance(value, str | None) if is_invalid else isinstance(value, dict)
        case _:
            return key in _ENTRY_KEYS[is_invalid]


def as_invalid(block: OpaqueBlock) -> dict[str, Any]:
    """Give an entry of a list of calls that is none as one of calls that did not parse, whose arguments are its text."""
    value = decode(block.json)
    held = value if isinstance(value, dict) else {}
    name, call_id = (found if isinstance(found := held.get(key), str) else None for key in ("name", "id"))
    return {"name": name, "args": encode_text(value), "id": call_id, "error": None, "type": "invalid_tool_call"}
