"""What follows from a fault that is told beside it: lost ends of calls, names that are refused twice, turns out of order.

A cause leaves its consequences out only where it is told itself, and no less severely: who is not asked about the cause still
hears what it does.
"""

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

from msgspec import Struct

from lighter.conversation import WireMessage
from lighter.formats import trait
from lighter.gaps import only_says
from lighter.jsontext import upwards, value_at
from lighter.passage import Passage
from lighter.providers import FORMAT_ROLES
from lighter.rule import Aim, Finding, severity_for
from lighter.rules import Found, RuleModule
from lighter.traffic import role_in, traffic
from lighter.wire import fields_of

_LOST = frozenset({"orphan-tool-result", "missing-tool-result", "pending-tool-call"})
"""Rules for a call or a result whose other end is gone."""

_UNTOLD = frozenset({"missing-role", "unknown-role", "unknown-message-type"})
"""Rules for a message of which it cannot be told whose it is."""

_HOLLOW = frozenset(
    {
        *("empty-tool-calls", "empty-message", "null-content", "content-wrong-type"),
        *_UNTOLD,
    }
)
"""Rules for a message of which it cannot be told what it held."""

_HOLDERS = ("", "/content", "/parts", "/tool_calls", "/role", "/type")
"""Where these point in a message."""

_RIDDLES = frozenset({"content-part-type", "empty-part", "content-wrong-type"})
"""Rules for a block that may have been a call or a result."""

_MOVED = frozenset({"interleaved-message", "duplicate-tool-call-id"})
"""Rules that tell of a turn that stands elsewhere or twice."""

_ORDER = {
    **dict.fromkeys(("call-turn-order", "must-start-with-user"), _MOVED),
    "consecutive-roles": _MOVED | {"orphan-tool-result", "missing-tool-result"},
    "user-after-tool": _MOVED,
}
"""Rules for turns that follow each other as they should not, with those that tell why: a turn beside them was moved, or is gone."""

_REACH = 2
"""How far from such a turn the order of others may suffer."""

_RANKS = {"error": 2, "warning": 1, "info": 0}


class _Told(Struct, frozen=True, eq=False):
    """A finding: its rule, where it points in its record, in which message of the passage, at what place in that, how severe."""

    name: str
    finding: Finding
    message: WireMessage | None
    within: str
    rank: int

    @property
    def index(self) -> int:
        """The message's place in the passage's conversation; far off where it is about none."""
        return self.message.index if self.message else -1000


def consequences_of(found: Sequence[Found], passage: Passage, aim: Aim) -> frozenset[int]:
    """Tell which of the findings in a passage, by index, only follow from others of them."""
    if len(found) < 2:
        return frozenset()
    messages = {(wire.record.row, wire.path): wire for wire in passage.messages}
    told = [_told(module, finding, messages, aim) for module, finding in found]
    follows = {
        *_lost_ends(told, passage),
        *_mismatched_ids(told, passage),
        *_refused_names(told),
        *_out_of_order(told),
        *_after_orphans(told, passage),
        *_of_one_value(told),
    }
    return frozenset(index for index, one in enumerate(told) if one in follows)


def _told(module: RuleModule, finding: Finding, messages: dict[tuple[int, str], WireMessage], aim: Aim) -> _Told:
    row, path = finding.record.row, finding.path
    message = next((messages[row, above] for above in upwards(path) if (row, above) in messages), None)
    severity = finding.severity or severity_for(module.rule, aim) or "info"
    return _Told(module.rule.name, finding, message, path[len(message.path) if message else 0 :], _RANKS[severity])


