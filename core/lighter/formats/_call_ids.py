"""Ids of calls that a target takes, the same for a call and its results; what makes ids and names distinct."""

import re
from collections.abc import Callable, Collection, Mapping

from lighter.conversation import Conversation
from lighter.messages import AssistantMessage, Message, ToolMessage

_ALPHABET = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"


class CallIds:
    """Gives each call an id that the target takes, injectively, and its results the same one.

    An id is kept when it is legal and, where the target wants ids unique in the whole request, not used by an earlier call.
    Otherwise it becomes its legal characters and a hash of the id and of how often it was met, so that the same input
    always gives the same ids and different ids never meet. With `is_exact` it becomes as many letters and digits as
    `max_length` says, all of them from the hash.
    """

    def __init__(
        self,
        is_legal: Callable[[str], bool],
        conversation: Conversation,
        *,
        max_length: int,
        is_unique: bool,
        is_exact: bool = False,
    ) -> None:
        self.is_legal = is_legal
        self.is_exact = is_exact
        self.max_length = max_length
        self.is_unique = is_unique
        self.taken: set[str] = set()
        self.met: dict[str, int] = {}
        self.current: dict[str, list[str]] = {}
        self._turn: set[str] | None = None
        self._called: set[str] = set()
        self.source_ids = called_names(conversation).keys()

    def open_turn(self) -> None:
        """Forget the calls of earlier turns: results answer the calls of their own turn."""
        self.current = {}

    def for_call(self, call_id: str, turn: set[str]) -> str:
        """Give the id of a call; `turn` holds the ids already given in its turn."""
        count = self.met[call_id] = self.met.get(call_id, 0) + 1
        used = self.taken if self.is_unique else turn
        new = call_id if self.is_legal(call_id) and call_id not in used else self._made(call_id, count, used)
        self.taken.add(new)
        if turn is not self._turn:
            self._turn, self._called = turn, set()
        if call_id not in self._called:
            self._called.add(call_id)
            self.current[call_id] = []
        self.current[call_id].append(new)
        turn.add(new)
        return new

    def _made(self, call_id: str, count: int, used: set[str]) -> str:
        stem = re.sub(r"[^a-zA-Z0-9_-]", "_", call_id)[: self.max_length - 13]
        for attempt in range(count, count + 1000):
            made = self._shaped(stem, digest(attempt, call_id))
            if made not in used and made not in self.source_ids:
                return made
        raise AssertionError("a hash that meets a thousand others")

    def _shaped(self, stem: str, number: str) -> str:
        if self.is_exact:
            return _letters(number, self.max_length)
        return f"{stem}_{number[:12]}" if stem else f"c{number[:12]}"

    def for_result(self, call_id: str) -> str:
        """Give the id that the latest call of this id was given; an orphan's id is only made legal.

        Where several calls of the turn had one id, the first result gets the id of the first of them, and so on.
        """
        if given := self.current.get(call_id):
            return given.pop(0) if len(given) > 1 else given[0]
        return call_id if self.is_legal(call_id) else self._made(call_id, 1, self.taken)


def digest(attempt: int, text: str) -> str:
    """Give a hexadecimal number for a text, the same for the same input, and another one for another attempt."""
    import hashlib  # noqa: PLC0415 - few conversations need it, and it costs start-up time

    return hashlib.sha256(f"{attempt}\0{text}".encode("utf-8", "surrogatepass")).hexdigest()


def _letters(digits: str, length: int) -> str:
    """Write a hexadecimal number with letters and digits, the last `length` of them."""
    number, made = int(digits, 16), ""
    for _ in range(length):
        number, index = divmod(number, len(_ALPHABET))
        made = _ALPHABET[index] + made
    return made


def called_names(conversation: Conversation) -> dict[str, str]:
    """Give the tool names of all calls by their ids."""
    return {
        call.call_id: call.tool_name
        for message in conversation.messages
        if isinstance(message, AssistantMessage)
        for call in message.tool_calls
    }


def names_of_twins(conversation: Conversation) -> dict[str, set[str]]:
    """Give the tool names of calls whose ids other calls have as well: results of one such id may have different names."""
    found: dict[str, list[str]] = {}
    for message in conversation.messages:
        for call in message.tool_calls if isinstance(message, AssistantMessage) else ():
            found.setdefault(call.call_id, []).append(call.tool_name)
    return {call_id: set(names) for call_id, names in found.items() if len(names) > 1}


def is_of_twin(message: Message, twins: Mapping[str, Collection[str]]) -> bool:
    """Say whether a result has the name of one of several calls of its id, as `names_of_twins` gives them."""
    return isinstance(message, ToolMessage) and message.tool_name in twins.get(message.call_id, ())
