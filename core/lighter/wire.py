"""Reading raw messages of the OpenAI chat and Anthropic wires: roles, parts and blocks with their places, whatever JSON it is.

Nothing here raises on a value of the wrong shape; it is then as good as absent.
"""

import re
from collections.abc import Iterator, Mapping
from typing import Any

from msgspec import Struct

from lighter import jsontext
from lighter.conversation import WireMessage
from lighter.envelope import decoded
from lighter.jsontext import step
from lighter.passage import Passage

NOTHING: Mapping[str, Any] = {}


class Part(Struct, frozen=True):
    """A member of a list of content: its raw value, its pointer into the record, and the block that it is nested in."""

    raw: Any
    path: str
    outer: "Part | None" = None

    @property
    def fields(self) -> Mapping[str, Any]:
        """Its keys; none when it is no object."""
        return self.raw if isinstance(self.raw, dict) else NOTHING

    @property
    def kind(self) -> Any:
        """Its `type`, None when it has none."""
        return self.fields.get("type")


def messages_of(passage: Passage, wire_format: str) -> tuple[WireMessage, ...]:
    """Give the messages of a passage that stands in a wire format; none when it stands in another."""
    return passage.messages if passage.format == wire_format else ()


def fields_of(message: WireMessage) -> Mapping[str, Any]:
    """Give a message's keys; none when it is no object."""
    return message.raw if isinstance(message.raw, dict) else NOTHING


def role_of(message: WireMessage) -> str | None:
    """Give a message's role, None when it has none that is text."""
    role = fields_of(message).get("role")
    return role if isinstance(role, str) else None


def list_parts(value: Any, path: str, outer: Part | None = None) -> Iterator[Part]:
    """Walk a list of parts at a pointer; nothing when it is no list."""
    if isinstance(value, list):
        for index, raw in enumerate(value):
            yield Part(raw, f"{path}/{index}", outer)


def parts_of(message: WireMessage) -> Iterator[Part]:
    """Walk the parts of a message's content; nothing when it is text."""
    return list_parts(fields_of(message).get("content"), f"{message.path}/content")


def placed_blocks(message: WireMessage, key: str = "content") -> Iterator[tuple[str, dict[str, Any]]]:
    """Give the content blocks of a message that are objects, with their places."""
    blocks = fields_of(message).get(key)
    for index, block in enumerate(blocks if isinstance(blocks, list) else ()):
        if isinstance(block, dict):
            yield f"{message.path}/{key}/{index}", block


def placed_parts(message: WireMessage) -> Iterator[tuple[str, dict[str, Any]]]:
    """Give the same of a message of Gemini, whose content has `parts`."""
    return placed_blocks(message, "parts")


def key_of(value: Mapping[str, Any], camel: str, snake: str) -> str | None:
    """Tell in which spelling a key is there with a value; None when it is not."""
    return next((key for key in (camel, snake) if value.get(key) is not None), None)


def all_parts_of(message: WireMessage) -> Iterator[Part]:
    """Walk the parts of a message's content, and those that its tool results hold, in order."""
    for part in parts_of(message):
        yield part
        if part.kind == "tool_result":
            yield from list_parts(part.fields.get("content"), f"{part.path}/content", part)


def has_block(message: WireMessage, *kinds: str) -> bool:
    """Say whether a message holds a block of one of some types."""
    return any(part.kind in kinds for part in parts_of(message))


_EARLIER = ("previous_response_id", "conversation", "previous_interaction_id")
"""Keys of a request that name a history which its provider holds."""


def has_past(passage: Passage) -> bool:
    """Say whether a request continues a history that its provider holds, so that calls and reasoning may stand there."""
    is_continued = any(passage.fields.get(key) is not None for key in _EARLIER)
    return is_continued or any(fields_of(message).get("type") == "item_reference" for message in passage.messages)


def system_parts(passage: Passage) -> Iterator[Part]:
    """Walk the blocks of an Anthropic request's own `system`."""
    return list_parts(passage.fields.get("system"), f"{passage.fields_path}/system")