def _lost_ends(told: Sequence[_Told], passage: Passage) -> Iterator[_Told]:
    """Yield the calls and results whose other end may be what a message or a block held that cannot be read any more."""
    lost = [one for one in told if one.name in _LOST and one.message]
    causes = [one for one in told if one.message and (one.name in _HOLLOW or one.name in _RIDDLES)] if lost else ()
    ends = _indices(passage, lambda wire: not traffic(wire.raw)[1] and not _is_told_hollow(wire)) if causes else ()
    for cause in causes:
        left = _held_by(cause, passage)
        for one in lost:
            if left and one.rank <= cause.rank and _may_be_the_other_end(cause, one, passage, ends):
                yield one
                left -= 1


def _indices(passage: Passage, is_one: Callable[[WireMessage], bool]) -> Sequence[int]:
    """List the places of some messages, in order, so that it is soon found whether one stands between two others."""
    return sorted(wire.index for wire in passage.messages if is_one(wire))


def _stands_between(indices: Sequence[int], first: int, last: int) -> bool:
    at = bisect_right(indices, first)
    return at < len(indices) and indices[at] < last


def _held_by(cause: _Told, passage: Passage) -> int:
    """Count how many calls or results the message or the block of a fault may have held."""
    message = cause.message
    assert message is not None  # noqa: S101 - causes are about a message
    if passage.format == "openai-responses" and "content" in fields_of(message):
        return 0  # calls and results are items of their own there
    if cause.name in _HOLLOW and cause.within in _HOLDERS:
        if cause.name in _UNTOLD:
            # Its calls and results may stand there in plain sight.
            return 0 if only_says(message.raw, passage.format) else len(passage.messages)
        held = fields_of(message).get("content")
        is_text = (
            isinstance(held, str) and held.strip()[:1] not in ("", "[", "{") and cause.name == "content-wrong-type"
        )
        one_end = bool(trait(passage.format, "PAIRS_BY_ID_ALONE", otherwise=False))
        return 0 if is_text or any(traffic(message.raw)) else 1 if one_end else len(passage.messages)
    keys = cause.within.split("/")
    blocks = fields_of(message).get(keys[1]) if len(keys) in (3, 4) and keys[1] in ("content", "parts") else None
    if cause.name not in _RIDDLES or not isinstance(blocks, list):
        return 0
    return sum(_kind(block) == _kind(blocks[int(keys[2])]) for block in blocks)


def _kind(block: Any) -> Any:
    """Give what a block says that it is; parts of one message that are wrong in the same way have one finding."""
    return block.get("type") if isinstance(block, dict) else None


def _may_be_the_other_end(cause: _Told, one: _Told, passage: Passage, ends: Sequence[int]) -> bool:
    """Say whether what a message held may have been the call of an orphan, or the result of a call; a turn has an end at `ends`."""
    message, end = cause.message, one.message
    assert message is not None  # noqa: S101 - as above
    assert end is not None  # noqa: S101 - as above
    is_result = one.name == "orphan-tool-result"
    if not _may_hold(message, passage.format, calls=is_result):
        return False
    first, last = (message, end) if is_result else (end, message)
    if trait(passage.format, "PAIRS_BY_ID_ALONE", otherwise=False):
        return first.index < last.index
    return first.index < last.index and not _stands_between(ends, first.index, last.index)


def _is_told_hollow(wire: WireMessage) -> bool:
    """Say whether a message may be one of several results that cannot be read."""
    return role_in(wire.raw) is None


def _may_hold(message: WireMessage, format: str, *, calls: bool) -> bool:
    """Say whether somebody of a message's role makes calls, or answers them; nobody knows it of a role that is none."""
    role = role_in(message.raw)
    if role is None or role not in FORMAT_ROLES.get(format, ()):
        return True
    return (role in ("assistant", "model")) is calls if format in _IN_BLOCKS else calls and role == "assistant"


_IN_BLOCKS = ("anthropic", "bedrock", "gemini")
"""Formats whose user messages hold the results."""


