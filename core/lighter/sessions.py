"""Conversations of a log with one message a line, cut into passages where no call is open; what is ordinary is let go unread.

A session keeps the messages since the last such point. While all of them are ordinary they are dropped at the next one; from
the first that is not, they are kept until the next point, and then judged together.
"""

from collections.abc import Iterator, Sequence

from lighter import jsontext
from lighter.conversation import WireMessage
from lighter.pairing import MERGING, WINDOW
from lighter.passage import Passage
from lighter.records import Record
from lighter.screen import ChatScreen

LONGEST = 2 * WINDOW
"""A passage of more messages than this is cut before the oldest call that is still open."""

LIVE = 1024
"""How many sessions are followed at a time; those that were silent longest are taken to have ended."""


class Session:
    """One conversation: what is kept of it, `turn` the ids of the calls in the kept part, `waiting` those that are open."""

    __slots__ = ("before", "count", "is_dirty", "key", "kept", "seen", "start", "touched", "traffic", "turn", "waiting")

    def __init__(self, key: str | None) -> None:
        self.key = key
        self.kept: list[Record] = []
        self.start = 0
        self.before: Record | None = None
        self.seen: set[str] = set()
        self.turn: Sequence[str] = ()
        self.waiting: set[str] = set()
        self.is_dirty = False
        self.traffic: Traffic | None = None
        self.touched = 0


class Traffic:
    """Which calls are open, and where a passage may be cut, in the part of a session that is not ordinary.

    It errs on the side of "open": a passage that is longer than it need be is judged the same.
    """

    def __init__(self, start: int) -> None:
        self.count = start
        self.open: list[tuple[int, str]] = []
        self.is_stray = False
        self.role: str | None = None
        from lighter.reading import traffic  # noqa: PLC0415 - it loads the formats, which ordinary messages do without

        self.traffic = traffic

    def take(self, record: Record) -> None:
        """Take the next message."""
        calls, results = self.traffic(record.value)
        self.is_stray = False
        for call_id in results:
            found = next((item for item in self.open if item[1] == call_id), None)
            if found:
                self.open.remove(found)
            self.is_stray = found is None
        self.open += [(self.count, call_id) for call_id in calls]
        self.count += 1
        self.open = [item for item in self.open if self.count - item[0] <= WINDOW]
        self.role = _role(record)

    def may_cut_before(self, record: Record, format_name: str) -> bool:
        """Say whether what was taken so far can be judged without the message that comes now."""
        role = _role(record)
        if self.open or self.is_stray or self.role in ("system", "developer"):
            return False
        if role == self.role == "assistant" and format_name in MERGING:
            return False
        return not self.traffic(record.value)[1]


def _role(record: Record) -> str | None:
    role = record.value.get("role") if isinstance(record.value, dict) else None
    return role if isinstance(role, str) else None


class Sessions:
    """The sessions of a file. `screen` is None when nothing can be told ordinary, and everything is judged."""

    def __init__(self, format_name: str, screen: ChatScreen | None) -> None:
        self.format = format_name
        self.screen = screen
        self.live: dict[str | None, Session] = {}
        self.started = 0
        self.clock = 0

    def take(self, key: str | None, record: Record) -> bool:
        """Take a message if it is ordinary, as is what its session keeps; else leave it to `add`.

        What is kept is let go when nothing is open before the message.
        """
        session = self.live.get(key)
        if session is None or session.is_dirty or self.screen is None:
            return False
        strings: list[str] = []
        waiting = session.waiting
        was_open = bool(waiting)
        raw = record.value
        count = self.screen.screen((raw,), waiting, strings)
        if count < 0 or not self.screen.is_clean(record.data, count, strings):
            return False
        self.clock += 1
        session.touched = self.clock
        kept = session.kept
        if was_open or raw["role"] == "tool":
            kept.append(record)
            return True
        if session.turn:
            session.seen.update(session.turn)
        session.turn = list(waiting) if waiting else ()
        if kept:
            session.before = kept[-1]
            session.start += len(kept)
        session.kept = [record]
        return True

    def add(self, key: str | None, record: Record) -> Iterator[Passage]:
        """Take any message of a session; give the passages that are to be judged."""
        session = self.live.get(key)
        if session is None:
            if len(self.live) >= LIVE:
                yield from self._end_silent()
            session = self.live[key] = Session(key)
            self.started += 1
        self.clock += 1
        session.touched = self.clock
        if session.is_dirty:
            yield from self._add_dirty(session, record)
        elif not self.take(key, record):
            self._turn_dirty(session, record)

    def _turn_dirty(self, session: Session, record: Record) -> None:
        session.is_dirty = True
        session.kept.append(record)
        session.traffic = Traffic(session.start)
        for kept in session.kept:
            session.traffic.take(kept)

    def _add_dirty(self, session: Session, record: Record) -> Iterator[Passage]:
        """Take a message after one that was not ordinary; what came before is judged once nothing of it is open."""
        held = session.traffic
        assert held is not None  # noqa: S101 - a dirty session has its traffic
        if held.may_cut_before(record, self.format) or len(session.kept) > 4 * LONGEST:
            yield from self._passage(session, len(session.kept), is_last=False)
            self._forget(session)
            if not self.take(session.key, record):
                self._turn_dirty(session, record)
            return
        if len(session.kept) > LONGEST and held.open and (oldest := held.open[0][0] - session.start) > 0:
            yield from self._passage(session, oldest, is_last=False)
        session.kept.append(record)
        held.take(record)

    def _forget(self, session: Session) -> None:
        session.is_dirty = False
        session.traffic = None
        session.turn = ()
        session.waiting = set()

    def _passage(self, session: Session, length: int, *, is_last: bool) -> Iterator[Passage]:
        """Cut the first messages of what a session keeps off as a passage; its ids are known to the next one."""
        kept = session.kept[:length]
        messages = tuple(_wire(exact(record), session.start + place) for place, record in enumerate(kept))
        before = session.before
        passage = Passage(
            self.format,
            messages,
            messages[0].record,
            before=_wire(before, session.start - 1) if before else None,
            is_first=session.start == 0,
            is_last=is_last,
            earlier_ids=session.seen,
            conversation=session.key,
        )
        yield passage
        session.seen |= passage.pairing.call_ids
        session.before = kept[-1]
        session.kept = session.kept[length:]
        session.start += length

    def finish(self, *, is_all: bool) -> Iterator[Passage]:
        """Give what is left to judge: the last passage of each session, of an ordinary one only when `is_all`."""
        for session in self.live.values():
            yield from self._end(session, is_all=is_all)

    def _end(self, session: Session, *, is_all: bool = True) -> Iterator[Passage]:
        if session.kept and (is_all or session.is_dirty):
            yield from self._passage(session, len(session.kept), is_last=True)

    def _end_silent(self) -> Iterator[Passage]:
        """End the half of the sessions that were silent longest."""
        by_age = sorted(self.live.values(), key=lambda session: session.touched)
        for session in by_age[: LIVE // 2]:
            del self.live[session.key]
            yield from self._end(session)


def exact(record: Record) -> Record:
    """Read a record once more, with every number as it is written; as it was when only the fast parser takes it."""
    try:
        return Record(record.row, record.data, jsontext.decode(record.data), record.column, record.filename)
    except (ValueError, RecursionError):
        return record


def _wire(record: Record, index: int) -> WireMessage:
    value = record.value
    is_response = isinstance(value, dict) and value.get("type") == "message" and "stop_reason" in value
    return WireMessage(record, "", value, index, is_response)
