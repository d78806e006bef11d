"""Edits of whole messages and of their parts, whatever the format: taken away, moved, joined_messages, given a text."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from lighter import jsontext
from lighter.conversation import WireMessage
from lighter.edits import Copied, Drop, Edit, Insert, Put, Repair, copied_items, drop_message, insert_message
from lighter.envelope import SESSION_KEYS
from lighter.jsontext import step
from lighter.passage import Passage
from lighter.wire import Part, fields_of

_LIST_KEYS = ("content", "parts")
"""Keys under which messages have their blocks, or a text."""
OPENING = "(The conversation begins here.)"
"""What the user is made to say where somebody must."""
ANSWER = "(No answer was recorded.)"
"""What the assistant is made to say where it must."""
_TAGGED = ("anthropic", "openai-chat", "mistral", "cohere", "lighter")
"""Formats in which a block of text says that it is one."""


def may_move(passage: Passage, *messages: WireMessage) -> bool:
    """Say whether messages can be taken away, moved, and have others put beside them: a list's items, or a log's lines."""
    is_log = passage.body is None
    return all(
        not message.is_response and (message.path.rpartition("/")[2].isdecimal() if message.path else is_log)
        for message in messages
    )


def dropping(passage: Passage, *messages: WireMessage) -> Repair | None:
    """Take messages away; None where that cannot be, or would leave none."""
    dropped = {message.index for message in messages}
    is_all = passage.is_first and passage.is_last and all(message.index in dropped for message in passage.messages)
    if is_all or not may_move(passage, *messages):
        return None
    return Repair(tuple(drop_message(message) for message in messages))


def dropping_empty(passage: Passage, message: WireMessage) -> Repair | None:
    """Take a message away that says nothing; what else it tells (a time, a name of its own) would be lost, which is not safe."""
    made = dropping(passage, message)
    fields = fields_of(message)
    known = {"role", "type", "tool_calls", *_LIST_KEYS, *SESSION_KEYS}
    is_lossy = any(key not in known and value not in (None, "", [], {}) for key, value in fields.items())
    return made and Repair(made.edits, "unsafe" if is_lossy else "safe", "delete the message")


def key_of_content(message: WireMessage) -> str | None:
    """Tell under which key a message has its blocks or its text; None when it has neither."""
    return next((key for key in _LIST_KEYS if key in fields_of(message)), None)


def listed_blocks(message: WireMessage) -> Sequence[Any] | None:
    """Give the blocks of a message; None when it has no list of them."""
    key = key_of_content(message)
    held = fields_of(message)[key] if key else None
    return held if isinstance(held, list) else None


def dropping_blocks(passage: Passage, message: WireMessage, indices: Iterable[int]) -> tuple[Edit, ...]:
    """Take blocks of a message away; the message itself where nothing else is in it, nothing where that cannot be."""
    chosen = set(indices)
    key, blocks = key_of_content(message), listed_blocks(message)
    if not chosen or blocks is None or key is None:
        return ()
    if len(chosen) == len(blocks):
        if fields_of(message).get("tool_calls"):
            return (Put(message.record, f"{message.path}/{key}", None),)
        whole = dropping(passage, message)
        return whole.edits if whole else ()
    return tuple(Drop(message.record, f"{message.path}/{key}/{index}") for index in sorted(chosen))


def dropping_part(passage: Passage, message: WireMessage, part: Part) -> Repair | None:
    """Take a block of a message, or of a result in it, away; with it what holds nothing else."""
    listed, _, index = part.path.rpartition("/")
    if part.outer is None:
        edits = dropping_blocks(passage, message, (int(index),))
        return Repair(edits) if edits else None
    try:
        siblings = jsontext.value_at(message.record.value, listed)
    except LookupError:
        return None
    if len(siblings) > 1:
        return Repair((Drop(message.record, part.path),))
    return Repair((Put(message.record, listed, []),))


def moved_after(messages: Sequence[WireMessage], after: WireMessage) -> tuple[Edit, ...]:
    """Move messages, bytes and all, behind another one, in their order."""
    return tuple(
        edit
        for message in messages
        for edit in (
            drop_message(message),
            Insert(after.record, after.path, Copied(message.record, message.path), is_after=True),
        )
    )


def moved_before(message: WireMessage, before: WireMessage) -> tuple[Edit, ...]:
    """Move a message, bytes and all, to the place of another one, which follows it then."""
    return drop_message(message), Insert(before.record, before.path, Copied(message.record, message.path))


def joined_messages(passage: Passage, first: WireMessage, second: WireMessage) -> Repair | None:
    """Put what the second of two messages says behind what the first says; None where they cannot be joined.

    Texts are parted by a blank line. Where the second has keys of its own, which are lost, that is not safe.
    """
    if not may_move(passage, first, second):
        return None
    one, other = fields_of(first), fields_of(second)
    key = key_of_content(first) or key_of_content(second)
    if key is None or key_of_content(second) not in (key, None):
        return None
    edits = _joined_content(passage, first, second, key)
    moved = [name for name in ("tool_calls",) if other.get(name)]
    if edits is None or any(one.get(name) for name in moved):
        return None
    edits += [
        Put(first.record, first.path + step(name), Copied(second.record, second.path + step(name))) for name in moved
    ]
    known = {"role", key, *moved, *SESSION_KEYS}
    lost = [name for name in other if name not in known and one.get(name) != other[name]]
    return Repair((*edits, drop_message(second)), "unsafe" if lost else None)


def _joined_content(passage: Passage, first: WireMessage, second: WireMessage, key: str) -> list[Edit] | None:
    path, after = f"{first.path}/{key}", f"{second.path}/{key}"
    match fields_of(first).get(key), fields_of(second).get(key):
        case _, None | "" | []:
            return []
        case None | "" | [], _:
            return [Put(first.record, path, Copied(second.record, after))]
        case str(text), str(more):
            return [Put(first.record, path, f"{text}\n\n{more}")]
        case list(blocks), list(more):
            last = f"{path}/{len(blocks) - 1}"
            copies = copied_items(second.record, after, len(more))
            return [Insert(first.record, last, copy, is_after=True) for copy in copies]
        case list(blocks), str(more):
            return [Insert(first.record, f"{path}/{len(blocks) - 1}", text_block(passage, more), is_after=True)]
        case str(text), list(more):
            return [
                Put(first.record, path, [text_block(passage, text), *copied_items(second.record, after, len(more))])
            ]
        case _:
            return None


def text_block(passage: Passage, text: str) -> dict[str, Any]:
    """Make a block of text in the form of a passage's format."""
    return {"type": "text", "text": text} if passage.format in _TAGGED else {"text": text}


def said_by(passage: Passage, role: str, text: str) -> dict[str, Any]:
    """Make a message that says a text, in the form of a passage's format."""
    if passage.format == "gemini":
        return {"role": role, "parts": [{"text": text}]}
    return {"role": role, "content": [{"text": text}] if passage.format == "bedrock" else text}


def inserted(passage: Passage, beside: WireMessage, value: Mapping[str, Any], *, is_after: bool) -> Repair | None:
    """Put a message that nobody said beside another one."""
    if not may_move(passage, beside):
        return None
    return Repair((insert_message(beside, value, is_after=is_after),))
