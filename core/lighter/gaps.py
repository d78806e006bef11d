"""Lines of a log, and parts of messages, that could not be read: which calls and results may have their other ends there.

Such a line stands for a message of unknown content. Its own fault is told where it stands, and what is missing because of it is
no second fault. It hides only what could have stood in it: the result of a call that was still waiting, or the call of a
result that comes right after it.
"""

import re
from bisect import bisect_right
from collections.abc import Mapping, Sequence
from typing import Any

from lighter.conversation import WireMessage
from lighter.envelope import SESSION_KEYS
from lighter.messages import AssistantMessage
from lighter.pairs import CallAt, ResultAt
from lighter.passage import Entry, Passage
from lighter.providers import FORMAT_ROLES
from lighter.turns import WINDOW


def places_of_gaps(passage: Passage, *, calls: bool) -> tuple[int, ...]:
    """Give the indices of the messages before which stands what nobody can read, and what may be a call, or else a result.

    It is a broken line, a message that is no object, or a part of one.
    """
    if passage.source is not None:
        return ()  # it was worked out in the source (`Passage.halves`)
    odd = [wire.index for wire in passage.messages if not isinstance(wire.raw, dict)]
    hiding = [wire.index for wire in passage.messages if may_hide(wire.raw, passage.format, calls=calls)]
    places = {*passage.gaps, *(index + 1 for index in (*odd, *hiding)), *hiding}
    return tuple(sorted(places)) if odd or hiding else passage.gaps


_HOLDERS = {"anthropic": "content", "bedrock": "content", "gemini": "parts"}
"""Under which key a message has its calls and results, in the formats whose blocks or parts these are."""

_ENDS = ("toolUse", "toolResult", "functionCall", "functionResponse", "function_call", "function_response")


def may_hide(raw: object, format: str, *, calls: bool | None = None) -> bool:
    """Say whether a message holds something that no reader can tell from a call or a result, which a rule tells of itself.

    `calls`: of calls alone, or of results alone, one of which each known role has.
    """
    if not isinstance(raw, dict) or calls not in (None, *_kinds_of(raw, format)):
        return False
    match format:
        case "anthropic" | "bedrock" | "gemini":
            held = raw.get(_HOLDERS[format])
            if format == "gemini" and raw.get("role") is not None and not _has_role(raw, format):
                return not only_says(raw, format)
            if isinstance(held, list):
                return any(_is_riddle(block, format) for block in held)
            return not isinstance(held, str) or format == "gemini"
        case "ollama":
            return not _has_role(raw, format)
        case "openai-responses":
            return "call_id" in raw and raw.get("type") is None
        case "gemini-interactions":
            return raw.get("type") == "function_call" and not isinstance(raw.get("arguments", {}), dict)
        case _:
            return False


_OF_TOOLS = re.compile("tool|function|observation", re.IGNORECASE)
"""What the roles of results are called anywhere."""

_SAID = frozenset({"role", "content", "parts", *SESSION_KEYS})
"""What a message has that says something, and no more."""


def only_says(raw: object, format: str) -> bool:
    """Say whether a message whose role is not known holds text alone, where calls and results would be blocks of it."""
    if format not in _HOLDERS or not isinstance(raw, dict) or not _SAID.issuperset(raw):
        return False
    held = raw.get(_HOLDERS[format])
    blocks = [{"text": held}] if isinstance(held, str) else held
    return (
        not _OF_TOOLS.search(str(raw.get("role")))
        and isinstance(blocks, list)
        and all(isinstance(block, dict) and isinstance(block.get("text"), str) for block in blocks)
    )


def _kinds_of(raw: Mapping[str, Any], format: str) -> tuple[bool, ...]:
    """Tell whether a message may hold calls (True), results (False) or both: who calls does not answer."""
    if format == "gemini-interactions":
        return (True,)
    if format not in _HOLDERS or not _has_role(raw, format):
        return True, False
    return (raw["role"] in ("assistant", "model"),)


def _is_riddle(block: object, format: str) -> bool:
    """Say whether a block may have been a call or a result: it is no object, has no type, or nothing to tell it by."""
    if not isinstance(block, dict):
        return True
    if format == "anthropic":
        return block.get("type") is None
    if all(value is None for value in block.values()):
        return True
    ends = [block[key] for key in _ENDS if key in block]
    return any(not isinstance(end, dict) or not isinstance(end.get("name", ""), str | None) for end in ends)


def _has_role(raw: Mapping[str, Any], format: str) -> bool:
    """Say whether a message has a role that its format knows."""
    role = raw.get("role")
    return isinstance(role, str) and role in FORMAT_ROLES[format]


class Gaps:
    """The unreadable lines of a passage, by the index of the message after each, and the last one passed by.

    `calls` may hold calls, `results` results. `is_loose`: calls and results need not stand side by side. `joins`: an assistant's message may go on with the turn before it.
    """

    def __init__(self, calls: Sequence[int], results: Sequence[int], *, is_loose: bool, joins: bool) -> None:
        self.results = results
        self.is_loose = is_loose
        self.joins = joins
        self.ahead = sorted(calls, reverse=True)
        self.last: int | None = None

    def pass_by(self, entry: Entry, *, is_answer: bool) -> None:
        """Go on to a message; one that is no result ends what an unreadable line before it may explain."""
        if self.last is None and not self.ahead:
            return
        index = entry.wire.index
        is_next = False
        while self.ahead and self.ahead[-1] <= index:
            self.last = self.ahead.pop()
            is_next = True
        goes_on = self.joins and is_next and isinstance(entry.message, AssistantMessage)
        if not (is_answer or self.is_loose or goes_on):
            self.last = None

    def may_hold_call(self, result: ResultAt) -> bool:
        """Say whether the call of a result may have stood in an unreadable line."""
        return self.last is not None and result.wire.index - self.last < WINDOW

    def may_hold_result(self, call: CallAt, intruders: Sequence[WireMessage]) -> bool:
        """Say whether the result of an open call may stand in an unreadable line that came before any other message."""
        end = call.wire.index + WINDOW
        if intruders and not self.is_loose:
            end = min(end, intruders[0].index)
        at = bisect_right(self.results, call.wire.index)
        return at < len(self.results) and self.results[at] <= end
