"""Live objects of LangChain as JSON values, and what of them JSON cannot say: messages, prompts, answers of models.

They are told by where their classes come from, so that nothing is imported to read them.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from math import isfinite
from typing import TYPE_CHECKING, Any

from lighter import jsontext
from lighter.jsontext import step
from lighter.losses import Loss
from lighter.records import Record

if TYPE_CHECKING:
    from lighter.conversation import Conversation

_HOME = "langchain_core"


class Live(Record):
    """The record that objects would be in a file; `source` are the objects, `losses` what the record says otherwise than they do."""

    source: Any = None
    losses: tuple[Loss, ...] = ()

    def stands_for(self, path: str) -> bool:
        """Say whether there is an object in memory for which the value at a pointer stands."""
        return any(loss.path == path for loss in self.losses)


def is_langchain(value: Any) -> bool:
    """Say whether an object is one of LangChain's: a message, a prompt, an answer of a model."""
    return any(owner.__module__.partition(".")[0] == _HOME for owner in type(value).__mro__)


def is_message(value: Any) -> bool:
    """Say whether an object is one of LangChain's messages."""
    return any(owner.__name__ == "BaseMessage" for owner in type(value).__mro__) and is_langchain(value)


def live_fields(value: Any) -> dict[str, Any]:
    """Give the fields of an object as they are: `model_dump` of what holds messages leaves out their calls."""
    return dict(value)


def not_implemented(value: Any) -> dict[str, Any]:
    """Give what stands for an object that JSON cannot say, as `dumpd` of langchain-core does (load/serializable.py)."""
    owner = type(value)
    return {
        "lc": 1,
        "type": "not_implemented",
        "id": [*owner.__module__.split("."), owner.__name__],
        "repr": repr(value),
    }


def plain_object(value: Any, path: str, losses: list[Loss]) -> Any:
    """Give the JSON value of an object of LangChain, and take down what it says otherwise.

    What a message holds besides its text (the artifact of a tool may be anything) becomes what `dumpd` writes for it.
    """
    return plain_value(live_fields(value), path, losses, is_held=is_message(value))


def plain_value(value: Any, path: str, losses: list[Loss], *, is_held: bool) -> Any:
    """Give the JSON value of what stands in an object; `is_held`: a message holds it."""
    match value:
        case None | bool() | int() | jsontext.Number():
            return value
        case str():
            return value if type(value) is str else str.__str__(value)
        case float() if isfinite(value):
            return value
        case Mapping():
            return dict(_members(value, path, losses, is_held=is_held))
        case Sequence() if not isinstance(value, bytes | bytearray | memoryview):
            if is_held and type(value) is not list:
                _note(losses, path, value, "became a list")
            return [plain_value(item, path + step(n), losses, is_held=is_held) for n, item in enumerate(value)]
        case _ if is_langchain(value) and not is_held:
            return plain_object(value, path, losses)
        case _ if (method := dumper(value)) is not None:
            _note(losses, path, value, "became the object of its fields")
            return plain_value(method(), path, [], is_held=True)
        case _:
            _note(losses, path, value, "became a note of its class and its text; JSON cannot say it")
            return not_implemented(value)


def _members(value: Mapping[Any, Any], path: str, losses: list[Loss], *, is_held: bool) -> Iterator[tuple[str, Any]]:
    texts = {key for key in value if isinstance(key, str)}
    for key, item in value.items():
        place = path + step(str(key))
        if not isinstance(key, str):
            if str(key) in texts:
                losses.append(Loss(1, place, "key", "dropped", f"the key {key!r} is the text of another one"))
                continue
            losses.append(Loss(1, place, "key", "rewritten", f"the key {key!r} became a text"))
        yield str(key), plain_value(item, place, losses, is_held=is_held)


def dumper(value: Any) -> Callable[[], Any] | None:
    """Find what gives the fields of an object of somebody else's class, where it can as JSON, in which dates are texts."""
    if isinstance(value, type):
        return None
    if is_langchain(value):
        return lambda: live_fields(value)
    if callable(method := getattr(value, "to_dict", None)):
        return partial(method, mode="json") if _takes_mode(method) else method
    if callable(method := getattr(value, "model_dump", None)):
        return lambda: method(mode="json")
    return None


def _takes_mode(method: Callable[..., Any]) -> bool:
    """Say whether `to_dict` is that of an SDK's pydantic models, which gives Python's own dates unless it is told otherwise."""
    from inspect import signature  # noqa: PLC0415 - loaded only for objects

    try:
        return "mode" in signature(method).parameters
    except (TypeError, ValueError):  # of what is not written in Python
        return False


def _note(losses: list[Loss], path: str, value: Any, what: str) -> None:
    losses.append(Loss(1, path, "live-value", "rewritten", f"an object of class {type(value).__name__} {what}"))


def live_record(conversation: "Conversation") -> Live | None:
    """Give the record of the objects that a conversation was read from; None where it was read from something else."""
    record: Any = conversation.records[0] if conversation.records else None
    pieces = getattr(record, "pieces", ())
    record = pieces[0] if pieces else record
    return record if isinstance(record, Live) else None


def live_losses(conversation: "Conversation", losses: Sequence[Loss]) -> Iterator[Loss]:
    """Give what a conversation says otherwise than the objects that it was read from, unless that is dropped anyway."""
    if (live := live_record(conversation)) is None:
        return
    gone = [loss.path for loss in losses if loss.action == "dropped"]
    for loss in live.losses:
        if is_within(loss.path, conversation.place) and not any(is_within(loss.path, path) for path in gone):
            yield loss


def is_within(path: str, other: str) -> bool:
    """Say whether a pointer leads to the same value as another, or into it."""
    return path == other or path.startswith(f"{other}/")