def _mismatched_ids(told: Sequence[_Told], passage: Passage) -> Iterator[_Told]:
    """Yield malformed ids of results without calls, and of calls without results in a turn that has such a result."""
    malformed = [one for one in told if one.name == "tool-id-format"]
    if not malformed:
        return
    orphans = [one for one in told if one.name == "orphan-tool-result" and one.message]
    missing = [one for one in told if one.name in _LOST and one.name != "orphan-tool-result" and one.message]
    results = sorted(one.index for one in orphans)
    are_loose = bool(trait(passage.format, "PAIRS_BY_ID_ALONE", otherwise=False))
    ends = () if are_loose else _indices(passage, lambda wire: not traffic(wire.raw)[1])
    places = {_place_of(one) for one in orphans}
    for call in missing:
        nearest = bisect_right(results, call.index)
        if nearest < len(results) and not _stands_between(ends, call.index, results[nearest]):
            places.add(_place_of(call))
    for one in malformed:
        row, path = _place_of(one)
        if any((row, above) in places for above in upwards(path) if above != path):
            yield one


def _place_of(one: _Told) -> tuple[int, str]:
    return one.finding.record.row, one.finding.path


def _refused_names(told: Sequence[_Told]) -> Iterator[_Told]:
    """Yield what follows from a name that is refused: the definition's in its calls, a call's in its result."""
    defined = [one for one in told if one.name == "tool-definition-shape" and one.finding.path.endswith("/name")]
    names = {_text_at(one.finding) for one in defined} - {None}
    yield from (one for one in told if one.name == "tool-name-format" and _text_at(one.finding) in names)
    if defined:
        called = [one for one in told if one.name == "undeclared-tool"]
        yield from called[: len(defined)]
    refused = {one.index for one in told if one.name == "tool-name-format"}
    mismatched = [one for one in told if one.name == "tool-result-mismatch" and one.finding.path.endswith("/name")]
    yield from (one for one in mismatched if not refused.isdisjoint(range(one.index - _REACH, one.index)))


def _text_at(finding: Finding) -> str | None:
    """Give the text that a finding points at."""
    try:
        value = value_at(finding.record.value, finding.path)
    except LookupError:
        return None
    return value if isinstance(value, str) else None


def _out_of_order(told: Sequence[_Told]) -> Iterator[_Told]:
    """Yield what is wrong with the order of turns beside one that is gone, or stands elsewhere or twice."""
    names = defaultdict[int, set[str]](set)
    for one in told:
        names[one.index].add(one.name)
    for one in told:
        causes = _ORDER.get(one.name, frozenset())
        beside = range(one.index - _REACH, one.index + _REACH + 1)
        if causes and one.message and any(at in names and names[at] & causes for at in beside):
            yield one


def _after_orphans(told: Sequence[_Told], passage: Passage) -> Iterator[_Told]:
    """Yield what is wrong with a message of the user behind results, all of which are of no call."""
    users = [one for one in told if one.name == "user-after-tool"]
    orphans = {one.index for one in told if one.name == "orphan-tool-result"}
    roles = {wire.index: role_in(wire.raw) for wire in passage.messages} if users and orphans else {}
    for one in users if orphans else ():
        before = one.index - 1
        while before in orphans:
            before -= 1
        if roles.get(before) != "tool":
            yield one


_BESIDE = {
    "tool-result-not-first": (_RIDDLES, ("", "/type")),
    "content-wrong-type": (frozenset({"missing-tool-id"}), ("",)),
    "empty-message": (frozenset({"malformed-tool-call"}), ("/tool_calls",)),
}
"""Rules that say no more of a value than others do, and where these point in it."""


def _of_one_value(told: Iterable[_Told]) -> Iterator[_Told]:
    """Yield what is told of a value that another finding tells better."""
    by_place = {(one.name, one.finding.record.row, one.finding.path) for one in told}
    for one in told:
        rules, places = _BESIDE.get(one.name, (frozenset(), ()))
        row, path = one.finding.record.row, one.finding.path
        if any((rule, row, path + place) in by_place for rule in rules - {one.name} for place in places):
            yield one
