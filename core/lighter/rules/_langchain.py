"""What rules about LangChain's messages share: the forms that they read, and the messages without their wrapping."""

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

from lighter.conversation import WireMessage
from lighter.formats import names
from lighter.history import history_in
from lighter.passage import Passage

if TYPE_CHECKING:
    from lighter.formats._langchain import Unwrapped

FORMS = tuple(name for name in names() if name.startswith("langchain"))
"""The forms of LangChain's messages."""


def unwrapped_in(passage: Passage) -> Iterator[tuple[WireMessage, "Unwrapped"]]:
    """Give the messages that the history does not take back, each with what its wrapping holds."""
    left = history_in(passage).left
    yield from _messages(taken_in(passage) if left is passage.messages else _taken(left))


def all_unwrapped(passage: Passage) -> Iterator[tuple[WireMessage, "Unwrapped"]]:
    """Give all messages, with what their wrapping holds: those that the history takes back are loaded before that, too."""
    yield from _messages(taken_in(passage))


def taken_in(passage: Passage) -> Sequence[tuple[WireMessage, "Unwrapped | None"]]:
    """Give all messages out of their wrapping, those that are none with None."""
    return passage.once(_all_taken)


def _all_taken(passage: Passage) -> Sequence[tuple[WireMessage, "Unwrapped | None"]]:
    return _taken(passage.messages)


def _taken(messages: Iterable[WireMessage]) -> Sequence[tuple[WireMessage, "Unwrapped | None"]]:
    return [(message, unwrapped_of(message.raw)) for message in messages]


def _messages(
    taken: Iterable[tuple[WireMessage, "Unwrapped | None"]],
) -> Iterator[tuple[WireMessage, "Unwrapped"]]:
    for message, unwrapped in taken:
        if unwrapped is not None:
            yield message, unwrapped


def unwrapped_of(raw: Any) -> "Unwrapped | None":
    """Take a message out of its wrapping; None for what is no message."""
    from lighter.formats._langchain import unwrap  # noqa: PLC0415 - loaded only for LangChain's messages

    return unwrap(raw)


def id_place(message: WireMessage) -> str:
    """Point at the id of a message."""
    unwrapped = unwrapped_of(message.raw)
    return message.path + (unwrapped.prefix if unwrapped else "") + "/id"
