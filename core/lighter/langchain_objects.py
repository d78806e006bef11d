"""Conversations as message objects of langchain-core, which is imported only when they are asked for."""

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from msgspec import Struct

from lighter import jsontext
from lighter.conversation import Conversation
from lighter.errors import CannotHold, LighterError
from lighter.formats import Written
from lighter.formats._langchain import CLASSES, unwrap
from lighter.jsontext import keys_of, step
from lighter.live import is_message, is_within, live_fields, live_record, plain_object, plain_value
from lighter.losses import Loss
from lighter.policies import Policies

_FORMS = ("langchain", "langchain-stored")
_NEEDS = "messages as LangChain objects need a package that is not installed: pip install langchain-core"


def written(conversation: Conversation, policies: Policies) -> Written:
    """Write a conversation as a list of message objects.

    Raises LighterError without langchain-core, CannotHold when it refuses a message.
    """
    from lighter.conversion import write  # noqa: PLC0415 - it asks for this module

    classes = _classes()
    # A form of one's own gives messages back as they were spelled, in shorthand say; another form spells them out.
    form = _FORMS[conversation.format == _FORMS[0]]
    found = write(conversation, form, policies)
    body = found.value if isinstance(found.value, dict) else {"messages": found.value}
    live, kept = live_record(conversation), list[str]()
    places = {id(place.value): place.origin.path for place in found.places}
    listed = []
    for index, message in enumerate(body["messages"]):
        path = places.get(id(message))
        source = None if live is None or path is None else _object_at(live.source, path)
        listed.append(_made(message, index, classes, _Source(source, path or "", kept) if is_message(source) else None))
    told = set(live.losses) if live is not None else set()
    lost = (loss for loss in found.losses if not (loss in told and any(is_within(loss.path, path) for path in kept)))
    losses = (*lost, *_beside(conversation, body))
    return Written(listed, losses)


def _classes() -> Mapping[str, Any]:
    try:
        from langchain_core import messages  # noqa: PLC0415 - lighter does without it, but for this
    except ImportError as error:
        raise LighterError(_NEEDS) from error
    return {name: getattr(messages, name) for name in messages.__all__}


class _Source(Struct, frozen=True):
    """The object that a message was read from, where it stood, and the places of what of it was kept."""

    message: Any
    path: str
    kept: list[str]


def _made(message: Any, index: int, classes: Mapping[str, Any], source: _Source | None) -> Any:
    """Make the object of a written message; one that says what it did is the object that it was read from."""
    unwrapped = unwrap(message)
    named = "" if unwrapped is None else unwrapped.named
    kind = named if named in classes or unwrapped is None else CLASSES[unwrapped.kind]
    if unwrapped is None or kind not in classes:
        raise CannotHold(f"messages{step(index)}: LangChain has no message for it")
    fields = json.loads(jsontext.encode({**unwrapped.fields}))
    try:
        made = classes[kind](**fields)
        if source is None:
            return made
        if plain_object(made, "", []) == plain_object(source.message, "", []):
            source.kept.append(source.path)
            return source.message
        return classes[kind](**_put_back(fields, live_fields(source.message), source.path, source.kept))
    except (TypeError, ValueError) as error:
        reason = " ".join(str(error).split())
        raise CannotHold(f"messages{step(index)}: {kind} refuses it: {reason}") from error


def _object_at(source: Any, path: str) -> Any:
    """Follow a pointer through objects; None where it leads nowhere."""
    for key in keys_of(path):
        match source:
            case Mapping():
                source = next((item for name, item in source.items() if str(name) == key), None)
            case Sequence() if key.isdecimal() and int(key) < len(source):
                source = source[int(key)]
            case _:
                source = getattr(source, key, None)
    return source


def _put_back(written: Any, source: Any, path: str, kept: list[str]) -> Any:
    """Give a written value with the objects again that its parts were made of; `kept` takes their places.

    A part that says something else now stays as it is written.
    """
    if plain_value(source, "", [], is_held=True) == written:
        kept.append(path)
        return source
    if isinstance(written, Mapping) and isinstance(source, Mapping):
        held = {str(key): item for key, item in source.items()}
        return {
            key: _put_back(item, held[key], path + step(key), kept) if key in held else item
            for key, item in written.items()
        }
    return written


def _beside(conversation: Conversation, body: Mapping[str, Any]) -> Iterator[Loss]:
    """Name what a list of messages cannot hold of a conversation."""
    for key in body:
        if key != "messages":
            yield Loss(conversation.row, step(key), key, "dropped", "a list of messages has no place for it")