def list_of_messages(passage: Passage) -> tuple[str, Any] | None:
    """Find what a record holds as its list of messages: pointer and raw value, None in a log with one message a line."""
    if any(message.path == "" for message in passage.messages):
        return None
    try:
        body = decoded(jsontext.value_at(passage.record.value, passage.fields_path))
    except LookupError:
        return None
    match body:
        case {"messages": listed}:
            return f"{passage.fields_path}{step('messages')}", listed
        case {"input": list(listed)} if passage.format == "openai-responses":  # it may be text, too
            return f"{passage.fields_path}{step('input')}", listed
        case {"contents": listed} if passage.format == "gemini":
            return f"{passage.fields_path}{step('contents')}", listed
        case list():
            return passage.fields_path, body
        case _:
            return None


def is_shorthand(passage: Passage, message: Any) -> bool:
    """Say whether a message is one of the texts and pairs that LangChain takes for messages."""
    if passage.format != "langchain-dump":
        return False
    match message:
        case str() | [str(), str() | list()]:
            return True
        case _:
            return False


def misfits(passage: Passage) -> frozenset[str]:
    """Point at the listed messages that are no objects, those among them that were read as JSON text."""
    match list_of_messages(passage):
        case (path, list(listed)):
            wrong = (
                index for index, raw in enumerate(listed) if not (isinstance(raw, dict) or is_shorthand(passage, raw))
            )
            return frozenset(path + step(index) for index in wrong)
        case _:
            return frozenset()


def is_answered_later(passage: Passage, message: WireMessage) -> bool:
    """Say whether a message is certain not to be the last of its conversation."""
    return not passage.is_last or message is not passage.messages[-1]


def ends_in_server_tool(message: WireMessage) -> bool:
    """Say whether an assistant message ends with a provider's own tool: its call (the turn was paused) or its result."""
    *_, last = (None, *(part.kind for part in parts_of(message)))
    return isinstance(last, str) and last.endswith(("_tool_use", "_tool_result"))


def prefill_of(passage: Passage) -> WireMessage | None:
    """Give the final assistant message of a request to Claude that asks the model to continue it, if there is one.

    A message that waits for a tool's result, a paused turn and a provider's answer ask for nothing of the kind.
    """
    messages = passage.messages if passage.format in ("anthropic", "bedrock") else ()
    if not messages or not passage.is_last:
        return None
    last = messages[-1]
    is_waiting = has_block(last, "tool_use") or ends_in_server_tool(last) or fields_of(last).get("tool_calls")
    is_waiting = is_waiting or any("toolUse" in part.fields or "toolResult" in part.fields for part in parts_of(last))
    return None if role_of(last) != "assistant" or last.is_response or is_waiting else last


class DataUrl(Struct, frozen=True):
    """A `data:` URL (RFC 2397) taken apart; `media_type` is lower case and may be empty."""

    media_type: str
    is_base64: bool
    data: str


_DATA_URL = re.compile(r"data:([^;,]*)((?:;[^;,]*)*),", re.IGNORECASE)


def split_data_url(url: str) -> DataUrl | None:
    """Take a `data:` URL apart; None when it is none."""
    found = _DATA_URL.match(url)
    if found is None:
        return None
    return DataUrl(found[1].strip().lower(), found[2].lower().endswith(";base64"), url[found.end() :])


_BASE64 = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/-_"
_SPACE = b" \t\r\n"


def is_base64(text: str) -> bool:
    """Say whether text decodes as base64 to something: either alphabet, with line breaks, its padding left off or not."""
    if not text.isascii():
        return False
    data = text.encode().translate(None, _SPACE)
    core = data.rstrip(b"=")
    padding = len(data) - len(core)
    is_whole = len(core) % 4 != 1 and (padding == 0 or (padding <= 2 and len(data) % 4 == 0))
    return bool(core) and is_whole and not core.translate(None, _BASE64)


def type_name(value: Any) -> str:
    """Name a value's JSON type, as error messages of providers do."""
    match value:
        case None:
            return "null"
        case bool():
            return "a boolean"
        case int() | float():
            return "a number"
        case str():
            return "text"
        case list():
            return "a list"
        case dict():
            return "an object"
        case _:
            return type(value).__name__
