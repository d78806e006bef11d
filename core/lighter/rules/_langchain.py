"""What rules about LangChain's messages share: the forms that they read, and the messages without their wrapping."""

from collections.abc import Iterator
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
    for message in history_in(passage).left:
        if (unwrapped := unwrapped_of(message.raw)) is not None:
            yield message, unwrapped


def all_unwrapped(passage: Passage) -> Iterator[tuple[WireMessage, "Unwrapped"]]:
    """Give all messages, with what their wrapping holds: those that the history takes back are loaded before that, too."""
    for message in passage.messages:
        if (unwrapped := unwrapped_of(message.raw)) is not None:
            yield message, unwrapped


def unwrapped_of(raw: Any) -> "Unwrapped | None":
    """Take a message out of its wrapping; None for what is no message."""
    from lighter.formats._langchain import unwrap  # noqa: PLC0415 - loaded only for LangChain's messages

    return unwrap(raw)


def id_place(message: WireMessage) -> str:
    """Point at the id of a message."""
    unwrapped = unwrapped_of(message.raw)
    return message.path + (unwrapped.prefix if unwrapped else "") + "/id"
