"""The form that a request asks the answer to have (text, JSON, JSON of a schema), as one API spells it and the others do."""

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from msgspec import Struct

from lighter.conversation import Conversation
from lighter.formats._notes import Notes
from lighter.formats._writing import origin_format
from lighter.jsontext import decode, step
from lighter.messages import Extra

_DETAILS = ("name", "description", "strict")
_JSON, _TEXT = "application/json", "text/plain"


class Asked(Struct, frozen=True):
    """What is asked for: `kind` as OpenAI calls it, the schema, and what is told of that.

    `places` are the pointers of these details, and `rest` those of what no other API knows, from the request body on. `held`:
    the paths of the extras that it was read from. `dialect`: where a schema stands that was in a dialect of its own.
    """

    kind: str
    schema: Any = None
    details: Mapping[str, Any] = {}
    places: Mapping[str, str] = {}
    rest: tuple[str, ...] = ()
    held: tuple[str, ...] = ()
    dialect: str | None = None


def written_format(
    conversation: Conversation, notes: Notes, write: Callable[[Asked], Any], *, has_details: bool
) -> tuple[Any, tuple[str, ...]]:
    """Write what a request of another format asks for; None when it asks for nothing, or for what the target does not have.

    `has_details`: the target's form holds what is told of a schema, and wants its name; else that is noted. Also gives the
    paths of the extras that are accounted for.
    """
    asked = None if origin_format(conversation) == notes.target else _asked(conversation.ext)
    written = None if asked is None else write(asked)
    if asked is None or written is None:
        return None, ()
    if has_details and asked.schema is not None and "name" not in asked.details:
        notes.synthesised(conversation.path + asked.held[0], "schema-name", "a schema must have a name here")
    if asked.dialect is not None:
        place = conversation.path + asked.dialect
        notes.rewritten(place, "schema-dialect", "the schema became JSON Schema", is_reversible=True)
    for place in (*asked.rest, *(() if has_details else asked.places.values())):
        feature = place.rpartition("/")[2].replace("_", "-")
        notes.dropped(conversation.path + place, feature, f"{notes.target} has no place for it")
    return written, asked.held


def as_openai(asked: Asked) -> dict[str, Any]:
    """Spell it as OpenAI Chat does, and Mistral."""
    if asked.schema is None:
        return {"type": asked.kind}
    return {"type": "json_schema", "json_schema": {"name": "response", **asked.details, "schema": asked.schema}}


def as_flat(asked: Asked) -> dict[str, Any]:
    """Spell it as OpenAI Responses does."""
    spelled = as_openai(asked)
    return {"type": spelled["type"], **spelled.get("json_schema", {})}


def as_object(asked: Asked) -> dict[str, Any]:
    """Spell it as Cohere does."""
    if asked.kind == "text":
        return {"type": "text"}
    return {"type": "json_object"} | ({} if asked.schema is None else {"json_schema": asked.schema})


def as_schema(asked: Asked) -> Any:
    """Spell it as Ollama does, where text goes without saying."""
    if asked.kind == "text":
        return None
    return "json" if asked.schema is None else asked.schema


def as_settings(asked: Asked) -> dict[str, Any]:
    """Spell it as Gemini does."""
    if asked.kind == "text":
        return {"responseMimeType": _TEXT}
    return {"responseMimeType": _JSON} | ({} if asked.schema is None else {"responseJsonSchema": asked.schema})


def _asked(ext: Iterable[Extra]) -> Asked | None:
    """Read what a request asks for from what was kept of it."""
    gemini: dict[str, Extra] = {}
    for extra in ext:
        match extra.format, extra.path:
            case (("openai-chat" | "mistral" | "cohere"), "/response_format"):
                return _of_openai(decode(extra.json), extra.path)
            case "openai-responses", "/text":
                return _of_responses(decode(extra.json), extra.path)
            case "anthropic", "/output_config":
                return _of_anthropic(decode(extra.json), extra.path)
            case "ollama", "/format":
                return _of_ollama(decode(extra.json), extra.path)
            case "gemini", path if (key := path.rpartition("/")[2].replace("_", "").lower()).startswith("response"):
                gemini[key] = extra
    return _of_gemini(gemini)


def _of_openai(value: Any, path: str) -> Asked | None:
    match value:
        case {"type": ("text" | "json_object") as kind, **more} if not more:
            return Asked(kind, held=(path,))
        case {"type": "json_object", "json_schema": dict(schema), **more} if not more:
            return Asked("json_schema", schema, held=(path,))
        case {"type": "json_schema", "json_schema": {"schema": dict(schema)} as inner, **more} if not more:
            return _described(inner, schema, f"{path}/json_schema", path, ())
        case _:
            return None


def _of_responses(value: Any, path: str) -> Asked | None:
    rest = tuple(path + step(key) for key in value if key != "format") if isinstance(value, dict) else ()
    match value:
        case {"format": {"type": ("text" | "json_object") as kind, **more}} if not more:
            return Asked(kind, rest=rest, held=(path,))
        case {"format": {"type": "json_schema", "schema": dict(schema)} as inner}:
            return _described({k: v for k, v in inner.items() if k != "type"}, schema, f"{path}/format", path, rest)
        case _:
            return None


def _of_anthropic(value: Any, path: str) -> Asked | None:
    match value:
        case {"format": {"type": "json_schema", "schema": dict(schema), **more}, **others}:
            rest = (*(f"{path}/format{step(str(key))}" for key in more), *(path + step(str(key)) for key in others))
            return Asked("json_schema", schema, rest=rest, held=(path,))
        case _:
            return None


def _described(inner: Mapping[Any, Any], schema: Any, place: str, path: str, rest: tuple[str, ...]) -> Asked:
    details = {key: inner[key] for key in _DETAILS if inner.get(key) is not None}
    more = tuple(place + step(key) for key in inner if key not in details and key != "schema")
    places = {key: place + step(key) for key in details}
    return Asked("json_schema", schema, details, places, (*rest, *more), (path,))


def _of_ollama(value: Any, path: str) -> Asked | None:
    match value:
        case "json":
            return Asked("json_object", held=(path,))
        case dict():
            return Asked("json_schema", value, held=(path,))
        case _:
            return None


def _of_gemini(found: Mapping[str, Extra]) -> Asked | None:
    """Read a media type, and a schema, in JSON Schema or in Gemini's own dialect."""
    media_type, schema, own = (found.get(f"response{key}") for key in ("mimetype", "jsonschema", "schema"))
    if media_type is None or (schema is not None and own is not None):
        return None
    told = decode(media_type.json)
    held = schema or own
    if held is None:
        kind = {_JSON: "json_object", _TEXT: "text"}.get(told) if isinstance(told, str) else None
        return None if kind is None else Asked(kind, held=(media_type.path,))
    value = decode(held.json)
    if told != _JSON or not isinstance(value, dict):
        return None
    paths = (held.path, media_type.path)
    if own is None:
        return Asked("json_schema", value, held=paths)
    from lighter.formats.gemini.schema import to_json_schema  # noqa: PLC0415 - only such requests need Gemini's modules

    translated, unknown = to_json_schema(value)
    return Asked(
        "json_schema", translated, rest=tuple(own.path + path for path, _ in unknown), held=paths, dialect=own.path
    )
