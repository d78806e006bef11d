"""Conversations as message objects of langchain-core, which is imported only when they are asked for."""

import json
from collections.abc import Iterator, Mapping
from typing import Any

from lighter import jsontext
from lighter.conversation import Conversation
from lighter.errors import CannotHold, LighterError
from lighter.formats import Written
from lighter.formats._langchain import CLASSES, unwrap
from lighter.jsontext import step
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
    listed = [_made(message, index, classes) for index, message in enumerate(body["messages"])]
    losses = (*found.losses, *_beside(conversation, body))
    return Written(listed, losses)


def _classes() -> Mapping[str, Any]:
    try:
        from langchain_core import messages  # noqa: PLC0415 - lighter does without it, but for this
    except ImportError as error:
        raise LighterError(_NEEDS) from error
    return {name: getattr(messages, name) for name in messages.__all__}


def _made(message: Any, index: int, classes: Mapping[str, Any]) -> Any:
    """Make the object of a written message."""
    unwrapped = unwrap(message)
    named = "" if unwrapped is None else unwrapped.named
    kind = named if named in classes or unwrapped is None else CLASSES[unwrapped.kind]
    if unwrapped is None or kind not in classes:
        raise CannotHold(f"messages{step(index)}: LangChain has no message for it")
    fields = json.loads(jsontext.encode({**unwrapped.fields}))
    try:
        return classes[kind](**fields)
    except (TypeError, ValueError) as error:
        reason = " ".join(str(error).split())
        raise CannotHold(f"messages{step(index)}: {kind} refuses it: {reason}") from error


def _beside(conversation: Conversation, body: Mapping[str, Any]) -> Iterator[Loss]:
    """Name what a list of messages cannot hold of a conversation."""
    for key in body:
        if key != "messages":
            yield Loss(conversation.row, step(key), key, "dropped", "a list of messages has no place for it")
