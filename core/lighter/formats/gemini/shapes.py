"""The names of Gemini's generateContent that its readers and writers share, and how its keys are told from each other."""

from collections.abc import Collection, Iterable, Iterator, Mapping
from functools import cache
from typing import Any

from msgspec import Struct

from lighter.formats._notes import UNREAD
from lighter.formats._reading import empty_as, extras
from lighter.formats._writing import restore
from lighter.jsontext import decode, encode_text, keys_of, step
from lighter.messages import ABSENT, Extra

NAME = "gemini"
SPELLING = f"{NAME}-spelling"
"""The format name of extras that say how a value was spelled that says nothing more than lighter's own spelling of it."""

RENAMED = f"{NAME}-key-spelling"
"""The same for keys in snake_case: pointers are in camelCase, the value is the key as it stood."""

URL_SAFE = f"{NAME}-base64-spelling"
"""The same for base64 in its URL-safe alphabet, or without its padding."""

WRAP = f"{NAME}-wrap-spelling"
"""The same for values that stand alone: a text for a list of parts, a part for a content."""

AS_TEXT, AS_PART, AS_LIST, AS_ONE = '"text"', '"part"', '"list"', '"one"'
"""How they stand: as a text, as one part, as a list of texts and parts, or as one content where a list of them is usual."""

IN_CONFIG = '"config"'
"""The wrap of a request as the Python SDK takes it: everything but the model and the contents stands in `config`."""

WRAPPED = f"{NAME}-wrapping"
"""The format name of extras that say under which key the output of a function stood; null when it stood alone."""

ORDER = f"{NAME}-order-spelling"
"""The format name of an extra that says that contents and results must stay as they are, though others would join or sort them.

Nobody reads it: where a conversation has extras, lighter's own form names its source, and by that the writer knows.
"""

IGNORED = f"{NAME}{UNREAD}"
"""The format name of extras that Gemini takes and does not look at."""

TURN = f"{NAME}-turn"
"""The format name of extras that stand on the content that holds a result, while their owner is the result."""

TURN_SPELLING = f"{TURN}-spelling"

# google-genai 3.6.1, types.Part: of these a part has one.
DATA_KEYS = (
    "text", "inlineData", "fileData", "functionCall", "functionResponse", "executableCode", "codeExecutionResult",
    "toolCall", "toolResponse",
)  # fmt: skip

RESPONSE_KEYS = ("candidates", "usageMetadata", "modelVersion", "responseId", "promptFeedback", "createTime")
"""Keys of an answer."""

REQUEST_KEYS = ("systemInstruction", "tools", "toolConfig", "generationConfig", "model")
"""Keys of a request that are read; all others are kept."""

TELLING_KEYS = (
    "systemInstruction",
    "generationConfig",
    "toolConfig",
    "safetySettings",
    "cachedContent",
    "config",
    "model",
)
"""Keys beside `contents` that make a request of it, where the contents alone could be anything."""


@cache
def snake(key: str) -> str:
    """Spell a known key as the Python SDK does."""
    return "".join(f"_{char.lower()}" if char.isupper() else char for char in key)


def has_key(value: Mapping[str, Any], key: str) -> bool:
    """Say whether an object has a key, in either spelling."""
    return key in value or snake(key) in value


def held(value: Mapping[str, Any], key: str) -> Any:
    """Give the value of a key, in either spelling; None when there is none."""
    return value[key] if key in value else value.get(snake(key))


class Keyed(Struct):
    """An object whose known keys were found in either spelling: their values, their keys on the wire, and kept spellings."""

    raw: Mapping[str, Any]
    values: dict[str, Any]
    wire: dict[str, str]
    renamed: tuple[Extra, ...]

    def at(self, key: str) -> str:
        """Point at a known key on the wire."""
        return step(self.wire.get(key, key))

    def kept(self, taken: Iterable[str], prefix: str = "") -> tuple[Extra, ...]:
        """Keep what stands under other keys than these; null and an empty list say nothing, so they are spelling only."""
        return empty_as(SPELLING, extras(NAME, self.raw, {self.wire.get(key, key) for key in taken}, prefix))


def keyed(raw: Mapping[str, Any], known: Collection[str], prefix: str = "") -> Keyed:
    """Look known keys up in either spelling; `prefix` is the place of the object in its owner, in camelCase."""
    values, wire, renamed = {}, {}, []
    for key in known:
        found = key if key in raw else snake(key)
        if found in raw:
            values[key], wire[key] = raw[found], found
            if found != key and raw[found] is not None:
                renamed.append(Extra(RENAMED, prefix + step(key), encode_text(found)))
    return Keyed(raw, values, wire, tuple(renamed))


def own(value: Any, ext: tuple[Extra, ...]) -> Any:
    """Put back what was kept of a value: the spelling of its keys, keys that only this API knows, and spellings of values."""
    if not ext:
        return value
    renamed = sorted((e for e in ext if e.format == RENAMED), key=lambda e: -e.path.count("/"))
    for extra in renamed:
        _rename(value, keys_of(extra.path), decode(extra.json))
    return restore(value, ext, NAME, SPELLING, IGNORED)


def _rename(value: Any, keys: list[str], new: str) -> None:
    for key in keys[:-1]:
        value = value.get(key) if isinstance(value, dict) else None
    if isinstance(value, dict) and keys[-1] in value:
        items = list(value.items())
        value.clear()
        value.update((new if key == keys[-1] else key, item) for key, item in items)


def absent(raw: Mapping[str, Any], *keys: str) -> Iterator[Extra]:
    """Remember which of the keys that lighter would write were not there."""
    yield from (Extra(SPELLING, step(key), ABSENT) for key in keys if not has_key(raw, key))


def is_own(ext: Iterable[Extra]) -> bool:
    """Say whether something was read from this format."""
    return any(extra.format.startswith(NAME) and not extra.format.startswith(f"{NAME}-interactions") for extra in ext)


def is_part(value: Any) -> bool:
    """Say whether a value is a part: other formats give their parts a type."""
    return isinstance(value, dict) and "type" not in value and any(has_key(value, key) for key in DATA_KEYS)


def is_content(value: Any) -> bool:
    """Say whether a value is a content of this API: parts of its kind, or none and its role."""
    if not isinstance(value, dict) or "content" in value or "messages" in value:
        return False
    parts = value.get("parts")
    if isinstance(parts, list) and parts:
        return any(is_part(part) or (isinstance(part, dict) and has_key(part, "thoughtSignature")) for part in parts)
    return value.get("role") == "model" or (
        isinstance(parts, list) and value.get("role") in ("user", None) and value.keys() <= {"role", "parts"}
    )


_SAYING = frozenset({"text", "thought", "thoughtSignature", "thought_signature"})
"""The keys of a part that says something."""


def is_text_alone(raw: Any) -> bool:
    """Say whether a content is certain to be text: all of its parts say something."""
    parts = raw.get("parts") if isinstance(raw, dict) else None
    return isinstance(parts, list) and all(isinstance(part, dict) and part.keys() <= _SAYING for part in parts)
